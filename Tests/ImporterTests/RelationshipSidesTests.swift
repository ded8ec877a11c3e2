import ArchiveWriter
import Importer
import Testing

@Suite("Relationships whose sides are given in part, or disagree")
struct RelationshipSidesTests {
  /// Folders with notes in order, notes with tags, people with friends.
  private static let model = Model(entities: [
    Entity(
      name: "Folder",
      relationships: [
        Relationship(
          name: "notes", destinations: ["Note"], isToMany: true, isOrdered: true,
          inverse: "folder")
      ]),
    Entity(
      name: "Note",
      relationships: [
        Relationship(name: "folder", destinations: ["Folder"], isToMany: false, inverse: "notes"),
        Relationship(
          name: "tags", destinations: ["Tag"], isToMany: true, isOrdered: true, inverse: "notes"),
        Relationship(name: "seen", destinations: ["Note"], isToMany: true, isOrdered: true),
      ]),
    Entity(
      name: "Tag",
      relationships: [
        Relationship(
          name: "notes", destinations: ["Note"], isToMany: true, isOrdered: true, inverse: "tags")
      ]),
    Entity(
      name: "Person",
      relationships: [
        Relationship(
          name: "friends", destinations: ["Person"], isToMany: true, inverse: "friends")
      ]),
  ])

  private static let notes = "SELECT id, folder_id, notes_position FROM Note"
  private static let tags =
    "SELECT Note_id, position, Tag_id, notes_position FROM Note_tags ORDER BY 1, 2"
  private static let friends = "SELECT Person_id, Person_id_2 FROM Person_friends ORDER BY 1, 2"

  private static func convert(_ objects: GraphObject...) throws -> ConvertedStore {
    try ConvertedStore(model, [.graph(objects)])
  }

  // MARK: To-many and to-one

  @Test("Either side is enough, and both the same way give the same store")
  func eitherSide() throws {
    let owner = GraphObject("Folder", ["notes": .array([1, 2])])
    let member = GraphObject("Note", ["folder": .one(0)])
    for objects in [
      [owner, .init("Note"), .init("Note")], [.init("Folder"), member, member],
      [owner, member, member], [owner, .init("Note", ["folder": .null]), member],
    ] {
      let converted = try ConvertedStore(Self.model, [.graph(objects)])
      #expect(try converted.lines(Self.notes) == ["1|1|0", "2|1|1"])
      #expect(converted.conflicts == [])
    }
  }

  @Test("A collection has its members whatever owner they name")
  func sidesDisagree() throws {
    let converted = try Self.convert(
      .init("Folder", ["notes": .array([3, 2])]), .init("Folder"),
      .init("Note", ["folder": .one(1)]), .init("Note"))
    #expect(try converted.lines(Self.notes) == ["1|1|1", "2|1|0"])
    #expect(converted.conflicts == ["sidesDisagree Note 1 folder"])
  }

  @Test("Of two collections that claim a member, the later has it")
  func claimedTwice() throws {
    let converted = try Self.convert(
      .init("Folder", ["notes": .array([2, 3, 4])]), .init("Folder", ["notes": .array([3])]),
      .init("Note"), .init("Note"), .init("Note"))
    #expect(try converted.lines(Self.notes) == ["1|1|0", "2|2|0", "3|1|1"])
    #expect(converted.conflicts == ["claimedTwice Note 2 folder"])
  }

