import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@Suite("Names and texts that look the same, and differ in their bytes,")
struct UnicodeFormTests {
  /// Names that are equal to Swift.
  struct Pair: CustomTestStringConvertible, Sendable {
    var one: String
    var other: String

    var testDescription: String { "\(UnicodeFormTests.hex(one)) \(UnicodeFormTests.hex(other))" }
  }

  static let pairs = [
    Pair(one: "Caf\u{E9}", other: "Cafe\u{301}"), Pair(one: "Cafe\u{301}", other: "Caf\u{E9}"),
    Pair(one: "\u{3A9}", other: "\u{2126}"), Pair(one: "\u{212A}ey", other: "Key"),
    Pair(one: "\u{AC00}", other: "\u{1100}\u{1161}"),
    Pair(one: "a\u{323}\u{307}", other: "a\u{307}\u{323}"),
  ]

  private static func hex(_ text: String) -> String {
    text.utf8.map { String(format: "%02X", $0) }.joined()
  }

  private func hex(_ text: String) -> String { Self.hex(text) }

  /// A conversion of archives, with a verification.
  private func convert(
    _ archives: KeyedArchiveBuilder..., mapping: String? = nil, hooks: [any ImportHook.Type] = []
  ) throws -> ConvertedStore {
    let folder = try TemporaryFolder()
    let path = try mapping.map { try folder.write($0, to: "mapping.yaml") }
    let converted = try ConvertedStore(archives) { options in
      options.verifies = true
      options.mappingPath = path
      options.extensions = ImportExtensions(hooks: hooks)
    }
    #expect(converted.report.verification?.differences == [])
    #expect(converted.report.verification?.isPassed == true)
    return converted
  }

  // MARK: Names

