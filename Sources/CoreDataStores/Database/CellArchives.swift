import DataModel
import GraphCore
import Support

/// The archives in the values of a database's rows, and in the data values of those archives.
///
/// Each has numbers of its own for its objects, after those of the rows: the first for the archive
/// as a whole, where it holds values under several names, then one for each of its objects.
struct CellArchives: Sendable {
  /// An archive, and where it is.
  struct Cell: Sendable {
    /// The number of the row that it is in, and the position of the column.
    let row: UInt32
    let column: UInt16
    var form: Form
    /// The index of the archive in whose data it is; -1 in a row's own value.
    var outer: Int32 = -1
    /// The place of its bytes in that archive.
    var offset: UInt32 = 0
    var size: UInt32 = 0
    /// The first of its numbers, counted from that of the first archive.
    var base: UInt32 = 0
  }

  /// The value that an archive stands for.
  enum Form: UInt8, Sendable {
    /// The only value that it holds.
    case value
    /// The text of an attributed text whose attributes are no values, in a column of texts.
    case text
    /// An object of its own, with its top-level keys.
    case record
    /// The same, of a property list that is no archive: the keys of its dictionary.
    case list
  }

  /// A column of a table, by its position among the keys; or the data in the archives in it.
  struct Column: Hashable, Sendable {
    let table: Int
    let column: Int
    let isInner: Bool
  }

  /// A data value of an archive.
  private struct DataPlace: Hashable {
    let outer: Int32
    let offset: UInt32
  }

  /// A value of a row.
  private struct Place: Hashable {
    let row: Int
    let column: Int
  }

  /// The archives, in the order of rows and columns; those inside of one follow it.
  private(set) var cells: [Cell] = []
  /// The number of numbers that all of them have.
  private(set) var objectCount = 0
  /// Objects that nothing leads to in their archives.
  var unreachedCount = 0
  /// The classes of archives that are objects, and their places in this order by their columns.
  private(set) var records: [ClassRecord] = []
  private var recordPlaces: [Column: Int] = [:]
  private var inner: [DataPlace: Int] = [:]
  /// For each table the columns with archives in values of its rows.
  private var columns: [Int: Set<Int>] = [:]
  /// The values that begin as archives and cannot be read.
  private var damaged: Set<Place> = []
  /// Values of columns that have keys of their own, by table, in the order of these keys.
  private(set) var asides: [Int: [Aside]] = [:]
  /// The columns whose values are texts, attributed ones or their like; and those with data that is
  /// no archive.
  private var textColumns: Set<Column> = []
  private var dataColumns: Set<Column> = []

  /// Values of a column under a key of their own.
  struct Aside: Hashable, Sendable {
    let column: Int
    let kind: Kind

    /// The kinds, with the ends of their keys.
    enum Kind: String, Sendable {
      /// Values that begin as archives and cannot be read.
      case damaged
      /// Data where the other values of a column are texts: only without it, the text of attributed
      /// ones has a column.
      case data
    }
  }

  /// The greatest number of objects in archives: those of rows may be as many.
  private static let maxCount = Int(UInt32.max) / 2

  // MARK: Finding them

  /// Adds an archive.
  ///
  /// - Parameters:
  ///   - cell: The cell of the archive.
  ///   - count: The number of its objects.
  ///   - rows: The rows of the database.
  /// - Throws: `ArchiveError` if there are too many.
  mutating func append(
    _ cell: Cell, objectCount count: Int, _ rows: StoreRows
  ) throws(ArchiveError) {
    guard count < Self.maxCount - objectCount, cells.count < Int(Int32.max) else {
      throw ArchiveError(.tooMany, name: "objects in archives")
    }
    var cell = cell
    cell.base = UInt32(objectCount)
    objectCount += count + 1
    add(cell)
    let column = Column(of: cell, rows)
    columns[column.table, default: []].insert(column.column)
  }

