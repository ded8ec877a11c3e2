import ArchiveReader
import ArchiveWriter
import Foundation
import GraphCore
import Mappings
import Stores

extension Form {
  /// The part of a value that a column of this form keeps.
  ///
  /// - Parameters:
  ///   - value: The value as the relational layout has it.
  ///   - onLoss: Called with what it was, and what becomes of it, if that is less.
  /// - Returns: What is kept; a value of another kind than the form's as it is.
  func stored(_ value: StoredValue, onLoss: (String, String) -> Void) -> StoredValue {
    func lost(_ text: String) -> StoredValue {
      onLoss(text, "nothing")
      return .null
    }
    switch (self, value) {
    case (.seconds, .text(let text)):
      if let date = ISO8601Text.date(text) { return .real(date.timeIntervalSinceReferenceDate) }
      // Seconds that no calendar reaches are written as a plain number. SQLite keeps none that is
      // not a number.
      guard let seconds = Double(text), !seconds.isNaN,
        DateText.text(secondsSince2001: seconds) == text
      else { return lost(text) }
      return .real(seconds)
    // As Core Data keeps it.
    case (.double, .text("NaN")): return value
    case (.double, .text(let text)):
      if let number = Self.shortNumber(text.utf8) { return .real(number) }
      guard let number = Double(text), number.isFinite else { return lost(text) }
      if ExactNumber(number) != ExactNumber(text: text) { onLoss(text, "\(number)") }
      return .real(number)
    case (.real, .real(let number)) where number == 0 && number.sign == .minus:
      onLoss("-0.0", "0.0")
      return .real(0)
    // SQLite has no NaN.
    case (.real, .text("NaN")): return lost("NaN")
    case (.uuid, .text(let text)):
      guard let uuid = UUID(uuidString: text) else { return lost(text) }
      return .blob(Data(uuid.bytes))
    case (.data, .blob(let data)): return .blob([1] + data)
    case (.archive(let isArchived, let isPrefixed), _):
      let archive = Self.archive(of: value, isArchived: isArchived)
      guard isPrefixed, case .blob(let data) = archive else { return archive }
      return .blob([1] + data)
    case (.order, .integer(let position)): return .integer(Self.orderKey(position))
    case (.exact(let form), _):
      var lost: String?
      let stored = form.stored(value) { before, _ in lost = before }
      return lost.map { .blob(Data($0.utf8)) } ?? stored
    default: return value
    }
  }

  /// The part of a value that a column of this form keeps.
  func stored(_ value: ImportValue) -> StoredValue {
    if case (.seconds, .date(let date)) = (usual, value) {
      return .real(date.timeIntervalSinceReferenceDate)
    }
    return stored(StoredValue(value)) { _, _ in }
  }

  /// The value of which a column of this form keeps something; what cannot be restored as it is.
  func value(_ stored: StoredValue, as type: AttributeType) -> ImportValue {
    switch (self, stored) {
    case (.seconds, .real(let seconds)): .date(Date(timeIntervalSinceReferenceDate: seconds))
    // SQLite keeps whole seconds as integers, and decimals.
    case (.seconds, .integer(let seconds)):
      .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
    case (.double, .real(let number)): ImportValue(.text("\(number)"), as: type)
    case (.double, .integer(let number)): ImportValue(.text("\(number)"), as: type)
    case (.uuid, .blob(let bytes)) where bytes.count == 16:
      ImportValue(.text(Array(bytes).withBorrowedBytes(UUIDText.text)), as: type)
    case (.data, .blob(let data)), (.archive(_, isPrefixed: true), .blob(let data)):
      .data(Data(data.dropFirst()))
    case (.exact, .blob(let text)):
      ImportValue(.text(String(decoding: text, as: UTF8.self)), as: type)
    case (.exact(let form), _): form.value(stored, as: type)
    default: ImportValue(stored, as: type)
    }
  }

  /// The number that a text of at most fifteen digits writes: so many a double keeps.
  static func shortNumber(_ text: some Sequence<UInt8>) -> Double? {
    var (whole, scale, digitCount) = (0, 1, 0)
    var (hasPoint, isNegative) = (false, false)
    for (index, byte) in text.enumerated() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digitCount += 1
        guard digitCount <= 15 else { return nil }
        whole = whole * 10 + Int(byte - UInt8(ascii: "0"))
        if hasPoint { scale *= 10 }
      case UInt8(ascii: ".") where !hasPoint && digitCount > 0: hasPoint = true
      case UInt8(ascii: "-") where index == 0: isNegative = true
      default: return nil
      }
    }
    guard digitCount > 0 else { return nil }
    // Both are exact, so that this rounds once.
    let number = Double(whole) / Double(scale)
    return isNegative ? -number : number
  }

  private static func archive(of value: StoredValue, isArchived: Bool) -> StoredValue {
    var archive = KeyedArchiveBuilder()
    let root: PropertyListValue
    switch value {
    case .null: return value
    case .blob(let data):
      guard !isArchived else { return value }
      root = archive.add(.data(data))
    case .integer(let number): root = archive.add(.integer(number))
    case .real(let number): root = archive.add(.real(number))
    case .text(let text): root = archive.string(text)
    }
    archive.setTop("root", root)
    return .blob(archive.binary())
  }
}

