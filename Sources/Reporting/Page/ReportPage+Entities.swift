import Support

/// The entities of the page: their diagram, their figures, and each by itself.
extension ReportPage {
  /// How many entities a diagram shows, and how many diagrams there are.
  private static let maxBoxes = 48
  private static let maxDiagrams = 12

  /// The diagrams of entities and relationships.
  var model: String {
    guard !report.entities.isEmpty else { return "" }
    let parts = DiagramGraph(Array(report.entities.prefix(Self.maxRows))).components()
    let shown = parts.prefix(Self.maxDiagrams).map { $0.capped(to: Self.maxBoxes) }
    let figures = shown.enumerated().map { number, graph in
      "<figure class=\"card\">\(DiagramGraph.Drawing(graph).svg(number: number + 1))</figure>"
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

  private static func sample(_ path: String) -> String {
    "<svg viewBox=\"0 0 46 16\" aria-hidden=\"true\" class=\"edge\"><path d=\"\(path)\"/></svg>"
  }

  /// The table of all entities, and a table for each.
  var entities: String {
    guard !report.entities.isEmpty else { return "" }
    let shown = report.entities.prefix(Self.maxRows)
    let rows = shown.enumerated().map { number, entity in
      "<tr><th scope=\"row\"><a href=\"#entity-\(number)\">\(HTMLText.quoted(entity.name))</a></th>"
        + Self.number(entity.archivedObjects) + Self.number(entity.rows)
        + Self.number(entity.values) + Self.number(entity.links)
        + "<td>\(Self.bar(entity.values, entity.attributes.map(\.nulls).boundedSum))</td></tr>"
    }
    let left = report.entities.count - shown.count
    let more = left > 0 ? "<p class=\"more\">… and \(left) more: see the JSON report.</p>" : ""
    let articles = shown.enumerated().map { details(of: $1, number: $0) }
    return """
      <section id="entities" aria-labelledby="entities-title">
      <h2 id="entities-title">Entities <small>\
      \(ReportWords.grouped(report.entities.count))</small></h2>
      <p>A value is an attribute's value or an element of a collection; a link is a reference to \
      another row. Bars: <span class="swatch"></span> values, <span class="swatch n"></span> \
      nil.</p>
      <div class="card" tabindex="0" role="region" aria-labelledby="entities-title">
      <table><thead><tr><th scope="col">entity</th><th scope="col" \
      class="number">\(SourceWords(report).objects) objects</th><th scope="col" class="number">rows</th><th scope="col" \
      class="number">values</th><th scope="col" class="number">links</th><th \
      scope="col">filled</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody>\(rows.count > 1 ? totals : "")</table>\(more)</div>
      \(articles.joined(separator: "\n"))
      </section>
      """
  }

  private var totals: String {
    let all = report.entities
    return "<tfoot><tr><th scope=\"row\">all</th>"
      + Self.number(all.map(\.archivedObjects).boundedSum) + Self.number(all.map(\.rows).boundedSum)
      + Self.number(all.map(\.values).boundedSum) + Self.number(all.map(\.links).boundedSum)
      + "<td></td></tr></tfoot>"
  }

  private func details(of entity: ConversionReport.Entity, number: Int) -> String {
    let most = Self.maxRows
    // If all are named like their keys, the column is not needed.
    let hasKeys = entity.attributes.prefix(most).contains { $0.key != $0.name }
    var rows = entity.attributes.prefix(most).map { attribute in
      "<tr><th scope=\"row\">\(HTMLText.quoted(attribute.name))</th>"
        + (hasKeys ? "<td>\(HTMLText.quoted(attribute.key))</td>" : "")
        + "<td>\(HTMLText.escaped(attribute.type))</td>" + Self.number(attribute.values)
        + Self.number(attribute.nulls)
        + "<td>\(Self.bar(attribute.values, attribute.nulls))</td></tr>"
    }
    rows += entity.relationships.prefix(most).map { relationship in
      let inverse = relationship.inverse.map { " (inverse: \(HTMLText.quoted($0)))" } ?? ""
      let words = relationship.isToMany ? "to many" : "to one"
      return
        "<tr><th scope=\"row\">\(HTMLText.quoted(relationship.name))</th>\(hasKeys ? "<td></td>" : "")"
        + "<td>\(words) \(destination(of: relationship))\(inverse)</td>"
        + Self.number(relationship.links) + "<td></td><td></td></tr>"
    }
    let left =
      max(0, entity.attributes.count - most) + max(0, entity.relationships.count - most)
    let more = left > 0 ? "<p class=\"more\">… and \(left) more: see the JSON report.</p>" : ""
    let classes = entity.archivedClasses.filter { $0 != entity.name }.prefix(10)
    let origin =
      classes.isEmpty ? "" : " of " + classes.map(HTMLText.quoted).joined(separator: ", ")
    let table =
      rows.isEmpty
      ? ""
      : """
      <table><thead><tr><th scope="col">property</th>\
      \(hasKeys ? "<th scope=\"col\">key</th>" : "")<th scope="col">type</th><th scope="col" class="number">values</th><th scope="col" \
      class="number">nil</th><th scope="col">filled</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table>
      """
    return """
      <article class="entity card" id="entity-\(number)">
      <h3>\(HTMLText.quoted(entity.name)) <small>\
      \(ReportWords.grouped(entity.rows)) \(entity.rows == 1 ? "row" : "rows"), \
      \(ReportWords.grouped(entity.archivedObjects)) \(SourceWords(report).objects) \
      \(entity.archivedObjects == 1 ? "object" : "objects")\(origin)</small></h3>
      \(table)\(more)
      </article>
      """
  }

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
      "\(values) of \(Words.count([values, nulls].boundedSum, "value"))"
      + (nulls > 0 ? ", \(nulls) nil" : "")
    return "<svg class=\"bar\" viewBox=\"0 0 100 6\" preserveAspectRatio=\"none\" role=\"img\" "
      + "aria-label=\"\(words)\"><title>\(words)</title><rect class=\"n\" width=\"100\" "
      + "height=\"6\"/><rect class=\"v\" width=\"\(width)\" height=\"6\"/></svg>"
  }
}
