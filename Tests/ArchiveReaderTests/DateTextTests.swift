import ArchiveReader
import Foundation
import TestSupport
import Testing

@Suite("Dates as text")
struct DateTextTests {
  @Test(
    "are exact, with three fractional digits, nine, or as many as it takes",
    arguments: [
      (0, "2001-01-01T00:00:00.000Z"), (-0.0, "2001-01-01T00:00:00.000Z"),
      (326_671_920, "2011-05-09T22:12:00.000Z"), (86_399, "2001-01-01T23:59:59.000Z"),
      (-1, "2000-12-31T23:59:59.000Z"), (-86_400, "2000-12-31T00:00:00.000Z"),
      (-86_401, "2000-12-30T23:59:59.000Z"), (5_097_600, "2001-03-01T00:00:00.000Z"),
      (-26_524_800, "2000-02-29T00:00:00.000Z"),
      (0.25, "2001-01-01T00:00:00.250Z"), (0.1, "2001-01-01T00:00:00.100Z"),
      (1e-6, "2001-01-01T00:00:00.000001000Z"), (1e-7, "2001-01-01T00:00:00.000000100Z"),
      (1.5e-7, "2001-01-01T00:00:00.000000150Z"), (0.999_999, "2001-01-01T00:00:00.999999000Z"),
      (0.1 + 0.2, "2001-01-01T00:00:00.30000000000000004Z"),
      (-0.25, "2000-12-31T23:59:59.750Z"), (-0.1, "2000-12-31T23:59:59.900Z"),
      (-1.25, "2000-12-31T23:59:58.750Z"), (-1e-6, "2000-12-31T23:59:59.999999000Z"),
      (-1e-7, "2000-12-31T23:59:59.999999900Z"), (-1e-10, "2000-12-31T23:59:59.9999999999Z"),
      (582_042_185.123_456, "2019-06-12T14:23:05.123456000Z"),
      (582_042_185.123_456_8, "2019-06-12T14:23:05.123456800Z"),
      (-978_307_200, "1970-01-01T00:00:00.000Z"),
      // Foundation's distant past, which its calendars show as the first day of year 1.
      (-63_114_076_800, "0000-12-30T00:00:00.000Z"), (-63_113_904_000, "0001-01-01T00:00:00.000Z"),
      (63_113_904_000, "4001-01-01T00:00:00.000Z"),
      (252_423_993_599, "9999-12-31T23:59:59.000Z"),
      (252_423_993_600, "+010000-01-01T00:00:00.000Z"),
      (-63_145_526_400, "0000-01-01T00:00:00.000Z"),
      (-63_145_526_401, "-000001-12-31T23:59:59.000Z"),
      (-63_145_526_400.5, "-000001-12-31T23:59:59.500Z"),
      (1e15, "+31690739-07-06T01:46:40.000Z"), (9_007_199_254_740_992, "9007199254740992.0"),
      (-9_007_199_254_740_992, "-9007199254740992.0"), (1e300, "1e+300"),
      (.nan, "nan"), (.infinity, "inf"), (-.infinity, "-inf"),
    ] as [(Double, String)])
  func areExact(seconds: Double, text: String) {
    #expect(DateText.text(secondsSince2001: seconds) == text)
  }

  @Test(
    "give back every date, and would not with fewer of the usual numbers of digits",
    arguments: [1, 2, 3, 4] as [UInt64])
  func giveBackEveryDate(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<5_000 {
      let seconds = Self.randomSeconds(&random)
      let text = DateText.text(secondsSince2001: seconds)
      #expect(try Self.seconds(of: text) == seconds, "\(seconds) as \(text)")
      guard let point = text.firstIndex(of: ".") else { continue }
      let digits = text[point...].dropFirst().dropLast()
      #expect(digits.count >= 3 && !(4...8).contains(digits.count), "\(seconds) as \(text)")
      // What is beyond the usual numbers of digits is there because it is needed.
      let isUsual = [3, 9].contains(digits.count)
      let rest = isUsual ? digits.dropFirst(digits.count == 3 ? 0 : 3) : digits.suffix(1)
      #expect(digits.count == 3 || rest.contains { $0 != "0" }, "\(seconds) as \(text)")
      guard !isUsual else { continue }
      let shorter = text.dropLast(2) + "Z"
      #expect(try Self.seconds(of: String(shorter)) != seconds, "\(seconds) as \(text)")
    }
  }

