import DataModel
import Stores

/// The check of a store's declarations against those that a conversion makes.
///
/// The store of an application may have more: tables of its own, what older versions of the model
/// left behind, triggers for what Core Data computes. So only a store that says that a conversion
/// made it is compared.
extension StoreCheck {
  /// Compares tables, columns, indexes, views and triggers, and the numbers that are the same in all
  /// stores.
  mutating func checkSchema() throws(ModelError) {
    guard try store.metadata().conversion != nil else { return }
    try checkConstants()
    let declared = CoreDataLayout(source.model)
    let tables = declared.tables + declared.joinTables.map(\.table)
    var statements = CoreDataLayout.fixedCreations
    for table in tables { statements[table.name.folded] = table.creation }
    for index in declared.indexes.joined() { statements[index.name.folded] = index.creation() }
    let hasTrees = !declared.omittedIndexes.isEmpty
    let isDerived = source.model.entities.contains { $0.attributes.contains(where: \.isDerived) }
    var known: Set<String> = []
    let rows = try store.rows(
      """
      SELECT type, name, tbl_name, sql FROM sqlite_schema
        WHERE substr(name, 1, 7) <> 'sqlite_' ORDER BY type, name
      """)
    for row in rows {
      guard case .text(let type) = row[0], case .text(let name) = row[1],
        case .text(let table) = row[2]
      else { continue }
      let isTable = type == "table" || type == "index"
      guard !isTable || !Self.isHistory(table) else { continue }
      let statement = statements[name.folded]
      switch type {
      case "view": note(.addedView, table: name)
      case "trigger":
        guard !hasTrees, !(isDerived && name.folded.hasPrefix("z_da_")) else { continue }
        note(.addedTrigger, table: table, name: name)
      case "table" where statement == nil: note(.addedTable, table: name)
      case "index" where statement == nil: note(.addedIndex, table: table, name: name)
      default:
        known.insert(name.folded)
        if row[3] != statement.map({ .text($0) }) {
          noteDeclaration(of: name, tables.first { $0.name.folded == name.folded })
        }
      }
    }
    for index in declared.indexes.joined() where !known.contains(index.name.folded) {
      guard index.columns.allSatisfy({ has(index.table, $0.name) }) else { continue }
      // It cannot be there where rows are alike.
      if index.isUnique {
        let alike = try store.rows(
          "SELECT 1 FROM \(SQL.quoted(index.table)) AS t WHERE \(index.repetition()) LIMIT 1")
        guard alike.isEmpty else { continue }
      }
      note(.missingIndex, table: index.table, name: index.name)
    }
  }

  /// Compares the numbers in the header of the database, and that of the store's form.
  private mutating func checkConstants() throws(ModelError) {
    for name in Database.headerNumbers
    where try store.rows("PRAGMA \(name)") != [[.integer(0)]] {
      note(.otherHeader, table: name)
    }
    let table = CoreDataLayout.metadataTable
    let column = "Z_VERSION"
    if try store.columns(of: table).contains(column.folded),
      try store.rows("SELECT \(column) FROM \(table)") != [[.integer(1)]]
    {
      note(.otherVersion, table: table, column: column)
    }
  }

  /// True if a table is Core Data's own, for the history of changes or for other devices.
  private static func isHistory(_ table: String) -> Bool {
    let name = table.folded
    return ["achange", "atransaction", "atransactionstring"].contains(name)
      || name.hasPrefix("ansck")
  }

  /// Notes the columns that a table has besides its own; if there are none, that it is declared
  /// otherwise.
  private mutating func noteDeclaration(of name: String, _ table: CoreDataTable?) {
    let own = Set(table?.columns.map(\.name.folded) ?? [])
    let added = table.map { columnNames(of: $0.name).subtracting(own).sorted() } ?? []
    for column in added { note(.addedColumn, table: name, column: column.uppercased()) }
    let isComplete = table.map { table in table.columns.allSatisfy { has(table.name, $0.name) } }
    if added.isEmpty, isComplete ?? true { note(.otherDeclaration, table: name) }
  }

  private mutating func note(
    _ code: StoreFinding.Code, table: String, column: String? = nil, name: String? = nil
  ) {
    guard result.findings.count(where: { $0.code == code }) < Self.most else {
      result.leftOut += 1
      return
    }
    add(StoreFinding(code, table: table, column: column, name: name))
  }
}
