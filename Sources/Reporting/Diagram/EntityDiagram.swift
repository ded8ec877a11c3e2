import Importer
import Support

/// The diagram of all entities and relationships, as an SVG file of its own.
package struct EntityDiagram {
  private let graph: DiagramGraph

  /// The most entities that a file shows: those with the most relationships.
  private static let maxBoxes = 400
  private static let gap = 20.0

  /// The diagram of the entities of a report, with the numbers of their rows.
  package init(_ report: ConversionReport) {
    graph = DiagramGraph(report.entities)
  }

  /// The diagram of a model.
  package init(_ model: Model) {
    var graph = DiagramGraph(
      model.entities.map { entity in
        ConversionReport.Entity(
          name: entity.name, archivedClasses: [], archivedObjects: 0, rows: 0, attributes: [],
          relationships: entity.relationships.map {
            ConversionReport.Relationship(
              name: $0.name, destination: $0.destinations.joined(separator: ", "),
              isToMany: $0.isToMany, inverse: $0.inverse, links: 0)
          })
      })
    for index in graph.nodes.indices { graph.nodes[index].rows = nil }
    self.graph = graph
  }

  /// The whole file.
  package func text() -> String {
    let shown = graph.capped(to: Self.maxBoxes)
    let drawings = (shown.components() + [shown.loners]).filter { !$0.nodes.isEmpty }
      .map { DiagramGraph.Drawing($0) }
    var y = 0.0
    var parts: [String] = []
    for (index, drawing) in drawings.enumerated() {
      parts.append(drawing.svg(number: index + 1, y: y))
      y += drawing.height + Self.gap
    }
    let width = Self.text(drawings.map(\.width).max() ?? 0)
    let height = Self.text(max(0, y - Self.gap))
    let left = graph.nodes.count - shown.nodes.count
    let words = left == 0 ? "" : " \(Words.count(left, "entity", plural: "entities")) not shown."
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
      height="\(height)">
      <desc>\(Self.mark)\(ConverterVersion.current).\(words)</desc>
      <style>\(Self.style)</style>
      <rect class="paper" width="100%" height="100%"/>
      \(parts.joined(separator: "\n"))
      </svg>

      """
  }

  /// The words by which such a file is known.
  static let mark = "Made by the archive converter, version "

  private static func text(_ length: Double) -> String { String(Int(length.rounded(.up))) }

  private static let style = """
    :root { --paper: #f6f7f9; --card: #fff; --ink: #1b2330; --soft: #566173; --head: #eef1f5;
      --link: #1257b0; }
    @media (prefers-color-scheme: dark) { :root { --paper: #12161c; --card: #1a2029;
      --ink: #e6eaf0; --soft: #9eabbd; --head: #232b37; --link: #86b8ff; } }
    .paper { fill: var(--paper); }
    svg { font-family: system-ui, "Segoe UI", Roboto, Arial, sans-serif; }
    \(DiagramGraph.Drawing.style)
    """
}
