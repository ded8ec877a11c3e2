import ArchiveReader
import DataModel
import Foundation
import Stores
import Support

/// The files of a store as they were when it was opened, read without a change to their folder.
///
/// A store without a journal is read where it lies. SQLite would write next to a store that has
/// one, or overlook what only the journal holds: such a store is copied with its journal into a
/// private folder. The shared memory of a write-ahead log (`-shm`) is of no use to a copy: it only
/// tells how long the log was.
final class StoreSnapshot: Sendable {
  /// The path by which the store was opened.
  let path: String
  /// The path without symbolic links: SQLite looks for journals next to the file itself.
  let realPath: String
  /// The size of the store and of its journals in bytes.
  let byteCount: Int
  /// The greatest number of rows of a table, which takes two bytes for each.
  ///
  /// A damaged tree can lead to the same rows again and again.
  var maxRows: Int { byteCount / 2 }
  /// True if there is the shared memory of a write-ahead log, but no log.
  let lacksLog: Bool
  /// The extent to which the write-ahead log is read; nil if there is none, or nothing in it.
  let logState: WriteAheadLog.State?
  /// The note on the write-ahead log; nil where all of it is read.
  var logNote: StoreNote? {
    if lacksLog { return StoreNote(.missingLog) }
    return switch logState {
    case .damaged: StoreNote(.damagedLog)
    case .unfinished: StoreNote(.unfinishedLog)
    case .whole, nil: nil
    }
  }
  /// A remark on the write-ahead log, as a note or as a loss.
  ///
  /// - Parameter toleratesDamage: True if the log may be damaged or cut off, so that what other
  ///   programs have saved is missing: a loss then, otherwise an error.
  /// - Returns: The note or the loss, if there is one.
  /// - Throws: `ModelError` with the code `damagedLog`.
  func readLogNote(
    toleratesDamage: Bool
  ) throws(ModelError) -> (note: StoreNote?, loss: ArchiveError?) {
    guard let note = logNote, note.code == .damagedLog else { return (logNote, nil) }
    guard toleratesDamage else { throw ModelError(.damagedLog) }
    return (nil, ArchiveError(.unreadable, name: note.description))
  }

  private let toleratesDamage: Bool
  /// The state of each of its files; nil for one that is not there.
  private let states: [String: FileState?]
  private let copy: PrivateFolder?
  /// The path of the file that is read.
  private let databasePath: String

  private static let journals = StoreSideFiles.contentSuffixes

  /// The paths of a database's journals that have content.
  ///
  /// - Parameter path: The path of the database, or of a symbolic link to it.
  /// - Returns: Their paths.
  static func journals(of path: String) -> [String] {
    let realPath = resolved(path) ?? path
    return journals.map { realPath + $0 }.filter { (FileState(path: $0)?.size ?? 0) > 0 }
  }

