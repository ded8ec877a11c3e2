/// The tables that a model becomes in the relational layout, and where each property goes.
///
/// See Documentation/layouts.md for the rules, which are a contract with those who query stores.
struct RelationalLayout: Sendable {
  /// The tables of entities: one for each that inherits from none, in the order of the model.
  private(set) var tables: [Table] = []
  /// Where the entities are kept, in the order of the model's entities.
  private(set) var entities: [EntityPlace] = []
  /// The tables of collections.
  private(set) var elementTables: [ElementTable] = []
  private(set) var indexes: [Index] = []
  /// Views of the entities that share the table of another.
  private(set) var views: [View] = []

  static let runTable = "_run"
  static let archiveTable = "_archive"
  static let topTable = "_top"
  static let rowsTable = "_rows"
  static let classTable = "_class"
  static let objectsTable = "_objects"
  static let collectionTable = "_collection"
  static let collectionElementTable = "_collection_element"

  static let reservedTableNames = [
    runTable, archiveTable, topTable, rowsTable, classTable, objectsTable, collectionTable,
    collectionElementTable,
  ]

  /// The most columns that SQLite allows in a table unless it was built otherwise.
  static let mostColumns = 2_000

  /// Where the rows of an entity are kept.
  struct EntityPlace: Sendable {
    var name: String
    /// Its table, by its place in `tables`: that of the entity at the root of its hierarchy.
    var table: Int
    /// The column that tells the entities of a hierarchy apart.
    var discriminator: Int?
    /// Where its properties go, inherited ones included, by name.
    var properties: [String: PropertyPlace] = [:]
    /// The table of the properties for which its own has no room.
    var overflow: Int?
  }

