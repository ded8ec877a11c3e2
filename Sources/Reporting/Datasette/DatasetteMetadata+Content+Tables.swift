import GraphCore
import Stores
import Support

/// The entries of tables and their columns.
extension DatasetteMetadata.Content {
  typealias TableEntry = DatasetteMetadata.TableEntry

  /// An entry for each table and view.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  func tableEntries() throws(StoreError) -> [String: TableEntry] {
    var entries: [String: TableEntry] = [:]
    let reserved = Set(RelationalLayout.reservedTableNames)
    for (name, form) in tables.schema.tables {
      if name == SearchTable.name {
        entries[name] = TableEntry(
          description: "A row for each text, with the table, row and column that have it.",
          facets: [SearchTable.tableColumn])
      } else if reserved.contains(name) {
        entries[name] = TableEntry(isHidden: true)
      } else if tables.entities[name] != nil {
        entries[name] = try entry(ofEntity: name, table: name, form)
      } else if let owner = form.columns.first(where: { $0.references != nil })?.references {
        entries[name] = entry(ofElements: name, form, owner)
      }
    }
    for (name, view) in tables.schema.views {
      if let table = tables.table(of: name), let form = tables.schema.tables[table] {
        entries[name] = try entry(ofEntity: name, table: table, form)
      } else if SuperclassViews.contains(view) {
        entries[name] = TableEntry(
          description: HTMLText.escaped("Rows of all classes that inherit from \(name)."),
          columns: [RelationalLayout.entityColumn: "table of the row"])
      } else if let words = viewWords[name] {
        entries[name] = TableEntry(description: HTMLText.escaped("\(words)."))
      }
    }
    return entries
  }

  private func entry(
    ofEntity name: String, table: String, _ form: StoreSchema.Form
  ) throws(StoreError) -> TableEntry {
    let entity = tables.entities[name]
    let columns = descriptions(of: entity, form)
    let positions = form.columns.map(\.name).filter { $0.hasSuffix(Self.position) }
    let counts = columns.keys.filter { $0.hasSuffix(Self.count) }
    let label = labels[table]
    var entry = TableEntry(
      description: description(of: name, entity),
      columns: columns.isEmpty ? nil : columns, label: label, sort: positions.first)
    let facets = try samples[table]?.facets(
      except: Set(positions + counts + [label].compactMap { $0 }))
    if facets?.isEmpty == false { entry.facets = facets }
    return entry
  }

  private func entry(
    ofElements name: String, _ form: StoreSchema.Form, _ owner: String
  ) -> TableEntry {
    let sort = form.columns.first {
      $0.name == "position" || $0.name.hasSuffix(Self.position)
    }?.name
    guard name.hasPrefix(owner + "_") else { return TableEntry(sort: sort) }
    let property = name.dropFirst(owner.count + 1)
    return TableEntry(
      title: "\(property) of \(owner)",
      description: HTMLText.escaped("A row for each element of \(owner).\(property)."), sort: sort)
  }

  /// The description of a table: its origin, and links to rows that belong to its own.
  private func description(of name: String, _ entity: ConversionReport.Entity?) -> String? {
    let links = entity.map(relationshipLinks) ?? []
    let parts = [
      origin(of: name, entity?.archivedClasses ?? []).map(HTMLText.escaped),
      links.isEmpty ? nil : "Relationships to several rows: \(links.joined(separator: ", ")).",
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  private func origin(of name: String, _ classes: [String]) -> String? {
    if let path = tables.recordPaths[name].map(ArchivedName.plain) {
      return path == "$top"
        ? "A row for each archive: the values under its top-level keys."
        : "A row for each dictionary at \(path)."
    }
    guard !classes.isEmpty, classes != [name] else { return nil }
    let known = classes.prefix(5)
    let rest = classes.count - known.count
    let all = known + (rest > 0 ? [Words.count(rest, "more")] : [])
    return "Objects of the \(classes.count == 1 ? words.kind : words.kinds) "
      + "\(Words.list(Array(all), "and"))."
  }

  private static let position = "_position"
  private static let count = "_count"

  /// The descriptions of the columns of a table, as far as its entity tells.
  private func descriptions(
    of entity: ConversionReport.Entity?, _ form: StoreSchema.Form
  ) -> [String: String] {
    guard let entity else { return [:] }
    let names = Set(form.columns.map(\.name))
    var found: [String: String] = [:]
    func describe(_ column: String, _ words: String) {
      if names.contains(column), found[column] == nil { found[column] = words }
    }
    for attribute in entity.attributes {
      // The primary key has the name, or another attribute has it.
      let name = tables.column(of: attribute.name, in: form)
      let column = found[name] == nil ? name : attribute.name + "_2"
      // Whatever repeats the name of the column says nothing.
      if ArchivedKey.plain(attribute.key) != column {
        describe(column, "\(words.property) \(attribute.key)")
      } else if attribute.type == "unknown" {
        describe(column, "without a value in any object")
      }
      describe(column + "_number", "\(column) as a number")
      describe(column + "_runs", "attributes of the text in \(column)")
      describe(attribute.name + Self.count, "number of elements in \(attribute.name)")
    }
    for relationship in entity.relationships {
      let inverse = relationship.inverse.map { ", inverse of \($0)" } ?? ""
      let target = relationship.destination.isEmpty ? "any row" : relationship.destination
      describe(relationship.name + "_id", "\(relationship.name): \(target)\(inverse)")
      describe(relationship.name + "_type", "table that \(relationship.name) leads to")
      describe(
        relationship.name + Self.count, "number of elements in \(relationship.name)")
    }
    for owner in tables.entities.values {
      for relationship in owner.relationships
      where relationship.isToMany && relationship.destination == entity.name
        && relationship.inverse.map({ names.contains($0 + "_id") }) ?? false
      {
        describe(
          relationship.name + Self.position, "position in \(owner.name).\(relationship.name)")
      }
    }
    return found
  }
}
