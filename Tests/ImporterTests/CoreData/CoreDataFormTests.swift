import DataModel
import Foundation
import GraphCore
import Stores
import TestSupport
import Testing

@testable import Importer

@Suite("The form in which a column of Core Data keeps a value")
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
    let value = Form.double.stored(.text(text)) { losses.append([$0, $1]) }
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
      let value = Form.double.stored(.text(text)) { _, _ in isLost = true }
      let expected = Double(text) ?? .nan
      let isExact = ExactNumber(expected) == ExactNumber(text: text)
      if value != .real(expected) || isLost == isExact { wrong.append(text) }
    }
    #expect(wrong == [])
  }

  /// Dates as text, each with the seconds that are stored; nil where nothing is.
  static let dates: [(text: String, seconds: Double?)] = [
    ("2001-01-01T00:00:00.250Z", 0.25), ("1e+17", 1e17), ("-1e+300", -1e300),
    ("9007199254740992.0", 9_007_199_254_740_992), ("inf", .infinity), ("-inf", -.infinity),
    ("nan", nil), ("", nil), ("soon", nil), ("5", nil), ("0x1p60", nil), ("1e17", nil),
  ]

  @Test("is the seconds of a date, also where no calendar reaches them", arguments: dates)
  func date(text: String, seconds: Double?) {
    var losses: [[String]] = []
    let value = Form.seconds.stored(.text(text)) { losses.append([$0, $1]) }
    #expect(value == seconds.map { .real($0) } ?? .null)
    #expect(losses == (seconds == nil ? [[text, "nothing"]] : []))
    if seconds != nil {
      #expect(StoredValue(Form.seconds.value(value, as: .date)) == .text(text))
    }
  }

  @Test(
    "is bytes after one that says where they are, if they may be in a file",
    arguments: [false, true])
  func externalArchive(isExternal: Bool) {
    let form = Form.archive(isArchived: true, isPrefixed: isExternal)
    let stored = form.stored(.blob(Data([2, 3]))) { _, _ in }
    #expect(stored == .blob(Data((isExternal ? [1] : []) + [2, 3])))
    #expect(form.value(stored, as: .transformable) == .data(Data([2, 3])))
    #expect(form.stored(.null) { _, _ in } == .null)
  }

  @Test("is nothing for a real that is not a number, which is told")
  func notANumber() {
    var losses: [[String]] = []
    #expect(Form.real.stored(.text("NaN")) { losses.append([$0, $1]) } == .null)
    #expect(losses == [["NaN", "nothing"]])
  }

  @Test("is a date again where SQLite has made whole seconds an integer")
  func wholeSeconds() {
    #expect(
      Form.seconds.value(.integer(60), as: .date) == .date(Date(timeIntervalSinceReferenceDate: 60))
    )
  }

  /// Texts of dates and UUIDs, usual and odd.
  static let texts = [
    "2001-01-01T00:00:00Z", "2000-12-31T23:59:58.750Z", "2011-05-22T21:52:00.123Z",
    "0000-02-29T23:59:59.999Z", "9999-12-31T23:59:59Z", "2100-02-29T00:00:00Z",
    "2011-13-22T21:52:00Z", "2011-00-22T21:52:00Z", "2011-05-22T24:00:00Z", "2011-05-22T21:60:00Z",
    "2011-05-22T21:52:60Z", "2011-05-22 21:52:00Z", "2011-05-22T21:52:00,123Z",
    "2018-09-28T13:25:50.006858000Z", "2018-09-28T13:25:50.0068581Z", "1999-09-28T13:25:50.5Z",
    "2018-09-28T13:25:50.Z", "2018-09-28T13:25:50.0Z", "2018-09-28T13:25:50.000000Z",
    "2011-05-22T21:52:00.12:Z", "2011-05-22T21:52:00.123z", "2011-05-22T21:52:00.123456Z",
    "+010000-01-01T00:00:00Z", "2011-05-22", "/011-05-22T21:52:00Z", "",
    "00010203-0405-0607-0809-0A0B0C0D0E0F", "00010203-0405-0607-0809-0a0b0c0d0e0f",
    "00010203-0405-0607-0809-0A0B0C0D0E0G", "0001020304050-607-0809-0A0B0C0D0E0F",
    "00010203-0405-0607-0809-0A0B0C0D0E0", "12345678901234567890.5", "-0.250", "1.5e3",
  ]

  @Test("of a value that is bound is that of a copy of it", arguments: texts)
  func bound(text: String) {
    for form in [Form.seconds, .uuid, .double, .real, .data, .plain] {
      var losses: [[String]] = []
      let stored = form.stored(.text(text)) { losses.append([$0, $1]) }
      let batch = RowBatch(widest: 1)
      let cells = batch.begin(1)
      cells.set(0, .text(text), batch.bytes)
      var boundLosses: [[String]] = []
      cells.bind([form], batch.bytes) { boundLosses.append([$1.before, $1.after]) }
      #expect(cells.value(at: 0) == stored)
      #expect(boundLosses == losses)
    }
  }

  @Test(
    "of an instant is its seconds, or the text of a date",
    arguments: [0, 12.5, -0.25, 1e17, -1e300, .infinity, .nan])
  func instants(seconds: Double) {
    for form in [Form.seconds, .plain, .archive(isArchived: false, isPrefixed: false)] {
      let batch = RowBatch(widest: 1)
      let cells = batch.begin(1)
      cells.set(0, instant: seconds)
      var lost: [String] = []
      cells.bind([form], batch.bytes) { lost.append($1.before) }
      #expect(
        cells.value(at: 0)
          == form.stored(.text(DateText.text(secondsSince2001: seconds))) { _, _ in })
      #expect(lost == (form == .seconds && seconds.isNaN ? ["nan"] : []))
    }
  }

  @Test("is not looked for where a value is of another kind")
  func otherKinds() {
    let values: [StoredValue] = [.null, .integer(5), .real(1.5), .blob(Data([1]))]
    for form in [Form.seconds, .double, .uuid] {
      #expect(values.map { form.stored($0) { _, _ in Issue.record("a loss") } } == values)
    }
  }
}
