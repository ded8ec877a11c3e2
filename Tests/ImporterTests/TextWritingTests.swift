import ArchiveReader
import Foundation
import TestSupport
import Testing

@testable import Importer

/// Texts that steps write straight from archived values, against those that conversions give.
@Suite("A text that is written straight from the archive")
struct TextWritingTests {
  /// What a step writes: its text, and what is lost.
  private static func written(
    _ value: GraphValue, _ conversion: ValueConversion
  ) throws -> (text: String, loss: ConvertedValue.Loss?)? {
    let writer = try #require(conversion.textWriter)
    var found: WrittenText?
    let bytes = [UInt8](upTo: WrittenText.maxBytes) { found = writer.write(value, into: &$0) }
    return found.map { (String(decoding: bytes, as: UTF8.self), $0.loss) }
  }

  /// Expects that what is written, if anything is, is what the conversion gives.
  private static func expectSame(
    _ value: GraphValue, _ plain: ImportValue, _ conversion: ValueConversion,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Bool {
    guard let found = try written(value, conversion) else { return false }
    let converted = try conversion.convert(plain)
    #expect(found.text == converted.value.storedText, sourceLocation: sourceLocation)
    #expect(found.loss == converted.loss, "\(found.text)", sourceLocation: sourceLocation)
    return true
  }

  @Test("is the decimal number that a double is converted to", arguments: [nil, 0, 1, 2, 4, 6, 9])
  func decimals(scale: Int?) throws {
    var random = SeededGenerator(seed: 12)
    for rounding in ValueConversion.Rounding.allCases {
      let conversion = try ValueConversion([
        .decimal(scale: scale, rounding: rounding, notFinite: .null)
      ])
      var numbers = [0, -0.0, 0.5, 1.5, 2.5, -2.5, 1.005, 0.1 + 0.2, 999_999.9999995, 1e9, 1e300]
      numbers += [.nan, .infinity, .leastNonzeroMagnitude, 0.000_000_1, 123_456_789.123_456]
      for _ in 0..<500 {
        let digits = Double(Int.random(in: -1_000_000_000...1_000_000_000, using: &random))
        let units: [Double] = [1, 10, 100, 1_000, 1e5, 1e6, 1e7]
        let unit = units.randomElement(using: &random) ?? 1
        numbers.append(digits / unit)
      }
      var count = 0
      for number in numbers
      where try Self.expectSame(.real(number), .real(number), conversion) { count += 1 }
      #expect(count > 300)
      for number in [0, 1, -1, 120, 999_999_999_999_999, .max, .min] as [Int64] {
        _ = try Self.expectSame(.integer(number), .integer(number), conversion)
      }
    }
  }

  private static let forms: [(form: ValueConversion.DateForm, locale: String)] = [
    (.pattern("yyyy-MM-dd"), "en_US_POSIX"), (.pattern("yyyy-MM-dd HH:mm"), "en_US_POSIX"),
    (.pattern("dd.MM.yyyy HH:mm:ss"), "en_US_POSIX"), (.pattern("yyyyMMddHHmmss"), "en_US_POSIX"),
    (.pattern("MM/dd/yyyy, HH"), "en_US_POSIX"), (.pattern("d MMMM y"), "fr_FR"),
    (.pattern("yyyy-MM-dd'T'HH'o''clock'"), "en_US"),
    (.styles(date: .medium, time: .medium), "en_US"),
    (.styles(date: .short, time: .short), "en_US"), (.styles(date: .long, time: .none), "de_DE"),
    (.styles(date: .medium, time: .medium), "en_GB"),
    (.styles(date: .medium, time: .medium), "ja_JP"),
  ]

  @Test("is the date that a formatter writes", arguments: forms.indices)
  func dates(number: Int) throws {
    let (form, locale) = Self.forms[number]
    let conversion = try ValueConversion([
      .dateText(form: form, locale: locale, timeZone: "UTC")
    ])
    // The same zone by a name for which a formatter is always asked.
    let slow = try ValueConversion([
      .dateText(form: form, locale: locale, timeZone: "Etc/GMT+0")
    ])
    var random = SeededGenerator(seed: 3)
    var dates: [Double] = [0, -0.25, 0.999, 0.9999, 59.5, -978_307_200, 86_399.25, 86_400, -1]
    dates += [-12_591_158_399, 252_423_993_599, 327_790_320]
    for _ in 0..<200 {
      let seconds = Double(Int.random(in: -12_000_000_000...30_000_000_000, using: &random))
      let fractions: [Double] = [0, 0.25, 0.5]
      dates.append(seconds + (fractions.randomElement(using: &random) ?? 0))
    }
    var count = 0
    for seconds in dates {
      let date = ImportValue.date(Date(timeIntervalSinceReferenceDate: seconds))
      let (fast, usual) = (try conversion.convert(date), try slow.convert(date))
      #expect(fast.value == usual.value)
      #expect(fast.loss == usual.loss, "\(usual.value.storedText)")
      if try Self.expectSame(.date(seconds), date, conversion) { count += 1 }
    }
    // Where a year has two digits, everything is left to the formatter.
    #expect(count > 200 || number == 8)
  }

  @Test(
    "is not written where a formatter has its own words or rules",
    arguments: [
      ("yy-MM-dd", "en_US", "UTC"), ("yyyy-MM-dd HH:mm", "en_US", "Europe/Berlin"),
      ("EEEE, d MMMM yyyy", "en_US", "UTC"), ("yyyy-MM-dd hh", "en_US", "UTC"),
      ("HH:mm", "en_US", "UTC"), ("yyyy-MM-dd", "ar_EG", "UTC"),
    ])
  func others(pattern: String, locale: String, zone: String) throws {
    let conversion = try ValueConversion([
      .dateText(form: .pattern(pattern), locale: locale, timeZone: zone)
    ])
    #expect(try Self.written(.date(0), conversion) == nil)
  }
}
