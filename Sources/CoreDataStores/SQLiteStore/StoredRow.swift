internal import CSQLite
import GraphCore

/// The cells of a row where they lie: in a block, which has to be kept as long as they are read.
@safe struct StoredRow {
  private let cells: UnsafeBufferPointer<csq_cell>

  @inline(__always)
  init(_ cells: UnsafeBufferPointer<csq_cell>) { unsafe self.cells = unsafe cells }

  /// The cell of a column.
  @inline(__always)
  subscript(column: Int) -> Cell {
    precondition(unsafe column >= 0 && column < cells.count)
    return unsafe Cell(cells[column])
  }
}

extension StoredRow {
  /// The cell of a column in a row.
  @safe struct Cell {
    private let cell: csq_cell

    @inline(__always)
    init(_ cell: csq_cell) { unsafe self.cell = unsafe cell }

    var kind: csq_kind { unsafe cell.kind }
    /// The number of an integer.
    var integer: Int64 { unsafe cell.integer }
    /// The number of a real.
    var real: Double { unsafe cell.real }

    /// The bytes of a text or blob, which are in the block of the row; none of anything else.
    var bytes: BorrowedBytes {
      guard kind == csq_kind_text || kind == csq_kind_blob, let start = unsafe cell.bytes else {
        return .none
      }
      return unsafe BorrowedBytes(start: start, count: Int(cell.count))
    }
  }
}
