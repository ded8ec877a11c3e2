import GraphCore
import Support

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
