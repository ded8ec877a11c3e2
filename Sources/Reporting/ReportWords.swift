import Foundation
import GraphCore
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

/// The words in a report for itself, the inputs and their objects.
struct SourceWords {
  /// The title of the report: "Conversion report".
  let title: String
  /// The verb for the work on the inputs: "Converted".
  let verb: String
  /// An input: "archive".
  let input: String
  /// Inputs as a title: "Archives".
  var inputs: String { input.capitalized + "s" }
  /// Objects in one, in front of their noun: "archived".
  let objects: String
  /// The noun for the types of objects, in the plural too: "archived class".
  let kind: String
  let kinds: String
  /// The noun for the keys of values: "archived key".
  let property: String

  /// The words for a report: those of stores if nothing but Core Data stores was converted.
  init(_ report: ConversionReport) {
    let isOfDatabases = Self.areDatabases(report.archives)
    let isOfStores = isOfDatabases || Self.areStores(report.archives)
    let work =
      report.isVerification
      ? ("Verification", "Compared")
      : report.migrations.isEmpty ? ("Conversion", "Converted") : ("Migration", "Migrated")
    (title, verb) = (work.0 + " report", work.1)
    kind = isOfDatabases ? "table or class" : isOfStores ? "stored entity" : "archived class"
    kinds =
      isOfDatabases ? "tables and classes" : isOfStores ? "stored entities" : "archived classes"
    property = isOfDatabases ? "column or key" : isOfStores ? "attribute" : "archived key"
    objects = isOfStores ? "stored" : "archived"
    // Archives in the values of stores are no inputs by themselves.
    input = Self.input(report.archives.filter { $0.place == nil })
  }

  /// One of several inputs: "store" if all of them are Core Data stores.
  static func input(_ archives: [ConversionReport.Archive]) -> String {
    areDatabases(archives) ? "database" : areStores(archives) ? "store" : "archive"
  }

  /// Several inputs of which parts could not be read.
  static func damaged(_ archives: [ConversionReport.Archive]) -> String {
    let input = input(archives)
    // Damaged values of a database do not keep the rest from being read.
    return areDatabases(archives)
      ? "Damaged: \(Words.count(archives.count, input))"
      : "Salvaged: \(Words.count(archives.count, "damaged \(input)"))"
  }

  private static func areDatabases(_ archives: [ConversionReport.Archive]) -> Bool {
    are([.database], archives)
  }

  private static func areStores(_ archives: [ConversionReport.Archive]) -> Bool {
    are([.sqliteStore, .xmlStore, .binaryStore], archives)
  }

  private static func are(
    _ kinds: [SourceFormat], _ archives: [ConversionReport.Archive]
  ) -> Bool {
    let stores = kinds.map(\.rawValue)
    let formats = archives.filter { $0.outcome != .rejected }.compactMap(\.format)
    return !formats.isEmpty && formats.allSatisfy(stores.contains)
  }
}

extension LayoutOmission {
  /// It in words.
  var words: String {
    let noun =
      switch kind {
      case .value: Words.count(count, "value")
      case .link: Words.count(count, "link")
      case .order, .index: Words.count(count, "row")
      }
    return "\(noun) of \(entity) '\(property)' (\(reason))"
  }
}
