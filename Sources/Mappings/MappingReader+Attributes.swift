import DataModel
import Foundation

extension MappingReader {
  /// An attribute; nil if nothing can be made of it.
  mutating func attribute(
    _ name: Marked<String>, _ node: MappingNode, _ block: MappingVocabulary.Block = .attribute
  ) -> AttributeMapping? {
    guard let (source, fields) = property(name, node, block) else { return nil }
    var attribute = AttributeMapping(name: name, source: source)
    attribute.conversions = conversions(fields["convert"])
    attribute.type = attributeType(fields["type"])
    attribute.isOptional = flag(fields["optional"])
    attribute.defaultValue = constant(fields["default"])
    attribute.minimum = number(fields["minimum"])
    attribute.maximum = number(fields["maximum"])
    if let minimum = attribute.minimum, let maximum = attribute.maximum, minimum > maximum,
      let node = fields["minimum"]
    {
      note(.badRange, at: node.mark, expected: MappingVocabulary.Block.attribute.noun)
    }
    attribute.pattern = pattern(fields["pattern"])
    attribute.keepsNegativeZero = flag(fields["keepNegativeZero"]) ?? false
    return attribute
  }

  /// A regular expression; nil if it is wrong, or the key is absent.
  private mutating func pattern(_ node: MappingNode?) -> Marked<String>? {
    guard let pattern = name(node, "a regular expression"), let node else { return nil }
    if Attribute.expression(pattern.value) != nil { return pattern }
    note(.badPattern, at: node.mark, name: pattern.value)
    return nil
  }

  /// The type of an attribute; nil if the key is absent.
  mutating func attributeType(_ node: MappingNode?) -> AttributeType? {
    // Core Data's own name.
    if node?.word == "integer64" { return .integer }
    return word(node, .attributeType)
  }

  // MARK: Where values come from

  /// The source of a property, and the further fields; nil if it is wrong.
  ///
  /// Instead of a block there can be a key path alone, or nothing, for the key of the same name.
  mutating func property(
    _ name: Marked<String>, _ node: MappingNode, _ block: MappingVocabulary.Block
  ) -> (source: Marked<ValueSource>, fields: Fields)? {
    switch node.scalar {
    case .null?: return (Self.sameKey(name), Fields(mark: node.mark))
    case .text?: return keyPath(node).map { ($0, Fields(mark: node.mark)) }
    default:
      guard let fields = fields(node, block, or: "a key or a block of \(block.noun)") else {
        return nil
      }
      return source(name, fields).map { ($0, fields) }
    }
  }

  private mutating func source(
    _ name: Marked<String>, _ fields: Fields
  ) -> Marked<ValueSource>? {
    noteConflict("from", ["value", "expression"], fields)
    if fields["from"] == nil { noteConflict("value", ["expression"], fields) }
    if let node = fields["from"] { return keyPath(node) }
    if let node = fields["value"] {
      return constant(node).map { Marked(.constant($0), at: node.mark) }
    }
    if let node = fields["expression"] {
      return expression(node).map { Marked(.expression($0.value), at: $0.mark) }
    }
    return Self.sameKey(name)
  }

  private static func sameKey(_ name: Marked<String>) -> Marked<ValueSource> {
    Marked(.keyPath([name.value]), at: name.mark)
  }

  /// A text is cut at its dots; the keys in a list are whole.
  private mutating func keyPath(_ node: MappingNode) -> Marked<ValueSource>? {
    if case .list(let items) = node.content {
      guard !items.isEmpty else {
        note(.wrongKind, at: node.mark, name: node.kind, expected: "a key or a list of keys")
        return nil
      }
      let keys = items.compactMap { item -> String? in
        // An archived key can be empty.
        if case .text("")? = item.scalar { return "" }
        return name(item, "a key")?.value
      }
      return keys.count == items.count ? Marked(.keyPath(keys), at: node.mark) : nil
    }
    guard let text = name(node, "a key or a list of keys")?.value else { return nil }
    let keys = text.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
    guard !keys.contains("") else {
      note(.emptyName, at: node.mark, expected: "a key on either side of a dot")
      return nil
    }
    return Marked(.keyPath(keys), at: node.mark)
  }
}

extension MappingReader {
  // MARK: Conversions of dates

  /// Date to text.
  mutating func dateText(_ node: MappingNode) -> ValueConversion.Rule? {
    guard let fields = fields(node, .dateText) else { return nil }
    return .dateText(
      form: dateForm(fields), locale: locale(fields["locale"]) ?? Self.neutralLocale,
      timeZone: timeZone(fields["timeZone"]) ?? Self.neutralTimeZone)
  }

