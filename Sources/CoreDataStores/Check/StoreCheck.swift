import ArchiveReader
import DataModel
import Foundation
import Stores

/// Checks whether a store is sound as one of Core Data's.
///
/// It looks at what the store says of its model, at tables and columns, and at each row: its
/// entity, the kinds of its values, and where its references lead.
public struct StoreCheck {
  /// The result of a check.
  public struct Result: Sendable, Equatable {
    /// The findings, at most 100 of each kind in each column.
    public var findings: [StoreFinding] = []
    /// The number of findings that are not listed.
    public var leftOut = 0
    /// The number of tables of entities; 0 in an XML or binary store.
    public var tables = 0
    /// The number of rows they hold, or of objects in such a store.
    public var rows = 0

    /// True if nothing is wrong.
    public var isSound: Bool { findings.allSatisfy(\.isNote) }
  }

  /// The greatest number of findings of a kind that are listed for a column.
  package static let most = 100

  package let store: CoreDataStore
  package private(set) var source: ModelSource
  let limits: ReadingLimits
  /// The entities of the model as the store has them, by their names.
  let storedEntities: [String: StoredEntities.Row]
  package internal(set) var layout: CoreDataLayout
  package var result = Result()
  /// For each table of the model that is there, its columns in small letters.
  private var columns: [String: Set<String>] = [:]

  /// Checks a store.
  ///
  /// - Parameters:
  ///   - path: The path of the store: see `isStore`.
  ///   - model: The path of its model, or of the versions of one: see `ModelVersions`; nil for the
  ///     model that it carries.
  ///   - limits: The limits for reading the archive that a model may be.
  /// - Returns: The result of the check.
  /// - Throws: `ModelError` if it is no Core Data store, or there is no model to check it against:
  ///   of several versions one has to be that of the store.
  public static func run(
    _ path: String, model: String? = nil, limits: ReadingLimits = .standard
  ) throws(ModelError) -> Result {
    try run(path, models: model.map { [$0] } ?? [], limits: limits)
  }

  /// Checks a store by a model that is merged from several: see `ModelVersions`.
  public static func run(
    _ path: String, models: [String], limits: ReadingLimits = .standard
  ) throws(ModelError) -> Result {
    let kind = CoreDataFileKind(ofFileAt: path)
    guard kind != .xml, kind != .binary else { return try checkAtomicStore(path, models, limits) }
    let store = try CoreDataStore(path)
    do throws(ModelError) {
      let source = try store.modelSource(models, limits)
      var check = try checked(store, source, limits)
      check.checkReading(models.isEmpty ? nil : source)
      try store.check()
      return check.result
    } catch {
      throw store.explained(error)
    }
  }

  /// Checks a store that is open.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - source: Its model.
  /// - Returns: The result of the check.
  /// - Throws: `ModelError` if it cannot be read.
  package static func run(
    _ store: CoreDataStore, _ source: ModelSource
  ) throws(ModelError) -> Result {
    let result = try checked(store, source, .standard).result
    try store.check()
    return result
  }

  private static func checked(
    _ store: CoreDataStore, _ source: ModelSource, _ limits: ReadingLimits
  ) throws(ModelError) -> StoreCheck {
    var check = try StoreCheck(store, source, limits)
    check.checkLog()
    try check.checkIntegrity()
    do throws(ModelError) {
      try check.checkContents()
    } catch {
      // Of a damaged database, what can be read is checked.
      guard !check.result.isSound else { throw error }
    }
    return check
  }

  private mutating func checkContents() throws(ModelError) {
    try checkModel()
    try checkTables()
    try checkSchema()
    for number in layout.tables.indices { try checkTable(number) }
    try checkUniqueness()
    try checkJoinTables()
  }

  /// True if a file may be a store, and is no mapping: a database, or an XML or binary store.
  public static func isStore(_ path: String) -> Bool { CoreDataFileKind(ofFileAt: path) != nil }

  private init(
    _ store: CoreDataStore, _ source: ModelSource, _ limits: ReadingLimits
  ) throws(ModelError) {
    self.store = store
    self.source = source
    self.limits = limits
    let hashes = try store.metadata().versionHashes
    let model = source.model.part(inStoreWith: hashes)
    self.source.model = model
    storedEntities = try store.entityRows().rows(of: model, hashes: hashes)
    layout = CoreDataLayout(model, storeNumbers: storedEntities.mapValues(\.number))
    let held = Set(model.entities.map(\.name))
    let others = source.model.entities.map(\.name).filter { !held.contains($0) }
    if !others.isEmpty {
      add(
        StoreFinding(
          .otherConfiguration, table: CoreDataLayout.primaryKeyTable,
          name: others.sorted { $0.precedesInBytes($1) }.joined(separator: ", ")))
    }
    result.tables = layout.tables.count
    try store.database.reading(store.path) { (database) throws(StoreError) in
      try Self.addMisfit(to: database)
    }
    try adoptJoinTableNames()
  }

