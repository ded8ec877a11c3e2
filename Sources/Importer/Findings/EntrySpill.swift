import ArchiveReader
import Foundation
import Support
import Synchronization

/// A file for the entries of a report's lists that are too many for memory: without a name, in the
/// folder for temporary files, made when the first of them comes.
///
/// Several threads may append to it. What is thrown away leaves bytes behind that nobody points to.
package final class EntrySpill: Sendable {
  private struct State {
    var descriptor: CInt?
    var end: Int64 = 0
    /// The first error: then the lists are not whole.
    var failure: SystemError?
  }

  private let state = Mutex(State())

  /// Prepares a file, which is not made before it is needed.
  package init() {}

  deinit {
    state.withLock { state in
      if let descriptor = state.descriptor { close(descriptor) }
    }
  }

  /// Why entries are missing; nil as long as none are.
  package var failure: SystemError? { state.withLock(\.failure) }

  /// Notes that an entry is missing.
  func fail(_ error: SystemError) { state.withLock { $0.failure = $0.failure ?? error } }

  /// Appends bytes; returns where they are.
  func append(_ bytes: [UInt8]) -> Range<Int64> {
    state.withLock { state in
      let start = state.end
      guard state.failure == nil else { return start..<start }
      do throws(SystemError) {
        if state.descriptor == nil { state.descriptor = try TemporaryFile.make() }
        guard let descriptor = state.descriptor else { return start..<start }
        try FileSystem.write(bytes, to: descriptor, at: Int(start))
        state.end += Int64(bytes.count)
      } catch {
        state.failure = error
      }
      return start..<state.end
    }
  }

  /// Reads bytes, piece by piece.
  ///
  /// - Parameters:
  ///   - range: The place of the bytes.
  ///   - failure: Makes an error from the system's.
  ///   - body: Called with each piece.
  /// - Throws: An error so made, and any error of the body.
  func read<E: Error>(
    _ range: Range<Int64>, orThrow failure: (SystemError) -> E,
    _ body: (ArraySlice<UInt8>) throws(E) -> Void
  ) throws(E) {
    guard let descriptor = state.withLock(\.descriptor) else { return }
    var buffer = [UInt8](repeating: 0, count: Int(min(Self.pieceSize, Int64(range.count))))
    var offset = range.lowerBound
    while offset < range.upperBound {
      let most = Int(min(Int64(buffer.count), range.upperBound - offset))
      let count: Int
      do throws(SystemError) {
        count = try FileSystem.again { unsafe pread(descriptor, &buffer, most, off_t(offset)) }
        guard count > 0 else { throw SystemError(EIO) }
      } catch {
        throw failure(error)
      }
      try body(buffer[..<count])
      offset += Int64(count)
    }
  }

  /// The number of bytes that are read at a time.
  private static let pieceSize: Int64 = 1 << 18
}

extension EntrySpill: Hashable {
  /// True if they are the same file.
  package static func == (first: EntrySpill, second: EntrySpill) -> Bool { first === second }

  /// Hashes which file it is.
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
