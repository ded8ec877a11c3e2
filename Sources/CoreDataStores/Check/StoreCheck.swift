import ArchiveReader
import DataModel
import Foundation
import SQLite

/// Checks whether a store is sound as one of Core Data's.
///
/// It looks at what the store says of its model, at tables and columns, and at each row: its
/// entity, the kinds of its values, and where its references lead.
public struct StoreCheck {
  /// What a check came to.
  public struct Result: Sendable, Equatable {
    /// What was found, at most 100 of each kind in each column.
    public var findings: [StoreFinding] = []
    /// How many findings are not listed.
    public var leftOut = 0
    /// How many tables of entities there are.
    public var tables = 0
    /// How many rows they hold.
    public var rows = 0

    /// Whether nothing is wrong.
    public var isSound: Bool { findings.allSatisfy(\.isNote) }
  }

  /// How many findings of a kind are listed for a column.
  package static let most = 100

  package let store: CoreDataStore
  package let source: ModelSource
  package internal(set) var layout: CoreDataLayout
  package var result = Result()
  /// For each table of the model that is there, its columns in small letters.
  private var columns: [String: Set<String>] = [:]

  /// Checks a store.
  ///
  /// - Parameters:
  ///   - path: The path of the store.
  ///   - model: The path of its model, or of the versions of one: see `ModelVersions`; nil for the
  ///     model that it carries.
  ///   - limits: How far the archive that a model may be is read.
  /// - Returns: What was found.
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
    let store = try CoreDataStore(path)
    return try run(store, try store.modelSource(models, limits))
  }

  /// Checks a store that is open.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - source: Its model.
  /// - Returns: What was found.
  /// - Throws: `ModelError` if it cannot be read.
  package static func run(
    _ store: CoreDataStore, _ source: ModelSource
  ) throws(ModelError) -> Result {
    var check = try StoreCheck(store, source)
    check.checkLog()
    try check.checkModel()
    try check.checkTables()
    try check.checkSchema()
    for number in check.layout.tables.indices { try check.checkTable(number) }
    try check.checkUniqueness()
    try check.checkJoinTables()
    try store.check()
    return check.result
  }

  /// Whether a file is a database, which may be a store, and not a mapping.
  public static func isDatabase(_ path: String) -> Bool { ModelFile.isDatabase(path) }

  private init(_ store: CoreDataStore, _ source: ModelSource) throws(ModelError) {
    self.store = store
    self.source = source
    layout = CoreDataLayout(source.model, storeNumbers: try store.entityNumbers())
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
    for column in table.columns where !found.contains(column.name.folded) {
      add(StoreFinding(.missingColumn, table: table.name, column: column.name))
    }
    columns[table.name.folded] = found
  }

  func exists(_ table: String) -> Bool { store.tables[table.folded] != nil }

  /// Whether a table of the model is there and has columns.
  package func has(_ table: String, _ names: String...) -> Bool {
    guard let found = columns[table.folded] else { return false }
    return names.allSatisfy { found.contains($0.folded) }
  }

  /// The columns that a table of the model has in the store, in small letters.
  func columnNames(of table: String) -> Set<String> { columns[table.folded] ?? [] }

  // MARK: Findings

  package mutating func add(_ finding: StoreFinding) { result.findings.append(finding) }

  /// Adds a finding for each row that a statement gives.
  ///
  /// - Parameters:
  ///   - finding: What is found in each.
  ///   - key: What the row is told by.
  ///   - sibling: A column that has to go with the one of the finding, and the rows that have it,
  ///     after `FROM`. If it is empty in all of them, the store does not keep it: it was added when
  ///     the model changed, and no row has been saved since. That is one note, and no fault.
  ///   - source: The tables and the condition, after `FROM`; the table itself is called `t`.
  /// - Throws: What SQLite says.
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
