import ArchiveReader
import DataModel
import Foundation
import Importer
import Mappings
import Stores

/// The expected rows of all archives of a run, as far as they are known yet.
final class ExpectedRun {
  let plan: ImportPlan
  /// The library that the readers of all archives share.
  let library = GraphLibrary()
  /// For each table, the last row that is accounted for.
  var lastIDs: [Int64]
  var lastCollection: Int64

  /// The last rows that are accounted for.
  struct Position: Equatable, Sendable {
    /// For each table.
    var lastIDs: [Int64]
    var lastCollection: Int64

    /// Adds rows that a store says it has, for each table the last one.
    mutating func add(_ said: [(table: String, last: Int64)], in layout: RelationalLayout) {
      for (table, last) in said {
        if table == RelationalLayout.collectionTable {
          lastCollection = max(lastCollection, last)
        } else if let index = layout.tables.firstIndex(where: { $0.name == table }) {
          lastIDs[index] = max(lastIDs[index], last)
        }
      }
    }
  }

  /// Up to where rows are accounted for.
  var position: Position {
    get { Position(lastIDs: lastIDs, lastCollection: lastCollection) }
    set { (lastIDs, lastCollection) = (newValue.lastIDs, newValue.lastCollection) }
  }
  /// The properties of each entity, by name.
  let properties: [[Property]]
  private let propertyIndices: [[String: Int]]
  let shapes: [EntityShape]
  let relationships: [StoredRelationship]
  /// For each entity, the relationships that its rows have something of, by their indices: what is
  /// to-one, and what counts members.
  let relationshipIndices: [[Int]]
  /// The links that both sides of relationships name; nil where the archives alone decide, and
  /// agree.
  let links: ExpectedLinks?
  /// The rows that identities and parts of texts find.
  var identities: [IdentityKey: RowReference] = [:]
  /// The entities of rows that later objects of the same identity have narrowed.
  var narrowed: [RowKey: Int] = [:]
  /// Rows with an identity whose first object has had its turn.
  var begun: Set<RowKey> = []
  /// The values that later objects give to rows that others began.
  var laterValues: [RowKey: [Int: ExpectedValue]] = [:]
  var laterCollections: [RowKey: [String: [ExpectedElement]]] = [:]
  /// The values of rows whose first object has yet to have its turn.
  var waiting:
    [(row: RowKey, values: [Int: ExpectedValue], elements: [String: [ExpectedElement]])] =
      []
  /// Rows that were made of parts of a value, each with the attribute that holds the part.
  var parts: [RowKey: Part] = [:]
  /// The rows that entity mappings made of objects, where later ones may ask for them.
  var earlierRows: [SourceKey: [(mapping: String, row: RowReference)]] = [:]
  let keepsEarlierRows: Bool

  /// A property of an entity.
  struct Property {
    var name: String
    var storage: RelationalLayout.PropertyStorage
    /// The relationships of its name, by their indices.
    var toOne: Int?
    var toMany: Int?

    /// True if rows or collections can stand under its key.
    var leadsAnywhere: Bool {
      storage.reference != nil || storage.elements != nil || storage.members != nil
        || storage.inverseElements != nil || storage.overflow != nil
    }
  }

  /// The key that tells a row from others: the values of some attributes of an entity, and of those
  /// that inherit from it.
  struct IdentityKey: Hashable {
    var root: Int
    var attributes: [Int]
    var folding: RelationshipMapping.Folding
    var values: [ImportValue]
  }

  /// The part of a value that a row was made of.
  struct Part {
    var entity: Int
    var attribute: Int
    var value: ImportValue
  }

  init(_ plan: ImportPlan, from position: Position) {
    self.plan = plan
    (lastIDs, lastCollection) = (position.lastIDs, position.lastCollection)
    let (relationships, indices) = StoredRelationship.all(
      of: plan.model, plan.layout, plan.hierarchy)
    self.relationships = relationships
    relationshipIndices = indices.map { indices in
      indices.values.filter { !relationships[$0].isToMany || relationships[$0].count != nil }
        .sorted()
    }
    shapes = EntityShape.all(plan, relationships, indices)
    properties = plan.layout.entities.indices.map { entity in
      plan.layout.entities[entity].properties.sorted { $0.key < $1.key }.map { name, storage in
        let own = [name, name + StoredRelationship.secondSuffix].compactMap { indices[entity][$0] }
        return Property(
          name: name, storage: storage, toOne: own.first { !relationships[$0].isToMany },
          toMany: own.first { relationships[$0].isToMany })
      }
    }
    propertyIndices = properties.map { properties in
      Dictionary(uniqueKeysWithValues: zip(properties.map(\.name), properties.indices))
    }
    links = plan.isPlain ? nil : ExpectedLinks(relationships, plan)
    hasIndependentArchives = plan.passes.count == 1 && !plan.findsRows
    keepsEarlierRows =
      plan.passes.count > 1 || plan.passes.contains { $0.entities.contains(where: \.asksForRows) }
  }

