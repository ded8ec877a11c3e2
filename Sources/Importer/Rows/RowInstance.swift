import ArchiveReader
import Foundation

/// A row that a hook, a mapping or a policy fills in, as long as it is not written: what a
/// `DestinationInstance` of an import stands for.
final class RowInstance {
  // Properties that are not checked for exclusive access are touched for each row. That is safe: one
  // thread uses an instance, and what is called while one of them is changed, which is methods of
  // its own type, does not come back to it.

  /// The reference to the row.
  var reference: RowReference
  /// True if the row was there before: an earlier object, archive or run has the same identity.
  var wasFound: Bool
  let context: ImportContext
  @safe @exclusivity(unchecked) var slots: RowSlots
  @safe @exclusivity(unchecked) var collections: [String: RowSlots.Slot] = [:]
  var isWritten: Bool
  /// The attributes whose values were refused, which is an error noted already.
  @safe @exclusivity(unchecked) var refused: Set<Int> = []
  /// True if it is also the row of another object, whose values may be different ones.
  var isMerged: Bool
  /// True if it is pending: it is written when the hook or policy returns.
  var isPending = false
  /// The attribute that was set last by its name; `unordered` where that is of no use.
  var lastSet = -1
  /// The value of `lastSet` for a row whose entity is not that of `order`.
  static let unordered = Int.max - 1
  /// The attributes that changed since the row was written.
  @safe @exclusivity(unchecked) var changed: Set<Int> = []
  /// In which order the attributes of the entity are set.
  let order: NameOrder

  init(_ reference: RowReference, wasFound: Bool, in context: ImportContext) {
    self.reference = reference
    self.wasFound = wasFound
    self.context = context
    isWritten = wasFound
    isMerged = wasFound
    order = context.orders[reference.entity]
    slots = RowSlots(count: context.entities[reference.entity].attributes.count)
  }

  /// Goes on as another row of the same entity, of which nothing is said yet.
  func begin(_ reference: RowReference, wasFound: Bool) {
    self.reference = reference
    self.wasFound = wasFound
    isWritten = wasFound
    isMerged = wasFound
    lastSet = -1
    slots.reset()
    if !collections.isEmpty { collections = [:] }
    if !refused.isEmpty { refused = [] }
    if !changed.isEmpty { changed = [] }
  }

  /// Stands for the row that took the place of the one that was handed out.
  func become(_ row: RowReference) {
    if row.entity != reference.entity {
      lastSet = Self.unordered
      slots.resize(to: context.entities[row.entity].attributes.count)
    }
    reference = row
  }
}

extension RowInstance: DestinationRow {
  var entityName: String { context.entities[reference.entity].name }
  var destinationContext: any DestinationContext { context }

  func value(of name: String) -> ImportValue { context.value(of: name, in: self) }

  func set(_ value: ImportValue, for name: String) { context.set(value, for: name, in: self) }

  func add(_ rows: [RowReference], to relationship: String) {
    context.add(rows, to: relationship, in: self)
  }

  func clear(_ relationship: String) { context.clear(relationship, in: self) }
}

extension DestinationInstance {
  /// The row of the import.
  var rowInstance: RowInstance? { row as? RowInstance }
}

// Values of the types that attributes have go straight into the slots of the row.
extension RowInstance {
  func set(_ value: Bool?, for name: String) { set(value, for: name) { $0.set($1, $2) } }
  func set(_ value: Int64?, for name: String) { set(value, for: name) { $0.set($1, $2) } }
  func set(_ value: Double?, for name: String) { set(value, for: name) { $0.set($1, $2) } }
  func set(_ value: Decimal?, for name: String) { set(value, for: name) { $0.set($1, $2) } }
  func set(_ value: String?, for name: String) { set(value, for: name) { $0.set($1, $2, .text) } }
  func set(_ value: Date?, for name: String) { set(value, for: name) { $0.set($1, $2) } }
  func set(_ value: Data?, for name: String) { set(value, for: name) { $0.set($1, $2) } }
  func set(_ value: UUID?, for name: String) { set(value, for: name) { $0.set($1, $2) } }
  func set(_ value: URL?, for name: String) {
    set(value, for: name) { $0.set($1, $2.absoluteString, .url) }
  }

  /// Sets a property to a value, which goes into the slots if it is the attribute that was set at
  /// the same place of the row before.
  @inline(__always)
  private func set<Value: ImportValueConvertible>(
    _ value: Value?, for name: String, _ store: (inout RowSlots, Int, Value) -> Void
  ) {
    let index = order.index(of: name, after: lastSet)
    guard index >= 0, context.plan.migration == nil else {
      return context.set(ImportValue(value), for: name, in: self)
    }
    if let value { store(&slots, index, value) } else { slots.setNull(index) }
    lastSet = index
    if isWritten || !isPending { context.noteSet(index, in: self) }
  }
}

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
