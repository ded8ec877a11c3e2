import DataModel
import Foundation
import GraphCore

/// The values that a policy has given an object, as the bytes of a record.
///
/// The length of the rest (4 bytes), then for each value the position of its property (4 bytes),
/// its kind (1), its length (4) and its bytes; numbers with the low byte first, values by position.
enum ValueRecord {
  enum Kind: UInt8 {
    case null, bool, integer, real, decimal, text, date, data, uuid, url
  }

  /// A value in a record.
  struct Cell {
    var position: Int
    var kind: Kind
    var bytes: ArraySlice<UInt8>
  }

  // MARK: Writing

  /// Writes the record of values, which attributes can hold.
  static func write(_ values: PendingValues.Values, to record: inout [UInt8]) {
    let start = record.count
    put(UInt32(0), &record)
    for (position, value) in values {
      put(UInt32(truncatingIfNeeded: position), &record)
      let head = record.count
      record.append(Kind.null.rawValue)
      put(UInt32(0), &record)
      record[head] = write(value, to: &record).rawValue
      setLength(at: head + 1, &record)
    }
    setLength(at: start, &record)
  }

  private static func write(_ value: ImportValue, to record: inout [UInt8]) -> Kind {
    switch value {
    case .null, .foundation, .row, .list, .set, .dictionary: return .null
    case .bool(let value):
      record.append(value ? 1 : 0)
      return .bool
    case .integer(let value):
      put(UInt64(bitPattern: value), &record)
      return .integer
    case .real(let value):
      put(value.bitPattern, &record)
      return .real
    case .decimal(let value):
      record.append(contentsOf: value.description.utf8)
      return .decimal
    case .text(let text):
      record.append(contentsOf: text.utf8)
      return .text
    case .date(let date):
      put(date.timeIntervalSinceReferenceDate.bitPattern, &record)
      return .date
    case .data(let data):
      record.append(contentsOf: data)
      return .data
    case .uuid(let uuid):
      unsafe withUnsafeBytes(of: uuid.uuid) { unsafe record.append(contentsOf: $0) }
      return .uuid
    case .url(let text):
      record.append(contentsOf: text.utf8)
      return .url
    }
  }

  private static func put(_ number: some FixedWidthInteger, _ record: inout [UInt8]) {
    unsafe withUnsafeBytes(of: number.littleEndian) { unsafe record.append(contentsOf: $0) }
  }

  /// Notes at a place how many bytes follow after the length itself.
  private static func setLength(at place: Int, _ record: inout [UInt8]) {
    var count = record.count - place - 4
    for byte in place..<place + 4 {
      record[byte] = UInt8(truncatingIfNeeded: count)
      count >>= 8
    }
  }

  // MARK: Reading

  /// Takes the first value from a record without its length; nil at its end.
  static func next(_ record: inout ArraySlice<UInt8>) -> Cell? {
    guard record.count >= 9 else { return nil }
    let start = record.startIndex
    let position = number(record[start..<start + 4])
    let kind = Kind(rawValue: record[start + 4]) ?? .null
    let first = start + 9
    let end = min(record.endIndex, first + number(record[start + 5..<first]))
    let cell = Cell(position: position, kind: kind, bytes: record[first..<end])
    record = record[end...]
    return cell
  }

  /// The values in a record without its length.
  static func values(_ record: ArraySlice<UInt8>) -> [Int: ImportValue] {
    var values: [Int: ImportValue] = [:]
    var rest = record
    while let cell = next(&rest) { values[cell.position] = cell.value ?? .null }
    return values
  }

  static func number(_ bytes: ArraySlice<UInt8>) -> Int { Int(truncatingIfNeeded: wide(bytes)) }

  fileprivate static func wide(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    for byte in bytes {
      number |= UInt64(byte) << shift
      shift += 8
    }
    return number
  }
}

extension ValueRecord.Cell {
  /// The number in eight bytes.
  var wide: UInt64 { ValueRecord.wide(bytes) }

  /// The value; nil if the bytes are none of its kind.
  var value: ImportValue? {
    switch kind {
    case .null: .null
    case .bool: .bool(bytes.first == 1)
    case .integer: .integer(Int64(bitPattern: wide))
    case .real: .real(Double(bitPattern: wide))
    case .decimal: ImportValue(decimalText: String(decoding: bytes, as: UTF8.self))
    case .text: .text(String(decoding: bytes, as: UTF8.self))
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: wide)))
    case .data: .data(Data(bytes))
    case .uuid: Array(bytes).withBorrowedBytes { UUID($0) }.map { .uuid($0) }
    case .url: .url(String(decoding: bytes, as: UTF8.self))
    }
  }
}
