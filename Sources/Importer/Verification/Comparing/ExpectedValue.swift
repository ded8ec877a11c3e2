import ArchiveReader
internal import CSQLite
import Foundation

/// What a cell of a store has to hold.
enum ExpectedValue {
  case nothing
  case integer(Int64)
  case text(String)
  /// A plain value, as it stands in the archive.
  case archived(ArchivedValue)
  /// A value that a mapping made of what stands there.
  case value(ImportValue)
  /// What cannot be known from the archives.
  case unknown

  /// Whether nothing is to be there.
  var isNothing: Bool {
    switch self {
    case .nothing: true
    case .archived(.null), .archived(.nsNull), .value(.null), .value(.row): true
    default: false
    }
  }

  /// Whether it is not known what is to be there.
  var isUnknown: Bool { if case .unknown = self { true } else { false } }
}

/// Compares cells of a store with what they have to hold, without copies where that is possible.
struct CellComparer {
  /// Room for text that has to be written out before it can be compared.
  private var space = [UInt8](repeating: 0, count: DateText.usualSize)

  /// Whether a cell holds a value.
  ///
  /// - Parameters:
  ///   - found: The cell.
  ///   - expected: The value.
  ///   - type: The declared type of the column: in one of type `REAL`, SQLite keeps no sign of zero,
  ///     and no integers.
  ///   - reader: The reader of the archive that the value stands in.
  /// - Returns: Whether it is the value, to the last bit.
  mutating func isEqual(
    _ found: csq_value, _ expected: ExpectedValue, in type: String, _ reader: inout ObjectReader
  ) -> Bool {
    switch expected {
    case .unknown: true
    case .nothing: found.kind == csq_kind_null
    case .integer(let value): Self.isEqual(found, value, type)
    case .text(let text): Self.isEqual(found, text)
    case .value(let value): Self.isEqual(found, StoredValue(value), type)
    case .archived(let value): isEqual(found, value, type, &reader)
    }
  }

  private mutating func isEqual(
    _ found: csq_value, _ expected: ArchivedValue, _ type: String, _ reader: inout ObjectReader
  ) -> Bool {
    switch expected {
    case .null, .nsNull, .object, .collection:
      return found.kind == csq_kind_null
    case .bool(let value):
      return Self.isEqual(found, value ? 1 as Int64 : 0, type)
    case .integer(let value):
      return Self.isEqual(found, value, type)
    case .real(let value):
      return Self.isEqual(found, value, type)
    case .text(let text):
      guard found.kind == csq_kind_text else { return false }
      let bytes = reader.table.bytes(text.bytes)
      guard text.encoding == .utf16 else { return Self.isEqual(found, bytes) }
      return isEqual(found, utf16: bytes)
    case .data(let range):
      return found.kind == csq_kind_blob && Self.isEqual(found, reader.table.bytes(range))
    case .date(let seconds):
      return isEqual(found, date: seconds)
    default:
      return Self.isEqual(found, StoredValue(expected, &reader), type)
    }
  }

  private mutating func isEqual(_ found: csq_value, utf16 bytes: UnsafeRawBufferPointer) -> Bool {
    let most = bytes.count / 2 * 3
    guard found.count <= most else { return false }
    if space.count < most { space = [UInt8](repeating: 0, count: most) }
    return space.withUnsafeMutableBytes { space in
      let count = UTF16Text.transcode(bytes, into: space).count
      return Self.isEqual(found, UnsafeRawBufferPointer(rebasing: space[..<count]))
    }
  }

  /// Whether a cell names an instant: in the one form that is written, and so that reading it gives
  /// back the same double.
  private mutating func isEqual(_ found: csq_value, date seconds: Double) -> Bool {
    guard found.kind == csq_kind_text else { return false }
    let isWritten = space.withUnsafeMutableBytes { space -> Bool in
      guard let count = DateText.writeUsual(secondsSince2001: seconds, into: space) else {
        return Self.isEqual(found, DateText.text(secondsSince2001: seconds))
      }
      return Self.isEqual(found, UnsafeRawBufferPointer(rebasing: space[..<count]))
    }
    guard isWritten else { return false }
    // What no calendar reaches is written as a number.
    guard abs(seconds) < 9_007_199_254_740_992 else { return true }
    return InstantText.seconds(Self.bytes(found)) == seconds
  }

  // MARK: Stored values

