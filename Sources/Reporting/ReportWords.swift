import Foundation
import Stores
import Support

/// Words that the printed forms of a report share.
package enum ReportWords {
  /// The words for a kind of conflict.
  static func words(_ code: ImportConflict.Code) -> String {
    switch code {
    case .sidesDisagree: "the two sides name different rows; the owning side was kept"
    case .claimedTwice: "two rows claim it; the later one was kept"
    case .notInCollection: "missing from the other side's collection; the link was kept"
    case .differentValue: "the store had a different value; the later one was kept"
    }
  }

  /// The content of tables that are of no entity, which is not counted with those of entities.
  static func unowned(_ report: ConversionReport) -> [(name: String, words: String)] {
    guard report.storeLayout == "relational" else { return [] }
    var all: [(name: String, words: String)] = []
    if report.collections > 0 {
      let content = [(report.collectionValues, "value"), (report.collectionLinks, "link")]
        .filter { $0.0 > 0 }.map { Words.count($0.0, $0.1) }
      let words =
        "\(Words.grouped(report.collections)) under top-level keys or in other collections"
      all.append(
        ("Collections", content.isEmpty ? words : words + ", with \(Words.list(content, "and"))"))
    }
    if report.topLevelValues > 0 {
      all.append(("Top-level keys", Words.count(report.topLevelValues, "plain value")))
    }
    if report.metadataValues > 0 {
      all.append(("Metadata of stores", Words.count(report.metadataValues, "value")))
    }
    return all
  }

  /// That some archives have no top-level keys, and what that means.
  static func emptyArchives(_ count: Int) -> String {
    let (verb, them, rows) = count == 1 ? ("has", "it", "its row") : ("have", "them", "their rows")
    return
      "\(Words.count(count, "archive")) \(verb) no top-level keys, so nothing of \(them) is in "
      + "the store but \(rows) in \(RelationalLayout.archiveTable)"
  }

  /// The numbers of values and links that a verification has compared.
  ///
  /// Summaries count the links of both sides of a relationship; of a Core Data store, one is
  /// compared.
  static func compared(_ result: VerificationResult, in report: ConversionReport) -> String {
    let values = Words.count(result.valuesCompared, "value")
    let side = report.storeLayout == "coredata" && result.linksCompared > 0 ? " from one side" : ""
    let links = Words.count(result.linksCompared, "link") + side
    return "\(values) and \(links) compared"
  }

  /// A size for people.
  package static func size(_ bytes: Int) -> String {
    switch bytes {
    case ..<1_000: "\(bytes) bytes"
    case ..<1_000_000: String(format: "%.1f kB", Double(bytes) / 1e3)
    case ..<1_000_000_000: String(format: "%.1f MB", Double(bytes) / 1e6)
    default: String(format: "%.2f GB", Double(bytes) / 1e9)
    }
  }
  /// A size for people, with the exact number of bytes.
  static func exactSize(_ bytes: Int) -> String {
    bytes < 1_000 ? size(bytes) : "\(size(bytes)) (\(Words.grouped(bytes)) bytes)"
  }

  /// A moment for people.
  static func time(_ date: Date) -> String {
    date.formatted(.iso8601).replacing("T", with: " ").replacing("Z", with: " UTC")
  }

  /// A time for people.
  static func time(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "unknown" }
    let whole = Int(seconds)
    return switch whole {
    case ..<60: String(format: "%.2f s", seconds)
    case ..<3_600: "\(whole / 60) min \(whole % 60) s"
    default: "\(whole / 3_600) h \(whole % 3_600 / 60) min"
    }
  }
}
