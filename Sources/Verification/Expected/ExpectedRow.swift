import ArchiveReader
import DataModel
import Importer
import Stores

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

/// The expected row of an element of a collection, but for its owner.
struct ExpectedElement {
  /// Its place; nil where there is no order.
  var position: Int64?
  /// The key of a pair.
  var key = Item.nothing
  var value = Item.nothing
  /// Its place in the collection of the other side, where the two share a table and it is known.
  var inversePosition = ExpectedValue.unknown
}

extension ExpectedElement {
  /// A key or a value of a collection.
  enum Item {
    case nothing
    case plain(ExpectedValue)
    case row(RowReference)
    /// A row of `_collection`.
    case collection(Int64)

    var isNothing: Bool { if case .nothing = self { true } else { false } }

    /// The value that the column for plain ones holds.
    var plain: ExpectedValue {
      if case .plain(let value) = self { value } else { .nothing }
    }

    /// The row that the column for references holds.
    var reference: ExpectedValue {
      switch self {
      case .row(let row): .integer(row.id)
      case .collection(let row): .integer(row)
      case .nothing, .plain: .nothing
      }
    }

    /// The table that the column for the types of references holds.
    func table(_ plan: ImportPlan) -> ExpectedValue {
      switch self {
      case .row(let row): .text(plan.layout.table(of: row.entity).name)
      case .collection: .text(RelationalLayout.collectionTable)
      case .nothing, .plain: .nothing
      }
    }
  }
}
