import DataModel

/// The tables that a model becomes in the relational layout, and where each property goes.
///
/// See Documentation/layouts.md for the rules, which are a contract with those who query stores.
package struct RelationalLayout: Sendable {
  /// The tables of entities: one for each that inherits from none, in the order of the model.
  package var tables: [Table] = []
  /// The places of the entities, in the order of the model's entities.
  package var entities: [EntityStorage] = []
  /// The tables of collections.
  package var elementTables: [ElementTable] = []
  package var indexes: [Index] = []
  /// Views of the entities that share the table of another.
  package var views: [View] = []
  /// Views that a mapping defines, in its order: one may show another before it.
  package var queries: [NamedQuery] = []
  /// The forms of columns of the store's own tables, by their names, where they are not plain.
  package var ownForms: [String: [Int: Form]] = [:]
  /// Whether the tables of entities are those of an attached database, or are copied into it.
  package var isAttached = false

  package static let runTable = "_run"
  package static let reportTable = "_report"
  package static let archiveTable = "_archive"
  package static let topTable = "_top"
  package static let rowsTable = "_rows"
  package static let classTable = "_class"
  package static let objectsTable = "_objects"
  package static let collectionTable = "_collection"
  package static let collectionElementTable = "_collection_element"
  package static let metadataTable = "_metadata"
  /// The table of the archives themselves, deflated in parts.
  package static let originalTable = "_original"
  /// The table in the store of a shard that tells its part in the run.
  package static let shardTable = "_shard"
  /// The column that names the entity of a row, where entities share a table or a view.
  package static let entityColumn = "_entity"
  /// The table in a store under construction for the state of the run that builds it.
  package static let checkpointTable = "_checkpoint"
  /// The table of the rows that take the place of others, for as long as a connection is open.
  package static let aliasTable = "_alias"

  /// The table by which texts are found: see `SearchTable`.
  package static let searchTable = "_search"
  /// The table, and those that FTS5 keeps its rows and words in.
  package static let searchTables = ["", "_config", "_content", "_data", "_docsize", "_idx"]
    .map { searchTable + $0 }

  package static let reservedTableNames =
    [
      runTable, reportTable, archiveTable, topTable, rowsTable, classTable, objectsTable,
      collectionTable, collectionElementTable, metadataTable, originalTable, checkpointTable,
      aliasTable, shardTable,
    ] + searchTables

  /// The place of an entity's rows.
  package struct EntityStorage: Sendable {
    package var name: String
    /// The number by which the discriminator tells it; nil where that has the name.
    package var number: Int?
    /// Its table, by its place in `tables`: that of the entity at the root of its hierarchy.
    package var table: Int
    /// The column that tells the entities of a hierarchy apart.
    package var discriminator: Int?
    /// The places of its properties, inherited ones included, by name.
    package var properties: [String: PropertyStorage] = [:]
    /// The table of the properties for which its own has no room.
    package var overflow: Int?

    /// What the discriminator has for it.
    package var kind: StoredValue { number.map { .integer(Int64($0)) } ?? .text(name) }
  }

  /// The place of a property's values.
  ///
  /// Columns are numbered from 0, which is the primary key.
  package struct PropertyStorage: Sendable {
    package var value: Int?
    /// The column of the attributes of a text, as JSON.
    package var runs: Int?
    /// The column that computes a number from the text of a decimal.
    package var index: Int?
    package var reference: Int?
    /// The column that names the table a reference leads to, where there are several.
    package var referenceType: Int?
    /// The column that tells an empty collection (0) from none at all (NULL).
    package var count: Int?
    /// The table of the elements of collections, by its place in `elementTables`.
    package var elements: Int?
    /// Instead: the members' own table, which holds their position.
    package var members: MemberStorage?
    /// Instead: the table of the elements of the inverse, which holds the same links.
    ///
    /// It has the place of this relationship's position, if the order is kept.
    package var inverseElements: Int?
    /// Instead: the table of the properties for which the entity's own has no room.
    package var overflow: Int?

    package init() {}
  }

  /// The place of a to-many relationship whose members point back.
  package struct MemberStorage: Sendable {
    /// The members' entity.
    package var entity: Int
    /// Its column with the owner.
    package var reference: Int
    /// Its column with the position in the owner's collection, if the order is kept.
    package var position: Int?
  }

  /// A table of the elements of collections: its columns by their use.
  package struct ElementTable: Sendable {
    package var table: Table
    package var owner = 0
    package var position: Int?
    package var key: Int?
    package var keyReference: Int?
    package var keyType: Int?
    package var value: Int?
    package var reference: Int?
    package var referenceType: Int?
    /// True if two inverse relationships share it: then every element has its place, in a set too.
    package var isShared = false
    /// In a table that two inverse relationships share: the position in the other one.
    package var inversePosition: Int?
  }

  /// The table of an entity.
  package func table(of entity: Int) -> Table { tables[entities[entity].table] }

  /// The condition, in SQL, for the rows of some entities among those of their table; nil where the
  /// table has no others.
  package func condition(forRowsOf indices: [Int]) -> String? {
    guard let first = indices.first, let column = entities[first].discriminator else { return nil }
    let kinds = indices.map {
      entities[$0].number.map(String.init) ?? SQL.literal(entities[$0].name)
    }
    return View.condition(table(of: first).columns[column].name, kinds)
  }
}

extension RelationalLayout {
  /// For each table, the columns that count the elements of collections, by the names of these.
  package var countColumns: [String: [String: String]] {
    var found: [String: [String: String]] = [:]
    for entity in entities {
      let table = tables[entity.table]
      for (name, place) in entity.properties {
        guard let column = place.count else { continue }
        found[table.name, default: [:]][name] = table.columns[column].name
      }
    }
    return found
  }

  /// Lays out the tables of a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - earlier: The tables of the store that is added to.
  ///   - keepsIDs: True if an attribute `id` keeps its name: then the key of its table has another.
  package init(
    _ model: Model, after earlier: EarlierTables = EarlierTables(), keepsIDs: Bool = false
  ) {
    var builder = Builder(model, after: earlier, keepsIDs: keepsIDs)
    self = builder.build()
  }
}
