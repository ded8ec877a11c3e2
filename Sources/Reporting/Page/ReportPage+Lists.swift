import Support

/// The lists of the page.
extension ReportPage {
  /// A list with more rows than this is folded.
  static let maxOpenRows = 20
  /// A folded list with more rows than this is not printed.
  private static let maxPrintedRows = 500

  /// A list as a section with a table.
  func html(_ section: ReportSection) -> String {
    let columns = section.columns.indices.filter { column in
      section.rows.contains { !$0[column].isNothing }
    }
    let rows = section.rows.map { row in
      "<tr>\(columns.map { html(row[$0], column: section.columns[$0]) }.joined())</tr>"
    }
    let more = section.remark.map { "<p class=\"more\">\($0)</p>" } ?? ""
    let count = [section.rows.count, section.leftOut].boundedSum
    let name = section.name.rawValue
    let heads = columns.map { (section.columns[$0], section.isNumeric($0)) }
    let table = Self.table(heads, rows, isSortable: true)
    let card = """
      <div class="card" tabindex="0" role="group" aria-labelledby="\(name)-title">
      \(table)\(more)</div>
      """
    return """
      <section id="\(name)" aria-labelledby="\(name)-title">
      <h2 id="\(name)-title">\(section.title) <small>\(Words.grouped(count))</small></h2>
      <p>\(section.explanation)</p>
      \(section.name == .rejected ? card : Self.folded(card, rows: rows.count))
      </section>
      """
  }

  /// A table that is folded if it is long: print has it unless it is very long.
  static func folded(_ table: String, rows: Int) -> String {
    guard rows > maxOpenRows else { return table }
    return """
      <details class="fold\(rows > maxPrintedRows ? "" : " printed")"><summary>\
      \(Words.count(rows, "row"))</summary>
      \(table)
      </details>
      """
  }

  /// A table, each column with its name, and whether it holds numbers.
  static func table(
    _ columns: [(name: String, isNumeric: Bool)], _ rows: [String], totals: String = "",
    isSortable: Bool = false
  ) -> String {
    let heads = columns.map { column in
      "<th scope=\"col\"\(column.isNumeric ? " class=\"number\"" : "")>\(column.name)</th>"
    }
    // Few rows are sorted by looking at them.
    let kind = isSortable && rows.count > 5 ? " class=\"sortable\"" : ""
    return """
      <table\(kind)><thead><tr>\(heads.joined())</tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody>\(totals)</table>
      """
  }

  private func html(_ cell: ReportSection.Cell, column: String) -> String {
    switch cell {
    case .words(let text): "<td data-k=\"\(column)\">\(HTMLText.escaped(text))</td>"
    case .quoted(let text): "<td>\(HTMLText.quoted(text))</td>"
    case .number(let number): Self.number(number, column)
    case .file(let path, let digest):
      "<td>\(HTMLText.quoted(path))"
        + (digest.map { "<span class=\"digest\">\(HTMLText.escaped($0))</span>" } ?? "") + "</td>"
    case .outcome(let outcome):
      "<td data-k=\"\"><span class=\"tag \(Self.kind(outcome))\">\(outcome.rawValue)</span></td>"
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

  /// A cell with a number, with the name of its column for where there is no room for columns.
  static func number(_ number: Int, _ column: String) -> String {
    "<td class=\"number\" data-k=\"\(column)\">\(Words.grouped(number))</td>"
  }
}
