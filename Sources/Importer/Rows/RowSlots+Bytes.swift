import GraphCore

extension RowSlots {
  /// The bytes of the texts and data of a row's attributes, one behind the other.
  ///
  /// It owns their memory, and gives out no bytes but those that were put there. They stay where
  /// they are until others are put.
  @safe struct Bytes: ~Copyable {
    private var start: UnsafeMutableRawPointer?
    private var capacity = 0
    /// The number of bytes.
    private(set) var count = 0

    deinit { unsafe start?.deallocate() }

    /// Forgets all bytes.
    mutating func reset() { count = 0 }

    /// Adds bytes; returns their place.
    @inline(__always)
    mutating func add(_ source: BorrowedBytes) -> Int {
      if source.count > capacity - count { grow(to: count + source.count) }
      let place = count
      if let start = unsafe start {
        unsafe (start + place).copyMemory(from: source.start, byteCount: source.count)
      }
      count += source.count
      return place
    }

    /// All bytes, until others are put.
    @inline(__always)
    var all: BorrowedBytes {
      guard let start = unsafe start else { return .none }
      return unsafe BorrowedBytes(start: start, count: count)
    }

    private mutating func grow(to size: Int) {
      var larger = max(512, capacity)
      while larger < size { larger *= 2 }
      let memory = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
      if let start = unsafe start {
        unsafe memory.copyMemory(from: start, byteCount: count)
        unsafe start.deallocate()
      }
      unsafe start = memory
      capacity = larger
    }
  }
}
