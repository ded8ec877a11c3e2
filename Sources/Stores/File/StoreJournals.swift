internal import CFiles
import Foundation
import GraphCore
import Support

/// The journals that SQLite keeps next to a database, and applies to whatever file has the name.
package enum StoreJournals {
  static let suffixes = StoreSideFiles.journalSuffixes

  /// True if another program holds a database: it writes to it, or has it open in WAL mode.
  static func isInUse(_ path: String) -> Bool {
    unsafe FileName.withPath(path) { unsafe cfiles_is_locked($0) } == 1
  }

  /// True if there is a journal that has to be applied.
  static func haveContent(of path: String) -> Bool {
    StoreSideFiles.contentSuffixes.contains { isInTheWay(path + $0) }
  }

  /// The state of a database and its journals, which shows if it was changed.
  static func state(of path: String) -> [FileState?] {
    ([""] + StoreSideFiles.contentSuffixes).map { FileState(path: path + $0) }
  }

  /// True if a store and its journals have the content that they had in an earlier state.
  static func isUnchanged(_ path: String, since earlier: [FileState?]) -> Bool {
    zip(state(of: path), earlier).allSatisfy { now, before in
      guard let now, let before else { return now == nil && before == nil }
      return now.hasContent(of: before)
    }
  }

  /// True if there is anything at a path but an empty file, which SQLite takes for none.
  private static func isInTheWay(_ path: String) -> Bool {
    guard let status = fileStatus(path, followsLinks: false) else { return false }
    return status.st_mode & S_IFMT != S_IFREG || status.st_size > 0
  }

  /// Refuses a destination where a store would not be read as it was written.
  ///
  /// - Parameters:
  ///   - place: The place of the store.
  ///   - destination: Its path as it was given.
  ///   - replacing: True if the file there gives way.
  /// - Throws: `StoreError`.
  package static func check(
    _ place: OutputDestination, _ destination: String, replacing: Bool
  ) throws(StoreError) {
    guard FileIdentity(path: place.path) == nil else {
      // Whoever has it open would go on with a file that is no more.
      guard !isInUse(place.path) else { throw StoreError(.inUse, path: destination) }
      return
    }
    guard !replacing else { return }
    for suffix in suffixes where isInTheWay(place.path + suffix) {
      throw StoreError(.journal, path: destination, reason: destination + suffix)
    }
  }

  /// Removes the journals of a store that is about to be replaced, when it is whole without them.
  ///
  /// - Throws: `StoreError`.
  static func clear(for place: OutputDestination, _ destination: String) throws(StoreError) {
    // The program may end between the two names: then the old store has all that was in them. What
    // is no database, or damaged, has nothing to lose.
    if haveContent(of: place.path), FileIdentity(path: place.path)?.isRegularFile == true {
      try? apply(to: place.path)
    }
    for suffix in suffixes where SystemCalls.unlink(place.path + suffix) != 0 && errno != ENOENT {
      throw StoreError(
        .file, path: destination,
        reason: "\(destination)\(suffix) cannot be removed: \(SystemError.last.words)")
    }
  }

  private static func apply(to path: String) throws(StoreError) {
    let database = try Database(path: path)
    _ = try database.rows("SELECT count(*) FROM sqlite_schema")
    _ = try database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// A copy of a database with its journals, to be opened in its place.
  final class Copy {
    let path: String
    private let unfinished: UnfinishedStores

    init(
      of place: OutputDestination, _ destination: String, _ unfinished: UnfinishedStores
    ) throws(StoreError) {
      path = place.folder + place.unfinishedName()
      self.unfinished = unfinished
      do throws(SystemError) {
        for suffix in [""] + StoreSideFiles.contentSuffixes {
          try Self.copy(place.path + suffix, to: path + suffix, unfinished)
        }
      } catch {
        throw StoreError(.file, path: destination, reason: error.words)
      }
    }

    deinit {
      for suffix in [""] + suffixes { OutputFile.remove(path + suffix) }
      unfinished.remove(path)
    }

    private static func copy(
      _ path: String, to copy: String, _ unfinished: UnfinishedStores
    ) throws(SystemError) {
      let from = SystemCalls.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      guard from >= 0 else {
        guard errno == ENOENT else { throw .last }
        return
      }
      defer { close(from) }
      let to = try unfinished.create(copy) { () throws(SystemError) in
        try OutputFile.create(copy, isPrivate: true)
      }
      defer { close(to) }
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = unsafe read(from, &buffer, buffer.count)
        if count == 0 { return }
        guard count > 0 || errno == EINTR else { throw .last }
        if count > 0 { try OutputFile.write(buffer.prefix(count), to: to) }
      }
    }
  }
}
