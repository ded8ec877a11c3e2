import Foundation
import GraphCore
import Support

/// The files next to a store in which Core Data keeps large data: `.NAME_SUPPORT/_EXTERNAL_DATA`.
struct ExternalDataFolder: Sendable {
  /// Where the bytes of an attribute are whose data may be kept in a file.
  enum Form: Equatable {
    /// In the column: after its first byte, or all of it where that says nothing.
    case inline(Range<Int>)
    /// In the file with this name.
    case file(String)
  }

  let path: String

  /// The folder of the store at a path.
  init(ofStore path: String) {
    let name = fileName(of: path)
    // The last extension, if there is one.
    let stem = name.utf8.lastIndex(of: UInt8(ascii: ".")).flatMap { dot in
      dot == name.startIndex ? nil : String(name[..<dot])
    }
    let folder = parentFolder(of: path)
    let prefix = folder.isEmpty || folder.utf8.last == UInt8(ascii: "/") ? folder : "\(folder)/"
    self.path = "\(prefix).\(stem ?? name)_SUPPORT/_EXTERNAL_DATA"
  }

  /// What the bytes of a column say.
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

  /// Whether there is a file with a name.
  func contains(_ name: String) -> Bool {
    fileStatus("\(path)/\(name)", followsLinks: false).map { $0.st_mode & S_IFMT == S_IFREG }
      ?? false
  }

  /// Maps a file; nil if it is empty.
  ///
  /// - Throws: `ArchiveError` with the file's name if there is none, or if it is no ordinary file.
  func open(_ name: String) throws(ArchiveError) -> MappedInput? {
    let path = "\(path)/\(name)"
    guard let status = fileStatus(path, followsLinks: false) else {
      throw ArchiveError(.unreadable, name: "the external file \(name) is missing")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw ArchiveError(.unreadable, name: "the external file \(name) is not a regular file")
    }
    guard status.st_size > 0 else { return nil }
    return try MappedInput(try InputFile(path), leases: false)
  }

  /// How many bytes all files have.
  var byteCount: Int {
    let names = (try? DirectoryListing(path))?.entries.map(\.name) ?? []
    return names.reduce(0) { sum, name in
      let size = Int(fileStatus("\(path)/\(name)", followsLinks: false)?.st_size ?? 0)
      let (total, overflow) = sum.addingReportingOverflow(max(0, size))
      return overflow ? sum : total
    }
  }
}
