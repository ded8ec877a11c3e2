import ArchiveWriter
import CoreDataStores
import DataModel
import Foundation
import TestSupport

/// An SQLite store as Core Data writes it, before it is written.
struct SQLiteStoreDraft {
  let content: StoreContent
  let layout: CoreDataLayout
  /// What an application keeps in the metadata.
  var metadata: [KeyValue] = []
  /// What is changed when all rows are there.
  var changes: [String] = []

  init(_ content: StoreContent) {
    self.content = content
    layout = CoreDataLayout(content.model)
  }

  func write(to path: String) throws {
    let source = ModelSource(content.model)
    var metadata = CoreDataMetadata(of: source)
    metadata.uuid = "B4FC79D0-E654-43EF-9020-A5273B3F104A"
    metadata.applicationValues = self.metadata
    try Data().write(to: URL(fileURLWithPath: path))
    try CoreDataStoreCreator(layout: layout, source: source, metadata: metadata).create(at: path)
    let editor = try StoreEditor(path)
    let statements = rows + links + greatestKeys + changes
    try editor.run(
      "PRAGMA synchronous = OFF; BEGIN; \(statements.joined(separator: ";\n")); COMMIT;")
    editor.close()
  }

  // MARK: Names

  func storage(of entity: String) -> CoreDataLayout.EntityStorage? {
    layout.entities.first { $0.entity.name == entity }
  }

  func table(of entity: String) -> CoreDataTable? {
    storage(of: entity).map { layout.tables[$0.table] }
  }

  /// The column of an attribute, or of a relationship to one object.
  func column(_ property: String, of entity: String) -> String? {
    guard let storage = storage(of: entity) else { return nil }
    if let column = storage.attributes[property] { return columnName(column, storage) }
    guard case .column(let columns)? = storage.relationships[property] else { return nil }
    return columnName(columns.column, storage)
  }

  private func columnName(_ column: Int, _ storage: CoreDataLayout.EntityStorage) -> String {
    layout.tables[storage.table].columns[column].name
  }

  /// The primary key of an object.
  static func key(_ object: Int) -> Int { object + 1 }

  // MARK: Rows

  private static func insertion(_ table: String, _ row: [String: String]) -> String {
    let row = row.sorted { $0.key < $1.key }
    return "INSERT INTO \(table) (\(row.map(\.key).joined(separator: ", "))) "
      + "VALUES (\(row.map(\.value).joined(separator: ", ")))"
  }

  private var rows: [String] {
    content.objects.enumerated().compactMap { number, object in
      guard let storage = storage(of: object.entity), let table = table(of: object.entity) else {
        return nil
      }
      var row = [
        "Z_PK": "\(Self.key(number))", "Z_ENT": "\(storage.number)", "Z_OPT": "1",
      ]
      for attribute in content.whole(object.entity).attributes {
        guard let leaf = object.values[attribute.name],
          let column = storage.attributes[attribute.name]
        else { continue }
        row[columnName(column, storage)] = leaf.sql(attribute.type)
      }
      for (name, targets) in object.links {
        guard case .column(let columns)? = storage.relationships[name], let target = targets.first
        else { continue }
        row[columnName(columns.column, storage)] = "\(Self.key(target))"
        if let column = columns.entityColumn {
          row[columnName(column, storage)] =
            "\(self.storage(of: content.objects[target].entity)?.number ?? 0)"
        }
        if let column = columns.orderColumn, let inverse = columns.inverse {
          row[columnName(column, storage)] = "\(order(of: number, in: inverse, of: target))"
        }
      }
      return Self.insertion(table.name, row)
    }
  }

  private func order(of member: Int, in relationship: String, of owner: Int) -> Int {
    ((content.objects[owner].links[relationship]?.firstIndex(of: member) ?? 0) + 2) * 1_024
  }

  private var links: [String] {
    layout.joinTables.flatMap { join in
      content.objects.indices.flatMap { owner in
        (content.objects[owner].links[join.first.relationship] ?? []).map { member in
          let columns = join.table.columns.map(\.name)
          var row = [
            columns[join.first.column]: "\(Self.key(member))",
            columns[join.second.column]: "\(Self.key(owner))",
          ]
          if let column = join.first.orderColumn {
            row[columns[column]] = "\(order(of: member, in: join.first.relationship, of: owner))"
          }
          if let column = join.second.orderColumn {
            row[columns[column]] = "\(order(of: owner, in: join.second.relationship, of: member))"
          }
          return Self.insertion(join.table.name, row)
        }
      }
    }
  }

  private var greatestKeys: [String] {
    layout.tables.enumerated().map { number, table in
      let root = layout.entities[layout.members[number][0] - 1].number
      return "UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT ifnull(max(Z_PK), 0) FROM \(table.name)) "
        + "WHERE Z_ENT = \(root)"
    }
  }
}
