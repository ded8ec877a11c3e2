import ArchiveReader
import Foundation
import Importer
import Stores

/// The classes and keys that the rows of a store were archived with, as the store knows them.
struct StoreForm {
  private(set) var entities: [Entity] = []
  /// The superclasses of the classes, each class included.
  private(set) var hierarchies: [String: [String]] = [:]
  /// Obstacles to an export, in words.
  private(set) var obstacles: [String] = []
  private let tables: StoreTables
  private let records: [String: String]
  private let counts: [String: [String: String]]
  private let names: AssignedNames
  private let classes: [String: String]
  /// True if keys have lost a prefix.
  private let isStripped: Bool

  /// The options of the runs that tell of columns.
  private struct Options: Decodable {
    var stripPrefix: String?
    var countColumns: [String: [String: String]]?
    var names: AssignedNames?
    var records: [String: String]?
  }

  /// Reads what a store says of its rows.
  ///
  /// - Parameters:
  ///   - path: The path of the store.
  ///   - database: The store.
  /// - Throws: `StoreError` if it cannot be read.
  init(path: String, _ database: Database) throws(StoreError) {
    tables = try StoreTables(database, StoreReports(path: path).allKept())
    var counts: [String: [String: String]] = [:]
    var names = AssignedNames()
    var records: [String: String] = [:]
    var isStripped = false
    for row in try database.rows("SELECT options FROM \(RelationalLayout.runTable) ORDER BY id") {
      guard case .text(let text) = row[0],
        let options = try? JSONDecoder().decode(Options.self, from: Data(text.utf8))
      else { continue }
      counts.merge(options.countColumns ?? [:]) { $0.merging($1) { first, _ in first } }
      if let known = options.names {
        names.add(known)
      } else if options.stripPrefix != nil {
        isStripped = true
      }
      for (path, name) in options.records ?? [:] { records[name] = path }
    }
    var classes: [String: String] = [:]
    for row in try database.rows(
      "SELECT name, hierarchy, entity FROM \(RelationalLayout.classTable) ORDER BY id")
    {
      guard case .text(let name) = row[0] else { continue }
      if case .text(let text) = row[1], !text.isEmpty {
        hierarchies[name] = text.split(separator: " ").map(String.init)
      }
      if case .text(let entity) = row[2] { classes[entity] = classes[entity] ?? name }
    }
    (self.counts, self.names, self.records, self.classes) = (counts, names, records, classes)
    self.isStripped = isStripped
    for entity in tables.entities.values.sorted(by: { $0.name.precedesInBytes($1.name) }) {
      add(entity)
    }
    addCollections()
  }

  private mutating func add(_ entity: ConversionReport.Entity) {
    guard let form = tables.schema.tables[entity.name] else {
      if entity.rows > 0 { obstacles.append("\(entity.name): its table is not there") }
      return
    }
    let archived = entity.archivedClasses.first
    let result = Entity(
      table: entity.name, id: tables.key(of: entity.name), className: classes[entity.name])
    if let path = archived.flatMap({ records[$0] }) {
      result.className = nil
      result.isDocument = path == Self.documentPath
    } else if result.className == nil {
      if entity.rows > 0 { obstacles.append("\(entity.name): its class is not known") }
      return
    }
    let columns = form.columns.filter { $0.numberOf == nil }.map(\.name)
    var free = Set(columns)
    free.remove(result.id)
    func take(_ name: String?) -> Int? {
      guard let name, free.remove(name) != nil else { return nil }
      return columns.firstIndex(of: name)
    }
    result.columns = columns
    for attribute in entity.attributes {
      let property = Property(attribute.name, key: attribute.key, of: entity.name)
      let changed = tables.changedAttributes[entity.name]?.contains(attribute.name) == true
      if attribute.type.hasPrefix(Self.collection) {
        property.elements = elements(entity.name, attribute.name)
        property.elements?.valueType =
          changed
          ? .mixed
          : AttributeType(rawValue: String(attribute.type.dropFirst(Self.collection.count)))
            ?? .mixed
      } else {
        property.type = changed ? .mixed : AttributeType(rawValue: attribute.type) ?? .mixed
        property.value = take(tables.column(of: attribute.name, in: form))
        property.elements = elements(entity.name, attribute.name)
      }
      result.properties.append(property)
    }
    for relationship in entity.relationships {
      let name = relationship.name
      let index =
        result.properties.firstIndex { $0.name == name }
        ?? {
          let key = key(of: relationship.name, entity, archived)
          result.properties.append(Property(name, key: key, of: entity.name))
          return result.properties.count - 1
        }()
      if relationship.isToMany {
        if result.properties[index].elements == nil {
          result.properties[index].elements = members(of: relationship, entity)
        }
      } else {
        result.properties[index].reference = take(name + "_id")
        result.properties[index].target =
          form.columns.first { $0.name == name + "_id" }?.references
        if result.properties[index].target == nil {
          result.properties[index].referenceType = take(name + "_type")
        }
      }
    }
    for index in result.properties.indices {
      let name = result.properties[index].name
      result.properties[index].count = take(counts[entity.name]?[name])
      if result.properties[index].type == .attributedText {
        result.properties[index].runs = take(name + "_runs")
      }
    }
    for property in result.properties
    where property.value == nil && property.reference == nil && property.elements == nil {
      obstacles.append("\(entity.name), \(property.name): the store has no place for it")
    }
    entities.append(result)
    self.free[entity.name] = free
  }