  /// Where the values of a property go.
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
    /// Its column with the owner.
    var reference: Int
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
    let hierarchy = EntityHierarchy(model)
    let order = hierarchy.parentsFirst
    let roots = Set(hierarchy.roots)
    entities = model.entities.map { EntityPlace(name: $0.name, table: 0) }
    for number in model.entities.indices where roots.contains(number) {
      let id = Table.Column(name: "id", type: .integer, isPrimaryKey: true)
      tables.append(Table(name: model.entities[number].name, columns: [id]))
      entities[number].table = tables.count - 1
    }
    var columnNames = tables.map { _ in NameAllocator(reserved: ["id"]) }
    for number in order {
      if let parent = hierarchy.parents[number] { entities[number].table = entities[parent].table }
    }
    for number in order {
      let entity = model.entities[number]
      if let parent = hierarchy.parents[number] {
        entities[number].properties = entities[parent].properties
        entities[number].discriminator = entities[parent].discriminator
      } else if hierarchy.hasChildren(number) {
        entities[number].discriminator = addColumn(
          number, columnNames[entities[number].table].allocate("_entity"), .text)
      }
      addColumns(of: entity, number, &columnNames[entities[number].table], &tableNames)
    }
    // Positions stand behind the columns of the members' own keys.
    for number in order {
      for relationship in model.entities[number].relationships {
        guard relationship.isToMany, !relationship.isTransient else { continue }
        addToMany(relationship, number, model, hierarchy, &columnNames, &tableNames)
      }
      for collection in model.entities[number].collections {
        addTable(for: collection, of: model.entities[number], number, &tableNames)
      }
    }
    // What was added to a parent after its children came to be.
    for number in order {
      guard let parent = hierarchy.parents[number] else { continue }
      entities[number].properties.merge(entities[parent].properties) { _, inherited in inherited }
    }
    addUniqueIndexes(model, hierarchy)
    nameIndexes(&tableNames)
    for number in order where hierarchy.parents[number] != nil {
      views.append(view(of: number, hierarchy))
    }
  }

  /// The table of an entity.
  func table(of entity: Int) -> Table { tables[entities[entity].table] }

  private mutating func addToMany(
    _ relationship: Relationship, _ number: Int, _ model: Model, _ hierarchy: EntityHierarchy,
    _ columnNames: inout [NameAllocator], _ tableNames: inout NameAllocator
  ) {
    let member = hierarchy.number(of: relationship.destinations.first ?? "")
    let inverse = member.flatMap { member in
      relationship.inverse.flatMap { hierarchy.relationship($0, of: member, in: model) }
    }
    guard let member, let inverse else {
      addJoinTable(for: relationship, of: model.entities[number], number, &tableNames)
      return
    }
    let declaring = hierarchy.ancestors(of: member).first { ancestor in
      model.entities[ancestor].relationships.contains { $0.name == inverse.name }
    }
    let place = entities[declaring ?? member].properties[inverse.name]
    if !inverse.isToMany, hasRoom(member), let reference = place?.reference {
      addPosition(
        of: relationship, number, member, reference, &columnNames[entities[member].table])
    } else if inverse.isToMany, let elements = place?.elements {
      shareJoinTable(elements, with: relationship, number)
    } else {
      addJoinTable(for: relationship, of: model.entities[number], number, &tableNames)
    }
  }

  private mutating func addColumns(
    of entity: Entity, _ number: Int, _ names: inout NameAllocator,
    _ tableNames: inout NameAllocator
  ) {
    for attribute in entity.attributes where attribute.isStored {
      guard hasRoom(number) else {
        addOverflow(attribute.name, of: entity, number, &tableNames)
        continue
      }
      let type = attribute.holdsNegativeZero ? .any : attribute.type.columnType
      let column = addColumn(number, names.allocate(attribute.name), type)
      entities[number].properties[attribute.name, default: PropertyPlace()].value = column
    }
    for relationship in entity.relationships
    where !relationship.isToMany && !relationship.isTransient {
      guard hasRoom(number) else {
        addOverflow(relationship.name, of: entity, number, &tableNames)
        continue
      }
      let table = sharedTable(of: relationship.destinations)
      let column = addColumn(
        number, names.allocate(relationship.name + "_id"), .integer, references: table)
      entities[number].properties[relationship.name, default: PropertyPlace()].reference = column
      guard table == nil else { continue }
      let typeColumn = addColumn(number, names.allocate(relationship.name + "_type"), .text)
      entities[number].properties[relationship.name]?.referenceType = typeColumn
    }
    let counted =
      entity.relationships.filter(\.distinguishesEmpty).map(\.name)
      + entity.collections.filter(\.distinguishesEmpty).map(\.name)
    for name in counted where hasRoom(number) {
      let column = addColumn(number, names.allocate(name + "_count"), .integer)
      entities[number].properties[name, default: PropertyPlace()].count = column
    }
  }

  /// The name of the one table that holds the rows of all of some entities.
  private func sharedTable(of names: [String]) -> String? {
    let found = Set(
      names.compactMap { name in entities.first { $0.name == name }.map { tables[$0.table].name } })
    return found.count == 1 ? found.first : nil
  }

  private func hasRoom(_ entity: Int) -> Bool {
    table(of: entity).columns.count < Self.mostColumns - 2
  }

  /// Keeps a property that finds no room in the entity's table in one of pairs.
  ///
  /// Classes with thousands of keys occur where elements stand under numbered keys.
  private mutating func addOverflow(
    _ name: String, of entity: Entity, _ number: Int, _ tableNames: inout NameAllocator
  ) {
    let table: Int
    if let known = entities[number].overflow {
      table = known
    } else {
      var builder = ElementTableBuilder(owner: entity.name, table: self.table(of: number).name)
      builder.addKey(.text)
      builder.addValue(.any)
      builder.addReference()
      elementTables.append(builder.finish(tableNames.allocate("\(entity.name)_more")))
      table = elementTables.count - 1
      entities[number].overflow = table
      addIndex(on: elementTables[table].table, [elementTables[table].owner])
    }
    entities[number].properties[name, default: PropertyPlace()].overflow = table
  }

  // MARK: To-many relationships

  /// Keeps a to-many relationship in its members' table, which has the reference to the owner.
  private mutating func addPosition(
    of relationship: Relationship, _ number: Int, _ member: Int, _ reference: Int,
    _ names: inout NameAllocator
  ) {
    var place = MemberPlace(entity: member, reference: reference)
    if relationship.isOrdered {
      place.position = addColumn(
        member, names.allocate(relationship.name + "_position"), .integer)
    }
    entities[number].properties[relationship.name, default: PropertyPlace()].members = place
    addIndex(on: table(of: member), [reference, place.position])
  }

  private mutating func addJoinTable(
    for relationship: Relationship, of entity: Entity, _ number: Int,
    _ tableNames: inout NameAllocator
  ) {
    var builder = ElementTableBuilder(owner: entity.name, table: table(of: number).name)
    if relationship.isOrdered { builder.addPosition() }
    if let table = sharedTable(of: relationship.destinations) {
      builder.addReference(named: relationship.destinations.first ?? table, to: table)
    } else {
      builder.addReference()
    }
    add(
      builder.finish(tableNames.allocate("\(entity.name)_\(relationship.name)")), number,
      relationship.name)
  }

  /// Keeps a to-many relationship in the join table of its inverse, which has all of its links.
  private mutating func shareJoinTable(
    _ elements: Int, with relationship: Relationship, _ number: Int
  ) {
    entities[number].properties[relationship.name, default: PropertyPlace()].inverseElements =
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
    var builder = ElementTableBuilder(owner: entity.name, table: table(of: number).name)
    if collection.isOrdered { builder.addPosition() }
    if let type = collection.keyType { builder.addKey(columnType(type)) }
    if collection.hasReferencesAsKeys { builder.addKeyReference() }
    if let type = collection.valueType { builder.addValue(columnType(type)) }
    if collection.hasReferencesAsValues { builder.addReference() }
    add(
      builder.finish(tableNames.allocate("\(entity.name)_\(collection.name)")), number,
      collection.name)
  }

  private mutating func add(_ elements: ElementTable, _ number: Int, _ name: String) {
    elementTables.append(elements)
    entities[number].properties[name, default: PropertyPlace()].elements = elementTables.count - 1
    addIndex(on: elements.table, [elements.owner, elements.position])
    if let reference = elements.reference, elements.table.columns[reference].references != nil {
      addIndex(on: elements.table, [reference])
    }
  }

  // MARK: Columns and indexes

  private mutating func addColumn(
    _ entity: Int, _ name: String, _ type: Table.ColumnType, references: String? = nil
  ) -> Int {
    let table = entities[entity].table
    tables[table].columns.append(
      Table.Column(name: name, type: type, references: references))
    return tables[table].columns.count - 1
  }

  private mutating func addIndex(on table: Table, _ columns: [Int?]) {
    let names = columns.compactMap { $0 }.map { table.columns[$0].name }
    indexes.append(Index(name: "\(table.name)_by_\(names[0])", table: table.name, columns: names))
  }

  /// Keeps what the model says is unique so.
  private mutating func addUniqueIndexes(_ model: Model, _ hierarchy: EntityHierarchy) {
    for (number, entity) in model.entities.enumerated() {
      for names in entity.uniquenessConstraints {
        let columns = names.map { name in
          entities[number].properties[name].flatMap { $0.value ?? $0.reference }
        }
        let known = columns.compactMap { $0 }
        guard !known.isEmpty, known.count == columns.count else { continue }
        let table = table(of: number)
        indexes.append(
          Index(
            name: "\(entity.name)_unique_\(names.joined(separator: "_"))", table: table.name,
            columns: known.map { table.columns[$0].name }, isUnique: true,
            condition: condition(forRowsOf: hierarchy.withDescendants(of: number))))
      }
    }
  }

  /// The view of an entity that shares the table of another: its own rows and columns.
  private func view(of number: Int, _ hierarchy: EntityHierarchy) -> View {
    let table = table(of: number)
    let places = entities[number].properties.values
    let own = Set(places.flatMap { [$0.value, $0.reference, $0.referenceType, $0.count] })
    let positions = Set(
      entities.flatMap { $0.properties.values.compactMap(\.members) }
        .filter { entities[$0.entity].table == entities[number].table }
        .filter { hierarchy.ancestors(of: number).contains($0.entity) }.map(\.position))
    let columns = table.columns.indices.filter {
      $0 == 0 || own.contains($0) || positions.contains($0) || $0 == entities[number].discriminator
    }
    return View(
      name: entities[number].name, table: table.name,
      columns: columns.map { table.columns[$0].name },
      condition: condition(forRowsOf: hierarchy.withDescendants(of: number)) ?? "1")
  }

  /// What tells the rows of some entities from the others of their table, in SQL; nil where the
  /// table has no others.
  func condition(forRowsOf numbers: [Int]) -> String? {
    guard let first = numbers.first, let column = entities[first].discriminator else { return nil }
    let names = numbers.map { "'\(entities[$0].name.replacing("'", with: "''"))'" }
    return "\(SQL.quoted(table(of: first).columns[column].name)) IN "
      + "(\(names.joined(separator: ", ")))"
  }

  /// Indexes and tables share their names.
  private mutating func nameIndexes(_ names: inout NameAllocator) {
    for index in indexes.indices { indexes[index].name = names.allocate(indexes[index].name) }
  }
}
