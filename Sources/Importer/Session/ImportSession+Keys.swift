import ArchiveReader

extension ImportSession {
  /// The positions of the keys of an entity mapping in the shape of an object.
  ///
  /// - Complexity: Constant, but for the first object of a shape.
  func positions(_ index: Int, _ object: GraphObject) -> MappedPositions {
    let slot = object.shape * max(1, pass.entities.count) + index
    if let known = mappedPositions[slot] { return known }
    let found = MappedPositions(pass.entities[index], graph.keys(ofShape: object.shape))
    mappedPositions[slot] = found
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
