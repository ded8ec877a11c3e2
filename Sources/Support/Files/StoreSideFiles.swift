import GraphCore

/// The files next to a database that are parts of it: the journals of SQLite, and the folder in
/// which Core Data keeps large data.
///
/// SQLite looks for journals next to the file itself, not next to a link to it.
package struct StoreSideFiles: Sendable {
  package static let rollbackJournal = "-journal"
  package static let log = "-wal"
  package static let logIndex = "-shm"

  /// The suffixes of all journals.
  package static let journalSuffixes = [rollbackJournal, log, logIndex]
  /// The suffixes of those that hold part of the database's content, in the order of its digest.
  package static let contentSuffixes = [log, rollbackJournal]

  /// The path of the database, without links if it is there.
  package let path: String

  /// Creates the paths.
  ///
  /// - Parameter path: The path of the database, or of a link to it.
  package init(of path: String) { self.path = resolved(path) ?? path }

  /// The paths of the journals, whether they are there or not.
  package var journals: [String] { Self.journalSuffixes.map { path + $0 } }

  /// The path of the folder for large data, whether it is there or not.
  package var supportFolder: String {
    let folder = parentFolder(of: path)
    let start = folder.isEmpty || folder.utf8.last == UInt8(ascii: "/") ? folder : "\(folder)/"
    return start + Self.supportFolder(ofStoreNamed: fileName(of: path))
  }

  // MARK: Names

  /// The name of the folder for large data of a store: `.NAME_SUPPORT`, without the last extension.
  package static func supportFolder(ofStoreNamed name: String) -> String {
    let stem = name.utf8.lastIndex(of: UInt8(ascii: ".")).flatMap { dot in
      dot == name.startIndex ? nil : String(name[..<dot])
    }
    return ".\(stem ?? name)\(supportEnding)"
  }

  private static let supportEnding = "_SUPPORT"

  /// True if a name may be that of a folder for large data.
  package static func isSupportFolder(_ name: String) -> Bool {
    name.hasPrefix(".") && name.hasSuffix(supportEnding)
  }

  /// The name of the database that a name of a journal belongs to; nil if it is no such name.
  package static func database(ofJournal name: String) -> String? {
    journalSuffixes.first { name.hasSuffix($0) && name.count > $0.count }
      .map { String(name.dropLast($0.count)) }
  }
}
