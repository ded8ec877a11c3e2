internal import CInputs
import Foundation
import GraphCore

/// The system's calls that open and list files.
///
/// A call that a signal interrupted is made again; paths have any length and any bytes. For `-`, see
/// `StandardInput`.
package enum FileSystem {
  /// Opens a file, also one in a `Container`.
  ///
  /// - Parameters:
  ///   - path: The path: see `FileName`.
  ///   - flags: The flags of the call; by default for reading, without waiting for what is no file.
  ///   - mode: The permissions of a file that is made.
  /// - Returns: The descriptor, which the caller closes.
  /// - Throws: The system's error.
  package static func open(
    _ path: String, _ flags: CInt = O_RDONLY | O_NONBLOCK, mode: CInt = 0
  ) throws(SystemError) -> CInt {
    do throws(SystemError) {
      return try unsafe FileName.withPath(StandardInput.place(of: path)) {
        (path) throws(SystemError) in
        try unsafe atEnd(of: path) { (folder, rest) throws(SystemError) in
          try again { unsafe cin_open(folder, rest, flags, mode) }
        }
      }
    } catch {
      guard error.code == ENOTDIR, flags & O_ACCMODE == O_RDONLY,
        let member = try Container.open(path)
      else { throw error }
      return member
    }
  }

  /// Opens a file without a name, to be written and read, which goes with its descriptor.
  ///
  /// - Parameter folder: The folder on whose file system it is.
  /// - Returns: The descriptor, which the caller closes; nil where there are no such files.
  static func openNameless(in folder: String) -> CInt? {
    #if os(Linux)
      let withoutName: CInt = 0o20000000 | O_DIRECTORY
      return try? open(folder, withoutName | O_RDWR | O_EXCL, mode: 0o600)
    #else
      return nil
    #endif
  }

  /// The status of the file at a path.
  package static func status(
    of path: String, followsLinks: Bool = true
  ) throws(SystemError) -> stat {
    var status = stat()
    do throws(SystemError) {
      try unsafe FileName.withPath(StandardInput.place(of: path)) { (path) throws(SystemError) in
        try unsafe atEnd(of: path) { (folder, rest) throws(SystemError) in
          _ = try again {
            unsafe fstatat(folder, rest, &status, followsLinks ? 0 : AT_SYMLINK_NOFOLLOW)
          }
        }
      }
    } catch {
      guard error.code == ENOTDIR, let member = try Container.status(of: path) else { throw error }
      return member
    }
    return status
  }

  /// The status of an open file.
  package static func status(of descriptor: CInt) throws(SystemError) -> stat {
    var status = stat()
    _ = try again { unsafe fstat(descriptor, &status) }
    return status
  }

  /// Reads from an open file, until the memory is full or the file ends.
  ///
  /// - Parameters:
  ///   - descriptor: The file.
  ///   - memory: The memory for the bytes.
  /// - Returns: The number of bytes read.
  /// - Throws: The system's error.
  package static func read(
    _ descriptor: CInt, into memory: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Int {
    var filled = 0
    while filled < memory.count {
      let start = unsafe memory.baseAddress?.advanced(by: filled)
      let count = try again { unsafe Foundation.read(descriptor, start, memory.count - filled) }
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// Reads from an open file, until the bytes asked for are there or the file ends.
  ///
  /// - Parameters:
  ///   - descriptor: The file.
  ///   - count: The number of bytes asked for.
  /// - Returns: The bytes.
  /// - Throws: The system's error.
  package static func read(
    _ descriptor: CInt, upTo count: Int
  ) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { memory, filled in
      do throws(SystemError) {
        filled = try unsafe read(descriptor, into: UnsafeMutableRawBufferPointer(memory))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Writes bytes to an open file.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - descriptor: The file.
  ///   - offset: The position in the file at which they begin.
  /// - Throws: The system's error.
  package static func write(
    _ bytes: [UInt8], to descriptor: CInt, at offset: Int
  ) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let count = try again {
        unsafe bytes.withUnsafeBytes {
          unsafe pwrite(
            descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done,
            off_t(offset + done))
        }
      }
      guard count > 0 else { throw SystemError(EIO) }
      done += count
    }
  }

  /// Removes a folder; returns false if there is something in it.
  @discardableResult
  package static func remove(emptyFolder path: String) -> Bool {
    unsafe FileName.withPath(path) { unsafe rmdir($0) } == 0 || errno == ENOENT
  }

  /// Makes a folder, and those that it is to be in, where they are not there.
  package static func makeFolders(_ path: String) throws(SystemError) {
    // From the folder that is there on.
    var missing: [String] = []
    var rest = path[...]
    while !rest.isEmpty {
      do throws(SystemError) {
        let status = try status(of: String(rest))
        guard status.st_mode & S_IFMT == S_IFDIR else { throw SystemError(ENOTDIR) }
        break
      } catch {
        guard error.code == ENOENT else { throw error }
      }
      missing.append(String(rest))
      while rest.last == "/" { rest.removeLast() }
      while let last = rest.last, last != "/" { rest.removeLast() }
    }
    for folder in missing.reversed() {
      do throws(SystemError) {
        try unsafe FileName.withPath(folder) { (path) throws(SystemError) in
          try unsafe atEnd(of: path) { (parent, rest) throws(SystemError) in
            _ = try again { unsafe mkdirat(parent, rest, 0o777) }
          }
        }
      } catch {
        guard error.code == EEXIST else { throw error }
      }
    }
  }

  /// Makes a call until no signal interrupts it.
  package static func again<Count: SignedInteger>(
    _ call: () -> Count
  ) throws(SystemError) -> Count {
    while true {
      let result = call()
      guard result < 0 else { return result }
      guard errno == EINTR else { throw .last }
    }
  }

  /// True if a text stands among bytes.
  package static func contains(_ text: String, _ bytes: BorrowedBytes) -> Bool {
    unsafe text.withCString {
      unsafe cin_contains(bytes.start, bytes.count, $0, strlen($0)) != 0
    }
  }

  // MARK: Long paths

  /// The system takes no path of so many bytes, the end included.
  private static let limit = Int(PATH_MAX)

  /// Calls a function with a folder and what is left of a path from there on: a longer one than the
  /// system takes is followed in parts.
  private static func atEnd<Result>(
    of path: UnsafePointer<CChar>,
    _ body: (_ folder: CInt, _ rest: UnsafePointer<CChar>) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    var rest = unsafe path
    var length = unsafe strlen(path)
    guard length >= limit else { return try unsafe body(AT_FDCWD, path) }
    var folder = AT_FDCWD
    defer { if folder != AT_FDCWD { close(folder) } }
    while length >= limit {
      guard let end = (1..<limit).last(where: { unsafe rest[$0] == slash }) else {
        throw SystemError(ENAMETOOLONG)
      }
      let part: [CChar] = unsafe Array(UnsafeBufferPointer(start: rest, count: end)) + [0]
      let next = try again { unsafe cin_open(folder, part, O_RDONLY | O_DIRECTORY, 0) }
      if folder != AT_FDCWD { close(folder) }
      folder = next
      unsafe rest += end
      while unsafe rest.pointee == slash { unsafe rest += 1 }
      length = unsafe strlen(rest)
    }
    // What ends in a slash is the folder itself.
    return unsafe length == 0 ? try body(folder, ".") : try body(folder, rest)
  }

  private static let slash = CChar(bitPattern: UInt8(ascii: "/"))
}
