import ArchiveReader

/// The expected content of a row: its cells, and its rows in tables of elements.
///
/// One value is used for row after row, so that it is not made again for each.
struct ExpectedRow {
  /// The content of a row in a table of elements.
  enum Content {
    case collection(CollectionID, CollectionKind, property: String)
    case elements([ExpectedElement], property: String)
  }

  private(set) var id: Int64
  /// The object that it was; nil if it was none.
  var uid: Int?
  /// The entity, or the table.
  var entity: String
  /// The expected value of each column.
  var cells: [ExpectedValue] = []
  /// The expected content of each table of elements.
  var contents: [Int: [Content]] = [:]
  /// The values under the keys of the object.
  var values: [GraphValue] = []

  init(id: Int64 = 0, uid: Int? = nil, entity: String) {
    self.id = id
    self.uid = uid
    self.entity = entity
  }

  /// Begins another row, of which nothing is known yet.
  mutating func begin(_ id: Int64, uid: Int?, columns: Int) {
    self.id = id
    self.uid = uid
    if cells.count == columns {
      for column in cells.indices { cells[column] = .nothing }
    } else {
      cells = Array(repeating: .nothing, count: columns)
    }
    if !contents.isEmpty { contents.removeAll(keepingCapacity: true) }
  }
}
