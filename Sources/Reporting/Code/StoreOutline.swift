import DataModel
import Importer
import Stores

/// The tables and views of a store as types of a program, under names that are identifiers.
struct StoreOutline {
  /// The kinds of values in a column.
  enum Kind: Sendable {
    case boolean, integer, real, text, date, decimal, uuid, url, data, json, any
  }

  struct Column {
    /// The name in the store.
    let name: String
    /// The name in the program.
    let member: String
    let kind: Kind
    let isOptional: Bool
    /// The expression by which SQLite computes it; nil for a column that is stored.
    let computed: String?
    /// The archived key; nil for a column that the store has of its own.
    let key: String?
  }

  /// A relationship, of which `route` leads to tables that all have types.
  struct Link {
    let member: String
    let route: StoreTables.Route
    /// The member that leads back, of the type that it leads to.
    var inverse: String?
    /// For a table of links, the member with its rows.
    let rows: String?
  }

  struct Entity {
    /// The table or view.
    let table: String
    /// The name in the program.
    let name: String
    let classes: [String]
    /// The column that numbers the rows; nil for a view.
    let key: String?
    var columns: [Column] = []
    var links: [Link] = []

    /// The member for a column.
    func member(_ column: String) -> String {
      columns.first { $0.name == column }?.member ?? column
    }

    /// The link by a column that leads to another table.
    func reference(_ column: String) -> Link? {
      links.first { if case .reference(column, _) = $0.route { true } else { false } }
    }
  }

  private(set) var entities: [Entity] = []
  private let tables: StoreTables
  /// The places of tables and views among the entities.
  private var places: [String: Int] = [:]
  private var memberNames: [Set<String>] = []
  private let isForPython: Bool

  /// Takes the tables of a store.
  ///
  /// - Parameters:
  ///   - tables: The tables, with what the reports tell of them.
  ///   - views: The columns of the views, with their declared types.
  ///   - reserved: The words that no type and no member may be called.
  ///   - isForPython: True if no name may begin with two underscores.
  init(
    _ tables: StoreTables, views: [String: [(name: String, type: String)]], reserved: Set<String>,
    isForPython: Bool
  ) {
    (self.tables, self.isForPython) = (tables, isForPython)
    // Each type has a file of its name, in whatever letters.
    var typeNames = Set(reserved.map { $0.lowercased() })
    let hidden = Set(RelationalLayout.reservedTableNames)
    let names = (Array(tables.schema.tables.keys) + views.keys)
      .filter { !hidden.contains($0) }
    for name in names.sorted(by: { $0.precedesInBytes($1) }) {
      places[name] = entities.count
      entities.append(
        Entity(
          table: name,
          name: Self.name(name, isForPython: isForPython) {
            typeNames.insert($0.lowercased()).inserted
          },
          classes: tables.entities[name]?.archivedClasses ?? [],
          key: tables.schema.tables[name].map { _ in tables.key(of: name) }))
    }
    // Inside of a type, a member would hide another type.
    memberNames = Array(
      repeating: reserved.union(entities.map(\.name)), count: entities.count)
    for place in entities.indices { addColumns(to: place, views[entities[place].table] ?? []) }
    addLinks()
  }

  /// The entity of a table.
  func entity(_ table: String) -> Entity? { places[table].map { entities[$0] } }

  /// A name as an identifier that is free.
  private static func name(
    _ name: String, isForPython: Bool, take: (String) -> Bool
  ) -> String {
    var name = SwiftSource.identifier(name)
    // With two underscores, it would be private to its class.
    while isForPython, name.hasPrefix("__") { name.removeFirst() }
    while !take(name) { name += "_" }
    return name
  }

  private mutating func memberName(_ name: String, in place: Int) -> String {
    Self.name(name, isForPython: isForPython) { memberNames[place].insert($0).inserted }
  }

  // MARK: Columns

  private mutating func addColumns(to place: Int, _ view: [(name: String, type: String)]) {
    let table = entities[place].table
    let known = kinds(of: table)
    let columns =
      tables.schema.tables[table]?.columns
      ?? view.map { Table.Column(name: $0.name, type: .init(rawValue: $0.type) ?? .any) }
    for column in columns {
      let attribute = known[column.name]
      let name = attribute?.key == nil ? Self.member(column) : column.name
      entities[place].columns.append(
        Column(
          name: column.name, member: memberName(name, in: place),
          kind: attribute.flatMap { Self.kind($0.type, column.type) } ?? Self.kind(column.type),
          isOptional: !column.isRequired,
          computed: column.numberOf.map { Table.Column.number(of: SQL.quoted($0)) },
          key: attribute?.key))
    }
  }

  /// The name of a column that the store has of its own: `container_id` is `containerID`.
  private static func member(_ column: Table.Column) -> String {
    guard let mark = column.name.lastIndex(of: "_"), mark > column.name.startIndex,
      let suffix = suffixes[String(column.name[mark...])]
    else { return column.name }
    return column.name[..<mark] + suffix
  }

  /// The ends of names that the store gives to columns of its own.
  private static let suffixes = [
    "_id": "ID", "_position": "Position", "_count": "Count", "_runs": "Runs", "_number": "Number",
    "_type": "Type", "_data": "Data", "_damaged": "Damaged", "_dangling": "Dangling",
  ]

