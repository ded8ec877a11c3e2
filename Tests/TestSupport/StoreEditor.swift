internal import CSQLite
import Foundation

/// A connection by which a test changes a database, as another program would.
///
/// Not for use by several threads at a time.
package final class StoreEditor {
  private var handle: OpaquePointer?

  /// Opens the database in a file, which may be empty.
  package init(_ path: String) throws {
    var opened: OpaquePointer?
    let code = csq_open(path, 0, &opened)
    handle = opened
    guard code == 0 else { throw StoreQuery.Failure(description: "\(path): cannot be opened") }
  }

  deinit { close() }

  /// Runs statements.
  package func run(_ sql: String) throws {
    guard let handle, csq_execute(handle, sql) == 0 else {
      throw StoreQuery.Failure(description: sql)
    }
  }

  /// Closes the connection.
  package func close() {
    csq_close(handle)
    handle = nil
  }
}
