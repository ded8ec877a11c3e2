import ArchiveReader
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

/// Reads the metadata of a store as values of a property list.
///
/// What such a list cannot hold, such as objects of an application's classes, is left out.
struct MetadataReader {
  private let graph: any ObjectGraph
  private let limits: ReadingLimits
  /// How many values may still be read: collections can be shared, and so multiply.
  private var budget: ExpansionBudget

  init(_ graph: any ObjectGraph, limits: ReadingLimits) {
    self.graph = graph
    self.limits = limits
    budget = ExpansionBudget(graph.source, limits, isNested: false)
  }

  /// The values under the top-level keys of a list.
  mutating func values(ofRoots roots: [GraphRoot]) throws(ArchiveError) -> [KeyValue] {
    var pairs: [KeyValue] = []
    for root in roots {
      if let value = try value(try graph.value(of: root), depth: 0) {
        pairs.append(KeyValue(ArchivedName.plain(root.key), value))
      }
    }
    return pairs
  }

  /// The values of a dictionary; nil if a value is none.
  mutating func values(of value: GraphValue) throws(ArchiveError) -> [KeyValue]? {
    guard case .dictionary(let pairs) = try self.value(value, depth: 0) else { return nil }
    return pairs
  }

  private mutating func value(
    _ value: GraphValue, depth: Int
  ) throws(ArchiveError) -> PropertyListValue? {
    guard depth < limits.depth else { throw limits.exceeded(.depth) }
    try budget.spend(elements: 1)
    try budget.spend(on: value, graph)
    switch value {
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .wideInteger(let wide): return UInt64(exactly: wide.value).map { .unsigned($0) }
    case .real(let value): return .real(value)
    case .date(let seconds): return .date(seconds)
    case .text(let text):
      return text.exactString.map { .string($0) } ?? .utf16(text.units)
    case .data(let bytes): return .data(bytes.data)
    case .decimal(let decimal): return .string(decimal.text)
    case .uuid(let bytes): return .string(UUIDText.text(bytes))
    case .url(let text): return .string(text.string)
    case .relativeURL(let uid): return graph.urlText(uid).map { .string($0) }
    case .collection(let id, let kind): return try collection(id, kind, depth: depth)
    case .null, .nsNull, .className, .foundation, .object: return nil
    }
  }

  private mutating func collection(
    _ id: CollectionID, _ kind: CollectionKind, depth: Int
  ) throws(ArchiveError) -> PropertyListValue? {
    let elements = try graph.elements(of: id, kind)
    guard kind != .countedSet else { return nil }
    var values: [PropertyListValue] = []
    var pairs: [KeyValue] = []
    for position in 0..<elements.count {
      let element = try graph.value(of: elements, at: position)
      guard let value = try value(element, depth: depth + 1) else { continue }
      if kind == .dictionary {
        guard case .text(let key) = try graph.key(of: elements, at: position) else { continue }
        pairs.append(KeyValue(key.string, value))
      } else {
        values.append(value)
      }
    }
    return kind == .dictionary ? .dictionary(pairs) : .array(values)
  }
}
