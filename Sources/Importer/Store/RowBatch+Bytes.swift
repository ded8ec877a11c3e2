import GraphCore

extension RowBatch {
  /// Memory for the bytes of a batch's values that are in no archive's own memory.
  ///
  /// It owns the memory; bytes stay where they are until it is emptied.
  @safe final class Bytes {
    private var blocks: [UnsafeMutableRawBufferPointer] = unsafe []
    /// The rest of the last block.
    private var free = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// The number of bytes in use.
    private(set) var count = 0

    private static let blockSize = 1 << 16

    deinit {
      unsafe blocks.forEach { unsafe $0.deallocate() }
    }

    /// Copies bytes.
    @inline(__always)
    func copy(_ bytes: BorrowedBytes) -> BorrowedBytes {
      let space = unsafe room(for: bytes.count)
      unsafe space.copyMemory(from: bytes.buffer)
      return take(bytes.count)
    }

    /// Writes bytes.
    ///
    /// - Parameters:
    ///   - most: The greatest number of bytes.
    ///   - write: Writes them; returns whether they are kept. It adds no others meanwhile.
    /// - Returns: The bytes, or nil.
    @inline(__always)
    func write(
      upTo most: Int, _ write: (inout OutputSpan<UInt8>) -> Bool
    ) -> BorrowedBytes? {
      let space = unsafe room(for: most).assumingMemoryBound(to: UInt8.self)
      var span = unsafe OutputSpan(buffer: space, initializedCount: 0)
      let isKept = write(&span)
      let written = unsafe span.finalize(for: space)
      guard isKept else { return nil }
      precondition(unsafe UnsafeMutableRawPointer(space.baseAddress) == free.baseAddress)
      return take(written)
    }

    /// Forgets all bytes.
    func empty() {
      count = 0
      // A long text has a block of its own, which is not kept.
      while unsafe blocks.count > 1 { unsafe blocks.removeLast().deallocate() }
      if let block = unsafe blocks.first, block.count > Self.blockSize {
        unsafe blocks.removeLast().deallocate()
      }
      unsafe free = blocks.first ?? UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }

    /// Memory that is not in use.
    @inline(__always)
    private func room(for count: Int) -> UnsafeMutableRawBufferPointer {
      if unsafe count > free.count || free.baseAddress == nil { addBlock(count) }
      return unsafe UnsafeMutableRawBufferPointer(rebasing: free[..<count])
    }

    /// Takes so many bytes of it into use: they are where `room(for:)` has just given memory for no
    /// fewer.
    @inline(__always)
    private func take(_ count: Int) -> BorrowedBytes {
      let bytes = unsafe BorrowedBytes(
        UnsafeRawBufferPointer(UnsafeMutableRawBufferPointer(rebasing: free[..<count])))
      unsafe free = UnsafeMutableRawBufferPointer(rebasing: free[count...])
      self.count += count
      return bytes
    }

    private func addBlock(_ count: Int) {
      unsafe free = .allocate(byteCount: max(count, Self.blockSize), alignment: 16)
      unsafe blocks.append(free)
    }
  }
}
