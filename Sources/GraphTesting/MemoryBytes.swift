import GraphCore

/// The bytes of a source in memory, which are overwritten before they are given back.
final class MemoryBytes: @unchecked Sendable {
  // Unchecked: the memory is written before the initializer returns, and again when nobody has it.
  private let start: UnsafeMutableRawPointer
  let count: Int

  init(_ bytes: [UInt8]) {
    count = bytes.count
    start = .allocate(byteCount: max(1, count), alignment: 16)
    UnsafeMutableRawBufferPointer(start: start, count: count).copyBytes(from: bytes)
  }

  deinit {
    start.initializeMemory(as: UInt8.self, repeating: 0xDB, count: count)
    start.deallocate()
  }

  func borrowed(_ range: Range<Int>) -> BorrowedBytes {
    BorrowedBytes(start: UnsafeRawPointer(start + range.lowerBound), count: range.count)
  }
}