  /// Opens the files of a store.
  ///
  /// - Parameters:
  ///   - path: The path of the store.
  ///   - isCopied: True if the store is copied in any case, so that `change` can be called.
  ///   - toleratesDamage: True if a file that ends too early is read as far as it goes.
  /// - Throws: `ModelError` with the code `unreadable`.
  init(
    _ path: String, isCopied: Bool = false, toleratesDamage: Bool = false
  ) throws(ModelError) {
    (self.path, self.toleratesDamage) = (path, toleratesDamage)
    let realPath = resolved(path) ?? path
    self.realPath = realPath
    func state(_ suffix: String) -> FileState? { FileState(path: realPath + suffix) }
    var states: [String: FileState?] = [:]
    for suffix in [""] + Self.journals { states.updateValue(state(suffix), forKey: suffix) }
    self.states = states
    let sizes = states.compactMapValues { $0?.size }.filter { $0.value > 0 }
    byteCount = sizes.values.reduce(0, +)
    let log = StoreSideFiles.log
    lacksLog = states[log].flatMap { $0 } == nil && state(StoreSideFiles.logIndex) != nil
    guard isCopied || Self.journals.contains(where: { sizes[$0] != nil }) else {
      (copy, databasePath, logState) = (nil, realPath, nil)
      return
    }
    do throws(ArchiveError) {
      let folder = try PrivateFolder()
      for suffix in [""] + Self.journals where sizes[suffix] != nil {
        let file = try InputFile(realPath + suffix)
        if suffix == StoreSideFiles.rollbackJournal { try Self.refuseSharedJournal(file) }
        _ = try folder.copy(file, as: "store\(suffix)")
      }
      (copy, databasePath) = (folder, "\(folder.path)/store")
      logState =
        sizes[log] == nil
        ? nil
        : try WriteAheadLog.state(
          databasePath + log, index: realPath + StoreSideFiles.logIndex)
    } catch {
      throw ModelError(.unreadable, path: path, name: error.words)
    }
    do throws(StoreError) {
      // What the journal holds is written into the copy, or undone there.
      let database = try Database(path: databasePath)
      if toleratesDamage { database.tolerateDamage() }
      guard try database.rows("PRAGMA journal_mode = DELETE") == [[.text("delete")]] else {
        throw StoreError(.unreadable, path: path, reason: "its write-ahead log cannot be read")
      }
      _ = try database.rows("SELECT count(*) FROM sqlite_schema")
    } catch {
      throw ModelError(
        .unreadable, path: path, name: isUnchanged ? error.reason : Self.changed.words)
    }
    guard isUnchanged else { throw ModelError(.unreadable, path: path, name: Self.changed.words) }
  }

  /// Refuses the journal of a transaction over several databases: SQLite would follow the path in
  /// it, and remove the file there.
  private static func refuseSharedJournal(_ file: borrowing InputFile) throws(ArchiveError) {
    let mark: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    guard file.size >= mark.count else { return }
    var tail = [UInt8](repeating: 0, count: mark.count)
    let offset = off_t(file.size - mark.count)
    let count = unsafe tail.withUnsafeMutableBytes {
      unsafe pread(file.descriptor, $0.baseAddress, $0.count, offset)
    }
    guard count == mark.count else { throw changed }
    guard tail != mark else {
      throw ArchiveError(
        .unreadable, name: "its journal is part of a transaction over several databases")
    }
  }

  /// Changes the copy of the store, before anybody reads it.
  ///
  /// - Parameter change: Makes the change, in one transaction.
  /// - Throws: The error of SQLite; the error of a store that is read where it lies.
  func change(_ change: (Database) throws(StoreError) -> Void) throws(StoreError) {
    guard copy != nil else {
      throw StoreError(.unreadable, path: path, reason: "it is read where it lies")
    }
    let database = try Database(path: databasePath)
    if toleratesDamage { database.tolerateDamage() }
    try database.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN;")
    try change(database)
    try database.execute("COMMIT;")
  }

  /// Opens a connection of its own to the store, or to the copy of it.
  func connect() throws(StoreError) -> Database {
    let database = try Database(immutable: databasePath)
    if toleratesDamage { database.tolerateDamage() }
    guard isUnchanged else {
      throw StoreError(.unreadable, path: path, reason: Self.changed.words)
    }
    return database
  }

  /// The reason why the schema cannot be read, if damage is not passed over; nil if it can.
  var schemaDamage: String? {
    do throws(StoreError) {
      let database = try Database(immutable: databasePath)
      _ = try database.rows("SELECT count(*) FROM sqlite_schema")
      return nil
    } catch {
      return error.reason
    }
  }

  /// Refuses what was read if the store has changed since it was opened.
  func check() throws(ArchiveError) {
    guard isUnchanged else { throw Self.changed }
  }

  /// The error of a reading that found damage because the store has changed since it was opened;
  /// nil if it has not.
  var change: ModelError? {
    isUnchanged ? nil : ModelError(.unreadable, path: path, name: Self.changed.words)
  }

  private var isUnchanged: Bool {
    states.allSatisfy { suffix, state in FileState(path: realPath + suffix) == state }
  }

  private static var changed: ArchiveError { .changed }
}

extension ArchiveError {
  /// The words of an error whose code is `unreadable`, without what every one of them begins with.
  fileprivate var words: String { code == .unreadable ? name ?? "" : description }
}
