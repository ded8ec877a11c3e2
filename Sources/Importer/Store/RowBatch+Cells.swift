internal import CSQLite

extension RowBatch {
  /// Memory for the cells of a batch's rows, one row after the other.
  ///
  /// It owns the memory, and gives out no cells beyond it. Cells are initialized when their row
  /// begins: memory that none needs is not touched.
  @safe struct Cells: ~Copyable {
    private let start: UnsafeMutablePointer<csq_cell>
    let capacity: Int

    init(capacity: Int) {
      unsafe start = .allocate(capacity: capacity)
      self.capacity = capacity
    }

    deinit { unsafe start.deallocate() }

    /// The size of the memory, in bytes.
    var byteCount: Int { unsafe capacity * MemoryLayout<csq_cell>.stride }

    /// The cells of a row that begins, all of them set to NULL.
    @inline(__always)
    func begin(at place: Int, count: Int) -> RowCells {
      precondition(place >= 0 && count >= 0 && count <= capacity - place)
      let row = unsafe start + place
      unsafe row.initialize(repeating: csq_cell(), count: count)
      return unsafe RowCells(row, count: count)
    }

    /// The cells of a row that has begun before.
    func row(at place: Int, count: Int) -> RowCells {
      precondition(place >= 0 && count >= 0 && count <= capacity - place)
      return unsafe RowCells(start + place, count: count)
    }
  }
}
