import ArchiveReader
import Importer
import Mappings
import TestSupport
import Testing

@testable import Verification

@Suite("The text of an instant")
struct InstantTextTests {
  private func seconds(_ text: String) -> Double? { InstantText.seconds(Array(text.utf8)) }

  /// What the importer reads, which has a way of its own.
  private func imported(_ text: String) -> Double? {
    ISO8601Text.date(text)?.timeIntervalSinceReferenceDate
  }

  /// Texts, each with the seconds since 2001 that it names.
  static let readings: [(text: String, seconds: Double)] = [
    ("2001-01-01T00:00:00Z", 0), ("2001-01-01T00:00:00.25Z", 0.25),
    ("2000-12-31T23:59:58.75Z", -1.25), ("2000-12-31T23:59:59.999999999999999999Z", -1e-18),
    ("2000-12-31T23:59:59.0Z", -1), ("2011-05-22T21:52:00.1Z", 327_793_920.1),
    // 18 digits behind the point are a number of 64 bits, 19 may be none.
    ("2001-01-01T00:00:00.123456789012345678Z", 0.123456789012345678),
    ("2001-01-01T00:00:00.1234567890123456789Z", 0.1234567890123456789),
    // So few digits may be too many together with the whole seconds.
    ("2011-05-22T21:52:00.000000001Z", 327_793_920.000000001),
    ("9999-12-31T23:59:59.9999Z", 252_423_993_599.9999),
    ("-000001-01-01T00:00:00.5Z", -63_177_062_399.5),
    ("+010000-01-01T00:00:00.5Z", 252_423_993_600.5),
  ]

  @Test("is read as the double nearest to it", arguments: readings)
  func reading(text: String, expected: Double) {
    #expect(seconds(text) == expected)
    #expect(imported(text) == expected)
  }

  @Test("gives back each of 50,000 random instants that it is written for", arguments: 0..<5)
  func roundTrip(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var wrong: [Double] = []
    for _ in 0..<10_000 {
      let size: Double = [1, 1e3, 1e6, 1e9, 1e11].randomElement(using: &generator) ?? 1
      var value = Double.random(in: -size...size, using: &generator)
      if Bool.random(using: &generator) { value = (value * 1e6).rounded() / 1e6 }
      let text = DateText.text(secondsSince2001: value)
      if seconds(text) != value || imported(text) != value { wrong.append(value) }
    }
    #expect(wrong == [])
  }

  @Test("is read as its decimal number says", arguments: 0..<5)
  func decimals(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var wrong: [String] = []
    for _ in 0..<5_000 {
      let whole = Int.random(in: 0..<10_000_000_000, using: &generator)
      let digits = (0..<Int.random(in: 1...22, using: &generator)).map { _ in
        "\(Int.random(in: 0...9, using: &generator))"
      }.joined()
      let text = "\(DateText.text(secondsSince2001: Double(whole)).dropLast(5)).\(digits)Z"
      let expected = Double("\(whole).\(digits)")
      if seconds(text) != expected || imported(text) != expected { wrong.append(text) }
    }
    #expect(wrong == [])
  }

  @Test(
    "of another form is none",
    arguments: [
      "", "2001-01-01", "2001-01-01T00:00:00", "2001-01-01T00:00:00.Z", "2001-01-01T00:00:00.5",
      "2001-01-01T00:00:00.5xZ", "2001-13-01T00:00:00Z", "2001-01-01T24:00:00Z",
      "2001-01-01T00:00:00ZZ", "20010-01-01T00:00:00Z",
    ])
  func otherForms(text: String) {
    #expect(seconds(text) == nil)
  }
}
