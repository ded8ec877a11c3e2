import DataModel

/// The tables in which Core Data keeps the rows of a model, and where each property goes.
///
/// The form is that of the frameworks from version 866 (2018) on. The rules were found by comparing
/// stores with their models; Documentation/layouts.md has them.
package struct CoreDataLayout: Sendable, Equatable {
  /// The places of the entities, in the order of their numbers: the first has number 1.
  package var entities: [EntityStorage] = []
  /// The tables of entities: one for each that inherits from none.
  package var tables: [CoreDataTable] = []
  /// For each of them, the numbers of its entities.
  package var members: [[Int]] = []
  /// The tables of many-to-many relationships.
  package var joinTables: [JoinTable] = []
  /// For each table of entities, its indexes and those of its join tables.
  package var indexes: [[CoreDataTable.StoredIndex]] = []
  /// What the model asks for that no rule is known for, or that Core Data cannot keep.
  package var gaps: [ModelError] = []
  /// The indexes that are left out since their form in the store is not known: `Entity.index`.
  package var omittedIndexes: [String] = []

  /// The place of the rows of an entity.
  package struct EntityStorage: Sendable, Equatable {
    package var entity: Entity
    /// The number of the entity: the first has 1.
    package var number: Int
    /// The numbers that the store has for the entity and its subentities, the own one first.
    ///
    /// They are `Z_ENT` of their rows. Where the store is not made yet, they are those of the
    /// layout.
    package var storeNumbers: [Int]
    /// The number of the entity that it inherits from; 0 for a root.
    package var parent: Int
    /// The last number of its subentities: they follow it, so that a range has them all.
    package var last: Int
    /// Its table, by its place in `tables`.
    package var table: Int
    /// For each stored attribute, inherited ones included, its column.
    package var attributes: [String: Int] = [:]
    /// For each stored relationship, inherited ones included, its place.
    package var relationships: [String: LinkStorage] = [:]

    /// The numbers of the entity and its subentities.
    package var numbers: ClosedRange<Int> { number...max(number, last) }
    var hasSubentities: Bool { last > number }
    package var isRoot: Bool { parent == 0 }
    /// The number that the store has for the entity.
    package var storeNumber: Int { storeNumbers.first ?? number }
  }

  /// The place of the links of a relationship.
  package enum LinkStorage: Sendable, Equatable {
    /// In the own row.
    case column(ReferenceColumns)
    /// In the rows that it leads to, by their to-one relationship.
    case members(entity: Int, relationship: String)
    /// In the rows that it leads to, in a column that has no relationship of theirs.
    case memberColumn(table: Int, column: Int)
    /// In a join table. A self-referential relationship has two, of which Core Data uses one.
    case join(tables: [Int])
  }

  /// The columns of a to-one relationship.
  package struct ReferenceColumns: Sendable, Equatable {
    /// The number of the entity that it leads to.
    package var destination: Int
    package var column: Int
    /// The column with the number of the row's entity, where there are subentities.
    package var entityColumn: Int?
    /// The column with the place in the ordered collection of the inverse.
    package var orderColumn: Int?
    package var inverse: String?
  }

  /// The table of a many-to-many relationship and its inverse.
  package struct JoinTable: Sendable, Equatable {
    package var table: CoreDataTable
    /// The table of entities that it stands after.
    package var owner: Int
    package var first: JoinSide
    package var second: JoinSide
    /// True for the second of two tables of which Core Data uses one.
    var isAlternative = false

    /// The side with the members of a relationship, by the entity that declares it.
    package func members(of relationship: String, _ owner: Int) -> JoinSide {
      second.owner == owner && second.relationship == relationship ? second : first
    }
  }

  /// One side of a join table: the members of a relationship.
  package struct JoinSide: Sendable, Equatable {
    /// The number of the entity that has the relationship.
    package var owner: Int
    package var relationship: String
    /// The number of the entity that it leads to.
    var destination: Int
    package var column: Int
    /// The column with the members' order.
    package var orderColumn: Int?
  }

  /// The columns that all tables of entities begin with.
  package static let keyColumn = "Z_PK"
  package static let entityColumn = "Z_ENT"
  package static let counterColumn = "Z_OPT"

  package static let primaryKeyTable = "Z_PRIMARYKEY"
  package static let metadataTable = "Z_METADATA"
  package static let modelCacheTable = "Z_MODELCACHE"

  /// The statements that make the tables that each store has.
  static let fixedTables = [
    """
    CREATE TABLE Z_PRIMARYKEY \
    (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)
    """,
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
    "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
  ]
  /// The same, by the names of the tables in small letters.
  static let fixedCreations = Dictionary(
    uniqueKeysWithValues: zip(
      [primaryKeyTable, metadataTable, modelCacheTable].map(\.folded), fixedTables))

  /// Lays out the tables of a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - storeNumbers: The numbers that a store has for entities, by name (`Z_PRIMARYKEY`): names
  ///     of tables and columns hold them. An entity without one has that of the model, or if
  ///     another entity has that, none that is in use.
  ///   - isTemporary: True for a store that Core Data does not open: many-to-many relationships that
  ///     are their own inverse have a table, too.
  package init(_ model: Model, storeNumbers: [String: Int] = [:], isTemporary: Bool = false) {
    var builder = Builder(model, storeNumbers)
    builder.isTemporary = isTemporary
    self = builder.build()
  }

  package init() {}

  /// The statements that make all tables, and indexes if they are wanted, in the order of Core
  /// Data.
  package func creation(indexed: Bool) -> [String] {
    let joins = Dictionary(grouping: joinTables, by: \.owner)
    var statements: [String] = []
    for (number, table) in tables.enumerated() {
      statements.append(table.creation)
      statements += (joins[number] ?? []).map(\.table.creation)
    }
    if indexed { statements += indexes.joined().map { $0.creation() } }
    return statements + Self.fixedTables
  }

  /// The table of the rows of an entity, by its number.
  package func table(of number: Int) -> CoreDataTable { tables[entities[number - 1].table] }
}

extension CoreDataLayout {
  /// The most columns that `partialColumns` gives together.
  private static let maxPartialColumns = 400

  /// The columns of a table that belong to properties of some of its entities: those of rows of the
  /// others are NULL.
  ///
  /// - Parameter table: The table, by its place in `tables`.
  /// - Returns: The columns, by the numbers that the store has for the entities that have them; all
  ///   in ascending order, and no more together than a statement has room for.
  package func partialColumns(of table: Int) -> [(owners: [Int], columns: [Int])] {
    let members = members[table].map { entities[$0 - 1] }
    var owners: [Int: Set<Int>] = [:]
    for storage in members {
      var columns = Array(storage.attributes.values)
      for case .column(let reference) in storage.relationships.values {
        columns.append(reference.column)
        columns += [reference.entityColumn, reference.orderColumn].compactMap(\.self)
      }
      for column in columns { owners[column, default: []].insert(storage.storeNumber) }
    }
    return Dictionary(grouping: owners.keys) { owners[$0, default: []].sorted() }
      .filter { $0.key.count < members.count }
      .flatMap { owners, columns in
        let sorted = columns.sorted()
        return stride(from: 0, to: sorted.count, by: Self.maxPartialColumns).map { first in
          (owners: owners, columns: Array(sorted[first...].prefix(Self.maxPartialColumns)))
        }
      }
      .sorted { $0.columns.lexicographicallyPrecedes($1.columns) }
  }
}
