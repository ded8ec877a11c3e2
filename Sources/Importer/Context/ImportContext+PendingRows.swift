/// Rows that hooks, mappings and policies set, until they are written.
extension ImportContext {
  /// A pending row: it is written when the hook or policy returns.
  func register(_ reference: RowReference, wasFound: Bool) -> RowInstance {
    let instance: RowInstance
    if let spare = pending.takeSpare(reference.entity) {
      spare.begin(reference, wasFound: wasFound)
      instance = spare
    } else {
      instance = RowInstance(reference, wasFound: wasFound, in: self)
    }
    pending.add(instance)
    return instance
  }

  /// Writes all pending rows.
  func flush() throws {
    if let storeFailure { throw storeFailure }
    guard !pending.rows.isEmpty else { return }
    // Writing a row makes no other pending.
    for index in pending.rows.indices {
      let instance = pending.rows[index]
      instance.isPending = false
      if instance.isWritten, isAwaited(instance.reference) {
        pending.postpone(instance)
      } else {
        try write(instance)
      }
    }
    pending.removeAll()
  }

  /// Writes what was set of rows before their objects had become them.
  func flushPostponed() throws {
    for instance in pending.takePostponed() {
      // Its object may have become another row, or none.
      guard let row = resolved(instance.reference) else { continue }
      instance.become(row)
      try write(instance)
    }
  }

  /// The store's answer, where nothing can be thrown: an error ends the run when the hook or policy
  /// returns.
  func answer<R>(orElse fallback: R, _ body: () throws -> R) -> R {
    do {
      return try body()
    } catch {
      storeFailure = storeFailure ?? error
      return fallback
    }
  }

  /// Lets go of what retains the context in turn: the run has failed.
  func abandon() {
    pending = PendingRows(entityCount: entities.count)
    session = nil
  }
}
