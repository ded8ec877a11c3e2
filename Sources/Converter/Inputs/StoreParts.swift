import ArchiveReader
import Foundation
import Support

/// The files of a directory that are parts of a database in it, and no inputs of their own.
enum StoreParts {
  /// The names of journals, and of folders for large data, whose database is there.
  ///
  /// - Parameters:
  ///   - names: All names in the directory.
  ///   - start: The path as it stands before each name.
  /// - Returns: Those names.
  static func names(in names: [String], _ start: String) -> Set<String> {
    var parts: Set<String> = []
    let journals = names.filter { StoreSideFiles.database(ofJournal: $0) != nil }
    if !journals.isEmpty {
      let others = Set(names)
      for name in journals {
        if let database = StoreSideFiles.database(ofJournal: name), others.contains(database),
          head(start + database)?.isDatabase == true
        {
          parts.insert(name)
        }
      }
    }
    let folders = Set(names.filter(StoreSideFiles.isSupportFolder))
    if !folders.isEmpty {
      for name in names {
        let folder = StoreSideFiles.supportFolder(ofStoreNamed: name)
        if folders.contains(folder), !parts.contains(folder), isStore(start + name) {
          parts.insert(folder)
        }
      }
    }
    return parts
  }

  /// The first bytes of an ordinary file, which no link leads to.
  private static func head(_ path: String) -> FileHead? {
    guard let status = fileStatus(path, followsLinks: false), status.st_mode & S_IFMT == S_IFREG,
      let descriptor = try? FileSystem.open(path)
    else { return nil }
    defer { close(descriptor) }
    return try? FileHead(of: descriptor)
  }

  /// True if a file is a database of Core Data's, by the marks in it or in its log.
  private static func isStore(_ path: String) -> Bool {
    guard head(path)?.isDatabase == true else { return false }
    return SkippedFile.isCoreDataStore(path)
      || SkippedFile.isCoreDataStore(path + StoreSideFiles.log)
  }
}
