/// The lists of the page.
extension ReportPage {
  /// A list as a section with a table.
  func html(_ section: ReportSection) -> String {
    let heads = section.columns.indices.map { column in
      "<th scope=\"col\"\(section.isNumeric(column) ? " class=\"number\"" : "")>"
        + "\(section.columns[column])</th>"
    }
    let rows = section.rows.map { row in
      "<tr>\(row.map(html).joined())</tr>"
    }
    let more = section.remark.map { "<p class=\"more\">\($0)</p>" } ?? ""
    let count = [section.rows.count, section.leftOut].boundedSum
    let name = section.name.rawValue
    return """
      <section id="\(name)" aria-labelledby="\(name)-title">
      <h2 id="\(name)-title">\(section.title) <small>\(ReportWords.grouped(count))</small></h2>
      <p>\(section.explanation)</p>
      <div class="card" tabindex="0" role="region" aria-labelledby="\(name)-title">
      <table><thead><tr>\(heads.joined())</tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table>\(more)</div>
      </section>
      """
  }

  private func html(_ cell: ReportSection.Cell) -> String {
    switch cell {
    case .words(let text): "<td>\(HTMLText.escaped(text))</td>"
    case .quoted(let text): "<td>\(HTMLText.quoted(text))</td>"
    case .number(let number): Self.number(number)
    case .file(let path, let digest):
      "<td>\(HTMLText.quoted(path))"
        + (digest.map { "<span class=\"digest\">\(HTMLText.escaped($0))</span>" } ?? "") + "</td>"
    case .outcome(let outcome):
      "<td><span class=\"tag \(Self.kind(outcome))\">\(outcome.rawValue)</span></td>"
    case .nothing: "<td></td>"
    }
  }

  private static func kind(_ outcome: ConversionReport.Archive.Outcome) -> String {
    switch outcome {
    case .converted: "good"
    case .skipped: "plain"
    case .rejected: "bad"
    }
  }

  /// A cell with a number, which scripts can read as well.
  static func number(_ number: Int) -> String {
    "<td class=\"number\" data-n=\"\(number)\">\(ReportWords.grouped(number))</td>"
  }
}
