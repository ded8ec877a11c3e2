import Foundation
import Synchronization

/// The files of stores that are being built, where several are at the same time.
public final class UnfinishedStores: Sendable {
  private let paths = Mutex<Set<String>>([])

  init() {}

  func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }

  func remove(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// Deletes the files: for a program that is about to end.
  ///
  /// No file is begun any more until then: whoever wants to waits.
  public func deleteAll(andThen end: () -> Never) -> Never {
    paths.withLock { paths in
      for path in paths { Self.delete(path) }
      end()
    }
  }

  /// Deletes the file of an unfinished store, and all that is written beside it.
  package static func delete(_ path: String) {
    for file in [path, path + StoreFile.secondSuffix] {
      for suffix in ["", "-journal", "-wal", "-shm"] { unlink(file + suffix) }
    }
  }
}
