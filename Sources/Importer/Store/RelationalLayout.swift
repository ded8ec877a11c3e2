/// The tables that a model becomes in the relational layout, and where each property goes.
///
/// See Documentation/layouts.md for the rules, which are a contract with those who query stores.
struct RelationalLayout: Sendable {
  /// The tables of entities, in the order of the model's entities.
  private(set) var entities: [EntityTable] = []
  /// The tables of collections.
  private(set) var elementTables: [ElementTable] = []
  private(set) var indexes: [Index] = []

  static let archiveTable = "_archive"
  static let topTable = "_top"
  static let rowsTable = "_rows"
  static let classTable = "_class"
  static let objectsTable = "_objects"
  static let collectionTable = "_collection"
  static let collectionElementTable = "_collection_element"

  static let reservedTableNames = [
    archiveTable, topTable, rowsTable, classTable, objectsTable, collectionTable,
    collectionElementTable,
  ]

  /// The most columns that SQLite allows in a table unless it was built otherwise.
  static let mostColumns = 2_000

  /// The table of an entity.
  struct EntityTable: Sendable {
    var table: Table
    var properties: [String: PropertyPlace] = [:]
  }

  /// Where the values under an archived key go. Columns are numbered from 0, which is `id`.
  struct PropertyPlace: Sendable {
    var value: Int?
    var reference: Int?
    /// The column that names the table a reference leads to, where there are several.
    var referenceType: Int?
    /// The column that tells an empty collection (0) from none at all (NULL).
    var count: Int?
    /// The table of the elements of collections, by its place in `elementTables`.
    var elements: Int?
    /// Instead: the members' own table, which holds their position.
    var members: MemberPlace?
  }

  /// Where a to-many relationship is kept if its members point back.
  struct MemberPlace: Sendable {
    /// The members' entity.
    var entity: Int
    /// Its column with the position in the owner's collection, if the order is kept.
    var position: Int?
  }

  /// A table of the elements of collections: its columns by their use.
  struct ElementTable: Sendable {
    var table: Table
    var owner = 0
    var position: Int?
    var key: Int?
    var keyReference: Int?
    var keyType: Int?
    var value: Int?
    var reference: Int?
    var referenceType: Int?
  }

  // MARK: From a model

  init(_ model: Model) {
    var tableNames = NameAllocator(
      reserved: Self.reservedTableNames + model.entities.map(\.name))
    var columnNames = model.entities.map { _ in NameAllocator(reserved: ["id"]) }
    for entity in model.entities {
      let id = Table.Column(name: "id", type: .integer, isPrimaryKey: true)
      entities.append(EntityTable(table: Table(name: entity.name, columns: [id])))
    }
    for (number, entity) in model.entities.enumerated() {
      addColumns(of: entity, number, &columnNames[number])
    }
    // Positions stand behind the columns of the members' own keys.
    for (number, entity) in model.entities.enumerated() {
      addToManys(of: entity, number, model, &tableNames, &columnNames)
    }
    for (number, entity) in model.entities.enumerated() {
      addCollections(of: entity, number, &tableNames)
    }
  }

  private mutating func addColumns(
    of entity: Entity, _ number: Int, _ names: inout NameAllocator
  ) {
    for attribute in entity.attributes {
      let column = addColumn(
        number, names.allocate(attribute.name), attribute.type.columnType)
      entities[number].properties[attribute.key, default: PropertyPlace()].value = column
    }
    for relationship in entity.relationships where !relationship.isToMany {
      let isSingle = relationship.destinations.count == 1
      let column = addColumn(
        number, names.allocate(relationship.name + "_id"), .integer,
        references: isSingle ? relationship.destinations[0] : nil)
      entities[number].properties[relationship.key, default: PropertyPlace()].reference = column
      guard !isSingle else { continue }
      let typeColumn = addColumn(number, names.allocate(relationship.name + "_type"), .text)
      entities[number].properties[relationship.key]?.referenceType = typeColumn
    }
    let counted =
      entity.relationships.filter(\.distinguishesEmpty).map { ($0.name, $0.key) }
      + entity.collections.filter(\.distinguishesEmpty).map { ($0.name, $0.key) }
    for (name, key) in counted {
      let column = addColumn(number, names.allocate(name + "_count"), .integer)
      entities[number].properties[key, default: PropertyPlace()].count = column
    }
  }