  /// The types and archived keys of the columns of a table or view.
  private func kinds(of table: String) -> [String: (type: String, key: String?)] {
    var found: [String: (type: String, key: String?)] = [:]
    var runs: [String] = []
    for (name, entity) in tables.entities {
      let changed = tables.changedAttributes[name] ?? []
      for attribute in entity.attributes {
        let type = changed.contains(attribute.name) ? "" : attribute.type
        if type.hasPrefix(Self.collection), table == "\(name)_\(attribute.name)" {
          found["value"] = (String(type.dropFirst(Self.collection.count)), nil)
        }
        guard name == table || tables.table(of: name) == table,
          let form = tables.schema.tables[tables.table(of: name) ?? ""]
        else { continue }
        let column = tables.column(of: attribute.name, in: form)
        // Entities of one table may have attributes of one name.
        let isShared = found[column].map { $0.type != type } ?? false
        found[column] = (isShared ? "" : type, attribute.key)
        runs.append("\(attribute.name)_runs")
      }
    }
    for column in runs where found[column] == nil {
      found[column] = (AttributeType.json.rawValue, nil)
    }
    return found
  }

  private static let collection = "collection of "

  /// The kind of a type in a column that holds nothing else; nil if that is not said.
  private static func kind(_ type: String, _ storage: Table.ColumnType) -> Kind? {
    switch (AttributeType(rawValue: type), storage) {
    case (.boolean, .integer): .boolean
    case (.date, .text): .date
    case (.decimal, .text): .decimal
    case (.uuid, .text): .uuid
    case (.uri, .text): .url
    case (.json, .text): .json
    default: nil
    }
  }

  private static func kind(_ storage: Table.ColumnType) -> Kind {
    switch storage {
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .data
    case .any: .any
    }
  }

  // MARK: Relationships

  private mutating func addLinks() {
    /// The places of links, by entity and relationship.
    var links: [String: (entity: Int, link: Int)] = [:]
    let all = tables.entities.values.sorted { $0.name.precedesInBytes($1.name) }
    for entity in all {
      guard let place = tables.table(of: entity.name).flatMap({ places[$0] }) else { continue }
      for relationship in entity.relationships {
        guard let route = tables.route(of: relationship, from: entity), leads(route),
          !entities[place].links.contains(where: { $0.route == route })
        else { continue }
        let member = memberName(relationship.name, in: place)
        var rows: String?
        if case .links = route {
          rows = memberName("\(relationship.name)Links", in: place)
        }
        links["\(entity.name)\n\(relationship.name)\n\(relationship.isToMany)"] = (
          place, entities[place].links.count
        )
        entities[place].links.append(Link(member: member, route: route, rows: rows))
      }
    }
    for entity in all {
      for relationship in entity.relationships {
        guard let inverse = relationship.inverse,
          let own = links["\(entity.name)\n\(relationship.name)\n\(relationship.isToMany)"],
          let other = [true, false].lazy.compactMap({
            links["\(relationship.destination)\n\(inverse)\n\($0)"]
          }).first
        else { continue }
        entities[own.entity].links[own.link].inverse =
          entities[other.entity].links[other.link].member
      }
    }
    addElements(all)
    addReferences()
  }

  /// Adds the collections of values.
  private mutating func addElements(_ entities: [ConversionReport.Entity]) {
    for entity in entities {
      guard let place = tables.table(of: entity.name).flatMap({ places[$0] }) else { continue }
      for attribute in entity.attributes {
        let table = "\(entity.name)_\(attribute.name)"
        guard attribute.type.hasPrefix(Self.collection), places[table] != nil,
          let owner = tables.schema.tables[table]?.columns.first(where: { $0.references != nil }),
          owner.references == self.entities[place].table
        else { continue }
        let position = tables.has("position", in: table) ? "position" : nil
        let route = StoreTables.Route.members(
          table: table, column: owner.name, position: position)
        self.entities[place].links.append(
          Link(member: memberName(attribute.name, in: place), route: route, rows: nil))
      }
    }
  }

  /// Adds what no relationship says: the two ends of the rows of links and elements, and of keys.
  private mutating func addReferences() {
    for place in entities.indices {
      for column in tables.schema.tables[entities[place].table]?.columns ?? [] {
        guard let target = column.references, places[target] != nil else { continue }
        let route = StoreTables.Route.reference(column: column.name, table: target)
        guard !entities[place].links.contains(where: { $0.route == route }) else { continue }
        let isElement = tables.entities[entities[place].table] == nil
        let isFirst = !entities[place].links.contains {
          if case .reference = $0.route { true } else { false }
        }
        let name =
          isElement
          ? isFirst ? "owner" : "member"
          : column.name.hasSuffix("_id") ? String(column.name.dropLast(3)) : column.name
        let member = memberName(name, in: place)
        entities[place].links.append(
          Link(
            member: member, route: route,
            inverse: join(member, to: target, by: column.name, of: entities[place].table),
            rows: nil))
      }
    }
  }

  /// Joins a reference to the member of its table that has the rows; returns the name of that.
  private mutating func join(
    _ member: String, to target: String, by column: String, of table: String
  ) -> String? {
    guard let place = places[target] else { return nil }
    for index in entities[place].links.indices {
      switch entities[place].links[index].route {
      case .members(table, column, _) where entities[place].links[index].inverse == nil:
        entities[place].links[index].inverse = member
        return entities[place].links[index].member
      case .links(table, column, _, _, _, _): return entities[place].links[index].rows
      default: continue
      }
    }
    return nil
  }

  /// True if all tables on a way have types.
  private func leads(_ route: StoreTables.Route) -> Bool {
    switch route {
    case .reference(_, let table), .members(let table, _, _): places[table] != nil
    case .links(let table, _, _, let target, _, _):
      places[table] != nil && target.map { places[$0] != nil } ?? false
    }
  }
}
