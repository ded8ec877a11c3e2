import Foundation

extension NodeTable.Builder {
  /// Bytes that grow at their end and become a storage at last, without a copy.
  ///
  /// Large blocks of memory are moved by the operating system: what has been written is not copied
  /// when they grow, and what has not been written takes no memory. The memory has one owner: these
  /// bytes, or the storage that they become.
  @safe struct GrowingBytes: ~Copyable {
    private(set) var count = 0
    private var capacity = 0
    private var memory: UnsafeMutableRawPointer?

    deinit { unsafe free(memory) }

    /// The bytes written so far, until more are.
    var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: memory, count: count) }

    /// Adds bytes, whose content the caller writes at once.
    ///
    /// - Parameter size: The number of bytes.
    /// - Returns: Their place, until more are added.
    /// - Throws: `ArchiveError` if there is no memory.
    mutating func extend(by size: Int) throws(ArchiveError) -> UnsafeMutableRawPointer {
      guard let memory = unsafe memory, size <= capacity - count else {
        return try unsafe grow(by: size)
      }
      let place = unsafe memory + count
      count += size
      return unsafe place
    }

    /// Shortens the buffer to some number of bytes.
    mutating func shrink(to count: Int) {
      if count < self.count { self.count = max(0, count) }
    }

    /// Gives the bytes away: none are left.
    mutating func take() -> ByteStorage {
      // What was reserved and not used goes back.
      let block = unsafe memory.flatMap { unsafe realloc($0, max(1, count)) } ?? memory
      let storage = unsafe ByteStorage(
        taking: UnsafeMutableRawBufferPointer(start: block, count: count))
      unsafe (memory, count, capacity) = (nil, 0, 0)
      return storage
    }

    private mutating func grow(by size: Int) throws(ArchiveError) -> UnsafeMutableRawPointer {
      let (needed, overflows) = count.addingReportingOverflow(size)
      guard !overflows, needed < Int.max / 2 else { throw ArchiveError(.outOfMemory) }
      let capacity = max(4_096, 2 * self.capacity, needed)
      guard let memory = unsafe realloc(memory, capacity) else { throw ArchiveError(.outOfMemory) }
      unsafe (self.memory, self.capacity) = unsafe (memory, capacity)
      let place = unsafe memory + count
      count = needed
      return unsafe place
    }
  }
}
