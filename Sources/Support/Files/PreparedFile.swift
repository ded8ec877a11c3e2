import Foundation
import GraphCore

/// A file that is complete and on disk, next to its destination, and has yet to take its name.
package final class PreparedFile {
  private let place: OutputDestination
  /// Its path until then.
  package let partial: String
  private let descriptor: CInt
  private var isPublished = false

  /// Writes a file next to its destination.
  ///
  /// - Parameters:
  ///   - path: The path that it is to have, or that of a link to it.
  ///   - body: Writes to the descriptor.
  /// - Throws: The system's error.
  package init(_ path: String, _ body: (CInt) throws(SystemError) -> Void) throws(SystemError) {
    place = try OutputDestination(path)
    partial = place.folder + place.unfinishedName()
    descriptor = try OutputFile.create(partial, isPrivate: FileIdentity(path: place.path) != nil)
    // From here on, the file goes with this object.
    try body(descriptor)
    guard fsync(descriptor) == 0 else { throw .last }
  }

  deinit {
    close(descriptor)
    if !isPublished { OutputFile.remove(partial) }
  }

  /// Gives the file its name.
  ///
  /// - Parameter replacing: True if a file there gives way.
  /// - Throws: The system's error; without `replacing`, also if something is there.
  package func publish(replacing: Bool = true) throws(SystemError) {
    try OutputFile.publish(partial, descriptor, at: place, replacing: replacing)
    isPublished = true
  }
}

/// A folder that is complete, next to its destination, and has yet to take its name.
package final class PreparedFolder {
  /// Its path until then; afterwards, that of the folder that it took the place of.
  package let path: String
  private let place: OutputDestination
  private enum State { case prepared, new, replaced }
  private var state = State.prepared

  /// Chooses a path for a folder, which is yet to be made.
  ///
  /// - Parameter place: The path that it is to have.
  package init(_ place: OutputDestination) {
    self.place = place
    path = place.folder + place.unfinishedName()
  }

  deinit { OutputFile.remove(folder: path) }

  /// Gives the folder its name.
  ///
  /// - Throws: The system's error; without `replacing`, also if something is there.
  package func publish(replacing: Bool) throws(SystemError) {
    let isThere = fileStatus(place.path) != nil
    try OutputFile.publish(folder: path, at: place.path, replacing: replacing)
    state = isThere ? .replaced : .new
  }

  /// Takes the name back: what was there before is there again.
  package func withdraw() throws(SystemError) {
    switch state {
    case .prepared: return
    case .new: guard SystemCalls.rename(place.path, path) == 0 else { throw .last }
    case .replaced: try OutputFile.publish(folder: path, at: place.path, replacing: true)
    }
    state = .prepared
  }
}
