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
