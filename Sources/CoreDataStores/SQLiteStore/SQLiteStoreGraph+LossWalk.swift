import GraphCore

extension SQLiteStoreGraph {
  /// Reads everything in a store, and lists what cannot be read.
  final class LossWalk {
    private let graph: SQLiteStoreGraph
    private var found: LossList

    /// Prepares to read a store.
    ///
    /// - Parameters:
    ///   - graph: The objects of the store; what cannot be read is an error.
    ///   - known: The losses that are known.
    init(_ graph: SQLiteStoreGraph, known: LossList) { (self.graph, found) = (graph, known) }

    /// The known losses, and those in the objects, in their order.
    ///
    /// - Complexity: Linear in the values and links of the store.
    func losses() -> LossList {
      for uid in 0..<graph.store.index.count { visit(uid) }
      return found
    }

    private func visit(_ uid: Int) {
      guard let object = attempt({ () throws(ArchiveError) in try graph.object(uid) }) else {
        return
      }
      guard attempt({ () throws(ArchiveError) in try graph.loadRow(of: object) }) != nil else {
        return
      }
      for position in 0..<object.keyCount {
        let value = attempt { () throws(ArchiveError) in try graph.value(of: object, at: position) }
        guard case .collection(let id, let kind)? = value else { continue }
        let elements = attempt { () throws(ArchiveError) in try graph.elements(of: id, kind) }
        guard let elements else { continue }
        for place in 0..<elements.count {
          _ = attempt { () throws(ArchiveError) in try graph.value(of: elements, at: place) }
        }
      }
    }

    private func attempt<Result>(_ read: () throws(ArchiveError) -> Result) -> Result? {
      do throws(ArchiveError) {
        return try read()
      } catch {
        found.append(error)
        return nil
      }
    }
  }
}
