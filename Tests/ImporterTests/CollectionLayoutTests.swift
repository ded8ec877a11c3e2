import ArchiveWriter
import Converter
import TestSupport
import Testing

@Suite("Collections of values become tables of their own")
struct CollectionLayoutTests {
  /// A collection under the key "items" of one object, and the table that it becomes.
  struct Case: CustomTestStringConvertible {
    var name: String
    var columns: [String]
    var rows: [String]
    var collection: @Sendable (inout KeyedArchiveBuilder) -> PropertyListValue

    var testDescription: String { name }
  }

  private static let owner = "Thing_id INTEGER"

  static let cases: [Case] = [
    Case(
      name: "an array of text", columns: [owner, "position INTEGER", "value TEXT"],
      rows: ["1|0|b", "1|1|a", "1|2|b"]
    ) { $0.array(["b", "a", "b"]) },
    Case(
      name: "an array under numbered keys", columns: [owner, "position INTEGER", "value INTEGER"],
      rows: (0..<12).map { "1|\($0)|\(100 - $0)" }
    ) { $0.numberedArray((0..<12).map { .integer(100 - $0) }) },
    Case(
      name: "an array inside of the object itself",
      columns: [owner, "position INTEGER", "value INTEGER"], rows: ["1|0|1", "1|1|2"]
    ) { _ in .array([1, 2]) },
    Case(
      name: "an array of a class that has no objects",
      columns: [owner, "position INTEGER", "value TEXT"], rows: ["1|0|Other"]
    ) { archive in
      let record = archive.classRecord("Other")
      return archive.array([record])
    },
    Case(name: "a set", columns: [owner, "value TEXT"], rows: ["1|x", "1|y"]) {
      $0.set(["x", "y"])
    },
    Case(
      name: "an ordered set", columns: [owner, "position INTEGER", "value INTEGER"],
      rows: ["1|0|3", "1|1|1"]
    ) { $0.orderedSet([3, 1]) },
    Case(
      name: "a dictionary", columns: [owner, "key TEXT", "value REAL"],
      rows: ["1|a|1.5", "1|b|2.5"]
    ) { $0.dictionary(["a": 1.5, "b": 2.5]) },
    Case(
      name: "a dictionary with numbers as keys", columns: [owner, "key INTEGER", "value TEXT"],
      rows: ["1|7|seven"]
    ) { $0.dictionary(keys: [7], values: ["seven"]) },
    Case(
      name: "a dictionary of objects",
      columns: [owner, "key TEXT", "value_id INTEGER", "value_type TEXT"], rows: ["1|pet|1|Cat"]
    ) { $0.dictionary(["pet": $0.instance(of: "Cat")]) },
    Case(
      name: "a dictionary with objects as keys",
      columns: [owner, "key_id INTEGER", "key_type TEXT", "value INTEGER"], rows: ["1|1|Cat|9"]
    ) { $0.dictionary(keys: [$0.instance(of: "Cat")], values: [9]) },
    Case(
      name: "a counted set", columns: [owner, "key TEXT", "value INTEGER"],
      rows: ["1|a|3", "1|b|1"]
    ) { $0.countedSet([("a", 3), ("b", 1)]) },
    Case(
      name: "text and objects",
      columns: [owner, "position INTEGER", "value TEXT", "value_id INTEGER", "value_type TEXT"],
      rows: ["1|0|a|NULL|NULL", "1|1|NULL|1|Cat", "1|2|NULL|NULL|NULL"]
    ) { $0.array(["a", $0.instance(of: "Cat"), .none]) },
    Case(name: "nothing", columns: [owner, "position INTEGER", "value ANY"], rows: []) {
      $0.array([])
    },
    Case(
      name: "numbers with negative zero", columns: [owner, "position INTEGER", "value ANY"],
      rows: ["1|0|-0.0", "1|1|1.5"]
    ) { $0.array([.real(-0.0), 1.5]) },
  ]

  @Test("Each kind of collection has its columns", arguments: cases)
  func collection(_ testCase: Case) throws {
    let converted = try ConvertedStore(
      .of("Thing") { ["items": testCase.collection(&$0)] })
    #expect(try converted.store.columns("Thing_items") == ["id INTEGER"] + testCase.columns)
    #expect(
      try converted.lines("SELECT * FROM Thing_items")
        == testCase.rows.enumerated().map { "\($0.offset + 1)|\($0.element)" })
  }

  @Test("Collections inside collections are rows of _collection, each once")
  func nested() throws {
    let converted = try ConvertedStore(
      .of("Thing") { archive in
        let inner = archive.array([1, 2])
        return ["items": archive.array([inner, archive.dictionary(["k": inner]), .array([3])])]
      })
    #expect(
      try converted.lines("SELECT * FROM Thing_items") == [
        "1|1|0|1|_collection", "2|1|1|2|_collection", "3|1|2|3|_collection",
      ])
    #expect(
      try converted.lines("SELECT * FROM _collection") == ["1|array", "2|dictionary", "3|array"])
    #expect(
      try converted.lines(
        "SELECT collection_id, position, key, value, value_id FROM _collection_element") == [
          "1|0|NULL|1|NULL", "1|1|NULL|2|NULL", "2|NULL|k|NULL|1", "3|0|NULL|3|NULL",
        ])
  }

  @Test("A collection that holds itself is one row")
  func selfContaining() throws {
    var archive = KeyedArchiveBuilder()
    let slot = archive.reserve()
    archive.fill(slot, className: "NSArray", ["NS.objects": .array([slot.reference])])
    archive.setTop("root", slot.reference)
    let converted = try ConvertedStore([archive]) { $0.dictionaries = .pairs }
    #expect(try converted.lines("SELECT entity, row FROM _top") == ["_collection|1"])
    #expect(
      try converted.lines("SELECT collection_id, value_id, value_type FROM _collection_element")
        == ["1|1|_collection"])
  }

  @Test("A collection that two objects share is written for each and counted")
  func shared() throws {
    let converted = try ConvertedStore(
      .archive { archive in
        let tags = archive.array(["x", "y"])
        return archive.array((0..<2).map { _ in archive.instance(of: "Thing", ["tags": tags]) })
      })
    #expect(
      try converted.lines("SELECT * FROM Thing_tags") == [
        "1|1|0|x", "2|1|1|y", "3|2|0|x", "4|2|1|y",
      ])
    #expect(converted.report.sharedCollections == 1)
  }

  @Test("Where both occur, an empty collection is told from none at all")
  func emptyAndNone() throws {
    let converted = try ConvertedStore(
      .archive { archive in
        archive.array(
          [archive.array([]), .none, archive.array(["a"])].map {
            archive.instance(of: "Thing", ["tags": $0])
          })
      })
    #expect(try converted.lines("SELECT tags_count FROM Thing") == ["0", "NULL", "1"])
  }

  @Test("A key can hold plain values, objects and collections")
  func mixedProperty() throws {
    let converted = try ConvertedStore(
      .archive { archive in
        archive.array(
          ["plain", archive.instance(of: "Cat"), archive.array([1])].map {
            archive.instance(of: "Thing", ["item": $0])
          })
      })
    #expect(
      try converted.lines("SELECT id, item, item_id FROM Thing") == [
        "1|plain|NULL", "2|NULL|1", "3|NULL|NULL",
      ])
    #expect(try converted.lines("SELECT * FROM Thing_item") == ["1|3|0|1"])
  }
}
