import ArchiveReader
import Stores

/// The archives that had their turn, with the rows of their objects: for errors that are found at
/// the end.
struct RowOriginIndex {
  /// By the path of the archive, for each pass.
  private var archives: [String: [Origins]] = [:]

  /// Adds the rows that an archive became in one pass.
  mutating func add(_ origins: Origins, ofArchive path: String) {
    archives[path, default: []].append(origins)
  }

  /// The archive that a row came from.
  func location(
    of row: Int64, table: Int, _ rows: StoredRows
  ) throws(StoreError) -> ImportFindings.Location {
    let query = """
      SELECT path FROM \(RelationalLayout.archiveTable) JOIN \(RelationalLayout.rowsTable)
        ON \(RelationalLayout.archiveTable).id = archive_id
        WHERE entity = ? AND ? BETWEEN first AND last
      """
    let found = try rows.store.query(
      query, [.text(rows.layout.tables[table].name), .integer(row)])
    guard case .text(let path) = found.first?.first else { return .init() }
    for origin in archives[path] ?? [] {
      let index = origin.index(ofRow: row, table: table) { rows.entities[$0].table == table }
      if let index { return .init(archive: path, uid: index) }
    }
    return .init(archive: path)
  }

  /// The archive that a row of a table of elements, or of top-level keys, came from.
  ///
  /// Nested collections, and those of top-level keys, are of no archive in particular.
  func location(
    ofElement row: Int64, in name: String, _ rows: StoredRows
  ) throws(StoreError) -> ImportFindings.Location {
    guard name != RelationalLayout.topTable else {
      let archives = RelationalLayout.archiveTable
      let query = """
        SELECT path FROM \(archives) JOIN \(name) ON \(archives).id = archive_id
          WHERE \(name).rowid = ?
        """
      guard case .text(let path) = try rows.store.query(query, [.integer(row)]).first?.first else {
        return .init()
      }
      return .init(archive: path)
    }
    let layout = rows.layout
    guard let elements = layout.elementTables.first(where: { $0.table.name == name }),
      let owners = layout.tables.firstIndex(where: {
        $0.name == elements.table.columns[elements.owner].references
      })
    else { return .init() }
    let column = SQL.quoted(elements.table.columns[elements.owner].name)
    let found = try rows.store.query(
      "SELECT \(column) FROM \(SQL.quoted(name)) WHERE rowid = ?", [.integer(row)])
    guard case .integer(let owner) = found.first?.first else { return .init() }
    return try location(of: owner, table: owners, rows)
  }
}

extension RowOriginIndex {
  /// The objects of an archive that the rows of one pass were.
  struct Origins {
    var rows: RowReferences
    var resolved: ResolvedRows?
    /// The source, where its objects have numbers of their own: archives are not kept open.
    var store: (any GraphSource)?

    /// The index of the object that became a row of a table, whose entities are told.
    func index(ofRow id: Int64, table: Int, isInTable: (Int) -> Bool) -> Int? {
      let uid = rows.uid(ofRow: id, table: table) ?? resolved?.uid(ofRow: id, in: isInTable)
      return uid.map { store?.reportedNumber(ofObject: $0) ?? $0 }
    }
  }
}
