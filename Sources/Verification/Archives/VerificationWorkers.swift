import Stores
import Synchronization

/// The threads that compare parts of a store at the same time, each with a connection of its own.
final class VerificationWorkers: Sendable {
  /// The number of threads that work at the same time.
  let jobs: Int
  /// Takes the changes of an archive's rows; nil if they are differences.
  let edits: StoreEdits?
  private let path: String
  private let idle = Mutex<[Connection]>([])

  /// A connection that no thread has.
  ///
  /// Unchecked: whoever takes it has it alone. SQLite does not mind which thread that is.
  private struct Connection: @unchecked Sendable {
    let store: VerifiedStore
  }

  init(_ path: String, jobs: Int, _ edits: StoreEdits? = nil) {
    self.path = path
    self.jobs = jobs
    self.edits = edits
  }

  /// A connection to the store, for the thread that asks.
  func takeStore() throws(StoreError) -> VerifiedStore {
    if let known = idle.withLock({ $0.popLast() }) { return known.store }
    return try VerifiedStore(path: path)
  }

  /// Hands a connection over to whoever asks next.
  func giveBack(_ store: VerifiedStore) {
    store.endCursors()
    let connection = Connection(store: store)
    idle.withLock { $0.append(connection) }
  }
}
