import ArchiveReader
import DataModel
import Foundation
import GraphCore
import Stores
import Support

/// Any SQLite database, as a source of objects: its rows, and the archives in their values.
///
/// A value that is an archive stands for what the archive holds, and a property list that is no
/// archive for what that holds: see `CellArchives`. Nothing in the folder of the database is made,
/// changed or removed: see `StoreSnapshot`.
package final class DatabaseSource: StoreSource {
  package let notes: [StoreNote]
  package let leftOut: [StoreRemainder]
  package let byteCount: Int
  package let valueCount: Int
  package let version: Int64
  package let losses: [ArchiveError]
  package let lossCount: Int
  /// The archives in the columns of tables.
  package let contents: [ColumnContent]
  let rows: StoreRows
  let archives: CellArchives
  let salvages: Bool
  let limits: ReadingLimits
  let positions: PositionRules

  /// The rows of a database and its notes, before the archives in it are read.
  private struct Opening {
    let rows: StoreRows
    let database: Database
    var notes: [StoreNote] = []
    let leftOut: [StoreRemainder]
    let version: Int64
    var lost = LossList()

    init(
      _ snapshot: inout StoreSnapshot, _ hints: ColumnHints, salvages: Bool
    ) throws(ModelError) {
      let log = try snapshot.readLogNote(toleratesDamage: salvages)
      if let note = log.note { notes.append(note) }
      if let loss = log.loss { lost.append(loss) }
      let tables = try DatabaseTables(&snapshot, hints, toleratesDamage: salvages)
      for loss in tables.losses { lost.append(loss) }
      let unused = hints.unused(tables.allColumns)
      guard unused.isEmpty || !tables.layout.tables.isEmpty else {
        throw ModelError(.missingColumn, name: unused.joined(separator: ", "))
      }
      notes += unused.map { StoreNote(.unusedGlob, name: $0) }
      if salvages, tables.layout.tables.isEmpty, let reason = snapshot.schemaDamage {
        lost.append(ArchiveError(.unreadable, name: reason))
      }
      database = try DatabaseSource.connect(snapshot)
      let index = try ObjectIndex(
        tables.layout, (database, snapshot.maxRows), salvages: salvages)
      lost.append(index.losses)
      rows = try StoreRows(
        snapshot: snapshot, layout: tables.layout, index: index,
        externalData: ExternalDataFolder(ofStore: snapshot.realPath))
      leftOut = tables.virtualTables.map { StoreRemainder(.virtual, name: $0, rows: 1) }
      version = DatabaseSource.writerVersion(snapshot.realPath)
    }
  }

  /// Opens a database.
  ///
  /// - Parameters:
  ///   - path: The path of the database.
  ///   - limits: The limits for the archives in it.
  ///   - salvages: True if rows that cannot be read are left out, and values become nil.
  ///   - positions: The names of positions in typedstreams.
  ///   - hints: Properties of its columns besides those of its schema.
  /// - Throws: `ModelError` if it is damaged.
  /// - Complexity: Linear in the size of the database.
  package convenience init(
    path: String, limits: ReadingLimits = .standard, salvages: Bool = false,
    positions: PositionRules = PositionRules(), hints: ColumnHints = ColumnHints()
  ) throws(ModelError) {
    var snapshot = try StoreSnapshot(path, toleratesDamage: salvages)
    do throws(ModelError) {
      var opening = try Opening(&snapshot, hints, salvages: salvages)
      let bare = DatabaseSource(opening, nil, limits, positions, salvages: salvages)
      if salvages {
        let graph = SQLiteStoreGraph(opening.rows, of: bare, salvages: false)
        opening.lost = SQLiteStoreGraph.LossWalk(graph, known: opening.lost).losses()
      }
      let found = try CellScan.read(bare, hints, opening.database)
      self.init(opening, found, limits, positions, salvages: salvages)
    } catch {
      // Changes that a program makes meanwhile are no damage.
      throw snapshot.change ?? error.placed(in: path)
    }
  }

  private init(
    _ opening: Opening, _ found: CellFindings?, _ limits: ReadingLimits, _ positions: PositionRules,
    salvages: Bool
  ) {
    (rows, notes, leftOut, version) = (
      opening.rows, opening.notes, opening.leftOut, opening.version
    )
    (self.limits, self.positions, self.salvages) = (limits, positions, salvages)
    (archives, contents) = (found?.archives ?? CellArchives(), found?.listedContents ?? [])
    byteCount = rows.snapshot.byteCount
    let (values, overflow) = rows.valueCount.addingReportingOverflow(found?.valueCount ?? 0)
    valueCount = overflow ? .max : values
    var lost = opening.lost
    if let found { lost.append(found.lost) }
    (losses, lossCount) = (lost.losses, lost.count)
  }

  fileprivate static func connect(_ snapshot: StoreSnapshot) throws(ModelError) -> Database {
    do throws(StoreError) {
      let database = try snapshot.connect()
      database.limitValues(to: CoreDataStore.maxValueSize)
      return database
    } catch {
      throw ModelError(.unreadable, name: error.reason)
    }
  }

  /// The greatest number in a column of a database, in seconds: numbers are taken for dates in the
  /// unit that the size of each tells.
  ///
  /// - Parameters:
  ///   - path: The path of the database.
  ///   - table: The table.
  ///   - column: The column.
  /// - Returns: Nil for no database, and one without the column or numbers in it.
  /// - Complexity: Linear in the rows of the table, unless an index helps.
  package static func newestDate(in path: String, _ table: String, _ column: String) -> Double? {
    guard let snapshot = try? StoreSnapshot(path), let database = try? connect(snapshot) else {
      return nil
    }
    let value = SQL.quoted(column)
    let rows = try? database.rows(
      """
      SELECT max(CASE WHEN \(value) BETWEEN -1e11 AND 1e11 THEN \(value) * 1.0
        WHEN \(value) BETWEEN -1e14 AND 1e14 THEN \(value) / 1e3
        WHEN \(value) BETWEEN -1e17 AND 1e17 THEN \(value) / 1e6
        WHEN \(value) BETWEEN -9e18 AND 9e18 THEN \(value) / 1e9 END) FROM \(SQL.quoted(table))
      """)
    guard case .real(let seconds)? = rows?.first?.first else { return nil }
    return seconds
  }

  /// The version of SQLite that wrote to a database last, as 3040001; 0 if it does not say.
  ///
  /// Source: https://www.sqlite.org/fileformat.html, offset 96 of the header.
  fileprivate static func writerVersion(_ path: String) -> Int64 {
    guard let file = try? FileSystem.open(path) else { return 0 }
    defer { close(file) }
    let bytes = (try? FileHead(of: file))?.bytes.prefix(100).dropFirst(96) ?? []
    return bytes.count == 4 ? bytes.reduce(0) { $0 << 8 | Int64($1) } : 0
  }
}