  private mutating func addToManys(
    of entity: Entity, _ number: Int, _ model: Model, _ tableNames: inout NameAllocator,
    _ columnNames: inout [NameAllocator]
  ) {
    for relationship in entity.relationships where relationship.isToMany {
      if let inverse = relationship.inverse,
        let member = model.entities.firstIndex(where: { $0.name == relationship.destinations[0] }),
        let toOne = model.entities[member].relationships.first(where: {
          $0.name == inverse && !$0.isToMany
        }),
        let reference = entities[member].properties[toOne.key]?.reference
      {
        var place = MemberPlace(entity: member)
        if relationship.isOrdered {
          let name = columnNames[member].allocate(relationship.name + "_position")
          place.position = addColumn(member, name, .integer)
        }
        entities[number].properties[relationship.key, default: PropertyPlace()].members = place
        let table = entities[member].table
        let columns = [reference, place.position].compactMap { $0 }.map { table.columns[$0].name }
        addIndex(on: table.name, columns)
      } else {
        addJoinTable(for: relationship, of: entity, number, &tableNames)
      }
    }
  }

  private mutating func addJoinTable(
    for relationship: Relationship, of entity: Entity, _ number: Int,
    _ tableNames: inout NameAllocator
  ) {
    var builder = ElementTableBuilder(owner: entity.name)
    if relationship.isOrdered { builder.addPosition() }
    builder.addReference(destinations: relationship.destinations)
    add(
      builder.finish(tableNames.allocate("\(entity.name)_\(relationship.name)")), number,
      relationship.key)
  }

  private mutating func addCollections(
    of entity: Entity, _ number: Int, _ tableNames: inout NameAllocator
  ) {
    for collection in entity.collections {
      var builder = ElementTableBuilder(owner: entity.name)
      if collection.isOrdered { builder.addPosition() }
      if let type = collection.keyType { builder.addKey(type.columnType) }
      if collection.hasReferencesAsKeys { builder.addKeyReference() }
      if let type = collection.valueType { builder.addValue(type.columnType) }
      if collection.hasReferencesAsValues { builder.addReference(destinations: []) }
      add(
        builder.finish(tableNames.allocate("\(entity.name)_\(collection.name)")), number,
        collection.key)
    }
  }

  private mutating func add(_ elements: ElementTable, _ number: Int, _ key: String) {
    elementTables.append(elements)
    entities[number].properties[key, default: PropertyPlace()].elements = elementTables.count - 1
    let columns = elements.table.columns
    let order = [elements.owner, elements.position].compactMap { $0 }.map { columns[$0].name }
    addIndex(on: elements.table.name, order)
    if let reference = elements.reference, columns[reference].references != nil {
      addIndex(on: elements.table.name, [columns[reference].name])
    }
  }

  private mutating func addColumn(
    _ entity: Int, _ name: String, _ type: Table.ColumnType, references: String? = nil
  ) -> Int {
    entities[entity].table.columns.append(
      Table.Column(name: name, type: type, references: references))
    return entities[entity].table.columns.count - 1
  }

  private mutating func addIndex(on table: String, _ columns: [String]) {
    let name = "\(table)_by_\(columns[0])"
    let taken = Set(indexes.map { $0.name.lowercased() })
    let unique = taken.contains(name.lowercased()) ? "\(name)_\(indexes.count)" : name
    indexes.append(Index(name: unique, table: table, columns: columns))
  }
}

/// Makes a table of elements, column by column.
private struct ElementTableBuilder {
  private var result: RelationalLayout.ElementTable
  private var names = NameAllocator(reserved: [])

  init(owner: String) {
    let column = Table.Column(
      name: names.allocate(owner + "_id"), type: .integer, isRequired: true, references: owner)
    result = RelationalLayout.ElementTable(table: Table(name: "", columns: [column]))
  }

  mutating func addPosition() { result.position = add("position", .integer) }
  mutating func addKey(_ type: Table.ColumnType) { result.key = add("key", type) }
  mutating func addValue(_ type: Table.ColumnType) { result.value = add("value", type) }

  mutating func addKeyReference() {
    result.keyReference = add("key_id", .integer)
    result.keyType = add("key_type", .text)
  }

  /// References to one entity, or to several and to collections.
  mutating func addReference(destinations: [String]) {
    if destinations.count == 1 {
      result.reference = add(destinations[0] + "_id", .integer, references: destinations[0])
    } else {
      result.reference = add("value_id", .integer)
      result.referenceType = add("value_type", .text)
    }
  }

  consuming func finish(_ name: String) -> RelationalLayout.ElementTable {
    result.table.name = name
    return result
  }

  private mutating func add(
    _ name: String, _ type: Table.ColumnType, references: String? = nil
  ) -> Int {
    result.table.columns.append(
      Table.Column(name: names.allocate(name), type: type, references: references))
    return result.table.columns.count - 1
  }
}

extension AttributeType {
  /// How SQLite stores the values of the type.
  var columnType: Table.ColumnType {
    switch self {
    case .boolean, .integer: .integer
    case .double: .real
    case .string, .date, .decimal, .uuid, .uri: .text
    case .binary: .blob
    case .mixed, .unknown: .any
    }
  }
}