  /// Text or seconds to date.
  mutating func date(_ node: MappingNode) -> ValueConversion.Rule? {
    guard let fields = fields(node, .date) else { return nil }
    noteConflict(
      "since", ["pattern", "dateStyle", "timeStyle", "locale", "timeZone"], fields)
    if fields["since"] != nil || fields["unit"] != nil || fields["zero"] != nil {
      guard let since = required("since", fields, .date) else { return nil }
      let unit: ValueConversion.DateUnit = word(fields["unit"], .dateUnit) ?? .seconds
      let zero: ValueConversion.Fallback = word(fields["zero"], .fallback) ?? .keep
      return epoch(since).map { .dateFromNumber(since: $0, unit: unit, zero: zero) }
    }
    return .dateFromText(
      form: dateForm(fields), locale: locale(fields["locale"]) ?? Self.neutralLocale,
      timeZone: timeZone(fields["timeZone"]) ?? Self.neutralTimeZone)
  }

  /// Date to seconds; the year can stand alone.
  mutating func dateNumber(_ node: MappingNode) -> ValueConversion.Rule? {
    if case .block = node.content {
      guard let fields = fields(node, .dateNumber),
        let since = required("since", fields, .dateNumber)
      else { return nil }
      return epoch(since).map { .dateNumber(since: $0) }
    }
    return epoch(node).map { .dateNumber(since: $0) }
  }

  private mutating func epoch(_ node: MappingNode) -> ValueConversion.Epoch? {
    if case .integer(let year)? = node.scalar,
      let epoch = Int(exactly: year).flatMap(ValueConversion.Epoch.init)
    {
      return epoch
    }
    let found = node.scalar?.kind == "a number" ? "another number" : node.kind
    note(.badNumber, at: node.mark, name: found, expected: "1970 or 2001")
    return nil
  }

  private mutating func dateForm(_ fields: Fields) -> ValueConversion.DateForm {
    noteConflict("pattern", ["dateStyle", "timeStyle"], fields)
    if let pattern = fields["pattern"] {
      guard let text = name(pattern, "a pattern")?.value else { return .iso8601 }
      if let letter = Self.unknownLetter(in: text) {
        note(.badDatePattern, at: pattern.mark, name: "\(letter)")
      }
      return .pattern(text)
    }
    guard fields["dateStyle"] != nil || fields["timeStyle"] != nil else { return .iso8601 }
    return .styles(
      date: word(fields["dateStyle"], .dateStyle) ?? .none,
      time: word(fields["timeStyle"], .dateStyle) ?? .none)
  }

  /// The letters that stand for something in a pattern of UTS 35.
  private static let patternLetters = Set("GyYuUrQqMLlwWdDFgEecabBhHKkmsSAzZOvVXx")

  /// The first letter of a pattern that stands for nothing; nil if there is none.
  private static func unknownLetter(in pattern: String) -> Character? {
    var isQuoted = false
    for character in pattern {
      if character == "'" {
        isQuoted.toggle()
      } else if !isQuoted, character.isASCII, character.isLetter,
        !patternLetters.contains(character)
      {
        return character
      }
    }
    return nil
  }

  // MARK: Locales and time zones

  private static let neutralLocale = "en_US_POSIX"
  private static let neutralTimeZone = "UTC"

  /// All locales by their identifiers in lower case, with hyphens as underscores.
  private static let locales = Dictionary(
    (Locale.availableIdentifiers + [neutralLocale]).map { (localeKey($0), $0) }
  ) { first, _ in first }

  private static func localeKey(_ identifier: String) -> String {
    identifier.lowercased().replacing("-", with: "_")
  }

  /// A locale as the system spells it: a known one, or a known language in a known region.
  private mutating func locale(_ node: MappingNode?) -> String? {
    guard let node, let text = name(node, "a locale")?.value else { return nil }
    let key = Self.localeKey(text)
    if let locale = Self.locales[key] { return locale }
    let parts = key.split(separator: "_", omittingEmptySubsequences: false)
    if parts.count == 2, let language = Self.locales[String(parts[0])],
      Locale.Region.isoRegions.contains(where: { $0.identifier == parts[1].uppercased() })
    {
      return "\(language)_\(parts[1].uppercased())"
    }
    note(.unknownLocale, at: node.mark, name: text, among: Self.locales.values.sorted())
    return nil
  }

  private mutating func timeZone(_ node: MappingNode?) -> String? {
    guard let node, let text = name(node, "a time zone")?.value else { return nil }
    // No identifier is as long as that; the system looks for files of the name.
    if text.utf8.count <= 100, TimeZone(identifier: text) != nil { return text }
    note(
      .unknownTimeZone, at: node.mark, name: text,
      among: TimeZone.knownTimeZoneIdentifiers.sorted())
    return nil
  }
}
