/// The tables in which Core Data keeps the rows of a model, and where each property goes.
///
/// The form is that of the frameworks from version 866 (2018) on. The rules were found by comparing
/// stores with their models; Documentation/layouts.md has them.
struct CoreDataLayout: Sendable, Equatable {
  /// Where the entities are kept, in the order of their numbers: the first has number 1.
  var entities: [EntityPlace] = []
  /// The tables of entities: one for each that inherits from none.
  var tables: [CoreDataTable] = []
  /// For each of them, the numbers of its entities.
  var members: [[Int]] = []
  /// The tables of many-to-many relationships.
  var joinTables: [JoinTable] = []
  /// For each table of entities, its indexes and those of its join tables.
  var indexes: [[CoreDataIndex]] = []
  /// What the model asks for that no rule is known for, or that Core Data cannot keep.
  var gaps: [ModelError] = []
  /// The indexes that are left out since their form in the store is not known: `Entity.index`.
  var omittedIndexes: [String] = []

  /// Where the rows of an entity are kept.
  struct EntityPlace: Sendable, Equatable {
    var entity: Entity
    /// The number of the entity: `Z_ENT` of its rows.
    var number: Int
    /// The number of the entity that it inherits from; 0 for a root.
    var parent: Int
    /// The last number of its subentities: they follow it, so that a range has them all.
    var last: Int
    /// Its table, by its place in `tables`.
    var table: Int
    /// For each stored attribute, inherited ones included, its column.
    var attributes: [String: Int] = [:]
    /// For each stored relationship, inherited ones included, its place.
    var relationships: [String: RelationshipPlace] = [:]

    /// The numbers of the entity and its subentities.
    var numbers: ClosedRange<Int> { number...max(number, last) }
    var hasSubentities: Bool { last > number }
    var isRoot: Bool { parent == 0 }
  }

  /// Where the links of a relationship are kept.
  enum RelationshipPlace: Sendable, Equatable {
    /// In the own row.
    case column(ReferencePlace)
    /// In the rows that it leads to, by their to-one relationship.
    case members(entity: Int, relationship: String)
    /// In the rows that it leads to, in a column that has no relationship of theirs.
    case memberColumn(table: Int, column: Int)
    /// In a join table. A self-referential relationship has two, of which Core Data uses one.
    case join(tables: [Int])
  }

  /// The columns of a to-one relationship.
  struct ReferencePlace: Sendable, Equatable {
    /// The number of the entity that it leads to.
    var destination: Int
    var column: Int
    /// The column with the number of the row's entity, where there are subentities.
    var entityColumn: Int?
    /// The column with the place in the ordered collection of the inverse.
    var orderColumn: Int?
    var inverse: String?
  }

  /// The table of a many-to-many relationship and its inverse.
  struct JoinTable: Sendable, Equatable {
    var table: CoreDataTable
    /// The table of entities that it stands behind.
    var owner: Int
    var first: JoinSide
    var second: JoinSide
    /// Whether it is the second of two tables of which Core Data uses one.
    var isAlternative = false

    /// The side with the members of a relationship, by the entity that declares it.
    func members(of relationship: String, _ owner: Int) -> JoinSide {
      second.owner == owner && second.relationship == relationship ? second : first
    }
  }

  /// One side of a join table: the members of a relationship.
  struct JoinSide: Sendable, Equatable {
    /// The number of the entity that has the relationship.
    var owner: Int
    var relationship: String
    /// The number of the entity that it leads to.
    var destination: Int
    var column: Int
    /// The column with the members' order.
    var orderColumn: Int?
  }

  /// The columns that all tables of entities begin with.
  static let keyColumn = "Z_PK"
  static let entityColumn = "Z_ENT"
  static let counterColumn = "Z_OPT"

  static let primaryKeyTable = "Z_PRIMARYKEY"
  static let metadataTable = "Z_METADATA"
  static let modelCacheTable = "Z_MODELCACHE"

  /// The statements that make the tables that each store has.
  static let fixedTables = [
    """
    CREATE TABLE Z_PRIMARYKEY \
    (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)
    """,
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
    "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
  ]

  /// Lays out the tables of a model.
  init(_ model: Model) {
    var builder = CoreDataLayoutBuilder(model)
    self = builder.build()
  }

  init() {}

  /// The statements that make all tables and indexes, in the order of Core Data.
  var creation: [String] {
    let joins = Dictionary(grouping: joinTables, by: \.owner)
    var statements: [String] = []
    for (number, table) in tables.enumerated() {
      statements.append(table.creation)
      statements += (joins[number] ?? []).map(\.table.creation)
    }
    return statements + indexes.joined().map(\.creation) + Self.fixedTables
  }

  /// The table of the rows of an entity, by its number.
  func table(of number: Int) -> CoreDataTable { tables[entities[number - 1].table] }
}