  /// The index of a property among those of an entity.
  func index(ofProperty name: String, _ entity: Int) -> Int? { propertyIndices[entity][name] }

  /// True if the rows of an archive depend on no other archive, so that it can be compared at once.
  let hasIndependentArchives: Bool

  /// True if nothing of this is changed any more once an archive has been walked: then several
  /// threads may read it.
  var isSettled: Bool { hasIndependentArchives && !keepsEarlierRows }

  /// The row with an identity, which is handed out if there is none yet.
  func find(
    _ entity: Int, _ attributes: [Int], _ values: [ImportValue],
    _ folding: RelationshipMapping.Folding, make: () -> Int64
  ) -> (id: Int64, wasFound: Bool) {
    // As in SQL, nothing is not equal to nothing.
    guard values.contains(where: { !$0.isNull }) else { return (make(), false) }
    var key = IdentityKey(
      root: plan.identityRoot(of: entity, attributes, shapes), attributes: attributes,
      folding: folding, values: values.map { $0.folded(folding) })
    if let known = identities[key] {
      if known.entity != entity, plan.hierarchy.isKind(entity, of: known.entity) {
        narrowed[RowKey(table: shapes[entity].table, id: known.id)] = entity
        note(RowReference(entity: entity, id: known.id), &key)
      }
      return (known.id, true)
    }
    let row = make()
    note(RowReference(entity: entity, id: row), &key)
    return (row, false)
  }

  /// Notes a row by its identity, for its entity and those that it inherits from.
  private func note(_ row: RowReference, _ key: inout IdentityKey) {
    for ancestor in plan.hierarchy.ancestors(of: row.entity) {
      key.root = ancestor
      if let known = identities[key], known.id != row.id { continue }
      identities[key] = row
    }
  }

  /// Adds what a further object says of a row.
  func add(_ values: [Int: ExpectedValue], _ elements: [String: [ExpectedElement]], to row: RowKey)
  {
    guard begun.contains(row) else {
      waiting.append((row, values, elements))
      return
    }
    // Where the later object has nothing, the earlier value stays.
    for (attribute, value) in values where !value.isNothing {
      laterValues[row, default: [:]][attribute] = value
    }
    for (name, elements) in elements { laterCollections[row, default: [:]][name] = elements }
  }

  /// Adds what was said of rows before they were begun: an archive's turn ends.
  func endTurn() {
    let late = waiting
    waiting = []
    for (row, values, elements) in late {
      begun.insert(row)
      add(values, elements, to: row)
    }
    links?.endTurn()
  }
}

/// The declarations that a store must have, by the layouts of the runs that made it.
///
/// A run that adds to a store adds tables, columns, indexes and views, and changes nothing else.
struct ExpectedSchema {
  private(set) var tables: [String: Table] = [:]
  private(set) var indexes: [String: Index] = [:]
  private(set) var views: [String: StoreSchema.Entry] = [:]
  /// The views of superclasses, which the tables and classes of the whole store determine.
  var superclassViews: [SuperclassViews.View] = []
  /// True if there is a table for full-text search.
  var isSearchable = false
  /// True if all runs are known: else there may be more.
  var isComplete = true
  /// The declarations of the store before the runs that are known.
  var earlier: StoreSchema? {
    didSet {
      for (name, form) in earlier?.tables ?? [:] where form.isOwnForm(name) {
        tables[name] = Table(name: name, columns: form.columns)
      }
    }
  }

  /// Adds what a run needs.
  mutating func add(_ layout: RelationalLayout, own: [Table]) {
    for table in own + layout.tables + layout.elementTables.map(\.table) {
      let table = Table(name: table.name, columns: table.declaredColumns)
      guard var known = tables[table.name] else {
        tables[table.name] = table
        continue
      }
      let names = Set(known.columns.map(\.name))
      known.columns += table.columns.filter { !names.contains($0.name) }
      tables[table.name] = known
    }
    for index in layout.indexes + RelationalLayout.bookkeepingIndexes(on: own)
    where indexes[index.name] == nil {
      indexes[index.name] = index
    }
    let creations =
      layout.views.map { ($0.name, $0.keptCreation) }
      + layout.queries.map { ($0.name, $0.keptCreation) }
    for (name, sql) in creations {
      views[name] = StoreSchema.Entry(name: name, table: name, sql: sql)
    }
  }
}
