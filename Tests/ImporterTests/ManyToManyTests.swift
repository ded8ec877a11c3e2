import ArchiveWriter
import Importer
import TestSupport
import Testing

@Suite("Two collections that hold the same links are one many-to-many relationship")
struct ManyToManyTests {
  /// Two notes and two tags: note 0 has tags 1 and 0, note 1 has tag 1.
  private static func archive(
    notes kind: (inout KeyedArchiveBuilder, [PropertyListValue]) -> PropertyListValue,
    tags otherKind: (inout KeyedArchiveBuilder, [PropertyListValue]) -> PropertyListValue,
    tagLinks: [[Int]] = [[0], [0, 1]]
  ) -> KeyedArchiveBuilder {
    .archive { archive in
      let notes = (0..<2).map { _ in archive.reserve() }
      let tags = (0..<2).map { _ in archive.reserve() }
      for (number, links) in [[1, 0], [1]].enumerated() {
        let members = links.map { tags[$0].reference }
        archive.fill(notes[number], className: "Note", ["tags": kind(&archive, members)])
      }
      for (number, links) in tagLinks.enumerated() {
        let members = links.map { notes[$0].reference }
        archive.fill(tags[number], className: "Tag", ["notes": otherKind(&archive, members)])
      }
      return archive.array(notes.map(\.reference))
    }
  }

  @Test("Sets share one join table without positions")
  func unordered() throws {
    let converted = try ConvertedStore(
      Self.archive(notes: { $0.set($1) }, tags: { $0.set($1) }))
    #expect(try converted.tables() == ["Note", "Tag", "Note_tags"])
    #expect(try converted.lines("SELECT * FROM Note_tags") == ["1|1|1", "2|1|2", "3|2|1"])
  }

  @Test("Arrays share one join table with a position for each side")
  func ordered() throws {
    let converted = try ConvertedStore(
      Self.archive(
        notes: { $0.array($1) }, tags: { $0.array($1) }, tagLinks: [[0], [1, 0]]))
    #expect(try converted.tables() == ["Note", "Tag", "Note_tags"])
    #expect(
      try converted.store.columns("Note_tags") == [
        "id INTEGER", "Note_id INTEGER", "position INTEGER", "Tag_id INTEGER",
        "notes_position INTEGER",
      ])
    // Tag 1 of the archive is met first and so has the row 1.
    #expect(
      try converted.lines(
        "SELECT Note_id, position, Tag_id, notes_position FROM Note_tags ORDER BY 1, 2") == [
          "1|0|1|1", "1|1|2|0", "2|0|1|0",
        ])
  }

  @Test("An order on one side only is kept")
  func halfOrdered() throws {
    let converted = try ConvertedStore(
      Self.archive(notes: { $0.set($1) }, tags: { $0.array($1) }))
    #expect(
      try converted.lines("SELECT Note_id, Tag_id, notes_position FROM Note_tags") == [
        "1|1|0", "1|2|0", "2|1|1",
      ])
  }

  @Test("Collections that hold different links are two relationships")
  func different() throws {
    let converted = try ConvertedStore(
      Self.archive(notes: { $0.set($1) }, tags: { $0.set($1) }, tagLinks: [[0], [1, 0, 1]]))
    #expect(try converted.tables() == ["Note", "Tag", "Note_tags", "Tag_notes"])
    let other = try ConvertedStore(
      Self.archive(notes: { $0.set($1) }, tags: { $0.set($1) }, tagLinks: [[1], [0, 1]]))
    #expect(try other.tables() == ["Note", "Tag", "Note_tags", "Tag_notes"])
  }
}
