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
  @safe final class Piece: @unchecked Sendable {
    fileprivate let memory: UnsafeMutableRawBufferPointer
    private let spare: SpareMemory

    /// Takes memory that is spare.
    fileprivate init?(_ spare: SpareMemory) {
      guard let memory = unsafe spare.take() else { return nil }
      unsafe self.memory = memory
      self.spare = spare
    }

    /// Takes a piece from the system, which begins at a multiple of its size.
    fileprivate init?(_ size: Int, _ spare: SpareMemory) {
      self.spare = spare
      let (protection, flags) = (PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS)
      guard let address = unsafe mmap(nil, 2 * size, protection, flags, -1, 0),
        unsafe address != MAP_FAILED
      else { return nil }
      let head = -Int(bitPattern: address) & (size - 1)
      if head > 0 { unsafe munmap(address, head) }
      unsafe munmap(address + head + size, size - head)
      #if os(Linux)
        // One large page, where there is one: it is made in one go.
        if size == ByteArena.pieceSize { unsafe madvise(address + head, size, MADV_HUGEPAGE) }
      #endif
      unsafe memory = unsafe UnsafeMutableRawBufferPointer(start: address + head, count: size)
    }

    deinit { unsafe spare.put(memory) }
  }

  /// Memory of pieces that nobody holds.
  ///
  /// Unchecked: it is touched only while the lock is held.
  @safe fileprivate final class SpareMemory: @unchecked Sendable {
    private let lock = Mutex(())
    private var all: [UnsafeMutableRawBufferPointer] = unsafe []

    /// The most pieces that are kept.
    private static let most = 3

    func take() -> UnsafeMutableRawBufferPointer? {
      unsafe lock.withLock { _ in unsafe all.popLast() }
    }

    func put(_ memory: UnsafeMutableRawBufferPointer) {
      let isKept = lock.withLock { _ in
        guard memory.count == ByteArena.pieceSize, unsafe all.count < Self.most else {
          return false
        }
        unsafe all.append(memory)
        return true
      }
      if !isKept { unsafe munmap(memory.baseAddress, memory.count) }
    }

    deinit { unsafe all.forEach { unsafe _ = munmap($0.baseAddress, $0.count) } }
  }

  private var piece: Piece?
  private var used = 0
  private let spare = SpareMemory()

  /// True if there has been a piece.
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
    if unsafe (piece?.memory.count ?? 0) < used + count {
      piece = nil
      let size = isBegun ? Self.pieceSize : Self.firstPieceSize
      (piece, used) = (Piece(spare) ?? Piece(size, spare), 0)
      isBegun = true
    }
    guard let piece else { return nil }
    let start = used
    used += (count + 15) & ~15
    return unsafe (
      UnsafeMutableRawBufferPointer(rebasing: piece.memory[start..<start + count]), piece
    )
  }
}
