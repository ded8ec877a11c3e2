import Foundation

/// Dates as ISO 8601 text in UTC, exactly.
///
/// The text has three fractional digits if they restore the archived double of seconds since 2001,
/// else nine, else as many as that takes. So texts of whole milliseconds sort by time, and parsers
/// that expect one number of digits, or nanoseconds, read nearly all dates.
package enum DateText {
  /// Seconds since 2001-01-01 UTC as text, such as "2011-05-22T21:52:00.250Z".
  ///
  /// Years outside of 0…9999 have a sign and six digits or more, as ISO 8601 has it. Seconds that
  /// no calendar reaches (not finite, or beyond 2^53) are written as a plain number.
  package static func text(secondsSince2001 seconds: Double) -> String {
    guard abs(seconds) < 9_007_199_254_740_992 else { return "\(seconds)" }
    let instant = Instant(seconds)
    return unsafe String(unsafeUninitializedCapacity: instant.maxBytes) { buffer in
      var span = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
      instant.write(into: &span)
      return unsafe span.finalize(for: buffer)
    }
  }

  /// The largest text of a usual date, in bytes.
  package static let usualSize = 32

  /// Writes the text of a usual date: of this era's four-digit years, in whole microseconds.
  ///
  /// - Parameters:
  ///   - seconds: Seconds since 2001-01-01 UTC.
  ///   - span: The output, with room for `usualSize` bytes.
  /// - Returns: True if it was written; else `text` has to be used.
  package static func writeUsual(
    secondsSince2001 seconds: Double, into span: inout OutputSpan<UInt8>
  ) -> Bool {
    // The years 1001 to 9999.
    guard seconds > -31_557_600_000, seconds < 252_423_993_600 else { return false }
    let instant = Instant(seconds)
    guard instant.digits == nil else { return false }
    instant.writeUsual(into: &span)
    return true
  }
}

/// A date taken apart: whole seconds, and a fraction that is not negative.
private struct Instant {
  private var whole: Int
  /// The fraction in microseconds, if it is a whole number of them.
  private var microseconds = 0
  /// The digits of any other fraction.
  private(set) var digits: String?

  private var isInMilliseconds: Bool { microseconds % 1_000 == 0 }

  /// - Parameter seconds: Less than 2^53 in size.
  init(_ seconds: Double) {
    whole = Int(seconds.rounded(.towardZero))
    guard Double(whole) != seconds else { return }
    // Apps mostly store whole microseconds. A double of this size tells neighbouring
    // microseconds apart, so if the number of them gives it back they are its shortest digits.
    let micros = (seconds * 1e6).rounded()
    if abs(seconds) < 4_294_967_296, micros / 1e6 == seconds {
      microseconds = Int(micros) - whole * 1_000_000
      if microseconds < 0 {
        // -1.25 is 0.75 after -2.
        whole -= 1
        microseconds += 1_000_000
      }
      return
    }
    let fraction = Self.fractionDigits(of: abs(seconds))
    if seconds < 0 { whole -= 1 }
    digits = Self.padded(seconds < 0 ? Self.complement(fraction) : fraction)
  }

  /// The numbers of digits of fractions of whole milliseconds and of whole nanoseconds.
  private static let usualCounts = [3, 9]

  /// The digits of a fraction with zeros after them, up to the next usual number of digits.
  private static func padded(_ digits: String) -> String {
    guard let count = usualCounts.first(where: { digits.utf8.count <= $0 }) else { return digits }
    return digits + String(repeating: "0", count: count - digits.utf8.count)
  }

  /// The decimal digits after the point of a double below 2^53 that is no integer: the fewest
  /// that give it back, as Swift's description has them.
  private static func fractionDigits(of seconds: Double) -> String {
    let parts = "\(seconds)".split(separator: "e")
    let exponent = parts.count == 2 ? Int(parts[1]) ?? 0 : 0
    let digits = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let fraction = digits.count == 2 ? digits[1] : ""
    guard exponent < 0 else { return String(fraction) }
    let significant = digits[0] + (fraction == "0" ? "" : fraction)
    return String(repeating: "0", count: -exponent - 1) + significant
  }

