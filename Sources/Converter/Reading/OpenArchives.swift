import ArchiveReader
import Synchronization

/// Archives that stay open between the readings, as long as they take little memory.
final class OpenArchives: Sendable {
  private struct State {
    var files: [String: ArchiveFile] = [:]
    var bytes = 0
  }

  private let state = Mutex(State())

  private static let maxBytes = 64 << 20
  /// The cost counted for each open archive in addition to its bytes, so that their number is
  /// bounded.
  private static let bytesForEach = 4 << 10

  /// The archive that was opened at a path.
  subscript(path: String) -> ArchiveFile? {
    state.withLock { $0.files[path] }
  }

  /// True if there is room for an archive that takes so much memory.
  func hasRoom(for bytes: Int) -> Bool {
    state.withLock { $0.bytes + bytes + Self.bytesForEach <= Self.maxBytes }
  }

  /// Keeps an archive, if there is room for it or there is to be no other.
  func keep(_ file: ArchiveFile, at path: String, isOnly: Bool = false) {
    let bytes = file.residentBytes + Self.bytesForEach
    state.withLock { state in
      guard state.files[path] == nil, isOnly || state.bytes + bytes <= Self.maxBytes
      else { return }
      state.files[path] = file
      state.bytes += bytes
    }
  }

  /// Has other dictionaries of all archives as records.
  func reopen(_ opener: SourceOpener) {
    state.withLock { state in
      state.files = state.files.mapValues { ArchiveFile($0, opener) }
      state.bytes = state.files.values.reduce(0) { $0 + $1.residentBytes + Self.bytesForEach }
    }
  }

  /// Hands an archive over, which is not kept any longer.
  func take(_ path: String) -> ArchiveFile? {
    state.withLock { state in
      guard let file = state.files.removeValue(forKey: path) else { return nil }
      state.bytes -= file.residentBytes + Self.bytesForEach
      return file
    }
  }
}
