import ArchiveWriter
import Converter
import TestSupport
import Testing

@Suite("Relationships that hooks set")
struct HookRelationshipTests {
  private static let model = Model(entities: [
    Entity(
      name: "Folder", attributes: [Attribute(name: "name", type: .string)],
      relationships: [
        Relationship(
          name: "notes", destinations: ["Note"], isToMany: true, isOrdered: true,
          inverse: "folder"),
        Relationship(name: "cover", destinations: ["Cover"], isToMany: false, inverse: "folder"),
      ]),
    Entity(
      name: "Note", attributes: [Attribute(name: "name", type: .string)],
      relationships: [
        Relationship(name: "folder", destinations: ["Folder"], isToMany: false, inverse: "notes"),
        Relationship(
          name: "tags", destinations: ["Tag"], isToMany: true, isOrdered: true, inverse: "notes"),
      ]),
    Entity(
      name: "Tag", attributes: [Attribute(name: "name", type: .string)],
      relationships: [
        Relationship(
          name: "notes", destinations: ["Note"], isToMany: true, isOrdered: true, inverse: "tags")
      ]),
    Entity(
      name: "Cover", attributes: [Attribute(name: "name", type: .string)],
      relationships: [
        Relationship(name: "folder", destinations: ["Folder"], isToMany: false, inverse: "cover")
      ]),
  ])

  private static func named(
    _ className: String, _ name: String, _ key: String? = nil, _ value: GraphObject.Value = .null
  ) -> GraphObject {
    var object = GraphObject(className, ["name": .plain(.string(name))])
    if let key { object.values.append((key, value)) }
    return object
  }

  private static func convert(
    _ objects: [GraphObject]..., hooks: [any ImportHook.Type] = [FindingHook.self]
  ) throws -> ConvertedStore {
    try ConvertedStore(model, objects.map { .graph($0) }, hooks: hooks)
  }

  /// The tags of each note in order, and the notes of each tag.
  private static func tags(_ converted: ConvertedStore) throws -> (notes: [String], tags: [String])
  {
    let links = "Note_tags JOIN Note ON Note.id = Note_id JOIN Tag ON Tag.id = Tag_id"
    return (
      try converted.lines(
        "SELECT Note.name, Note_tags.position, Tag.name FROM \(links) ORDER BY 1, 2"),
      try converted.lines(
        "SELECT Tag.name, Note_tags.notes_position, Note.name FROM \(links) ORDER BY 1, 2")
    )
  }

  private static let members =
    """
    SELECT Folder.name, notes_position, Note.name FROM Note LEFT JOIN Folder ON Folder.id = folder_id
      ORDER BY 1, 2, 3
    """

  // MARK: Another row

  @Test("A hook that returns a row that was found: links before and after lead to it, each once")
  func foundTag() throws {
    let converted = try Self.convert([
      Self.named("Note", "n0", "tags", .array([1, 2])), Self.named("Tag", "a"),
      Self.named("Tag", "a"), Self.named("Note", "n3", "tags", .array([2])),
      Self.named("Tag", "b"), Self.named("Note", "n5", "tags", .array([4, 1])),
    ])
    #expect(try converted.lines("SELECT name FROM Tag ORDER BY 1") == ["a", "b"])
    let tags = try Self.tags(converted)
    #expect(tags.notes == ["n0|0|a", "n3|0|a", "n5|0|b", "n5|1|a"])
    #expect(tags.tags == ["a|0|n0", "a|1|n3", "a|2|n5", "b|0|n5"])
    #expect(converted.conflicts == [])
  }

