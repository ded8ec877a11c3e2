package import CSQLite
import Foundation
import GraphCore
import Support

/// A connection to an SQLite database.
@safe package final class Database {
  /// The pragmas for the numbers in the header of a database that programs may use as they like:
  /// 0 where none does.
  package static let headerNumbers = ["user_version", "application_id"]

  private let handle: OpaquePointer
  package let path: String
  /// The functions that statements may call.
  private var functions: [Function] = []

  /// Opens the database in a file, which may be empty, for writing.
  package convenience init(path: String) throws(StoreError) {
    try self.init(path, isReadOnly: false)
  }

  private init(_ path: String, isReadOnly: Bool, query: String = "") throws(StoreError) {
    try Self.refuseSpecialFiles(path)
    var opened: OpaquePointer?
    let code = unsafe csq_open(Self.uri(path) + query, isReadOnly ? 1 : 0, &opened)
    guard let handle = unsafe opened else {
      throw StoreError(.database, path: path, reason: "out of memory")
    }
    unsafe self.handle = unsafe handle
    self.path = path
    if code != 0 { throw error() }
  }

  /// Opens the database in a file for reading only, and leaves no file next to it.
  ///
  /// SQLite makes files next to a database in log mode for whoever reads it, which stay there, and
  /// cannot open it in a folder that cannot be written to. One whose log holds nothing is read as it
  /// stands.
  package convenience init(reading path: String) throws(StoreError) {
    let isAsItStands = Self.isInLogMode(path) && !Self.hasJournalContent(path)
    try self.init(path, isReadOnly: true, query: isAsItStands ? Self.immutable : "")
  }

  /// Opens the database in a file that nobody writes to, for reading only.
  ///
  /// No journal of it is looked at, and nothing is made next to it. Whoever opens it has to find
  /// out whether the file stays as it is.
  package convenience init(immutable path: String) throws(StoreError) {
    try self.init(path, isReadOnly: true, query: Self.immutable)
  }

  /// Reads a file that ends too early as far as it goes: for a connection that only reads, or to a
  /// private copy.
  package func tolerateDamage() { unsafe csq_tolerate_damage(handle) }

  private static let immutable = "?immutable=1"

  /// Refuses what is there but is no ordinary file: whoever opens a pipe, as SQLite does with a
  /// database and its journals, waits for somebody to write to it.
  private static func refuseSpecialFiles(_ path: String) throws(StoreError) {
    for suffix in [""] + StoreSideFiles.journalSuffixes {
      guard let status = try? FileSystem.status(of: path + suffix),
        status.st_mode & S_IFMT != S_IFREG
      else { continue }
      throw StoreError(
        .database, path: path,
        reason: suffix.isEmpty ? "not a regular file" : "\(path)\(suffix) is not a regular file")
    }
  }

  private static func hasJournalContent(_ path: String) -> Bool {
    StoreSideFiles.contentSuffixes.contains { suffix in
      (try? FileSystem.status(of: path + suffix)).map { $0.st_size > 0 } ?? false
    }
  }

  private static func isInLogMode(_ path: String) -> Bool {
    guard let file = try? InputFile(path) else { return false }
    return (try? FileHead(of: file.descriptor))?.isInLogMode ?? false
  }

  /// A path as a URI.
  ///
  /// Two slashes at its start would make a host of what follows.
  private static func uri(_ path: String) -> String {
    let escaped = FileName.bytes(path).reduce(into: "") { text, byte in
      let character = Unicode.Scalar(byte)
      if byte < 0x80, CharacterSet.urlPathAllowed.contains(character) {
        text.unicodeScalars.append(character)
      } else {
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return path.hasPrefix("/") ? "file://\(escaped)" : "file:\(escaped)"
  }

  deinit { unsafe csq_close(handle) }

  /// Adds the database in another file, which is opened as this one is.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - schema: The name that its tables get in front of theirs.
  /// - Throws: `StoreError`.
  package func attach(_ path: String, as schema: String) throws(StoreError) {
    _ = try rows("ATTACH ? AS \(schema)", [.text(Self.uri(path))])
  }

  /// Copies what the database holds, without what was deleted in it, into an empty file.
  ///
  /// - Parameter path: The path of the file. If it is gone, it is not made again: who removed it
  ///   wants it to stay so.
  /// - Throws: `StoreError`.
  package func copy(into path: String) throws(StoreError) {
    _ = try rows("VACUUM INTO ?", [.text("\(Self.uri(path))?mode=rw")])
  }

  /// Runs statements that return no rows.
  package func execute(_ sql: String) throws(StoreError) {
    if unsafe csq_execute(handle, sql) != 0 { throw error() }
  }

  /// Prepares a statement that is run many times.
  package func prepare(_ sql: String) throws(StoreError) -> Statement {
    var statement: OpaquePointer?
    guard unsafe csq_prepare(handle, sql, &statement) == 0, let statement = unsafe statement else {
      throw error()
    }
    return unsafe Statement(statement, of: self)
  }

  /// Lets views call functions for JSON, which older versions of SQLite take for unsafe: no view of
  /// the connection's files may come from elsewhere.
  package func trustViews() throws(StoreError) { try execute("PRAGMA trusted_schema = ON;") }

  /// Gives statements a function, for as long as the connection is open.
  ///
  /// No view or trigger of a file can call it, except those of the connection itself.
  ///
  /// - Parameters:
  ///   - name: Its name in SQL.
  ///   - argumentCount: The number of its arguments: at most 8.
  ///   - function: Called on the thread that runs the statement.
  /// - Throws: `StoreError`.
  package func addFunction(
    _ name: String, argumentCount: Int,
    _ function: @escaping (Function.Arguments) -> StoredValue
  ) throws(StoreError) {
    let added = Function(function)
    functions.append(added)
    guard
      unsafe csq_add_function(
        handle, name, Int32(argumentCount), Function.call, added.context) == 0
    else { throw error() }
  }

  /// Makes statements possible that select from rows in memory.
  ///
  /// - Parameter widest: As many columns as the widest of these rows has.
  /// - Returns: The source that takes the rows.
  /// - Throws: `StoreError`.
  package func addRowsInMemory(widest: Int) throws(StoreError) -> RowsInMemory {
    var source: OpaquePointer?
    guard unsafe csq_add_rows(handle, Int32(widest), &source) == 0, let source = unsafe source
    else { throw error() }
    return unsafe RowsInMemory(source: source)
  }

  /// The source of rows in memory that statements insert.
  ///
  /// The connection owns it.
  @safe package struct RowsInMemory {
    let source: OpaquePointer
  }

  /// Lets statements give no value of more bytes.
  ///
  /// A larger one is an error of theirs, and takes no memory: see `readLargeValue`.
  package func limitValues(to byteCount: Int) {
    unsafe csq_limit_values(handle, Int32(clamping: byteCount))
  }

  /// The size in bytes of a text or blob in a row of a table, however large.
  package func sizeOfLargeValue(
    _ column: String, _ table: String, row: Int64
  ) throws(StoreError) -> Int {
    var size = 0
    guard unsafe csq_read_large(handle, table, column, row, nil, &size) == 0 else { throw error() }
    return size
  }

  /// Reads a text or blob, of which SQLite holds no more than a page in memory.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - table: The table, which has row IDs.
  ///   - row: The ID of the row.
  ///   - memory: Room for exactly as many bytes as the value has.
  /// - Throws: `StoreError` if it cannot be read.
  package func readLargeValue(
    _ column: String, _ table: String, row: Int64, into memory: UnsafeMutableRawBufferPointer
  ) throws(StoreError) {
    var size = memory.count
    guard size > 0 else { return }
    guard unsafe csq_read_large(handle, table, column, row, memory.baseAddress, &size) == 0 else {
      throw error()
    }
  }

  /// True if the file has tables of some names; a view of such a name could do anything.
  package func has(tables names: String...) throws(StoreError) -> Bool {
    for name in names {
      let found = try rows(
        "SELECT 1 FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name = ?",
        [.text(name)])
      if found.isEmpty { return false }
    }
    return true
  }

  /// Runs a statement and returns the rows that it gives.
  package func rows(_ sql: String, _ parameters: [StoredValue] = []) throws(StoreError)
    -> [[StoredValue]]
  {
    try prepare(sql).rows(parameters)
  }

  /// The system's last error on the file, in words; nil if there was none.
  ///
  /// SQLite takes a page that the disk does not give for a damaged one.
  package var diskFailure: String? {
    let failure = unsafe csq_disk_failure(handle)
    return failure == 0 ? nil : SystemError(failure).words
  }

  /// Why the system did not open a file; nil if the last error is another.
  private var openFailure: String? {
    let failure = unsafe csq_open_failure(handle)
    return failure == 0 ? nil : SystemError(failure).words
  }

  /// The last error of SQLite.
  func error() -> StoreError {
    let isDamage = unsafe csq_is_damage(handle) != 0
    let systemWords = isDamage ? diskFailure : openFailure
    var error = unsafe StoreError(
      .database, path: path, reason: systemWords ?? String(cString: csq_message(handle)))
    error.isDamage = isDamage && systemWords == nil
    if unsafe csq_is_repetition(handle) != 0 {
      // SQLite names the columns after a colon.
      let words = error.reason
      error.repeatedColumns = words.range(of: ": ").map { String(words[$0.upperBound...]) } ?? words
    }
    return error
  }
}

extension Database {
  /// A function in Swift that statements call.
  package final class Function {
    private let function: (Arguments) -> StoredValue

    init(_ function: @escaping (Arguments) -> StoredValue) { self.function = function }

    /// The arguments of a call: valid until it returns.
    @safe package struct Arguments {
      fileprivate let values: UnsafePointer<csq_value>

      /// A copy of an argument.
      package subscript(number: Int) -> StoredValue { unsafe StoredValue(values[number]) }

      /// An argument as a cell, whose bytes are valid until the call returns.
      package func cell(_ number: Int) -> csq_cell {
        var cell = unsafe csq_cell()
        unsafe cell.kind = values[number].kind
        switch unsafe cell.kind {
        case csq_kind_integer: unsafe cell.integer = values[number].integer
        case csq_kind_real: unsafe cell.real = values[number].real
        case csq_kind_text, csq_kind_blob:
          unsafe cell.bytes = unsafe values[number].bytes
          unsafe cell.count = UInt32(clamping: values[number].count)
        default: break
        }
        return unsafe cell
      }

      /// An argument that is an integer; 0 if it is none.
      package func integer(_ number: Int) -> Int64 { unsafe values[number].integer }
    }

    /// The pointer that SQLite hands to `call`.
    ///
    /// The function has to live as long as it may be called.
    var context: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    /// Called by SQLite.
    static let call:
      @convention(c) (
        UnsafeMutableRawPointer?, OpaquePointer, UnsafePointer<csq_value>
      ) -> Void = { context, call, values in
        guard let context = unsafe context else { return }
        let added = unsafe Unmanaged<Function>.fromOpaque(context).takeUnretainedValue()
        unsafe added.function(Arguments(values: values)).withValue { unsafe csq_return(call, $0) }
      }
  }
}
