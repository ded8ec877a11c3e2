internal import CFiles
internal import CSQLite
import Foundation
import GraphCore
import Support
import Synchronization

/// The file of a store under construction: next to its destination, and renamed when complete.
///
/// So the destination is either untouched or whole, whenever the program ends.
package final class StoreFile {
  /// The path of the store as it was given.
  let destination: String
  let place: OutputDestination
  /// The path at which the store is built.
  package private(set) var path = ""
  private var lock: Int32 = -1
  /// True if a run that has ended left something that may be gone on with.
  package private(set) var isLeftOver = false
  /// The switch that keeps the file if it is not published: another run can go on with it.
  package let keeping: Keeping
  /// The state of the files at the destination when it was copied.
  private var copied: [FileState?]?

  /// Claims the place next to a destination.
  ///
  /// - Parameters:
  ///   - destination: The path that the store is to get.
  ///   - keepsLeftover: True if the file that a run before left there stays for now: see `clear`.
  ///   - isAlone: True if no other run can have left anything there: then it is not looked for.
  ///   - unfinished: Takes note of the file as long as it is of no use.
  /// - Throws: `StoreError` if another run is writing there, or nothing can be written.
  package init(
    destination: String, keepsLeftover: Bool = false, isAlone: Bool = false,
    unfinished: UnfinishedStores = UnfinishedStores()
  ) throws(StoreError) {
    self.destination = destination
    keeping = Keeping(unfinished)
    do throws(SystemError) {
      place = try OutputDestination(destination)
      // First, so that of two runs at the same time each sees the other's.
      try create()
    } catch {
      throw Self.fileError(error, destination)
    }
    guard !isAlone else { return }
    var leftovers = UnfinishedFiles(of: place, except: path)
    if leftovers.isBusy { throw StoreError(.busy, path: destination) }
    if keepsLeftover, let leftover = leftovers.takeLast() { adopt(leftover) }
    leftovers.remove()
  }

  /// Claims a place for a second file with the same destination: next to the first.
  package init(second first: StoreFile) throws(StoreError) {
    destination = first.destination
    place = first.place
    keeping = Keeping(first.keeping.unfinished)
    do throws(SystemError) {
      try create()
    } catch {
      throw Self.fileError(error, destination)
    }
  }

  private func create() throws(SystemError) {
    let path = place.folder + place.unfinishedName()
    let isPrivate = FileIdentity(path: place.path) != nil
    lock = try keeping.unfinished.create(path) { () throws(SystemError) in
      try OutputFile.create(path, isPrivate: isPrivate)
    }
    (self.path, keeping.path) = (path, path)
    // The lock tells a file that another run is writing from one that a killed run left behind.
    // One that was made this moment, another run may have taken for such.
    var status = stat()
    guard flock(lock, LOCK_EX | LOCK_NB) == 0, unsafe fstat(lock, &status) == 0 else { throw .last }
    guard status.st_nlink == 1 else { throw SystemError(EBUSY) }
  }

  private func adopt(_ leftover: UnfinishedFiles.File) {
    discard()
    (path, lock) = (leftover.path, leftover.descriptor)
    keeping.path = path
    keeping.isOn = true
    isLeftOver = true
  }

  /// Begins a new file, if there is one of a run before: that one goes.
  package func clear() throws(StoreError) {
    guard isLeftOver else { return }
    isLeftOver = false
    keeping.isOn = false
    discard()
    do throws(SystemError) {
      try create()
    } catch {
      throw Self.fileError(error, destination)
    }
  }

  /// Starts with a copy of the store at the destination, what its journals hold included.
  ///
  /// The store itself stays as it is: it is opened for reading only, and if journals have to be
  /// applied, a copy of it is.
  package func copyDestination() throws(StoreError) {
    copied = StoreJournals.state(of: place.path)
    if !StoreJournals.isInUse(place.path), StoreJournals.haveContent(of: place.path) {
      let copy = try StoreJournals.Copy(of: place, destination, keeping.unfinished)
      defer { withExtendedLifetime(copy) {} }
      try Database(path: copy.path).copy(into: path)
    } else {
      // SQLite reads what is complete while others write; what they change later shows at the end.
      try Database(reading: place.path).copy(into: path)
    }
    // Another run may have taken the file for a leftover.
    var own = stat()
    guard unsafe fstat(lock, &own) == 0, let other = try? FileSystem.status(of: path),
      own.st_ino == other.st_ino
    else {
      throw StoreError(.busy, path: destination)
    }
  }

  deinit {
    // Whatever was not published is of no use.
    if !keeping.isOn { discard() } else if lock >= 0 { close(lock) }
  }

  /// Removes the file.
  private func discard() {
    guard lock >= 0 else { return }
    OutputFile.remove(path)
    // A journal without its file is of no use to anyone, while a file that has lost its journal
    // might be taken for sound.
    for suffix in StoreJournals.suffixes { OutputFile.remove(path + suffix) }
    keeping.unfinished.remove(path)
    close(lock)
    lock = -1
  }

  /// Has the disk begin with what is in the file, without waiting for it: so there is less to do
  /// when it is synced.
  package var beginSync: @Sendable () -> Void {
    { [lock] in csq_begin_sync(lock) }
  }

  /// Syncs the finished file and gives it its name.
  ///
  /// - Parameter replacing: True if the file at the destination gives way.
  /// - Returns: The size of the file, in bytes.
  /// - Throws: `StoreError`; then what is at the destination is as it was.
  package func publish(replacing: Bool) throws(StoreError) -> Int {
    guard fsync(lock) == 0 else { throw Self.fileError(.last, destination) }
    let size: Int
    do throws(SystemError) {
      size = Int(try FileSystem.status(of: lock).st_size)
    } catch {
      throw Self.fileError(error, destination)
    }
    // Empty by now: the last transaction is complete.
    for suffix in StoreJournals.suffixes { OutputFile.remove(path + suffix) }
    if let copied {
      guard StoreJournals.isUnchanged(place.path, since: copied) else {
        throw StoreError(.inUse, path: destination)
      }
    } else {
      try StoreJournals.check(place, destination, replacing: replacing)
    }
    if replacing { try StoreJournals.clear(for: place, destination) }
    do throws(SystemError) {
      try OutputFile.publish(path, lock, at: place, replacing: replacing)
    } catch {
      guard error.code != EEXIST else { throw StoreError(.exists, path: destination) }
      throw Self.fileError(error, destination)
    }
    keeping.unfinished.remove(path)
    close(lock)
    lock = -1
    syncFolder()
    return size
  }

  /// Makes the new name as lasting as the file.
  private func syncFolder() {
    let descriptor = SystemCalls.open(
      place.folder.isEmpty ? "." : place.folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// A switch that any thread may turn: whether a file is kept, however the program ends.
  package final class Keeping: Sendable {
    let unfinished: UnfinishedStores
    private let state = Mutex((isOn: false, path: ""))

    init(_ unfinished: UnfinishedStores) { self.unfinished = unfinished }

    /// The file.
    var path: String {
      get { state.withLock(\.path) }
      set { state.withLock { $0.path = newValue } }
    }

    package var isOn: Bool {
      get { state.withLock(\.isOn) }
      set {
        state.withLock { state in
          state.isOn = newValue
          if newValue { unfinished.remove(state.path) } else { unfinished.add(state.path) }
        }
      }
    }
  }

  private static func fileError(_ error: SystemError, _ destination: String) -> StoreError {
    error.code == EBUSY || error.code == EWOULDBLOCK
      ? StoreError(.busy, path: destination)
      : StoreError(.file, path: destination, reason: error.words)
  }
}
