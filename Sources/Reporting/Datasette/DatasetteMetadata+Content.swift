import Foundation
import RelationalStores
import SQLite
import Support

extension DatasetteMetadata {
  /// What a store and the reports in it tell of its tables.
  struct Content {
    let database: Database
    /// The name of the database in Datasette: that of its file.
    let name: String
    let schema: StoreSchema
    /// The entities of all runs, by their names.
    let entities: [String: ConversionReport.Entity]
    /// What the inputs of the last run, and their objects, are called.
    let words: SourceWords
    /// How many archives the runs converted, those inside of others not counted.
    let archiveCount: Int
    /// The paths of dictionaries that became rows, by the names of their entities.
    let recordPaths: [String: String]
    /// The words of a mapping for the rows of its views.
    let viewWords: [String: String]
    /// What the columns of the tables of entities are good for.
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
      schema = try StoreSchema(database)
      words = SourceWords(reports.last ?? ConversionReport(storePath: "", isDryRun: false))
      archiveCount =
        reports.map { report in
          report.archives.count { $0.outcome == .converted && $0.place == nil }
        }.boundedSum
      var entities: [String: ConversionReport.Entity] = [:]
      for entity in reports.flatMap(\.entities) {
        guard let earlier = entities[entity.name] else {
          entities[entity.name] = entity
          continue
        }
        var all = entity
        all.attributes += earlier.attributes.filter { old in
          !entity.attributes.contains { $0.name == old.name }
        }
        all.relationships += earlier.relationships.filter { old in
          !entity.relationships.contains { $0.name == old.name && $0.isToMany == old.isToMany }
        }
        entities[entity.name] = all
      }
      self.entities = entities
      viewWords = Dictionary(
        reports.flatMap(\.views).map { ($0.name, $0.words) }, uniquingKeysWith: { $1 })
      recordPaths = try Self.recordPaths(database)
      var labels: [String: String] = [:]
      var samples: [String: ColumnSamples] = [:]
      for (name, form) in schema.tables where entities[name] != nil {
        let sample = try ColumnSamples(of: name, form, in: database)
        samples[name] = sample
        labels[name] = try sample.label()
      }
      (self.samples, self.labels) = (samples, labels)
    }

    /// Where the rows came from, and where their texts are found.
    var description: String {
      let archives = Words.count(archiveCount, words.input)
      let origin = "Converted from \(link(archives, to: "/\(RelationalLayout.archiveTable)"))."
      guard SearchTable.isDeclared(in: schema) else { return origin }
      return "\(origin) \(link("Search all texts", to: "/\(SearchTable.name)"))."
    }

    private static func recordPaths(_ database: Database) throws(StoreError) -> [String: String] {
      struct Options: Decodable {
        var records: [String: String]?
      }
      var paths: [String: String] = [:]
      for row in try database.rows("SELECT options FROM \(RelationalLayout.runTable) ORDER BY id") {
        guard case .text(let text)? = row.first,
          let options = try? JSONDecoder().decode(Options.self, from: Data(text.utf8))
        else { continue }
        for (path, entity) in options.records ?? [:] { paths[entity] = path }
      }
      return paths
    }

    /// The table of an entity: its own, or the one that its view shows rows of.
    func table(of entity: String) -> String? {
      if schema.tables[entity] != nil { return entity }
      return schema.views[entity].flatMap { view in
        schema.tables.keys.sorted().first {
          view.text.contains(
            StoreSchema.essence(
              of: "FROM \(SQL.quoted($0)) WHERE \(RelationalLayout.entityColumn) IN ("))
        }
      }
    }

    /// The column of a table that numbers its rows.
    func key(of table: String) -> String {
      schema.tables[table]?.columns.first(where: \.isPrimaryKey)?.name ?? Table.Column.id.name
    }

    /// Whether a table or view has a column.
    func has(_ column: String, in table: String) -> Bool {
      schema.tables[table]?.columns.contains { $0.name == column } ?? false
    }
  }
}
