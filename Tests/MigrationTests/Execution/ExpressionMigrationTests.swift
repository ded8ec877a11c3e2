import ArchiveWriter
import Converter
import DataModel
import Foundation
import GraphCore
import GraphTesting
import Migration
import Testing

@Suite("Values of expressions")
struct ExpressionMigrationTests {
  private typealias Mapping = MigrationEntityMapping

  private static let entities = [
    Entity(
      name: "Band", attributes: [Attribute(name: "name", type: .string)],
      relationships: [
        Relationship(name: "country", destinations: ["Country"], isToMany: false),
        Relationship(name: "songs", destinations: ["Song"], isToMany: true, inverse: "band"),
      ]),
    Entity(name: "Country", attributes: [Attribute(name: "code", type: .string)]),
    Entity(
      name: "Song",
      attributes: [
        Attribute(name: "length", type: .integer16), Attribute(name: "title", type: .string),
      ],
      relationships: [
        Relationship(name: "band", destinations: ["Band"], isToMany: false, inverse: "songs")
      ]),
  ]

  private static func store() throws -> MadeStore {
    try MadeStore(
      entities,
      """
      INSERT INTO ZCOUNTRY (Z_PK, Z_ENT, Z_OPT, ZCODE) VALUES (1, 2, 1, 'is');
      INSERT INTO ZBAND (Z_PK, Z_ENT, Z_OPT, ZNAME, ZCOUNTRY) VALUES (1, 1, 1, 'Sigur', 1),
        (2, 1, 1, 'Empty', NULL);
      INSERT INTO ZSONG (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZLENGTH, ZBAND) VALUES
        (1, 3, 1, 'Gong', 300, 1), (2, 3, 1, 'Hoppípolla', 268, 1), (3, 3, 1, 'Heysátan', NULL, 1);
      """)
  }

  /// What an expression gives for both bands, as an attribute of a type.
  private static func values(
    _ expression: String, _ type: AttributeType, default initial: AttributeDefault? = nil
  ) throws -> [String] {
    let store = try store()
    let migrated = try store.migrated(
      to: [
        Entity(
          name: "Act",
          attributes: [Attribute(name: "value", type: type, defaultValue: initial)])
      ], [Mapping("Band", "Act", ["value": expression])])
    #expect(checkGraph(migrated) == [])
    return try StoreContent.objects(migrated).map { $0.attributes["value"] ?? "?" }
  }

  @Test(
    "An expression gives the value that Core Data gives",
    arguments: [
      ("$source.name", AttributeType.string, ["\"Sigur\"", "\"Empty\""]),
      ("$source.country.code", .string, ["\"is\"", "nil"]),
      ("$source.songs.@count", .integer32, ["3", "0"]),
      ("$source.songs.@sum.length", .integer, ["568", "0"]),
      ("$source.songs.@max.length", .integer, ["300", "nil"]),
      ("$source.songs.@min.length", .double, ["268.0", "nil"]),
      ("uppercase($source.name)", .string, ["\"SIGUR\"", "\"EMPTY\""]),
      ("TERNARY($source.songs.@count > 2, \"many\", \"few\")", .string, ["\"many\"", "\"few\""]),
      ("CAST($source.songs.@count, \"NSString\")", .string, ["\"3\"", "\"0\""]),
      ("$source.songs.@count * 2 + 1", .integer, ["7", "1"]),
      ("SUBQUERY($source.songs, $s, $s.length > 280).@count", .integer, ["1", "0"]),
      ("now()", .date, ["date 1000.0", "date 1000.0"]),
      ("$entityMapping.name", .string, ["\"BandToAct\"", "\"BandToAct\""]),
      ("$propertyMapping.name", .string, ["\"value\"", "\"value\""]),
      ("\"Unknown\"", .string, ["\"Unknown\"", "\"Unknown\""]),
      ("TRUE", .boolean, ["true", "true"]), ("1", .boolean, ["true", "true"]),
      ("1", .double, ["1.0", "1.0"]), ("12.50", .decimal, ["decimal 12.5", "decimal 12.5"]),
      ("nil", .string, ["nil", "nil"]), ("7", .string, ["\"7\"", "\"7\""]),
      (
        "CAST(\"https://a.example/\", \"NSURL\")", .uri,
        ["url https://a.example/", "url https://a.example/"]
      ),
      (
        "\"6BA7B810-9DAD-11D1-80B4-00C04FD430C8\"", .uuid,
        ["6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"]
      ),
    ])
  func value(expression: String, type: AttributeType, expected: [String]) throws {
    #expect(try Self.values(expression, type) == expected)
  }

