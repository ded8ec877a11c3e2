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
    report.unreadKeys = Array(repeating: report.unreadKeys[0], count: 1_234)
    report.entities = Array(repeating: report.entities[0], count: 1_007)
    let page = try report.text(as: .html)
    #expect(page.contains("… and 234 more: see the JSON report."))
    #expect(page.contains("… and 7 more: see the JSON report."))
    #expect(page.contains("<small>1,234</small>"))
    #expect(page.matches(of: /class="entity card"/).count == 1_000)
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isControl: Bool { generalCategory == .control }
}
