import Foundation
import Synchronization

/// The folders with temporary files, which a program that ends early has to remove.
public final class UnfinishedFolders: Sendable {
  /// Those of this process.
  public static let shared = UnfinishedFolders()

  private let paths = Mutex<Set<String>>([])

  private init() {}

  func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }

  /// Removes a folder with all that is in it.
  func remove(_ path: String) {
    paths.withLock { _ = $0.remove(path) }
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Removes all folders: for a program that is about to end.
  public func removeAll() {
    for path in paths.withLock({ $0 }) { remove(path) }
  }
}
