import ArchiveReader
import Foundation

extension ImportValue {
  /// The value that a column of an attribute's type holds.
  init(_ stored: StoredValue, as type: AttributeType) {
    switch (stored, type) {
    case (.null, _): self = .null
    case (.integer(let value), .boolean): self = .bool(value != 0)
    case (.integer(let value), .double), (.integer(let value), .float): self = .real(Double(value))
    case (.integer(let value), _): self = .integer(value)
    case (.real(let value), _): self = .real(value)
    case (.blob(let data), _): self = .data(data)
    case (.text(let text), .date):
      self = ISO8601Text.date(text).map { .date($0) } ?? .text(text)
    case (.text(let text), .decimal):
      self = ImportValue(decimalText: text) ?? .text(text)
    case (.text(let text), .uuid): self = UUID(uuidString: text).map { .uuid($0) } ?? .text(text)
    case (.text(let text), .uri): self = .url(text)
    case (.text(let text), _): self = .text(text)
    }
  }
}

extension RowBuffer {
  /// Sets a column to a value as the relational layout stores it; nothing leaves it NULL.
  func set(_ column: Int, _ value: ImportValue) {
    switch value {
    case .null, .row: break
    case .bool(let value): set(column, value ? 1 as Int64 : 0)
    case .integer(let value): set(column, value)
    case .real(let value): set(column, real: value)
    case .decimal(let value): set(column, value)
    case .data(let data):
      let bytes = unsafe data.withUnsafeBytes { unsafe copy(BorrowedBytes($0)) }
      set(column, inPlace: bytes, isText: false)
    case .text(let text), .url(let text):
      set(column, text)
    case .date(let date):
      set(column, secondsSince2001: date.timeIntervalSinceReferenceDate)
    default:
      if let text = value.storedText { set(column, text) }
    }
  }
}

extension ImportValue {
  /// The text that a store keeps of a value.
  ///
  /// Collections and values of Foundation's other classes are kept in JSON. Nothing and rows have
  /// no text.
  package var storedText: String? {
    switch self {
    case .null, .row: nil
    case .foundation(let found): found.json
    case .list, .set, .dictionary: try? JSONText.text(of: self)
    default: ValueText.text(of: self)
    }
  }
}

extension StoredValue {
  /// A value as the relational layout keeps it.
  package init(_ value: ImportValue) {
    switch value {
    case .null, .row: self = .null
    case .bool(let value): self = .integer(value ? 1 : 0)
    case .integer(let value): self = .integer(value)
    case .real(let value): self = value.isNaN ? .text("NaN") : .real(value)
    case .data(let data): self = .blob(data)
    default: self = value.storedText.map { .text($0) } ?? .null
    }
  }
}
