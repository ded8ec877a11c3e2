import ArchiveReader

/// A row under construction: what a hook or a policy fills in.
///
/// Setting a relationship from one side is enough: the inverse follows. Values are checked against
/// the model; what breaks a rule is collected, and the run fails at its end with all of it.
///
/// Not for use by several threads, nor after the run.
public final class DestinationInstance {
  // Unchecked: an instance is used by one thread, and nothing that is called while a property is
  // changed comes back to it.

  /// Which row it is.
  @exclusivity(unchecked) public internal(set) var reference: RowReference
  /// Whether the row was there before: an earlier object, archive or run has the same identity.
  @exclusivity(unchecked) public internal(set) var wasFound: Bool
  let context: ImportContext
  @exclusivity(unchecked) var slots: RowSlots
  @exclusivity(unchecked) var collections: [String: Slot] = [:]
  @exclusivity(unchecked) var isWritten: Bool
  /// The attributes whose values were refused, which is an error noted already.
  @exclusivity(unchecked) var refused: Set<Int> = []
  /// Whether it is the same as that of another object, whose values may be different ones.
  @exclusivity(unchecked) var isMerged: Bool
  /// Whether it is taken in hand: it is written when the hook or policy returns.
  @exclusivity(unchecked) var isOpen = false
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

  /// The name of the entity.
  public var entityName: String { context.entities[reference.entity].name }

  /// The value of an attribute, or the rows of a relationship.
  ///
  /// Setting a to-many relationship adds rows to those that it holds, so that nothing is lost where
  /// two objects become one row; `clear` empties it. Getting an attribute of a row that is in the
  /// store already, or a relationship, reads the store. An unknown name is an error of the run, and
  /// gives nothing.
  public subscript(name: String) -> ImportValue {
    get { context.value(of: name, in: self) }
    set { context.set(newValue, for: name, in: self) }
  }

  /// The value of an attribute, or the rows of a relationship, as a Swift type.
  ///
  /// Getting gives nil for nothing and for a value that the type does not hold; setting nil sets
  /// nothing.
  public subscript<Value: ImportValueConvertible>(name: String) -> Value? {
    get { Value.value(of: context.value(of: name, in: self), in: context) }
    @inlinable
    set { Value.set(newValue, for: name, in: self) }
  }

  /// Adds rows to a to-many relationship, behind those that it holds.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - relationship: The name of the relationship.
  public func add(_ rows: [DestinationInstance], to relationship: String) {
    context.add(rows.map(\.reference), to: relationship, in: self)
  }

  /// Empties a relationship, whichever side has filled it.
  ///
  /// - Parameter relationship: The name of the relationship.
  public func clear(_ relationship: String) {
    context.clear(relationship, in: self)
  }

  /// The value that stands for the row, to set a relationship with.
  public var value: ImportValue { .row(reference) }
}