  @Test("Objects that become one owner have one collection, one behind the other")
  func foundOwner() throws {
    let converted = try Self.convert([
      Self.named("Note", "n0", "folder", .one(2)),
      Self.named("Folder", "f", "notes", .array([4, 3])),
      Self.named("Folder", "f", "notes", .array([5, 0])), Self.named("Note", "n3"),
      Self.named("Note", "n4"), Self.named("Note", "n5"),
      Self.named("Note", "n6", "folder", .one(1)),
    ])
    #expect(try converted.lines("SELECT name FROM Folder") == ["f"])
    #expect(
      try converted.lines(Self.members) == ["f|0|n4", "f|1|n3", "f|2|n5", "f|3|n0", "f|4|n6"])
    #expect(converted.conflicts == ["notInCollection Note 5 folder"])
  }

  @Test("A row that another archive made is extended, behind what it holds")
  func foundInOtherArchive() throws {
    let converted = try Self.convert(
      [
        Self.named("Folder", "f", "notes", .array([1, 2])), Self.named("Note", "n1"),
        Self.named("Note", "n2", "tags", .array([3])), Self.named("Tag", "a"),
      ],
      [
        Self.named("Folder", "f", "notes", .array([2, 1])),
        Self.named("Note", "n3", "tags", .array([3])), Self.named("Note", "n4"),
        Self.named("Tag", "a", "notes", .array([2, 1])),
      ])
    #expect(
      try converted.lines(Self.members) == ["f|0|n1", "f|1|n2", "f|2|n4", "f|3|n3"])
    let tags = try Self.tags(converted)
    #expect(tags.tags == ["a|0|n4", "a|1|n3", "a|2|n2"])
    #expect(converted.conflicts == [])
    #expect(
      try converted.lines("SELECT archive_id, first, last FROM _rows WHERE entity = 'Note'") == [
        "1|1|2", "2|3|4",
      ])
  }

  @Test("A one-to-one relationship leads to the row that was found, on both sides")
  func foundPartner() throws {
    let converted = try Self.convert([
      Self.named("Cover", "c", "folder", .one(2)), Self.named("Folder", "f"),
      Self.named("Folder", "f", "cover", .one(0)),
    ])
    #expect(converted.conflicts == [])
    #expect(
      try converted.lines(
        """
        SELECT Folder.name, Cover.name FROM Folder JOIN Cover
          ON cover_id = Cover.id AND folder_id = Folder.id
        """) == ["f|c"])
    #expect(try converted.lines("SELECT name FROM Folder") == ["f"])
  }

  // MARK: No row

  @Test("Where a hook returns none, references lead nowhere and links are left out")
  func noRow() throws {
    let converted = try Self.convert([
      Self.named("Note", "n0", "tags", .array([1, 2])), Self.named("Tag", ""),
      Self.named("Tag", "a", "notes", .array([0, 5])), Self.named("Note", "n3", "folder", .one(4)),
      Self.named("Folder", "", "notes", .array([0])), Self.named("Note", ""),
      Self.named("Folder", "f", "cover", .one(7)), Self.named("Cover", "", "folder", .one(6)),
    ])
    let tags = try Self.tags(converted)
    #expect(tags.notes == ["n0|0|a"])
    #expect(tags.tags == ["a|0|n0"])
    #expect(try converted.lines(Self.members) == ["NULL|NULL|n0", "NULL|NULL|n3"])
    #expect(try converted.lines("SELECT name, cover_id FROM Folder") == ["f|NULL"])
    #expect(
      try converted.lines("SELECT position, value_type FROM _collection_element") == [
        "0|Note", "1|NULL", "2|Tag", "3|Note", "4|NULL", "5|NULL", "6|Folder", "7|NULL",
      ])
    #expect(
      converted.report.filteredObjects.map { "\($0.className) \($0.count)" } == [
        "Cover 1", "Folder 1", "Note 1", "Tag 1",
      ])
  }

  // MARK: Taking and clearing

  @Test("A hook takes a member out of another collection, which is a conflict")
  func stealing() throws {
    let converted = try Self.convert(
      [
        Self.named("Folder", "f", "notes", .array([2, 3])),
        Self.named("Folder", "thief", "notes", .array([2])), Self.named("Note", "n2"),
        Self.named("Note", "n3"),
      ], hooks: [FindingHook.self])
    #expect(try converted.lines(Self.members) == ["f|0|n3", "thief|0|n2"])
    #expect(converted.conflicts == ["claimedTwice Note 1 folder"])
  }

  @Test("What a hook clears may be set anew without a conflict")
  func clearing() throws {
    let converted = try Self.convert(
      [
        Self.named("Folder", "f", "notes", .array([2, 3])),
        Self.named("Folder", "g", "notes", .array([2])),
        Self.named("Note", "n2", "tags", .array([4])), Self.named("Note", "n3"),
        Self.named("Tag", "a", "notes", .array([3, 2])),
      ], hooks: [ClearingHook.self])
    #expect(try converted.lines(Self.members) == ["NULL|NULL|n3", "g|0|n2"])
    let tags = try Self.tags(converted)
    #expect(tags.tags == ["a|0|n3", "a|1|n2"])
    #expect(converted.conflicts == [])
  }

  @Test("Relationships that hooks set from both sides are named")
  func bothSides() throws {
    let converted = try Self.convert([
      Self.named("Folder", "f", "notes", .array([1])), Self.named("Note", "n1", "folder", .one(0)),
    ])
    #expect(converted.report.relationshipsSetFromBothSides == ["Note.folder"])
    #expect(try converted.lines(Self.members) == ["f|0|n1"])
  }
}

/// Finds rows by their name, and makes none of what has an empty one.
private struct FindingHook: ImportHook {
  static let archivedClassNames = ["Folder", "Note", "Tag", "Cover"]

  static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
    let name = try coder.decodeObject(forKey: "name")
    let entity = coder.className
    if name == .text("") { return nil }
    let row =
      entity == "Note"
      ? try coder.insert() : try coder.context.findOrInsert(into: entity, identity: ["name": name])
    for key in coder.allKeys { row[key] = try coder.decodeObject(forKey: key) }
    return row
  }
}

/// Clears the collections of what the hooks before it set, then sets its own.
private struct ClearingHook: ImportHook {
  static let archivedClassNames = ["Folder", "Note", "Tag", "Cover"]

  static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
    let row = try coder.insert()
    for key in coder.allKeys {
      let value = try coder.decodeObject(forKey: key)
      if case .list(let members) = value, coder.className == "Folder" {
        for case .row(let member) in members {
          let note = coder.context.instance(for: member)
          if case .row(let folder) = note["folder"] {
            coder.context.instance(for: folder).clear("notes")
          }
        }
      }
      if coder.className == "Tag", key == "notes" { row.clear(key) }
      row[key] = value
    }
    return row
  }
}
