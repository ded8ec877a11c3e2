import GraphCore

/// Reads everything in a store, and lists what cannot be read.
final class StoreLossWalk {
  private let graph: SQLiteStoreGraph
  private let source: SQLiteStoreSource
  private var found: [ArchiveError] = []

  /// How many losses are listed.
  static let maxLosses = 10_000

  init(_ source: SQLiteStoreSource) {
    self.source = source
    graph = SQLiteStoreGraph(source, salvages: false)
  }

  /// The losses, in the order of the objects.
  ///
  /// - Complexity: Linear in the values and links of the store.
  func losses() -> [ArchiveError] {
    for uid in 0..<source.objectCount where found.count < Self.maxLosses { visit(uid) }
    return found
  }

  private func visit(_ uid: Int) {
    guard let object = attempt({ () throws(ArchiveError) in try graph.object(uid) }) else { return }
    guard attempt({ () throws(ArchiveError) in try graph.loadRow(of: object) }) != nil else {
      return
    }
    for (position, key) in graph.keys(ofShape: object.shape).enumerated() {
      let value = attempt { () throws(ArchiveError) in try graph.value(of: object, at: position) }
      guard case .collection(let id, let kind)? = value else { continue }
      let elements = attempt(at: .object(uid, key: key)) { () throws(ArchiveError) in
        try graph.elements(of: id, kind)
      }
      guard let elements else { continue }
      for place in 0..<elements.count where found.count < Self.maxLosses {
        _ = attempt(at: .object(uid, key: key)) { () throws(ArchiveError) in
          try graph.value(of: elements, at: place)
        }
      }
    }
  }

  private func attempt<Result>(
    at position: ArchiveError.Position? = nil, _ read: () throws(ArchiveError) -> Result
  ) -> Result? {
    do throws(ArchiveError) {
      return try read()
    } catch {
      if found.count < Self.maxLosses { found.append(position.map(error.placed) ?? error) }
      return nil
    }
  }
}
