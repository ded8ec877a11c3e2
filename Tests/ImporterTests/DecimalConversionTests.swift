import Foundation
import Importer
import TestSupport
import Testing

@testable import Mappings

@Suite("Conversions to exact decimals")
struct DecimalConversionTests {
  private static func decimal(_ text: String) throws -> ImportValue {
    .decimal(try #require(Decimal(string: text)))
  }

  private static func conversion(
    scale: Int?, _ rounding: ValueConversion.Rounding = .halfUp,
    notFinite: ValueConversion.Fallback = .error
  ) throws -> ValueConversion {
    try ValueConversion([.decimal(scale: scale, rounding: rounding, notFinite: notFinite)])
  }

  @Test(
    "A double is rounded in its shortest decimal form, not in its binary one",
    arguments: [
      (56.78888, "56.79", "rounded to 2 digits"), (1234.5, "1234.5", nil),
      (2.675, "2.68", "rounded to 2 digits"), (1.005, "1.01", "rounded to 2 digits"),
      (0.125, "0.13", "rounded to 2 digits"), (0.135, "0.14", "rounded to 2 digits"),
      (-2.675, "-2.68", "rounded to 2 digits"), (-0.005, "-0.01", "rounded to 2 digits"),
      (-0.004, "0", "rounded to 2 digits"), (12, "12", nil), (0, "0", nil),
      (-0.0, "0", "sign of -0.0 dropped"), (1e21, "1000000000000000000000", nil),
      (123456789012345.678, "123456789012345.67", nil), (0.1, "0.1", nil),
      (999.995, "1000", "rounded to 2 digits"), (1e-300, "0", "rounded to 2 digits"),
    ] as [(Double, String, String?)])
  func doubles(number: Double, text: String, loss: String?) throws {
    let converted = try Self.conversion(scale: 2).convert(.real(number))
    #expect(converted.value == (try Self.decimal(text)))
    #expect(converted.loss?.reason == loss)
  }

  @Test(
    "As a text, a number has its digits and the zeros that are missing",
    arguments: [
      (.real(1234.5), 2, ".", "1234.50", nil), (.real(56.78888), 2, ".", "56.79", 2),
      (.integer(7), 2, ",", "7,00", nil), (.integer(-7), 0, ".", "-7", nil),
      (.text("12.3"), 3, ".", "12.300", nil), (.real(0.5), 0, ".", "1", 0),
      (.real(-0.004), 2, ".", "0.00", 2), (.real(0.05), 1, ".", "0.1", 1),
      (.integer(0), 1, ".", "0.0", nil), (.real(1e20), 1, ".", "100000000000000000000.0", nil),
    ] as [(ImportValue, Int, String, String, Int?)])
  func text(number: ImportValue, scale: Int, separator: String, text: String, rounded: Int?) throws
  {
    let conversion = try ValueConversion([
      .decimalText(scale: scale, rounding: .halfUp, decimalSeparator: separator)
    ])
    let converted = try conversion.convert(number)
    #expect(converted.value == .text(text))
    #expect(converted.loss == rounded.map { .rounded(toScale: $0) })
  }

  @Test("A text of a decimal has a scale that is not negative, and NaN has none")
  func noText() throws {
    #expect(throws: ConversionRuleError(.badScale, name: "-1")) {
      try ValueConversion([
        .decimalText(scale: -1, rounding: .halfUp, decimalSeparator: ".")
      ])
    }
    let conversion = try ValueConversion([
      .decimalText(scale: 2, rounding: .halfUp, decimalSeparator: ".")
    ])
    #expect(throws: ConversionFailure(.nan, name: "a decimal number", kind: "real number")) {
      try conversion.convert(.real(.nan))
    }
  }

  @Test("Without a scale, a double keeps all the digits that it was written with")
  func withoutScale() throws {
    let conversion = try Self.conversion(scale: nil)
    for text in ["56.78888", "0.1", "1.7976931348623157e100", "5e-100", "-123456789.98765433"] {
      let number = try #require(Double(text))
      let converted = try conversion.convert(.real(number))
      #expect(converted == ConvertedValue(try Self.decimal(text)))
    }
  }

  @Test(
    "NaN and the infinities are errors, unless the rule says what becomes of them",
    arguments: [Double.nan, .infinity, -.infinity])
  func notFinite(number: Double) throws {
    let kind = "real number"
    #expect(
      throws: ConversionFailure(
        number.isNaN ? .nan : .infinite, name: "a decimal number", kind: kind)
    ) {
      try Self.conversion(scale: 2).convert(.real(number))
    }
    let replaced = try Self.conversion(scale: 2, notFinite: .null).convert(.real(number))
    #expect(replaced.value == .null)
    #expect(replaced.loss?.reason == "not finite, replaced by nil")
    let kept = try Self.conversion(scale: 2, notFinite: .keep).convert(.real(number))
    guard case .real(let same) = kept.value else {
      Issue.record("a real number was expected")
      return
    }
    #expect(same.bitPattern == number.bitPattern)
    #expect(kept.loss == nil)
  }

  @Test("NaN among decimals is as NaN among doubles")
  func decimalNaN() throws {
    #expect(throws: ConversionFailure(.nan, name: "a decimal number", kind: "decimal number")) {
      try Self.conversion(scale: 2).convert(.decimal(.nan))
    }
    let replaced = try Self.conversion(scale: 2, notFinite: .null).convert(.decimal(.nan))
    #expect(replaced.value == .null)
  }

  @Test(
    "A text is read strictly, and noted if it is not written in the usual way",
    arguments: [
      ("12.30", "12.3", nil), ("-7", "-7", nil), ("1e3", "1000", "loose text"),
      (" 5 ", "5", "loose text"), ("12.", "12", "loose text"), (".5", "0.5", "loose text"),
      ("56.78888", "56.79", "rounded to 2 digits"),
      (" 56.78888", "56.79", "loose text, rounded to 2 digits"), ("-0", "0", "loose text"),
      ("0.12345678901234567890123456789012345678901234567890", "0.12", "rounded to 2 digits"),
    ] as [(String, String, String?)])
  func texts(text: String, result: String, loss: String?) throws {
    let converted = try Self.conversion(scale: 2).convert(.text(text))
    #expect(converted.value == (try Self.decimal(result)))
    #expect(converted.loss?.reason == loss)
  }

  @Test(
    "A text that is not one number is an error, and never half of it",
    arguments: [
      ("1,234.5", .strayCharacters), ("5元", .strayCharacters), ("abc", .notANumber),
      ("", .notANumber), ("56,79", .strayCharacters), ("NaN", .notANumber),
    ] as [(String, ConversionFailure.Code)])
  func badTexts(text: String, code: ConversionFailure.Code) throws {
    #expect(throws: ConversionFailure(code, kind: "text")) {
      try Self.conversion(scale: 2).convert(.text(text))
    }
  }

  @Test("Integers and decimals are rounded too, booleans and others are refused")
  func otherKinds() throws {
    let conversion = try Self.conversion(scale: -2)
    let rounded = try conversion.convert(.integer(1250))
    #expect(rounded.value == .decimal(1300))
    #expect(rounded.loss?.reason == "rounded to multiples of 10^2")
    #expect(
      try Self.conversion(scale: 0).convert(Self.decimal("2.5")).loss?.reason
        == "rounded to a whole number")
    #expect(try conversion.convert(.integer(.min)).value == Self.decimal("-9223372036854775800"))
    #expect(try conversion.convert(.null) == ConvertedValue(.null))
    for value in [ImportValue.bool(true), .date(.now), .data(Data()), .list([])] {
      #expect(
        throws: ConversionFailure(.wrongKind, name: "a decimal number", kind: value.kind)
      ) { try conversion.convert(value) }
    }
  }

  @Test("A number that no decimal holds is an error")
  func range() throws {
    let conversion = try Self.conversion(scale: nil)
    for number in [1e300, -1e300, 1e-300, .leastNonzeroMagnitude, .greatestFiniteMagnitude] {
      #expect(
        throws: ConversionFailure(.outOfRange, name: "decimal numbers", kind: "real number")
      ) { try conversion.convert(.real(number)) }
    }
    for text in ["1e166", "1e-129", "1e999999999999999999999", "-1e-99999999999999999999"] {
      #expect(throws: ConversionFailure(.outOfRange, name: "decimal numbers", kind: "text")) {
        try conversion.convert(.text(text))
      }
    }
    #expect(try conversion.convert(.text("1e164")).value != .null)
    #expect(
      try conversion.convert(.text("340282366920938463463374607431768211455")).value
        == Self.decimal("340282366920938463463374607431768211455"))
    for text in ["340282366920938463463374607431768211456", String(repeating: "7", count: 5000)] {
      #expect(throws: ConversionFailure(.tooManyDigits, kind: "text")) {
        try conversion.convert(.text(text))
      }
    }
    #expect(throws: ConversionRuleError(.badScale, name: "1000")) {
      try Self.conversion(scale: 1000)
    }
  }

  @Test("Decimals keep all their digits on the way through text", arguments: [17, 38])
  func digits(count: Int) throws {
    var random = SeededGenerator(seed: UInt64(count))
    for _ in 0..<500 {
      let digits = (0..<count).map { _ in String(Int.random(in: 1...9, using: &random)) }.joined()
      let power = Int.random(in: -128...127, using: &random)
      let value = try Self.decimal("\(digits)e\(power)")
      let text = try ValueConversion([.text]).convert(value)
      let back = try Self.conversion(scale: nil).convert(text.value)
      #expect(back == ConvertedValue(value))
    }
  }
}
