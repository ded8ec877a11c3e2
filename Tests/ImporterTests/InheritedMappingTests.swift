import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@Suite("What a block says of an entity")
struct InheritedMappingTests {
  /// An archive of records: each of a class, with its keys.
  static func records(
    _ records: [(className: String, values: KeyValuePairs<String, String>)]
  ) -> KeyedArchiveBuilder {
    KeyedArchiveBuilder.archive { archive in
      let objects = records.map { className, values in
        archive.instance(
          of: className, values.map { KeyValue($0.key, archive.string($0.value)) })
      }
      return archive.array(objects)
    }
  }

  private static func convert(
    _ mapping: String, _ archives: KeyedArchiveBuilder...
  ) throws -> (store: StoreQuery, report: ConversionReport) {
    var run = try SteeredConversion(archives, mapping: mapping, ImportExtensions())
    run.options.verifies = true
    let result = try run.run()
    #expect(result.report.verification?.isPassed == true)
    return result
  }

  private static let two = records([
    ("Cat", ["name": "Tom", "age": "3", "made": "2020-01-01", "junk": "x"]),
    ("Dog", ["name": "Rex", "age": "4", "made": "2021-01-01", "junk": "y"]),
  ])

  @Test(
    "holds for its subentities, wherever they stand in the file",
    arguments: [
      // What subentities inherit, and what the rows are then.
      ("attributes: {age: {convert: number}}", "SELECT typeof(age), age FROM Pet", "text|3 text|4"),
      ("attributes: {age: {from: name}}", "SELECT age FROM Pet", "Tom Rex"),
      ("attributes: {tail: {value: long}}", "SELECT tail FROM Pet", "long long"),
      ("attributes: {tail: {type: string, default: 'no'}}", "SELECT tail FROM Pet", "no no"),
      (
        "attributes: {loud: {expression: uppercase(name)}}",
        "SELECT loud || name FROM Pet",
        "TOMTom REXRex"
      ),
      ("attributes: {made: {convert: {date: {}}}}", "SELECT count(*) FROM Pet", "2"),
      ("where: name != 'Tom'", "SELECT name FROM Pet", "Rex"),
      (
        "unread: junk", "SELECT count(*) FROM pragma_table_info('Pet') WHERE name = 'junk'", "0"
      ),
      (
        "relationships: {kind: {from: junk, into: Kind, by: name, split: ','}}",
        "SELECT Kind.name FROM Kind ORDER BY 1", "x y"
      ),
    ])
  func inherited(setting: String, query: String, expected: String) throws {
    for isFirst in [true, false] {
      let parent = "  Pet: {abstract: true, \(setting)}\n"
      let children = "  Cat: {parent: Pet}\n  Dog: {parent: Pet}\n"
      let mapping = "entities:\n" + (isFirst ? parent + children : children + parent)
      let (store, _) = try Self.convert(mapping, Self.two)
      #expect(try store.lines(query).joined(separator: " ") == expected, "\(mapping)")
    }
  }

  @Test("gives way to what the subentity's own block says, setting by setting")
  func overridden() throws {
    let (store, _) = try Self.convert(
      """
      entities:
        Pet:
          abstract: true
          where: name != 'Rex'
          attributes: {years: {from: age, type: integer, convert: {number: {type: integer}}}}
        Cat:
          parent: Pet
          where: age == '3'
          attributes: {years: {from: name, convert: text, type: mixed}}
        Dog: {parent: Pet}
      """,
      Self.records([
        ("Cat", ["name": "Tom", "age": "3"]), ("Cat", ["name": "Kit", "age": "1"]),
        ("Dog", ["name": "Rex", "age": "4"]), ("Dog", ["name": "Bo", "age": "5"]),
      ]))
    #expect(try store.lines("SELECT _entity, years FROM Pet") == ["Cat|Tom", "Dog|5"])
  }

  @Test("holds over several generations, and of several blocks what all of them say")
  func generations() throws {
    let (store, _) = try Self.convert(
      """
      entities:
        Animal: {abstract: true, attributes: {age: {convert: number}}}
        Pet:
          - {parent: Animal, abstract: true, unread: [made, junk]}
          - {parent: Animal, abstract: true, unread: [junk, name]}
        Cat: {parent: Pet}
        Dog: {parent: Pet, unread: age}
      """, Self.two)
    #expect(
      try store.lines("SELECT name FROM pragma_table_info('Animal') ORDER BY name")
        == ["_entity", "age", "id", "made", "name"])
    #expect(try store.lines("SELECT _entity, age FROM Animal") == ["Cat|3", "Dog|NULL"])
  }

  @Test("is there once, in the table of the parent, also for collections")
  func collections() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      archive.array(
        ["Cat", "Dog"].map { name in
          let tags = archive.set([archive.string("\(name)1"), archive.string("\(name)2")])
          return archive.instance(of: name, ["tags": tags])
        })
    }
    for form in ["{}", "{tags: {}}", "{tags: {ordered: false, values: string}}"] {
      let (store, report) = try Self.convert(
        """
        entities:
          Cat: {parent: Pet}
          Pet: {abstract: true, collections: \(form)}
          Dog: {parent: Pet}
        """, archive)
      let values = report.entities.map { "\($0.name) \($0.values)" }.sorted()
      #expect(values == ["Cat 2", "Dog 2", "Pet 0"], "\(form)")
      guard form != "{}" else { continue }
      #expect(
        try store.lines("SELECT value FROM Pet_tags ORDER BY 1") == [
          "Cat1", "Cat2", "Dog1", "Dog2",
        ])
    }
  }

  @Test("is checked for all: a key of any subentity will do, and a mistake is told once")
  func checked() throws {
    let (_, report) = try Self.convert(
      """
      entities:
        Pet: {abstract: true, attributes: {claws: {}, clows: {}}}
        Cat: {parent: Pet}
        Dog: {parent: Pet}
      """, Self.records([("Cat", ["claws": "5"]), ("Dog", ["name": "Rex"])]))
    #expect(
      report.unusedNames?.map(\.text) == [
        "\(report.unusedNames?.first?.path ?? ""):2:49: no object of 'Cat', 'Dog' has a key 'clows' "
          + "(did you mean 'claws'?)"
      ])
  }
}
