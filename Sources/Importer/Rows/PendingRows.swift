/// The rows that hooks, mappings and policies have set something of, and that are not written yet.
///
/// The rows of one archive at most, since all are written when a hook or policy returns.
struct PendingRows {
  /// The rows to be written, in the order in which something was first set of them.
  private(set) var rows: [RowInstance] = []
  /// Rows that are written later, since their object has yet to become them.
  private var postponed: [RowInstance] = []
  /// For each entity, a row that was written and that nobody has kept: the next one takes its
  /// place.
  private var spares: [RowInstance?]
  /// The indices in `rows` of the first `indexedCount` rows.
  private var indices: [RowReference: Int] = [:]
  private var indexedCount = 0

  init(entityCount: Int) {
    spares = Array(repeating: nil, count: entityCount)
  }

  /// Adds a row unless it is pending already.
  mutating func add(_ instance: RowInstance) {
    guard !instance.isPending else { return }
    instance.isPending = true
    rows.append(instance)
  }

  /// The pending row with a reference.
  ///
  /// - Complexity: Constant on average.
  mutating func find(_ reference: RowReference) -> RowInstance? {
    // Mostly there are few.
    guard rows.count > 8 else { return rows.last { $0.reference == reference } }
    for index in indexedCount..<rows.count { indices[rows[index].reference] = index }
    indexedCount = rows.count
    // It may have become another row since.
    guard let index = indices[reference], rows[index].reference == reference else { return nil }
    return rows[index]
  }

  /// Keeps a row for later that is to be written after its object has become it.
  mutating func postpone(_ instance: RowInstance) { postponed.append(instance) }

  /// Takes out the rows that were postponed.
  mutating func takePostponed() -> [RowInstance] {
    defer { postponed = [] }
    return postponed
  }

  /// Takes out the spare row of an entity.
  mutating func takeSpare(_ entity: Int) -> RowInstance? { spares[entity].take() }

  /// Lets the next row of an entity take the place of one that was written, unless somebody has
  /// kept it.
  mutating func reuse(_ instance: inout RowInstance) {
    guard !instance.isPending, instance.lastSet != RowInstance.unordered,
      isKnownUniquelyReferenced(&instance)
    else { return }
    spares[instance.reference.entity] = instance
  }

  /// Drops the spare rows: each retains the context.
  mutating func dropSpares() {
    for entity in spares.indices { spares[entity] = nil }
  }

  /// Forgets all rows to be written.
  mutating func removeAll() {
    rows.removeAll(keepingCapacity: true)
    guard indexedCount > 0 else { return }
    (indices, indexedCount) = ([:], 0)
  }

  /// Drops the rows of a hook that failed.
  mutating func discard() {
    for instance in rows { instance.isPending = false }
    removeAll()
  }
}
