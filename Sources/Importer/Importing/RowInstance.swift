import ArchiveReader

/// A row that a hook, a mapping or a policy fills in, as long as it is not written: what a
/// `DestinationInstance` of an import stands for.
final class RowInstance {
  // Unchecked: an instance is used by one thread, and nothing that is called while a property is
  // changed comes back to it.

  /// Which row it is.
  @exclusivity(unchecked) var reference: RowReference
  /// Whether the row was there before: an earlier object, archive or run has the same identity.
  @exclusivity(unchecked) var wasFound: Bool
  let context: ImportContext
  @exclusivity(unchecked) var slots: RowSlots
  @exclusivity(unchecked) var collections: [String: Slot] = [:]
  @exclusivity(unchecked) var isWritten: Bool
  /// The attributes whose values were refused, which is an error noted already.
  @exclusivity(unchecked) var refused: Set<Int> = []
  /// Whether it is the same as that of another object, whose values may be different ones.
  @exclusivity(unchecked) var isMerged: Bool
  /// Whether it is pending: it is written when the hook or policy returns.
  @exclusivity(unchecked) var isPending = false
  /// The attribute that was set last by its name; `unordered` where that is of no use.
  @exclusivity(unchecked) var lastSet = -1
  /// What stands for the last attribute of a row whose entity is not that of `order`.
  static let unordered = Int.max - 1
  /// The attributes that changed since the row was written.
  @exclusivity(unchecked) var changed: Set<Int> = []
  /// In which order the attributes of the entity are set.
  let order: NameOrder

  /// What an attribute holds until the row is written.
  enum Slot {
    case unset
    case value(ImportValue)
    /// A value that is bound straight from the archive.
    case archived(GraphValue)

    /// Whether it is nothing, whoever said so.
    var isNothing: Bool {
      switch self {
      case .unset: true
      case .value(let value): value.isNull
      case .archived(let value): value.isNothing
      }
    }
  }

  init(_ reference: RowReference, wasFound: Bool, in context: ImportContext) {
    self.reference = reference
    self.wasFound = wasFound
    self.context = context
    isWritten = wasFound
    isMerged = wasFound
    order = context.orders[reference.entity]
    slots = RowSlots(count: context.entities[reference.entity].attributes.count)
  }

  deinit { slots.deallocate() }

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
  /// The row of the import; nil for an object of a migrated store.
  var rowInstance: RowInstance? { row as? RowInstance }
}
