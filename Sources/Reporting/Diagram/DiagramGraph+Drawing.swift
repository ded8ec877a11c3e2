import Support

extension DiagramGraph {
  /// A diagram of entities and relationships, as SVG that is part of a page.
  struct Drawing {
    private let graph: DiagramGraph
    private let layout: Layout
    private let sizes = Layout.Sizes()
    private let widths: [Double]
    private let lefts: [Double]
    private static let margin = 14.0
    /// The room that the marks at both ends take, and some for curves.
    private static let gap = 70.0

    init(_ graph: DiagramGraph) {
      self.graph = graph
      layout = Layout(graph, sizes: sizes)
      let sizes = self.sizes
      let vertices = layout.vertices
      widths = layout.columns.map { column in
        column.compactMap { vertices[$0].node.map { sizes.width(of: graph.nodes[$0]) } }.max() ?? 0
      }
      // Between columns with many edges, curves need more room.
      let crowds = Dictionary(grouping: layout.segments) { vertices[$0.left].layer }
      var x = Self.margin
      var lefts: [Double] = []
      for (number, width) in widths.enumerated() {
        lefts.append(x)
        x += width + Self.gap + min(90, 4 * Double(crowds[number]?.count ?? 0))
      }
      self.lefts = lefts
    }

    var width: Double { (lefts.last ?? 0) + (widths.last ?? 0) + Self.margin + loopRoom }

    var height: Double {
      (layout.vertices.map { $0.y + $0.height / 2 }.max() ?? 0) + 2 * Self.margin
    }

    /// The element, with a name for those who cannot see it.
    ///
    /// - Parameters:
    ///   - number: The number of the diagram in the page.
    ///   - y: The place in a drawing of several; nil if it stands for itself.
    /// - Returns: The text of the element.
    func svg(number: Int, y: Double? = nil) -> String {
      let place = y.map { "y=\"\(Self.text($0))\" " } ?? ""
      let size = "\(Self.text(width)) \(Self.text(height))"
      var lines = [
        "<svg class=\"diagram\" role=\"img\" aria-labelledby=\"diagram\(number)\" "
          + "\(place)viewBox=\"0 0 \(size)\" width=\"\(Self.text(width))\" height=\"\(Self.text(height))\">",
        "<title id=\"diagram\(number)\">\(HTMLText.escaped(description))</title>",
      ]
      lines += graph.edges.indices.map(edge)
      lines += graph.nodes.indices.map(box)
      lines.append("</svg>")
      return lines.joined(separator: "\n")
    }

    /// The content of the diagram, in words.
    private var description: String {
      let names = graph.nodes.prefix(12).map(\.name)
      let more =
        graph.nodes.count > names.count ? " and \(graph.nodes.count - names.count) more" : ""
      return "Diagram of \(Words.count(graph.nodes.count, "entity", plural: "entities")) and "
        + "\(Words.count(graph.edges.count, "relationship")) between them: "
        + names.joined(separator: ", ") + more + "."
    }

    private var loopRoom: Double {
      graph.edges.contains { $0.isLoop && layout.vertices[$0.from.node].layer == widths.count - 1 }
        ? 40 : 0
    }

    /// The style of what is drawn; the colours are those of the page.
    static let style = """
      .box .frame { fill: var(--card); stroke: var(--soft); }
      .box .head { fill: var(--head); stroke: var(--soft); }
      .box text { fill: var(--ink); font-size: 12px; }
      .box .name { font-size: 13px; font-weight: 650; }
      .box .rows { text-anchor: end; fill: var(--soft); }
      .box.dim { opacity: .25; }
      .edge path { fill: none; stroke: var(--soft); stroke-width: 1.3; }
      .edge .reach { stroke: transparent; stroke-width: 11; }
      .edge .dot { fill: var(--soft); }
      .edge:hover path:not(.reach) { stroke: var(--link); stroke-width: 2.4; }
      .edge:hover .dot { fill: var(--link); }
      """

    // MARK: Boxes

    private func box(_ number: Int) -> String {
      let node = graph.nodes[number]
      let vertex = layout.vertices[number]
      let (x, width) = (lefts[vertex.layer], widths[vertex.layer])
      let top = vertex.y - vertex.height / 2 + Self.margin
      var parts = [
        "<g class=\"box\"><title>\(HTMLText.escaped(node.name))</title>",
        Self.rectangle("frame", x, top, width, vertex.height),
        Self.rectangle("head", x, top, width, Layout.Sizes.head),
        Self.label("name", x + 10, top + 20, sizes.name(of: node, width: width)),
        Self.label("rows", x + width - 10, top + 20, sizes.rows(of: node)),
      ]
      var y = top + Layout.Sizes.head + 14
      for field in node.fields {
        parts.append(Self.label("field", x + 10, y, sizes.name(of: field, width: width)))
        parts.append(Self.label("rows", x + width - 10, y, field.isToMany ? "n" : "1"))
        y += Layout.Sizes.line
      }
      if node.fieldsLeftOut > 0 {
        parts.append(Self.label("field", x + 10, y, "… \(node.fieldsLeftOut) more"))
      }
      return parts.joined() + "</g>"
    }

