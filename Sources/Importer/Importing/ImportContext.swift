import ArchiveReader
import Foundation

/// Where hooks and policies insert rows: the store under construction, as far as they see it.
///
/// There is one for each run; it travels in the coder and in the migration manager, so that
/// conversions that run side by side do not mix. Not for use by several threads.
public final class ImportContext {
  let plan: ImportPlan
  let store: StoreWriter
  let entities: [EntityShape]
  let relationships: [RelationshipPlace]
  var links: RelationshipBook
  var identities: IdentityIndex
  /// What rows became that had been handed out for objects whose hook returned another, or none.
  var aliases: [RowKey: RowReference?] = [:]
  var associations: Associations
  var report = ImportFindings()
  /// For each table, the id of its last row, but for those of the archive whose turn it is.
  var lastIDs: [Int64]
  /// The id of the last row of `_collection`, but for those of the archive whose turn it is.
  var lastCollection: Int64 = 0
  /// The archive whose turn it is.
  weak var session: ImportSession?
  /// Rows that are to be written when the hook or policy returns.
  private var open: [DestinationInstance] = []
  /// Rows that something was said of before they were made.
  private var late: [DestinationInstance] = []
  /// The archives that had their turn, by path, with the rows of their objects: for errors that
  /// are found at the end.
  var origins: [String: [RowOrigins]] = [:]
  /// The row that references to the current object lead to, until a row of its table is inserted.
  var handedOut: RowReference?
  /// The time that expressions see: the same throughout the run.
  let now = Date.now
  /// Rows that are to be deleted at the end.
  var deleted: [RowReference] = []

  /// A row of a table.
  struct RowKey: Hashable {
    var table: Int
    var id: Int64
  }

  init(
    _ plan: ImportPlan, _ store: StoreWriter, lastIDs: [Int64], isAppending: Bool,
    keepsAssociations: Bool, keepsSources: Bool
  ) {
    self.plan = plan
    self.store = store
    self.lastIDs = lastIDs
    let (places, numbers) = RelationshipPlace.all(of: plan.model, plan.layout, plan.hierarchy)
    relationships = places
    entities = EntityShape.all(plan, places, numbers)
    links = RelationshipBook(places, lastIDs: lastIDs, olderRowsExist: isAppending)
    identities = IdentityIndex(readsStore: isAppending)
    associations = Associations(isKept: keepsAssociations, keepsSources: keepsSources)
  }

  // MARK: Inserting

  /// Inserts a row.
  ///
  /// The first row that a hook, or a policy for a source instance, inserts is the one that
  /// references to the archived object lead to.
  ///
  /// - Parameter entityName: The name of an entity of the model that is not abstract.
  /// - Returns: The row, with the model's defaults for its attributes.
  /// - Throws: `ImportError` if there is no such entity.
  @discardableResult
  public func insert(into entityName: String) throws -> DestinationInstance {
    let entity = try entityNumber(entityName)
    if let reference = handedOut, entities[reference.entity].table == entities[entity].table {
      handedOut = nil
      return register(RowReference(entity: entity, id: reference.id), wasFound: false)
    }
    return register(RowReference(entity: entity, id: newRow(entity)), wasFound: false)
  }

  /// Finds the row whose attributes have some values, or inserts one.
  ///
  /// Values are compared after they were converted to the attributes' types. Rows are found that
  /// were made with the same attributes as identity, in this run or, when a run adds to a store,
  /// before it.
  ///
  /// - Parameters:
  ///   - entityName: The name of an entity.
  ///   - identity: The values of the attributes that tell one row from another.
  /// - Returns: The row; `wasFound` tells whether it was there.
  /// - Throws: `ImportError` if there is no such entity or attribute; `StoreError`.
  @discardableResult
  public func findOrInsert(
    into entityName: String, identity: [String: ImportValue]
  ) throws -> DestinationInstance {
    let entity = try entityNumber(entityName)
    let names = identity.keys.sorted()
    let numbers = try names.map { name in
      guard let number = entities[entity].attributeNumbers[name] else {
        throw ImportError(.unknownProperty, name: "\(entityName).\(name)")
      }
      return number
    }
    let values = zip(names, numbers).map { name, number in
      coerced(identity[name] ?? .null, to: entities[entity].attributes[number].attribute.type)
    }
    let (reference, wasFound) = try find(entity, numbers, values)
    let instance = register(reference, wasFound: wasFound)
    if !wasFound {
      for (number, value) in zip(numbers, values) { instance.slots[number] = .value(value) }
    }
    return instance
  }

  /// The row that a reference stands for.
  ///
  /// - Parameter reference: A reference that a coder or a context gave.
  /// - Returns: The row. Its values are read from the store when they are asked for.
  public func instance(for reference: RowReference) -> DestinationInstance {
    if let known = open.last(where: { $0.reference == reference }) { return known }
    let instance = register(reference, wasFound: true)
    instance.isMerged = false
    return instance
  }

  /// Deletes a row at the end of the run, as the delete rules of its relationships have it.
  ///
  /// - Parameter instance: The row.
  public func delete(_ instance: DestinationInstance) {
    deleted.append(instance.reference)
  }

  /// The number of an entity that can have rows.
  func entityNumber(_ name: String) throws(ImportError) -> Int {
    guard let number = plan.hierarchy.number(of: name) else {
      let nearest = NearestName.find(name, in: plan.model.entities.map(\.name))
      throw ImportError(.unknownEntity, name: name, nearest: nearest)
    }
    guard !plan.model.entities[number].isAbstract else {
      throw ImportError(.abstractEntity, name: name)
    }
    return number
  }