  /// For each table, the columns that no key has claimed.
  private(set) var free: [String: Set<String>] = [:]
  /// The tables of elements that belong to keys.
  private var claimed: Set<String> = []

  private static let collection = "collection of "
  static let documentPath = "$top"

  /// The key of a relationship, of which the reports have the name alone.
  private mutating func key(
    of name: String, _ entity: ConversionReport.Entity, _ className: String?
  ) -> String {
    let known = className.flatMap { names.classes[$0]?.properties.first { $0.value == name }?.key }
    if let known { return known }
    // A prefix is gone, or a number was added to a name that another key has.
    let parts = name.split(separator: "_", omittingEmptySubsequences: false)
    let base = parts.dropLast().joined(separator: "_").folded
    let others = entity.attributes.map(\.name) + entity.relationships.map(\.name)
    if isStripped || Int(parts.last ?? "") != nil && others.contains(where: { $0.folded == base }) {
      obstacles.append("\(entity.name), \(name): its key is not known")
    }
    guard name.hasPrefix("$"), !name.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return name }
    return "$" + name
  }

  // MARK: Elements

  /// The table of a collection with what else than rows may be in it: another table may have its
  /// name.
  private mutating func elements(_ entity: String, _ name: String) -> Elements? {
    var (table, number) = ("\(entity)_\(name)", 1)
    while let form = tables.schema.tables[table] {
      let owner = form.columns.first { $0.references == entity && $0.isRequired }
      if let owner, claimed.insert(table).inserted { return elements(table, form, owner) }
      number += 1
      table = "\(entity)_\(name)_\(number)"
    }
    return nil
  }

  private func elements(
    _ table: String, _ form: StoreSchema.Form, _ owner: Table.Column
  ) -> Elements {
    let elements = Elements(table: table, owner: owner.name) {
      tables.has($0, in: table) ? $0 : nil
    }
    let member = form.columns.first { $0.references != nil && $0.name != owner.name }
    if elements.reference == nil, let member {
      (elements.reference, elements.target) = (member.name, member.references)
    }
    return elements
  }

  private mutating func members(
    of relationship: ConversionReport.Relationship, _ entity: ConversionReport.Entity
  ) -> Elements? {
    if let own = elements(entity.name, relationship.name) { return own }
    switch tables.route(of: relationship, from: entity) {
    case .links(let table, let owner, let column, let target, let typeColumn, let position):
      return Elements(
        table: table, owner: owner, position: position, reference: column,
        referenceType: target == nil ? typeColumn : nil, target: target)
    case .members(let table, let column, let position):
      return Elements(
        table: table, owner: column, position: position, reference: tables.key(of: table),
        target: table, areMembers: true)
    case .reference, nil: return nil
    }
  }

  /// Adds the collections that have rows of their own.
  private mutating func addCollections() {
    let table = RelationalLayout.collectionTable
    guard tables.has("kind", in: table) else { return }
    let property = Property("", key: "", of: table)
    property.elements = Elements(
      table: RelationalLayout.collectionElementTable, owner: "collection_id"
    ) { $0 }
    let entity = Entity(table: table, id: "id", className: nil)
    (entity.columns, entity.properties) = (["id", "kind"], [property])
    entities.append(entity)
  }
}