    private static func rectangle(
      _ kind: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double
    ) -> String {
      "<rect class=\"\(kind)\" x=\"\(text(x))\" y=\"\(text(y))\" width=\"\(text(width))\" "
        + "height=\"\(text(height))\" rx=\"6\"/>"
    }

    private static func label(_ kind: String, _ x: Double, _ y: Double, _ words: String) -> String {
      "<text class=\"\(kind)\" x=\"\(text(x))\" y=\"\(text(y))\">\(HTMLText.escaped(words))</text>"
    }

    // MARK: Edges

    private func edge(_ number: Int) -> String {
      let edge = graph.edges[number]
      let (first, last) = layout.ends(of: edge)
      let way = layout.ways[number]
      let start = (x: right(of: first.node), y: y(of: first))
      let path: String
      let marks: String
      if edge.isLoop {
        let end = y(of: last)
        path =
          Self.move(start) + " C\(Self.text(start.x + 44)) \(Self.text(start.y)) "
          + "\(Self.text(start.x + 44)) \(Self.text(end)) \(Self.text(start.x)) \(Self.text(end))"
        marks = Self.mark(first.mark, start, 1) + Self.mark(last.mark, (start.x, end), 1)
      } else {
        let end = (x: left(of: last.node), y: y(of: last))
        var steps = Self.move(start)
        var place = start
        for vertex in way.dropFirst().dropLast() {
          let middle = (x: left(of: vertex), y: layout.vertices[vertex].y + Self.margin)
          steps += Self.curve(place, middle)
          place = (right(of: vertex), middle.y)
          steps += " L\(Self.text(place.x)) \(Self.text(place.y))"
        }
        path = steps + Self.curve(place, end)
        marks = Self.mark(first.mark, start, 1) + Self.mark(last.mark, end, -1)
      }
      return "<g class=\"edge\"><title>\(HTMLText.escaped(edge.title))</title>"
        + "<path class=\"reach\" d=\"\(path)\"/><path d=\"\(path)\"/>\(marks)</g>"
    }

    private func left(of vertex: Int) -> Double { lefts[layout.vertices[vertex].layer] }

    private func right(of vertex: Int) -> Double {
      left(of: vertex) + widths[layout.vertices[vertex].layer]
    }

    private func y(of end: DiagramGraph.End) -> Double {
      let vertex = layout.vertices[end.node]
      return vertex.y - vertex.height / 2 + sizes.y(of: end) + Self.margin
    }

    private typealias Point = (x: Double, y: Double)

    private static func move(_ point: Point) -> String { "M\(text(point.x)) \(text(point.y))" }

    /// A curve that leaves and arrives level; near the boxes it is straight, for the marks.
    private static func curve(_ start: Point, _ end: Point) -> String {
      let (first, last) = (start.x + 14, end.x - 14)
      let middle = (first + last) / 2
      return " L\(text(first)) \(text(start.y)) C\(text(middle)) \(text(start.y)) "
        + "\(text(middle)) \(text(end.y)) \(text(last)) \(text(end.y)) "
        + "L\(text(end.x)) \(text(end.y))"
    }

    /// The mark at an end: a bar for one, a crow's foot for many, a dot where nothing leads.
    private static func mark(_ mark: DiagramGraph.Mark, _ point: Point, _ side: Double) -> String {
      let (x, y) = (point.x, point.y)
      switch mark {
      case .one:
        return "<path class=\"mark\" d=\"M\(text(x + 7 * side)) \(text(y - 5))V\(text(y + 5))\"/>"
      case .many:
        let tip = "M\(text(x)) \(text(y - 5))L\(text(x + 11 * side)) \(text(y))"
        return "<path class=\"mark\" d=\"\(tip)L\(text(x)) \(text(y + 5))\"/>"
      case .open:
        return "<circle class=\"dot\" cx=\"\(text(x + 3 * side))\" cy=\"\(text(y))\" r=\"3\"/>"
      }
    }

    /// A measure with at most one fractional digit.
    private static func text(_ number: Double) -> String {
      let tenths = Int((number * 10).rounded())
      return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
    }
  }
}
