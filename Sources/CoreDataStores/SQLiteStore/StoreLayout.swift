import DataModel
import GraphCore
import Stores

/// The tables and columns of a store for what its model declares: every name and number is one of
/// the store's own.
///
/// The names follow from the model by the rules of `CoreDataLayout`, with the numbers that the
/// store gives to the entities. The order of columns, further columns and the age of the store do
/// not matter.
struct StoreLayout {
  /// The entities: a superentity stands before its subentities.
  var entities: [Entity] = []
  /// The tables of entities: one for each that inherits from none.
  var tables: [Table] = []
  /// The to-many relationships of all entities.
  var links: [Links] = []
  /// The greatest number of to-many relationships of an entity, inherited ones included.
  var maxLinkCount: Int { entities.reduce(0) { max($0, $1.linkCount) } }

  /// An entity of the model.
  struct Entity {
    let record: ClassRecord
    /// The number in the store: `Z_ENT` of its rows.
    let number: Int64
    /// The index of the entity that it inherits from.
    let parent: Int?
    /// The index of its table.
    let table: Int
    /// Attributes by name, then relationships by name, inherited ones included.
    var keys: [String] = []
    /// The places of the values under the keys.
    var properties: [Property] = []
    var linkCount = 0
  }

  /// The place of the values of a property.
  enum Property {
    /// In a column, by its place among those that are read.
    case attribute(AttributeType, column: Int, isExternal: Bool)
    /// A to-one relationship: the column with the key, and that with the number of the entity.
    case reference(Target, column: Int, entityColumn: Int?)
    /// A to-many relationship, by its index among the links, and its place among those of the
    /// entity.
    case links(Int, place: Int)
  }

  /// The objects that a relationship may lead to: those of an entity and its subentities.
  struct Target {
    let table: Int
    let entity: Int
  }

  /// A table of entities.
  struct Table {
    let name: String
    /// The column with the key.
    var key = CoreDataLayout.keyColumn
    /// The number of a row's entity, in SQL.
    ///
    /// Core Data does not ask for it in a table of one entity, which may be without the column.
    var entityNumber = SQL.quoted(CoreDataLayout.entityColumn)
    /// The columns that are read, after the key and the number of the entity.
    var columns: [String] = []
    /// Expressions that are read in the place of some of the columns, in SQL.
    var expressions: [Int: String] = [:]
    /// The entities of its rows, by their indexes.
    var entities: [Int] = []
    /// The index in `entities` of the only entity of its rows, whatever number they have; nil where
    /// there are several.
    var onlyPlace: Int? { entities.count == 1 ? 0 : nil }
  }

  /// The table that holds the links of a to-many relationship, and its columns.
  struct Links: Sendable {
    let table: String
    /// The column with the key of the object that has the relationship.
    let owner: String
    /// The column with the key of a member; nil where the row itself is the member.
    let member: String?
    /// The column with the place of the member, where the order means something.
    let order: String?
    /// An index of the table that begins with the owner; nil if there is none that fits it.
    var index: String?
    /// The objects that have the relationship.
    let owners: Target
    /// The objects that it may hold.
    let target: Target
    let kind: CollectionKind
    /// The table of entities whose rows are the members, or nil for a join table.
    let memberTable: Int?
    /// True if the members, or the other objects of a join table, have the inverse relationship.
    let hasInverse: Bool
    /// Another join table of the relationship, under the other name that it may have.
    var others: [Links] = []
    /// A statement that gives the links of both tables, as owner, member and place; nil where these
    /// are the same, or there is one table.
    var union: String?

    /// A statement that gives the links of this table and another, each of them once.
    ///
    /// A link that only one of the two has is left out if one of its objects is not there: Core Data
    /// writes to one table alone, so the other keeps the links of objects that were deleted.
    ///
    /// - Parameters:
    ///   - other: The other table of the relationship.
    ///   - objects: The table with the objects of both sides.
    /// - Returns: The statement.
    func union(with other: Links, objects: String) -> String {
      """
      SELECT owner, member, place FROM (
        SELECT owner, member, place, min(origin), count(DISTINCT origin) AS origins
          FROM (\(rows(origin: 1)) UNION ALL \(other.rows(origin: 2))) GROUP BY owner, member)
        WHERE origins = 2 OR typeof(owner) <> 'integer' OR typeof(member) <> 'integer'
          OR owner IN (SELECT Z_PK FROM main.\(SQL.quoted(objects)))
            AND member IN (SELECT Z_PK FROM main.\(SQL.quoted(objects)))
      """
    }

    private func rows(origin: Int) -> String {
      let columns = [owner, member ?? CoreDataLayout.keyColumn].map(SQL.quoted)
      return "SELECT \(columns[0]) AS owner, \(columns[1]) AS member, "
        + "\(order.map(SQL.quoted) ?? "NULL") AS place, \(origin) AS origin "
        + "FROM main.\(SQL.quoted(table)) NOT INDEXED"
    }
  }

  /// True if an entity is another or inherits from it.
  func isKind(_ entity: Int, of other: Int) -> Bool {
    var next: Int? = entity
    // Parents come before their subentities.
    while let index = next, index >= other {
      if index == other { return true }
      next = entities[index].parent
    }
    return false
  }
}
