import Foundation

/// A form of dates that a formatter writes and reads: styles or a pattern, in one locale and zone.
///
/// What styles look like depends on the version of ICU, what patterns look like does not. The
/// calendar is always the Gregorian one, before 1582 too, as in ISO 8601.
struct DateFormat: Sendable {
  /// A formatter may be used from several threads, as it is not changed after it was made.
  private let formatter: DateFormatter
  /// Reads the same texts as if they were in UTC: what a clock of the zone shows; nil in UTC
  /// itself.
  private let clock: DateFormatter?
  /// The number of parts into which its texts divide a second; nil where they do not tell the
  /// instant.
  private let partsOfSecond: Double?

  /// Dates farther from 2001 than that, some 30,000 years, have no text.
  private static let maxSeconds = 1e12

  /// Creates a form; nil for ISO 8601, which needs no formatter.
  init?(
    _ form: ValueConversion.DateForm, locale: String, timeZone name: String
  ) throws(ConversionRuleError) {
    let timeZone = try Self.zone(name)
    guard LocaleName.isKnown(locale) else {
      throw ConversionRuleError(.unknownLocale, name: locale)
    }
    if case .iso8601 = form { return nil }
    formatter = try Self.formatter(form, locale, timeZone)
    clock = Self.isUTC(name) ? nil : try Self.formatter(form, locale, .gmt)
    partsOfSecond = Self.isUTC(name) ? Self.partsOfSecond(formatter.dateFormat) : nil
  }