  /// Adds the archives in further rows.
  ///
  /// - Throws: `ArchiveError` if there are too many.
  mutating func append(_ other: CellArchives) throws(ArchiveError) {
    let (shift, base) = (cells.count, objectCount)
    guard other.objectCount < Self.maxCount - base,
      other.cells.count < Int(Int32.max) - shift
    else { throw ArchiveError(.tooMany, name: "objects in archives") }
    for var cell in other.cells {
      cell.base += UInt32(base)
      if cell.outer >= 0 { cell.outer += Int32(shift) }
      add(cell)
    }
    objectCount += other.objectCount
    unreachedCount += other.unreachedCount
    columns.merge(other.columns) { $0.union($1) }
    damaged.formUnion(other.damaged)
    textColumns.formUnion(other.textColumns)
    dataColumns.formUnion(other.dataColumns)
    for (table, found) in other.asides {
      for aside in found { add(aside, to: table) }
    }
  }

  private mutating func add(_ cell: Cell) {
    if cell.outer >= 0 {
      inner[DataPlace(outer: cell.outer, offset: cell.offset)] = cells.count
    }
    cells.append(cell)
  }

  /// Forgets the archives from an index on.
  mutating func removeAll(from index: Int) {
    guard index < cells.count else { return }
    for cell in cells[index...] where cell.outer >= 0 {
      inner[DataPlace(outer: cell.outer, offset: cell.offset)] = nil
    }
    objectCount = Int(cells[index].base)
    cells.removeSubrange(index...)
  }

  /// Notes that the value of a row begins as an archive and cannot be read.
  mutating func noteDamage(row: Int, column: Int, table: Int) {
    damaged.insert(Place(row: row, column: column))
    add(Aside(column: column, kind: .damaged), to: table)
  }

  /// Notes that the values of a column are texts.
  mutating func noteTexts(column: Int, table: Int) {
    textColumns.insert(Column(table: table, column: column, isInner: false))
  }

  /// Notes that a column has data that is no archive.
  mutating func noteData(column: Int, table: Int) {
    dataColumns.insert(Column(table: table, column: column, isInner: false))
  }

  private mutating func add(_ aside: Aside, to table: Int) {
    let known = asides[table] ?? []
    guard !known.contains(aside) else { return }
    asides[table] = (known + [aside]).sorted {
      ($0.column, $0.kind.rawValue) < ($1.column, $1.kind.rawValue)
    }
  }

  /// Gives keys of their own to data beside texts.
  mutating func separateData() {
    for column in textColumns.intersection(dataColumns) {
      add(Aside(column: column.column, kind: .data), to: column.table)
    }
  }

  /// Takes an archive for the text of the attributed text that it holds.
  mutating func setText(_ index: Int) { cells[index].form = .text }

  // MARK: Archives that are objects

  /// Takes the property lists in some columns for collections.
  ///
  /// - Parameters:
  ///   - rows: The rows of the database.
  ///   - collections: The columns.
  /// - Returns: The columns with archives that are objects.
  mutating func settleForms(_ rows: StoreRows, collections: Set<Column>) -> Set<Column> {
    var found: Set<Column> = []
    for index in cells.indices where [.record, .list].contains(cells[index].form) {
      let column = Column(of: cells[index], rows)
      if cells[index].form == .list, collections.contains(column) {
        cells[index].form = .value
      } else {
        found.insert(column)
      }
    }
    return found
  }

  /// Gives a class to those archives of a column that are objects.
  mutating func setClass(_ name: String, of column: Column) {
    recordPlaces[column] = records.count
    records.append(ClassRecord(name: name, hierarchy: [name], hints: []))
  }

  /// The class of the archives of a column that are objects, by its place among these classes.
  func recordClass(of column: Column) -> Int { recordPlaces[column] ?? 0 }

  // MARK: Looking up

