import ArchiveReader
internal import CSQLite
import DataModel
import Foundation
import GraphCore
import SQLite
import Support

/// What is read of a store when it is opened, before its objects are.
struct StoreOpening {
  let database: Database
  let metadata: CoreDataMetadata
  var notes: [StoreNote] = []
  private(set) var leftOut: [StoreRemainder] = []
  /// How many values there are in columns that no property has.
  private(set) var unreadKeys: [UnreadKey: Int] = [:]
  /// How many links the relationships of all objects hold, at most.
  var linkCount = 0
  /// What is lost of a store that is salvaged, before its values are read.
  var losses = LossList()
  let snapshot: StoreSnapshot
  let schema: SQLiteSchema
  let store: CoreDataStore
  /// The greatest key that each entity has counted to, by its name.
  private var maxKeys: [String: Int64] = [:]
  private var joinTables: Set<String> = []

  static let path = ""

  init(_ snapshot: StoreSnapshot) throws(ModelError) {
    self.snapshot = snapshot
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
    if let note = snapshot.logNote { notes.append(note) }
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
      let names = Set(try entityNumbers().filter { $0.value < CoreDataStore.firstOwnNumber }.keys)
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

  /// What is to be known of a model that the store is read by: nil if it is that of the store.
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
    return Set(own.keys).union(hashes.keys)
      .filter { own[$0] != hashes[$0] && !(uncertain.contains($0) && hashes[$0] != nil) }
      .sorted { $0.precedesInBytes($1) }
  }

  // MARK: Tables

  /// Where the store keeps what the model declares.
  mutating func layout(_ model: Model) throws(ModelError) -> StoreLayout {
    var builder = try StoreLayout.Builder(model, schema, numbers: try entityNumbers())
    let layout = try builder.build()
    joinTables = builder.joinTables
    for (table, column) in builder.surplusColumns {
      notes.append(StoreNote(.surplusColumn, name: "\(table).\(column)"))
      let count = try valueCount(column, table)
      if count > 0 { unreadKeys[UnreadKey(owner: table, key: column)] = count }
    }
    return layout
  }

  /// How many rows of a table have a value in a column.
  private func valueCount(_ column: String, _ table: String) throws(ModelError) -> Int {
    let scan = try self.scan(
      "SELECT count(\(SQL.quoted(column))) FROM \(SQL.quoted(table)) NOT INDEXED")
    let row = try database.reading(Self.path, { (_) throws(StoreError) in try scan.next() })
    return row.flatMap { Int(exactly: $0[0].integer) } ?? 0
  }

  /// The numbers of the store's entities, by their names.
  private mutating func entityNumbers() throws(ModelError) -> [String: Int] {
    let scan = try self.scan("SELECT Z_ENT, Z_NAME, Z_MAX FROM Z_PRIMARYKEY NOT INDEXED")
    var numbers: [String: Int] = [:]
    var known: Set<Int> = []
    while let row = try database.reading(Self.path, { (_) throws(StoreError) in try scan.next() }) {
      guard row[0].kind == csq_kind_integer, row[1].kind == csq_kind_text,
        let number = Int32(exactly: row[0].integer), number > 0
      else {
        throw ModelError(.badEntityNumber, name: "an entity has no name or no number")
      }
      let entity = BorrowedText(bytes: row[1].bytes, encoding: .utf8).string
      guard numbers.updateValue(Int(number), forKey: entity) == nil,
        known.insert(Int(number)).inserted
      else {
        throw ModelError(.badEntityNumber, name: "\(entity) or its number \(number) is there twice")
      }
      if row[2].kind == csq_kind_integer { maxKeys[entity] = row[2].integer }
    }
    return numbers
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
      let root = table.entities.first.map { layout.entities[$0].record.name } ?? ""
      guard let max = maxKeys[root], max > rows.lastKey ?? 0 else { continue }
      notes.append(StoreNote(.keysBeyondRows, name: table.name))
    }
  }

  /// The tables that each store has, by their names in small letters.
  static let fixedTables = Set(
    [
      CoreDataLayout.primaryKeyTable, CoreDataLayout.metadataTable, CoreDataLayout.modelCacheTable,
    ].map(\.folded))

  /// What a table of no entity is, by its name in small letters.
  static func kind(_ table: String) -> StoreRemainder.Kind {
    if ["achange", "atransaction", "atransactionstring"].contains(table) { return .history }
    return table.hasPrefix("ansck") ? .cloud : .table
  }
}