  private static func formatter(
    _ form: ValueConversion.DateForm, _ locale: String, _ timeZone: TimeZone
  ) throws(ConversionRuleError) -> DateFormatter {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: locale)
    formatter.calendar = Calendar(identifier: .gregorian)
    formatter.gregorianStartDate = Date(timeIntervalSinceReferenceDate: -10 * maxSeconds)
    formatter.timeZone = timeZone
    formatter.isLenient = false
    switch form {
    case .iso8601: break
    case .styles(.none, .none): throw ConversionRuleError(.noStyle)
    case .styles(let date, let time):
      formatter.dateStyle = date.foundation
      formatter.timeStyle = time.foundation
    case .pattern(let pattern):
      guard Self.isPattern(pattern) else { throw ConversionRuleError(.badPattern, name: pattern) }
      formatter.dateFormat = pattern
    }
    return formatter
  }

  /// The zone with a name.
  static func zone(_ name: String) throws(ConversionRuleError) -> TimeZone {
    guard let zone = TimeZone(identifier: name) else {
      throw ConversionRuleError(.unknownTimeZone, name: name)
    }
    return zone
  }

  /// True if a zone is UTC by name, which has never been anything else.
  static func isUTC(_ name: String) -> Bool {
    ["UTC", "GMT", "Etc/UTC", "Etc/GMT"].contains(name)
  }

  /// The writer of the texts of usual dates; nil for other zones than UTC and for forms that have
  /// more than numbers, names of months and marks of half days.
  func digits() -> Digits? {
    guard clock == nil, let pattern = formatter.dateFormat else { return nil }
    return Digits(pattern, Digits.Words(formatter))
  }

  /// The number of parts into which a pattern divides a second; nil if it lacks a part of the date
  /// or the time.
  private static func partsOfSecond(_ pattern: String) -> Double? {
    let parts = pattern.split(separator: "'", omittingEmptySubsequences: false)
    let fields = parts.enumerated().filter { $0.offset % 2 == 0 }.map(\.element).joined(
      separator: " ")
    func has(_ letters: Character...) -> Bool { letters.contains(where: fields.contains) }
    let hasYear = has("y") && (fields.contains("yyyy") || !fields.contains("yy"))
    // The one letter of "MMMMM" is that of several months.
    let hasMonth = has("M", "L") && !fields.contains("MMMMM") && !fields.contains("LLLLL")
    guard hasYear, hasMonth, has("d"), has("H", "k") || has("h", "K") && has("a"), has("m"),
      has("s")
    else { return nil }
    return fields.contains("SSS") ? 1_000 : 1
  }

  /// True if the text of a date surely tells the whole instant.
  ///
  /// Reading a text takes ten times as long as writing it, and here it need not be tried.
  func surelyTells(_ date: Date) -> Bool {
    let seconds = date.timeIntervalSinceReferenceDate
    // The years 100 to 9000 or so.
    guard let partsOfSecond, seconds > -6e10, seconds < 2.2e11 else { return false }
    return (seconds * partsOfSecond).rounded() / partsOfSecond == seconds
  }

  /// True if a pattern has fields, all of them known, and all quotes are closed.
  private static func isPattern(_ pattern: String) -> Bool {
    var isQuoted = false
    var hasField = false
    for scalar in pattern.unicodeScalars {
      if scalar == "'" {
        isQuoted.toggle()
      } else if !isQuoted, scalar.properties.isAlphabetic, scalar.isASCII {
        guard "GyYuUrQqMLwWdDFgEecabBhHKkmsSAzZOvVXx".unicodeScalars.contains(scalar) else {
          return false
        }
        hasField = true
      }
    }
    return hasField && !isQuoted
  }

  /// The text of a date, to the millisecond; nil if it has none.
  func text(_ date: Date) -> String? {
    guard abs(date.timeIntervalSinceReferenceDate) < Self.maxSeconds else { return nil }
    let text = formatter.string(from: date)
    return text.isEmpty ? nil : text
  }

  /// The date of a text, and whether clocks show its time twice; nil if the text has another form.
  ///
  /// Of two times, it is the first.
  ///
  /// - Throws: `ConversionFailure` if clocks skip the time.
  func date(_ text: String) throws(ConversionFailure) -> (date: Date, isRepeated: Bool)? {
    guard let zone = formatter.timeZone, let clock else {
      return Self.date(text, formatter).map { ($0, false) }
    }
    guard let date = Self.date(text, formatter) else {
      if let local = Self.date(text, clock)?.timeIntervalSinceReferenceDate,
        case .never = LocalTime.read(local, in: zone)
      {
        throw ConversionFailure(.skippedTime, name: zone.identifier)
      }
      return nil
    }
    let seconds = date.timeIntervalSinceReferenceDate
    let local = seconds + Double(zone.secondsFromGMT(for: date))
    guard case .twice(let first, let last) = LocalTime.read(local, in: zone) else {
      return (date, false)
    }
    // A text that names the offset tells which of the two it is.
    let texts = [first, last].map {
      formatter.string(from: Date(timeIntervalSinceReferenceDate: $0))
    }
    guard texts[0] == texts[1] else { return (date, false) }
    return (Date(timeIntervalSinceReferenceDate: first), true)
  }

  private static func date(_ text: String, _ formatter: DateFormatter) -> Date? {
    guard let date = formatter.date(from: text) else { return nil }
    // Formatters count milliseconds from another year, and are a little off in doubles.
    let seconds = (date.timeIntervalSinceReferenceDate * 1_000).rounded() / 1_000
    return Date(timeIntervalSinceReferenceDate: seconds)
  }
}

extension ValueConversion.DateStyle {
  fileprivate var foundation: DateFormatter.Style {
    switch self {
    case .none: .none
    case .short: .short
    case .medium: .medium
    case .long: .long
    case .full: .full
    }
  }
}

/// Names of locales, for which Foundation takes anything.
private enum LocaleName {
  private static let known = Set(Locale.availableIdentifiers)

  /// True if a locale is known, or both its language and its region are: "en_JP".
  static func isKnown(_ name: String) -> Bool {
    let name = name.replacing("-", with: "_")
    if known.contains(name) { return true }
    let parts = name.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
    return parts.count == 2 && known.contains(parts[0])
      && Locale.Region.isoRegions.contains { $0.identifier == parts[1] }
  }
}
