import Importer
import Testing

@Suite("Mapping files beyond all measure")
struct MappingLimitTests {
  /// The words of the error that a text leads to, a line for each problem.
  private func lines(_ yaml: String) -> [String] {
    do throws(MappingError) {
      _ = try Mapping(yaml: yaml, path: "m.yaml")
      return []
    } catch {
      return "\(error)".split(separator: "\n").map { String($0) }
    }
  }

  private static func many(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  @Test("Only so many problems are listed")
  func manyProblems() throws {
    let lines = lines("entities:\n" + (1...250).map { "  x\($0): 1\n" }.joined())
    #expect(lines.count == 101)
    #expect(
      lines[98]
        == "m.yaml:100:8: expected a block of an entity, or a list of such blocks, found a number")
    #expect(lines[100] == "m.yaml: 150 more problems are not listed")
  }

  @Test("A name in a message is cut where it gets long")
  func longNames() {
    let lines = lines("? \(Self.many("é", 900))\n: 1")
    #expect(
      lines == [
        "m.yaml:1:3: unknown key '\(Self.many("é", 200))…' in a mapping, whose keys are model, modelDigest, stripPrefix, addPrefix, plainNames, seeThrough, records, pairs, foreignKeys, newestBy, classes, entities, passes, policies and views"
      ])
  }

  // MARK: Depth

  private static let deep: [(String, String)] = [
    (many("[", 65) + many("]", 65), "1:65"),
    (many("- ", 64) + "x: y", "1:129"),
    (many("[", 5000), "1:1"),
    (many("{a: ", 100_000), "1:3997"),
    (many("{", 2000), "1:1"),
    (many("? ", 3000), "1:1999"),
  ]

  @Test("Values that are nested too deep are told", arguments: deep)
  func depth(yaml: String, place: String) {
    #expect(lines(yaml) == ["m.yaml:\(place): nested deeper than the limit of 64 levels"])
  }

  @Test("Values that aliases nest too deep are told")
  func depthOfAliases() {
    let levels = (1..<40).map { "- &a\($0) [[*a\($0 - 1)]]\n" }.joined()
    #expect(
      lines("- &a0 x\n" + levels) == [
        "m.yaml:33:10: nested deeper than the limit of 64 levels"
      ])
  }

  // MARK: Size

  /// Anchors, each of which stands for ten times as much as the one before.
  private static let bomb: String = {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1...30 {
      let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(aliases)]\n"
    }
    return text
  }()

  private static let large: [(String, String)] = [
    (bomb, "m.yaml:6:5"),
    // As keys, the parser would hash them.
    (bomb.replacing(": &", with: ": {? &").replacing("]\n", with: "] : 1}\n"), "m.yaml:6:8"),
    (many("\n", 1_000_001), "m.yaml"),
    ("[" + many("x,", 1_000_000), "m.yaml"),
  ]

  @Test("Values that are too many are told", arguments: large)
  func size(yaml: String, place: String) {
    #expect(lines(yaml) == ["\(place): holds more values than the limit of 1000000"])
  }

  @Test("Values that are many are read")
  func manyValues() throws {
    let attributes = (0..<5000).map { "      a\($0): {from: b, convert: [text, {decimal: }]}\n" }
    let yaml =
      "entities:\n  A:\n    attributes: &a\n" + attributes.joined()
      + (0..<10).map { "  B\($0): {attributes: *a}\n" }.joined()
    let mapping = try Mapping(yaml: yaml, path: "m.yaml")
    #expect(mapping.entities.map(\.attributes.count) == Array(repeating: 5000, count: 11))
  }
}
