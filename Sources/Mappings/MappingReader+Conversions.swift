import DataModel

extension MappingReader {
  /// The steps of a conversion: one, or a list of them.
  mutating func conversions(_ node: MappingNode?) -> [Marked<ValueConversion.Rule>] {
    guard let node else { return [] }
    let items: [MappingNode]
    if case .list(let list) = node.content { items = list } else { items = [node] }
    return items.compactMap { item in rule(item).map { Marked($0, at: item.mark) } }
  }

  /// A step: a word, or a block of one key.
  private mutating func rule(_ node: MappingNode) -> ValueConversion.Rule? {
    guard case .block(let pairs) = node.content else {
      guard let name = name(node, "a conversion or a list of conversions") else { return nil }
      return rule(name.value, at: node.mark, nil)
    }
    guard let pair = pairs.first, let name = pair.key.word else {
      note(.wrongKind, at: node.mark, name: node.kind, expected: "a conversion")
      return nil
    }
    for other in pairs.dropFirst() {
      note(
        .conflictingKeys, at: other.key.mark, name: other.key.word ?? other.key.kind,
        expected: "'\(name)'")
    }
    return rule(name, at: pair.key.mark, pair.value.isNull ? nil : pair.value)
  }

  private mutating func rule(
    _ name: String, at mark: SourceMark, _ parameters: MappingNode?
  ) -> ValueConversion.Rule? {
    let parameters = parameters ?? MappingNode(.block([]), at: mark)
    switch name {
    case "decimal": return decimal(parameters)
    case "decimalText": return decimalText(parameters)
    case "number": return number(parameters)
    case "dateText": return dateText(parameters)
    case "dateNumber": return dateNumber(parameters)
    case "date": return date(parameters)
    case "enum": return enumeration(parameters)
    default: break
    }
    guard let rule = ValueConversion.Rule.plain[name] else {
      let words = MappingVocabulary.Words.conversion.words
      note(
        .unknownWord, at: mark, name: name, expected: words.joined(separator: ", "), among: words)
      return nil
    }
    if case .block(let pairs) = parameters.content, pairs.isEmpty { return rule }
    note(
      .wrongKind, at: parameters.mark, name: parameters.kind,
      expected: "no parameters of the conversion '\(name)'")
    return nil
  }

  // MARK: Numbers

  private mutating func decimal(_ node: MappingNode) -> ValueConversion.Rule? {
    guard let fields = fields(node, .decimal) else { return nil }
    // As many digits as there are powers of ten in an NSDecimalNumber.
    return .decimal(
      scale: integer(fields["scale"], in: -128...128),
      rounding: word(fields["rounding"], .rounding) ?? .halfUp,
      notFinite: word(fields["notFinite"], .fallback) ?? .error)
  }

  /// Decimal to text; the scale can stand alone.
  private mutating func decimalText(_ node: MappingNode) -> ValueConversion.Rule? {
    guard case .block = node.content else {
      return integer(node, in: 0...128).map {
        .decimalText(scale: $0, rounding: .halfUp, decimalSeparator: ".")
      }
    }
    guard let fields = fields(node, .decimalText),
      let scale = required("scale", fields, .decimalText)
    else { return nil }
    return integer(scale, in: 0...128).map {
      .decimalText(
        scale: $0, rounding: word(fields["rounding"], .rounding) ?? .halfUp,
        decimalSeparator: separator(fields["decimalSeparator"]) ?? ".")
    }
  }

  private mutating func number(_ node: MappingNode) -> ValueConversion.Rule? {
    guard let fields = fields(node, .number) else { return nil }
    let kind = word(fields["type"], .numberKind, as: ValueConversion.NumberKind.self)
    let decimal = separator(fields["decimalSeparator"]) ?? "."
    let grouping = separator(fields["groupingSeparator"])
    if let grouping, grouping == decimal, let node = fields["groupingSeparator"] {
      note(
        .wrongKind, at: node.mark, name: "the same character",
        expected: "a separator other than the decimal separator")
    }
    return .number(
      kind: kind ?? .decimal, decimalSeparator: decimal, groupingSeparator: grouping)
  }

  /// One character that no number has in itself; nil if the key is absent.
  private mutating func separator(_ node: MappingNode?) -> String? {
    guard let node, let text = name(node, "one character")?.value else { return nil }
    let scalars = text.unicodeScalars
    guard scalars.count == 1 else {
      note(.wrongKind, at: node.mark, name: "several", expected: "one character")
      return nil
    }
    let isPartOfNumbers = scalars.contains { scalar in
      scalar == "-" || scalar == "+" || scalar.properties.isAlphabetic
        || scalar.properties.numericType != nil
    }
    guard !isPartOfNumbers else {
      note(
        .wrongKind, at: node.mark, name: "a digit, sign or letter",
        expected: "a character between digits")
      return nil
    }
    return text
  }

  // MARK: Enumerations

  private mutating func enumeration(_ node: MappingNode) -> ValueConversion.Rule? {
    guard case .block(let pairs) = node.content else {
      note(.wrongKind, at: node.mark, name: node.kind, expected: "a block of values")
      return nil
    }
    var cases: [ValueConversion.Rule.Case] = []
    var seen: Set<ImportValue> = []
    var otherwise: MappingNode?
    for pair in pairs {
      // A text `else` has quotes.
      if case .scalar("else", .plain) = pair.key.content {
        if otherwise != nil { noteTwice(pair.key) }
        otherwise = pair.value
        continue
      }
      guard let from = constant(pair.key), let to = constant(pair.value) else { continue }
      // 0 and 0x0 are one number, which YAML does not notice.
      if !seen.insert(from).inserted { noteTwice(pair.key) }
      cases.append(ValueConversion.Rule.Case(from: from, to: to))
    }
    if pairs.isEmpty || (cases.isEmpty && pairs.count == 1 && otherwise != nil) {
      note(
        .missingKey, at: node.mark, name: "the conversion 'enum'",
        expected: "for at least one value")
    }
    return .enumeration(cases, otherwise: word(otherwise, .fallback) ?? .error)
  }

  private mutating func noteTwice(_ key: MappingNode) {
    note(.duplicateKey, at: key.mark, name: key.word, expected: "the conversion 'enum'")
  }
}
