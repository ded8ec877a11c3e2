/// Memory of a fixed size that is filled from its beginning: bytes stay where they are as long as it
/// lives.
///
/// Unchecked: whoever fills it does so before others have it.
@safe package final class ByteBlock: @unchecked Sendable {
  private let start: UnsafeMutableRawPointer
  /// The size of the block in bytes.
  package let size: Int
  private var used = 0

  package init(size: Int) {
    unsafe start = .allocate(byteCount: size, alignment: 16)
    self.size = size
  }

  deinit { unsafe start.deallocate() }

  /// The number of bytes that are free.
  package var room: Int { size - used }

  /// Copies bytes, for which there is room; none take one byte, since they have to lie somewhere.
  package func add(_ bytes: some Collection<UInt8>) -> BorrowedBytes {
    let count = bytes.count
    precondition(max(1, count) <= room)
    let place = unsafe start + used
    unsafe UnsafeMutableRawBufferPointer(start: place, count: count).copyBytes(from: bytes)
    used += max(1, count)
    return unsafe BorrowedBytes(start: place, count: count)
  }

  /// The position of bytes in the block; nil if they are elsewhere.
  package func place(of bytes: BorrowedBytes) -> Int? {
    let place = unsafe bytes.start - UnsafeRawPointer(start)
    return place >= 0 && place <= size && bytes.count <= size - place ? place : nil
  }

  /// Bytes of the block; nil if they go beyond it.
  package func bytes(at place: Int, count: Int) -> BorrowedBytes? {
    guard place >= 0, count >= 0, place <= size, count <= size - place else { return nil }
    return unsafe BorrowedBytes(start: start + place, count: count)
  }
}
