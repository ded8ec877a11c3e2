import ArchiveReader
import DataModel
import GraphCore
import Stores
import Support
import Synchronization

/// Looks for the archives in the values of rows, and reads each of them once.
///
/// One that is damaged stays data, and is listed.
struct CellScan {
  private(set) var found = CellFindings()
  private let source: DatabaseSource
  private let hints: ColumnHints
  private let rows: SQLiteStoreGraph
  private let reader: CellReader
  private var graph: ArchiveGraph?

  private init(_ source: DatabaseSource, _ hints: ColumnHints) {
    (self.source, self.hints) = (source, hints)
    rows = SQLiteStoreGraph(source.rows, of: source, salvages: source.salvages)
    reader = CellReader(rows, source.limits, source.positions, salvages: source.salvages)
  }

  /// Rows of one table, with the positions of the keys whose values may be archives.
  private struct Part {
    let rows: Range<Int>
    let columns: [Int]

    /// The number of rows that one thread reads at a time.
    static let size = 4_096
  }

  /// Reads the archives of a database.
  ///
  /// - Parameters:
  ///   - source: The database, whose archives are not known yet.
  ///   - hints: Properties of its columns besides those of its schema.
  ///   - database: A connection to it.
  /// - Returns: The findings.
  /// - Throws: `ModelError` if there are too many archives.
  /// - Complexity: Linear in the size of the database; several threads take part.
  static func read(
    _ source: DatabaseSource, _ hints: ColumnHints, _ database: Database
  ) throws(ModelError) -> CellFindings {
    var parts: [Part] = []
    for (number, table) in source.rows.index.tables.enumerated() where table.count > 0 {
      let columns = Self.columns(withDataIn: number, of: source, hints, database)
      guard !columns.isEmpty else { continue }
      let end = table.base + table.count
      parts += stride(from: table.base, to: end, by: Part.size).map {
        Part(rows: $0..<min($0 + Part.size, end), columns: columns)
      }
    }
    let results = Mutex([CellFindings?](repeating: nil, count: parts.count))
    WorkerThread.perform(iterations: parts.count) { [parts] number in
      var scan = CellScan(source, hints)
      for row in parts[number].rows { scan.read(row, parts[number].columns) }
      results.withLock { $0[number] = scan.found }
    }
    var found = CellFindings()
    for (number, entity) in source.rows.layout.entities.enumerated() {
      for column in entity.keys.indices where hints.isText(column, of: entity) {
        found.archives.noteTexts(column: column, table: number)
      }
    }
    do throws(ArchiveError) {
      for part in results.withLock({ $0 }) {
        if let part { try found.append(part) }
      }
    } catch {
      throw ModelError(.tooMany, name: error.name)
    }
    found.nameRecords(source.rows)
    return found
  }

  /// The positions of the keys of a table that have a value which is data, or text that may be XML;
  /// and those for texts, which may be no UTF-8.
  private static func columns(
    withDataIn number: Int, of source: DatabaseSource, _ hints: ColumnHints, _ database: Database
  ) -> [Int] {
    let table = source.rows.layout.tables[number]
    let places = source.rows.layout.entities[number].properties.enumerated().compactMap {
      if case .attribute(_, let column, _) = $1 { (position: $0, column: column) } else { nil }
    }
    guard !places.isEmpty else { return [] }
    let values = places.map { table.expressions[$0.column] ?? SQL.quoted(table.columns[$0.column]) }
    func largest(_ terms: [String]) throws(StoreError) -> [StoredValue] {
      guard !terms.isEmpty else { return [] }
      let list = terms.map { "max(\($0))" }.joined(separator: ", ")
      return try database.rows("SELECT \(list) FROM \(SQL.quoted(table.name)) NOT INDEXED")
        .first ?? []
    }
    do throws(StoreError) {
      // Texts are looked at in those columns alone that have some: that reads them.
      let kinds = try largest(
        values.map { "CASE typeof(\($0)) WHEN 'blob' THEN 2 WHEN 'text' THEN 1 ELSE 0 END" })
      let texts = kinds.indices.filter { kinds[$0] == .integer(1) }
      let hasXML = try largest(texts.map { "substr(\(values[$0]), 1, 6) IN ('<?xml ', '<plist')" })
      let withXML = Set(zip(texts, hasXML).filter { $1 == .integer(1) }.map(\.0))
      let entity = source.rows.layout.entities[number]
      return kinds.indices.filter {
        let mayHoldArchives = hints.mayHoldArchives(places[$0].position, of: entity)
        return mayHoldArchives && (kinds[$0] == .integer(2) || withXML.contains($0))
          || hints.isText(places[$0].position, of: entity) && kinds[$0] != .integer(0)
      }.map { places[$0].position }
    } catch {
      // The rows of a damaged table, or with very large texts, are looked at one by one.
      return places.map(\.position)
    }
  }

  // MARK: Archives

