import Foundation
import Support
import TestSupport
import Testing

@testable import Reporting

@Suite("The page of a report")
struct ReportPageTests {
  @Test("has the verdict on top, and every list")
  func hasAll() throws {
    let page = try FullReport.report().text(as: .html)
    let verdict = ReportVerdict(try FullReport.report()).sentence
    #expect(page.contains("<span id=\"verdict\">\(verdict)</span>"))
    for title in ReportSection.Name.allCases.map(\.rawValue) {
      #expect(page.contains("<section id=\"\(title)\""), "\(title)")
      #expect(page.contains("href=\"#\(title)\""), "\(title)")
    }
    let places = page.matches(of: /<section id="([a-zA-Z]+)"/).map { String($0.output.1) }
    let names = ReportSection.Name.allCases
    #expect(
      places == ["summary"] + names.filter { !$0.followsEntities }.map(\.rawValue)
        + ["model", "entities"] + names.filter(\.followsEntities).map(\.rawValue) + ["run"])
    for text in [
      "MTGhost", "modelContext", "Silk", "… and 4 more: use --report-full to list all.",
    ] {
      #expect(page.contains(text), "\(text)")
    }
  }

  @Test("allows nothing but its own style and script, by their digests")
  func hasPolicy() throws {
    let page = try FullReport.report().text(as: .html)
    func digest(_ element: String) throws -> String {
      let parts = page.components(separatedBy: "<\(element)>")
      #expect(parts.count == 2)
      let content = try #require(parts[1].components(separatedBy: "</\(element)>").first)
      return Data(MessageDigest.sha256(of: Array(content.utf8))).base64EncodedString()
    }
    let policy =
      "default-src 'none'; style-src 'sha256-\(try digest("style"))'; "
      + "script-src 'sha256-\(try digest("script"))'; base-uri 'none'; form-action 'none'"
    #expect(page.contains("<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">"))
    #expect(!page.contains("style=\""))
    #expect(page.matches(of: /(src|href)="[^#]/).isEmpty)
    #expect(page.matches(of: /\son[a-z]+="/).isEmpty)
  }

  static let hostile = [
    "</script><img src=x onerror=alert(1)>", "\" onmouseover=\"alert(1)", "' x='", "<!--", "&lt;",
    "]]>", "a\u{0}b\u{1B}[2J", "\u{202E}gnp.exe", "`|` \\ [x](y) <br>",
    String(repeating: "w", count: 5_000),
  ]

  @Test("takes no text of an archive for a mark", arguments: hostile)
  func escapes(name: String) throws {
    let quoted = String(decoding: try JSONEncoder().encode(name), as: UTF8.self).dropFirst()
      .dropLast()
    var text = FullReport.json
    for word in [
      "Note", "Folder", "MTGhost", "title", "notes", "notes/a.archive", "is empty", "Silk",
    ] {
      text = text.replacing("\"\(word)\"", with: "\"\(quoted)\"")
    }
    let report = try JSONDecoder().decode(ConversionReport.self, from: Data(text.utf8))
    let page = try report.text(as: .html)
    // Seen through a parser that knows all elements of the page, nothing has come to it.
    let expected = Self.marks(in: try FullReport.report().text(as: .html))
    #expect(Self.marks(in: page).subtracting(expected) == [])
    #expect(page.unicodeScalars.allSatisfy { $0 == "\n" || !$0.properties.isControl })
  }

  /// The elements and the names of their attributes.
  private static func marks(in page: String) -> Set<String> {
    Set(
      page.matches(of: /<(!?[a-zA-Z\-]+)((?:\s+[a-zA-Z\-]+(?:="[^"]*")?)*)\s*\/?>/).flatMap {
        match in
        let names = match.output.2.matches(of: /([a-zA-Z\-]+)(="[^"]*")?/).map {
          String($0.output.1)
        }
        return names.map { "\(match.output.1) \($0)" } + [String(match.output.1)]
      })
  }

  @Test("cuts long lists and says how much is left out")
  func cuts() throws {
    var report = try FullReport.report()
    report.unreadKeys = Array(repeating: report.unreadKeys[0], count: 10_234)
    report.entities = Array(repeating: report.entities[0], count: 1_007)
    let page = try report.text(as: .html)
    #expect(page.contains("… and 234 more: see the JSON report."))
    #expect(page.contains("… and 7 more: see the JSON report."))
    #expect(page.contains("<small>10,234</small>"))
    #expect(page.matches(of: /class="entity card"/).count == 1_000)
    // A filter says what it does not look at: 10 rows of lists of the report are cut as well.
    let missing = try #require(page.firstMatch(of: /<body data-missing="(\d+)">/))
    let others = ReportSection.all(of: report).map(\.leftOut).boundedSum
    #expect(Int(missing.output.1) == others + 234 + 7)
  }

  @Test("lists what was rejected first and whole, in every form", arguments: ReportForm.allCases)
  func listsRejected(form: ReportForm) throws {
    var report = try FullReport.report()
    let rejected = (0..<12_345).map { number in
      ConversionReport.Archive(
        path: "lost/\(number).", sha256: String(repeating: "\(number % 10)", count: 64),
        bytes: 1_000 + number, format: "xml", outcome: .rejected, error: "broken \(number).")
    }
    // The last of many.
    report.archives += rejected
    let text = try report.text(as: form)
    var rest = text[...]
    for archive in rejected {
      // JSON has its keys in order.
      let facts =
        form == .json
        ? [archive.error ?? "", archive.path, archive.sha256 ?? ""] : [archive.path]
      for fact in facts {
        guard let place = rest.firstRange(of: fact) else {
          Issue.record("\(fact) is missing")
          return
        }
        rest = rest[place.upperBound...]
      }
    }
    guard form != .json else { return }
    #expect(text.contains("broken 12344."))
    #expect(text.contains("13,344"))
    let first = try #require(text.firstRange(of: "lost/0."))
    let entities =
      form == .html ? "id=\"entities\"" : form == .markdown ? "## Entities" : "entity  "
    #expect(first.lowerBound < (try #require(text.firstRange(of: entities))).lowerBound)
  }

  @Test(
    "has a title of its own for each command",
    arguments: [
      ("Conversion", false, false), ("Migration", true, false), ("Verification", true, true),
    ])
  func hasTitle(title: String, isMigration: Bool, isVerification: Bool) throws {
    var report = try FullReport.report()
    if !isMigration { report.migrations = [] }
    report.isVerification = isVerification
    let page = try report.text(as: .html)
    #expect(page.contains("<title>\(title) report: out.db</title>"))
    #expect(page.contains("<div class=\"kicker\">\(title) report</div>"))
    let again = try JSONDecoder().decode(
      ConversionReport.self, from: Data(try report.text(as: .json).utf8))
    #expect(again.isVerification == isVerification)
  }

  @Test(
    "explains its colour and its marks",
    arguments: [(ReportVerdict.Kind.bad, "Red: "), (.attention, "Amber: "), (.good, "Green: ")])
  func explainsColour(kind: ReportVerdict.Kind, word: String) throws {
    var report = try FullReport.report()
    if kind != .bad {
      report = ConversionReport(storePath: "out.db", isDryRun: false)
      report.storeBytes = 1
      if kind == .attention { report.unmappedClasses = [.init("MTGhost", 1)] }
    }
    let page = try report.text(as: .html)
    #expect(page.contains("<header class=\"band \(kind.rawValue)\">"))
    #expect(page.contains("<p class=\"meaning\">\(word)"))
    #expect(page.contains("<p class=\"marks\">") == (kind != .good))
  }

  @Test("folds long lists, and makes sortable what is not read at a glance")
  func foldsLongLists() throws {
    var report = try FullReport.report()
    func page(_ count: Int) throws -> Substring {
      report.unreadKeys = Array(repeating: report.unreadKeys[0], count: count)
      let page = try report.text(as: .html)
      let parts = page.components(separatedBy: "<section id=\"unreadKeys\"")
      return (parts.last ?? "")[...].split(separator: "</section>", maxSplits: 1)[0]
    }
    #expect(!(try page(5)).contains("sortable"))
    #expect(try page(6).contains("<table class=\"sortable\">"))
    #expect(!(try page(20)).contains("<details"))
    #expect(try page(21).contains("<details class=\"fold printed\"><summary>21 rows</summary>"))
    #expect(try page(501).contains("<details class=\"fold\"><summary>501 rows</summary>"))
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isControl: Bool { generalCategory == .control }
}
