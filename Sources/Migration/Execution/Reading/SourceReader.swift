import DataModel
import Foundation
import GraphCore
import Mappings

/// Reads objects of the source by the names of their properties, for one thread.
final class SourceReader {
  let graph: any ObjectGraph
  /// For each shape, where its keys are.
  private var positions: [[String: Int]?] = []

  init(_ graph: any ObjectGraph) { self.graph = graph }

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

  /// What an object has under a key: a plain value, or handles of objects; nil for an unknown key.
  func value(forKey key: String, of uid: Int) throws(ArchiveError) -> ImportValue? {
    let object = try graph.object(uid)
    guard let position = position(of: key, in: object) else { return nil }
    let value = try graph.value(of: object, at: position)
    switch value {
    case .object(let uid, _): return ObjectHandle.value(uid)
    case .collection(_, .orderedSet): return .list(try objects(value).map(ObjectHandle.value))
    case .collection(_, .set): return .set(try objects(value).map(ObjectHandle.value))
    default: return graph.importValue(ofPlain: value)
    }
  }
}
