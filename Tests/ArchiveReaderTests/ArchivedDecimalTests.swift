import ArchiveReader
import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("Archived decimal numbers")
struct ArchivedDecimalTests {
  /// The decimal that stands for some archived parts.
  private func decimal(
    words: [UInt16], exponent: Int = 0, isNegative: Bool = false
  ) throws -> ArchivedDecimal {
    let builder = KeyedArchiveBuilder.archive {
      $0.decimal(words: words, exponent: exponent, isNegative: isNegative)
    }
    let reader = try KeyedArchive(bytes: builder.binary()).makeGraph(
      GraphOptions(readsFoundationValues: false))
    guard case .decimal(let decimal) = try reader.value(ofObject: 1) else {
      throw ArchiveError(.badObject)
    }
    return decimal
  }

  @Test(
    "are written without an exponent and without zeros that do not count",
    arguments: [
      ([], 0, false, "0"), ([], 5, false, "0"), ([0], 0, true, "0"), ([], 0, true, "NaN"),
      ([1], 0, false, "1"), ([1], 0, true, "-1"), ([10], 0, false, "10"),
      ([123], 2, false, "12300"),
      ([123], -1, false, "12.3"), ([123], -2, true, "-1.23"), ([123], -3, false, "0.123"),
      ([123], -5, false, "0.00123"), ([100], -2, false, "1"), ([100], -1, false, "10"),
      ([100], -3, false, "0.1"), ([0, 1], 0, false, "65536"),
      ([0, 0, 0, 0, 1], 0, false, "18446744073709551616"),
      (Array(repeating: .max, count: 8), 0, true, "-340282366920938463463374607431768211455"),
      (Array(repeating: .max, count: 8), -38, false, "3.40282366920938463463374607431768211455"),
      ([1], 127, false, "1" + String(repeating: "0", count: 127)),
      ([1], -128, true, "-0." + String(repeating: "0", count: 127) + "1"),
    ] as [([UInt16], Int, Bool, String)])
  func areWrittenExactly(words: [UInt16], exponent: Int, isNegative: Bool, text: String) throws {
    let decimal = try decimal(words: words, exponent: exponent, isNegative: isNegative)
    #expect(decimal.text == text)
    // What has no digits, or more than 64 bits, is written by way of the text.
    #expect(
      Self.written(decimal)
        == (words.count > 4 || text == "0" || text == "NaN" ? nil : Array(text.utf8)))
    #expect(decimal.isNaN == (text == "NaN"))
    #expect(decimal.isNegative == isNegative)
    #expect(decimal.exponent == exponent)
  }

  /// The text that is written straight; nil if none is.
  private static func written(_ decimal: ArchivedDecimal) -> [UInt8]? {
    var isWritten = false
    let bytes = [UInt8](upTo: ArchivedDecimal.maxBytes) {
      isWritten = decimal.write(into: &$0)
    }
    return isWritten ? bytes : nil
  }

  @Test("hold a mantissa of 128 bits, the least significant word first")
  func holdsTheMantissa() throws {
    let words: [UInt16] = [0x0001, 0x0203, 0x0405, 0x0607, 0x0809, 0x0A0B, 0x0C0D, 0x0E0F]
    let mantissa = try decimal(words: words).mantissa
    #expect(mantissa == 0x0E0F_0C0D_0A0B_0809_0607_0405_0203_0001)
  }

  @Test("have the value that Foundation gives them")
  func agreesWithFoundation() throws {
    var random = SeededGenerator(seed: 6)
    for _ in 0..<300 {
      let digits = (0..<Int.random(in: 1...38, using: &random)).map { _ in
        String(Int.random(in: 0...9, using: &random))
      }
      let text = "-\(digits.joined())e\(Int.random(in: -60...60, using: &random))"
      let builder = try KeyedArchiveBuilder.archive { try $0.decimal(text) }
      let reader = try KeyedArchive(bytes: builder.binary()).makeGraph(
        GraphOptions(readsFoundationValues: false))
      guard case .decimal(let decimal) = try reader.value(ofObject: 1) else {
        Issue.record("\(text) is no decimal")
        continue
      }
      #expect(Decimal(string: decimal.text) == Decimal(string: text), "\(text)")
    }
  }

  @Test("are the same digit by digit as by the general way")
  func writtenInPlace() {
    var mantissas: [UInt64] = [1, 9, 10, 100, 1_230, 99_999, .max, .max - 5, 1_000_000_000_000]
    mantissas += (1...19).map { digits in (0..<digits).reduce(0) { number, _ in number * 10 + 1 } }
    var wrong: [String] = []
    for mantissa in mantissas {
      for power in (-128...127) as ClosedRange<Int16> {
        for isNegative in [false, true] {
          let decimal = ArchivedDecimal(
            mantissa: mantissa, exponent: power, isNegative: isNegative)
          if Self.written(decimal) != Array(decimal.text.utf8) {
            wrong.append("\(mantissa)e\(power): \(decimal.text)")
          }
        }
      }
    }
    #expect(wrong == [])
  }

  @Test("become the numbers of Foundation that their digits are, with the same parts")
  func becomeDecimals() throws {
    var random = SeededGenerator(seed: 8)
    for _ in 0..<2_000 {
      let words = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        UInt16.random(in: 0...UInt16.max, using: &random)
      }
      // Zeros at the end of the digits are brought into the exponent.
      let zeros = Bool.random(using: &random) ? [UInt16(1_000)] : words
      let decimal = try decimal(
        words: zeros, exponent: .random(in: -128...127, using: &random),
        isNegative: Bool.random(using: &random) && zeros.contains { $0 != 0 })
      let sign = decimal.isNegative ? "-" : ""
      let expected = try #require(
        Decimal(string: "\(sign)\(decimal.mantissa)e\(decimal.exponent)"))
      let found = decimal.decimal
      #expect(found == expected)
      #expect(found.exponent == expected.exponent, "\(expected)")
      #expect(found.significand == expected.significand, "\(expected)")
      #expect(found.isSignMinus == expected.isSignMinus, "\(expected)")
      #expect(found.description == expected.description)
    }
  }
}