  /// Tells of a write-ahead log that is not read to its end.
  private mutating func checkLog() {
    let code: StoreFinding.Code? =
      switch store.logNote?.code {
      case .missingLog: .missingLog
      case .damagedLog: .damagedLog
      case .unfinishedLog: .unfinishedLog
      default: nil
      }
    if let code { add(StoreFinding(code, table: "-wal")) }
  }

  // MARK: Tables

  /// Looks for all tables and columns of the model, and counts rows.
  private mutating func checkTables() throws(ModelError) {
    for table in layout.tables {
      try lookFor(table)
      guard has(table.name) else { continue }
      let found = try store.rows("SELECT count(*) FROM \(SQL.quoted(table.name))")
      if case .integer(let count) = found.first?.first { result.rows += Int(clamping: count) }
    }
    for join in layout.joinTables where !join.isAlternative {
      // Of two tables for a relationship between rows of one entity, one is enough.
      let others = alternatives(to: join)
      if !exists(join.table.name), others.contains(where: { exists($0.table.name) }) { continue }
      try lookFor(join.table)
    }
    for join in layout.joinTables where join.isAlternative && exists(join.table.name) {
      try lookFor(join.table)
    }
  }

  /// The other tables that the links of a join table may be in.
  func alternatives(to join: CoreDataLayout.JoinTable) -> [CoreDataLayout.JoinTable] {
    guard
      case .join(let tables) =
        layout.entities[join.second.owner - 1].relationships[join.second.relationship]
    else { return [] }
    return tables.map { layout.joinTables[$0] }.filter { $0 != join }
  }

  private mutating func lookFor(_ table: CoreDataTable) throws(ModelError) {
    guard exists(table.name) else {
      add(StoreFinding(.missingTable, table: table.name))
      return
    }
    var found: Set<String> = []
    for row in try store.rows("SELECT name FROM pragma_table_info(?)", [.text(table.name)]) {
      if case .text(let name) = row.first { found.insert(name.folded) }
    }
    let isAlone = layout.tables.firstIndex { $0.name == table.name }
      .map { layout.members[$0].count == 1 }
    for column in table.columns where !found.contains(column.name.folded) {
      let isUnread = column.name == CoreDataLayout.entityColumn && isAlone == true
      add(
        StoreFinding(
          .missingColumn, table: table.name, column: column.name, isNote: isUnread))
    }
    columns[table.name.folded] = found
  }

  func exists(_ table: String) -> Bool { store.tables[table.folded] != nil }

  /// True if a table of the model is there and has columns.
  package func has(_ table: String, _ names: String...) -> Bool {
    guard let found = columns[table.folded] else { return false }
    return names.allSatisfy { found.contains($0.folded) }
  }

  /// True if a table of entities has the columns that its rows are told by.
  func hasKeys(_ number: Int) -> Bool {
    let name = layout.tables[number].name
    return has(name, CoreDataLayout.keyColumn)
      && (layout.members[number].count == 1 || has(name, CoreDataLayout.entityColumn))
  }

  /// The columns that a table of the model has in the store, in small letters.
  func columnNames(of table: String) -> Set<String> { columns[table.folded] ?? [] }

  // MARK: Findings

  package mutating func add(_ finding: StoreFinding) { result.findings.append(finding) }

  /// Adds a finding for each row that a statement gives.
  ///
  /// - Parameters:
  ///   - finding: The finding for each row.
  ///   - key: The key of the row, in SQL.
  ///   - sibling: A column that has to go with the one of the finding, and the rows that have it,
  ///     after `FROM`. If it is empty in all of them, the store does not keep it: it was added when
  ///     the model changed, and no row has been saved since. That is one note, and no fault.
  ///   - source: The tables and the condition, after `FROM`; the table itself is called `t`.
  /// - Throws: The error of SQLite.
  package mutating func find(
    _ finding: StoreFinding, key: String = "t.Z_PK",
    unlessEmpty sibling: (column: String, rows: String)? = nil, from source: String
  ) throws(ModelError) {
    let rows = try store.rows("SELECT \(key) FROM \(source) ORDER BY 1 LIMIT \(Self.most + 1)")
    if !rows.isEmpty, let sibling {
      let values = try store.rows(
        "SELECT 1 FROM \(sibling.rows) AND t.\(SQL.quoted(sibling.column)) IS NOT NULL LIMIT 1")
      guard !values.isEmpty else {
        add(StoreFinding(.emptyColumn, table: finding.table, column: finding.column))
        return
      }
    }
    for row in rows.prefix(Self.most) {
      var finding = finding
      if case .integer(let number) = row.first { finding.row = number }
      add(finding)
    }
    guard rows.count > Self.most else { return }
    let counted = try store.rows("SELECT count(*) FROM \(source)")
    if case .integer(let count) = counted.first?.first {
      result.leftOut += max(0, Int(clamping: count) - Self.most)
    }
  }
}
