import Foundation
import TestSupport
import Testing

@testable import Reporting

@Suite("The diagram of a report")
struct DiagramTests {
  /// Entities with relationships as given: "A.b>B" leads to one, "A.bs>>B" to many, and an inverse
  /// stands behind a slash.
  private static func entities(_ count: Int, _ relationships: [String]) -> [ConversionReport.Entity]
  {
    (0..<count).map { number in
      let name = "E\(number)"
      let own = relationships.filter { $0.hasPrefix("\(name).") }.map { text in
        let parts = text.dropFirst(name.count + 1).components(separatedBy: "/")
        let sides = parts[0].components(separatedBy: ">")
        return ConversionReport.Relationship(
          name: sides[0], destination: sides.last ?? "", isToMany: sides.count == 3,
          inverse: parts.count > 1 ? parts[1] : nil, links: 1)
      }
      return ConversionReport.Entity(
        name: name, archivedClasses: [name], archivedObjects: 1, rows: 1, attributes: [],
        relationships: own)
    }
  }

  @Test("draws a relationship and its inverse once, from the owner")
  func pairs() {
    let graph = DiagramGraph(
      Self.entities(2, ["E0.owner>E1/items", "E1.items>>E0/owner", "E1.next>E1", "E0.x>E9"]))
    #expect(graph.edges.map(\.title) == ["E0.owner → E1, E1.items → E0", "E1.next → E1"])
    #expect(graph.edges.map(\.from.node) == [1, 1])
    #expect(graph.edges.map(\.from.mark) == [.one, .open])
    #expect(graph.edges.map(\.to.mark) == [.many, .one])
    #expect(graph.edges.map(\.isLoop) == [false, true])
  }

  @Test("draws a relationship that is its own inverse, and both halves of a loop, once")
  func loops() {
    let spouse = DiagramGraph(Self.entities(1, ["E0.spouse>E0/spouse"]))
    #expect(spouse.edges.map(\.title) == ["E0.spouse → E0, E0.spouse → E0"])
    let tree = DiagramGraph(Self.entities(1, ["E0.parent>E0/children", "E0.children>>E0/parent"]))
    #expect(tree.edges.count == 1)
  }