  /// The keys of a table: its columns, then those of `asides`.
  func keys(of columns: [String], table: Int) -> [String] {
    var names = Set(columns.map(\.folded))
    return columns
      + (asides[table] ?? []).map { aside in
        var name = "\(columns[aside.column])_\(aside.kind.rawValue)"
        while !names.insert(name.folded).inserted { name += "_" }
        return name
      }
  }

  /// For each column of a table, true if values of its rows may be archives, or have another key.
  func holdsArchives(table: Int, columnCount: Int) -> [Bool] {
    let found = (columns[table] ?? []).union((asides[table] ?? []).map(\.column))
    return (0..<columnCount).map(found.contains)
  }

  /// The key under which a value stands that is no archive; nil for that of its column.
  func aside(row: Int, column: Int, table: Int, isData: Bool) -> Aside? {
    guard let found = asides[table] else { return nil }
    if !damaged.isEmpty, damaged.contains(Place(row: row, column: column)) {
      return Aside(column: column, kind: .damaged)
    }
    return isData ? found.first { $0.column == column && $0.kind == .data } : nil
  }

  /// The archive in a value of a row; nil if there is none.
  ///
  /// - Complexity: Logarithmic.
  func index(row: Int, column: Int) -> Int? {
    var (low, high) = (0, cells.count)
    while low < high {
      let middle = (low + high) / 2
      let cell = cells[middle]
      // Archives inside of one have its row and column, and follow it.
      if (Int(cell.row), Int(cell.column)) < (row, column) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < cells.count, Int(cells[low].row) == row, Int(cells[low].column) == column else {
      return nil
    }
    return low
  }

  /// The archive in a data value of another; nil if there is none.
  func index(in outer: Int, at offset: Int) -> Int? {
    guard !inner.isEmpty else { return nil }
    return inner[DataPlace(outer: Int32(clamping: outer), offset: UInt32(clamping: offset))]
  }

  /// The archive that has a number, and the UID of the object there; -1 for the archive itself.
  ///
  /// - Parameter number: The number, counted from that of the first archive.
  /// - Returns: Nil for a number that none has.
  /// - Complexity: Logarithmic.
  func cell(ofObject number: Int) -> (index: Int, uid: Int)? {
    guard number >= 0, number < objectCount else { return nil }
    var (low, high) = (0, cells.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(cells[middle].base) <= number { low = middle } else { high = middle }
    }
    return (low, number - Int(cells[low].base) - 1)
  }

  /// The position in errors of an archive.
  func position(of index: Int, _ rows: StoreRows, _ key: String? = nil) -> ArchiveError.Position {
    let cell = cells[index]
    let column = Column(of: cell, rows)
    let name = rows.layout.entities[column.table].keys[column.column]
    return rows.position(of: Int(cell.row), key.map { "\(name).\($0)" } ?? name)
  }

  /// The size in bytes.
  var byteCount: Int { cells.capacity * MemoryLayout<Cell>.stride + inner.capacity * 24 }
}

extension CellArchives.Column {
  /// The column of an archive.
  init(of cell: CellArchives.Cell, _ rows: StoreRows) {
    self.init(
      table: rows.index.location(of: Int(cell.row))?.table ?? 0, column: Int(cell.column),
      isInner: cell.outer >= 0)
  }
}

/// Archives of one format in a column of a database.
package struct ColumnContent: Sendable {
  package let table: String
  package let column: String
  /// The number of columns before it in the table.
  let position: Int
  /// The format of the archives; "property list" for lists that are none, "damaged" for values
  /// that cannot be read.
  package let format: String
  /// True if they are in the data of the archives in the column.
  package let isInner: Bool
  package private(set) var count = 0
  package private(set) var bytes = 0

  init(table: String, column: String, position: Int, format: String, isInner: Bool) {
    (self.table, self.column, self.position) = (table, column, position)
    (self.format, self.isInner) = (format, isInner)
  }

  /// Counts archives.
  mutating func add(_ count: Int = 1, bytes: Int) {
    self.count += count
    self.bytes = [self.bytes, bytes].boundedSum
  }
}
