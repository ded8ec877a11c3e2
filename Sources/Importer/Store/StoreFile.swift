import ArchiveReader
internal import CSQLite
import Foundation
import Synchronization

/// The file of a store under construction: beside its destination, and renamed when complete.
///
/// So the destination is either untouched or whole, whenever the program ends.
final class StoreFile {
  let destination: String
  /// Where the store is built.
  let path: String
  private var lock: Int32 = -1
  /// Whether a run that has ended left something that may be gone on with.
  private(set) var isLeftOver = false
  /// Whether the file stays if it is not published: another run can go on with it.
  let keeping = Keeping()

  /// What the name of a second file for the same destination has behind it.
  static let secondSuffix = ".coredata"

  /// Claims the place beside a destination.
  ///
  /// - Parameters:
  ///   - destination: The path that the store is to get.
  ///   - isSecond: Whether it is written from another store, which has the usual place.
  ///   - keepsLeftover: Whether what a run before left there stays for now: see `clear`.
  /// - Throws: `StoreError` if another run is writing there, or nothing can be written.
  init(
    destination: String, isSecond: Bool = false, keepsLeftover: Bool = false
  ) throws(StoreError) {
    self.destination = destination
    path = Self.temporaryPath(for: destination) + (isSecond ? Self.secondSuffix : "")
    // The lock tells a file that another run is writing from one that a killed run left behind.
    lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard lock >= 0 else { throw fileError() }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      close(lock)
      lock = -1
      throw StoreError(.busy, path: destination)
    }
    var status = stat()
    guard fstat(lock, &status) == 0 else { throw fileError() }
    isLeftOver = keepsLeftover && status.st_size > 0
    keeping.isOn = isLeftOver
    if !isLeftOver { try clear() }
  }

  /// Removes what a run before left.
  ///
  /// First the file, then its journal: a journal without its file is of no use to anyone, while
  /// a file that has lost its journal might be taken for sound.
  func clear() throws(StoreError) {
    isLeftOver = false
    keeping.isOn = false
    guard ftruncate(lock, 0) == 0 else { throw fileError() }
    if removeJournals(of: path) { syncFolder() }
  }

  /// Starts with a copy of the store at the destination, what its journals hold included.
  func copyDestination() throws(StoreError) {
    let database = try Database(path: destination)
    _ = try database.rows("VACUUM INTO ?", [.text(path)])
    // SQLite has made the file anew, or filled the one that is locked.
    var own = stat()
    guard fstat(lock, &own) == 0, let other = try? FileSystem.status(of: path),
      own.st_ino == other.st_ino
    else {
      throw StoreError(.busy, path: destination)
    }
  }

  /// The file that a path leads to: a store that is added to stays where a symbolic link found it.
  static func target(of path: String) -> String {
    resolved(path) ?? path
  }

  /// Where the store for a destination is built.
  static func temporaryPath(for destination: String) -> String {
    let (folder, name) = split(destination)
    return "\(folder).\(name).convert-partial"
  }

  /// The folder of a path, with the slash at its end, and the name in it.
  private static func split(_ path: String) -> (folder: Substring, name: Substring) {
    // By bytes: a combining mark behind the slash would make one character with it.
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let start = slash.map { path.utf8.index(after: $0) } ?? path.startIndex
    return (path[..<start], path[start...])
  }

  deinit {
    // Whatever was not published is of no use.
    guard lock >= 0 else { return }
    if !keeping.isOn {
      unlink(path)
      removeJournals(of: path)
    }
    close(lock)
  }

  /// Removes what SQLite keeps beside a file that is no more; returns whether there was a journal.
  @discardableResult
  private func removeJournals(of path: String) -> Bool {
    for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
    return unlink(path + "-journal") == 0
  }

  /// Has the disk begin with what is in the file, without waiting for it: so there is less to do when
  /// it is synced.
  var beginSync: @Sendable () -> Void {
    { [lock] in csq_begin_sync(lock) }
  }

  /// Syncs the finished file and gives it its name.
  func publish(replacing: Bool) throws(StoreError) {
    guard fsync(lock) == 0 else { throw fileError() }
    // Empty by now: the last transaction is complete.
    removeJournals(of: path)
    if replacing {
      // Journals of a store that is replaced would be taken for those of the new one.
      removeJournals(of: destination)
      guard rename(path, destination) == 0 else { throw fileError() }
    } else {
      // A link, unlike a rename, fails if something has come to stand at the destination.
      if link(path, destination) == 0 {
        unlink(path)
      } else if errno == EEXIST {
        throw StoreError(.exists, path: destination)
      } else {
        guard rename(path, destination) == 0 else { throw fileError() }
      }
    }
    close(lock)
    lock = -1
    syncFolder()
  }

  /// Makes the new name as lasting as the file.
  private func syncFolder() {
    let (folder, _) = Self.split(destination)
    let descriptor = open(folder.isEmpty ? "." : String(folder), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// A switch that any thread may turn.
  final class Keeping: Sendable {
    private let state = Mutex(false)

    var isOn: Bool {
      get { state.withLock(\.self) }
      set { state.withLock { $0 = newValue } }
    }
  }

  private func fileError() -> StoreError {
    StoreError(.file, path: destination, reason: String(cString: strerror(errno)))
  }
}
