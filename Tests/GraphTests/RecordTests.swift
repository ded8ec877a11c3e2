import ArchiveReader
import GraphCore
import GraphTesting
import Testing

@Suite("Dictionaries that are records")
struct RecordTests {
  private typealias Value = MemorySource.Value

  /// A source whose only top-level key holds a value.
  private static func source(
    _ root: Value, classes: [[String]] = [], objects: [MemorySource.Object] = []
  ) -> MemorySource {
    MemorySource(classes: classes, objects: objects, roots: ["root": root])
  }

  private static func dictionary(_ pairs: KeyValuePairs<String, Value>) -> Value {
    .dictionary(pairs.map { (.text($0.key), $0.value) })
  }

  private static func rules(
    _ sources: [MemorySource], _ policy: RecordRules.Policy = .init(.automatic)
  ) -> RecordRules {
    var evidence = RecordEvidence()
    for source in sources { evidence.merge(source.recordEvidence(GraphOptions())) }
    return RecordRules(evidence, policy)
  }

  /// The paths of records but for that of the document, with the names of their classes.
  private static func records(
    _ sources: [MemorySource], _ policy: RecordRules.Policy = .init(.automatic)
  ) -> [String: String] {
    rules(sources, policy).classNames.filter { $0.key != "$top" }
  }

  private static let person = dictionary(["name": .text("Ada"), "age": .integer(36)])
  private static let other = dictionary(["age": .integer(41), "name": .text("Bob")])

  @Test("share their keys, or are single with names as keys and values of several kinds")
  func fields() {
    let cases: [(String, Value, [String: String])] = [
      ("a list of equal ones", .array([Self.person, Self.other]), ["$top.root": "root"]),
      ("a single one", Self.person, ["$top.root": "root"]),
      ("a single one of one kind", Self.dictionary(["a": .integer(1), "b": .real(2)]), [:]),
      (
        "a single one whose keys are no names",
        Self.dictionary(["2024": .text("x"), "2025": .integer(1)]), [:]
      ),
      (
        "several without a key in common",
        .array([
          Self.dictionary(["a": .integer(1), "b": .text("x")]),
          Self.dictionary(["c": .integer(1), "d": .text("x")]),
        ]), [:]
      ),
      (
        "several, each with a few of all keys",
        .array(
          (0..<9).map { number in
            Self.dictionary(["a": .integer(1), "k\(number)": .integer(1), "l\(number)": .null])
          }), [:]
      ),
      ("one with a number as a key", .dictionary([(.integer(1), .text("x"))]), [:]),
      (
        "fields in a list, beside one with a number as a key",
        .array([Self.person, Self.other, .dictionary([(.integer(1), .text("x"))])]), [:]
      ),
      (
        "inside of each other",
        Self.dictionary(["owner": Self.person, "title": .text("t")]),
        ["$top.root": "root", "$top.root.owner": "owner"]
      ),
      (
        "under keys that are data",
        Self.dictionary(["12": Self.person, "13": Self.other]), ["$top.root.*": "root_value"]
      ),
      (
        "inside of each other under one key",
        Self.dictionary([
          "kind": .integer(1),
          "Value": Self.dictionary(["kind": .text("a"), "value": Self.person]),
        ]),
        ["$top.root": "root", "$top.root.Value": "Value", "$top.root.Value.value": "Value_2"]
      ),
    ]
    for (words, root, expected) in cases {
      #expect(Self.records([Self.source(root)]) == expected, "\(words)")
    }
  }

  @Test("are told by all sources together")
  func together() {
    let one = Self.source(Self.dictionary(["a": .integer(1), "b": .integer(2)]))
    #expect(Self.records([one]) == [:])
    #expect(Self.records([one, one]) == ["$top.root": "root"])
    let different = Self.source(.dictionary([(.integer(1), .integer(2))]))
    #expect(Self.records([one, one, different]) == [:])
    #expect(Self.records([different, one, one]) == [:])
  }

  @Test("are those that are asked for")
  func policies() {
    let list = Self.source(.array([Self.person, Self.other]))
    let single = Self.source(Self.dictionary(["a": .integer(1)]))
    #expect(Self.records([list], .init(.pairs)) == [:])
    #expect(Self.rules([list], .init(.pairs)).isEmpty)
    #expect(Self.records([list], .init(.automatic, pairs: ["$top.root"])) == [:])
    #expect(Self.records([single], .init(.records)) == ["$top.root": "root"])
    #expect(Self.records([single], .init(.pairs, records: ["$top.root"])) == ["$top.root": "root"])
  }

