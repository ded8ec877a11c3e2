import Foundation
import Stores
import Support

extension DatasetteMetadata {
  /// The content of a store, as its tables and the reports in it tell.
  struct Content {
    let database: Database
    /// The name of the database in Datasette: that of its file.
    let name: String
    let tables: StoreTables
    /// The words for the inputs of the last run, and for their objects.
    let words: SourceWords
    /// The number of archives that the runs converted, those inside of others not counted.
    let archiveCount: Int
    /// The words of a mapping for the rows of its views.
    let viewWords: [String: String]
    /// The samples of the columns of the tables of entities.
    let samples: [String: ColumnSamples]
    /// The column that a row is called by, for each table that has one.
    let labels: [String: String]

    /// Looks into a store.
    ///
    /// - Parameters:
    ///   - database: The store.
    ///   - reports: The reports that it keeps, in the order of the runs.
    /// - Throws: `StoreError` if it cannot be read.
    init(_ database: Database, _ reports: [ConversionReport]) throws(StoreError) {
      self.database = database
      name = ((database.path as NSString).lastPathComponent as NSString).deletingPathExtension
      tables = try StoreTables(database, reports)
      words = SourceWords(reports.last ?? ConversionReport(storePath: "", isDryRun: false))
      archiveCount =
        reports.map { report in
          report.archives.count { $0.outcome == .converted && $0.place == nil }
        }.boundedSum
      viewWords = Dictionary(
        reports.flatMap(\.views).map { ($0.name, $0.words) }, uniquingKeysWith: { $1 })
      var labels: [String: String] = [:]
      var samples: [String: ColumnSamples] = [:]
      for (name, form) in tables.schema.tables where tables.entities[name] != nil {
        let sample = try ColumnSamples(of: name, form, in: database)
        samples[name] = sample
        labels[name] = try sample.label()
      }
      (self.samples, self.labels) = (samples, labels)
    }

    /// The origin of the rows, and the way to search their texts.
    var description: String {
      let archives = Words.count(archiveCount, words.input)
      let origin = "Converted from \(link(archives, to: "/\(RelationalLayout.archiveTable)"))."
      guard SearchTable.isDeclared(in: tables.schema) else { return origin }
      return "\(origin) \(link("Search all texts", to: "/\(SearchTable.name)"))."
    }
  }
}
