import GraphCore

/// The words in a report for itself, the inputs and their objects.
struct SourceWords {
  /// The title of the report: "Conversion report".
  let title: String
  /// What was done to the inputs: "Converted".
  let verb: String
  /// An input: "archive".
  let input: String
  /// Inputs as a title: "Archives".
  var inputs: String { input.capitalized + "s" }
  /// Objects in one, in front of their noun: "archived".
  let objects: String
  /// What objects are of, in the plural too: "archived class".
  let kind: String
  let kinds: String
  /// What a value of one stands under: "archived key".
  let property: String

  /// The words for a report: those of stores if nothing but Core Data stores was converted.
  init(_ report: ConversionReport) {
    let isOfStores = Self.areStores(report.archives)
    let work =
      report.isVerification
      ? ("Verification", "Compared")
      : report.migrations.isEmpty ? ("Conversion", "Converted") : ("Migration", "Migrated")
    (title, verb) = (work.0 + " report", work.1)
    kind = isOfStores ? "stored entity" : "archived class"
    kinds = isOfStores ? "stored entities" : "archived classes"
    property = isOfStores ? "attribute" : "archived key"
    objects = isOfStores ? "stored" : "archived"
    // Archives in the values of stores are no inputs by themselves.
    input = Self.input(report.archives.filter { $0.place == nil })
  }

  /// One of several inputs: "store" if all of them are Core Data stores.
  static func input(_ archives: [ConversionReport.Archive]) -> String {
    areStores(archives) ? "store" : "archive"
  }

  private static func areStores(_ archives: [ConversionReport.Archive]) -> Bool {
    let stores = [SourceFormat.sqliteStore, .xmlStore, .binaryStore].map(\.rawValue)
    let formats = archives.filter { $0.outcome != .rejected }.compactMap(\.format)
    return !formats.isEmpty && formats.allSatisfy(stores.contains)
  }
}
