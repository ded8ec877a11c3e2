extension MappingError: CustomStringConvertible {
  /// The problems in words, a line for each: `path:line:column: what`.
  public var description: String {
    var lines = problems.map { problem in
      let place = problem.mark.map { ":\($0.line):\($0.column)" } ?? ""
      return "\(path)\(place): \(problem)"
    }
    if omittedCount > 0 { lines.append("\(path): \(omittedCount) more problems are not listed") }
    return lines.joined(separator: "\n")
  }
}

extension MappingError.Problem: CustomStringConvertible {
  /// The problem in words, on one line, without its place.
  public var description: String {
    guard let nearest else { return sentence }
    return "\(sentence) (did you mean '\(Self.shown(nearest))'?)"
  }

  private var sentence: String {
    let name = Self.shown(name ?? "?")
    let expected = expected ?? "?"
    return switch code {
    case .unreadable: "cannot be read: \(name)"
    case .tooLarge: "is larger than the limit of \(name) bytes"
    case .notAMapping: "is \(name), not a mapping"
    case .malformedYAML: "malformed YAML: \(name)"
    case .tooDeep: "nested deeper than the limit of \(name) levels"
    case .tooMany: "holds more values than the limit of \(name)"
    case .tooComplex: "holds too many lists and blocks that may be keys of others"
    case .unknownAlias: "unknown alias '*\(name)': an anchor '&\(name)' has to stand before it"
    case .unknownTag: "unknown tag '\(name)'"

    case .unknownKey: "unknown key '\(name)' in \(expected)"
    case .duplicateKey: "the key '\(name)' stands more than once in \(expected)"
    case .missingKey: "missing key \(expected) in \(name)"
    case .conflictingKeys: "the keys '\(name)' and \(expected) exclude each other"

    case .wrongKind: "expected \(expected), found \(name)"
    case .emptyName: "expected \(expected), found an empty text"
    case .unknownWord: "unknown word '\(name)': expected \(expected)"
    case .badNumber: "expected \(expected), found \(name)"
    case .badRange: "'minimum' is greater than 'maximum' in \(expected)"
    case .badPredicate: "not a predicate: \(name)"
    case .badExpression: "not an expression: \(name)"
    case .badPattern: "not a regular expression: '\(name)'"
    case .badDatePattern:
      "not a date pattern: the letter '\(name)' stands for nothing (put text in single quotes)"
    case .unknownLocale: "unknown locale '\(name)'"
    case .unknownTimeZone: "unknown time zone '\(name)'"

    case .unknownEntity: "there is no entity '\(name)'"
    case .unknownProperty: "there is no property '\(name)'"
    case .unknownDestination:
      "nothing tells which entity '\(name)' leads to: name it with 'to'"
    case .unknownInverse: "'\(name)' cannot be the inverse of \(expected)"
    case .unknownPolicy: "no policy is registered as '\(name)'"
    case .twoNames: "'\(name)' and \(expected) are one class: use one of its names"
    case .renamingCycle: "the class '\(name)' was renamed to others, and these to '\(name)' again"
    case .hookAndPolicy: "a hook takes the objects of '\(name)', so the policy would get none"
    case .reservedName: "the name '\(name)' belongs to a table of the store's own"
    case .abstractEntity: "the entity '\(name)' is abstract: only its subentities have rows"
    case .parentCycle: "the entity '\(name)' inherits from itself"
    case .contradictsBlock: "another block says otherwise of '\(name)': \(expected)"
    case .contradictsModel: "the model says otherwise of '\(name)': \(expected)"
    case .keysOfValue:
      "'\(name)' cannot be followed: what '\(expected)' holds is one value (name the class to have "
        + "its objects as rows)"
    case .noConversion:
      "no mapping from \(expected) can be found or inferred for '\(name)': give it a conversion"
    case .badConversion: "the conversion of '\(name)' cannot be done: \(expected)"
    case .unusedClass: "no archive has a class '\(name)'"
    case .unusedEntity: "nothing in the archives becomes a row of '\(name)'"
    case .unusedKey: "no object of \(expected) has a key '\(name)'"
    case .unusedPath: "what '\(expected)' holds are plain values, which have no key '\(name)'"
    case .unusedBlock: "there is no block '\(name)'"
    case .otherModel:
      "was made for another version of the model: its digest is \(name), not \(expected) "
        + "(use --accept-model-drift to go on)"
    }
  }

  /// A name that stays on one line, and of a length that can be read.
  private static func shown(_ name: String) -> String {
    let longest = 200
    var shown = ""
    for (position, scalar) in name.unicodeScalars.enumerated() {
      guard position < longest else { return shown + "…" }
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator:
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}
