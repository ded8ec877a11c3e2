import Foundation
import Importer
import Testing

@Suite("Conversions of other values")
struct OtherConversionTests {
  private static let uuid = "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"

  private static func convert(
    _ value: ImportValue, _ rules: ValueConversion.Rule...
  ) throws -> ConvertedValue {
    try ValueConversion(rules).convert(value)
  }

  @Test("A UUID is read with or without braces and in both cases, or from sixteen bytes")
  func uuids() throws {
    let uuid = ImportValue.uuid(try #require(UUID(uuidString: Self.uuid)))
    for text in [Self.uuid, Self.uuid.lowercased()] {
      #expect(try Self.convert(.text(text), .uuid) == ConvertedValue(uuid))
    }
    let loose = try Self.convert(.text("{\(Self.uuid)}"), .uuid)
    #expect(loose.value == uuid)
    #expect(loose.loss?.reason == "loose text")
    let bytes: [UInt8] = [
      0x6B, 0xA7, 0xB8, 0x10, 0x9D, 0xAD, 0x11, 0xD1, 0x80, 0xB4, 0, 0xC0, 0x4F, 0xD4, 0x30, 0xC8,
    ]
    #expect(try Self.convert(.data(Data(bytes)), .uuid) == ConvertedValue(uuid))
    #expect(try Self.convert(.data(Data([0] + bytes).dropFirst()), .uuid).value == uuid)
    for text in ["", "{}", "{", Self.uuid + "0", String(Self.uuid.dropLast()), "{\(Self.uuid)"] {
      #expect(throws: ConversionFailure(.notAUUID, kind: "text")) {
        try Self.convert(.text(text), .uuid)
      }
    }
    #expect(throws: ConversionFailure(.wrongLength, name: "16", kind: "data")) {
      try Self.convert(.data(Data(bytes.dropLast())), .uuid)
    }
  }

  @Test("A URL is absolute or relative, and has no characters that would have to be encoded")
  func urls() throws {
    for text in [
      "https://example.com/a?b=c#d", "file:///tmp/a%20b", "mailto:a@b.c", "images/1.png",
    ] {
      #expect(try Self.convert(.text(text), .url) == ConvertedValue(.url(text)))
    }
    for text in ["", " ", "https://example.com/a b", "http://[::1", "https://example.com/\n", "ü"] {
      #expect(throws: ConversionFailure(.notAURL, kind: "text")) {
        try Self.convert(.text(text), .url)
      }
    }
    #expect(throws: ConversionFailure(.wrongKind, name: "a URL", kind: "integer")) {
      try Self.convert(.integer(1), .url)
    }
  }

  @Test("Plain values have one text")
  func plainTexts() throws {
    let cases: [(ImportValue, String)] = [
      (.bool(true), "true"), (.integer(.min), "-9223372036854775808"), (.real(12.5), "12.5"),
      (.real(12), "12"), (.real(-0.0), "-0"), (.real(1e21), "1e+21"), (.real(.nan), "NaN"),
      (.real(-.infinity), "-Infinity"), (.decimal(Decimal(1230) / 100), "12.3"),
      (.decimal(.nan), "NaN"), (.text("a"), "a"), (.url("a/b"), "a/b"),
      (.date(Date(timeIntervalSinceReferenceDate: 0.5)), "2001-01-01T00:00:00.500Z"),
      (.data(Data([1, 2])), "AQI="), (.uuid(try #require(UUID(uuidString: Self.uuid))), Self.uuid),
    ]
    for (value, text) in cases {
      #expect(try Self.convert(value, .text) == ConvertedValue(.text(text)))
    }
    for value in [ImportValue.list([]), .set([]), .dictionary([])] {
      #expect(throws: ConversionFailure(.wrongKind, name: "plain text", kind: value.kind)) {
        try Self.convert(value, .text)
      }
    }
  }

  @Test(
    "Numbers and a few words are true or false",
    arguments: [
      (.text("YES"), true, nil), (.text("true"), true, nil), (.text("0"), false, nil),
      (.text("No"), false, nil), (.text(" 1"), true, "loose text"), (.integer(1), true, nil),
      (.integer(0), false, nil), (.real(1), true, nil), (.decimal(0), false, nil),
      (.real(-0.0), false, "sign of -0.0 dropped"), (.integer(7), true, "other than 0 and 1"),
      (.real(0.5), true, "other than 0 and 1"), (.bool(false), false, nil),
    ] as [(ImportValue, Bool, String?)])
  func booleans(value: ImportValue, truth: Bool, loss: String?) throws {
    let converted = try Self.convert(value, .boolean)
    #expect(converted.value == .bool(truth))
    #expect(converted.loss?.reason == loss)
  }

  @Test("Numbers become whole numbers and doubles where they can")
  func numbers() throws {
    #expect(try Self.convert(.bool(true), .integer) == ConvertedValue(.integer(1)))
    #expect(try Self.convert(.real(-5), .integer) == ConvertedValue(.integer(-5)))
    #expect(
      try Self.convert(.integer(.max), .double).loss?.reason == "rounded to the nearest double")
    #expect(try Self.convert(.decimal(Decimal(1) / 10), .double) == ConvertedValue(.real(0.1)))
    let failing: [(ImportValue, ValueConversion.Rule, ConversionFailure.Code)] = [
      (.real(0.5), .integer, .notWhole), (.real(.nan), .integer, .nan),
      (.real(.infinity), .integer, .infinite), (.real(1e300), .integer, .outOfRange),
      (.real(9_223_372_036_854_775_808), .integer, .outOfRange),
      (.decimal(.greatestFiniteMagnitude), .integer, .outOfRange),
      (.text("5"), .integer, .wrongKind),
      (.text("5"), .double, .wrongKind), (.date(.now), .double, .wrongKind),
      (.real(.nan), .boolean, .nan), (.decimal(.nan), .boolean, .nan),
      (.text("maybe"), .boolean, .notABoolean), (.text(""), .boolean, .notABoolean),
    ]
    for (value, rule, code) in failing {
      let error = #expect(throws: ConversionFailure.self) { try Self.convert(value, rule) }
      #expect(error?.code == code)
    }
  }

  @Test("Steps follow one another, and their losses are told together")
  func chain() throws {
    let steps: [ValueConversion.Rule] = [
      .number(kind: .double, decimalSeparator: ",", groupingSeparator: nil),
      .decimal(scale: 1, rounding: .halfUp, notFinite: .error), .text,
    ]
    let converted = try ValueConversion(steps).convert(.text(" 2,35"))
    #expect(converted.value == .text("2.4"))
    #expect(converted.loss?.reason == "loose text, rounded to 1 digit")
    #expect(try ValueConversion([]).convert(.set([.null])) == ConvertedValue(.set([.null])))
  }

  @Test("Archives are left to the importer")
  func archives() throws {
    let conversion = try ValueConversion([.archive])
    #expect(conversion.needsArchive)
    #expect(conversion.resultType(from: .unknown) == .binary)
    #expect(throws: ConversionFailure(.needsArchive, kind: "text")) {
      try conversion.convert(.text("a"))
    }
    #expect(throws: ConversionRuleError(.archiveNotAlone, rule: 1)) {
      try ValueConversion([.text, .archive])
    }
    #expect(try !ValueConversion([.text]).needsArchive)
  }

  @Test("The type of the result is known beforehand")
  func types() throws {
    func type(
      _ rules: ValueConversion.Rule..., from type: AttributeType = .double
    ) throws -> AttributeType? {
      try ValueConversion(rules).resultType(from: type)
    }
    func cases(_ values: ImportValue...) -> [ValueConversion.Rule.Case] {
      values.enumerated().map { .init(from: .integer(Int64($0)), to: $1) }
    }
    #expect(try type() == nil)
    #expect(try type(.decimal(scale: 2, rounding: .halfUp, notFinite: .error)) == .decimal)
    #expect(try type(.decimal(scale: 2, rounding: .halfUp, notFinite: .keep)) == .mixed)
    #expect(try type(.dateNumber(since: .unix)) == .double)
    #expect(try type(.dateFromNumber(since: .unix)) == .date)
    #expect(try type(.json) == .string)
    #expect(try type(.text, .url) == .uri)
    #expect(
      try type(.number(kind: .integer, decimalSeparator: ".", groupingSeparator: nil)) == .integer)
    #expect(
      try type(.enumeration(cases(.text("a"), .null, .text("b")), otherwise: .error)) == .string)
    #expect(
      try type(.enumeration(cases(.integer(1), .text("b")), otherwise: .error)) == .mixed)
    #expect(try type(.enumeration(cases(.bool(true)), otherwise: .keep)) == .mixed)
    #expect(
      try type(.enumeration(cases(.text("a")), otherwise: .keep), from: .string) == .string)
  }
}