  @Test("of whole milliseconds sort by time")
  func sortByTime() {
    let seconds = [-1.5, -1, -0.999, 0, 0.001, 0.25, 0.5, 1, 1.125, 582_042_185.25]
    let texts = seconds.map { DateText.text(secondsSince2001: $0) }
    #expect(texts == texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }

  @Test("of the usual kind are written in place, to the same text")
  func writesUsualDatesInPlace() throws {
    var random = SeededGenerator(seed: 5)
    var usual = 0
    for _ in 0..<5_000 {
      let seconds = Self.randomSeconds(&random)
      if let text = Self.usualText(seconds) {
        usual += 1
        #expect(text == DateText.text(secondsSince2001: seconds))
      }
    }
    #expect(usual > 1_000)
    #expect(Self.usualText(-31_557_600_000) == nil)
    #expect(Self.usualText(252_423_993_600) == nil)
    #expect(Self.usualText(.nan) == nil)
    #expect(Self.usualText(1e-7) == nil)
    #expect(Self.usualText(1.5) == "2001-01-01T00:00:01.500Z")
  }

  private static func usualText(_ seconds: Double) -> String? {
    var isWritten = false
    let bytes = [UInt8](upTo: DateText.usualSize) {
      isWritten = DateText.writeUsual(secondsSince2001: seconds, into: &$0)
    }
    return isWritten ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// Seconds below 2^53 in size: of any magnitude, of the usual one, or whole microseconds.
  private static func randomSeconds(_ random: inout SeededGenerator) -> Double {
    let sign: Double = Bool.random(using: &random) ? 1 : -1
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      let power = Int.random(in: -60...52, using: &random)
      let fraction = Double.random(in: 1..<2, using: &random)
      return Double(sign: .plus, exponent: power, significand: fraction) * sign
    case 1: return Double.random(in: 0..<2_000_000_000, using: &random) * sign
    default: return Double(Int.random(in: 0..<5_000_000_000_000_000, using: &random)) / 1e6 * sign
    }
  }

  // MARK: An independent parser

  /// The double nearest to the instant that a text names, in seconds since 2001.
  private static func seconds(of text: String) throws -> Double {
    let halves = text.dropLast().split(separator: "T")
    let day = try #require(halves.first)
    let time = try #require(halves.last).split(separator: ".", omittingEmptySubsequences: false)
    try #require(text.hasSuffix("Z") && halves.count == 2 && time.count <= 2)
    // The sign of a year looks like a separator.
    let parts =
      [day.dropLast(6)] + day.suffix(5).split(separator: "-") + time[0].split(separator: ":")
    let fields = parts.compactMap { Int($0) }
    try #require(fields.count == 6)
    let days =
      days(beforeYear: fields[0]) + daysBefore(month: fields[1], in: fields[0]) + fields[2] - 1
      - Self.days(beforeYear: 2001)
    let whole = days * 86_400 + fields[3] * 3_600 + fields[4] * 60 + fields[5]
    let fraction = time.count == 2 ? String(time[1]) : ""
    guard whole < 0, fraction.contains(where: { $0 != "0" }) else {
      return try #require(Double("\(whole).\(fraction)0"))
    }
    // -2 and 0.75 are -1.25: the fraction counts backwards.
    return try #require(Double("-\(-whole - 1).\(complement(fraction))"))
  }

  /// Days from the first day of year 1 to that of another year.
  private static func days(beforeYear year: Int) -> Int {
    func count(_ divisor: Int) -> Int {
      Int((Double(year - 1) / Double(divisor)).rounded(.down))
    }
    return 365 * (year - 1) + count(4) - count(100) + count(400)
  }

  private static func daysBefore(month: Int, in year: Int) -> Int {
    let isLeap = days(beforeYear: year + 1) - days(beforeYear: year) == 366
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return lengths.prefix(month - 1).reduce(0, +)
  }

  /// The digits of 1 minus 0.digits: 9 minus each, and 10 minus the last that is not zero.
  private static func complement(_ digits: String) -> String {
    let zeros = digits.reversed().prefix { $0 == "0" }.count
    let significant = digits.dropLast(zeros).compactMap(\.wholeNumberValue)
    let nines = significant.dropLast().map { "\(9 - $0)" }.joined()
    return nines + "\(10 - (significant.last ?? 0))" + String(repeating: "0", count: zeros)
  }
}
