import Support

extension DiagramGraph.Layout {
  /// The measures of the boxes of a diagram.
  struct Sizes {
    static let head = 30.0
    static let line = 19.0
    static let foot = 6.0
    private static let leastWidth = 120.0
    private static let maxWidth = 280.0
    /// The greatest width of a character, about, in the head and in the other lines.
    private static let headCharacter = 8.7
    private static let lineCharacter = 7.2

    func height(of node: DiagramGraph.Node) -> Double {
      let lines = node.fields.count + (node.fieldsLeftOut > 0 ? 1 : 0)
      return Self.head + Double(lines) * Self.line + (lines > 0 ? Self.foot : 0)
    }

    /// The place where an edge meets a box, seen from the middle of the box.
    func offset(of end: DiagramGraph.End, in node: DiagramGraph.Node) -> Double {
      y(of: end) - height(of: node) / 2
    }

    /// The place where an edge meets a box, seen from its top.
    func y(of end: DiagramGraph.End) -> Double {
      guard let field = end.field else {
        // Crow's feet and bars at the same place would not be told apart.
        return end.mark == .many ? Self.head / 2 + 6 : Self.head / 2 - 6
      }
      return Self.head + (Double(field) + 0.5) * Self.line + 1
    }

    func width(of node: DiagramGraph.Node) -> Double {
      let head =
        Self.headCharacter * Double(TextTable.width(node.name))
        + Self.lineCharacter * Double(rows(of: node).count) + 34
      let lines = node.fields.map { Self.lineCharacter * Double(TextTable.width($0.name)) + 44 }
      return min(Self.maxWidth, max(Self.leastWidth, lines.max() ?? 0, head))
    }

    /// The number of rows of the entity, as the box shows it.
    func rows(of node: DiagramGraph.Node) -> String {
      node.rows.map(Words.grouped) ?? ""
    }

    /// The name, cut so that it fits a box.
    func name(of node: DiagramGraph.Node, width: Double) -> String {
      cut(
        node.name,
        to: (width - 34 - Self.lineCharacter * Double(rows(of: node).count)) / Self.headCharacter)
    }

    /// The name of a relationship, cut so that it fits a box.
    func name(of field: DiagramGraph.Field, width: Double) -> String {
      cut(field.name, to: (width - 44) / Self.lineCharacter)
    }

    private func cut(_ text: String, to most: Double) -> String {
      let most = max(3, Int(most + 0.01))
      guard TextTable.width(text) > most else { return PrintableText.printable(text) }
      var shown = text.prefix(most - 1)
      while TextTable.width(String(shown)) > most - 1 { shown.removeLast() }
      return PrintableText.printable(String(shown)) + "…"
    }
  }
}
