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
  let sections: [ReportSection]
  /// The numbers of the entities that are shown, by name.
  let entityNumbers: [String: Int]
  /// How many rows of each list, and how many entities, are shown.
  static let maxRows = 1_000

  init(_ report: ConversionReport) {
    self.report = report
    verdict = ReportVerdict(report)
    sections = ReportSection.all(of: report).map { $0.capped(to: Self.maxRows) }
    entityNumbers = Dictionary(
      report.entities.prefix(Self.maxRows).enumerated().map { ($1.name, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The whole page.
  func text() -> String {
    let parts = [
      head, "<body>", band, navigation, "<main>", summary, model, entities,
      sections.map(html).joined(separator: "\n"), facts, "</main>",
      "<footer>Made by the archive converter, version "
        + "\(HTMLText.escaped(report.converterVersion)).</footer>",
      "<script>\(Self.script)</script>", "</body>", "</html>",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
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
      <title>Conversion report\(name.isEmpty ? "" : ": " + HTMLText.escaped(name))</title>
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
      <div class="kicker">Conversion report</div>
      <h1><svg class="icon" viewBox="0 0 24 24" aria-hidden="true" fill="none" \
      stroke="currentColor" stroke-width="2.2" stroke-linecap="round"><circle cx="12" cy="12" \
      r="10"/>\(marks)</svg><span id="verdict">\(HTMLText.escaped(verdict.sentence))</span></h1>
      <div class="where">\(place.joined(separator: " · "))</div>
      </header>
      """
  }

  private var navigation: String {
    var places = [("summary", "Summary")]
    if !report.entities.isEmpty { places += [("model", "Diagram"), ("entities", "Entities")] }
    places += sections.map { ($0.name.rawValue, $0.title) }
    places.append(("run", "Run"))
    let links = places.map { "<a href=\"#\($0.0)\">\($0.1)</a>" }
    return
      "<nav aria-label=\"Contents\"><div><span class=\"links\">\(links.joined(separator: "\n"))"
      + "</span></div></nav>"
  }

  private var summary: String {
    let files = report.archives.filter { $0.place == nil }
    let converted = files.count { $0.outcome == .converted }
    var tiles = [
      (
        "archives",
        converted == files.count
          ? ReportWords.grouped(converted) : "\(converted) of \(files.count)"
      ),
      ("entities", ReportWords.grouped(report.entities.count)),
      ("rows", ReportWords.grouped(report.entities.map(\.rows).boundedSum)),
      ("values", ReportWords.grouped(report.entities.map(\.values).boundedSum)),
      ("links", ReportWords.grouped(report.entities.map(\.links).boundedSum)),
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
    return "<ul class=\"findings card\">\(items.joined(separator: "\n"))</ul>"
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
