import ArchiveWriter
import Converter
import TestSupport
import Testing

@Suite("What the model demands of values and rows")
struct ModelValidationTests {
  private static func note(
    _ attributes: [Attribute], relationships: [Relationship] = [], unique: [[String]] = []
  ) -> Model {
    Model(entities: [
      Entity(
        name: "Note", attributes: attributes, relationships: relationships,
        uniquenessConstraints: unique),
      Entity(name: "Tag"),
    ])
  }

  /// What the conversion of notes fails with; nothing where it succeeds.
  private static func errors(
    _ model: Model, _ objects: GraphObject..., file: Int = 0
  ) throws -> [String] {
    do {
      _ = try ConvertedStore(model, [.graph(objects)])
      return []
    } catch let error as ConversionError {
      return error.messages.map { $0.split(separator: "/").last.map(String.init) ?? "" }
    }
  }

  // MARK: Attributes

  @Test(
    "The length of a text is counted in UTF-16 units",
    arguments: [
      ("ab", []), ("abcd", []), ("👍🏽", []),
      ("a", ["a0.plist: object 1 (Note): Note.title: the text is too short (at least 2)"]),
      ("abcde", ["a0.plist: object 1 (Note): Note.title: the text is too long (at most 4)"]),
    ] as [(String, [String])])
  func length(text: String, errors: [String]) throws {
    let model = Self.note([Attribute(name: "title", type: .string, minimum: 2, maximum: 4)])
    #expect(try Self.errors(model, .init("Note", ["title": .plain(.string(text))])) == errors)
  }

