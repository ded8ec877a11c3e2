import Foundation
import TestSupport

/// The folder of real stores that stands beside the repository on some machines.
enum SharedFolder {
  /// A folder in it; nil where it is absent.
  static func path(_ name: String) -> String? {
    guard let corpus = Repository.corpus else { return nil }
    let path = URL(fileURLWithPath: corpus).deletingLastPathComponent()
      .appendingPathComponent(name).path
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  /// All SQLite databases in folders of it, told by their first bytes, sorted.
  static func databases(in names: String...) -> [String] {
    let head = Data("SQLite format 3\u{0}".utf8)
    return names.compactMap(path).flatMap { folder in
      (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? [])
        .map { "\(folder)/\($0)" }
    }.filter { path in
      guard let file = FileHandle(forReadingAtPath: path) else { return false }
      defer { try? file.close() }
      return (try? file.read(upToCount: head.count)) == head
    }.sorted()
  }
}
