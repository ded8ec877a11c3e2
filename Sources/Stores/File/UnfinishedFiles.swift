import Foundation
import GraphCore
import Support

/// The files in the folder of a destination of runs that have ended, or are still going on.
///
/// Only what is surely theirs counts: files with such names that belong to this user and have no
/// other name. Nothing else is opened for writing, changed or removed.
package struct UnfinishedFiles {
  /// A file that no run is writing, locked.
  struct File {
    var path: String
    var descriptor: Int32
    var changed: Int
    var isEmpty: Bool
  }

  /// True if another run is writing.
  private(set) var isBusy = false
  private var files: [File] = []
  /// Journals whose file is not there.
  private var strays: [String] = []

  /// Looks for them, and locks those that were left behind.
  init(of place: OutputDestination, except own: String) {
    var journals: [String] = []
    for name in Self.names(in: place) {
      guard let suffix = place.unfinishedSuffix(name) else { continue }
      let path = place.folder + name
      guard path != own else { continue }
      if suffix.isEmpty {
        lock(path)
      } else if StoreJournals.suffixes.contains(String(suffix)) {
        journals.append(path)
      }
    }
    strays = journals.filter { journal in
      Self.isOwn(journal)
        && !StoreJournals.suffixes.contains { suffix in
          journal.hasSuffix(suffix)
            && FileIdentity(path: String(journal.dropLast(suffix.count))) != nil
        }
    }
    if isBusy { release() }
  }

  /// The names of the hidden files of a folder; none if it cannot be read.
  private static func names(in place: OutputDestination) -> [String] {
    let path = place.folder.isEmpty ? "." : place.folder
    let listing = try? DirectoryListing(path, hiddenOnly: true)
    return listing?.entries.map(\.name) ?? []
  }

  private mutating func lock(_ path: String) {
    guard Self.isOwn(path) else { return }
    let descriptor = SystemCalls.open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, Self.isOwn(status) else {
      close(descriptor)
      return
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      isBusy = true
      close(descriptor)
      return
    }
    files.append(
      File(
        path: path, descriptor: descriptor, changed: FileState(status).changed,
        isEmpty: status.st_size == 0))
  }

  /// Takes the file out that was written last, if it can be gone on with.
  mutating func takeLast() -> File? {
    files.sort { $0.changed < $1.changed }
    guard
      let place = files.lastIndex(where: { file in
        // A journal that is not this user's would be applied to the file.
        !file.isEmpty
          && StoreJournals.suffixes.allSatisfy { suffix in
            !Self.exists(file.path + suffix)
              || suffix == StoreSideFiles.rollbackJournal && Self.isOwn(file.path + suffix)
          }
      })
    else { return nil }
    return files.remove(at: place)
  }

  /// Removes what is left: first each file, then its journals.
  mutating func remove() {
    for file in files {
      OutputFile.remove(file.path)
      for suffix in StoreJournals.suffixes where Self.isOwn(file.path + suffix) {
        OutputFile.remove(file.path + suffix)
      }
    }
    strays.forEach(OutputFile.remove)
    release()
  }

  private mutating func release() {
    for file in files { close(file.descriptor) }
    (files, strays) = ([], [])
  }

  private static func exists(_ path: String) -> Bool {
    fileStatus(path, followsLinks: false) != nil
  }

  /// True if a path is that of a file of this user that has no other name.
  private static func isOwn(_ path: String) -> Bool {
    fileStatus(path, followsLinks: false).map(isOwn) ?? false
  }

  private static func isOwn(_ status: stat) -> Bool {
    status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid() && status.st_nlink == 1
  }

  /// Removes what runs before left for several destinations, each folder being looked into once.
  ///
  /// - Throws: `StoreError` if another run is writing one of them.
  package static func remove(for destinations: [String]) throws(StoreError) {
    var names: [String: [String]] = [:]
    for destination in destinations {
      guard let place = try? OutputDestination(destination) else { continue }
      let found =
        names[place.folder] ?? Self.names(in: place).filter(OutputDestination.isUnfinished)
      names[place.folder] = found
      guard found.contains(where: { place.unfinishedSuffix($0) != nil }) else { continue }
      var files = UnfinishedFiles(of: place, except: "")
      if files.isBusy { throw StoreError(.busy, path: destination) }
      files.remove()
    }
  }

  /// True if a run before left something for a destination.
  package static func exist(for destination: String) -> Bool {
    guard let place = try? OutputDestination(destination) else { return false }
    return names(in: place).contains { place.unfinishedSuffix($0) != nil }
  }
}
