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
