import ArchiveWriter
import TestSupport

extension TemporaryFolder {
  /// Writes an archive of notes: an array of objects of the class Note.
  func addNotes(
    _ name: String, _ notes: KeyValuePairs<String, PropertyListValue>...
  ) throws {
    try add(name) { archive in
      archive.array(
        notes.map { note in
          let pairs = note.map { pair -> KeyValue in
            guard case .string(let text) = pair.value else { return KeyValue(pair.key, pair.value) }
            return KeyValue(pair.key, archive.string(text))
          }
          return archive.instance(of: "Note", pairs)
        })
    }
  }

  /// Writes two archives: the note "b" is in both, with another title.
  func addTwoOfNotes() throws {
    try addNotes("one", ["uid": "a", "title": "first"], ["uid": "b", "title": "second"])
    try addNotes(
      "two", ["uid": "b", "title": "SECOND", "rank": 3], ["uid": "c", "title": "third"])
  }

  /// Copies a sample model into the folder.
  func addSampleModel(_ name: String) throws {
    try addSample("\(name).xcdatamodeld/\(name).xcdatamodel/contents")
  }

  /// The text of a file.
  func text(of name: String) throws -> String {
    String(decoding: try contents(of: name), as: UTF8.self)
  }
}
