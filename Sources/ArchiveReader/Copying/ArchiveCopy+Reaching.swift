extension ArchiveCopy {
  /// For each object, true if the top-level keys lead to it.
  ///
  /// - Complexity: Linear in the number of values.
  package func reachedObjects() -> [Bool] {
    var reached = [Bool](repeating: false, count: objectCount)
    var pending = topLevel.map(\.value)
    // Containers inside of others may be shared, and hold themselves.
    var seen: Set<Node> = []
    while var part = pending.popLast() {
      var isObject = false
      if let uid = uid(of: part) {
        guard reached.indices.contains(uid), !reached[uid] else { continue }
        reached[uid] = true
        (part, isObject) = (self[uid], true)
        // An object may be no more than a reference to another.
        guard self.uid(of: part) == nil else {
          pending.append(part)
          continue
        }
      }
      if case .node(let node) = part {
        switch archive.table.value(of: node) {
        case .array(let run), .set(let run):
          guard isObject || seen.insert(node).inserted else { continue }
          for index in 0..<run.count { pending.append(.node(archive.table[run, index])) }
        case .dictionary(_, let values):
          guard isObject || seen.insert(node).inserted else { continue }
          for index in 0..<values.count { pending.append(.node(archive.table[values, index])) }
        default: continue
        }
      } else if let entries = entries(of: part) {
        pending += entries.map(\.value)
      } else if let elements = elements(of: part) {
        pending += elements
      }
    }
    return reached
  }
}
