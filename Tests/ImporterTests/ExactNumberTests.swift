import Foundation
import Importer
import Testing

@testable import Mappings

@Suite("Exact numbers")
struct ExactNumberTests {
  @Test(
    "are read from texts, and written without an exponent",
    arguments: [
      ("0", "0"), ("-0.00", "0"), ("12", "12"), ("+012.50", "12.5"), (".5", "0.5"), ("5.", "5"),
      ("1e3", "1000"), ("-1.25E-3", "-0.00125"), ("100e-2", "1"), ("0e99999", "0"),
    ])
  func text(written: String, text: String) throws {
    #expect(try #require(ExactNumber(text: written)).text == text)
  }

  @Test(
    "are not read from other texts",
    arguments: [
      "", "-", ".", "e3", "1e", "1e1.5", "1 ", " 1", "1,5", "1.2.3", "--1", "0x10", "nan", "inf",
      "1e100001", "1e99999999999999999999", "١",
    ])
  func badText(text: String) {
    #expect(ExactNumber(text: text) == nil)
  }

  @Test("take the shortest form of doubles, and no NaN")
  func doubles() {
    #expect(ExactNumber(0.1)?.text == "0.1")
    #expect(ExactNumber(-0.0)?.text == "0")
    #expect(ExactNumber(1e23)?.text == "100000000000000000000000")
    #expect(ExactNumber(Double.nan) == nil)
    #expect(ExactNumber(-Double.infinity) == nil)
    #expect(ExactNumber(Decimal.nan) == nil)
  }

  @Test(
    "are integers where they fit",
    arguments: [
      ("9223372036854775807", Int64.max), ("-9223372036854775808", .min),
      ("9223372036854775808", nil), ("-9223372036854775809", nil),
      ("1e18", 1_000_000_000_000_000_000),
      ("1e19", nil), ("0.5", nil), ("0", 0), ("1e99999", nil),
    ] as [(String, Int64?)])
  func integers(text: String, integer: Int64?) throws {
    #expect(try #require(ExactNumber(text: text)).integer == integer)
  }

  @Test(
    "are decimals where those have the digits and the power",
    arguments: [
      ("340282366920938463463374607431768211455", true),
      ("340282366920938463463374607431768211456", false),
      ("99999999999999999999999999999999999999", true), ("1e-128", true), ("1e-129", false),
      ("1e127", true), ("1e164", true), ("1e165", false), ("-12e163", true), ("-12e164", false),
      ("0", true),
    ])
  func decimals(text: String, fits: Bool) throws {
    let number = try #require(ExactNumber(text: text))
    #expect((number.decimal != nil) == fits)
    #expect(number.decimal.flatMap { ExactNumber($0) } == (fits ? number : nil))
  }

  @Test("are ordered by their values")
  func order() throws {
    let texts = ["-1e3", "-12.5", "-12", "-0.01", "0", "1e-9", "0.5", "0.51", "9", "10", "1e40"]
    let numbers = try texts.map { try #require(ExactNumber(text: $0)) }
    #expect(Array(numbers.reversed()).sorted() == numbers)
    #expect(numbers.map(\.negated).sorted() == numbers.map(\.negated).reversed())
  }

  @Test(
    "are added, multiplied and divided digit by digit",
    arguments: [
      ("0.1", "0.2", "0.3", "0.02", "0.5", "0.1"), ("-7", "2", "-5", "-14", "-3.5", "-1"),
      ("99", "-0.5", "98.5", "-49.5", "-198", "0"), ("0", "3", "3", "0", "0", "0"),
      (
        "1e20", "-1", "99999999999999999999", "-1" + String(repeating: "0", count: 20),
        "-1" + String(repeating: "0", count: 20), "0"
      ),
    ])
  func arithmetic(
    one: String, other: String, sum: String, product: String, quotient: String, remainder: String
  ) throws {
    let (first, second) = (
      try #require(ExactNumber(text: one)), try #require(ExactNumber(text: other))
    )
    #expect((first + second).text == sum)
    #expect((first * second).text == product)
    #expect(first.divided(by: second)?.text == quotient)
    #expect(first.remainder(dividingBy: second)?.text == remainder)
    #expect(first.divided(by: first + first.negated) == nil)
  }

  @Test(
    "are limited to the digits of decimals, halves away from zero",
    arguments: [
      ("1234567890123456789012345678901234567849", "1234567890123456789012345678901234567800"),
      ("-1234567890123456789012345678901234567850", "-1234567890123456789012345678901234567900"),
      ("99999999999999999999999999999999999999.5", "1" + String(repeating: "0", count: 38)),
      ("0.12", "0.12"),
    ])
  func limited(text: String, limited: String) throws {
    #expect(try #require(ExactNumber(text: text)).limited.text == limited)
  }

  @Test(
    "are rounded by the rules of Swift's numbers as those are",
    arguments: [
      FloatingPointRoundingRule.up, .down, .towardZero, .awayFromZero, .toNearestOrEven,
      .toNearestOrAwayFromZero,
    ])
  func rounding(rule: FloatingPointRoundingRule) throws {
    for real in [-2.5, -1.5, -0.75, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.5, 2.5, 1e10] {
      let number = try #require(ExactNumber(real))
      #expect(number.rounded(toScale: 0, .init(rule)).real == real.rounded(rule))
    }
  }
}
