import ArchiveReader
internal import CSQLite
import DataModel
import Foundation
import GraphCore
import Stores
import Support

/// The content of a store that is read when it is opened, before its objects are.
struct StoreOpening {
  let database: Database
  let metadata: CoreDataMetadata
  var notes: [StoreNote] = []
  private(set) var leftOut: [StoreRemainder] = []
  /// The number of values in columns that no property has.
  private(set) var unreadKeys: [UnreadKey: Int] = [:]
  /// The greatest number of links that the relationships of all objects hold.
  var linkCount = 0
  /// The losses of a store that is salvaged, before its values are read.
  var losses = LossList()
  let snapshot: StoreSnapshot
  let schema: SQLiteSchema
  let store: CoreDataStore
  /// The entities of the model as the store has them, by their names.
  private var storedEntities: [String: StoredEntities.Row] = [:]
  private var joinTables: Set<String> = []
  /// The columns of tables of entities that belong to no property.
  private var surplusColumns: [(table: String, column: String)] = []
  /// For each entity the columns of its table that it has no property for.
  private var foreignColumns: [[String]] = []

  static let path = ""

  /// A connection that reads its tables, and the greatest number of rows of one.
  var reader: (database: Database, maxRows: Int) { (database, snapshot.maxRows) }

  /// Opens a store.
  ///
  /// - Parameters:
  ///   - snapshot: The files of the store.
  ///   - toleratesDamage: True if a write-ahead log may be damaged or cut off, so that what other
  ///     programs have saved is missing: a loss then, otherwise an error.
  /// - Throws: `ModelError`.
  init(_ snapshot: StoreSnapshot, toleratesDamage: Bool) throws(ModelError) {
    self.snapshot = snapshot
    let log = try snapshot.readLogNote(toleratesDamage: toleratesDamage)
    if let note = log.note { notes.append(note) }
    if let loss = log.loss { losses.append(loss) }
    store = try CoreDataStore(snapshot)
    database = store.database
    schema = try SQLiteSchema(database, path: Self.path)
    database.limitValues(to: CoreDataStore.maxValueSize)
    let encoding = try database.reading(Self.path) { (database) throws(StoreError) in
      try database.rows("PRAGMA encoding")
    }
    guard encoding.first?.first == .text("UTF-8") else {
      throw ModelError(.unreadable, name: "its texts are not in UTF-8")
    }
    metadata = try store.metadata()
  }

  // MARK: The model

  /// The model to read the store by: the given one, or else the store's own, or else the version
  /// that the store is of.
  mutating func model(
    given: ModelSource?, _ versions: ModelVersions?, _ limits: ReadingLimits
  ) throws(ModelError) -> ModelSource {
    if let given {
      if let note = difference(from: given) { notes.append(note) }
      return given
    }
    do throws(ModelError) {
      return try ownModel(limits)
    } catch {
      guard let versions else { throw error }
      let names = Set(
        try entityRows().rows.filter { $0.number < CoreDataStore.firstOwnNumber }.map(\.name))
      let entities = StoreEntities(metadata, names: names, isComplete: true)
      let match = try versions.match(entities, of: "")
      notes += match.notes.map { StoreNote(.match, name: $0.description) }
      return match.version.source
    }
  }

  /// The model that the store carries.
  private mutating func ownModel(_ limits: ReadingLimits) throws(ModelError) -> ModelSource {
    guard let bytes = try store.compiledModel() else { throw ModelError(.missingCache) }
    var source = ModelSource(try ArchivedModel(bytes, limits).model)
    source.compiledModel = bytes
    // The model that a store carries is that of the last program that opened it for writing.
    let note = difference(from: source)
    switch note?.code {
    case .otherModel: throw ModelError(.otherCache, name: note?.name)
    case nil: source.versionHashes = metadata.versionHashes
    default: notes += [note].compactMap(\.self)
    }
    return source
  }

  /// The note on a model that the store is read by: nil if it is that of the store.
  private func difference(from source: ModelSource) -> StoreNote? {
    guard !metadata.versionHashes.isEmpty else { return StoreNote(.unknownModel) }
    guard metadata.hasKnownHashes else {
      return StoreNote(
        .otherHashesVersion, name: metadata.hashesVersion.map(String.init) ?? "unknown")
    }
    let differing = Self.differing(source, metadata.versionHashes)
    return differing.isEmpty
      ? nil : StoreNote(.otherModel, name: differing.joined(separator: ", "))
  }

  private static func differing(_ source: ModelSource, _ hashes: [String: Data]) -> [String] {
    let uncertain = Set(source.model.entitiesWithUncertainHash)
    let own = source.hashes()
    return Set(source.model.part(inStoreWith: hashes).entities.map(\.name)).union(hashes.keys)
      .filter { own[$0] != hashes[$0] && !(uncertain.contains($0) && hashes[$0] != nil) }
      .sorted { $0.precedesInBytes($1) }
  }

  // MARK: Tables

