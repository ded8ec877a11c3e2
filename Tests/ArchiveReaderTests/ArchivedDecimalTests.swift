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
    var reader = ObjectReader(try KeyedArchive(bytes: builder.binary()))
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
    let bytes = withUnsafeTemporaryAllocation(
      byteCount: ArchivedDecimal.mostBytes, alignment: 1
    ) { space in decimal.write(into: space).map { Array(space[..<$0]) } }
    // What has no digits, or more than 64 bits, is written by way of the text.
    #expect(bytes == (words.count > 4 || text == "0" || text == "NaN" ? nil : Array(text.utf8)))
    #expect(decimal.isNaN == (text == "NaN"))
    #expect(decimal.isNegative == isNegative)
    #expect(decimal.exponent == exponent)
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
      var reader = ObjectReader(try KeyedArchive(bytes: builder.binary()))
      guard case .decimal(let decimal) = try reader.value(ofObject: 1) else {
        Issue.record("\(text) is no decimal")
        continue
      }
      #expect(Decimal(string: decimal.text) == Decimal(string: text), "\(text)")
    }
  }
}
