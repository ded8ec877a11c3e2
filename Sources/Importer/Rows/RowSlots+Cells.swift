extension RowSlots {
  /// The cells of a row's attributes: one for each.
  ///
  /// It owns their memory, since an array would be checked for other owners at each value. Each
  /// access is checked to be to one of them, and all are initialized.
  @safe struct Cells: ~Copyable {
    private let start: UnsafeMutablePointer<RowSlots.Cell>
    let count: Int

    init(count: Int) {
      unsafe start = .allocate(capacity: count)
      unsafe start.initialize(repeating: RowSlots.Cell(), count: count)
      self.count = count
    }

    deinit { unsafe start.deallocate() }

    subscript(index: Int) -> RowSlots.Cell {
      @inline(__always) get {
        precondition(index >= 0 && index < count)
        return unsafe start[index]
      }
      @inline(__always) set {
        precondition(index >= 0 && index < count)
        unsafe start[index] = newValue
      }
    }

    /// Makes all cells unset.
    mutating func reset() { unsafe start.update(repeating: RowSlots.Cell(), count: count) }

    /// As many other cells, of which the first are the same as these.
    func resized(to count: Int) -> Cells {
      let other = Cells(count: count)
      unsafe other.start.update(from: start, count: min(count, self.count))
      return other
    }
  }
}