extension RowCells {
  /// Gives the values the forms of their columns.
  ///
  /// - Parameters:
  ///   - forms: The forms of the columns.
  ///   - bytes: Takes texts and data.
  ///   - onLoss: Called with a column, what its value was, and what became of it, if that is less.
  func bind(
    _ forms: some RandomAccessCollection<Form>, _ bytes: RowBatch.Bytes,
    onLoss: (_ column: Int, FormLosses.Loss) -> Void
  ) {
    for (column, form) in zip(0..<count, forms) where needsForm(column, form) {
      if bindUsual(column, form, bytes) { continue }
      var lost: (before: String, after: String)?
      let stored = form.stored(value(at: column)) { lost = ($0, $1) }
      set(column, stored, bytes)
      if let lost { onLoss(column, .init(before: lost.before, after: lost.after, stored: stored)) }
    }
  }

  /// Binds a value of the usual kind, of which nothing is lost, in a fraction of the time; returns
  /// false for any other.
  private func bindUsual(_ column: Int, _ form: Form, _ bytes: RowBatch.Bytes) -> Bool {
    if let seconds = instant(at: column) {
      if form.usual == .seconds, !seconds.isNaN {
        set(column, seconds)
        return true
      }
      set(column, .text(DateText.text(secondsSince2001: seconds)), bytes)
      return form == .plain
    }
    guard let text = borrowedText(at: column) else { return false }
    switch form.usual {
    case .seconds:
      guard let seconds = ISO8601Text.usualSeconds(text) else { return false }
      set(column, seconds)
    case .double:
      guard let number = unsafe Form.shortNumber(text.buffer) else { return false }
      set(column, number)
    case .uuid:
      guard let uuid = UUIDText.bytes(text) else { return false }
      set(column, .blob(Data(uuid)), bytes)
    default: return false
    }
    return true
  }
}

/// Values of which something was lost on the way into the form of their columns.
package struct FormLosses: Sendable {
  /// A cell, by the table, the column and the key of the row.
  package struct Place: Hashable, Sendable {
    package var table: String
    package var column: Int
    package var row: Int64
  }

  package struct Loss: Sendable {
    /// The value before and after, as a report shows them.
    package var before: String
    package var after: String
    /// The value that the column keeps.
    var stored: StoredValue
  }

  /// The losses that can be listed: of a value that was set several times, the last.
  package internal(set) var listed: [Place: Loss] = [:]
  /// The number of the others, by column; the row says nothing.
  package private(set) var counts: [Place: Int] = [:]
  private let maxListed: Int

  init(maxListed: Int) { self.maxListed = maxListed }

  mutating func add(_ loss: Loss, at place: Place) {
    guard listed.count < maxListed else {
      counts[Place(table: place.table, column: place.column, row: 0), default: 0] += 1
      return
    }
    listed[place] = loss
  }
}

extension StoreWriter {
  /// The number of rows of each table that have something in each column, as far as they were
  /// inserted by this run and not changed since: so that nobody has to read the store to count
  /// them.
  struct ColumnFill {
    private var counts: [Int]
    /// For each table, where its columns begin among the counts, and their number.
    private var starts: [Int] = []
    private var changed: Set<Int> = []
    private var isKnown: Bool

    /// - Parameters:
    ///   - tables: All tables.
    ///   - isKnown: True if the tables are empty at first, and somebody is going to ask.
    init(tables: [Table], isKnown: Bool) {
      var start = 0
      for table in tables {
        starts.append(start)
        start += table.columns.count
      }
      counts = Array(repeating: 0, count: start)
      self.isKnown = isKnown
    }

    /// Counts the values of a row that is about to be inserted.
    mutating func note(_ row: RowBuffer, table: Int) {
      guard isKnown else { return }
      let start = starts[table]
      let end = table + 1 < starts.count ? starts[table + 1] : counts.count
      var counts = counts.mutableSpan
      row.countSet(end - start, into: &counts, from: start)
    }

    /// Forgets a column that is changed.
    mutating func forget(column: Int, table: Int) { changed.insert(starts[table] + column) }

    /// Forgets everything.
    mutating func forgetAll() { isKnown = false }

    /// The number of rows that have something in a column; nil where it is not known.
    func count(column: Int, table: Int) -> Int? {
      guard isKnown, !changed.contains(starts[table] + column) else { return nil }
      return counts[starts[table] + column]
    }
  }
}
