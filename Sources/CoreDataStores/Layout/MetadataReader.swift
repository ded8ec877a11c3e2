import ArchiveReader
import ArchiveWriter
import Foundation
import GraphCore

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
