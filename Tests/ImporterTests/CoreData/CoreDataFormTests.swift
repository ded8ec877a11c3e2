import DataModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import Converter

@Suite("The form in which Core Data stores a value")
struct CoreDataFormTests {
  /// Decimal numbers as text, each with what is stored, and what that is where it is less.
  static let decimals: [(text: String, stored: StoredValue, loss: String?)] = [
    ("0", .real(0), nil), ("1", .real(1), nil), ("-1.5", .real(-1.5), nil),
    ("10.10", .real(10.1), nil),
    ("0.00000000000001", .real(1e-14), nil), ("123456789012345", .real(123_456_789_012_345), nil),
    ("1234567890123456", .real(1_234_567_890_123_456), nil),
    ("9007199254740993", .real(9_007_199_254_740_992), "9007199254740992.0"),
    ("0.1234567890123456789", .real(0.1234567890123456789), "0.12345678901234568"),
    ("1E+20", .real(1e20), nil), ("NaN", .text("NaN"), nil),
    ("1E+400", .null, "nothing"), ("-", .null, "nothing"), (".", .null, "nothing"),
    ("1.2.3", .null, "nothing"), ("", .null, "nothing"), ("--1", .null, "nothing"),
  ]

  @Test("is the double nearest to a decimal number, and tells what is lost", arguments: decimals)
  func decimal(text: String, stored: StoredValue, loss: String?) {
    var losses: [[String]] = []
    let value = CoreDataForm.decimal.value(.text(text)) { losses.append([$0, $1]) }
    #expect(value == stored)
    #expect(losses == (loss.map { [[text, $0]] } ?? []))
  }

  @Test("is the double that a decimal number names, for 20,000 random ones", arguments: 0..<2)
  func randomDecimals(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var wrong: [String] = []
    for _ in 0..<10_000 {
      var text = "\(Int.random(in: -999_999_999...999_999_999, using: &generator))."
      for _ in 0..<Int.random(in: 1...10, using: &generator) {
        text += "\(Int.random(in: 0...9, using: &generator))"
      }
      var isLost = false
      let value = CoreDataForm.decimal.value(.text(text)) { _, _ in isLost = true }
      let expected = Double(text) ?? .nan
      let isExact = ExactNumber(expected) == ExactNumber(text: text)
      if value != .real(expected) || isLost == isExact { wrong.append(text) }
    }
    #expect(wrong == [])
  }

  @Test("is not looked for where a value is of another kind")
  func otherKinds() {
    let values: [StoredValue] = [.null, .integer(5), .real(1.5), .blob(Data([1]))]
    for form in [CoreDataForm.date, .decimal, .uuid] {
      #expect(values.map { form.value($0) { _, _ in Issue.record("a loss") } } == values)
    }
  }
}
