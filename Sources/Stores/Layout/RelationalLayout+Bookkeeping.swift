extension RelationalLayout {
  /// The tables that every store has beside those of its entities: where the rows come from, what
  /// the top-level keys hold, and the collections that no object holds under a key.
  ///
  /// - Parameters:
  ///   - withProvenance: True if there is one for the object that each row was.
  ///   - withNesting: True if archives tell which archive held them.
  ///   - withMetadata: True if there is one for what applications keep with Core Data stores.
  ///   - withOriginals: True if there is one for the archives themselves.
  /// - Returns: The tables.
  package static func bookkeepingTables(
    withProvenance: Bool, withNesting: Bool, withMetadata: Bool, withOriginals: Bool
  ) -> [Table] {
    typealias Column = Table.Column
    let archive = Column(
      name: "archive_id", type: .integer, isRequired: true, references: archiveTable)
    var tables = [
      Table(
        name: runTable,
        columns: [
          .id,
          Column(name: "mapping", type: .text), Column(name: "model_digest", type: .text),
          Column(name: "options", type: .text, isRequired: true),
          Column(name: "fingerprint", type: .text, isRequired: true),
          Column(name: "first_archive", type: .integer, isRequired: true),
          Column(name: "last_archive", type: .integer, isRequired: true),
        ]),
      Table(
        name: reportTable,
        columns: [
          Column(
            name: "run_id", type: .integer, isPrimaryKey: true, isRequired: true,
            references: runTable),
          Column(name: "report", type: .text, isRequired: true),
          Column(name: "report_sha256", type: .text), Column(name: "run_sha256", type: .text),
        ]),
      Table(
        name: archiveTable,
        columns: [
          .id,
          Column(name: "path", type: .text, isRequired: true),
          Column(name: "sha256", type: .text, isRequired: true),
          Column(name: "bytes", type: .integer, isRequired: true),
          Column(name: "format", type: .text, isRequired: true),
          Column(name: "archiver", type: .text, isRequired: true),
          Column(name: "version", type: .integer, isRequired: true),
          Column(name: "converted", type: .text, isRequired: true),
        ] + (withNesting ? nestingColumns : [])),
      Table(
        name: topTable,
        columns: [
          archive, Column(name: "key", type: .text, isRequired: true),
          Column(name: "value", type: .any), Column(name: "entity", type: .text),
          Column(name: "row", type: .integer),
        ], numbersRows: true),
      Table(
        name: rowsTable,
        columns: [
          archive, Column(name: "entity", type: .text, isRequired: true),
          Column(name: "first", type: .integer, isRequired: true),
          Column(name: "last", type: .integer, isRequired: true),
        ], numbersRows: true),
      Table(
        name: classTable,
        columns: [
          Column(name: "name", type: .text, isRequired: true),
          Column(name: "hierarchy", type: .text, isRequired: true),
          Column(name: "entity", type: .text),
        ], numbersRows: true),
      Table(
        name: collectionTable,
        columns: [
          .id,
          Column(name: "kind", type: .text, isRequired: true),
        ]),
      collectionElements.table,
    ]
    if withMetadata {
      tables.append(
        Table(
          name: metadataTable,
          columns: [
            archive, Column(name: "number", type: .integer, isRequired: true),
            Column(name: "parent", type: .integer), Column(name: "key", type: .text),
            Column(name: "position", type: .integer),
            Column(name: "type", type: .text, isRequired: true), Column(name: "value", type: .any),
          ], numbersRows: true))
    }
    if withProvenance {
      tables.append(
        Table(
          name: objectsTable,
          columns: [
            archive, Column(name: "uid", type: .integer, isRequired: true),
            Column(name: "class", type: .text, isRequired: true),
            Column(name: "entity", type: .text, isRequired: true),
            Column(name: "row", type: .integer, isRequired: true),
          ] + placeColumns, numbersRows: true))
    }
    if withOriginals {
      tables.append(
        Table(
          name: originalTable,
          columns: [archive, Column(name: "bytes", type: .blob, isRequired: true)],
          numbersRows: true))
    }
    return tables
  }

  /// The place of an object in its source: of databases the row and column, the keys that lead to it,
  /// and the bytes.
  package static let placeColumns = [
    Table.Column(name: "source_table", type: .text),
    Table.Column(name: "source_row", type: .integer),
    Table.Column(name: "source_column", type: .text),
    Table.Column(name: "key_path", type: .text),
    Table.Column(name: "offset", type: .integer), Table.Column(name: "length", type: .integer),
  ]

  /// The columns for the archive that held an archive, and the object and key in it.
  private static let nestingColumns = [
    Table.Column(name: nestingColumn, type: .integer, references: archiveTable),
    Table.Column(name: "uid", type: .integer), Table.Column(name: "key", type: .text),
  ]

  /// The column by which a store tells archives inside of others from files.
  package static let nestingColumn = "parent"

  /// The table of the elements of collections that no object holds under a key.
  package static let collectionElements = ElementTable(
    table: Table(
      name: collectionElementTable,
      columns: [
        Table.Column(
          name: "collection_id", type: .integer, isRequired: true, references: collectionTable),
        Table.Column(name: "position", type: .integer),
        Table.Column(name: "key", type: .any),
        Table.Column(name: "key_id", type: .integer),
        Table.Column(name: "key_type", type: .text),
        Table.Column(name: "value", type: .any),
        Table.Column(name: "value_id", type: .integer),
        Table.Column(name: "value_type", type: .text),
      ], numbersRows: true),
    position: 1, key: 2, keyReference: 3, keyType: 4, value: 5, reference: 6, referenceType: 7)

  /// Why a store is refused in which the rows of `_top` have no ids: that of an earlier version.
  package static let earlierLayoutReason =
    "it has the layout of an earlier version; convert all archives into a new store"

  /// Why the store of a shard is refused: what it holds is told by all of them.
  package static let shardReason = "it is the store of a shard; combine makes one store of all"

  /// Why a database is refused that no conversion has written.
  package static let foreignReason =
    "it is not a store of a conversion: it has no table \(runTable)"

  /// The indexes on the store's own tables.
  ///
  /// - Parameter tables: The store's own tables that it has.
  /// - Returns: The indexes.
  package static func bookkeepingIndexes(on tables: [Table]) -> [Index] {
    // Stores of earlier versions have neither the places of objects nor an index on them.
    let hasPlaces = tables.contains {
      $0.name == objectsTable && $0.columns.contains(placeColumns[0])
    }
    return hasPlaces ? [elementsIndex, objectsIndex] : [elementsIndex]
  }

  private static let elementsIndex = Index(
    name: "_collection_element_by_collection", table: collectionElementTable,
    columns: ["collection_id", "position"])
  private static let objectsIndex = Index(
    name: "_objects_by_row", table: objectsTable, columns: ["row", "entity", "archive_id"])
}

extension RelationalLayout {
  /// True for a store of this layout: a database with the tables that each of them has.
  package static func isStore(_ path: String) -> Bool {
    let names = [runTable, reportTable, archiveTable]
    // Whatever a journal holds, the tables of a store are in the file itself.
    let found = try? Database(immutable: path).rows(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN (?, ?, ?)",
      names.map { .text($0) })
    return found?.first?.first == .integer(Int64(names.count))
  }
}
