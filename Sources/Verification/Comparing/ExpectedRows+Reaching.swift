import ArchiveReader

extension ExpectedRows {
  /// Puts every object that an object refers to on the work list.
  func reachAll(of object: GraphObject) throws {
    for position in 0..<object.keyCount
    where graph.keys(ofShape: object.shape)[position] != "$class" {
      try reach(try graph.value(of: object, at: position), depth: 0)
    }
  }

  /// Puts every object in a value on the work list.
  func reach(_ value: GraphValue, depth: Int) throws {
    switch value {
    case .object(let uid, _):
      ledger.reach(uid)
    case .collection(let id, let kind):
      guard depth < Self.maxDepth else { return }
      let elements = try graph.elements(of: id, kind)
      for position in 0..<elements.count {
        if kind.isKeyed { try reach(try graph.key(of: elements, at: position), depth: depth + 1) }
        try reach(try graph.value(of: elements, at: position), depth: depth + 1)
      }
    default:
      break
    }
  }

  /// How many collections inside collections are followed.
  static let maxDepth = 64

  /// The elements of a collection that was met before, maybe by another graph.
  func elements(of id: CollectionID, _ kind: CollectionKind) throws -> GraphElements {
    // A reader finds out what form an object has when it is asked for its value.
    if case .object(let uid) = id { _ = try graph.value(ofObject: uid) }
    return try graph.elements(of: id, kind)
  }
}