  /// Reads the archives of a row.
  ///
  /// Damage of the row itself is met by whoever reads it.
  private mutating func read(_ uid: Int, _ columns: [Int]) {
    guard let row = try? rows.object(uid) else { return }
    for column in columns {
      guard let value = try? rows.value(of: row, at: column), let bytes = value.storedBytes else {
        continue
      }
      let table = source.rows.layout.entities[row.shape]
      guard hints.mayHoldArchives(column, of: table), FileKind.isPropertyList(bytes) else {
        if case .data = value {
          found.archives.noteData(column: column, table: row.shape)
        }
        continue
      }
      let cell = CellArchives.Cell(row: UInt32(uid), column: UInt16(column), form: .value)
      do throws(ArchiveError) {
        try read(try ByteStorage(copying: bytes), cell, depth: 0)
      } catch {
        // Text is text, whatever it begins as.
        guard case .data = value else { continue }
        found.archives.noteDamage(row: uid, column: column, table: row.shape)
        found.lose(error, cell, bytes.count, source.rows)
      }
    }
  }

  /// Reads an archive, and those in its data values.
  private mutating func read(
    _ bytes: ByteStorage, _ cell: CellArchives.Cell, depth: Int
  ) throws(ArchiveError) {
    var cell = cell
    let archive = try reader.read(bytes)
    for loss in archive.losses { found.lose(loss, cell, nil, source.rows) }
    let roots = archive.roots
    if archive.isPlain {
      if roots.count != 1 || roots[0].key != "" {
        found.noteList(roots.map(\.key), &cell, source.rows)
      }
    } else if roots.count != 1 {
      cell.form = .record
    }
    if cell.form != .value, let key = roots.map(\.key).firstRepeated {
      throw ArchiveError(.repeatedKey, at: .topLevelKey(key))
    }
    let index = found.archives.cells.count
    try found.archives.append(cell, objectCount: archive.objectCount, source.rows)
    let graph = graph(of: archive)
    var walk = ArchiveWalk(archive, graph)
    do throws(ArchiveError) {
      try walk.readAll()
      if depth == 0, try isData(graph, cell, index) {
        found.archives.removeAll(from: index)
        return
      }
    } catch {
      found.archives.removeAll(from: index)
      throw archive.explained(error)
    }
    found.count(archive, cell, graph.countUnreachedObjects(), source.rows)
    guard depth < source.limits.nesting else { return }
    for place in walk.data {
      guard let offset = UInt32(exactly: place.offset), let size = UInt32(exactly: place.count)
      else { continue }
      let inner = CellArchives.Cell(
        row: cell.row, column: cell.column, form: .value, outer: Int32(clamping: index),
        offset: offset, size: size)
      do throws(ArchiveError) {
        try read(try archive.part(place), inner, depth: depth + 1)
      } catch {
        found.lose(error, inner, place.count, source.rows)
      }
    }
  }

  /// Notes the value that an archive in a row stands for; true if it is data to its column, which
  /// holds texts.
  private mutating func isData(
    _ graph: ArchiveGraph, _ cell: CellArchives.Cell, _ index: Int
  ) throws(ArchiveError) -> Bool {
    let column = CellArchives.Column(of: cell, source.rows)
    let entity = source.rows.layout.entities[column.table]
    let holdsTexts = hints.isText(column.column, of: entity)
    var isText = false
    if cell.form == .value, let root = graph.source.roots.first {
      switch try graph.value(of: root) {
      case .text, .null: isText = true
      case .foundation(let uid, _):
        found.archives.noteTexts(column: column.column, table: column.table)
        let found = try graph.foundationValue(uid)
        if found?.as(ArchivedAttributedString.self) != nil { isText = true }
      case .object(let uid, _) where holdsTexts:
        guard try graph.text(ofAttributed: uid) != nil else { break }
        found.archives.setText(index)
        found.lose(
          ArchiveError(
            .wrongKind,
            name: "an attributed string whose attributes are values: its text alone is kept"),
          cell, nil, source.rows)
        isText = true
      default: break
      }
    }
    guard !isText, holdsTexts else { return false }
    found.archives.noteData(column: column.column, table: column.table)
    return true
  }

  private mutating func graph(of archive: KeyedArchive) -> ArchiveGraph {
    if let graph {
      graph.goOn(with: archive)
      return graph
    }
    let options = GraphOptions(limits: source.limits, isReused: true, countsUnreached: true)
    let made = ArchiveGraph(archive, options)
    graph = made
    return made
  }
}

extension ArchiveGraph {
  /// The text of an attributed text that is no value; nil for any other object.
  func text(ofAttributed uid: Int) throws(ArchiveError) -> GraphValue? {
    let object = try object(uid)
    let name = classes[object.class.index].name
    guard ArchivedAttributedString.classNames.contains(name) else { return nil }
    // In a typedstream such an object has positions.
    for (position, key) in keys(ofShape: object.shape).enumerated()
    where key == "NSString" || key == "v1" {
      let value = try value(of: object, at: position)
      if case .text = value { return value }
    }
    return nil
  }
}

extension [String] {
  /// The first element that equals one before it.
  fileprivate var firstRepeated: String? {
    var met: Set<String> = []
    return first { !met.insert($0).inserted }
  }
}
