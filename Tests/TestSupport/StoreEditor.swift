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

  /// Makes a copy of a store that is changed by statements.
  ///
  /// - Parameters:
  ///   - store: The path of the store.
  ///   - folder: Where the copy is made, in place of the last one.
  ///   - sql: The statements.
  /// - Returns: The path of the copy.
  /// - Throws: What is wrong with the statements, or with the files.
  package static func copy(
    of store: String, in folder: TemporaryFolder, changedBy sql: String
  ) throws -> String {
    let copy = folder.file(named: "copy.db")
    try? FileManager.default.removeItem(atPath: copy)
    try FileManager.default.copyItem(atPath: store, toPath: copy)
    let editor = try StoreEditor(copy)
    defer { editor.close() }
    try editor.run(sql)
    return copy
  }

  /// Closes the connection.
  package func close() {
    csq_close(handle)
    handle = nil
  }
}