  @Test(
    "A plain value of a transformable attribute has an archive, which stores of Core Data keep",
    arguments: [
      ("$source.country.code", KeyedArchiveBuilder.archive { $0.string("is") }),
      ("$source.name", .archive { $0.string("Sigur") }),
      ("\"Unknown\"", .archive { $0.string("Unknown") }), ("7", .archive { $0.number(7) }),
      ("$source.songs.@count", .archive { $0.number(3) }), ("TRUE", .archive { $0.number(true) }),
      ("2.5 + 1", .archive { $0.number(3.5) }),
      ("now()", .archive { $0.date(secondsSince2001: 1_000) }),
      (
        "CAST(\"https://a.example/\", \"NSURL\")",
        .archive { $0.url("https://a.example/") }
      ),
    ])
  func archive(expression: String, expected: KeyedArchiveBuilder) throws {
    let store = try Self.store()
    let migrated = try store.migrated(
      to: [Entity(name: "Act", attributes: [Attribute(name: "value", type: .transformable)])],
      [Mapping("Band", "Act", ["value": expression])])
    let graph = migrated.makeGraph(GraphOptions())
    guard case .data(let bytes) = try graph.value(of: try graph.object(0), at: 0) else {
      Issue.record("no data")
      return
    }
    #expect(Data(bytes.buffer) == expected.binary())
  }

