import GraphCore

extension MemorySource {
  /// The bytes of a source in memory, which are overwritten before they are given back.
  @safe final class Bytes: @unchecked Sendable {
    // Unchecked: the memory is written before the initializer returns, and again when nobody has
    // it.
    private let start: UnsafeMutableRawPointer
    let count: Int

    init(_ bytes: [UInt8]) {
      count = bytes.count
      unsafe start = .allocate(byteCount: max(1, count), alignment: 16)
      unsafe UnsafeMutableRawBufferPointer(start: start, count: count).copyBytes(from: bytes)
    }

    deinit {
      unsafe start.initializeMemory(as: UInt8.self, repeating: 0xDB, count: count)
      unsafe start.deallocate()
    }

    func borrowed(_ range: Range<Int>) -> BorrowedBytes {
      unsafe BorrowedBytes(start: UnsafeRawPointer(start + range.lowerBound), count: range.count)
    }
  }
}
