import ArchiveWriter
import Foundation
import GraphCore
import Stores

extension CoreDataMetadata {
  /// A value that an application keeps with its store, as a table has it: one row for each value of
  /// a property list, collections included.
  package struct Row: Sendable, Equatable {
    /// Its number among those of the store, from 1 on.
    package var number: Int64
    /// The number of the collection that holds it; nil for one that has none around it.
    package var parent: Int64?
    /// Its key, where a dictionary holds it.
    package var key: String?
    /// Its place, where an array holds it.
    package var position: Int64?
    /// The kind of value, by a name.
    package var type: String
    /// The value, in the form of other columns; NULL for collections.
    package var value: StoredValue

    /// The row as the columns of the table after that of the archive have it.
    package var columns: [StoredValue] {
      [
        .integer(number), parent.map { .integer($0) } ?? .null, key.map { .text($0) } ?? .null,
        position.map { .integer($0) } ?? .null, .text(type), value,
      ]
    }
  }

  /// The metadata of applications, in rows: a collection stands before its elements.
  package var applicationRows: [Row] {
    var rows: [Row] = []
    Self.add(applicationValues, of: nil, to: &rows)
    return rows
  }

  private static func add(_ pairs: [KeyValue], of parent: Int64?, to rows: inout [Row]) {
    for pair in pairs {
      add(pair.value, Row(number: 0, parent: parent, key: pair.key, type: "", value: .null), &rows)
    }
  }

  private static func add(_ value: PropertyListValue, _ place: Row, _ rows: inout [Row]) {
    var row = place
    row.number = Int64(rows.count + 1)
    (row.type, row.value) = Self.stored(value)
    rows.append(row)
    switch value {
    case .array(let elements), .set(let elements):
      for (position, element) in elements.enumerated() {
        let place = Row(
          number: 0, parent: row.number, position: Int64(position), type: "", value: .null)
        add(element, place, &rows)
      }
    case .dictionary(let pairs): add(pairs, of: row.number, to: &rows)
    default: break
    }
  }

  /// A value by the name of its kind, and as a column keeps it.
  private static func stored(_ value: PropertyListValue) -> (type: String, value: StoredValue) {
    switch value {
    case .null: ("null", .null)
    case .bool(let value): ("boolean", .integer(value ? 1 : 0))
    case .integer(let value): ("integer", .integer(value))
    case .unsigned(let value):
      ("integer", Int64(exactly: value).map { .integer($0) } ?? .text("\(value)"))
    case .real(let value): ("real", value.isNaN ? .text("NaN") : .real(value))
    case .float(let value): ("real", value.isNaN ? .text("NaN") : .real(Double(value)))
    case .date(let seconds): ("date", .text(DateText.text(secondsSince2001: seconds)))
    case .string(let text): ("text", .text(text))
    // Unpaired surrogates, which no text of a store holds.
    case .utf16(let units):
      ("utf-16", .blob(Data(units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })))
    case .data(let bytes): ("data", .blob(bytes))
    case .uid(let uid): ("uid", .integer(Int64(uid)))
    case .array: ("array", .null)
    case .set: ("set", .null)
    case .dictionary: ("dictionary", .null)
    }
  }
}
