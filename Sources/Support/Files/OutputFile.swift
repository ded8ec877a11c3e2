internal import CFiles
import Foundation
import GraphCore

/// A file that takes its name when it is complete.
///
/// Until then it is next to its destination, under a name that nobody can predict, and no link
/// planted there is followed. A file that it replaces hands on its owner, group and permissions.
package enum OutputFile {
  /// Makes an empty file.
  ///
  /// - Parameters:
  ///   - path: Its path, at which nothing must be, not even a link.
  ///   - isPrivate: True if nobody else is to read it before it is complete. Else it gets the
  ///     permissions 644 less the umask, as new files of SQLite have them.
  /// - Returns: Its descriptor.
  /// - Throws: The system's error.
  package static func create(_ path: String, isPrivate: Bool) throws(SystemError) -> Int32 {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    while true {
      let descriptor = SystemCalls.open(path, flags, isPrivate ? 0o600 : 0o644)
      if descriptor >= 0 { return descriptor }
      guard errno == EINTR else { throw .last }
    }
  }

  /// Gives a complete file its name.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - descriptor: The file.
  ///   - place: Its destination.
  ///   - replacing: True if a file there gives way.
  /// - Throws: The system's error; EEXIST if something is there that must not give way.
  package static func publish(
    _ path: String, _ descriptor: Int32, at place: OutputDestination, replacing: Bool
  ) throws(SystemError) {
    guard !replacing else {
      let code = unsafe FileName.withPath(place.path) { unsafe cfiles_take_on(descriptor, $0) }
      guard code == 0 else { throw SystemError(code) }
      guard SystemCalls.rename(path, place.path) == 0 else { throw .last }
      return
    }
    let code = unsafe both(path, place.path) { unsafe cfiles_rename_new($0, $1) }
    guard code != 0 else { return }
    guard code == ENOTSUP else { throw SystemError(code) }
    // A link, unlike a rename, fails if something has come to stand at the destination.
    if SystemCalls.link(path, place.path) == 0 {
      remove(path)
    } else if errno == EEXIST {
      throw .last
    } else {
      guard SystemCalls.rename(path, place.path) == 0 else { throw .last }
    }
  }

  /// Gives a complete folder its name; what is there goes to the name that the folder had.
  ///
  /// - Throws: The system's error; without `replacing`, also if something is there.
  package static func publish(
    folder path: String, at destination: String, replacing: Bool
  ) throws(SystemError) {
    guard replacing, let status = fileStatus(destination) else {
      // Fails if a file is there, or a folder with anything in it.
      guard SystemCalls.rename(path, destination) == 0 else { throw .last }
      return
    }
    // Only the superuser gives files away.
    _ = unsafe FileName.withPath(path) { unsafe chown($0, status.st_uid, status.st_gid) }
    let mode = status.st_mode & 0o777
    guard unsafe FileName.withPath(path, { unsafe chmod($0, mode) }) == 0 else { throw .last }
    let code = unsafe both(path, destination) { unsafe cfiles_exchange($0, $1) }
    guard code == ENOTSUP else {
      guard code == 0 else { throw SystemError(code) }
      return
    }
    // For a moment, neither is there.
    let old = path + "-old"
    guard SystemCalls.rename(destination, old) == 0 else { throw .last }
    guard SystemCalls.rename(path, destination) == 0 else {
      let error = SystemError.last
      SystemCalls.rename(old, destination)
      throw error
    }
    SystemCalls.rename(old, path)
  }

  /// Removes a file that is of no use.
  package static func remove(_ path: String) {
    // A second attempt costs nothing, and may do what the first could not.
    if SystemCalls.unlink(path) != 0, errno != ENOENT { SystemCalls.unlink(path) }
  }

  /// Removes a folder that is of no use.
  static func remove(folder path: String) {
    for _ in 1...2 where (try? FileManager.default.removeItem(atPath: path)) != nil { return }
  }

  // MARK: Small files

  /// Tries whether a file can be written, before there is anything to write.
  ///
  /// - Parameter path: The path of the file, or of a link to it.
  /// - Returns: Why it cannot be; nil if it can.
  package static func obstacle(to path: String) -> String? {
    do throws(SystemError) {
      let place = try OutputDestination(path)
      switch try kind(path) {
      case nil, S_IFREG: return obstacle(at: place)
      case S_IFDIR: throw SystemError(EISDIR)
      default:
        let isWritable = unsafe FileName.withPath(path) { unsafe access($0, W_OK) } == 0
        return isWritable ? nil : SystemError.last.words
      }
    } catch {
      return error.words
    }
  }

  /// Tries whether a folder can be written as a whole.
  ///
  /// - Parameter path: The path of the folder, or of a link to it.
  /// - Returns: Why it cannot be; nil if it can.
  package static func obstacle(toFolder path: String) -> String? {
    do throws(SystemError) {
      let place = try OutputDestination(path)
      let kind = try kind(path)
      guard kind == nil || kind == S_IFDIR else { throw SystemError(ENOTDIR) }
      return obstacle(at: place)
    } catch {
      return error.words
    }
  }

  /// The kind of file at a path, as the system numbers them; nil if there is none.
  private static func kind(_ path: String) throws(SystemError) -> mode_t? {
    do throws(SystemError) {
      return try FileSystem.status(of: path).st_mode & S_IFMT
    } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
  }

  /// Calls a function with two paths.
  private static func both(
    _ first: String, _ second: String,
    _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
  ) -> Int32 {
    unsafe FileName.withPath(first) { first in
      unsafe FileName.withPath(second) { unsafe body(first, $0) }
    }
  }

  /// Only an attempt shows what permissions, quotas and file systems say to a file.
  private static func obstacle(at place: OutputDestination) -> String? {
    // One without a name is not left behind by a program that is killed at this moment.
    if let nameless = FileSystem.openNameless(in: place.folder.isEmpty ? "." : place.folder) {
      close(nameless)
      return nil
    }
    do throws(SystemError) {
      let attempt = place.folder + place.unfinishedName()
      close(try create(attempt, isPrivate: true))
      remove(attempt)
      return nil
    } catch {
      guard error.code == ENOENT, place.folder.hasSuffix("/") else { return error.words }
      return "there is no folder '\(place.folder.dropLast())'"
    }
  }

  /// Writes a file, whole or not at all; what is there gives way.
  ///
  /// - Parameters:
  ///   - text: The content of the file.
  ///   - path: The path of the file, or of a link to it. A pipe or a device is written to as it is.
  /// - Returns: The system's words if that fails, else nil.
  package static func write(_ text: String, to path: String) -> String? {
    write(to: path) { (descriptor) throws(SystemError) in try write(text.utf8, to: descriptor) }
  }

  /// Writes a file in pieces, whole or not at all; what is there gives way.
  ///
  /// - Parameters:
  ///   - path: The path of the file, or of a link to it. A pipe or a device is written to as it is.
  ///   - body: Writes to the descriptor.
  /// - Returns: The system's words if that fails, else nil.
  package static func write(to path: String, _ body: (Int32) throws(SystemError) -> Void) -> String?
  {
    do throws(SystemError) {
      if let identity = FileIdentity(path: path), !identity.isRegularFile {
        let descriptor = SystemCalls.open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        try body(descriptor)
        return nil
      }
      try PreparedFile(path, body).publish()
      return nil
    } catch {
      return error.words
    }
  }

  /// Writes bytes to the end of a file.
  package static func write(
    _ bytes: some Collection<UInt8>, to descriptor: Int32
  ) throws(SystemError) {
    let number: Int32? = bytes.withContiguousStorageIfAvailable { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while unsafe !rest.isEmpty {
        let count = unsafe Foundation.write(descriptor, rest.baseAddress, rest.count)
        if count > 0 {
          unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        } else if count == 0 || errno != EINTR {
          return count == 0 ? EIO : errno
        }
      }
      return 0
    }
    guard let number else { return try write(Array(bytes), to: descriptor) }
    guard number == 0 else { throw SystemError(number) }
  }
}
