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

    fileprivate init?(_ size: Int) {
      let address = mmap(
        nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | Self.populate, -1, 0)
      guard let address, address != MAP_FAILED else { return nil }
      memory = UnsafeMutableRawBufferPointer(start: address, count: size)
    }

    deinit { munmap(memory.baseAddress, memory.count) }

    #if os(Linux)
      /// All pages are made at once.
      private static let populate = MAP_POPULATE
    #else
      private static let populate: Int32 = 0
    #endif
  }

  private var piece: Piece?
  private var used = 0

  private static let pieceSize = 1 << 20
  /// Larger files have memory of their own.
  private static let largestFile = 1 << 17

  /// Creates an arena without memory.
  package init() {}

  /// Memory for a file; nil if it is not to be in a piece with others.
  func take(_ count: Int) -> (memory: UnsafeMutableRawBufferPointer, piece: Piece)? {
    guard count <= Self.largestFile else { return nil }
    if piece != nil, isKnownUniquelyReferenced(&piece) { used = 0 }
    if piece == nil || used + count > Self.pieceSize { (piece, used) = (Piece(Self.pieceSize), 0) }
    guard let piece else { return nil }
    let start = used
    used += (count + 15) & ~15
    return (UnsafeMutableRawBufferPointer(rebasing: piece.memory[start..<start + count]), piece)
  }
}
