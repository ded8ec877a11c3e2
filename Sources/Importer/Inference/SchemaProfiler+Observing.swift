import ArchiveReader

/// The profiling of objects that an import reads otherwise than straight.
extension SchemaProfiler {
  /// Visits an object, and looks into its collections.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - leading: The positions of the keys from which the import goes on to other objects.
  ///   - graph: The graph that reads it.
  /// - Throws: `ArchiveError.unplanned` if it refers to others under a key from which the import
  ///   does not go on, or inside of collections in one another.
  package mutating func observe(
    _ object: GraphObject, leading: [Int], _ graph: any ObjectGraph
  ) throws(ArchiveError) {
    let tally = try begin(object, graph)
    try graph.read(object, into: &values)
    for position in 0..<object.keyCount where isKey(position, tally) {
      let value = values[position]
      try note(value, position, tally, graph)
      switch value {
      case .object, .collection:
        guard leading.contains(position) else { throw .unplanned }
      default: break
      }
      guard case .collection(let id, let kind) = value else { continue }
      let elements = try graph.elements(of: id, kind)
      try begin(elements, of: object, at: position, tally)
      for place in 0..<elements.count {
        let element = try graph.element(of: elements, at: place)
        try note(element, graph)
        switch (element.key, element.value) {
        case (.object?, _), (.collection?, _), (_, .collection): throw .unplanned
        default: break
        }
      }
      endElements()
    }
  }
}
