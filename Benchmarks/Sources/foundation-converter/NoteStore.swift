import BenchmarkSQLite
import Foundation

/// The store, filled with one prepared statement for each table.
final class NoteStore {
  private var database: OpaquePointer?
  private var folderStatement: OpaquePointer?
  private var noteStatement: OpaquePointer?
  private var folders: Int64 = 0
  private var notes: Int64 = 0

  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  init(at path: String, schema: String) throws {
    try? FileManager.default.removeItem(atPath: path)
    try check(sqlite3_open(path, &database))
    try run(schema)
    try run("BEGIN")
    let folder = "INSERT INTO folder VALUES (?, ?, ?, ?)"
    let note = "INSERT INTO note VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    try check(sqlite3_prepare_v2(database, folder, -1, &folderStatement, nil))
    try check(sqlite3_prepare_v2(database, note, -1, &noteStatement, nil))
  }

  func insert(_ library: ArchivedLibrary) throws {
    for folder in library.folders {
      folders += 1
      sqlite3_bind_int64(folderStatement, 1, folders)
      bind(folder.name, 2, folderStatement)
      bind(folder.uniqueID, 3, folderStatement)
      bind(folder.createdAt, 4, folderStatement)
      try step(folderStatement)
      for (position, note) in folder.notes.enumerated() { try insert(note, at: position) }
    }
  }

  private func insert(_ note: ArchivedNote, at position: Int) throws {
    notes += 1
    sqlite3_bind_int64(noteStatement, 1, notes)
    sqlite3_bind_int64(noteStatement, 2, folders)
    sqlite3_bind_int64(noteStatement, 3, Int64(position))
    bind(note.uniqueID, 4, noteStatement)
    bind(note.title, 5, noteStatement)
    bind(note.body, 6, noteStatement)
    sqlite3_bind_double(noteStatement, 7, note.amount)
    sqlite3_bind_int(noteStatement, 8, note.isEditable ? 1 : 0)
    sqlite3_bind_int64(noteStatement, 9, Int64(note.rank))
    bind(note.createdAt, 10, noteStatement)
    bind(note.tags, 11, noteStatement)
    bind(note.price?.text, 12, noteStatement)
    bind(note.syncID?.uuidString, 13, noteStatement)
    bind(note.link?.absoluteString, 14, noteStatement)
    if let attachment = note.attachment {
      _ = attachment.withUnsafeBytes { bytes in
        sqlite3_bind_blob(
          noteStatement, 15, bytes.baseAddress, Int32(bytes.count), Self.transient)
      }
    } else {
      sqlite3_bind_null(noteStatement, 15)
    }
    try step(noteStatement)
  }

  func finish() throws {
    sqlite3_finalize(folderStatement)
    sqlite3_finalize(noteStatement)
    try run("CREATE INDEX note_folder ON note(folder_id)")
    try run("COMMIT")
    sqlite3_close(database)
  }

  private func bind(_ text: String?, _ column: Int32, _ statement: OpaquePointer?) {
    sqlite3_bind_text(statement, column, text, -1, Self.transient)
  }

  private func bind(_ date: Date?, _ column: Int32, _ statement: OpaquePointer?) {
    guard let date else {
      sqlite3_bind_null(statement, column)
      return
    }
    sqlite3_bind_double(statement, column, date.timeIntervalSince1970)
  }

  private func step(_ statement: OpaquePointer?) throws {
    try check(sqlite3_step(statement), SQLITE_DONE)
    sqlite3_reset(statement)
  }

  private func run(_ sql: String) throws {
    try check(sqlite3_exec(database, sql, nil, nil, nil))
  }

  private func check(_ code: Int32, _ expected: Int32 = SQLITE_OK) throws {
    guard code == expected else {
      throw CocoaError(
        .fileWriteUnknown, userInfo: ["SQLite": String(cString: sqlite3_errmsg(database))])
    }
  }
}
