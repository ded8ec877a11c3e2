import Foundation
import GraphCore

/// The entries of a directory, in the order of their names.
package struct DirectoryListing {
  /// The kind of file that a name leads to.
  package enum Kind: Sendable {
    case file
    case directory
    case other
    /// The directory does not tell, or it is a symbolic link.
    case unknown

    /// The kind of a file with a mode.
    package init(mode: mode_t) {
      switch mode & S_IFMT {
      case S_IFREG: self = .file
      case S_IFDIR: self = .directory
      default: self = .other
      }
    }
  }

  package private(set) var entries: [(name: String, kind: Kind)] = []

  /// Lists a directory.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - hiddenOnly: True if only names that begin with a dot are listed.
  /// - Throws: `SystemError` if it cannot be read.
  package init(_ path: String, hiddenOnly: Bool = false) throws(SystemError) {
    let descriptor = try FileSystem.open(path, O_RDONLY | O_DIRECTORY | O_NONBLOCK)
    guard let stream = unsafe fdopendir(descriptor) else {
      let error = SystemError.last
      close(descriptor)
      throw error
    }
    defer { unsafe closedir(stream) }
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        if errno == EINTR { continue }
        guard errno == 0 else { throw .last }
        break
      }
      if hiddenOnly {
        guard unsafe entry.pointee.d_name.0 == UInt8(ascii: ".") else { continue }
      }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 1) {
          unsafe FileName.text(cString: $0)
        }
      }
      guard name != ".", name != ".." else { continue }
      let kind: Kind =
        switch unsafe Int(entry.pointee.d_type) {
        case Int(DT_REG): .file
        case Int(DT_DIR): .directory
        case Int(DT_UNKNOWN), Int(DT_LNK): .unknown
        default: .other
        }
      entries.append((name, kind))
    }
    // Names that differ in their bytes alone have their order, too.
    entries.sort { one, other in
      one.name != other.name ? one.name < other.name : one.name.precedesInBytes(other.name)
    }
  }
}

/// The paths of everything in a folder, at any depth.
///
/// Links are listed, and so is what is in folders that they lead to; each folder is looked into
/// once. What cannot be listed is passed over.
package struct FolderContents {
  package private(set) var paths: [String] = []

  /// The most paths that are listed: beyond real models.
  private static let maxPaths = 100_000

  /// Lists a folder.
  package init(of path: String) {
    var waiting = [path]
    var seen: Set<FileIdentity> = []
    while let folder = waiting.popLast() {
      guard let identity = FileIdentity(path: folder), seen.insert(identity).inserted,
        let listing = try? DirectoryListing(folder)
      else { continue }
      for (name, kind) in listing.entries {
        guard paths.count < Self.maxPaths else { return }
        let path = "\(folder)/\(name)"
        paths.append(path)
        if kind == .directory || kind == .unknown { waiting.append(path) }
      }
    }
  }
}
