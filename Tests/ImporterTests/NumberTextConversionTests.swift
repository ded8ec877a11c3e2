import Foundation
import Importer
import Testing

@Suite("Numbers from texts")
struct NumberTextConversionTests {
  private static func convert(
    _ text: String, to kind: ValueConversion.NumberKind = .decimal,
    decimal: String = ".", grouping: String? = nil
  ) throws -> ConvertedValue {
    try ValueConversion([
      .number(kind: kind, decimalSeparator: decimal, groupingSeparator: grouping)
    ]).convert(.text(text))
  }

  private static func decimal(_ text: String) throws -> ImportValue {
    .decimal(try #require(Decimal(string: text)))
  }

  @Test(
    "A text that is one number is read, and noted if it is not written in the usual way",
    arguments: [
      ("12.30", "12.3", false), ("-7", "-7", false), ("0", "0", false), ("0.50", "0.5", false),
      ("1e3", "1000", true), ("1E+3", "1000", true), ("25e-1", "2.5", true), (" 5 ", "5", true),
      ("\u{A0}5\n", "5", true), ("12.", "12", true), (".5", "0.5", true), ("+5", "5", true),
      ("007", "7", true), ("-0", "0", true), ("0e99999999999999999999", "0", true),
      ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678", false),
    ])
  func numbers(text: String, result: String, isLoose: Bool) throws {
    let converted = try Self.convert(text)
    #expect(converted.value == (try Self.decimal(result)))
    #expect(converted.loss?.reason == (isLoose ? "loose text" : nil))
  }

  @Test(
    "A text that is more or less than one number is an error",
    arguments: [
      ("1,234.5", .strayCharacters), ("5元", .strayCharacters), ("1.2.3", .strayCharacters),
      ("1 2", .strayCharacters), ("1e", .strayCharacters), ("1e+", .strayCharacters),
      ("1_000", .strayCharacters), ("0x10", .strayCharacters), ("5%", .strayCharacters),
      ("1e3.5", .strayCharacters), ("5-", .strayCharacters), ("1٢", .strayCharacters),
      ("abc", .notANumber), ("", .notANumber), ("  ", .notANumber), ("-", .notANumber),
      (".", .notANumber), ("e3", .notANumber), ("--5", .notANumber), ("- 5", .notANumber),
      ("−5", .notANumber), ("$5", .notANumber), ("٣", .notANumber), ("５", .notANumber),
      ("nan", .notANumber), ("inf", .notANumber), ("Infinity", .notANumber),
    ] as [(String, ConversionFailure.Code)])
  func errors(text: String, code: ConversionFailure.Code) {
    for kind in ValueConversion.NumberKind.allCases {
      #expect(throws: ConversionFailure(code, kind: "text")) {
        try Self.convert(text, to: kind)
      }
    }
  }

