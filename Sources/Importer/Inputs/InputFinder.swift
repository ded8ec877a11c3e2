import ArchiveReader
import Foundation

/// Finds the archives among the inputs: files that were named, and what directories hold.
///
/// Archives in directories are told by their content, whatever their names. The order is that of
/// the inputs and, within directories, of the paths.
struct InputFinder {
  /// A file that may be an archive.
  struct Input: Sendable {
    var path: String
    /// Whether the file itself was named: then it is an error if it is no archive.
    var isNamed: Bool
    /// The path below the directory that was searched; the name of a file that was named.
    var place: String
    /// For an archive inside of another, where it is found.
    var nesting: Nesting?
  }

  /// What cannot be looked into.
  private(set) var unreadable: [(path: String, reason: String)] = []
  private(set) var inputs: [Input] = []
  private(set) var hasDirectory = false
  /// How many files of directories are no property lists.
  private(set) var skippedFiles = 0
  /// How many files and directories the filter leaves out.
  private(set) var excludedFiles = 0
  private let filter: FileFilter
  private var seen: Set<FileIdentity> = []

  /// Searches paths.
  init(_ paths: [String], _ filter: FileFilter = FileFilter()) {
    self.filter = filter
    for path in paths { visit(path, below: nil) }
  }

  /// Looks at what a path leads to.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - place: The path below the directory that was named; nil if the path itself was.
  private mutating func visit(_ path: String, below place: String?) {
    let isNamed = place == nil
    var status = stat()
    guard stat(path, &status) == 0 else {
      if isNamed || errno != ENOENT { note(path) }
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      if isNamed { hasDirectory = true }
      guard place.map(filter.admits(directory:)) ?? true else {
        excludedFiles += 1
        return
      }
      // A directory that symbolic links lead to again is not searched twice.
      guard let folder = FileIdentity(path: path), seen.insert(folder).inserted else { return }
      do {
        for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted() {
          visit(
            (path as NSString).appendingPathComponent(name),
            below: place.map { "\($0)/\(name)" } ?? name)
        }
      } catch {
        unreadable.append((path, "the directory cannot be read"))
      }
    case S_IFREG:
      guard place.map(filter.admits(file:)) ?? true else {
        excludedFiles += 1
        return
      }
      guard isNamed || mayBeArchive(path) else {
        skippedFiles += 1
        return
      }
      inputs.append(
        Input(
          path: path, isNamed: isNamed, place: place ?? (path as NSString).lastPathComponent))
    default:
      if isNamed { unreadable.append((path, "not a regular file")) }
    }
  }

  private mutating func note(_ path: String) {
    unreadable.append((path, String(cString: strerror(errno))))
  }

  /// Whether the head of a file is that of a property list.
  private mutating func mayBeArchive(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      note(path)
      return false
    }
    defer { close(descriptor) }
    return withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 16) { buffer in
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      guard count > 0 else { return false }
      let head = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])
      return FileKind.isPropertyList(head)
    }
  }
}