  /// The layout of the store for what the model declares.
  mutating func layout(_ model: Model) throws(ModelError) -> StoreLayout {
    let part = model.part(inStoreWith: metadata.versionHashes)
    let held = Set(part.entities.map(\.name))
    let others = model.entities.map(\.name).filter { !held.contains($0) }
    if let note = StoreNote(
      ofOtherConfigurations: others.sorted { $0.precedesInBytes($1) })
    {
      notes.append(note)
    }
    storedEntities = try entityRows().rows(of: part, hashes: metadata.versionHashes)
    var builder = try StoreLayout.Builder(
      part, schema, numbers: storedEntities.mapValues(\.number))
    let layout = try builder.build()
    joinTables = builder.joinTables
    surplusColumns = builder.surplusColumns
    foreignColumns = layout.entities.indices.map { builder.foreignColumns(of: $0) }
    for (table, column) in surplusColumns {
      notes.append(StoreNote(.surplusColumn, name: "\(table).\(column)"))
    }
    return layout
  }

  /// Counts the values that no property has: in columns of none, and in those of other entities
  /// than that of the row.
  mutating func countUnreadValues(
    _ layout: StoreLayout, _ index: ObjectIndex, salvages: Bool
  ) throws(ModelError) {
    do throws(ModelError) {
      for (table, column) in surplusColumns {
        let count = try valueCount(column, table)
        if count > 0 { unreadKeys[UnreadKey(owner: table, key: column)] = count }
      }
      for (table, rows) in zip(layout.tables, index.tables) where table.entities.count > 1 {
        for group in Self.groups(rows.countByEntity.keys.sorted(), by: { foreignColumns[$0].count })
        {
          try countForeignValues(table, group, layout)
        }
      }
    } catch {
      // Where a table is damaged, its rows are listed.
      guard salvages else { throw error }
    }
  }

  /// Entities in groups, each of them for one statement.
  private static func groups(_ entities: [Int], by size: (Int) -> Int) -> [[Int]] {
    var groups: [[Int]] = []
    var room = 0
    for entity in entities where size(entity) > 0 {
      room -= size(entity)
      if room < 0 || groups.isEmpty {
        groups.append([])
        room = maxTermsPerStatement - size(entity)
      }
      groups[groups.count - 1].append(entity)
    }
    return groups
  }

  private static let maxTermsPerStatement = 10_000

  /// Counts values in rows of some entities of a table, in columns of others.
  private mutating func countForeignValues(
    _ table: StoreLayout.Table, _ entities: [Int], _ layout: StoreLayout
  ) throws(ModelError) {
    let columns = entities.flatMap { foreignColumns[$0] }.uniqued()
    let conditions = entities.map { entity in
      "WHEN \(layout.entities[entity].number) THEN \(Self.firstValue(of: foreignColumns[entity]))"
    }
    let flags = columns.map { "\(SQL.quoted($0)) IS NOT NULL" }
    let entityColumn = CoreDataLayout.entityColumn
    let scan = try self.scan(
      """
      SELECT \(([entityColumn] + flags).joined(separator: ", "))
        FROM \(SQL.quoted(table.name)) NOT INDEXED
        WHERE CASE \(entityColumn) \(conditions.joined(separator: " ")) END IS NOT NULL
      """)
    let names = Dictionary(
      entities.map { (layout.entities[$0].number, $0) }, uniquingKeysWith: { first, _ in first })
    let foreign = entities.map { Set(foreignColumns[$0]) }
    while let row = try database.reading(Self.path, { (_) throws(StoreError) in try scan.next() }) {
      guard let entity = names[row[0].integer], let place = entities.firstIndex(of: entity) else {
        continue
      }
      for (number, column) in columns.enumerated()
      where row[number + 1].integer != 0 && foreign[place].contains(column) {
        let key = UnreadKey(owner: layout.entities[entity].record.name, key: column)
        unreadKeys[key, default: 0] += 1
      }
    }
  }

  /// An expression that is the first value of columns that is not NULL.
  private static func firstValue(of columns: [String]) -> String {
    // A function takes 127 parameters at most.
    stride(from: 0, to: columns.count, by: 100).map { start in
      let part = columns[start..<min(start + 100, columns.count)].map(SQL.quoted)
      return "coalesce(\((part + ["NULL"]).joined(separator: ", ")))"
    }.reduce("NULL") { "coalesce(\($0), \($1))" }
  }

  /// The number of rows of a table that have a value in a column.
  private func valueCount(_ column: String, _ table: String) throws(ModelError) -> Int {
    let scan = try self.scan(
      "SELECT count(\(SQL.quoted(column))) FROM \(SQL.quoted(table)) NOT INDEXED")
    let row = try database.reading(Self.path, { (_) throws(StoreError) in try scan.next() })
    return row.flatMap { Int(exactly: $0[0].integer) } ?? 0
  }

