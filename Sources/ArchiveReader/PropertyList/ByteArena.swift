import Foundation
import Synchronization

/// Memory for the bytes of small files, which one thread reads one after the other.
///
/// It comes from the system in large pieces, so files cost neither a call of the system nor page
/// faults of their own. When the last file in a piece is let go of, on whatever thread, the piece
/// is used again; of those that are not needed, some stay.
package final class ByteArena {
  /// A piece of memory, as long as somebody holds it.
  ///
  /// Unchecked: the memory changes only where nobody else holds the piece, or has a file in that
  /// part.
  final class Piece: @unchecked Sendable {
    fileprivate let memory: UnsafeMutableRawBufferPointer
    private let spare: SpareMemory

    /// Takes memory that is spare.
    fileprivate init?(_ spare: SpareMemory) {
      guard let memory = spare.take() else { return nil }
      self.memory = memory
      self.spare = spare
    }

    /// Takes a piece from the system, which begins at a multiple of its size.
    fileprivate init?(_ size: Int, _ spare: SpareMemory) {
      self.spare = spare
      let (protection, flags) = (PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS)
      guard let address = mmap(nil, 2 * size, protection, flags, -1, 0), address != MAP_FAILED
      else { return nil }
      let head = -Int(bitPattern: address) & (size - 1)
      if head > 0 { munmap(address, head) }
      munmap(address + head + size, size - head)
      #if os(Linux)
        // One large page, where there is one: it is made in one go.
        if size == ByteArena.pieceSize { madvise(address + head, size, MADV_HUGEPAGE) }
      #endif
      memory = UnsafeMutableRawBufferPointer(start: address + head, count: size)
    }

    deinit { spare.put(memory) }
  }

  /// Memory of pieces that nobody holds.
  ///
  /// Unchecked: it is touched only while the lock is held.
  fileprivate final class SpareMemory: @unchecked Sendable {
    private let lock = Mutex(())
    private var all: [UnsafeMutableRawBufferPointer] = []

    /// How many pieces stay.
    private static let most = 3

    func take() -> UnsafeMutableRawBufferPointer? { lock.withLock { _ in all.popLast() } }

    func put(_ memory: UnsafeMutableRawBufferPointer) {
      let isKept = lock.withLock { _ in
        guard memory.count == ByteArena.pieceSize, all.count < Self.most else { return false }
        all.append(memory)
        return true
      }
      if !isKept { munmap(memory.baseAddress, memory.count) }
    }

    deinit { for memory in all { munmap(memory.baseAddress, memory.count) } }
  }

  private var piece: Piece?
  private var used = 0
  private let spare = SpareMemory()

  /// Whether there has been a piece.
  private var isBegun = false

  fileprivate static let pieceSize = 1 << 21
  /// The first piece is small: there may be but one file.
  private static let firstPieceSize = 1 << 18
  /// Larger files have memory of their own.
  private static let largestFile = 1 << 17

  /// Creates an arena without memory.
  package init() {}

  /// Memory for a file; nil if it is not to be in a piece with others.
  func take(_ count: Int) -> (memory: UnsafeMutableRawBufferPointer, piece: Piece)? {
    guard count <= Self.largestFile else { return nil }
    if piece != nil, isKnownUniquelyReferenced(&piece) { used = 0 }
    if (piece?.memory.count ?? 0) < used + count {
      piece = nil
      let size = isBegun ? Self.pieceSize : Self.firstPieceSize
      (piece, used) = (Piece(spare) ?? Piece(size, spare), 0)
      isBegun = true
    }
    guard let piece else { return nil }
    let start = used
    used += (count + 15) & ~15
    return (UnsafeMutableRawBufferPointer(rebasing: piece.memory[start..<start + count]), piece)
  }
}