  @Test(
    "Groups are read where the rule names their separator, and only in threes",
    arguments: [
      ("1,234.5", "1234.5"), ("1234.5", "1234.5"), ("-12,345,678", "-12345678"),
      ("123,456.789", "123456.789"), ("1,2345", nil), ("1234,567", nil), ("1,23", nil),
      (",123", nil), ("1,,234", nil), ("1,234,", nil), ("1.234,567", nil), ("1,234e", nil),
    ] as [(String, String?)])
  func groups(text: String, result: String?) throws {
    guard let result else {
      #expect(throws: ConversionFailure.self) { try Self.convert(text, grouping: ",") }
      return
    }
    #expect(
      try Self.convert(text, grouping: ",") == ConvertedValue(Self.decimal(result)))
  }

  @Test("Separators are those of the rule")
  func separators() throws {
    #expect(
      try Self.convert("1.234,5", decimal: ",", grouping: ".").value == Self.decimal("1234.5"))
    #expect(
      try Self.convert("1\u{202F}234,5", decimal: ",", grouping: "\u{202F}").value
        == Self.decimal("1234.5"))
    #expect(try Self.convert("56,79", decimal: ",").value == Self.decimal("56.79"))
    #expect(throws: ConversionFailure(.strayCharacters, kind: "text")) {
      try Self.convert("56.79", decimal: ",")
    }
    for separator in ["", "..", "1", "e", "-", "+", " ", "½"] {
      #expect(throws: ConversionRuleError(.badSeparator, name: separator)) {
        try Self.convert("1", decimal: separator)
      }
    }
    #expect(throws: ConversionRuleError(.sameSeparators, name: ".")) {
      try Self.convert("1", grouping: ".")
    }
  }

  @Test("Whole numbers have no fraction and 64 bits")
  func integers() throws {
    #expect(try Self.convert("9223372036854775807", to: .integer).value == .integer(.max))
    #expect(try Self.convert("-9223372036854775808", to: .integer).value == .integer(.min))
    #expect(try Self.convert("5.00", to: .integer) == ConvertedValue(.integer(5)))
    #expect(try Self.convert("1e3", to: .integer).value == .integer(1000))
    #expect(throws: ConversionFailure(.notWhole, kind: "text")) {
      try Self.convert("5.5", to: .integer)
    }
    for text in ["9223372036854775808", "-9223372036854775809", "1e19", "1e999999999999999999"] {
      #expect(
        throws: ConversionFailure(.outOfRange, name: "whole numbers of 64 bits", kind: "text")
      ) { try Self.convert(text, to: .integer) }
    }
  }

  @Test(
    "Doubles are the nearest ones, and noted if the text says more",
    arguments: [
      ("0.1", 0.1, nil), ("12.30", 12.3, nil), ("1e+21", 1e21, nil),
      ("5e-324", .leastNonzeroMagnitude, nil),
      ("4611686018427387904", 4611686018427387904, nil), ("1e3", 1000, "loose text"),
      ("0.1000000000000000055", 0.1, "rounded to the nearest double"),
      ("9007199254740993", 9007199254740992, "rounded to the nearest double"),
      ("1e-400", 0, "loose text, rounded to the nearest double"),
    ] as [(String, Double, String?)])
  func doubles(text: String, number: Double, loss: String?) throws {
    let converted = try Self.convert(text, to: .double)
    #expect(converted.value == .real(number))
    #expect(converted.loss?.reason == loss)
  }

  @Test("A double that is too large is an error, and -0.0 keeps its sign")
  func doubleLimits() throws {
    for text in ["1e400", "-1e400", String(repeating: "9", count: 400)] {
      #expect(throws: ConversionFailure(.outOfRange, name: "doubles", kind: "text")) {
        try Self.convert(text, to: .double)
      }
    }
    let zero = try Self.convert("-0.0", to: .double)
    guard case .real(let number) = zero.value else {
      Issue.record("a real number was expected")
      return
    }
    #expect(number.sign == .minus)
    #expect(zero.loss == nil)
  }

  @Test("Numbers pass where they fit")
  func given() throws {
    func convert(
      _ value: ImportValue, to kind: ValueConversion.NumberKind
    ) throws -> ConvertedValue {
      try ValueConversion([.number(kind: kind, decimalSeparator: ".", groupingSeparator: nil)])
        .convert(value)
    }
    #expect(try convert(.integer(5), to: .integer).value == .integer(5))
    #expect(try convert(.real(5), to: .integer).value == .integer(5))
    #expect(try convert(.decimal(5), to: .integer).value == .integer(5))
    #expect(try convert(.integer(5), to: .double).value == .real(5))
    #expect(try convert(.real(0.1), to: .decimal).value == Self.decimal("0.1"))
    #expect(try convert(.null, to: .decimal).value == .null)
    #expect(throws: ConversionFailure(.notWhole, kind: "real number")) {
      try convert(.real(5.5), to: .integer)
    }
    #expect(
      throws: ConversionFailure(
        .outOfRange, name: "whole numbers of 64 bits", kind: "real number")
    ) { try convert(.real(1e300), to: .integer) }
    #expect(throws: ConversionFailure(.nan, name: "a decimal number", kind: "real number")) {
      try convert(.real(.nan), to: .decimal)
    }
    #expect(throws: ConversionFailure(.wrongKind, name: "a number", kind: "boolean")) {
      try convert(.bool(true), to: .integer)
    }
  }

  @Test("The words of a failure tell nothing of the text")
  func words() {
    let failures = ConversionFailure.Code.allCases.map {
      ConversionFailure($0, name: "a number", kind: "text").description
    }
    #expect(failures.contains("the text is not a number"))
    #expect(
      failures.contains(
        "the text has a grouping separator or characters that are not part of a number"))
    #expect(Set(failures).count == failures.count)
  }
}
