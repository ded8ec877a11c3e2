import DataModel
import Foundation
import GraphCore

/// The values that a policy has given an object, as the bytes of a record.
///
/// The length of the rest (4 bytes), then for each value the position of its property (4 bytes), its
/// kind (1), its length (4) and its bytes; numbers with the low byte first.
enum ValueRecord {
  private enum Kind: UInt8 {
    case null, bool, integer, real, decimal, text, date, data, uuid, url
  }

  /// The record of values by the positions of their properties, which attributes can hold.
  static func bytes(_ values: [Int: ImportValue]) -> [UInt8] {
    var record: [UInt8] = [0, 0, 0, 0]
    for (position, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let (kind, bytes) = encoded(value) else { continue }
      record += little(UInt32(truncatingIfNeeded: position))
      record.append(kind.rawValue)
      record += little(UInt32(truncatingIfNeeded: bytes.count))
      record += bytes
    }
    record.replaceSubrange(0..<4, with: little(UInt32(truncatingIfNeeded: record.count - 4)))
    return record
  }

  /// The values in a record without its length.
  static func values(_ record: ArraySlice<UInt8>) -> [Int: ImportValue] {
    var values: [Int: ImportValue] = [:]
    var rest = record
    while rest.count >= 9 {
      let position = number(rest.prefix(4))
      let kind = Kind(rawValue: rest[rest.startIndex + 4])
      let count = number(rest.dropFirst(5).prefix(4))
      let bytes = rest.dropFirst(9).prefix(count)
      values[position] = kind.flatMap { decoded($0, bytes) } ?? .null
      rest = rest.dropFirst(9 + count)
    }
    return values
  }

  private static func encoded(_ value: ImportValue) -> (Kind, [UInt8])? {
    switch value {
    case .null: (.null, [])
    case .bool(let value): (.bool, [value ? 1 : 0])
    case .integer(let value): (.integer, little(UInt64(bitPattern: value)))
    case .real(let value): (.real, little(value.bitPattern))
    case .decimal(let value): (.decimal, Array(value.description.utf8))
    case .text(let text): (.text, Array(text.utf8))
    case .date(let date):
      (.date, little(date.timeIntervalSinceReferenceDate.bitPattern))
    case .data(let data): (.data, Array(data))
    case .uuid(let uuid): (.uuid, withUnsafeBytes(of: uuid.uuid) { Array($0) })
    case .url(let text): (.url, Array(text.utf8))
    case .foundation, .row, .list, .set, .dictionary: nil
    }
  }

  private static func decoded(_ kind: Kind, _ bytes: ArraySlice<UInt8>) -> ImportValue? {
    switch kind {
    case .null: return .null
    case .bool: return .bool(bytes.first == 1)
    case .integer: return .integer(Int64(bitPattern: wide(bytes)))
    case .real: return .real(Double(bitPattern: wide(bytes)))
    case .decimal: return ImportValue(decimalText: String(decoding: bytes, as: UTF8.self))
    case .text: return .text(String(decoding: bytes, as: UTF8.self))
    case .date:
      return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: wide(bytes))))
    case .data: return .data(Data(bytes))
    case .uuid:
      return UUID(uuidString: bytes.withUnsafeBytes(UUIDText.text)).map { .uuid($0) }
    case .url: return .url(String(decoding: bytes, as: UTF8.self))
    }
  }

  private static func little(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int { Int(wide(bytes)) }

  private static func wide(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
