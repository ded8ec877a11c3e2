import ArchiveReader
import Foundation
import Stores

/// The rows of an import on their way into the store: what hooks, mappings and policies write
/// through.
///
/// There is one for each run. Not for use by several threads.
package final class ImportContext: DestinationContext {
  // Properties that are not checked for exclusive access are touched for each object. That is safe:
  // one thread uses a context, and what is called while one of them is changed, which is methods of
  // its own type, does not come back to it.

  let plan: ImportPlan
  let store: StoreWriter
  let entities: [EntityShape]
  let relationships: [StoredRelationship]
  /// What the store has of rows.
  let storedRows: StoredRows
  @safe @exclusivity(unchecked) var links: RelationshipTracker
  var identities: IdentityIndex
  @safe @exclusivity(unchecked) var aliases: RowAliases
  @safe @exclusivity(unchecked) var associations: Associations
  /// The rows that a migration makes of source objects, and what there is to know of them.
  @safe @exclusivity(unchecked) package var migrated: MigratedRows
  @safe @exclusivity(unchecked) package var report = ImportFindings()
  /// For each table, the id of its last row, without the rows of the current archive.
  package var lastIDs: [Int64]
  /// The id of the last row of `_collection`, but for those of the archive whose turn it is.
  package var lastCollection: Int64 = 0
  /// The archive whose turn it is.
  var session: ImportSession?
  /// Rows that are to be written when the hook or policy returns.
  @safe @exclusivity(unchecked) var pending: PendingRows
  var origins = RowOriginIndex()
  /// The row that references to the current object lead to, until a row of its table is inserted.
  var handedOut: RowReference?
  /// The time that expressions see: the same throughout the run.
  package var now = Date.now
  /// Rows that are to be deleted at the end.
  var deleted: [RowReference] = []
  /// For each entity, in which order its attributes are set.
  let orders: [NameOrder]
  /// The name that a hook gave last for an entity, and its index.
  private var lastNamed: (name: String, index: Int) = ("", -1)
  /// What the parts of texts have found.
  var parts = PartIndex()
  /// The properties of entities as the layout has them.
  let plain: ShapePlans.PlainProperties
  /// For each of them whose members point back at their owner, the index of the pair in
  /// `InverseLinkChecker`.
  let pairs: [[Int?]]
  /// How the objects of classes are written straight from the archive.
  private var recipes: [RecipeKey: RowRecipe?] = [:]
  let isAppending: Bool
  /// Whether several objects may become one row.
  let mayMerge: Bool
  /// The first error of the store that could not be thrown where it came up.
  var storeFailure: (any Error)?

  private struct RecipeKey: Hashable {
    var className: String
    var pass: Int
  }

  init(
    _ plan: ImportPlan, _ store: StoreWriter, lastIDs: [Int64], isAppending: Bool,
    keepsAssociations: Bool, keepsSources: Bool
  ) {
    self.plan = plan
    self.store = store
    self.lastIDs = lastIDs
    self.isAppending = isAppending
    mayMerge = plan.findsRows
    plain = ShapePlans.PlainProperties(plan.layout)
    let (stored, indices) = StoredRelationship.all(of: plan.model, plan.layout, plan.hierarchy)
    relationships = stored
    entities = EntityShape.all(plan, stored, indices)
    storedRows = StoredRows(plan, entities, stored, store)
    aliases = RowAliases(entities)
    let inverseLinks =
      plan.validates
      ? InverseLinkChecker(stored, entities, after: lastIDs)
      : InverseLinkChecker(entityCount: entities.count)
    pairs = plain.storage.map { properties in
      properties.map { $0.members.flatMap { inverseLinks.pair(of: $0, plan.layout) } }
    }
    orders = entities.map { NameOrder(count: $0.attributes.count) }
    pending = PendingRows(entityCount: entities.count)
    links = RelationshipTracker(stored, lastIDs: lastIDs)
    identities = IdentityIndex(plan, readsStore: isAppending || plan.migration != nil)
    migrated = MigratedRows(count: plan.migration?.entities.count ?? 0)
    associations = Associations(isKept: keepsAssociations, keepsSources: keepsSources)
  }

  // MARK: Rows straight from the archive

  /// How the objects of a class become rows straight from the archive; nil if they do not.
  func recipe(ofClass name: String, _ pass: ImportPlan.Pass) -> RowRecipe? {
    let key = RecipeKey(className: name, pass: pass.index)
    if let known = recipes[key] { return known }
    let recipe = pass.direct[name].map { direct in
      let mapping = pass.entities[direct.index]
      return RowRecipe(mapping, direct, entities[mapping.entity], relationships)
    }
    recipes[key] = .some(recipe)
    return recipe
  }

  /// What knows which members of an archive's rows are claimed by their owners.
  func inverseLinkChecker(after lastIDs: [Int64]) -> InverseLinkChecker {
    // Nothing asks for it where there is no model, no mapping and no hook.
    plan.validates
      ? InverseLinkChecker(relationships, entities, after: lastIDs)
      : InverseLinkChecker(entityCount: entities.count)
  }

  // MARK: Inserting

  package func insert(into entityName: String) throws -> DestinationInstance {
    let row = insert(into: try entityIndex(entityName))
    if let migration = plan.migration { setInitialValues(of: row, migration) }
    return DestinationInstance(row, wasFound: false)
  }

  /// Inserts a row into an entity that can have rows.
  ///
  /// The first row that a hook, or a policy for a source instance, inserts is the one that
  /// references to the archived object lead to.
  func insert(into entity: Int) -> RowInstance {
    if let reference = handedOut, entities[reference.entity].table == entities[entity].table {
      handedOut = nil
      return register(RowReference(entity: entity, id: reference.id), wasFound: false)
    }
    return register(RowReference(entity: entity, id: newRow(entity)), wasFound: false)
  }

  package func findOrInsert(
    into entityName: String, identity: [String: ImportValue]
  ) throws -> DestinationInstance {
    let entity = try entityIndex(entityName)
    let names = identity.keys.sorted()
    let indices = try names.map { name in
      guard let index = entities[entity].attributeIndices[name] else {
        throw ImportError(.unknownProperty, name: "\(entityName).\(name)")
      }
      return index
    }
    let values = zip(names, indices).map { name, index in
      ValueCoercion.coerced(
        identity[name] ?? .null, to: entities[entity].attributes[index].attribute.type)
    }
    if plan.migration != nil {
      for (name, index) in zip(names, indices) {
        migrated.uses.noteFilled(name, of: entity)
        let type = entities[entity].attributes[index].attribute.type
        if let value = identity[name], value.fitted(to: type) == nil {
          throw MigrationError(
            .unsuitableValue, property: name, name: "\(name) cannot hold a \(value.kind)")
        }
      }
      // What was changed of rows is found by its new values.
      if pending.rows.contains(where: { $0.isWritten && !$0.changed.isEmpty }) { try flush() }
      if let known = pendingRow(of: entity, indices, values) {
        return DestinationInstance(known, wasFound: true)
      }
    }
    let (reference, wasFound) = try find(entity, indices, values)
    if wasFound, let known = pending.find(reference) {
      return DestinationInstance(known, wasFound: true)
    }
    let instance = register(reference, wasFound: wasFound)
    if wasFound {
      if plan.migration != nil { instance.isMerged = false }
      instance.changed.formUnion(newAttributes(of: reference))
    } else {
      if let migration = plan.migration { setInitialValues(of: instance, migration) }
      for (index, value) in zip(indices, values) { instance.slots[index] = .value(value) }
    }
    return DestinationInstance(instance, wasFound: wasFound)
  }

  package func instance(for reference: RowReference) -> DestinationInstance {
    DestinationInstance(row(for: reference), wasFound: true)
  }

  /// The row that a reference stands for; its values are read from the store when they are asked
  /// for.
  func row(for reference: RowReference) -> RowInstance {
    let reference = present(reference)
    if let known = pending.find(reference) { return known }
    let instance = register(reference, wasFound: true)
    instance.isMerged = false
    return instance
  }

  /// Deletes a row at the end of the run, as the delete rules of its relationships have it.
  ///
  /// In a migration it is gone at once, with its links.
  package func delete(_ instance: DestinationInstance) {
    guard plan.migration != nil else { return deleted.append(instance.reference) }
    deleteAtOnce(instance.reference)
  }

  /// The index of an entity that can have rows.
  func entityIndex(_ name: String) throws(ImportError) -> Int {
    if lastNamed.index >= 0, lastNamed.name == name { return lastNamed.index }
    guard let index = plan.hierarchy.index(of: name) else {
      let nearest = NearestName.find(name, in: plan.model.entities.map(\.name))
      throw ImportError(
        .unknownEntity, name: name, nearest: nearest,
        expected: plan.source == nil
          ? "without a model, there are only those of the archives; give one" : nil)
    }
    guard !plan.model.entities[index].isAbstract else {
      throw ImportError(.abstractEntity, name: name)
    }
    lastNamed = (name, index)
    return index
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
    if let row = try identities.find(entity, attributes, values, folding, storedRows),
      !migrated.gone.contains(row)
    {
      return (try found(row, as: entity, attributes, values, folding), true)
    }
    let row = RowReference(entity: entity, id: newRow(entity))
    // A policy may change it until it is written.
    if plan.migration == nil {
      try identities.add(row, attributes, values, folding, storedRows)
    }
    return (row, false)
  }

  /// The id of a new row.
  func newRow(_ entity: Int) -> Int64 {
    let table = entities[entity].table
    if let session { return session.rows.newRow(table: table) }
    lastIDs[table] += 1
    return lastIDs[table]
  }

  /// The rows that earlier entity mappings and passes made of an object.
  func earlierRows(of uid: Int, archive: Int64) -> [RowReference] {
    associations.destinations(of: SourceKey(archive, uid))
  }

  /// Where an error or a loss is noticed.
  var location: ImportFindings.Location {
    session?.location ?? ImportFindings.Location()
  }
}

