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
