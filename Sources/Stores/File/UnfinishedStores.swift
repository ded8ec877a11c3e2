import Foundation
import Support
import Synchronization

/// The files that are being built and are of no use before they are complete.
public final class UnfinishedStores: Sendable {
  private let paths = Mutex<Set<String>>([])

  package init() {}

  /// Makes a file, which is noted at the same moment.
  func create<E: Error>(_ path: String, _ make: () throws(E) -> Int32) throws(E) -> Int32 {
    try paths.withLock { (paths) throws(E) in
      let descriptor = try make()
      paths.insert(path)
      return descriptor
    }
  }

  func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }

  func remove(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// Deletes the files: for a program that is about to end.
  ///
  /// No file is begun any more until then: whoever wants to waits.
  public func deleteAll(andThen end: () -> Never) -> Never {
    paths.withLock { paths in
      for path in paths {
        for suffix in [""] + StoreJournals.suffixes { SystemCalls.unlink(path + suffix) }
      }
      end()
    }
  }
}
