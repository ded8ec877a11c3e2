import ArchiveWriter
import Converter
import TestSupport
import Testing

@Suite("Rows that a policy deletes")
struct DeleteRuleTests {
  /// Folders with notes in order, notes with pictures and tags.
  private static func model(
    notes: Relationship.DeleteRule = .nullify, folder: Relationship.DeleteRule = .nullify
  ) -> Model {
    Model(entities: [
      Entity(name: "Delete"),
      Entity(
        name: "Folder",
        relationships: [
          Relationship(
            name: "notes", destinations: ["Note"], isToMany: true, isOrdered: true,
            inverse: "folder", deleteRule: notes)
        ]),
      Entity(
        name: "Note",
        relationships: [
          Relationship(
            name: "folder", destinations: ["Folder"], isToMany: false, inverse: "notes",
            deleteRule: folder),
          Relationship(
            name: "tags", destinations: ["Tag"], isToMany: true, isOrdered: true, inverse: "notes"),
          Relationship(name: "next", destinations: ["Note"], isToMany: false, deleteRule: .cascade),
        ]),
      Entity(
        name: "Sketch", parent: "Note",
        relationships: [
          Relationship(
            name: "pictures", destinations: ["Picture"], isToMany: true, deleteRule: .cascade)
        ]),
      Entity(name: "Picture"),
      Entity(
        name: "Tag",
        relationships: [
          Relationship(
            name: "notes", destinations: ["Note"], isToMany: true, isOrdered: true, inverse: "tags")
        ]),
    ])
  }

  /// Converts objects, the first of which says which others are deleted.
  private static func convert(
    _ model: Model = model(), _ objects: GraphObject...
  ) throws -> ConvertedStore {
    let folder = try TemporaryFolder()
    let mapping = try folder.write(
      "entities:\n  Delete:\n    policy: Deleting\n", to: "mapping.yaml")
    return try ConvertedStore([.graph(objects)]) { options in
      options.model = model
      options.mappingPath = mapping
      options.extensions.policies = ["Deleting": DeletingPolicy.self]
    }
  }

  private static let notes = "SELECT id, folder_id, notes_position FROM Note"

  @Test("Nullify and no action leave the members, which forget the row")
  func nullify() throws {
    for rule in [Relationship.DeleteRule.nullify, .noAction] {
      let converted = try Self.convert(
        Self.model(notes: rule), .init("Delete", ["rows": .array([1])]),
        .init("Folder", ["notes": .array([2, 3])]), .init("Note"), .init("Note"))
      #expect(try converted.lines("SELECT id FROM Folder") == [])
      #expect(try converted.lines(Self.notes) == ["1|NULL|NULL", "2|NULL|NULL"])
    }
  }

  @Test("Cascade deletes the members, and what these hold, also by way of an entity of theirs")
  func cascade() throws {
    let converted = try Self.convert(
      Self.model(notes: .cascade), .init("Delete", ["rows": .array([1])]),
      .init("Folder", ["notes": .array([2, 3])]), .init("Sketch", ["pictures": .set([5, 6])]),
      .init("Note", ["next": .one(4)]), .init("Note"), .init("Picture"), .init("Picture"),
      .init("Picture"))
    #expect(try converted.lines("SELECT id FROM Folder UNION ALL SELECT id FROM Note") == [])
    #expect(try converted.lines("SELECT id FROM Picture") == ["3"])
    #expect(try converted.lines("SELECT * FROM Sketch_pictures") == [])
  }

  @Test("Cascades that lead in a circle end")
  func cycle() throws {
    let converted = try Self.convert(
      Self.model(notes: .cascade, folder: .cascade), .init("Delete", ["rows": .array([2])]),
      .init("Folder", ["notes": .array([2, 3])]), .init("Note", ["next": .one(3)]),
      .init("Note", ["next": .one(2)]), .init("Note", ["next": .one(4)]))
    #expect(try converted.lines("SELECT id FROM Folder") == [])
    #expect(try converted.lines(Self.notes) == ["3|NULL|NULL"])
  }

  @Test("Deny is an error as long as there are members, unless they are deleted as well")
  func deny() throws {
    let objects = [
      GraphObject("Folder", ["notes": .array([2, 3])]), GraphObject("Note"), GraphObject("Note"),
    ]
    func convert(_ rows: [Int]) throws -> ConvertedStore {
      try Self.convert(
        Self.model(notes: .deny), .init("Delete", ["rows": .array(rows)]), objects[0], objects[1],
        objects[2])
    }
    let error = #expect(throws: ConversionError.self) { try convert([1, 2]) }
    let messages = error?.messages.map { $0.split(separator: "/").last.map(String.init) ?? "" }
    #expect(
      messages == ["a0.plist: object 2: Folder.notes: cannot be deleted: other rows refer to it"])
    let converted = try convert([2, 1, 3])
    #expect(try converted.lines("SELECT id FROM Folder UNION ALL SELECT id FROM Note") == [])
  }

  @Test("What is deleted leaves no gap in the orders that it stood in")
  func gaps() throws {
    let converted = try Self.convert(
      Self.model(), .init("Delete", ["rows": .array([2])]),
      .init("Folder", ["notes": .array([3, 2, 4])]), .init("Note", ["tags": .array([5])]),
      .init("Note"), .init("Note", ["tags": .array([5])]),
      .init("Tag", ["notes": .array([2, 4])]))
    #expect(try converted.lines(Self.notes) == ["2|1|0", "3|1|1"])
    #expect(
      try converted.lines("SELECT Note_id, position, Tag_id, notes_position FROM Note_tags")
        == ["3|0|1|0"])
  }

  @Test("Nothing else leads to a deleted row")
  func otherReferences() throws {
    let converted = try Self.convert(
      Self.model(), .init("Delete", ["rows": .array([2])]), .init("Note", ["next": .one(2)]),
      .init("Note"))
    #expect(try converted.lines("SELECT id, next_id FROM Note") == ["1|NULL"])
    #expect(
      try converted.lines("SELECT position, value_type, value_id FROM _collection_element") == [
        "0|NULL|NULL", "1|Note|1", "2|NULL|NULL",
      ])
  }
}

/// Deletes the rows that an object lists, and makes none of it.
private final class DeletingPolicy: MigrationPolicy {
  init() {}

  func createDestinationInstances(
    forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
  ) throws {
    guard case .list(let rows) = try source.value(forKey: "rows") else { return }
    for case .row(let row) in rows { manager.context.delete(manager.context.instance(for: row)) }
  }
}