  /// The entities that the store has numbers for.
  private func entityRows() throws(ModelError) -> StoredEntities {
    let scan = try self.scan("SELECT Z_ENT, Z_NAME, Z_MAX, Z_SUPER FROM Z_PRIMARYKEY NOT INDEXED")
    func integer(_ cell: StoredRow.Cell) -> Int64? {
      cell.kind == csq_kind_integer ? cell.integer : nil
    }
    var entities = StoredEntities()
    var known: Set<Int> = []
    while let row = try database.reading(Self.path, { (_) throws(StoreError) in try scan.next() }) {
      guard row[0].kind == csq_kind_integer, row[1].kind == csq_kind_text,
        let number = Int32(exactly: row[0].integer), number > 0
      else {
        throw ModelError(.badEntityNumber, name: "an entity has no name or no number")
      }
      let entity = BorrowedText(bytes: row[1].bytes, encoding: .utf8).string
      let added = StoredEntities.Row(
        number: Int(number), name: entity, parent: integer(row[3]), maxKey: integer(row[2]))
      guard entities.append(added), known.insert(Int(number)).inserted else {
        throw ModelError(.badEntityNumber, name: "\(entity) or its number \(number) is there twice")
      }
    }
    return entities
  }

  /// The greatest key that a table has counted to; 0 if the store does not say.
  func maxKey(of table: StoreLayout.Table, _ layout: StoreLayout) -> Int64 {
    table.entities.first.flatMap { storedEntities[layout.entities[$0].record.name]?.maxKey } ?? 0
  }

  func scan(_ sql: String) throws(ModelError) -> RowScan {
    RowScan(
      try database.reading(Self.path) { (database) throws(StoreError) in
        try database.prepare(sql)
      })
  }

  /// Counts the rows of the tables that belong to no entity; notes where rows may be missing.
  mutating func readRemainder(
    _ layout: StoreLayout, _ index: ObjectIndex, salvages: Bool
  ) throws(ModelError) {
    let known = Set(layout.tables.map(\.name.folded)).union(joinTables).union(Self.fixedTables)
    for (folded, table) in schema.tables.sorted(by: { $0.key < $1.key })
    where !known.contains(folded) && !folded.hasPrefix("sqlite_") {
      var rows = 0
      do throws(ModelError) {
        rows = try forEachRow(of: table.name, "1") { _ in }
      } catch {
        guard salvages else { throw error }
        losses.append(ArchiveError(.unreadable, name: error.name))
      }
      leftOut.append(StoreRemainder(Self.kind(folded), name: table.name, rows: rows))
    }
    for (table, rows) in zip(layout.tables, index.tables) {
      guard maxKey(of: table, layout) > rows.lastKey ?? 0, !rows.hasGaps else { continue }
      notes.append(StoreNote(.keysBeyondRows, name: table.name))
    }
    for (table, rows) in index.unnumbered {
      let count = Words.count(rows, "row", plural: "rows")
      notes.append(StoreNote(.otherNumbers, name: "\(count) of \(table)"))
    }
  }

  /// Counts the files with external data that no row refers to.
  mutating func countUnreadFiles(
    in folder: ExternalDataFolder, _ layout: StoreLayout, salvages: Bool
  ) throws(ModelError) {
    // Others put their own files, hidden ones, into any folder.
    var unread = Set(folder.names.filter { !$0.hasPrefix(".") })
    var columns: [Int: Set<Int>] = [:]
    for entity in layout.entities {
      for case .attribute(_, let column, true) in entity.properties {
        columns[entity.table, default: []].insert(column)
      }
    }
    for (table, columns) in columns.sorted(by: { $0.key < $1.key }) where !unread.isEmpty {
      let table = layout.tables[table]
      let terms = columns.sorted().map { column in
        let name = SQL.quoted(table.columns[column])
        // The length of data is known before the data is read.
        return "CASE WHEN length(\(name)) IN (37, 38) THEN \(name) END"
      }
      for start in stride(from: 0, to: terms.count, by: Self.maxColumnsPerStatement) {
        let part = terms[start..<min(start + Self.maxColumnsPerStatement, terms.count)]
        do throws(ModelError) {
          _ = try forEachRow(of: table.name, part.joined(separator: ", ")) { row in
            for index in part.indices where row[index - start].kind == csq_kind_blob {
              if case .file(let name) = ExternalDataFolder.form(row[index - start].bytes) {
                unread.remove(name)
              }
            }
          }
        } catch {
          // Nobody knows what the rows refer to that are lost.
          guard salvages else { throw error }
          return
        }
      }
    }
    guard !unread.isEmpty else { return }
    leftOut.append(StoreRemainder(.files, name: folder.words, rows: unread.count))
  }

  private static let maxColumnsPerStatement = 500

  /// The tables that each store has, by their names in small letters.
  static let fixedTables = Set(
    [
      CoreDataLayout.primaryKeyTable, CoreDataLayout.metadataTable, CoreDataLayout.modelCacheTable,
    ].map(\.folded))

  /// The kind of a table of no entity, by its name in small letters.
  static func kind(_ table: String) -> StoreRemainder.Kind {
    if ["achange", "atransaction", "atransactionstring"].contains(table) { return .history }
    return table.hasPrefix("ansck") ? .cloud : .table
  }
}
