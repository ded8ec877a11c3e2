import ArchiveWriter
import Converter
import TestSupport
import Testing

@Suite("Relationships are inferred from references")
struct RelationshipInferenceTests {
  /// Folders with notes that point back at them under "folder".
  private static func library(
    noteKeys: (_ folder: PropertyListValue, _ number: Int) -> [KeyValue] = { folder, _ in
      [KeyValue("folder", folder)]
    },
    collection: (inout KeyedArchiveBuilder, [PropertyListValue]) -> PropertyListValue = {
      $0.mutableArray($1)
    }
  ) -> KeyedArchiveBuilder {
    .archive { archive in
      let folders = (0..<2).map { _ in archive.reserve() }
      for (number, folder) in folders.enumerated() {
        let notes = (0..<3).map { note in
          archive.instance(
            of: "Note",
            [KeyValue("name", .string("n\(number)\(note)"))]
              + noteKeys(folder.reference, 3 * number + note))
        }
        archive.fill(folder, className: "Folder", ["notes": collection(&archive, notes)])
      }
      return archive.array(folders.map(\.reference))
    }
  }

  @Test("Members that point back keep the relationship in their own row, with their position")
  func inverse() throws {
    let converted = try ConvertedStore(Self.library())
    #expect(try converted.tables() == ["Folder", "Note"])
    #expect(
      try converted.store.columns("Note") == [
        "id INTEGER", "name TEXT", "folder_id INTEGER", "notes_position INTEGER",
      ])
    #expect(
      try converted.lines("SELECT name, folder_id, notes_position FROM Note ORDER BY name") == [
        "n00|1|0", "n01|1|1", "n02|1|2", "n10|2|0", "n11|2|1", "n12|2|2",
      ])
    let folder = try #require(converted.report.entities.first { $0.name == "Folder" })
    #expect(folder.relationships.map(\.inverse) == ["folder"])
    #expect(folder.links == 6)
  }

  @Test("A set keeps no position")
  func unorderedInverse() throws {
    let converted = try ConvertedStore(Self.library(collection: { $0.set($1) }))
    #expect(
      try converted.store.columns("Note") == ["id INTEGER", "name TEXT", "folder_id INTEGER"])
  }

  @Test("Members that do not point back are kept in a join table")
  func noInverse() throws {
    let converted = try ConvertedStore(Self.library { _, _ in [] })
    #expect(try converted.tables() == ["Folder", "Note", "Folder_notes"])
    #expect(
      try converted.lines("SELECT Folder_id, position, Note_id FROM Folder_notes ORDER BY 1, 2")
        == [
          "1|0|1", "1|1|2", "1|2|3", "2|0|4", "2|1|5", "2|2|6",
        ])
  }

  @Test("One member that points elsewhere is enough for a join table")
  func disagreement() throws {
    let first = KeyedArchiveBuilder.archive { archive in
      let folders = (0..<2).map { _ in archive.reserve() }
      let notes = [0, 0, 1].map { archive.instance(of: "Note", ["folder": folders[$0].reference]) }
      archive.fill(folders[0], className: "Folder", ["notes": archive.array(notes)])
      archive.fill(folders[1], className: "Folder", ["notes": .none])
      return archive.array(folders.map(\.reference))
    }
    let converted = try ConvertedStore(first)
    #expect(try converted.tables() == ["Folder", "Note", "Folder_notes"])
    #expect(try converted.lines("SELECT * FROM Folder_notes") == ["1|1|0|1", "2|1|1|2", "3|1|2|3"])
    #expect(try converted.lines("SELECT folder_id FROM Note ORDER BY id") == ["1", "1", "2"])
  }

  @Test("A member that stands in a collection twice is kept in a join table")
  func duplicateMember() throws {
    let converted = try ConvertedStore(
      .archive { archive in
        let folder = archive.reserve()
        let note = archive.instance(of: "Note", ["folder": folder.reference])
        archive.fill(folder, className: "Folder", ["notes": archive.array([note, note])])
        return folder.reference
      })
    #expect(try converted.lines("SELECT * FROM Folder_notes") == ["1|1|0|1", "2|1|1|1"])
  }

  @Test("A member outside of its owner's collection has no position")
  func partialInverse() throws {
    let converted = try ConvertedStore(
      .archive { archive in
        let folder = archive.reserve()
        let inside = archive.instance(of: "Note", ["folder": folder.reference])
        let outside = archive.instance(of: "Note", ["folder": folder.reference])
        archive.fill(
          folder, className: "Folder",
          ["notes": archive.array([inside]), "last": outside])
        return folder.reference
      })
    #expect(
      try converted.lines("SELECT folder_id, notes_position FROM Note ORDER BY 2") == [
        "1|NULL", "1|0",
      ])
  }

  @Test("A member that is met before its owner gets its position all the same")
  func memberFirst() throws {
    let converted = try ConvertedStore(
      .archive { archive in
        let folder = archive.reserve()
        let notes = (0..<3).map { _ in archive.instance(of: "Note", ["folder": folder.reference]) }
        archive.fill(folder, className: "Folder", ["notes": archive.array(notes)])
        return notes[2]
      })
    #expect(
      try converted.lines("SELECT id, folder_id, notes_position FROM Note ORDER BY id") == [
        "1|1|2", "2|1|0", "3|1|1",
      ])
  }

  @Test("An entity can be its own destination")
  func selfReference() throws {
    let converted = try ConvertedStore(
      .archive { archive in
        let parent = archive.reserve()
        let children = (0..<2).map { _ in
          archive.instance(
            of: "Folder", ["parent": parent.reference, "children": archive.array([])])
        }
        archive.fill(
          parent, className: "Folder", ["parent": .none, "children": archive.array(children)])
        return parent.reference
      })
    #expect(
      try converted.lines("SELECT id, parent_id, children_position FROM Folder") == [
        "1|NULL|NULL", "2|1|0", "3|1|1",
      ])
  }

  @Test("References to several entities name the table")
  func severalDestinations() throws {
    let converted = try ConvertedStore(
      .archive { archive in
        let cat = archive.instance(of: "Cat", ["name": "Tom"])
        let mouse = archive.instance(of: "Mouse", ["name": "Jerry"])
        return archive.array([
          archive.instance(of: "Cage", ["guest": cat, "all": archive.array([cat, mouse])]),
          archive.instance(of: "Cage", ["guest": mouse, "all": archive.array([])]),
        ])
      })
    #expect(
      try converted.lines("SELECT guest_id, guest_type FROM Cage") == ["1|Cat", "1|Mouse"])
    #expect(
      try converted.lines("SELECT * FROM Cage_all") == ["1|1|0|1|Cat", "2|1|1|1|Mouse"])
  }
}
