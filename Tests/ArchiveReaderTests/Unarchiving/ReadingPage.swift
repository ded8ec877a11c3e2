import ArchiveReader

// The code of Documentation/reading.md; `ReadingPageTests` compares.

final class Library: KeyedDecodable {
  let title: String
  private(set) var notes: [Note] = []

  init(coder: KeyedCoder) throws {
    title = try coder.decodeString(forKey: "title") ?? ""
    try coder.decodeReferences(to: Note.self, forKey: "notes") { self.notes = $0 }
  }
}

final class Note: KeyedDecodable {
  static let archivedClassNames = ["MTNote"]
  let title: String
  let rank: Int
  private(set) weak var library: Library?

  init(coder: KeyedCoder) throws {
    title = try coder.decodeString(forKey: "title") ?? ""
    rank = try coder.decodeInteger(forKey: "rank")
    // The library holds this note: it is set when both are there.
    try coder.decodeReference(to: Library.self, forKey: "library") { self.library = $0 }
  }
}

func library(at path: String) throws -> Library? {
  let unarchiver = try KeyedUnarchiver(
    contentsOf: path, options: UnarchivingOptions(types: [Library.self, Note.self]))
  let library = try unarchiver.decodeRoot(of: Library.self)
  return library
}
