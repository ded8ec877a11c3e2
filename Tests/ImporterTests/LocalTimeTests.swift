import Foundation
import Importer
import Testing

@testable import Mappings

@Suite("Local times")
struct LocalTimeTests {
  private static func read(
    _ text: String, _ form: ValueConversion.DateForm, zone: String = "Europe/Berlin"
  ) throws -> ConvertedValue {
    try ValueConversion.DateReadingStep(form: form, locale: "en_US_POSIX", timeZone: zone).convert(
      .text(text))
  }

  private static let forms: [(ValueConversion.DateForm, separator: String)] = [
    (.pattern("yyyy-MM-dd HH:mm"), " "), (.iso8601, "T"),
  ]

  @Test("that were there twice are the first, and said to be lossy")
  func twice() throws {
    for (form, separator) in Self.forms {
      let read = try Self.read("2024-10-27\(separator)02:30", form)
      let date = try #require(ISO8601Text.date("2024-10-27T00:30:00Z"))
      #expect(read.value == .date(date))
      #expect(
        read.loss?.reason.contains("ambiguous local time, read as the first") == true)
    }
  }

  @Test("that clocks skipped are an error of their own")
  func skipped() {
    for (form, separator) in Self.forms {
      let error = #expect(throws: ConversionFailure.self) {
        try Self.read("2024-03-31\(separator)02:30", form)
      }
      #expect(
        error?.description
          == "there was no such local time in Europe/Berlin: clocks were put forward and skipped it"
      )
    }
  }

  @Test("that are no dates at all are still none")
  func noDate() {
    for (form, separator) in Self.forms {
      let error = #expect(throws: ConversionFailure.self) {
        try Self.read("2024-13-31\(separator)02:30", form)
      }
      #expect(error?.code == .notADate)
    }
  }

  @Test("that name their offset are what they say")
  func offset() throws {
    for (text, instant) in [
      ("2024-10-27 02:30 +0200", "2024-10-27T00:30:00Z"),
      ("2024-10-27 02:30 +0100", "2024-10-27T01:30:00Z"),
    ] {
      let read = try Self.read(text, .pattern("yyyy-MM-dd HH:mm Z"))
      #expect(read.value == .date(try #require(ISO8601Text.date(instant))))
      #expect(read.loss?.reason.contains("twice") != true)
    }
  }

  @Test("are of one calendar, before 1582 too")
  func calendar() throws {
    let date = try #require(ISO8601Text.date("1367-03-24T00:00:00Z"))
    let step = try ValueConversion.DateTextStep(
      form: .pattern("yyyy-MM-dd"), locale: "en_US_POSIX", timeZone: "UTC")
    #expect(try step.convert(.date(date)).value == .text("1367-03-24"))
    let reading = try Self.read("1367-03-24", .pattern("yyyy-MM-dd"), zone: "UTC")
    #expect(reading.value == .date(date))
  }
}