  @Test("takes parts that do not hang together apart, and leaves out lone entities")
  func components() {
    let graph = DiagramGraph(Self.entities(6, ["E0.a>E1", "E2.b>E3", "E3.c>E4"]))
    #expect(
      graph.components().map { $0.nodes.map(\.name) } == [["E2", "E3", "E4"], ["E0", "E1"]])
  }

  /// Graphs of several shapes: a chain, a circle, a star, and many edges at random.
  private static let shapes: [(String, Int, [String])] = [
    ("chain", 40, (0..<39).map { "E\($0).next>E\($0 + 1)" }),
    ("circle", 12, (0..<12).map { "E\($0).next>E\(($0 + 1) % 12)" }),
    ("star", 40, (1..<40).map { "E0.r\($0)>>E\($0)" }),
    (
      "crowd", 40,
      (0..<40).flatMap { number in
        [7, 11, 18].map { "E\(number).r\($0)>E\((number * $0 + 3) % 40)" }
      }
    ),
  ]

  @Test("has no boxes on each other, and no edge through a box", arguments: shapes)
  func keepsApart(name: String, count: Int, relationships: [String]) {
    for part in DiagramGraph(Self.entities(count, relationships)).components() {
      let sizes = DiagramGraph.Layout.Sizes()
      let layout = DiagramGraph.Layout(part, sizes: sizes)
      for column in layout.columns {
        for (upper, lower) in zip(column, column.dropFirst()) {
          let (first, second) = (layout.vertices[upper], layout.vertices[lower])
          let room = second.y - second.height / 2 - first.y - first.height / 2
          #expect(room > 11.9, "\(name)")
        }
      }
      // Each piece leads to the next column: where it passes one, it has a place of its own there.
      for segment in layout.segments {
        #expect(layout.vertices[segment.right].layer == layout.vertices[segment.left].layer + 1)
      }
      for (edge, way) in zip(part.edges, layout.ways) where !edge.isLoop {
        #expect(way.dropFirst().dropLast().allSatisfy { layout.vertices[$0].node == nil })
        #expect(Set([way.first, way.last]) == [edge.from.node, edge.to.node])
      }
      #expect(layout.vertices.allSatisfy { $0.y.isFinite && $0.y >= 0 })
    }
  }

  @Test("is the same each time, and as tall as it is needed", arguments: shapes)
  func isRepeatable(name: String, count: Int, relationships: [String]) throws {
    let graph = DiagramGraph(Self.entities(count, relationships))
    let drawn = graph.components().map { DiagramGraph.Drawing($0).svg(number: 1) }
    #expect(graph.components().map { DiagramGraph.Drawing($0).svg(number: 1) } == drawn)
    for text in drawn {
      let size = try #require(text.firstMatch(of: /viewBox="0 0 ([\d.]+) ([\d.]+)"/))
      #expect(try #require(Double(size.output.2)) < 3_000, "\(name)")
      #expect(!text.contains("nan"))
    }
  }

  @Test("shows the whole drawing of two entities")
  func wholeDrawing() {
    let graph = DiagramGraph(Self.entities(2, ["E0.items>>E1/owner", "E1.owner>E0/items"]))
    #expect(DiagramGraph.Drawing(graph).svg(number: 3) == Self.drawing)
  }

  @Test("keeps to the entities with the most relationships where there are too many")
  func caps() {
    let graph = DiagramGraph(Self.entities(40, Self.shapes[2].2)).capped(to: 5)
    #expect(graph.nodes.map(\.name) == ["E0", "E1", "E2", "E3", "E4"])
    #expect(graph.edges.count == 4)
  }

  @Test("shows the neighbours of an entity, and what leads to them alone")
  func neighbourhood() throws {
    let graph = DiagramGraph(
      Self.entities(6, ["E0.a>E1", "E1.b>E2", "E2.c>E3", "E3.d>E1", "E4.e>E4"]))
    let part = try #require(graph.neighbourhood(of: 1, most: 10))
    #expect(part.nodes.map(\.name) == ["E0", "E1", "E2", "E3"])
    #expect(part.edges.map(\.title) == ["E0.a → E1", "E1.b → E2", "E3.d → E1"])
    #expect(try #require(graph.neighbourhood(of: 1, most: 1)).nodes.map(\.name) == ["E0", "E1"])
    #expect(try #require(graph.neighbourhood(of: 4, most: 1)).edges.count == 1)
    #expect(graph.neighbourhood(of: 5, most: 10) == nil)
  }

  @Test("is a file of its own, with all entities")
  func wholeFile() {
    var report = ConversionReport(storePath: "", isDryRun: false)
    report.entities = Self.entities(5, ["E0.a>E1", "E2.b>E3"])
    let text = EntityDiagram(report).text()
    #expect(text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns="))
    for number in 0..<5 { #expect(text.contains(">E\(number)</text>")) }
    #expect(text.components(separatedBy: "<svg ").count == 5)
  }

  // swift-format-ignore
  static let drawing = """
    <svg class="diagram" role="img" aria-labelledby="diagram3" viewBox="0 0 342 83" width="342" height="83">
    <title id="diagram3">Diagram of 2 entities and 1 relationship between them: E0, E1.</title>
    <g class="edge"><title>E0.items → E1, E1.owner → E0</title><path class="reach" d="M134 54.5 L148 54.5 C171 54.5 171 54.5 194 54.5 L208 54.5"/><path d="M134 54.5 L148 54.5 C171 54.5 171 54.5 194 54.5 L208 54.5"/><path class="mark" d="M141 49.5V59.5"/><path class="mark" d="M208 49.5L197 54.5L208 59.5"/></g>
    <g class="box"><title>E0</title><rect class="frame" x="14" y="14" width="120" height="55" rx="6"/><rect class="head" x="14" y="14" width="120" height="30" rx="6"/><text class="name" x="24" y="34">E0</text><text class="rows" x="124" y="34">1</text><text class="field" x="24" y="58">items</text><text class="rows" x="124" y="58">n</text></g>
    <g class="box"><title>E1</title><rect class="frame" x="208" y="14" width="120" height="55" rx="6"/><rect class="head" x="208" y="14" width="120" height="30" rx="6"/><text class="name" x="218" y="34">E1</text><text class="rows" x="318" y="34">1</text><text class="field" x="218" y="58">owner</text><text class="rows" x="318" y="58">1</text></g>
    </svg>
    """
}
