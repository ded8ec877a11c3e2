/// Rows in hand: what hooks, mappings and policies have said something of.
extension ImportContext {
  /// Takes a row in hand: it is written when the hook or policy returns.
  func register(_ reference: RowReference, wasFound: Bool) -> RowInstance {
    let instance: RowInstance
    if let spare = spareRows[reference.entity].take() {
      spare.begin(reference, wasFound: wasFound)
      instance = spare
    } else {
      instance = RowInstance(reference, wasFound: wasFound, in: self)
    }
    takeInHand(instance)
    return instance
  }

  /// Takes a row in hand that something was said of, which may be after it was written.
  func takeInHand(_ instance: RowInstance) {
    guard !instance.isOpen else { return }
    instance.isOpen = true
    open.append(instance)
  }

  /// A row that is in hand already: what was said of it is not in the store yet.
  ///
  /// - Complexity: Constant on average.
  func rowInHand(_ reference: RowReference) -> RowInstance? {
    // Mostly there are few.
    guard open.count > 8 else { return open.last { $0.reference == reference } }
    for place in openPlaces.count..<open.count { openPlaces.places[open[place].reference] = place }
    openPlaces.count = open.count
    // It may have become another row since.
    guard let place = openPlaces.places[reference], open[place].reference == reference else {
      return nil
    }
    return open[place]
  }

  /// Forgets where rows in hand stand.
  private func forgetPlaces() {
    if openPlaces.count > 0 { openPlaces = ([:], 0) }
  }

  /// Lets the next row of an entity take the place of one that was written, unless somebody has kept
  /// it.
  func reuse(_ instance: inout RowInstance) {
    guard !instance.isOpen, instance.lastSet != RowInstance.unordered,
      isKnownUniquelyReferenced(&instance)
    else { return }
    spareRows[instance.reference.entity] = instance
  }

  /// Writes all rows that were taken in hand.
  func flush() throws {
    if let storeFailure { throw storeFailure }
    guard !open.isEmpty else { return }
    // Writing a row takes no other in hand.
    for index in open.indices {
      let instance = open[index]
      instance.isOpen = false
      if instance.isWritten, isPending(instance.reference) {
        // Its object has yet to become it: what is said of it before comes behind.
        late.append(instance)
      } else {
        try write(instance)
      }
    }
    open.removeLast(open.count)
    forgetPlaces()
  }

  /// Writes what was said of rows before they were made.
  func flushLate() throws {
    let instances = late
    late = []
    for instance in instances {
      // Its object may have become another row, or none.
      guard let row = resolved(instance.reference) else { continue }
      instance.become(row)
      try write(instance)
    }
  }

  /// What the store answers, where nothing can be thrown: an error ends the run when the hook or
  /// policy returns.
  func answer<R>(orElse fallback: R, _ body: () throws -> R) -> R {
    do {
      return try body()
    } catch {
      storeFailure = storeFailure ?? error
      return fallback
    }
  }

  /// Drops the rows that a hook took in hand before it failed.
  func discard() {
    for instance in open { instance.isOpen = false }
    open.removeAll(keepingCapacity: true)
    forgetPlaces()
  }

  /// Lets go of rows that wait for others to take their place: each keeps the context.
  func dropSpareRows() {
    for entity in spareRows.indices { spareRows[entity] = nil }
  }

  /// Lets go of what keeps the context in turn: the run has failed.
  func abandon() {
    open = []
    forgetPlaces()
    dropSpareRows()
    session = nil
  }
}
