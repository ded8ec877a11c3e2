import ArchiveReader

extension ImportSession {
  /// The position of each attribute's key in the shape of an object; -1 where it is not there.
  func keyPositions(_ index: Int, _ object: GraphObject) -> [Int] {
    let slot = object.shape * max(1, pass.entities.count) + index
    if let known = knownKeyPositions[slot] { return known }
    let found = pass.entities[index].attributes.map { plan in
      guard case .keyPath(let path) = plan.source, path.count == 1 else { return -1 }
      return graph.position(of: path[0], in: object) ?? -1
    }
    knownKeyPositions[slot] = found
    return found
  }

  /// The positions of the keys that hold rows or collections of them for an entity mapping.
  func referencePositions(_ index: Int, _ object: GraphObject) -> [Int] {
    let slot = object.shape * max(1, pass.entities.count) + index
    if let known = knownReferencePositions[slot] { return known }
    let plan = pass.entities[index]
    let keys = Set(
      plan.relationships.filter { $0.split == nil }.compactMap { plan in
        plan.source.keyPath.flatMap { $0.count == 1 ? $0[0] : nil }
      } + plan.collections.map(\.key))
    let names = graph.keys(ofShape: object.shape)
    let found = names.indices.filter { keys.contains(names[$0]) }
    knownReferencePositions[slot] = found
    return found
  }

  // MARK: Unread keys

  /// Counts the keys of an object that no entity mapping of any pass reads.
  func noteUnread(_ object: GraphObject, _ className: String) {
    // It is counted in the first pass that takes it.
    guard context.plan.passes(of: className).first == pass.index else { return }
    unread.addMapped(object) {
      let plans = context.plan.entityPlans(of: className)
      let read = plans.reduce(into: Set()) { $0.formUnion($1.readKeys.subtracting($1.unread)) }
      let kept = plans.reduce(into: Set()) { $0.formUnion($1.keptKeys) }
      let ignored = plans.reduce(into: Set()) { $0.formUnion($1.unread) }
      return (
        positions(of: read, in: object),
        positions(of: read.subtracting(kept).subtracting(ignored), in: object)
      )
    }
  }

  private func positions(of keys: Set<String>, in object: GraphObject) -> KeyBits {
    var positions = KeyBits(graph.keys(ofShape: object.shape).count)
    for key in keys {
      if let position = graph.position(of: key, in: object) { positions.insert(position) }
    }
    return positions
  }

  /// Counts the keys of an object that nothing read.
  func noteUnread(_ object: GraphObject, read: KeyBits) {
    unread.add(object, read: read)
  }

  /// Notes which keys a hook read of an object of a value class, which it may see several times.
  func noteValueRead(_ object: GraphObject, _ read: KeyBits) {
    unread.addValueRead(object, read)
  }

  /// Adds what nothing read to the report.
  func reportUnread(ignored: (_ className: String) -> Set<String>) {
    let keys = unread.take(graph)
    for (key, count) in keys.derived { context.report.derivedKeys[key, default: 0] += count }
    for (key, count) in keys.unread {
      if ignored(key.className).contains(key.key) {
        context.report.ignoredKeys[key, default: 0] += count
      } else {
        context.report.unreadKeys[key, default: 0] += count
      }
    }
    for (key, count) in unread.takeIgnored(graph) {
      context.report.ignoredKeys[key, default: 0] += count
    }
  }
}
