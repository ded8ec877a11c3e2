import Support

/// Why a mapping file cannot be used: everything that is wrong with it.
///
/// A problem carries a code, a place and names that the mapping file uses, never stored data. Its
/// words are made in one place: see `description`.
public struct MappingError: Error, Hashable, Sendable {
  /// The kinds of problem.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    // The file
    case unreadable
    case tooLarge
    case malformedYAML
    /// The file is of another kind.
    case notAMapping
    case tooDeep
    case tooMany
    case unknownAlias
    case unknownTag

    // Its keys
    case unknownKey
    case duplicateKey
    case missingKey
    case conflictingKeys

    // Its values
    case wrongKind
    case emptyName
    case unknownWord
    case badNumber
    case badRange
    case badPredicate
    case badExpression
    case badPattern
    case badDatePattern
    case unknownLocale
    case unknownTimeZone

    // What does not fit the model, the archives or the converter
    case unknownEntity
    case unknownProperty
    case unknownDestination
    case unknownInverse
    case unknownPolicy
    case unusedPolicy
    case unusedPolicyMapping
    case policyTwice
    case policyWithoutMigration
    case unknownFunction
    case twoNames
    case renamingCycle
    case hookAndPolicy
    case reservedName
    case abstractEntity
    case parentCycle
    case contradictsBlock
    case contradictsModel
    case keysOfValue
    case noConversion
    case badConversion
    case otherModel
    case badView

    // What matches nothing in the archives: no error by itself
    case unusedClass
    case unusedPrefix
    case unusedEntity
    case unusedRecordPath
    case unusedKey
    case unusedPath
    case unusedBlock
  }

  /// One thing that is wrong.
  public struct Problem: Error, Hashable, Sendable {
    /// The kind of problem.
    public var code: Code
    /// The place of the problem; nil if that is no one place.
    public var mark: SourceMark?
    /// The key, word or name that is concerned, or what was found, or the words of a parser.
    public var name: String?
    /// The right text in its place, or a description of the place.
    public var expected: String?
    /// The name that was probably meant.
    public var nearest: String?

    /// Creates a problem.
    public init(
      _ code: Code, at mark: SourceMark? = nil, name: String? = nil, expected: String? = nil,
      nearest: String? = nil
    ) {
      self.code = code
      self.mark = mark
      self.name = name
      self.expected = expected
      self.nearest = nearest
    }
  }

  /// The path of the mapping file.
  public let path: String
  /// The problems in the order of the file, at least one.
  public let problems: [Problem]
  /// The number of further problems: only so many are listed.
  public let omittedCount: Int

  /// Creates an error of one problem or several, which are put into the order of the file.
  public init(
    path: String, _ first: Problem, _ others: [Problem] = [], omittedCount: Int = 0
  ) {
    self.path = path
    self.omittedCount = omittedCount
    // Sorting is not promised to keep the order of equals.
    problems = ([first] + others).enumerated().sorted { one, other in
      (one.element.mark?.line ?? 0, one.element.mark?.column ?? 0, one.offset)
        < (other.element.mark?.line ?? 0, other.element.mark?.column ?? 0, other.offset)
    }.map(\.element)
  }
}

extension MappingError: CustomStringConvertible {
  /// The problems in words, a line for each: `path:line:column: what`.
  public var description: String {
    var lines = problems.map { problem in
      let place = problem.mark.map { ":\($0.line):\($0.column)" } ?? ""
      return "\(path)\(place): \(problem)"
    }
    if omittedCount > 0 {
      let problems = omittedCount == 1 ? "1 more problem is" : "\(omittedCount) more problems are"
      lines.append("\(path): \(problems) not listed")
    }
    return PrintableText.lines(lines)
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
    case .unknownAlias: "unknown alias '*\(name)': define the anchor '&\(name)' before it"
    case .unknownTag: "unknown tag '\(name)'"

    case .unknownKey: "unknown key '\(name)' in \(expected)"
    case .duplicateKey: "duplicate key '\(name)' in \(expected)"
    case .missingKey: "missing key \(expected) in \(name)"
    case .conflictingKeys: "the keys '\(name)' and \(expected) are mutually exclusive"

    case .wrongKind: "expected \(expected), found \(name)"
    case .emptyName: "expected \(expected), found an empty text"
    case .unknownWord: "unknown value '\(name)': expected \(expected)"
    case .badNumber: "expected \(expected), found \(name)"
    case .badRange: "'minimum' is greater than 'maximum' in \(expected)"
    case .badPredicate: "invalid predicate: \(name)"
    case .badExpression: "invalid expression: \(name)"
    case .badPattern: "invalid regular expression: '\(name)'"
    case .badDatePattern:
      "invalid date pattern: the letter '\(name)' has no meaning (put text in single quotes)"
    case .unknownLocale: "unknown locale '\(name)'"
    case .unknownTimeZone: "unknown time zone '\(name)'"

    case .unknownEntity: "unknown entity '\(name)'"
    case .unknownProperty: "unknown property '\(name)'"
    case .unknownDestination:
      "the destination of '\(name)' is unknown: name its entity with 'to'"
    case .unknownInverse: "'\(name)' cannot be the inverse of \(expected)"
    case .unknownPolicy: "no policy is registered as '\(name)'"
    case .unusedPolicy: "no mapping model of the migration names the policy '\(name)'"
    case .unusedPolicyMapping: "no entity mapping '\(name)' names the policy '\(expected)'"
    case .policyTwice:
      "the policy '\(name)' is registered in Swift as well: remove the block or the class"
    case .policyWithoutMigration:
      "'policies' is for migrations by mapping models: use archive-convert migrate"
    case .unknownFunction: "the policy has no function '\(name)'"
    case .twoNames: "'\(name)' and \(expected) are the same class: use one of its names"
    case .renamingCycle: "the renamings of the class '\(name)' form a cycle"
    case .hookAndPolicy: "a hook handles the objects of '\(name)', so the policy would get none"
    case .reservedName: "the name '\(name)' is reserved for a table of the store"
    case .abstractEntity: "the entity '\(name)' is abstract: only its subentities have rows"
    case .parentCycle: "the entity '\(name)' inherits from itself"
    case .contradictsBlock: "'\(name)' contradicts another block: \(expected)"
    case .contradictsModel: "'\(name)' contradicts the model: \(expected)"
    case .keysOfValue:
      "'\(name)' cannot be followed: '\(expected)' holds a single value (name the class to import "
        + "its objects as rows)"
    case .noConversion:
      "no conversion from \(expected) can be inferred for '\(name)': specify one"
    case .badConversion: "invalid conversion of '\(name)': \(expected)"
    case .unusedClass: "no archive has a class '\(name)'"
    case .unusedPrefix: "no class of the archives begins with '\(name)'"
    case .unusedRecordPath: "no dictionary with text keys is at '\(name)'"
    case .unusedEntity: "no object in the archives becomes a row of '\(name)'"
    case .unusedKey: "no object of \(expected) has a key '\(name)'"
    case .unusedPath: "'\(expected)' holds plain values, which have no key '\(name)'"
    case .unusedBlock: "unknown block '\(name)'"
    case .otherModel:
      "was made for another version of the model: its digest is \(name), not \(expected) "
        + "(use --accept-model-drift to continue)"
    case .badView: "the view '\(name)' cannot be made: \(expected)"
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
