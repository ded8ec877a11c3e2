import ArchiveReader

extension ExpectedRows {
  /// Puts every object that an object refers to on the work list.
  func reachAll(of object: GraphObject) throws {
    try graph.forEachReference(of: object, maxDepth: Self.maxDepth) { ledger.reach($0) }
  }

  /// Puts every object in a value on the work list.
  func reach(_ value: GraphValue) throws {
    try graph.forEachReference(in: value, maxDepth: Self.maxDepth) { ledger.reach($0) }
  }

  /// The greatest depth to which collections inside collections are followed.
  static let maxDepth = 64

  /// The elements of a collection that was met before, maybe by another graph.
  func elements(of id: CollectionID, _ kind: CollectionKind) throws -> GraphElements {
    // A reader finds out what form an object has when it is asked for its value.
    if case .object(let uid) = id { _ = try graph.value(ofObject: uid) }
    return try graph.elements(of: id, kind)
  }
}
