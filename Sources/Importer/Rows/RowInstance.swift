import ArchiveReader

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