  @Test("A pattern has to match the whole text")
  func pattern() throws {
    let model = Self.note([Attribute(name: "title", type: .string, pattern: "[a-z]+|x1")])
    for text in ["abc", "x1"] {
      #expect(try Self.errors(model, .init("Note", ["title": .plain(.string(text))])) == [])
    }
    for text in ["abc1", "1", ""] {
      #expect(
        try Self.errors(model, .init("Note", ["title": .plain(.string(text))])) == [
          "a0.plist: object 1 (Note): Note.title: the text does not match the model's pattern"
        ])
    }
  }

  @Test("Numbers and dates have a least and a greatest value, which are allowed themselves")
  func ranges() throws {
    let model = Self.note([
      Attribute(name: "rank", type: .integer, minimum: 1, maximum: 5),
      Attribute(name: "size", type: .double, minimum: 0.5),
      Attribute(name: "day", type: .date, minimum: 0, maximum: 86_400),
    ])
    #expect(
      try Self.errors(
        model,
        .init("Note", ["rank": .plain(1), "size": .plain(.real(0.5)), "day": .date(0)]),
        .init("Note", ["rank": .plain(5), "day": .date(86_400)]), .init("Note")) == [])
    #expect(
      try Self.errors(
        model,
        .init("Note", ["rank": .plain(0), "size": .plain(.real(0.25)), "day": .date(-1)]),
        .init("Note", ["rank": .plain(6), "day": .date(86_401)])) == [
          "a0.plist: object 1 (Note): Note.rank: is below the minimum (the limit is 1)",
          "a0.plist: object 1 (Note): Note.size: is below the minimum (the limit is 0.5)",
          "a0.plist: object 1 (Note): Note.day: is below the minimum",
          "a0.plist: object 2 (Note): Note.rank: is above the maximum (the limit is 5)",
          "a0.plist: object 2 (Note): Note.day: is above the maximum",
        ])
  }

  @Test("An attribute that must not be empty takes its default, or is an error")
  func required() throws {
    let model = Self.note([
      Attribute(name: "title", type: .string, isOptional: false),
      Attribute(name: "rank", type: .integer, isOptional: false, defaultValue: .integer(7)),
    ])
    let converted = try ConvertedStore(
      model, [.graph(.init("Note", ["title": .plain("a"), "rank": .null]))])
    #expect(try converted.lines("SELECT title, rank FROM Note") == ["a|7"])
    #expect(
      try Self.errors(model, .init("Note", ["title": .null]), .init("Note", ["rank": .plain(1)]))
        == [
          "a0.plist: Note: Note.title: is empty, but must not be: 2 times, first in object 1"
        ])
  }

  // MARK: Relationships

  private static func tags(_ least: Int, _ most: Int, isOptional: Bool = true) -> Model {
    note(
      [],
      relationships: [
        Relationship(
          name: "tags", destinations: ["Tag"], isToMany: true, isOptional: isOptional,
          minimumCount: least, maximumCount: most)
      ])
  }

  @Test("A to-many relationship leads to as many rows as it must and may")
  func counts() throws {
    let model = Self.tags(2, 3, isOptional: false)
    let tags = (0..<4).map { _ in GraphObject("Tag") }
    func errors(_ members: [Int]) throws -> [String] {
      do {
        let note = GraphObject("Note", ["tags": .set(members)])
        _ = try ConvertedStore(model, [.graph(tags + [note])])
        return []
      } catch let error as ConversionError {
        return error.messages.map { $0.split(separator: "/").last.map(String.init) ?? "" }
      }
    }
    #expect(try errors([0, 1]) == [])
    #expect(try errors([0, 1, 2]) == [])
    for members in [[], [0]] {
      #expect(
        try errors(members) == [
          "a0.plist: object 5: Note.tags: refers to too few rows (at least 2)"
        ])
    }
    #expect(
      try errors([0, 1, 2, 3]) == [
        "a0.plist: object 5: Note.tags: refers to too many rows (at most 3)"
      ])
  }

  @Test("An optional to-many relationship may be empty whatever its least count is")
  func optionalCount() throws {
    let model = Self.tags(2, 0)
    #expect(try Self.errors(model, .init("Note")) == [])
    #expect(
      try Self.errors(model, .init("Note", ["tags": .set([1])]), .init("Tag")) == [
        "a0.plist: object 1: Note.tags: refers to too few rows (at least 2)"
      ])
  }

  @Test("A to-many relationship that is not optional may be empty if it has no least count")
  func emptyCollection() throws {
    let model = Self.tags(0, 0, isOptional: false)
    #expect(
      try Self.errors(model, .init("Note"), .init("Note", ["tags": .set([])])) == [])
    let tags = GraphObject("Note", ["tags": .set([])])
    #expect(
      try Self.errors(Self.tags(1, 0, isOptional: false), tags) == [
        "a0.plist: object 1: Note.tags: refers to too few rows (at least 1)"
      ])
  }

  @Test("A required to-one relationship is filled from either side")
  func requiredToOne() throws {
    let model = Model(entities: [
      Entity(
        name: "Folder",
        relationships: [
          Relationship(name: "notes", destinations: ["Note"], isToMany: true, inverse: "folder")
        ]),
      Entity(
        name: "Note",
        relationships: [
          Relationship(
            name: "folder", destinations: ["Folder"], isToMany: false, inverse: "notes",
            isOptional: false)
        ]),
    ])
    #expect(
      try Self.errors(model, .init("Folder", ["notes": .set([1])]), .init("Note")) == [])
    let errors = try Self.errors(
      model, .init("Folder", ["notes": .set([1])]), .init("Note"), .init("Note"), .init("Note"))
    #expect(
      errors == [
        "a0.plist: Note.folder: is empty, but must not be: 2 times, first in object 3"
      ])
  }

  // MARK: Uniqueness

  @Test("What is unique together must not occur twice; what is not all there does not count")
  func uniqueness() throws {
    let model = Self.note(
      [Attribute(name: "title", type: .string), Attribute(name: "rank", type: .integer)],
      unique: [["title", "rank"]])
    func note(_ title: String?, _ rank: Int64) -> GraphObject {
      GraphObject(
        "Note",
        ["title": title.map { .plain(.string($0)) } ?? .null, "rank": .plain(.integer(rank))])
    }
    #expect(
      try Self.errors(model, note("a", 1), note("a", 2), note(nil, 1), note(nil, 1)) == [])
    #expect(
      try Self.errors(model, note("a", 1), note("b", 1), note("a", 1), note("a", 1)) == [
        "a0.plist: object 4: Note.title, rank: is not unique (3 rows have it)"
      ])
    let converted = try ConvertedStore(model, [.graph(note("a", 1))])
    #expect(
      try converted.lines(
        "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE UNIQUE%'") == [
          "Note_unique_title_rank"
        ])
  }

  // MARK: All together

  @Test("All errors are listed, each with its archive, object, entity and property")
  func everything() throws {
    let model = Self.note(
      [
        Attribute(name: "title", type: .string, isOptional: false),
        Attribute(name: "rank", type: .integer, maximum: 5),
      ],
      relationships: [
        Relationship(name: "tag", destinations: ["Tag"], isToMany: false, isOptional: false)
      ], unique: [["rank"]])
    let good = KeyedArchiveBuilder.graph(
      .init("Note", ["title": .plain("a"), "rank": .plain(1), "tag": .one(1)]), .init("Tag"))
    let bad = KeyedArchiveBuilder.graph(
      .init("Note", ["rank": .plain(6), "tag": .one(1)]), .init("Tag"),
      .init("Note", ["title": .plain("b"), "rank": .plain(1)]))
    let error = #expect(throws: ConversionError.self) {
      try ConvertedStore(model, [good, bad])
    }
    guard case .invalid(let errors, count: 4) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let found = errors.map { error in
      [
        "\(error.code)", error.archive?.split(separator: "/").last.map(String.init) ?? "-",
        error.uid.map { "\($0)" } ?? "-", error.className ?? "-", error.entity ?? "-",
        error.row.map { "\($0)" } ?? "-", error.property ?? "-",
      ].joined(separator: " ")
    }
    #expect(
      found == [
        "missingValue a1.plist 1 Note Note 2 title", "tooLarge a1.plist 1 Note Note 2 rank",
        "missingValue a1.plist 3 - Note 3 tag", "notUnique a1.plist 3 - Note 3 rank",
      ])
  }
}
