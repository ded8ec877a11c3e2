import DataModel
import GraphCore
import Support

/// The views of a store over the rows of classes that share a superclass.
///
/// Archives name the superclasses of each class, but not which keys are theirs: a view has the
/// columns that the tables of all its classes have. What views a store has depends on its tables
/// and its list of classes alone, so each run makes all of them again.
package struct SuperclassViews {
  /// A view: its name, and the statement that makes it, as SQLite keeps it.
  package typealias View = (name: String, creation: String)

  package let views: [View]

  /// The most `SELECT`s that SQLite joins in one statement.
  private static let maxTables = 500

  /// The statement that reads the list of classes.
  package static let classesQuery =
    "SELECT name, hierarchy, entity FROM \(RelationalLayout.classTable) ORDER BY id"

  /// Determines the views of a store in the making.
  ///
  /// - Throws: `StoreError` if it cannot be read.
  package init(_ database: Database) throws(StoreError) {
    try self.init(classes: try database.rows(Self.classesQuery)) { () throws(StoreError) in
      try StoreSchema(database)
    }
  }

  /// Determines the views of a store.
  ///
  /// - Parameters:
  ///   - rows: Its list of classes: see `classesQuery`.
  ///   - schema: Reads what it declares; not called if no superclass is shared.
  /// - Throws: Any error of `schema`.
  package init(
    classes rows: [[StoredValue]], schema: () throws(StoreError) -> StoreSchema
  ) throws(StoreError) {
    let groups = SharedSuperclasses(rows.compactMap(Self.archivedClass)).groups
    guard !groups.isEmpty else {
      views = []
      return
    }
    let schema = try schema()
    var names = NameAllocator(
      reserved: RelationalLayout.reservedTableNames + schema.tables.keys + schema.indexes.keys
        + schema.views.filter { !Self.contains($0.value) }.keys)
    var views: [View] = []
    for group in groups {
      guard let tables = Self.tables(of: group, in: schema),
        names.allocate(group.name).hasSameBytes(as: group.name)
      else { continue }
      views.append((group.name, Self.creation(group.name, tables)))
    }
    self.views = views
  }

  /// True if an entry of a store's schema is a view like these.
  package static func contains(_ entry: StoreSchema.Entry) -> Bool {
    entry.text.utf8.starts(with: StoreSchema.essence(of: start(entry.name)).utf8)
  }

  private static func archivedClass(_ row: [StoredValue]) -> SharedSuperclasses.ArchivedClass? {
    guard case .text(let name) = row[0], case .text(let hierarchy) = row[1],
      case .text(let entity) = row[2]
    else { return nil }
    let superclasses = hierarchy.dropFirst(name.count).split(separator: " ").map(String.init)
    return SharedSuperclasses.ArchivedClass(
      name: ArchivedName.text(name), superclasses: superclasses.map(ArchivedName.text),
      entity: entity)
  }

  /// The tables of the entities of a view; nil if there is to be none.
  private static func tables(
    of group: SharedSuperclasses.Group, in schema: StoreSchema
  ) -> [Table]? {
    guard group.entities.count <= maxTables else { return nil }
    var tables: [Table] = []
    for entity in group.entities {
      // Where inheritance is declared, the entity has a view, or its table those of others.
      guard let form = schema.tables[entity],
        !form.columns.contains(where: { $0.name == RelationalLayout.entityColumn })
      else { return nil }
      tables.append(Table(name: entity, columns: form.columns))
    }
    return tables
  }

  private static func start(_ name: String) -> String {
    "CREATE VIEW \(SQL.quoted(name)) AS\n  SELECT '"
  }

  private static func creation(_ name: String, _ tables: [Table]) -> String {
    let columns = tables[0].columns.filter { column in
      tables.dropFirst().allSatisfy { table in
        table.columns.contains {
          $0.name.hasSameBytes(as: column.name) && $0.references == column.references
            && !$0.isPrimaryKey && !column.isPrimaryKey
        }
      }
    }.prefix(SQL.maxColumns - 2)
    let list = columns.map { ", " + SQL.quoted($0.name) }.joined()
    let selections = tables.enumerated().map { place, table in
      let entity = "'\(table.name.replacing("'", with: "''"))'"
      let alias = place == 0 ? " AS \(RelationalLayout.entityColumn)" : ""
      return "\(entity)\(alias), \(table.quotedKey)\(list) FROM \(SQL.quoted(table.name))"
    }
    return start(name).dropLast() + selections.joined(separator: "\n  UNION ALL SELECT ")
  }
}