  /// The row of an entity with an identity: one that was there, or a new id.
  func find(
    _ entity: Int, _ attributes: [Int], _ values: [ImportValue],
    folding: RelationshipMapping.Folding = .none
  ) throws(StoreError) -> (RowReference, wasFound: Bool) {
    // As in SQL, nothing is not equal to nothing.
    guard values.contains(where: { !$0.isNull }) else {
      return (RowReference(entity: entity, id: newRow(entity)), false)
    }
    if let id = try identities.find(entity, attributes, values, folding, self) {
      return (RowReference(entity: entity, id: id), true)
    }
    let id = newRow(entity)
    identities.add(id, entity, attributes, values, folding, self)
    return (RowReference(entity: entity, id: id), false)
  }

  /// The id of a new row.
  func newRow(_ entity: Int) -> Int64 {
    let table = entities[entity].table
    if let session { return session.importer.rows.newRow(table: table) }
    lastIDs[table] += 1
    return lastIDs[table]
  }

  /// Takes a row in hand: it is written when the hook or policy returns.
  func register(_ reference: RowReference, wasFound: Bool) -> DestinationInstance {
    let instance = DestinationInstance(reference, wasFound: wasFound, in: self)
    takeInHand(instance)
    return instance
  }

  /// Takes a row in hand that something was said of, which may be after it was written.
  func takeInHand(_ instance: DestinationInstance) {
    guard !instance.isOpen else { return }
    instance.isOpen = true
    open.append(instance)
  }

  /// Writes all rows that were taken in hand.
  func flush() throws {
    // Writing a row takes no other in hand.
    for instance in open {
      instance.isOpen = false
      if instance.isWritten, isPending(instance.reference) {
        // Its object has yet to become it: what is said of it before comes behind.
        late.append(instance)
      } else {
        try write(instance)
      }
    }
    open.removeAll(keepingCapacity: true)
  }

  /// Writes what was said of rows before they were made.
  func flushLate() throws {
    let instances = late
    late = []
    for instance in instances {
      // Its object may have become another row, or none.
      guard let row = resolved(instance.reference) else { continue }
      instance.reference = row
      try write(instance)
    }
  }

  /// Drops the rows that a hook took in hand before it failed.
  func discard() {
    for instance in open { instance.isOpen = false }
    open.removeAll(keepingCapacity: true)
  }

  /// Lets go of the rows that were taken in hand: the run has failed.
  func abandon() { open = [] }

  // MARK: Setting

  func set(_ value: ImportValue, for name: String, in instance: DestinationInstance) {
    let entity = entities[instance.reference.entity]
    if let number = entity.attributeNumbers[name] {
      setAttribute(value, number, in: instance)
    } else if let number = entity.relationshipNumbers[name] {
      relate(value, number, of: instance.reference)
    } else if entity.collections[name] != nil {
      instance.collections[name] = .value(value)
      takeInHand(instance)
    } else {
      let nearest = NearestName.find(name, in: entity.propertyNames)
      report.add(
        ValidationError(
          .unknownName, entity: entity.name, property: name,
          detail: nearest.map { "did you mean '\($0)'?" }), at: place)
    }
  }

  func setAttribute(_ value: ImportValue, _ number: Int, in instance: DestinationInstance) {
    instance.slots[number] = .value(value)
    if instance.isWritten { instance.changed.insert(number) }
    takeInHand(instance)
  }

  /// A value as an attribute of a type holds it; errors are noticed when the row is written.
  func coerced(_ value: ImportValue, to type: AttributeType) -> ImportValue {
    switch ValueCoercion.coerce(value, to: type) {
    case .value(let coerced), .lossy(let coerced, _): coerced
    case .refused: value
    }
  }

  /// The rows that earlier entity mappings and passes made of an object.
  func earlierRows(of uid: Int, archive: Int64) -> [RowReference] {
    associations.destinations(of: SourceKey(archive, uid))
  }

  /// Where an error or a loss is noticed.
  var place: ImportFindings.Place {
    session?.place ?? ImportFindings.Place()
  }
}

/// Why a hook or a policy cannot do what it asks for.
public struct ImportError: Error, Sendable, Hashable {
  /// The kinds of error.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The model has no entity of the name.
    case unknownEntity
    /// The entity is abstract: only its subentities have rows.
    case abstractEntity
    /// The entity has no property of the name.
    case unknownProperty
    /// There is no entity mapping of the name.
    case unknownMapping
    /// No hook is there for a superclass of the object.
    case noSuperclassHook
    /// The object's class has no entity of its own to insert a row into.
    case noEntity
    /// A value is not of the kind that was asked for.
    case wrongKind
    /// A hook or policy refuses an object, for the reason that it gives.
    case refused
    /// A policy cancelled the run.
    case cancelled
  }

  /// What is wrong.
  public var code: Code
  /// The name that is concerned, or the reason that was given.
  public var name: String
  /// The nearest name that exists.
  public var nearest: String?

  /// Creates an error.
  public init(_ code: Code, name: String, nearest: String? = nil) {
    self.code = code
    self.name = name
    self.nearest = nearest
  }
}

extension ImportError: CustomStringConvertible {
  /// The error in words.
  public var description: String {
    let hint = nearest.map { " (did you mean '\($0)'?)" } ?? ""
    return switch code {
    case .unknownEntity: "there is no entity '\(name)'\(hint)"
    case .abstractEntity: "the entity '\(name)' is abstract"
    case .unknownProperty: "there is no property '\(name)'\(hint)"
    case .unknownMapping: "there is no entity mapping '\(name)'\(hint)"
    case .noSuperclassHook: "no hook is there for a superclass of '\(name)'"
    case .noEntity: "the class '\(name)' has no entity"
    case .wrongKind: "the value under '\(name)' is of another kind"
    case .refused: name
    case .cancelled: "cancelled: \(name)"
    }
  }
}