  @Test("keep what was decided before")
  func earlier() {
    let single = Self.source(Self.dictionary(["a": .integer(1)]))
    let list = Self.source(.array([Self.person, Self.other]))
    let asPairs = Self.rules([single])
    #expect(asPairs.pairs == ["$top.root"])
    let evidence = list.recordEvidence(GraphOptions())
    #expect(RecordRules(evidence, .init(.automatic), earlier: asPairs).pairs == ["$top.root"])
    let asRecords = RecordRules(classNames: ["$top.root": "Person"], pairs: [])
    #expect(
      RecordRules(
        single.recordEvidence(GraphOptions()), .init(.automatic), earlier: asRecords
      ).classNames["$top.root"] == "Person")
  }

  @Test("have names that no class has")
  func names() {
    let source = MemorySource(
      classes: [["Garden.Plant"], ["Plant_info"], ["document"]],
      objects: [
        .init(0, ["info": Self.person]), .init(1, ["x": .integer(1)]), .init(2, ["x": .null]),
      ], roots: ["root": .array([.object(0), .object(1), .object(2)])])
    #expect(
      Self.rules([source]).classNames == [
        "$top": "Document_2", "Garden.Plant.info": "Plant_info_2",
      ])
  }

  @Test("are objects with the keys of the dictionary")
  func objects() throws {
    let base = MemorySource(
      classes: [["Note", "NSObject"]],
      objects: [
        .init(0, ["info": Self.person, "next": .object(1)]),
        .init(0, ["info": Self.other, "next": .null]),
      ],
      roots: ["root": .object(0), "$version": .integer(3), "list": .array([.text("x")])])
    let source = RecordSource.make(base, Self.rules([base]), GraphOptions())
    #expect(checkGraph(source) == [])
    #expect(source.roots.map(\.key) == ["$top"])
    let graph = source.makeGraph(GraphOptions())
    var found: [String] = []
    for uid in 0..<source.objectCount {
      let object = try graph.object(uid)
      let keys = graph.keys(ofShape: object.shape)
      for (position, key) in keys.enumerated() {
        let value = try graph.value(of: object, at: position)
        found.append("\(graph.classRecord(of: object).name) \(uid).\(key): \(words(value))")
      }
    }
    #expect(
      found == [
        "Note 0.info: object 2", "Note 0.next: object 1", "Note 1.info: object 3",
        "Note 1.next: nothing", "Note_info 2.age: 36", "Note_info 2.name: Ada",
        "Note_info 3.age: 41", "Note_info 3.name: Bob", "Document 4.root: object 0",
        "Document 4.$version: 3", "Document 4.list: array",
      ])
  }

  private func words(_ value: GraphValue) -> String {
    switch value {
    case .object(let uid, _): "object \(uid)"
    case .integer(let number): "\(number)"
    case .text(let text): text.string
    case .collection(_, let kind): kind.rawValue
    case .null: "nothing"
    default: "something else"
    }
  }

  @Test("may be top-level keys: if one holds a plain value, or none leads to an object")
  func documents() {
    let cases: [(String, KeyValuePairs<String, Value>, Bool)] = [
      ("a text", ["root": .text("x")], true),
      ("nil", ["root": .null], true),
      ("an object", ["root": .object(0)], false),
      ("an object and nil", ["root": .object(0), "none": .null], false),
      ("an object and a number", ["root": .object(0), "version": .integer(1)], true),
      ("texts in a list", ["root": .array([.text("x"), .set([.text("y")])])], true),
      ("an object in a list", ["root": .array([.text("x"), .set([.object(0)])])], false),
      ("a record", ["root": Self.person], false),
      ("a list of records", ["root": .array([Self.person, Self.other])], false),
      ("a key that no record can have", ["a\u{1}": .text("x")], false),
      ("a key of the format", ["$class": .text("x")], false),
    ]
    for (words, roots, expected) in cases {
      let base = MemorySource(
        classes: [["Note"]], objects: [.init(0, ["a": .integer(1)])], roots: roots)
      let source = RecordSource.make(base, Self.rules([base]), GraphOptions())
      #expect((source.roots.map(\.key) == ["$top"]) == expected, "\(words)")
      #expect(checkGraph(source) == [], "\(words)")
    }
  }

  @Test("break no law, whatever they are in")
  func laws() {
    for base in [MemorySources.notes(), MemorySources.otherNotes()] {
      for policy in [RecordRules.Policy(.automatic), .init(.records)] {
        let rules = Self.rules([base], policy)
        let source = RecordSource.make(base, rules, GraphOptions())
        let after = RecordSource.make(MemorySources.notes(), rules, GraphOptions())
        #expect(checkGraph(source, after: after) == [])
        #expect(checkGraph(after, after: MemorySources.otherNotes()) == [])
      }
    }
  }

  @Test("are no objects where the source has no dictionary")
  func none() {
    let base = MemorySource(
      classes: [["Note"]], objects: [.init(0, ["a": .integer(1)])], roots: ["root": .object(0)])
    #expect(RecordSource.make(base, Self.rules([base]), GraphOptions()) === base)
  }

  @Test(
    "are named after their path, and like no table of the store's own",
    arguments: [
      (["$top", "$0"], "value0"), (["$top", "$archive"], "archive"),
      (["$top", "_archive"], "_archive"),
      (["$top", "-.a b"], "a_b"), (["$top", "0"], "0"), (["$top", "."], "value"),
      (["$top", "$-_1"], "value_1"), (["$top", "root", "$0"], "value0"),
      (["$top", "root", "*"], "root_value"), (["Note", "$0"], "Note__0"),
      (["Box<Int>", "x"], "Box_Int__x"), (["$top", "root", "*", "*", "*"], "root_value"),
      (["$top", "n", "*", "Value", "Value", "*"], "n_value"),
      (["Note", "note", "tags", "Tags", "note"], "Note_tags_note"),
    ])
  func names(path: [String], name: String) {
    #expect(RecordPath(components: path).className == name)
  }
}
