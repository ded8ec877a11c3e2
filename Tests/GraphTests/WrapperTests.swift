import ArchiveReader
import GraphCore
import GraphTesting
import Testing

@Suite("Wrappers that are seen through")
struct WrapperTests {
  private typealias Value = MemorySource.Value

  /// A note that refers to a box, and further objects: class 0 is a note, 1 and 2 are boxes.
  private static func source(
    _ boxes: MemorySource.Object..., roots: KeyValuePairs<String, Value> = ["root": .object(0)]
  ) -> MemorySource {
    MemorySource(
      classes: [["Note", "NSObject"], ["Box", "NSObject"], ["App.Weak", "NSObject"]],
      objects: [.init(0, ["box": .object(1), "rank": .integer(5)])] + boxes, roots: roots)
  }

  private static func unwrapped(_ base: MemorySource) -> any GraphSource {
    UnwrappedSource.make(base, ["Box", "App.Weak"], GraphOptions())
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

  @Test("are replaced by the one thing that they hold, chains by what the last one holds")
  func held() throws {
    let cases: [(String, MemorySource, held: String, count: Int)] = [
      ("a text", Self.source(.init(1, ["x": .text("t")])), "t", 1),
      ("a text beside nil", Self.source(.init(1, ["a": .null, "x": .text("t")])), "t", 1),
      ("a collection", Self.source(.init(1, ["x": .array([.integer(1)])])), "array", 1),
      ("an object", Self.source(.init(2, ["x": .object(0)])), "object 0", 1),
      ("a chain", Self.source(.init(1, ["x": .object(2)]), .init(2, ["y": .integer(7)])), "7", 2),
      (
        "a chain to an object with two keys",
        Self.source(.init(1, ["x": .object(2)]), .init(1, ["a": .integer(1), "b": .integer(2)])),
        "object 2", 1
      ),
      ("two things", Self.source(.init(1, ["x": .text("t"), "y": .integer(1)])), "object 1", 0),
      ("nothing", Self.source(.init(1, ["x": .null])), "object 1", 0),
      ("no key", Self.source(.init(1, [:])), "object 1", 0),
      ("itself", Self.source(.init(1, ["x": .object(1)])), "object 1", 0),
      (
        "a circle", Self.source(.init(1, ["x": .object(2)]), .init(2, ["x": .object(1)])),
        "object 1", 0
      ),
      (
        "a chain to a circle",
        Self.source(
          .init(1, ["x": .object(2)]), .init(1, ["x": .object(3)]), .init(2, ["x": .object(4)]),
          .init(2, ["x": .object(3)])), "object 3", 2
      ),
    ]
    for (name, base, held, count) in cases {
      let source = Self.unwrapped(base)
      #expect(source.wrapperCount == count, "\(name)")
      #expect((source === base) == (count == 0), "\(name)")
      let graph = source.makeGraph(GraphOptions())
      let note = try graph.object(0)
      #expect(words(try graph.value(of: note, at: 0)) == held, "\(name)")
      #expect(words(try graph.value(of: note, at: 1)) == "5", "\(name)")
      #expect(checkGraph(source, after: Self.source(.init(1, ["x": .text("t")]))) == [], "\(name)")
      let other = Self.unwrapped(Self.source(.init(1, ["x": .object(0)])))
      #expect(checkGraph(source, after: other) == [], "\(name)")
    }
  }

  @Test("are replaced under top-level keys, in collections and as keys of pairs")
  func places() throws {
    let source = Self.unwrapped(
      Self.source(
        .init(1, ["x": .text("t")]),
        roots: [
          "root": .object(1), "list": .array([.object(1), .object(0)]),
          "pairs": .dictionary([(.object(1), .object(1))]),
        ]))
    #expect(checkGraph(source) == [])
    let graph = source.makeGraph(GraphOptions(countsUnreached: true))
    var found: [String] = []
    for root in source.roots {
      let value = try graph.value(of: root)
      found.append(words(value))
      guard case .collection(let id, let kind) = value else { continue }
      let elements = try graph.elements(of: id, kind)
      for position in 0..<elements.count {
        if kind.isKeyed { found.append(words(try graph.key(of: elements, at: position))) }
        found.append(words(try graph.value(of: elements, at: position)))
      }
    }
    #expect(found == ["t", "array", "t", "object 0", "dictionary", "t", "t"])
    #expect(graph.countUnreachedObjects() == 0)
  }

  @Test("are gone before records are found, and a chain of any length costs no stack")
  func records() throws {
    let person = Value.dictionary([(.text("name"), .text("Ada")), (.text("age"), .integer(36))])
    let source = Self.unwrapped(Self.source(.init(1, ["x": person])))
    let rules = RecordRules(source.recordEvidence(GraphOptions()), .init(.automatic))
    #expect(rules.classNames["Note.box"] == "Note_box")
    let whole = RecordSource.make(source, rules, GraphOptions())
    #expect(checkGraph(whole) == [])
    #expect(whole.wrapperCount == 1)

    let count = 100_000
    let long = MemorySource(
      classes: [["Note"], ["Box"]],
      objects: (0..<count).map { .init(1, ["x": $0 + 1 < count ? .object($0 + 1) : .integer(3)]) },
      roots: ["root": .object(0)])
    let unwrapped = Self.unwrapped(long)
    #expect(unwrapped.wrapperCount == count)
    let graph = unwrapped.makeGraph(GraphOptions(countsUnreached: true))
    #expect(words(try graph.value(of: unwrapped.roots[0])) == "3")
    #expect(graph.countUnreachedObjects() == 0)
  }
}
