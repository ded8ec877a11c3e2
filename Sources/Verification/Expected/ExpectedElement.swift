import DataModel
import Importer
import Stores

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
