import Foundation
import Stores
import Support
import Yams

/// The metadata that Datasette shows a store with: what its tables and columns are, how they are
/// sorted, what rows are called, and links to the rows of relationships.
///
/// The names of its fields are those of Datasette: see
/// https://docs.datasette.io/en/stable/metadata.html.
public struct DatasetteMetadata: Encodable {
  let title: String
  let databases: [String: Contents]

  /// The entry of a database.
  struct Contents: Encodable {
    /// In HTML.
    var description: String
    var tables: [String: TableEntry] = [:]

    private enum CodingKeys: String, CodingKey {
      case tables
      case description = "description_html"
    }
  }

  /// The entry of a table or a view.
  struct TableEntry: Encodable {
    var title: String?
    /// In HTML.
    var description: String?
    var columns: [String: String]?
    var label: String?
    var sort: String?
    var facets: [String]?
    var isHidden: Bool?

    private enum CodingKeys: String, CodingKey {
      case title, columns, sort, facets
      case description = "description_html"
      case label = "label_column"
      case isHidden = "hidden"
    }
  }

  /// Describes a store.
  ///
  /// - Parameter path: The path of a store in the relational layout.
  /// - Throws: `StoreError` if it cannot be read, or has no report of a run.
  /// - Complexity: Linear in the tables; of each, some thousand rows are looked at.
  public init(storeAt path: String) throws(StoreError) {
    let reports = try StoreReports(path: path)
    do throws(StoreError) {
      let content = try Content(Database(reading: path), reports.allKept())
      title = (path as NSString).lastPathComponent
      databases = [
        content.name: Contents(description: content.description, tables: try content.tableEntries())
      ]
    } catch {
      throw StoreError(.unreadable, path: path, reason: error.reason)
    }
  }

  /// The endings of files that it can be written to.
  public static let endings = ["json", "yml", "yaml"]

  /// True if the ending of a file is one that the metadata can be written to.
  public static func canWrite(to path: String) -> Bool {
    endings.contains((path as NSString).pathExtension.lowercased())
  }

  /// The metadata as the text of a file.
  ///
  /// - Parameter path: The path of the file, whose ending chooses JSON or YAML.
  /// - Returns: The text, its last line ended.
  /// - Throws: `EncodingError` or `YamlError` if a name has no form there.
  public func text(for path: String) throws -> String {
    guard (path as NSString).pathExtension.lowercased() != "json" else {
      return try JSONDocument.text(of: self)
    }
    let encoder = YAMLEncoder()
    encoder.options = .init(
      width: -1, allowUnicode: true, sortKeys: true, newLineScalarStyle: .literal)
    return try encoder.encode(self)
  }
}

/// Links to what Datasette does not link itself: the rows of relationships to several rows.
extension DatasetteMetadata.Content {
  /// A link for each relationship of an entity to several rows: to a query for these, each with the
  /// row that it belongs to, in order.
  func relationshipLinks(of entity: ConversionReport.Entity) -> [String] {
    guard let table = tables.table(of: entity.name) else { return [] }
    return entity.relationships.compactMap { relationship in
      guard relationship.isToMany, let path = path(of: relationship, from: entity, table) else {
        return nil
      }
      let sql = Self.encoded(sql(path, from: table, entity.name), "%")
      return link(relationship.name, to: "?sql=\(sql)&_hide_sql=1")
    }
  }

  /// A link to a page of the database.
  ///
  /// It begins at the root of the server: a table and its rows, at another depth, have one
  /// description.
  func link(_ text: String, to page: String) -> String {
    let address = HTMLText.escaped("/\(Self.encoded(name, "~"))\(page)")
    return "<a href=\"\(address)\">\(HTMLText.escaped(text))</a>"
  }

  /// A text as part of an address, in which a sign and two digits stand for a byte: `%` in queries,
  /// and `~` in Datasette's paths.
  private static func encoded(_ text: String, _ sign: String) -> String {
    text.utf8.reduce(into: "") { address, byte in
      let character = Character(Unicode.Scalar(byte))
      if character.isASCII, character.isLetter || character.isNumber || character == "_" {
        address.append(character)
      } else {
        address += sign + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }

  /// The way from the rows of one table to those of another, in SQL.
  private struct Path {
    /// The SQL after `FROM table AS owner`.
    var join: String
    /// The columns that are selected beside the owner.
    var columns: String
    var order: [String]
  }

  private func sql(_ path: Path, from table: String, _ entity: String) -> String {
    let key = SQL.quoted(tables.key(of: table))
    let label = labels[table].map { "owner.\(SQL.quoted($0))" } ?? "owner.\(key)"
    let condition = table == entity ? "" : "\n  AND " + condition(entity, of: table)
    return """
      SELECT \(label) AS \(SQL.quoted("\(entity) (owner)")), \(path.columns)
      FROM \(SQL.quoted(table)) AS owner
      \(path.join)
      WHERE (:owner_id = '' OR owner.\(key) = :owner_id)\(condition)
      ORDER BY \((["owner.\(key)"] + path.order).joined(separator: ", "))
      """
  }

  /// The condition for the rows of a view, in the table that it shows.
  private func condition(_ entity: String, of table: String) -> String {
    let key = SQL.quoted(tables.key(of: table))
    return "owner.\(key) IN (SELECT \(key) FROM \(SQL.quoted(entity)))"
  }

  private func path(
    of relationship: ConversionReport.Relationship, from entity: ConversionReport.Entity,
    _ table: String
  ) -> Path? {
    switch tables.route(of: relationship, from: entity) {
    case .members(let members, let column, let position):
      let order = position.map { ["member.\(SQL.quoted($0))"] } ?? []
      return Path(
        join: "JOIN \(SQL.quoted(members)) AS member ON member.\(SQL.quoted(column)) = "
          + "owner.\(SQL.quoted(tables.key(of: table)))",
        columns: "member.*", order: order + ["member.\(SQL.quoted(tables.key(of: members)))"])
    case .links(let links, let owner, let column, let target, let typeColumn, let position):
      let order = [position, tables.key(of: links)].compactMap(\.self)
      var path = Path(
        join: "JOIN \(SQL.quoted(links)) AS link ON link.\(SQL.quoted(owner)) = "
          + "owner.\(SQL.quoted(tables.key(of: table)))",
        columns: "member.*", order: order.map { "link.\(SQL.quoted($0))" })
      let reference = "link.\(SQL.quoted(column))"
      if let target {
        path.join +=
          "\nJOIN \(SQL.quoted(target)) AS member ON member.\(SQL.quoted(tables.key(of: target))) = "
          + reference
      } else {
        // Rows of several tables have no columns in common.
        path.columns = "link.\(SQL.quoted(typeColumn)), \(reference)"
      }
      return path
    case .reference, nil: return nil
    }
  }
}

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