extension ImportContext {
  /// What is known of a row's to-one relationship; for rows that are older, what the store says.
  ///
  /// It leads to the row that took the place of another, as soon as that is known.
  func cell(_ relationship: Int, of row: RowReference) -> ForeignKeyBuffer.Cell {
    var cell = knownCell(relationship, of: row)
    guard !aliases.isEmpty, cell.target != 0 else { return cell }
    let target = resolved(RowReference(entity: Int(cell.targetEntity), id: cell.target))
    guard let target else { return ForeignKeyBuffer.Cell(isLoaded: cell.isLoaded) }
    (cell.target, cell.targetEntity) = (target.id, Int32(truncatingIfNeeded: target.entity))
    return cell
  }

  private func knownCell(_ relationship: Int, of row: RowReference) -> ForeignKeyBuffer.Cell {
    if let known = links.cells[relationship]?.cell(of: row.id) { return known }
    // The walk over a store that is migrated has written rows straight.
    guard links.cells[relationship]?.isOlder(row.id) == true || isWalked(row),
      links.isWritten(row.id, table: relationships[relationship].table),
      let reference = relationships[relationship].reference
    else { return ForeignKeyBuffer.Cell() }
    return answer(orElse: ForeignKeyBuffer.Cell(isLoaded: true)) {
      try storedRows.cell(relationships[relationship], reference, row.id)
    }
  }
}
