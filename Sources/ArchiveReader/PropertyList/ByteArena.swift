import Foundation

/// Memory for the bytes of small files, which one thread reads one behind the other.
///
/// It comes from the system in large pieces; a piece goes back when the last file in it is let go of.
/// So files cost neither a call of the system nor page faults of their own. As long as nobody keeps
/// a file, the same piece is used again.
package final class ByteArena {
  /// A piece of memory, as long as somebody holds it.
  ///
  /// Unchecked: the memory changes only where nobody else holds the piece, or has a file in that part.
  final class Piece: @unchecked Sendable {
    fileprivate let memory: UnsafeMutableRawBufferPointer

    /// Takes a piece from the system, which begins at a multiple of its size.
    fileprivate init?(_ size: Int) {
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

    deinit { munmap(memory.baseAddress, memory.count) }
  }

  private var piece: Piece?
  private var used = 0

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
      (piece, used) = (Piece(isBegun ? Self.pieceSize : Self.firstPieceSize), 0)
      isBegun = true
    }
    guard let piece else { return nil }
    let start = used
    used += (count + 15) & ~15
    return (UnsafeMutableRawBufferPointer(rebasing: piece.memory[start..<start + count]), piece)
  }
}
