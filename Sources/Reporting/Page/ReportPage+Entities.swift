import Support

/// The entities of the page: their diagram, their figures, and each by itself.
extension ReportPage {
  /// The greatest number of entities in a diagram, and of diagrams.
  private static let maxBoxes = 48
  private static let maxDiagrams = 12
  /// The most entities that one can survey in a diagram of all.
  private static let maxSurveyable = 15
  /// The most neighbours of an entity that its own diagram shows.
  private static let maxNeighbours = 10

  /// The diagrams of entities and relationships.
  var model: String {
    guard !report.entities.isEmpty else { return "" }
    let parts = graph.components()
    let shown = parts.prefix(Self.maxDiagrams).map { $0.capped(to: Self.maxBoxes) }
    let figures = shown.enumerated().map { number, graph in
      Self.figure(DiagramGraph.Drawing(graph), number: number + 1)
    }
    let alone = report.entities.count - shown.map(\.nodes.count).reduce(0, +)
    var notes: [String] = []
    if alone > 0 {
      notes.append(
        "\(Words.count(alone, "entity", plural: "entities")) "
          + (alone == 1 ? "is not drawn: it has" : "are not drawn: they have")
          + (parts.count > shown.count || parts.contains { $0.nodes.count > Self.maxBoxes }
            ? " few or no relationships." : " no relationships to other entities."))
    }
    if hasNeighbourhoods { notes.append("Each entity below has a diagram of its own neighbours.") }
    let legend = """
      <div class="legend">
      <span>\(Self.sample("M1 8h44M38 3v10"))to one</span>
      <span>\(Self.sample("M1 8h44M45 3l-11 5 11 5"))to many</span>
      <span>\(Self.sample("M1 8h44M41 8a2 2 0 1 0 0 .1"))no inverse</span>
      <span>The number in each header is the row count.</span>
      </div>
      """
    return """
      <section id="model" aria-labelledby="model-title">
      <h2 id="model-title">Diagram</h2>
      <p>Entities and the relationships between them. \(notes.joined(separator: " "))</p>
      \(figures.isEmpty ? "" : "<div class=\"figures\">\(figures.joined(separator: "\n"))</div>")
      \(figures.isEmpty ? "" : legend)
      </section>
      """
  }

  private var hasNeighbourhoods: Bool { report.entities.count > Self.maxSurveyable }

  /// A diagram that fits its place; one that is made small by that can be made large again, without
  /// a script.
  private static func figure(_ drawing: DiagramGraph.Drawing, number: Int) -> String {
    let choices = [("fit", "Fit"), ("full", "100 %"), ("twice", "200 %")].map { kind, name in
      "<label><input type=\"radio\" class=\"\(kind)\" name=\"zoom\(number)\""
        + "\(kind == "fit" ? " checked" : "")>\(name)</label>"
    }
    let zoom =
      drawing.width > 700 || drawing.height > 500
      ? "<fieldset class=\"zoom\"><legend>Size of diagram \(number)</legend>\(choices.joined())</fieldset>"
      : ""
    return """
      <figure class="card">\(zoom)<div class="scroll" tabindex="0" role="group" \
      aria-label="Diagram \(number)">\(drawing.svg(number: number))</div></figure>
      """
  }

  private static func sample(_ path: String) -> String {
    "<svg viewBox=\"0 0 46 16\" aria-hidden=\"true\" class=\"edge\"><path d=\"\(path)\"/></svg>"
  }

  /// The table of all entities, and a table for each.
  var entities: String {
    guard !report.entities.isEmpty else { return "" }
    let shown = report.entities.prefix(Self.maxEntities)
    let columns = [
      ("entity", false), ("\(words.objects) objects", true), ("rows", true), ("values", true),
      ("links", true), ("filled", false),
    ]
    let rows = shown.enumerated().map { number, entity in
      "<tr><th scope=\"row\"><a href=\"#entity-\(number)\">\(HTMLText.quoted(entity.name))</a></th>"
        + figures(entity.archivedObjects, entity.rows, entity.values, entity.links)
        + "<td>\(Self.bar(entity.values, entity.attributes.map(\.nulls).boundedSum))</td></tr>"
    }
    let left = report.entities.count - shown.count
    let more =
      left > 0
      ? "<p class=\"more\">… and \(Words.grouped(left)) more: see the JSON report.</p>" : ""
    let table = Self.table(
      columns, rows, totals: rows.count > 1 ? totals : "", isSortable: true)
    let card = """
      <div class="card" tabindex="0" role="group" aria-labelledby="entities-title">
      \(table)\(more)</div>
      """
    let graph = hasNeighbourhoods ? self.graph : nil
    let details = shown.enumerated().map { self.details(of: $1, number: $0, in: graph) }
      .joined(separator: "\n")
    let isLong = shown.count > Self.maxOpenRows
    return """
      <section id="entities" aria-labelledby="entities-title">
      <h2 id="entities-title">Entities <small>\
      \(Words.grouped(report.entities.count))</small></h2>
      <p>A value is an attribute's value or an element of a collection; a link is a reference to \
      another row. Bars: <span class="swatch"></span> values, <span class="swatch n"></span> \
      nil.</p>
      \(Self.folded(card, rows: rows.count))
      \(isLong ? "<details class=\"fold\"><summary>Properties of each entity</summary>" : "")
      \(details)
      \(isLong ? "</details>" : "")
      </section>
      """
  }