  @Test("may be keys under which records stand", arguments: pairs)
  func records(pair: Pair) throws {
    for key in [pair.one, pair.other] {
      let converted = try convert(
        .archive { archive in
          let record = archive.dictionary([
            archive.string("name"): archive.string("a"), archive.string("number"): 1,
          ])
          return archive.instance(of: "Doc", [KeyValue(key, record)])
        })
      #expect(
        try converted.lines("SELECT hex(name), hex(entity) FROM _class WHERE name LIKE 'Doc_%'")
          == ["\(hex("Doc_" + key))|\(hex("Doc_" + key))"])
    }
  }

  @Test("are two keys under which records stand, and two entities", arguments: pairs)
  func recordsOfBoth(pair: Pair) throws {
    let archives = [[pair.one, pair.other], [pair.other], [pair.one]].map { keys in
      KeyedArchiveBuilder.archive { archive in
        let pairs = keys.enumerated().map { index, key in
          let record = archive.dictionary([
            archive.string("name"): archive.string(hex(key)),
            archive.string("number"): .integer(Int64(index)),
          ])
          return KeyValue(key, record)
        }
        return archive.instance(of: "Doc", pairs)
      }
    }
    // The paths have their names in the order of their bytes.
    let (first, second) =
      pair.one.utf8.lexicographicallyPrecedes(pair.other.utf8)
      ? ("Doc_" + pair.one, "Doc_" + pair.other) : ("Doc_" + pair.other, "Doc_" + pair.one)
    for archives in [archives, [archives[0]], [archives[2], archives[1]]] {
      let converted = try ConvertedStore(archives) { $0.verifies = true }
      #expect(converted.report.verification?.isPassed == true)
      let entities = converted.report.entities.dropFirst()
      #expect(entities.map(\.rows) == (archives.count == 3 ? [2, 2] : [1, 1]))
      #expect(
        try converted.lines(
          "SELECT hex(name) FROM _class WHERE name LIKE 'Doc_%' ORDER BY hex(name)")
          == [hex(first), hex(second + "_2")].sorted())
      for entity in entities {
        #expect(
          try converted.lines("SELECT count(DISTINCT name) FROM \"\(entity.name)\"") == ["1"])
      }
    }
  }

  @Test("are two paths of records in a draft, which yields the same store", arguments: pairs)
  func draftedRecords(pair: Pair) throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let pairs = [pair.one, pair.other].enumerated().map { index, key in
        let record = archive.dictionary([
          archive.string("name"): archive.string(hex(key)),
          archive.string("number"): .integer(Int64(index)),
        ])
        return KeyValue(key, record)
      }
      return archive.instance(of: "Doc", pairs)
    }
    let folder = try TemporaryFolder()
    let input = try folder.write(archive.binary(), to: "a.archive")
    let draft = folder.file(named: "draft.yaml")
    try InferredDraft(inputs: [input], options: ConversionOptions())
      .write(mapping: draft, model: nil, replacing: false)
    let text = try String(contentsOfFile: draft, encoding: .utf8)
    let paths = text.split(separator: "\n").filter { $0.hasPrefix("  - ") }.map { hex(String($0)) }
    #expect(
      paths == [pair.one, pair.other].map { hex("  - \"Doc.\($0)\"") }.sorted())
    let converted = try convert(archive, mapping: text)
    let without = try convert(archive)
    #expect(converted.report.entities.map(\.rows) == [1, 1, 1])
    for entity in without.report.entities {
      let rows = "SELECT * FROM \"\(entity.name)\""
      #expect(try converted.lines(rows) == without.lines(rows))
    }
  }

  @Test("are two top-level keys under which records stand", arguments: pairs)
  func topLevelRecords(pair: Pair) throws {
    var archive = KeyedArchiveBuilder()
    for (number, key) in [pair.one, pair.other].enumerated() {
      let record = archive.dictionary([
        archive.string("name"): archive.string(hex(key)),
        archive.string("number"): .integer(Int64(number)),
      ])
      archive.setTop(key, record)
    }
    archive.setTop("other", archive.instance(of: "Doc", ["v": 1]))
    let converted = try convert(archive)
    #expect(converted.report.entities.map(\.rows).sorted() == [1, 1, 1])
  }

  @Test("are two classes, and two entities", arguments: pairs)
  func classes(pair: Pair) throws {
    let converted = try convert(
      .archive { archive in
        archive.array([
          archive.instance(of: pair.one, ["v": 1]), archive.instance(of: pair.other, ["v": 2]),
        ])
      })
    #expect(
      try converted.lines("SELECT hex(name), hex(entity) FROM _class WHERE entity IS NOT NULL") == [
        "\(hex(pair.one))|\(hex(pair.one))", "\(hex(pair.other))|\(hex(pair.other + "_2"))",
      ])
    #expect(try converted.lines("SELECT id, v FROM \"\(pair.one)\"") == ["1|1"])
    #expect(try converted.lines("SELECT id, v FROM \"\(pair.other)_2\"") == ["1|2"])
    #expect(converted.report.entities.map(\.rows) == [1, 1])
  }

  @Test("are two keys of one object, and two columns", arguments: pairs)
  func keys(pair: Pair) throws {
    let converted = try convert(
      .archive { $0.instance(of: "Note", [KeyValue(pair.one, 1), KeyValue(pair.other, 2)]) })
    #expect(
      try converted.lines("SELECT hex(name) FROM pragma_table_info('Note')")
        == [hex("id"), hex(pair.one), hex(pair.other + "_2")])
    #expect(try converted.lines("SELECT * FROM Note") == ["1|1|2"])
  }

  @Test("are two keys of a class, whichever of them an object has", arguments: pairs)
  func keysOfObjects(pair: Pair) throws {
    let converted = try convert(
      .archive { archive in
        let inner = archive.instance(of: "Inner")
        return archive.array([
          archive.instance(of: "Note", [KeyValue(pair.one, 1)]),
          archive.instance(of: "Note", [KeyValue(pair.other, inner)]),
          archive.instance(of: "Note", [KeyValue(pair.other, archive.array(["x"]))]),
        ])
      })
    #expect(try converted.lines("SELECT * FROM Note") == ["1|1|NULL", "2|NULL|1", "3|NULL|NULL"])
    #expect(try converted.lines("SELECT * FROM \"Note_\(pair.other)_2\"") == ["1|3|0|x"])
  }

  @Test("are two top-level keys", arguments: pairs)
  func topLevelKeys(pair: Pair) throws {
    var archive = KeyedArchiveBuilder()
    archive.setTop(pair.one, 1)
    archive.setTop(pair.other, 2)
    let converted = try convert(archive)
    #expect(
      try converted.lines("SELECT \"\(pair.one)\", \"\(pair.other)_2\" FROM Document") == ["1|2"])
  }

  @Test("are told apart in several archives, read one by one and together", arguments: pairs)
  func archives(pair: Pair) throws {
    let archives = (0..<40).map { number in
      KeyedArchiveBuilder.of(number.isMultiple(of: 2) ? pair.one : pair.other) { _ in
        number.isMultiple(of: 3)
          ? [pair.one: .integer(Int64(number))] : [pair.other: .integer(Int64(number))]
      }
    }
    let converted = try ConvertedStore(archives) { $0.verifies = true }
    #expect(converted.report.verification?.isPassed == true)
    #expect(converted.report.entities.map(\.rows) == [20, 20])
    #expect(converted.report.entities.map { $0.attributes.map(\.values) } == [[7, 13], [13, 7]])
  }

  // MARK: Mappings and hooks

  @Test("are two names to a mapping", arguments: pairs)
  func mapping(pair: Pair) throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      archive.array([
        archive.instance(of: pair.one, [KeyValue(pair.one, 1), KeyValue(pair.other, 2)]),
        archive.instance(of: pair.other, [KeyValue(pair.one, 3), KeyValue(pair.other, 4)]),
      ])
    }
    let properties = """
      complete: true, attributes: {a: "\(pair.one)", b: {from: "\(pair.other)"},
        c: {expression: "\(pair.one) + 10 * \(pair.other)"}}
      """
    let mappings = [
      """
      classes: {"\(pair.one)": One, "\(pair.other)": Other}
      entities: {One: {\(properties)}, Other: {\(properties)}}
      """,
      """
      entities:
        One: {from: "\(pair.one)", \(properties)}
        Other: {from: ["\(pair.other)"], \(properties)}
      """,
    ]
    for mapping in mappings {
      let converted = try convert(archive, mapping: mapping)
      #expect(try converted.lines("SELECT a, b, c FROM One") == ["1|2|21"])
      #expect(try converted.lines("SELECT a, b, c FROM Other") == ["3|4|43"])
      #expect(converted.report.unreadKeys == [])
    }
    // A block is for the class of the very name of its entity.
    let one = try convert(
      archive, mapping: "entities: {\"\(pair.one)\": {unread: \"\(pair.other)\"}}")
    #expect(converted(one) == ["\(hex(pair.one)): 1", "\(hex(pair.other + "_2")): 1"])
    #expect(one.report.ignoredKeys.map(\.count) == [1])
  }

  private func converted(_ store: ConvertedStore) -> [String] {
    store.report.entities.map { "\(hex($0.name)): \($0.rows)" }
  }

  struct Hook: ImportHook {
    static let archivedClassNames = ["Cafe\u{301}"]
    static let entityName: String? = "Item"

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let row = try coder.insert(into: "Item")
      row["one"] = try coder.decodeObject(forKey: "Caf\u{E9}")
      row["other"] = try coder.decodeObject(forKey: "Cafe\u{301}")
      row["name"] = .text(coder.className)
      return row
    }
  }

  @Test("are two classes and two keys to a hook")
  func hooks() throws {
    let (one, other) = ("Caf\u{E9}", "Cafe\u{301}")
    let archive = KeyedArchiveBuilder.archive { archive in
      archive.array([
        archive.instance(of: one, [KeyValue(one, 1)]),
        archive.instance(of: other, [KeyValue(one, 2)]),
        archive.instance(of: other, [KeyValue(other, 3)]),
        archive.instance(of: other, [KeyValue(one, 4), KeyValue(other, 5)]),
      ])
    }
    let converted = try convert(
      archive,
      mapping: """
        entities: {Item: {attributes: {one: {type: integer, value: null},
          other: {type: integer, value: null}, name: {type: string, value: null}}}}
        """, hooks: [Hook.self])
    let name = hex(other)
    #expect(
      try converted.lines("SELECT one, other, hex(name) FROM Item")
        == ["2|NULL|\(name)", "NULL|3|\(name)", "4|5|\(name)"])
    #expect(try converted.lines("SELECT * FROM \"\(one)\"") == ["1|1"])
  }

  // MARK: Texts

  @Test("are two identities, unless they are folded", arguments: pairs)
  func identities(pair: Pair) throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      archive.array(
        [pair.one, pair.other, pair.one].map {
          archive.instance(of: "Note", ["uid": archive.string($0), "tags": archive.string($0)])
        })
    }
    let converted = try convert(
      archive, archive,
      mapping: """
        entities:
          Note: {identity: uid, attributes: {uid: uid},
            relationships: {tags: {from: tags, into: Tag, by: name}}}
          Tag: {attributes: {name: {type: string, value: null}}}
        """)
    let both = [hex(pair.one), hex(pair.other)]
    #expect(try converted.lines("SELECT hex(uid) FROM Note ORDER BY id") == both)
    #expect(try converted.lines("SELECT hex(name) FROM Tag ORDER BY id") == both)
    let folded = try convert(
      archive,
      mapping: """
        entities:
          Note: {relationships: {tags: {from: tags, into: Tag, by: name, fold: unicode}}}
          Tag: {attributes: {name: {type: string, value: null}}}
        """)
    #expect(try folded.lines("SELECT hex(name) FROM Tag") == [hex(pair.one)])
  }

  @Test("are found by a verification when one takes the place of the other", arguments: pairs)
  func changes(pair: Pair) throws {
    let folder = try TemporaryFolder()
    var archive = KeyedArchiveBuilder.archive { archive in
      let name = archive.string(pair.one)
      return archive.instance(
        of: pair.one,
        [
          "name": name, "list": archive.array([name]), "set": archive.set([name]),
          "pairs": archive.dictionary([name: 1]), "link": archive.url(pair.one),
        ])
    }
    archive.setTop(pair.one, .string(pair.one))
    archive.setTop("all", archive.array([archive.string(pair.one)]))
    let input = try folder.write(archive.binary(), to: "\(pair.one).plist")
    let store = folder.file(named: "out.db")
    var options = ConversionOptions.pairs
    options.recordsProvenance = true
    var conversion = Conversion(inputs: [input], destination: store, options: options)
    _ = try conversion.run()
    func verify(_ path: String) throws -> Bool {
      var verifier = StoreVerifier(store: path, inputs: [input], options: ConversionOptions.pairs)
      return try #require(try verifier.run().verification).isPassed
    }
    #expect(try verify(store))
    let table = pair.one
    let places = [
      (table, "name"), ("\(table)_list", "value"), ("\(table)_set", "value"),
      ("\(table)_pairs", "key"), ("_top", "key"), ("_top", "value"),
      ("_collection_element", "value"), ("_class", "name"), ("_class", "hierarchy"),
      ("_class", "entity"), ("_rows", "entity"), ("_objects", "class"), ("_objects", "entity"),
    ]
    for (table, column) in places {
      let change = """
        UPDATE "\(table)" SET \(column) =
          replace(\(column), CAST(x'\(hex(pair.one))' AS TEXT), CAST(x'\(hex(pair.other))' AS TEXT))
        """
      let copy = try StoreEditor.copy(of: store, in: folder, changedBy: change)
      #expect(try !verify(copy), "\(table).\(column)")
    }
  }

  // MARK: Appending

  @Test("are told apart when a store is added to", arguments: pairs)
  func appending(pair: Pair) throws {
    let folder = try TemporaryFolder()
    let store = folder.file(named: "out.db")
    func add(_ archive: KeyedArchiveBuilder, _ name: String) throws -> ConversionReport {
      var options = ConversionOptions.pairs
      options.existingStore = .append
      options.verifies = true
      let input = try folder.write(archive.binary(), to: name)
      var conversion = Conversion(inputs: [input], destination: store, options: options)
      return try conversion.run()
    }
    _ = try add(.of("Note") { _ in [pair.one: 1] }, "a")
    let second = try add(.of("Note") { _ in [pair.other: 2] }, "b")
    #expect(second.verification?.isPassed == true)
    #expect(try StoreQuery(store).lines("SELECT * FROM Note") == ["1|1|NULL", "2|NULL|2"])
    _ = try add(.of(pair.one) { _ in ["v": 1] }, "c")
    let error = #expect(throws: ConversionError.self) {
      try add(.of(pair.other) { _ in ["v": 1] }, "d")
    }
    #expect(error?.messages.first?.contains("only in its Unicode form") == true)
  }
}
