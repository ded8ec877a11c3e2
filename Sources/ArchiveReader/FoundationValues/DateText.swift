/// Dates as ISO 8601 text in UTC, exactly.
///
/// The text has as many fractional digits as it takes for the nearest double to the instant that
/// it names, in seconds since 2001, to be the archived one, and no more.
package enum DateText {
  /// Seconds since 2001-01-01 UTC as text, such as "2011-05-22T21:52:00.25Z".
  ///
  /// Years outside of 0…9999 have a sign and six digits or more, as ISO 8601 has it. Seconds that
  /// no calendar reaches (not finite, or beyond 2^53) are written as a plain number.
  package static func text(secondsSince2001 seconds: Double) -> String {
    guard abs(seconds) < 9_007_199_254_740_992 else { return "\(seconds)" }
    var (whole, fraction) = parts(of: seconds)
    if seconds < 0, !fraction.isEmpty {
      // -1.25 is 0.75 after -2.
      whole -= 1
      fraction = complement(fraction)
    }
    let days = whole >= 0 ? whole / 86_400 : -((-whole + 86_399) / 86_400)
    let time = whole - days * 86_400
    let date = CivilDate(daysSince2001: days)
    var text = year(date.year)
    text.reserveCapacity(32)
    text += "-" + twoDigits(date.month) + "-" + twoDigits(date.day)
    text += "T" + twoDigits(time / 3_600) + ":" + twoDigits(time / 60 % 60)
    text += ":" + twoDigits(time % 60)
    if !fraction.isEmpty { text += "." + fraction }
    return text + "Z"
  }

  /// The whole seconds, towards zero, and the decimal digits behind the point.
  private static func parts(of seconds: Double) -> (whole: Int, fraction: String) {
    let whole = Int(seconds.rounded(.towardZero))
    guard Double(whole) != seconds else { return (whole, "") }
    // Apps mostly store whole microseconds. A double of this size tells neighbouring
    // microseconds apart, so if the number of them gives it back they are its shortest digits.
    let micros = (seconds * 1e6).rounded()
    if abs(seconds) < 4_294_967_296, micros / 1e6 == seconds {
      let rest = abs(Int(micros)) % 1_000_000
      var digits = String(1_000_000 + rest).dropFirst()
      while digits.last == "0" { digits.removeLast() }
      return (whole, String(digits))
    }
    // Swift's description has the fewest digits that give the double back.
    let description = "\(abs(seconds))"
    let mantissaAndExponent = description.split(separator: "e")
    let exponent = mantissaAndExponent.count == 2 ? Int(mantissaAndExponent[1]) ?? 0 : 0
    let digits = mantissaAndExponent[0].split(separator: ".", omittingEmptySubsequences: false)
    let fraction = digits.count == 2 ? digits[1] : ""
    guard exponent < 0 else {
      // A value below 2^53 that is no integer is written without an exponent.
      return (whole, String(fraction))
    }
    let significant = digits[0] + (fraction == "0" ? "" : fraction)
    return (whole, String(repeating: "0", count: -exponent - 1) + significant)
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

  private static func year(_ year: Int) -> String {
    guard !(0...9999).contains(year) else { return String(String(10_000 + year).dropFirst()) }
    let digits = String(abs(year))
    let padding = String(repeating: "0", count: max(0, 6 - digits.count))
    return (year < 0 ? "-" : "+") + padding + digits
  }

  private static func twoDigits(_ value: Int) -> String {
    value < 10 ? "0\(value)" : "\(value)"
  }
}