extension DatabaseSource: GraphSource {
  package var format: SourceFormat { .database }
  package var archiver: String { "SQLite" }
  package var residentBytes: Int { rows.index.byteCount + archives.byteCount }
  package var objectCount: Int { rows.index.count + archives.objectCount }
  package var ownObjectCount: Int { rows.index.count }
  package var roots: [GraphRoot] { [] }
  package var holdsEveryObject: Bool { true }
  package var keepsBytes: Bool { false }
  package var forbiddenCharacters: Int { 0 }

  package func check() throws(ArchiveError) { try rows.snapshot.check() }

  package func explained(_ error: ArchiveError) -> ArchiveError {
    do throws(ArchiveError) {
      try check()
    } catch {
      return error
    }
    guard case .object(let uid, let key) = error.position,
      let cell = archives.cell(ofObject: uid - rows.index.count)
    else { return rows.named(error) }
    var error = error
    error.position = archives.position(of: cell.index, rows, key)
    return error
  }

  package func makeGraph(_ options: GraphOptions) -> any ObjectGraph {
    DatabaseGraph(self, options)
  }

  /// The row ID of a row; the number of any other object.
  package func number(ofObject uid: Int) -> Int64 {
    rows.storeKey(ofObject: uid)?.key ?? Int64(uid)
  }

  package func place(ofObject uid: Int) -> ObjectPlace {
    if let row = rows.storeKey(ofObject: uid) { return ObjectPlace(row: (row.entity, row.key)) }
    guard let found = archives.cell(ofObject: uid - rows.index.count) else { return ObjectPlace() }
    let cell = archives.cells[found.index]
    let column = CellArchives.Column(of: cell, rows)
    var place = ObjectPlace(
      owner: Int(cell.row), row: rows.storeKey(ofObject: Int(cell.row)).map { ($0.entity, $0.key) },
      column: rows.layout.entities[column.table].keys[column.column])
    guard found.uid >= 0 else { return place }
    place.uid = found.uid
    let graph = SQLiteStoreGraph(rows, of: self, salvages: salvages)
    let reader = CellReader(graph, limits, positions, salvages: salvages)
    let archive = try? reader.archive(found.index, archives)
    // An archive in the data of another counts its own bytes.
    place.bytes = archive?.place(ofObject: found.uid).bytes
    return place
  }

  package func makeNumberLookup() -> (_ number: Int64, _ className: String) -> Int? {
    let find = rows.makeLookup()
    let first = Int64(rows.index.count)
    return { number, name in find(name, number) ?? (number >= first ? Int(number) : nil) }
  }
}
