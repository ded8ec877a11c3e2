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
    /// The table of the properties for which this one has no room.
    var overflow: Int?
  }

  /// Where the values under an archived key go.
  ///
  /// Columns are numbered from 0, which is `id`.
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
    /// Instead: the table of the elements of the inverse, which holds the same links.
    ///
    /// It has the place of this relationship's position, if the order is kept.
    var inverseElements: Int?
    /// Instead: the table of the properties for which the entity's own has no room.
    var overflow: Int?
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
    /// In a table that two inverse relationships share: the position in the other one.
    var inversePosition: Int?
  }

  // MARK: From a model

  init(_ model: Model) {
    var tableNames = NameAllocator(
      reserved: Self.reservedTableNames + model.entities.map(\.name))
    var columnNames = model.entities.map { _ in NameAllocator(reserved: ["id"]) }
    let numbers = Dictionary(
      uniqueKeysWithValues: model.entities.enumerated().map { ($1.name, $0) })
    for entity in model.entities {
      let id = Table.Column(name: "id", type: .integer, isPrimaryKey: true)
      entities.append(EntityTable(table: Table(name: entity.name, columns: [id])))
    }
    for (number, entity) in model.entities.enumerated() {
      addColumns(of: entity, number, &columnNames[number], &tableNames)
    }
    // Positions stand behind the columns of the members' own keys.
    for (number, entity) in model.entities.enumerated() {
      for relationship in entity.relationships where relationship.isToMany {
        let member = numbers[relationship.destinations[0]]
        let inverse = member.flatMap { member in
          model.entities[member].relationships.first { $0.name == relationship.inverse }
        }
        if let member, let inverse, !inverse.isToMany, hasRoom(member),
          let reference = entities[member].properties[inverse.key]?.reference
        {
          addPosition(of: relationship, number, member, reference, &columnNames[member])
        } else if let member, let inverse, inverse.isToMany,
          let elements = entities[member].properties[inverse.key]?.elements
        {
          shareJoinTable(elements, with: relationship, number)
        } else {
          addJoinTable(for: relationship, of: entity, number, &tableNames)
        }
      }
      for collection in entity.collections {
        addTable(for: collection, of: entity, number, &tableNames)
      }
    }
    nameIndexes(&tableNames)
  }

  private mutating func addColumns(
    of entity: Entity, _ number: Int, _ names: inout NameAllocator,
    _ tableNames: inout NameAllocator
  ) {
    for attribute in entity.attributes {
      guard hasRoom(number) else {
        addOverflow(attribute.key, of: entity, number, &tableNames)
        continue
      }
      let type = attribute.holdsNegativeZero ? .any : attribute.type.columnType
      let column = addColumn(number, names.allocate(attribute.name), type)
      entities[number].properties[attribute.key, default: PropertyPlace()].value = column
    }
    for relationship in entity.relationships where !relationship.isToMany {
      guard hasRoom(number) else {
        addOverflow(relationship.key, of: entity, number, &tableNames)
        continue
      }
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
    for (name, key) in counted where hasRoom(number) {
      let column = addColumn(number, names.allocate(name + "_count"), .integer)
      entities[number].properties[key, default: PropertyPlace()].count = column
    }
  }

  private func hasRoom(_ entity: Int) -> Bool {
    entities[entity].table.columns.count < Self.mostColumns - 2
  }

  /// Keeps a property that finds no room in the entity's table in one of pairs.
  ///
  /// Classes with thousands of keys occur where elements stand under numbered keys.
  private mutating func addOverflow(
    _ key: String, of entity: Entity, _ number: Int, _ tableNames: inout NameAllocator
  ) {
    let table: Int
    if let known = entities[number].overflow {
      table = known
    } else {
      var builder = ElementTableBuilder(owner: entity.name)
      builder.addKey(.text)
      builder.addValue(.any)
      builder.addReference(destinations: [])
      elementTables.append(builder.finish(tableNames.allocate("\(entity.name)_more")))
      table = elementTables.count - 1
      entities[number].overflow = table
      addIndex(on: elementTables[table].table, [elementTables[table].owner])
    }
    entities[number].properties[key, default: PropertyPlace()].overflow = table
  }

  // MARK: To-many relationships

  /// Keeps a to-many relationship in its members' table, which has the reference to the owner.
  private mutating func addPosition(
    of relationship: Relationship, _ number: Int, _ member: Int, _ reference: Int,
    _ names: inout NameAllocator
  ) {
    var place = MemberPlace(entity: member)
    if relationship.isOrdered {
      place.position = addColumn(
        member, names.allocate(relationship.name + "_position"), .integer)
    }
    entities[number].properties[relationship.key, default: PropertyPlace()].members = place
    let table = entities[member].table
    addIndex(on: table, [reference, place.position])
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

  /// Keeps a to-many relationship in the join table of its inverse, which has all of its links.
  private mutating func shareJoinTable(
    _ elements: Int, with relationship: Relationship, _ number: Int
  ) {
    entities[number].properties[relationship.key, default: PropertyPlace()].inverseElements =
      elements
    guard relationship.isOrdered else { return }
    elementTables[elements].table.columns.append(
      Table.Column(name: "\(relationship.name)_position", type: .integer))
    elementTables[elements].inversePosition = elementTables[elements].table.columns.count - 1
  }

  // MARK: Collections

  private mutating func addTable(
    for collection: ValueCollection, of entity: Entity, _ number: Int,
    _ tableNames: inout NameAllocator
  ) {
    func columnType(_ type: AttributeType) -> Table.ColumnType {
      collection.holdsNegativeZero && type == .double ? .any : type.columnType
    }
    var builder = ElementTableBuilder(owner: entity.name)
    if collection.isOrdered { builder.addPosition() }
    if let type = collection.keyType { builder.addKey(columnType(type)) }
    if collection.hasReferencesAsKeys { builder.addKeyReference() }
    if let type = collection.valueType { builder.addValue(columnType(type)) }
    if collection.hasReferencesAsValues { builder.addReference(destinations: []) }
    add(
      builder.finish(tableNames.allocate("\(entity.name)_\(collection.name)")), number,
      collection.key)
  }

  private mutating func add(_ elements: ElementTable, _ number: Int, _ key: String) {
    elementTables.append(elements)
    entities[number].properties[key, default: PropertyPlace()].elements = elementTables.count - 1
    addIndex(on: elements.table, [elements.owner, elements.position])
    if let reference = elements.reference, elements.table.columns[reference].references != nil {
      addIndex(on: elements.table, [reference])
    }
  }

  // MARK: Columns and indexes

  private mutating func addColumn(
    _ entity: Int, _ name: String, _ type: Table.ColumnType, references: String? = nil
  ) -> Int {
    entities[entity].table.columns.append(
      Table.Column(name: name, type: type, references: references))
    return entities[entity].table.columns.count - 1
  }

  private mutating func addIndex(on table: Table, _ columns: [Int?]) {
    let names = columns.compactMap { $0 }.map { table.columns[$0].name }
    indexes.append(Index(name: "\(table.name)_by_\(names[0])", table: table.name, columns: names))
  }

  /// Indexes and tables share their names.
  private mutating func nameIndexes(_ names: inout NameAllocator) {
    for index in indexes.indices { indexes[index].name = names.allocate(indexes[index].name) }
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
    case .boolean, .integer16, .integer32, .integer: .integer
    case .float, .double: .real
    case .string, .date, .decimal, .uuid, .uri: .text
    case .binary: .blob
    case .transformable, .objectID, .composite, .undefined, .mixed, .unknown: .any
    }
  }
}
