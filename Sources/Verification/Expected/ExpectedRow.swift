import ArchiveReader

/// What a row must hold: its cells, and what tables of elements have of it.
///
/// One is used for row after row, so that it is not made again for each.
struct ExpectedRow {
  /// What a row has in a table of elements.
  enum Content {
    case collection(CollectionID, CollectionKind, property: String)
    case elements([ExpectedElement], property: String)
  }

  private(set) var id: Int64
  /// The object that it was; nil if it was none.
  var uid: Int?
  /// The entity, or the table.
  var entity: String
  /// What each column must hold.
  var cells: [ExpectedValue] = []
  /// What each table of elements must hold.
  var contents: [Int: [Content]] = [:]
  /// What stands under the keys of the object.
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
