import DataModel
import Foundation
import GraphCore
import Mappings

/// Reads objects of the source by the names of their properties, for one thread.
final class SourceReader {
  let graph: any ObjectGraph
  /// For each shape, where its keys are.
  private var positions: [[String: Int]?] = []
  /// How much of collections in one another may still be read for expressions and policies.
  private var budget: ExpansionBudget

  /// How many collections may stand in one another.
  private static let maxDepth = 64

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - graph: The graph of the source.
  ///   - limits: How much values may grow that stand in several collections.
  init(_ graph: any ObjectGraph, _ limits: ReadingLimits) {
    self.graph = graph
    budget = ExpansionBudget(graph.source, limits, isNested: false)
  }

  /// Where an object has a key; nil if it has not.
  func position(of key: String, in object: GraphObject) -> Int? {
    while positions.count <= object.shape { positions.append(nil) }
    if let known = positions[object.shape] { return known[key] }
    let found = Dictionary(
      graph.keys(ofShape: object.shape).enumerated().map { ($1, $0) },
      uniquingKeysWith: { first, _ in first })
    positions[object.shape] = found
    return found[key]
  }

  /// The store's objects that a value leads to.
  func objects(_ value: GraphValue) throws(ArchiveError) -> [Int] {
    switch value {
    case .object(let uid, _): return [uid]
    case .collection(let id, let kind):
      let elements = try graph.elements(of: id, kind)
      var found: [Int] = []
      found.reserveCapacity(elements.count)
      for position in 0..<elements.count {
        if case .object(let uid, _) = try graph.value(of: elements, at: position) {
          found.append(uid)
        }
      }
      return found
    default: return []
    }
  }

  /// What an object has under a key, objects as handles; nil for an unknown key.
  func value(forKey key: String, of uid: Int) throws(ArchiveError) -> ImportValue? {
    try value(forKey: key, of: try graph.object(uid))
  }

  /// What an object has under a key, objects as handles; nil for an unknown key.
  func value(forKey key: String, of object: GraphObject) throws(ArchiveError) -> ImportValue? {
    guard let position = position(of: key, in: object) else { return nil }
    return try importValue(try graph.value(of: object, at: position))
  }

  /// A value with its elements, objects as handles.
  private func importValue(
    _ value: GraphValue, depth: Int = 0
  ) throws(ArchiveError) -> ImportValue {
    switch value {
    case .object(let uid, _): return ObjectHandle.value(uid)
    case .collection(let id, let kind):
      guard depth < Self.maxDepth else {
        throw ArchiveError(.tooDeep, name: "\(Self.maxDepth)")
      }
      let elements = try graph.elements(of: id, kind)
      // Collections that stand in others may be shared by many.
      if depth > 0 { try budget.spend(elements: elements.count + 1) }
      var keys: [ImportValue] = []
      var values: [ImportValue] = []
      values.reserveCapacity(elements.count)
      for position in 0..<elements.count {
        if kind.isKeyed {
          keys.append(try element(try graph.key(of: elements, at: position), depth))
        }
        values.append(try element(try graph.value(of: elements, at: position), depth))
      }
      guard !kind.isKeyed else { return .dictionary(zip(keys, values).map(ImportValue.Pair.init)) }
      return kind == .set ? .set(values) : .list(values)
    default: return graph.importValue(ofPlain: value)
    }
  }

  private func element(_ value: GraphValue, _ depth: Int) throws(ArchiveError) -> ImportValue {
    if depth > 0 { try budget.spend(on: value, graph) }
    return try importValue(value, depth: depth + 1)
  }
}