  @Test("An attribute without an expression has its default, and one that is nil stays nil")
  func defaults() throws {
    let store = try Self.store()
    let act = Entity(
      name: "Act",
      attributes: [
        Attribute(name: "absent", type: .string, defaultValue: .string("none")),
        Attribute(name: "chosen", type: .double),
        Attribute(name: "copied", type: .string, defaultValue: .string("none")),
        Attribute(name: "filled", type: .string, defaultValue: .string("none")),
        Attribute(name: "number", type: .decimal, defaultValue: .integer(3)),
      ])
    let migrated = try store.migrated(
      to: [act],
      [
        Mapping(
          "Song", "Act",
          [
            "chosen": "TERNARY($source.length == nil, 12, $source.length)",
            "copied": "$source.length",
            "filled": "FUNCTION($entityPolicy, "
              + "\"_nonNilValueOrDefaultValueForAttribute:source:destination:\", \"length\", "
              + "$source, $destination)",
          ])
      ])
    #expect(
      try StoreContent.lines(migrated) == [
        #"Act(absent="none" chosen=12.0 filled="none" number=decimal 3)"#,
        #"Act(absent="none" chosen=268.0 copied="268" filled="268" number=decimal 3)"#,
        #"Act(absent="none" chosen=300.0 copied="300" filled="300" number=decimal 3)"#,
      ])
  }

  @Test(
    "A value that an attribute cannot hold is an error at the object and attribute",
    arguments: [
      ("$source.name", AttributeType.integer16), ("$source.name", .date),
      ("$source.songs", .string), ("$source.country", .binary),
      ("$source.songs.title.@sum.self", .integer), ("1 / 0", .integer),
    ])
  func unsuitable(expression: String, type: AttributeType) throws {
    let store = try Self.store()
    let error = #expect(throws: ArchiveError.self) {
      try store.migrated(
        to: [Entity(name: "Act", attributes: [Attribute(name: "value", type: type)])],
        [Mapping("Band", "Act", ["value": expression])])
    }
    #expect(error?.position == .record("Band 1", property: "value"))
  }

  @Test("Expressions of properties that are not stored do not matter")
  func unstored() throws {
    let store = try Self.store()
    let act = Entity(
      name: "Act",
      attributes: [
        Attribute(name: "name", type: .string),
        Attribute(name: "shown", type: .string, isTransient: true),
      ],
      relationships: [
        Relationship(name: "next", destinations: ["Act"], isToMany: false, isTransient: true)
      ])
    let migrated = try store.migrated(
      to: [act],
      [
        Mapping(
          "Band", "Act", ["name": "$source.name", "shown": "random()"],
          relationships: ["next": "$source.colour"])
      ])
    #expect(
      try StoreContent.lines(migrated) == [#"Act(name="Empty")"#, #"Act(name="Sigur")"#])
  }

  @Test(
    "What cannot run is an error before anything runs",
    arguments: [
      (
        "FUNCTION($manager, \"cancel:\", 1)",
        "calls cancel:, which only the app's own migration manager has"
      ),
      (
        "random()",
        "the expression is not supported: random(): the random function random is not supported"
      ),
      (
        "$source.songs UNION $source.songs",
        "the expression is not supported: ($source.songs UNION $source.songs): UNION is not supported"
      ),
      (
        "FUNCTION($source, \"name\")",
        "calls name, a method of another object than manager and policy"
      ),
      ("$source.colour", "the source has no property colour"),
      (
        "$source.songs.@count + $source.songs.colour", "the source has no property songs.colour"
      ),
      (
        "TERNARY($source.country.colour == nil, 1, 2)",
        "the source has no property country.colour"
      ),
      ("$source.objectID", "the expression is not supported: objectID"),
    ])
  func unsupported(expression: String, words: String) throws {
    let error = #expect(throws: MigrationError.self) { try Self.values(expression, .string) }
    #expect(error?.description == "entity mapping BandToAct.value: \(words)")
  }

  @Test("Mistakes in entity mappings are errors with names")
  func mistakes() throws {
    let store = try Self.store()
    let act = [
      Entity(
        name: "Act", attributes: [Attribute(name: "value", type: .string)],
        relationships: [Relationship(name: "next", destinations: ["Act"], isToMany: false)]),
      Entity(name: "Other"), Entity(name: "Shape", isAbstract: true),
    ]
    func words(_ mappings: MigrationEntityMapping...) -> String {
      do {
        _ = try store.migrated(to: act, mappings)
        return "no error"
      } catch {
        return "\(error)"
      }
    }
    #expect(
      words(Mapping("Group", "Act"))
        == "entity mapping GroupToAct: the source model has no entity Group")
    #expect(
      words(Mapping("Band", "Group"))
        == "entity mapping BandToGroup: the destination model has no entity Group")
    #expect(
      words(Mapping("Band", "Shape"))
        == "entity mapping BandToShape: the destination entity Shape is abstract "
        + "and has no objects")
    #expect(
      words(Mapping("Band", "Act", ["colour": "1"]))
        == "entity mapping BandToAct.colour: the destination entity has no such attribute")
    #expect(
      words(
        Mapping(
          "Band", "Act", relationships: ["next": Mapping.made(by: "None", of: "$source")]))
        == "entity mapping BandToAct.next: refers to the entity mapping None, which does not exist")
    #expect(
      words(
        Mapping(
          "Band", "Act", relationships: ["next": Mapping.made(by: "BandToOther", of: "$source")]),
        Mapping("Band", "Other"))
        == "entity mapping BandToAct.next: it leads to Act, and BandToOther makes objects of Other")
    // It makes nothing of bands, whatever it makes of songs.
    #expect(
      words(
        Mapping(
          "Band", "Act", relationships: ["next": Mapping.made(by: "SongToOther", of: "$source")]),
        Mapping("Song", "Other")) == "no error")
    #expect(
      words(Mapping("Band", "Act", where: "colour == 1"))
        == "entity mapping BandToAct: the source has no property colour")
    #expect(
      words(
        Mapping("Band", "Act", ["colour": "1", "value": "$source.size"]),
        Mapping("Song", "Group"))
          == """
          entity mapping SongToGroup: the destination model has no entity Group
          entity mapping BandToAct.colour: the destination entity has no such attribute
          entity mapping BandToAct.value: the source has no property size
          """)
  }
}