  /// The cells of a row of the table of entities.
  private func figures(_ objects: Int, _ rows: Int, _ values: Int, _ links: Int) -> String {
    Self.number(objects, "\(words.objects) objects") + Self.number(rows, "rows")
      + Self.number(values, "values") + Self.number(links, "links")
  }

  private var totals: String {
    let all = report.entities
    return "<tfoot><tr><th scope=\"row\">all</th>"
      + figures(
        all.map(\.archivedObjects).boundedSum, all.map(\.rows).boundedSum,
        all.map(\.values).boundedSum, all.map(\.links).boundedSum)
      + "<td></td></tr></tfoot>"
  }

  /// An entity with its properties and, where a graph is given, its neighbours.
  private func details(
    of entity: ConversionReport.Entity, number: Int, in graph: DiagramGraph?
  ) -> String {
    let most = Self.maxEntities
    // If all are named like their keys, the column is not needed.
    let hasKeys = entity.attributes.prefix(most).contains { $0.key != $0.name }
    var rows = entity.attributes.prefix(most).map { attribute in
      "<tr><th scope=\"row\">\(HTMLText.quoted(attribute.name))</th>"
        + (hasKeys ? "<td>\(HTMLText.quoted(attribute.key))</td>" : "")
        + "<td>\(HTMLText.escaped(attribute.type))</td>" + Self.number(attribute.values, "values")
        + Self.number(attribute.nulls, "nil")
        + "<td>\(Self.bar(attribute.values, attribute.nulls))</td></tr>"
    }
    rows += entity.relationships.prefix(most).map { relationship in
      let inverse = relationship.inverse.map { " (inverse: \(HTMLText.quoted($0)))" } ?? ""
      let words = relationship.isToMany ? "to many" : "to one"
      return
        "<tr><th scope=\"row\">\(HTMLText.quoted(relationship.name))</th>\(hasKeys ? "<td></td>" : "")"
        + "<td>\(words) \(destination(of: relationship))\(inverse)</td>"
        + Self.number(relationship.links, "links") + "<td></td><td></td></tr>"
    }
    let left =
      max(0, entity.attributes.count - most) + max(0, entity.relationships.count - most)
    let more =
      left > 0
      ? "<p class=\"more\">… and \(Words.grouped(left)) more: see the JSON report.</p>" : ""
    let classes = entity.archivedClasses.filter { $0 != entity.name }.prefix(10)
    let origin =
      classes.isEmpty ? "" : " of " + classes.map(HTMLText.quoted).joined(separator: ", ")
    let columns =
      [("property", false)] + (hasKeys ? [("key", false)] : [])
      + [("type", false), ("values", true), ("nil", true), ("filled", false)]
    let drawing = graph?.neighbourhood(of: number, most: Self.maxNeighbours).map { graph in
      "<figure>\(DiagramGraph.Drawing(graph).svg(number: Self.maxDiagrams + number + 1))</figure>"
    }
    return """
      <details class="entity card\(isFew ? " printed\" open" : "\"")><summary><h3>\
      \(HTMLText.quoted(entity.name)) <small>\
      \(Words.count(entity.rows, "row")), \
      \(Words.count(entity.archivedObjects, "\(words.objects) object"))\(origin)</small></h3>\
      </summary>
      <div id="entity-\(number)" class="scroll" tabindex="0" role="group" aria-label="\
      \(HTMLText.escaped(PrintableText.shortened(entity.name, to: 300)))">
      \(drawing ?? "")\(rows.isEmpty ? "" : Self.table(columns, rows))\(more)
      </div></details>
      """
  }

  /// True if the properties of all entities can be shown at once.
  private var isFew: Bool { report.entities.count <= 8 }

  /// The entities that a relationship leads to, with links to their tables.
  private func destination(of relationship: ConversionReport.Relationship) -> String {
    guard !relationship.destination.isEmpty else { return "any" }
    return relationship.destination.components(separatedBy: ", ").prefix(50).map { name in
      guard let number = entityNumbers[name] else { return HTMLText.quoted(name) }
      return "<a href=\"#entity-\(number)\">\(HTMLText.quoted(name))</a>"
    }.joined(separator: ", ")
  }

  /// Values against nils.
  private static func bar(_ values: Int, _ nulls: Int) -> String {
    let all = Double(max(0, values)) + Double(max(0, nulls))
    guard all > 0 else { return "" }
    // What is there is seen, however little it is.
    var share = Double(max(0, values)) / all * 100
    if values > 0 { share = max(share, 1.5) }
    if nulls > 0 { share = min(share, 98.5) }
    let width = Double(Int(share * 10)) / 10
    let words =
      "\(Words.grouped(values)) of \(Words.count([values, nulls].boundedSum, "value"))"
      + (nulls > 0 ? ", \(Words.grouped(nulls)) nil" : "")
    return "<svg class=\"bar\" viewBox=\"0 0 100 6\" preserveAspectRatio=\"none\" role=\"img\" "
      + "aria-label=\"\(words)\"><title>\(words)</title><rect class=\"n\" width=\"100\" "
      + "height=\"6\"/><rect class=\"v\" width=\"\(width)\" height=\"6\"/></svg>"
  }
}