  /// The digits of 1 minus a fraction.
  private static func complement(_ fraction: String) -> String {
    var digits = fraction.utf8.map { 0x39 - $0 + 0x30 }
    var place = digits.count - 1
    while place >= 0, digits[place] == 0x39 {
      digits[place] = 0x30
      place -= 1
    }
    if place >= 0 { digits[place] += 1 }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Writes the text of an instant in this era's four-digit years, without other digits: pair by
  /// pair, since most dates are of these.
  func writeUsual(into span: inout OutputSpan<UInt8>) {
    let days = whole >= 0 ? whole / 86_400 : -((-whole + 86_399) / 86_400)
    let time = UInt32(truncatingIfNeeded: whole - days * 86_400)
    let date = CivilDate(daysSince2001: days)
    span.append(pair: UInt32(truncatingIfNeeded: date.year / 100))
    span.append(pair: UInt32(truncatingIfNeeded: date.year % 100))
    span.append(0x2D)
    span.append(pair: UInt32(truncatingIfNeeded: date.month))
    span.append(0x2D)
    span.append(pair: UInt32(truncatingIfNeeded: date.day))
    span.append(0x54)
    span.append(pair: time / 3_600)
    span.append(0x3A)
    span.append(pair: time / 60 % 60)
    span.append(0x3A)
    span.append(pair: time % 60)
    span.append(0x2E)
    let fraction = UInt32(truncatingIfNeeded: microseconds)
    span.append(pair: fraction / 10_000)
    if isInMilliseconds {
      span.append(0x30 + UInt8(truncatingIfNeeded: fraction / 1_000 % 10))
    } else {
      span.append(pair: fraction / 100 % 100)
      span.append(pair: fraction % 100)
      span.append(repeating: 0x30, count: 3)
    }
    span.append(0x5A)
  }

  /// No text is longer: a year of up to ten digits with its sign, 18 bytes, and the fraction.
  var maxBytes: Int { 40 + (digits?.utf8.count ?? 0) }

  /// Writes the text.
  func write(into span: inout OutputSpan<UInt8>) {
    let days = whole >= 0 ? whole / 86_400 : -((-whole + 86_399) / 86_400)
    let time = whole - days * 86_400
    let date = CivilDate(daysSince2001: days)
    if (0...9_999).contains(date.year) {
      span.append(date.year, least: 4)
    } else {
      span.append(date.year < 0 ? 0x2D : 0x2B)
      span.append(abs(date.year), least: 6)
    }
    span.append(0x2D)
    span.append(date.month, least: 2)
    span.append(0x2D)
    span.append(date.day, least: 2)
    span.append(0x54)
    span.append(time / 3_600, least: 2)
    span.append(0x3A)
    span.append(time / 60 % 60, least: 2)
    span.append(0x3A)
    span.append(time % 60, least: 2)
    span.append(0x2E)
    if let digits {
      span.append(bytes: digits.utf8)
    } else if isInMilliseconds {
      span.append(microseconds / 1_000, least: 3)
    } else {
      span.append(microseconds * 1_000, least: 9)
    }
    span.append(0x5A)
  }
}

extension OutputSpan<UInt8> {
  /// Appends a number below 100, in two digits.
  @inline(__always)
  fileprivate mutating func append(pair number: UInt32) {
    append(0x30 + UInt8(truncatingIfNeeded: number / 10))
    append(0x30 + UInt8(truncatingIfNeeded: number % 10))
  }
}

/// A day of the proleptic Gregorian calendar, and its number.
///
/// The arithmetic is that of Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms"
/// (public domain), valid for every year that fits the integers used.
package struct CivilDate: Hashable, Sendable {
  package var year: Int
  package var month: Int
  package var day: Int

  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Days from 1970-01-01 to 2001-01-01.
  private static let referenceDay = 11_323

  /// The day with a number, counted from 2001-01-01.
  package init(daysSince2001 days: Int) {
    let shifted = days + Self.referenceDay + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The day's number, counted from 2001-01-01.
  package var daysSince2001: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468 - Self.referenceDay
  }
}

/// An instant as archives hold it, written as ISO 8601 text.
public struct ArchivedDate: Sendable, Hashable, Encodable {
  /// Seconds since 2001-01-01 UTC.
  public var secondsSinceReferenceDate: Double

  /// Creates an instant.
  ///
  /// - Parameter seconds: Seconds since 2001-01-01 UTC.
  public init(secondsSinceReferenceDate seconds: Double) {
    secondsSinceReferenceDate = seconds
  }

  /// The instant as Foundation's type.
  public var date: Date { Date(timeIntervalSinceReferenceDate: secondsSinceReferenceDate) }

  /// The instant as ISO 8601 text in UTC, with as many fractional digits as it takes.
  public var text: String { DateText.text(secondsSince2001: secondsSinceReferenceDate) }

  /// Encodes the instant as its text.
  ///
  /// - Parameter encoder: The encoder.
  /// - Throws: The encoder's error.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
