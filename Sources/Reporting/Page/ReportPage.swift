import Foundation
import Support

/// The report as a page: one file that needs nothing but a browser, and no network.
///
/// Whatever comes from an archive is escaped. If something slipped through all the same, the
/// page's policy would not let it run or load anything: it names the only style and the only
/// script by their digests.
struct ReportPage {
  let report: ConversionReport
  let verdict: ReportVerdict
  let words: SourceWords
  let sections: [ReportSection]
  let graph: DiagramGraph
  /// The numbers of the entities that are shown, by name.
  let entityNumbers: [String: Int]
  /// The most rows of each list that are shown.
  ///
  /// Long lists are folded, so that a browser lays out none of them until somebody opens them.
  static let maxRows = 10_000
  /// The most entities that are shown, and properties of each.
  static let maxEntities = 1_000

  init(_ report: ConversionReport) {
    self.report = report
    verdict = ReportVerdict(report)
    words = SourceWords(report)
    sections = ReportSection.all(of: report).map { $0.capped(to: Self.maxRows) }
    graph = DiagramGraph(Array(report.entities.prefix(Self.maxEntities)))
    entityNumbers = Dictionary(
      report.entities.prefix(Self.maxEntities).enumerated().map { ($1.name, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The whole page.
  func text() -> String {
    let missing =
      sections.map(\.leftOut).boundedSum + max(0, report.entities.count - Self.maxEntities)
    let parts = [
      head, "<body data-missing=\"\(missing)\">",
      "<a class=\"skip\" href=\"#summary\">Skip to the summary</a>", band, navigation, "<main>",
      summary, lists(followingEntities: false), model, entities, lists(followingEntities: true),
      facts, "</main>",
      "<footer>\(EntityDiagram.mark)"
        + "\(HTMLText.escaped(report.converterVersion)).</footer>",
      "<script>\(Self.script)</script>", "</body>", "</html>",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
  }

  private func lists(followingEntities: Bool) -> String {
    sections.filter { $0.name.followsEntities == followingEntities }.map(html)
      .joined(separator: "\n")
  }

  private var head: String {
    let policy =
      "default-src 'none'; style-src '\(Self.digest(of: Self.style))'; "
      + "script-src '\(Self.digest(of: Self.script))'; base-uri 'none'; form-action 'none'"
    let name = fileName(of: report.storePath)
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="referrer" content="no-referrer">
      <title>\(words.title)\(name.isEmpty ? "" : ": " + HTMLText.escaped(name))</title>
      <style>\(Self.style)</style>
      </head>
      """
  }

  private static func digest(of text: String) -> String {
    "sha256-" + Data(MessageDigest.sha256(of: Array(text.utf8))).base64EncodedString()
  }

  /// The verdict: what a reader in a hurry needs to know.
  private var band: String {
    let marks =
      switch verdict.kind {
      case .good: "<path d=\"M7 12.5l3.5 3.5L17 9\"/>"
      case .attention: "<path d=\"M12 7v6M12 16.4v.2\"/>"
      case .bad: "<path d=\"M8 8l8 8M16 8l-8 8\"/>"
      }
    var place: [String] = []
    if report.isDryRun { place.append("Dry run") }
    if report.hasStore, !report.storePath.isEmpty {
      place.append(HTMLText.quoted(report.storePath))
    }
    if let bytes = report.storeBytes { place.append(ReportWords.size(bytes)) }
    if let start = report.startedAt { place.append(ReportWords.time(start)) }
    return """
      <header class="band \(verdict.kind.rawValue)">
      <div class="kicker">\(words.title)</div>
      <h1><svg class="icon" viewBox="0 0 24 24" aria-hidden="true" fill="none" \
      stroke="currentColor" stroke-width="2.2" stroke-linecap="round"><circle cx="12" cy="12" \
      r="10"/>\(marks)</svg><span id="verdict">\(HTMLText.escaped(verdict.sentence))</span></h1>
      <p class="meaning">\(verdict.kind.meaning)</p>
      <div class="where">\(place.joined(separator: " · "))</div>
      </header>
      """
  }

  private var navigation: String {
    var places = [("summary", "Summary")]
    let lists = sections.map { ($0.name.rawValue, $0.title, $0.name.followsEntities) }
    places += lists.filter { !$0.2 }.map { ($0.0, $0.1) }
    if !report.entities.isEmpty { places += [("model", "Diagram"), ("entities", "Entities")] }
    places += lists.filter(\.2).map { ($0.0, $0.1) }
    places.append(("run", "Run"))
    let links = places.map { "<li><a href=\"#\($0.0)\">\($0.1)</a></li>" }
    return
      "<nav id=\"contents\" aria-label=\"Contents\"><ul>\(links.joined(separator: "\n"))"
      + "</ul></nav>"
  }

  private var summary: String {
    let files = report.archives.filter { $0.place == nil }
    let converted = files.count { $0.outcome == .converted }
    var tiles = [
      (
        words.input + "s",
        converted == files.count
          ? Words.grouped(converted)
          : "\(Words.grouped(converted)) of \(Words.grouped(files.count))"
      ),
      ("entities", Words.grouped(report.entities.count)),
      ("rows", Words.grouped(report.entities.map(\.rows).boundedSum)),
      ("values", Words.grouped(report.entities.map(\.values).boundedSum)),
      ("links", Words.grouped(report.entities.map(\.links).boundedSum)),
    ]
    if let bytes = report.storeBytes { tiles.append(("store", ReportWords.size(bytes))) }
    if let seconds = report.seconds { tiles.append(("time", ReportWords.time(seconds))) }
    let list = tiles.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" }
    return """
      <section id="summary" aria-labelledby="summary-title">
      <h2 id="summary-title">Summary</h2>
      <dl class="tiles">\(list.joined())</dl>
      \(findings)
      </section>
      """
  }

  private var findings: String {
    var items = ReportFinding.all(in: report).map { finding in
      let sentence = HTMLText.escaped(finding.sentence)
      let link = finding.section.map { "<a href=\"#\($0.rawValue)\">\(sentence)</a>" } ?? sentence
      return "<li class=\"is-\(finding.kind.rawValue)\">\(link)</li>"
    }
    if report.isWhole, report.unreachableObjects == 0 {
      items.insert(
        "<li>Nothing was left behind: every reachable value is in the store.</li>",
        at: 0)
    }
    guard !items.isEmpty else { return "" }
    let kinds = Set(ReportFinding.all(in: report).map(\.kind))
    let marks = [ReportVerdict.Kind.bad, .attention].filter(kinds.contains)
    let legend = marks.map { kind in
      "<span class=\"is-\(kind.rawValue)\">\(kind.findingMeaning)</span>"
    }
    return "<ul class=\"findings card\">\(items.joined(separator: "\n"))</ul>"
      + (legend.isEmpty ? "" : "<p class=\"marks\">\(legend.joined(separator: "\n"))</p>")
  }

  private var facts: String {
    let items = ReportFacts.all(of: report).map { fact in
      let value = fact.isQuoted ? HTMLText.quoted(fact.value) : HTMLText.escaped(fact.value)
      return "<dt>\(fact.name)</dt><dd>\(value)</dd>"
    }
    return """
      <section id="run" aria-labelledby="run-title">
      <h2 id="run-title">Run</h2>
      <dl class="facts card">\(items.joined(separator: "\n"))</dl>
      </section>
      """
  }
}

extension ReportVerdict.Kind {
  /// The sense of the colour of a verdict.
  fileprivate var meaning: String {
    switch self {
    case .good: "Green: nothing is missing, apart from what was left out on purpose."
    case .attention:
      "Amber: the run finished, but something needs attention. Objects, values or files are not in "
        + "the store, or not exactly as they were: the findings below say which."
    case .bad:
      "Red: something failed. An input or a part of one is missing, no object became a row, a pass "
        + "failed, or the store differs from its inputs: the findings below say what."
    }
  }

  /// The sense of the mark of a finding.
  fileprivate var findingMeaning: String {
    switch self {
    case .good: "good to know"
    case .attention: "needs attention: content is missing or inexact"
    case .bad: "failed: content is missing or wrong, and the exit code is not 0"
    }
  }
}

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
