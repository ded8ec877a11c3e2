extension ObjectGraph {
  /// Finds every object that an object refers to, also in collections.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - maxDepth: The depth to which collections inside collections are followed.
  ///   - body: Is called with each object found, in the order of the keys.
  /// - Throws: `ArchiveError` if the object is damaged.
  package func forEachReference(
    of object: GraphObject, maxDepth: Int, _ body: (Int) -> Void
  ) throws(ArchiveError) {
    for position in 0..<object.keyCount
    where keys(ofShape: object.shape)[position] != "$class" {
      try forEachReference(in: try value(of: object, at: position), maxDepth: maxDepth, body)
    }
  }

  /// Finds every object in a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - maxDepth: The depth to which collections inside collections are followed.
  ///   - body: Is called with each object found, in order.
  /// - Throws: `ArchiveError` if a collection is damaged.
  package func forEachReference(
    in value: GraphValue, maxDepth: Int, _ body: (Int) -> Void
  ) throws(ArchiveError) {
    switch value {
    case .object(let uid, _):
      body(uid)
    case .collection(let id, let kind):
      guard maxDepth > 0 else { return }
      let elements = try elements(of: id, kind)
      for position in 0..<elements.count {
        if kind.isKeyed {
          try forEachReference(
            in: try key(of: elements, at: position), maxDepth: maxDepth - 1, body)
        }
        try forEachReference(
          in: try self.value(of: elements, at: position), maxDepth: maxDepth - 1, body)
      }
    default:
      break
    }
  }
}
