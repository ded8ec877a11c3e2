import Foundation
import GraphCore
import Support

/// The files next to a store in which Core Data keeps large data: `.NAME_SUPPORT/_EXTERNAL_DATA`.
struct ExternalDataFolder: Sendable {
  /// The place of the bytes of an attribute whose data may be kept in a file.
  enum Form: Equatable {
    /// In the column: after its first byte, or all of it where that says nothing.
    case inline(Range<Int>)
    /// In the file with this name.
    case file(String)
  }

  /// The path of the folder.
  let path: String
  /// The folders on the way to the files, from the store's on: none may be a link.
  private let folders: [String]

  /// The largest file that is read: no value of an SQLite database is larger, with its row.
  static let maxFileSize = 1_000_000_000 - (1 << 20)

  /// The folder of the store at a path, which is not that of a link.
  init(ofStore path: String) {
    let support = StoreSideFiles(of: path).supportFolder
    self.path = "\(support)/_EXTERNAL_DATA"
    folders = [support, self.path]
  }

  /// The place of an attribute's data, by the bytes of its column.
  ///
  /// The first byte is 1 before data in the column itself, and 2 before a UUID of 36 characters
  /// that names a file. Data without either comes from a time when the attribute had no files.
  static func form(_ column: BorrowedBytes) -> Form {
    switch column.first {
    case 1: return .inline(1..<column.count)
    case 2 where column.count == 37 || column.count == 38 && column[37] == 0:
      let name = String(decoding: column[1..<37], as: UTF8.self)
      // Only a UUID is made part of a path.
      return UUID(uuidString: name) == nil ? .inline(0..<column.count) : .file(name)
    default: return .inline(0..<column.count)
    }
  }

  /// The number of bytes in a file.
  ///
  /// - Throws: `ArchiveError` with the names of the file and of the folder if there is none, if a
  ///   link leads to it, or if it is no ordinary file or too large.
  func byteCount(of name: String) throws(ArchiveError) -> Int {
    for folder in folders where try status(of: folder, name).st_mode & S_IFMT == S_IFLNK {
      throw error(name, "is not read: \(fileName(of: folder)) is a symbolic link")
    }
    let status = try status(of: "\(path)/\(name)", name)
    guard status.st_mode & S_IFMT == S_IFREG else { throw error(name, "is not a regular file") }
    let size = Int(status.st_size)
    guard size <= Self.maxFileSize else {
      throw error(
        name, "is too large: it has \(size) bytes, and at most \(Self.maxFileSize) are read")
    }
    return size
  }

  /// Maps a file; nil if it is empty.
  ///
  /// - Throws: `ArchiveError`: see `byteCount(of:)`.
  func open(_ name: String) throws(ArchiveError) -> MappedInput? {
    guard try byteCount(of: name) > 0 else { return nil }
    do throws(ArchiveError) {
      return try MappedInput(try InputFile("\(path)/\(name)"), leases: false)
    } catch {
      guard error.code == .unreadable, let reason = error.name else { throw error }
      throw self.error(name, "in \(words) cannot be read: \(reason)")
    }
  }

  /// The kind of what is at a path on the way to a file.
  private func status(of path: String, _ name: String) throws(ArchiveError) -> stat {
    do throws(SystemError) {
      return try FileSystem.status(of: path, followsLinks: false)
    } catch {
      throw self.error(
        name,
        error.code == ENOENT
          ? "is missing in \(words)" : "in \(words) cannot be read: \(error.words)")
    }
  }

  /// The folder as it is found from that of the store.
  var words: String { folders.map { fileName(of: $0) }.joined(separator: "/") }

  private func error(_ name: String, _ words: String) -> ArchiveError {
    ArchiveError(.unreadable, name: "the external file \(name) \(words)")
  }

  /// The names of the files, in their order; none if a link leads to them.
  var names: [String] {
    let isLinked = folders.contains { folder in
      fileStatus(folder, followsLinks: false).map { $0.st_mode & S_IFMT == S_IFLNK } ?? false
    }
    return isLinked ? [] : (try? DirectoryListing(path))?.entries.map(\.name) ?? []
  }

  /// The size of all files, in bytes.
  var byteCount: Int {
    names.reduce(0) { sum, name in
      let size = Int(fileStatus("\(path)/\(name)", followsLinks: false)?.st_size ?? 0)
      let (total, overflow) = sum.addingReportingOverflow(max(0, size))
      return overflow ? sum : total
    }
  }
}