  private static func isEqual(_ found: csq_value, _ expected: StoredValue, _ type: String) -> Bool {
    switch expected {
    case .null: found.kind == csq_kind_null
    case .integer(let value): isEqual(found, value, type)
    case .real(let value): isEqual(found, value, type)
    case .text(let text): isEqual(found, text)
    case .blob(let data):
      found.kind == csq_kind_blob && data.withUnsafeBytes { isEqual(found, $0) }
    }
  }

  private static func isEqual(_ found: csq_value, _ expected: Int64, _ type: String) -> Bool {
    if type == Table.ColumnType.real.rawValue {
      return found.kind == csq_kind_real && found.real == Double(expected)
    }
    return found.kind == csq_kind_integer && found.integer == expected
  }

  private static func isEqual(_ found: csq_value, _ expected: Double, _ type: String) -> Bool {
    // SQLite turns NaN into NULL; so it is a text.
    if expected.isNaN { return isEqual(found, "NaN") }
    guard found.kind == csq_kind_real else { return false }
    if expected == 0, type == Table.ColumnType.real.rawValue { return found.real == 0 }
    return found.real.bitPattern == expected.bitPattern
  }

  private static func isEqual(_ found: csq_value, _ expected: String) -> Bool {
    guard found.kind == csq_kind_text, found.count == expected.utf8.count else { return false }
    var expected = expected
    return expected.withUTF8 { isEqual(found, UnsafeRawBufferPointer($0)) }
  }

  private static func isEqual(_ found: csq_value, _ expected: UnsafeRawBufferPointer) -> Bool {
    guard found.count == expected.count else { return false }
    guard let first = found.bytes, let second = expected.baseAddress else { return true }
    return memcmp(first, second, found.count) == 0
  }

  /// The bytes of a text or blob, which SQLite keeps until the next step.
  private static func bytes(_ found: csq_value) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: found.bytes, count: found.bytes == nil ? 0 : found.count)
  }
}

extension StoredValue {
  /// A plain archived value as the relational layout keeps it.
  init(_ value: ArchivedValue, _ reader: inout ObjectReader) {
    switch value {
    case .null, .nsNull, .object, .collection: self = .null
    case .bool(let value): self = .integer(value ? 1 : 0)
    case .integer(let value): self = .integer(value)
    case .wideInteger(let offset): self = .text(String(reader.table.wideInteger(at: offset)))
    case .real(let value): self = value.isNaN ? .text("NaN") : .real(value)
    case .date(let seconds): self = .text(DateText.text(secondsSince2001: seconds))
    case .text(let text): self = .text(reader.table.string(text))
    case .data(let range): self = .blob(Data(reader.table.bytes(range)))
    case .uuid(let range): self = .text(UUIDText.text(reader.table.bytes(range)))
    case .decimal(let decimal): self = .text(decimal.text)
    case .url(let uid): self = reader.urlText(uid).map { .text($0) } ?? .null
    case .foundation(let uid, _):
      self = (try? reader.foundationValue(uid)).flatMap { $0 }.map { .text($0.json) } ?? .null
    case .className(let id): self = .text(reader.classes[id.index].name)
    }
  }

  init(_ value: ExpectedValue, _ reader: inout ObjectReader) {
    switch value {
    case .nothing, .unknown: self = .null
    case .integer(let value): self = .integer(value)
    case .text(let text): self = .text(text)
    case .archived(let value): self.init(value, &reader)
    case .value(let value): self.init(value)
    }
  }

  /// The value in words for a difference, shortened.
  var words: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let text): "'" + Self.shortened(text) + "'"
    case .blob(let data):
      "x'" + data.prefix(24).map { String(format: "%02x", $0) }.joined()
        + (data.count > 24 ? "…' (\(data.count) bytes)" : "'")
    }
  }

  private static func shortened(_ text: String) -> String {
    guard text.unicodeScalars.count > 64 else { return text }
    var short = String.UnicodeScalarView()
    short.append(contentsOf: text.unicodeScalars.prefix(64))
    return String(short) + "…"
  }

  /// A text that is the same for the same values, and for no others.
  var key: String {
    switch self {
    case .null: "n"
    case .integer(let value): "i\(value)"
    case .real(let value): "r\(value.bitPattern)"
    case .text(let text): "t\(text.utf8.count):\(text)"
    case .blob(let data): "b\(data.base64EncodedString())"
    }
  }
}
