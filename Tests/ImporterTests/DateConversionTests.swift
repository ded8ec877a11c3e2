import Foundation
import Importer
import TestSupport
import Testing

@Suite("Conversions of dates")
struct DateConversionTests {
  /// 2011-05-22T21:52:00Z, and seconds more.
  private static func instant(_ more: Double = 0) -> ImportValue {
    .date(Date(timeIntervalSinceReferenceDate: 327_793_920 + more))
  }

  private static func text(
    _ form: ValueConversion.DateForm, _ locale: String = "en_US_POSIX", _ zone: String = "UTC"
  ) throws -> ValueConversion {
    try ValueConversion([.dateText(form: form, locale: locale, timeZone: zone)])
  }

  private static func reading(
    _ form: ValueConversion.DateForm, _ locale: String = "en_US_POSIX", _ zone: String = "UTC"
  ) throws -> ValueConversion {
    try ValueConversion([.dateFromText(form: form, locale: locale, timeZone: zone)])
  }

  @Test(
    "Styles are written in the language of the locale",
    arguments: [
      ("en_US", "May 22, 2011 at 9:52:00\u{202F}PM"), ("en_GB", "22 May 2011 at 21:52:00"),
      ("de_DE", "22.05.2011, 21:52:00"), ("ja_JP", "2011/05/22 21:52:00"),
      ("de-DE", "22.05.2011, 21:52:00"),
    ])
  func styles(locale: String, text: String) throws {
    let form = ValueConversion.DateForm.styles(date: .medium, time: .medium)
    #expect(
      try Self.text(form, locale).convert(Self.instant()) == ConvertedValue(.text(text)))
    #expect(
      try Self.reading(form, locale).convert(.text(text)) == ConvertedValue(Self.instant()))
  }

  @Test(
    "Patterns are the same everywhere",
    arguments: [
      ("yyyy-MM-dd HH:mm:ss", "UTC", "2011-05-22 21:52:00"),
      ("MMM d, yyyy h:mm:ss a", "UTC", "May 22, 2011 9:52:00 PM"),
      ("yyyy-MM-dd'T'HH:mm:ss.SSSZ", "Europe/Berlin", "2011-05-22T23:52:00.000+0200"),
      ("EEEE, dd MMMM yyyy 'at' HH:mm", "America/New_York", "Sunday, 22 May 2011 at 17:52"),
    ])
  func patterns(pattern: String, zone: String, text: String) throws {
    let form = ValueConversion.DateForm.pattern(pattern)
    let written = try Self.text(form, "en_US_POSIX", zone).convert(Self.instant())
    #expect(written == ConvertedValue(.text(text)))
    let read = try Self.reading(form, "en_US_POSIX", zone).convert(.text(text))
    #expect(read == ConvertedValue(Self.instant()))
  }

  @Test(
    "What a text does not tell of a date is noted",
    arguments: [
      (.pattern("yyyy-MM-dd HH:mm:ss"), 0.25, "fractions of a second dropped"),
      (.pattern("yyyy-MM-dd HH:mm:ss.SSS"), 0.25, nil),
      (.pattern("yyyy-MM-dd HH:mm:ss.SSS"), 0.123, nil),
      (.pattern("yyyy-MM-dd HH:mm:ss.SSS"), 0.123456, "fractions of a second dropped"),
      (.pattern("yyyy-MM-dd HH:mm"), 30, "the text does not determine the instant"),
      (.pattern("yyyy-MM-dd"), 0, "the text does not determine the instant"),
      (.styles(date: .none, time: .short), 0, "the text does not determine the instant"),
      (.iso8601, 0.123456789, nil),
    ] as [(ValueConversion.DateForm, Double, String?)])
  func losses(form: ValueConversion.DateForm, more: Double, loss: String?) throws {
    let converted = try Self.text(form).convert(Self.instant(more))
    #expect(converted.loss?.reason == loss)
  }

  @Test(
    "A text that tells the instant is read back to the instant",
    arguments: [
      ("en_US", .styles(date: .medium, time: .medium)),
      ("ja_JP", .styles(date: .full, time: .full)),
      ("ar_EG", .styles(date: .long, time: .long)), ("th_TH", .styles(date: .short, time: .medium)),
      ("de_DE", .pattern("dd.MM.y HH:mm:ss.SSS")), ("en_US", .pattern("yyyy-MM-dd KK:mm:ss a")),
      ("en_GB", .pattern("'day' d 'of' MMMM yyyy, kk:mm:ss")),
      ("en_US", .pattern("yyyy MMMMM d HH:mm:ss")), ("en_US", .pattern("yy-MM-dd HH:mm:ss")),
      ("en_US", .pattern("y-MM-dd hh:mm:ss 'a'")),
    ] as [(String, ValueConversion.DateForm)])
  func readBack(locale: String, form: ValueConversion.DateForm) throws {
    var random = SeededGenerator(seed: 2011)
    let writing = try Self.text(form, locale)
    let reading = try Self.reading(form, locale)
    for _ in 0..<200 {
      let seconds = Double.random(in: -1e10...1e10, using: &random)
      for parts in [1, 1_000.0] {
        let value = ImportValue.date(
          Date(timeIntervalSinceReferenceDate: (seconds * parts).rounded() / parts))
        let text = try writing.convert(value)
        let read = try? reading.convert(text.value).value
        #expect((read == value) == (text.loss == nil), "\(text)")
      }
    }
  }

  @Test("The hour that comes twice when clocks are put back is noted, one of two times")
  func clocks() throws {
    let conversion = try Self.text(.pattern("yyyy-MM-dd HH:mm"), "en_US_POSIX", "Europe/Berlin")
    let losses = try [0, 3600].map { seconds in
      let date = Date(timeIntervalSince1970: 1_319_934_600 + seconds)
      let converted = try conversion.convert(.date(date))
      #expect(converted.value == .text("2011-10-30 02:30"))
      return converted.loss
    }
    #expect(losses.filter { $0 == nil }.count == 1)
    let failure = #expect(throws: ConversionFailure.self) {
      try Self.reading(.pattern("yyyy-MM-dd HH:mm"), "en_US_POSIX", "Europe/Berlin")
        .convert(.text("2011-03-27 02:30"))
    }
    #expect(failure?.code == .skippedTime)
  }

  @Test(
    "A text of another form is an error",
    arguments: [
      ("yyyy-MM-dd", "2011-02-30"), ("yyyy-MM-dd", "2011-05-22 and more"), ("yyyy-MM-dd", ""),
      ("yyyy-MM-dd", "22.05.2011"), ("yyyy-MM-dd HH:mm", "2011-05-22 25:00"),
      ("yyyy", "99999999999999999999"),
    ])
  func badTexts(pattern: String, text: String) throws {
    #expect(throws: ConversionFailure(.notADate, kind: "text")) {
      try Self.reading(.pattern(pattern)).convert(.text(text))
    }
  }

  @Test("A text that the form would write in another way is noted")
  func looseTexts() throws {
    let day = Self.instant(-78_720)
    for (text, loss) in [
      ("2011-05-22", nil), ("2011-5-22", "loose text"), (" 2011-05-22", "loose text"),
    ] {
      let converted = try Self.reading(.pattern("yyyy-MM-dd")).convert(.text(text))
      #expect(converted.value == day)
      #expect(converted.loss?.reason == loss)
    }
    #expect(
      try Self.reading(.pattern("HH:mm:ss.SSS")).convert(.text("00:00:00.123")).loss == nil)
  }

  @Test("Seconds are counted from 1970 or from 2001")
  func seconds() throws {
    let unix = try ValueConversion([.dateNumber(since: .unix)])
    let reference = try ValueConversion([.dateNumber(since: .reference)])
    #expect(try unix.convert(Self.instant()) == ConvertedValue(.real(1_306_101_120)))
    #expect(try reference.convert(Self.instant()) == ConvertedValue(.real(327_793_920)))
    // A tenth of a second has other bits in a larger number.
    let odd = ImportValue.date(Date(timeIntervalSinceReferenceDate: 0.1))
    #expect(try unix.convert(odd).loss?.reason == "fractions of a second rounded")
    #expect(try reference.convert(odd) == ConvertedValue(.real(0.1)))
  }

  @Test("Dates are made of seconds, of any kind of number")
  func fromSeconds() throws {
    let unix = try ValueConversion([.dateFromNumber(since: .unix)])
    let reference = try ValueConversion([.dateFromNumber(since: .reference)])
    #expect(try unix.convert(.real(1_306_101_120)) == ConvertedValue(Self.instant()))
    #expect(try unix.convert(.integer(1_306_101_120)) == ConvertedValue(Self.instant()))
    #expect(try reference.convert(.real(327_793_920.25)) == ConvertedValue(Self.instant(0.25)))
    let tenths = ImportValue.decimal(try #require(Decimal(string: "1306101120.1")))
    #expect(
      try unix.convert(tenths)
        == ConvertedValue(.date(Date(timeIntervalSinceReferenceDate: 327_793_920.1))))
    for value in [ImportValue.bool(true), .text("5"), .data(Data())] {
      #expect(throws: ConversionFailure(.wrongKind, name: "a date", kind: value.kind)) {
        try unix.convert(value)
      }
    }
    for number in [Double.nan, .infinity, -.infinity] {
      #expect(throws: ConversionFailure.self) { try unix.convert(.real(number)) }
    }
    #expect(throws: ConversionFailure.self) { try unix.convert(.decimal(.nan)) }
  }

  @Test(
    "Dates are made of other units, by the size of each number where that is asked for",
    arguments: [
      (.milliseconds, .integer(327_793_920_250), 0.25),
      (.microseconds, .integer(327_793_920_250_000), 0.25),
      (.nanoseconds, .integer(327_793_920_250_000_000), 0.25),
      (.nanoseconds, .real(327_793_920_250_000_000), 0.25),
      (.bySize, .integer(327_793_920), 0), (.bySize, .real(327_793_920.25), 0.25),
      (.bySize, .integer(327_793_920_250), 0.25),
      (.bySize, .decimal(327_793_920_250_000), 0.25),
      (.bySize, .integer(327_793_920_250_000_000), 0.25),
    ] as [(ValueConversion.DateUnit, ImportValue, Double)])
  func units(unit: ValueConversion.DateUnit, number: ImportValue, fraction: Double) throws {
    let conversion = try ValueConversion([.dateFromNumber(since: .reference, unit: unit)])
    #expect(try conversion.convert(number) == ConvertedValue(Self.instant(fraction)))
  }

  @Test("What is finer than a date is listed, and 0 may be no date")
  func fineUnits() throws {
    let nanoseconds = try ValueConversion([.dateFromNumber(since: .reference, unit: .nanoseconds)])
    #expect(try nanoseconds.convert(.integer(700_000_000_123_456_789)).loss != nil)
    #expect(try nanoseconds.convert(.integer(700_000_000_500_000_000)).loss == nil)
    #expect(try nanoseconds.convert(.integer(.min)).value != .null)
    #expect(throws: ConversionFailure.self) { try nanoseconds.convert(.text("1")) }
    for (zero, expected) in [
      (ValueConversion.Fallback.keep, ImportValue.date(Date(timeIntervalSinceReferenceDate: 0))),
      (.null, .null),
    ] {
      let conversion = try ValueConversion([
        .dateFromNumber(since: .reference, unit: .bySize, zero: zero)
      ])
      #expect(try conversion.convert(.integer(0)) == ConvertedValue(expected))
      #expect(try conversion.convert(.real(-0.0)) == ConvertedValue(expected))
    }
    let strict = try ValueConversion([.dateFromNumber(since: .unix, zero: .error)])
    #expect(throws: ConversionFailure.self) { try strict.convert(.integer(0)) }
  }

  @Test("A date that no calendar reaches has no text")
  func range() throws {
    let forms: [ValueConversion.DateForm] = [
      .iso8601, .pattern("yyyy"), .styles(date: .short, time: .none),
    ]
    for seconds in [1e300, -1e300, .nan, .infinity, -.infinity, 1e17, -1e17] {
      let value = ImportValue.date(Date(timeIntervalSinceReferenceDate: seconds))
      for form in forms {
        #expect(throws: ConversionFailure(.outOfRange, name: "dates", kind: "date")) {
          try Self.text(form).convert(value)
        }
      }
    }
  }

  @Test(
    "A form that cannot be used is found before any value",
    arguments: [
      (.iso8601, "xx_YY", "UTC", .unknownLocale), (.iso8601, "", "UTC", .unknownLocale),
      (.iso8601, "en_QQ", "UTC", .unknownLocale), (.iso8601, "en_JP", "Mars", .unknownTimeZone),
      (.iso8601, "en_US", "Europe/Berlin", .zoneOfISO8601),
      (.styles(date: .none, time: .none), "en_US", "UTC", .noStyle),
      (.pattern(""), "en_US", "UTC", .badPattern),
      (.pattern("yyyy 'a"), "en_US", "UTC", .badPattern),
      (.pattern("Today"), "en_US", "UTC", .badPattern),
      (.pattern("'x'"), "en_US", "UTC", .badPattern),
    ] as [(ValueConversion.DateForm, String, String, ConversionRuleError.Code)])
  func badForms(
    form: ValueConversion.DateForm, locale: String, zone: String, code: ConversionRuleError.Code
  ) {
    let error = #expect(throws: ConversionRuleError.self) { try Self.text(form, locale, zone) }
    #expect(error?.code == code)
  }

  @Test("One conversion serves several tasks")
  func tasks() async throws {
    let conversion = try Self.text(.pattern("yyyy-MM-dd HH:mm:ss"))
    let texts = try await withThrowingTaskGroup(of: Set<ImportValue>.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try Set((0..<200).map { _ in try conversion.convert(Self.instant()).value })
        }
      }
      return try await group.reduce(into: Set<ImportValue>()) { $0.formUnion($1) }
    }
    #expect(texts == [.text("2011-05-22 21:52:00")])
  }
}
