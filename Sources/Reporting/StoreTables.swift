import Foundation
import Stores

/// The tables of a store, with the entities that the reports in it name.
package struct StoreTables {
  /// The way from the rows of an entity to those of a relationship.
  package enum Route: Equatable {
    /// A column of the row leads to the other.
    case reference(column: String, table: String)
    /// A column of the members leads back to the row.
    case members(table: String, column: String, position: String?)
    /// Rows of a table of links lead to both: `column` to the rows of `table`, or of any table, whose
    /// name is in `typeColumn`.
    case links(
      table: String, owner: String, column: String, target: String?, typeColumn: String,
      position: String?)
  }

  package let schema: StoreSchema
  /// The entities of all runs, by their names.
  package let entities: [String: ConversionReport.Entity]
  /// The attributes that runs describe differently, by their entities.
  package let changedAttributes: [String: Set<String>]
  /// The paths of dictionaries that became rows, by the names of their entities.
  let recordPaths: [String: String]

  /// Looks into a store.
  ///
  /// - Parameters:
  ///   - database: The store.
  ///   - reports: The reports that it keeps, in the order of the runs.
  /// - Throws: `StoreError` if it cannot be read.
  package init(_ database: Database, _ reports: [ConversionReport]) throws(StoreError) {
    schema = try StoreSchema(database)
    var entities: [String: ConversionReport.Entity] = [:]
    var changed: [String: Set<String>] = [:]
    for entity in reports.flatMap(\.entities) {
      guard let earlier = entities[entity.name] else {
        entities[entity.name] = entity
        continue
      }
      var all = entity
      for old in earlier.attributes {
        guard let new = entity.attributes.first(where: { $0.name == old.name }) else {
          all.attributes.append(old)
          continue
        }
        if new.type != old.type { changed[entity.name, default: []].insert(old.name) }
      }
      all.relationships += earlier.relationships.filter { old in
        !entity.relationships.contains { $0.name == old.name && $0.isToMany == old.isToMany }
      }
      entities[entity.name] = all
    }
    (self.entities, changedAttributes) = (entities, changed)
    recordPaths = try Self.recordPaths(database)
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
  package func table(of entity: String) -> String? {
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
  package func key(of table: String) -> String {
    schema.tables[table]?.columns.first(where: \.isPrimaryKey)?.name ?? Table.Column.id.name
  }

  /// True if a table has a column.
  package func has(_ column: String, in table: String) -> Bool {
    schema.tables[table]?.columns.contains { $0.name == column } ?? false
  }

  /// The column of an attribute; that of the primary key may have its name.
  package func column(of attribute: String, in form: StoreSchema.Form) -> String {
    form.columns.contains { $0.name == attribute && !$0.isPrimaryKey }
      ? attribute : attribute + "_2"
  }

  // MARK: Relationships

  /// The way by a relationship; nil if the store has none.
  package func route(
    of relationship: ConversionReport.Relationship, from entity: ConversionReport.Entity
  ) -> Route? {
    guard let table = table(of: entity.name) else { return nil }
    let name = relationship.name
    guard relationship.isToMany else {
      let column = schema.tables[table]?.columns.first { $0.name == name + "_id" }
      return column.flatMap { column in
        column.references.map { .reference(column: column.name, table: $0) }
      }
    }
    // A table of links of its own, or that of the inverse.
    if let route = links("\(entity.name)_\(name)", from: table, isInverse: false, name) {
      return route
    }
    guard let inverse = relationship.inverse, let members = self.table(of: relationship.destination)
    else { return nil }
    if let route = links(
      "\(relationship.destination)_\(inverse)", from: table, isInverse: true, name)
    {
      return route
    }
    guard has(inverse + "_id", in: members) else { return nil }
    return .members(
      table: members, column: inverse + "_id", position: self.name(name + "_position", in: members))
  }

  /// The way by a table of links; nil if there is none of that name.
  private func links(
    _ name: String, from table: String, isInverse: Bool, _ relationship: String
  ) -> Route? {
    guard let form = schema.tables[name] else { return nil }
    let references = form.columns.filter { $0.references != nil }
    guard let first = references.first else { return nil }
    let owner = isInverse ? references.dropFirst().first : first
    guard let owner, owner.references == table else { return nil }
    let position = self.name(isInverse ? relationship + "_position" : "position", in: name)
    let target = isInverse ? first : references.dropFirst().first
    guard target != nil || has("value_id", in: name) else { return nil }
    return .links(
      table: name, owner: owner.name, column: target?.name ?? "value_id",
      target: target?.references, typeColumn: "value_type", position: position)
  }

  private func name(_ column: String, in table: String) -> String? {
    has(column, in: table) ? column : nil
  }
}
