import Foundation
import Importer
import TestSupport
import Testing

@Suite("Dates in ISO 8601")
struct ISO8601ConversionTests {
  /// 2011-05-22T21:52:00Z, and seconds more.
  private static func instant(_ more: Double = 0) -> ImportValue {
    .date(Date(timeIntervalSinceReferenceDate: 327_793_920 + more))
  }

  private static func reading(in zone: String = "UTC") throws -> ValueConversion {
    try ValueConversion([
      .dateFromText(form: .iso8601, locale: "en_US_POSIX", timeZone: zone)
    ])
  }

  @Test(
    "ISO 8601 is read with offsets and fractions",
    arguments: [
      ("2011-05-22T21:52:00Z", 0, nil), ("2011-05-22T21:52:00.25Z", 0.25, nil),
      ("2011-05-22T21:52:00.2500Z", 0.25, nil), ("2011-05-22T21:52:00.000Z", 0, nil),
      ("2011-05-22T23:52:00+02:00", 0, "loose text"), ("2011-05-22T14:22-0730", 0, "loose text"),
      ("2011-05-22T19:52:00,5-02", 0.5, "loose text"), ("2011-05-22T21:52:00", 0, "loose text"),
      ("+002011-05-22T21:52:00Z", 0, "loose text"), (" 2011-05-22T21:52:00Z ", 0, "loose text"),
      ("2011-05-22", -78_720, "loose text"),
    ] as [(String, Double, String?)])
  func iso8601(text: String, more: Double, loss: String?) throws {
    let converted = try Self.reading().convert(.text(text))
    #expect(converted.value == Self.instant(more))
    #expect(converted.loss?.reason == loss)
  }

  @Test(
    "What is not ISO 8601 is an error",
    arguments: [
      "", "2011", "2011-05", "2011-5-22", "2011-02-30T00:00:00Z", "2011-13-01", "2011-00-01",
      "2011-05-22 21:52:00Z", "2011-05-22T21Z", "2011-05-22T24:00:00Z", "2011-05-22T21:60Z",
      "2011-05-22T21:52:60Z", "2011-05-22T21:52:00.Z", "2011-05-22T21:52:00z",
      "2011-05-22T21:52:00Z!", "2011-05-22T21:52:00+2", "11-05-22", "+2011-05-22",
      "99999999999999999999-01-01T00:00:00Z", "20110522T215200Z", "1e300", "nan",
    ])
  func badISO8601(text: String) throws {
    #expect(throws: ConversionFailure(.notADate, kind: "text")) {
      try Self.reading().convert(.text(text))
    }
  }

  @Test("A text without an offset is in the zone of the rule")
  func localISO8601() throws {
    let conversion = try Self.reading(in: "Europe/Berlin")
    #expect(try conversion.convert(.text("2011-05-22T23:52:00")).value == Self.instant())
    #expect(try conversion.convert(.text("2011-05-22T21:52:00Z")).value == Self.instant())
    let failure = #expect(throws: ConversionFailure.self) {
      try conversion.convert(.text("2011-03-27T02:30:00"))
    }
    #expect(failure?.code == .skippedTime)
    for year in ["-9999999999", "+9999999999", "0000"] {
      #expect(throws: Never.self) { try conversion.convert(.text("\(year)-01-01")) }
    }
  }

  @Test("ISO 8601 gives back every date, to the last bit")
  func everyDate() throws {
    var random = SeededGenerator(seed: 8601)
    let conversion = try ValueConversion([
      .dateText(form: .iso8601, locale: "en_US_POSIX", timeZone: "UTC"),
      .dateFromText(form: .iso8601, locale: "en_US_POSIX", timeZone: "UTC"),
    ])
    for _ in 0..<5_000 {
      let magnitude = Double.random(in: -12...15, using: &random)
      let sign: Double = Bool.random(using: &random) ? 1 : -1
      let value = ImportValue.date(
        Date(timeIntervalSinceReferenceDate: sign * pow(10, magnitude)))
      #expect(try conversion.convert(value) == ConvertedValue(value))
    }
  }
}
