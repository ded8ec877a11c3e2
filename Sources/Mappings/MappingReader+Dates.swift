import Foundation

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
