import ArchiveReader
import GraphCore

/// The archives that were found in the values of rows, and what was noticed of them.
struct CellFindings: Sendable {
  var archives = CellArchives()
  private(set) var lost = LossList()
  /// The number of values in the archives.
  private(set) var valueCount = 0
  private var contents: [Kind: ColumnContent] = [:]
  /// The keys of the property lists of each column that are no archives.
  private var listKeys: [CellArchives.Column: Set<String>] = [:]

  /// Archives of one format in a column.
  private struct Kind: Hashable {
    let column: CellArchives.Column
    let format: String
  }

  /// Property lists of a column with more keys are collections: the keys are data.
  private static let maxListKeys = 256

  /// The archives by column and format, in the order of tables and columns.
  var listedContents: [ColumnContent] {
    contents.values.sorted {
      ($0.table, $0.position, $0.isInner ? 1 : 0, $0.format)
        < ($1.table, $1.position, $1.isInner ? 1 : 0, $1.format)
    }
  }

  /// Adds what was found in further rows.
  ///
  /// - Throws: `ArchiveError` if there are too many archives.
  mutating func append(_ other: CellFindings) throws(ArchiveError) {
    try archives.append(other.archives)
    lost.append(other.lost)
    valueCount = valueCount.addingReportingOverflow(other.valueCount).partialValue
    contents.merge(other.contents) { one, other in
      var sum = one
      sum.add(other.count, bytes: other.bytes)
      return sum
    }
    listKeys.merge(other.listKeys) { $0.union($1) }
  }

  // MARK: Archives

  /// Counts an archive that was read.
  mutating func count(
    _ archive: KeyedArchive, _ cell: CellArchives.Cell, _ unreachedCount: Int, _ rows: StoreRows
  ) {
    valueCount = valueCount.addingReportingOverflow(archive.valueCount).partialValue
    archives.unreachedCount += unreachedCount
    let format = archive.isPlain ? "property list" : archive.format.rawValue
    count(format, cell, archive.byteCount, rows)
  }

  private mutating func count(
    _ format: String, _ cell: CellArchives.Cell, _ size: Int, _ rows: StoreRows
  ) {
    let column = CellArchives.Column(of: cell, rows)
    let entity = rows.layout.entities[column.table]
    let new = ColumnContent(
      table: entity.record.name, column: entity.keys[column.column], position: column.column,
      format: format, isInner: column.isInner)
    contents[Kind(column: column, format: format), default: new].add(bytes: size)
  }

  /// Notes that an archive cannot be read, or a part of it.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - cell: The cell of the archive.
  ///   - size: Its size in bytes if nothing of it is read; else nil.
  ///   - rows: The rows of the database.
  mutating func lose(
    _ error: ArchiveError, _ cell: CellArchives.Cell, _ size: Int?, _ rows: StoreRows
  ) {
    if let size { count("damaged", cell, size, rows) }
    let column = CellArchives.Column(of: cell, rows)
    let key = rows.layout.entities[column.table].keys[column.column]
    lost.append(
      ArchiveError(.damagedValue, at: rows.position(of: Int(cell.row), key), name: "\(error)"))
  }

  // MARK: Property lists

  /// Takes a property list with a dictionary for an object, unless it is in the data of an archive.
  mutating func noteList(_ keys: [String], _ cell: inout CellArchives.Cell, _ rows: StoreRows) {
    guard cell.outer < 0 else { return }
    cell.form = .list
    let column = CellArchives.Column(of: cell, rows)
    if listKeys[column, default: []].count <= Self.maxListKeys {
      listKeys[column, default: []].formUnion(keys)
    }
  }

  /// Gives classes to the archives that are objects: TABLE_COLUMN.
  mutating func nameRecords(_ rows: StoreRows) {
    archives.separateData()
    let collections = Set(listKeys.filter { $0.value.count > Self.maxListKeys }.keys)
    let found = archives.settleForms(rows, collections: collections)
    var names = Set(rows.layout.entities.map(\.record.name.folded))
    for column in found.sorted(by: { $0.order < $1.order }) {
      let entity = rows.layout.entities[column.table]
      var name = "\(entity.record.name)_\(entity.keys[column.column])"
      if column.isInner { name += "_data" }
      while !names.insert(name.folded).inserted { name += "_" }
      archives.setClass(name, of: column)
    }
  }
}

extension CellArchives.Column {
  fileprivate var order: (Int, Int, Int) { (table, column, isInner ? 1 : 0) }
}