  @Test("A member that only names its owner stands behind the members of the collection")
  func notInCollection() throws {
    let converted = try Self.convert(
      .init("Folder", ["notes": .array([3])]), .init("Note", ["folder": .one(0)]),
      .init("Note", ["folder": .one(0)]), .init("Note"))
    #expect(try converted.lines(Self.notes) == ["1|1|1", "2|1|2", "3|1|0"])
    #expect(
      converted.conflicts == ["notInCollection Note 1 folder", "notInCollection Note 2 folder"])
  }

  @Test("No collection is no statement, and an empty one says that there are no members")
  func emptyCollections() throws {
    for (notes, conflicts) in [
      (GraphObject.Value.null, []), (.array([]), ["notInCollection Note 1 folder"]),
    ] {
      let converted = try Self.convert(
        .init("Folder", ["notes": notes]), .init("Note", ["folder": .one(0)]))
      #expect(try converted.lines(Self.notes) == ["1|1|0"])
      #expect(converted.conflicts == conflicts)
    }
  }

  @Test("A member that stands in its collection twice has its first place")
  func twiceInCollection() throws {
    let converted = try Self.convert(
      .init("Folder", ["notes": .array([1, 2, 1])]), .init("Note"), .init("Note"))
    #expect(try converted.lines(Self.notes) == ["1|1|0", "2|1|1"])
    #expect(converted.conflicts == [])
  }

  // MARK: Many to many

  @Test("Many to many holds what either side says, with the order of each")
  func union() throws {
    let converted = try Self.convert(
      .init("Note", ["tags": .array([3, 2])]), .init("Note"),
      .init("Tag", ["notes": .array([1, 0])]), .init("Tag"))
    #expect(try converted.lines(Self.tags) == ["1|0|2|0", "1|1|1|1", "2|0|1|0"])
    #expect(converted.conflicts == [])
  }

  @Test("A link that the other side's collection does not have is kept, behind the others")
  func oneSidedLink() throws {
    let converted = try Self.convert(
      .init("Note", ["tags": .array([3])]), .init("Note", ["tags": .array([])]),
      .init("Tag", ["notes": .array([0, 1])]), .init("Tag", ["notes": .array([])]))
    #expect(try converted.lines(Self.tags) == ["1|0|2|0", "1|1|1|0", "2|0|1|1"])
    #expect(
      converted.conflicts.sorted() == [
        "notInCollection Note 1 tags", "notInCollection Tag 1 notes",
        "notInCollection Tag 1 notes",
      ])
  }

  @Test("Friends hold each other, whoever says so; one who does not say so is a conflict")
  func friends() throws {
    for (objects, conflicts) in [
      ([GraphObject("Person", ["friends": .set([1])]), .init("Person")], []),
      ([.init("Person"), .init("Person", ["friends": .set([0])])], []),
      ([.init("Person", ["friends": .set([1])]), .init("Person", ["friends": .set([0])])], []),
      (
        [.init("Person", ["friends": .set([1])]), .init("Person", ["friends": .set([])])],
        ["notInCollection Person 1 friends"]
      ),
    ] {
      let converted = try ConvertedStore(Self.model, [.graph(objects)])
      #expect(try converted.lines(Self.friends) == ["1|2", "2|1"])
      #expect(converted.conflicts == conflicts)
    }
    let alone = try Self.convert(.init("Person", ["friends": .set([0])]))
    #expect(try alone.lines(Self.friends) == ["1|1"])
  }

  // MARK: Without an inverse

  @Test("Without an inverse, a collection keeps what it holds twice")
  func withoutInverse() throws {
    for avoidsPlainRows in [false, true] {
      let converted = try ConvertedStore(
        Self.model, [.graph(.init("Note", ["seen": .array([1, 0, 1])]), .init("Note"))],
        avoidsPlainRows: avoidsPlainRows)
      #expect(try converted.lines("SELECT * FROM Note_seen") == ["1|1|0|2", "2|1|1|1", "3|1|2|2"])
    }
  }

  // MARK: Several archives

  @Test("Several archives keep their links apart, and each row leads back to its file")
  func severalArchives() throws {
    let first = KeyedArchiveBuilder.graph(
      .init("Folder", ["notes": .array([1])]), .init("Note", ["tags": .array([2])]), .init("Tag"))
    let second = KeyedArchiveBuilder.graph(
      .init("Note", ["folder": .one(1)]), .init("Folder"), .init("Note", ["folder": .one(1)]),
      .init("Tag", ["notes": .array([2, 0])]))
    // The same once more, with other bytes: of files with the same bytes, one is converted.
    var third = first
    _ = third.string("of nobody")
    let converted = try ConvertedStore(Self.model, [first, second, third])
    #expect(
      try converted.lines(Self.notes) == ["1|1|0", "2|2|0", "3|2|1", "4|3|0"])
    #expect(
      try converted.lines(Self.tags) == ["1|0|1|0", "2|0|2|1", "3|0|2|0", "4|0|3|0"])
    #expect(
      try converted.lines("SELECT archive_id, entity, first, last FROM _rows ORDER BY 1, 2") == [
        "1|Folder|1|1", "1|Note|1|1", "1|Tag|1|1", "1|_collection|1|1", "2|Folder|2|2",
        "2|Note|2|3", "2|Tag|2|2", "2|_collection|2|2", "3|Folder|3|3", "3|Note|4|4",
        "3|Tag|3|3", "3|_collection|3|3",
      ])
  }
}
