import Foundation
import Support

/// The report in Markdown: to be pasted into an issue, a wiki or a letter.
struct ReportMarkdown {
  private let report: ConversionReport
  /// The greatest number of rows that are shown of each list.
  private static let maxRows = 100
  /// The greatest number of characters that are shown of a cell.
  private static let maxCharacters = 300

  init(_ report: ConversionReport) {
    self.report = report
  }

  /// The whole document.
  func text() -> String {
    var parts = ["# \(Self.escaped(ReportVerdict(report).sentence))", facts, findings]
    let sections = ReportSection.all(of: report).map { $0.capped(to: Self.maxRows) }
    parts += sections.filter { !$0.name.followsEntities }.map(section)
    if !report.entities.isEmpty { parts.append(entities) }
    parts += sections.filter(\.name.followsEntities).map(section)
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private var facts: String {
    ReportFacts.all(of: report).map { fact in
      "- \(fact.name): \(fact.isQuoted ? Self.code(fact.value) : Self.escaped(fact.value))"
    }.joined(separator: "\n")
  }

  private var findings: String {
    let found = ReportFinding.all(in: report)
    let lines = found.map { finding in
      let mark = finding.kind == .good ? "" : "**"
      return "- \(mark)\(Self.escaped(finding.sentence))\(mark)"
    }
    guard !lines.isEmpty else { return "" }
    return "## Findings\n\n" + lines.joined(separator: "\n")
  }

  private var entities: String {
    var parts = ["## Entities"]
    let shown = report.entities.prefix(Self.maxRows)
    parts.append(
      Self.table(
        ["entity", "\(SourceWords(report).objects) objects", "rows", "values", "links"],
        isNumeric: [false, true, true, true, true],
        shown.map { entity in
          [
            Self.code(entity.name),
            Words.grouped(entity.archivedObjects), Words.grouped(entity.rows),
            Words.grouped(entity.values), Words.grouped(entity.links),
          ]
        }))
    for entity in shown {
      let properties = rows(of: entity)
      guard !properties.isEmpty else { continue }
      parts.append("### \(Self.code(entity.name))")
      parts.append(
        Self.table(
          ["property", "key", "type", "values", "nil"],
          isNumeric: [false, false, false, true, true], properties))
    }
    if report.entities.count > shown.count {
      parts.append(
        "… and \(Words.grouped(report.entities.count - shown.count)) more: see the JSON report.")
    }
    return parts.joined(separator: "\n\n")
  }

  private func rows(of entity: ConversionReport.Entity) -> [[String]] {
    entity.attributes.prefix(Self.maxRows).map { attribute in
      [
        Self.code(attribute.name), Self.code(attribute.key), attribute.type,
        Words.grouped(attribute.values), Words.grouped(attribute.nulls),
      ]
    }
      + entity.relationships.prefix(Self.maxRows).map { relationship in
        let arrow = relationship.isToMany ? "→→" : "→"
        let destination =
          relationship.destination.isEmpty ? "any" : Self.code(relationship.destination)
        let inverse = relationship.inverse.map { ", inverse \(Self.code($0))" } ?? ""
        return [
          Self.code(relationship.name), "", "\(arrow) \(destination)\(inverse)",
          Words.grouped(relationship.links), "",
        ]
      }
  }

  private func section(_ section: ReportSection) -> String {
    var parts = ["## \(section.title)", section.explanation]
    if !section.rows.isEmpty {
      parts.append(
        Self.table(
          section.columns, isNumeric: section.columns.indices.map(section.isNumeric),
          section.rows.map { $0.map(Self.text) }))
    }
    if let remark = section.remark { parts.append(remark) }
    return parts.joined(separator: "\n\n")
  }

  // MARK: Marks

  private static func text(_ cell: ReportSection.Cell) -> String {
    switch cell {
    case .words(let text): escaped(text)
    case .quoted(let text): code(text)
    case .file(let path, let digest): code(path) + (digest.map { "<br>\(code($0))" } ?? "")
    case .number(let number): Words.grouped(number)
    case .outcome(let outcome): outcome.rawValue
    case .nothing: ""
    }
  }

  private static func table(
    _ columns: [String], isNumeric: [Bool], _ rows: [[String]]
  ) -> String {
    let rule = isNumeric.map { $0 ? "---:" : "---" }
    return ([columns, rule] + rows).map { "| \($0.joined(separator: " | ")) |" }
      .joined(separator: "\n")
  }

  /// Text of an archive: a span of code, in which nothing is a mark but what ends it and, in
  /// tables, the bar.
  private static func code(_ text: String) -> String {
    let shown = PrintableText.shortened(text, to: maxCharacters).replacing("|", with: "\\|")
    guard !shown.isEmpty else { return "" }
    let longest = shown.split(whereSeparator: { $0 != "`" }).map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: longest + 1)
    let space = shown.hasPrefix("`") || shown.hasSuffix("`") ? " " : ""
    return "\(fence)\(space)\(shown)\(space)\(fence)"
  }

  /// Words in which nothing is a mark.
  private static func escaped(_ text: String) -> String {
    PrintableText.printable(text).reduce(into: "") { result, character in
      if "\\`*_[]<>&#|!~$".contains(character) { result.append("\\") }
      result.append(character)
    }
  }
}
