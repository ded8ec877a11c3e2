import DataModel

extension RelationalLayout.Builder {
  /// Finds the place of a to-many relationship.
  mutating func addToMany(_ relationship: Relationship, _ index: Int) {
    let member = hierarchy.index(of: relationship.destinations.first ?? "")
    let inverse = member.flatMap { hierarchy.inverse(of: relationship, at: $0, in: model) }
    guard let member, let inverse else {
      addJoinTable(for: relationship, of: model.entities[index], index)
      return
    }
    let declaring = hierarchy.ancestors(of: member).first { ancestor in
      model.entities[ancestor].relationships.contains { $0.name == inverse.name }
    }
    let place = layout.entities[declaring ?? member].properties[inverse.name]
    if !inverse.isToMany, hasRoom(member, for: relationship.name + "_position"),
      let reference = place?.reference
    {
      addPosition(of: relationship, index, member, reference)
    } else if inverse.isToMany, let elements = place?.elements {
      shareJoinTable(elements, with: relationship, index)
    } else {
      addJoinTable(for: relationship, of: model.entities[index], index)
    }
  }

  /// Keeps a to-many relationship in its members' table, which has the reference to the owner.
  private mutating func addPosition(
    of relationship: Relationship, _ index: Int, _ member: Int, _ reference: Int
  ) {
    var place = RelationalLayout.MemberStorage(entity: member, reference: reference)
    if relationship.isOrdered {
      place.position = addColumn(member, relationship.name + "_position", .integer)
    }
    layout.entities[index].properties[relationship.name, default: .init()].members = place
    addIndex(on: layout.table(of: member), [reference, place.position])
  }

  private mutating func addJoinTable(
    for relationship: Relationship, of entity: Entity, _ index: Int
  ) {
    var builder = ElementTableBuilder(owner: entity.name, table: layout.table(of: index))
    if relationship.isOrdered { builder.addPosition() }
    if let table = sharedTable(of: relationship.destinations) {
      builder.addReference(named: relationship.destinations.first ?? table.name, to: table)
    } else {
      builder.addReference()
    }
    add(builder.finish(elementTableName(relationship.name, of: entity)), index, relationship.name)
  }

  /// Names the table of the elements that an entity's rows hold: what the store has by this name may
  /// be the table of an entity.
  mutating func elementTableName(_ name: String, of entity: Entity) -> String {
    let owner = ElementTableBuilder.ownerColumn(entity.name)
    return tableNames.allocate("\(entity.name)_\(name)") { earlier.allowsTable($0, owner: owner) }
  }

  /// Keeps a to-many relationship in the join table of its inverse, which has all of its links.
  private mutating func shareJoinTable(
    _ elements: Int, with relationship: Relationship, _ index: Int
  ) {
    layout.entities[index].properties[relationship.name, default: .init()].inverseElements =
      elements
    layout.elementTables[elements].isShared = true
    guard relationship.isOrdered else { return }
    layout.elementTables[elements].table.columns.append(
      Table.Column(name: "\(relationship.name)_position", type: .integer))
    layout.elementTables[elements].inversePosition =
      layout.elementTables[elements].table.columns.count - 1
  }

  /// Adds the table of a collection of values.
  mutating func addTable(for collection: ValueCollection, of entity: Entity, _ index: Int) {
    let name = elementTableName(collection.name, of: entity)
    func columnType(_ type: AttributeType, _ column: String) -> Table.ColumnType {
      // Where there is nothing but nil, or no element at all, any type is right.
      if type == .unknown, let known = earlier.columnType(of: column, in: name) { return known }
      return collection.holdsNegativeZero && type == .double ? .any : type.columnType
    }
    var builder = ElementTableBuilder(owner: entity.name, table: layout.table(of: index))
    if collection.isOrdered { builder.addPosition() }
    if let type = collection.keyType { builder.addKey(columnType(type, "key")) }
    if collection.hasReferencesAsKeys { builder.addKeyReference() }
    if let type = collection.valueType { builder.addValue(columnType(type, "value")) }
    if collection.hasReferencesAsValues { builder.addReference() }
    builder.addNumbers(
      ofKeys: collection.keyType == .decimal, ofValues: collection.valueType == .decimal)
    add(builder.finish(name), index, collection.name)
  }

  private mutating func add(
    _ elements: RelationalLayout.ElementTable, _ index: Int, _ name: String
  ) {
    layout.elementTables.append(elements)
    layout.entities[index].properties[name, default: .init()].elements =
      layout.elementTables.count - 1
    addIndex(on: elements.table, [elements.owner, elements.position])
    if let reference = elements.reference, elements.table.columns[reference].references != nil {
      addIndex(on: elements.table, [reference])
    }
  }
}

extension RelationalLayout.Builder {
  /// Makes a table of elements, column by column.
  struct ElementTableBuilder {
    private var result: RelationalLayout.ElementTable
    private var names = Self.makeNames()

    private static func makeNames() -> NameAllocator {
      NameAllocator(reserved: [Table.Column.id.name])
    }

    /// The name of the column that refers to the row of an entity that holds the elements.
    static func ownerColumn(_ owner: String) -> String {
      var names = makeNames()
      return names.allocate(owner + "_id")
    }

    init(owner: String, table: Table) {
      let column = Table.Column(
        name: names.allocate(owner + "_id"), type: .integer, isRequired: true,
        references: table.name, referencedKey: table.key)
      result = RelationalLayout.ElementTable(
        table: Table(name: "", columns: [column], numbersRows: true))
    }

    mutating func addPosition() { result.position = add("position", .integer) }
    mutating func addKey(_ type: Table.ColumnType) { result.key = add("key", type) }
    mutating func addValue(_ type: Table.ColumnType) { result.value = add("value", type) }

    /// The columns of decimal keys and values as numbers, after all others.
    mutating func addNumbers(ofKeys: Bool, ofValues: Bool) {
      for case let column? in [ofKeys ? result.key : nil, ofValues ? result.value : nil] {
        let name = result.table.columns[column].name
        result.table.columns.append(
          Table.Column(name: names.allocate(name + "_number"), type: .real, numberOf: name))
      }
    }

    mutating func addKeyReference() {
      result.keyReference = add("key_id", .integer)
      result.keyType = add("key_type", .text)
    }

    /// References to the rows of one table.
    mutating func addReference(named name: String, to table: Table) {
      result.reference = add(name + "_id", .integer, references: table)
    }

    /// References to the rows of several tables, and to collections.
    mutating func addReference() {
      result.reference = add("value_id", .integer)
      result.referenceType = add("value_type", .text)
    }

    consuming func finish(_ name: String) -> RelationalLayout.ElementTable {
      result.table.name = name
      return result
    }

    private mutating func add(
      _ name: String, _ type: Table.ColumnType, references: Table? = nil
    ) -> Int {
      result.table.columns.append(
        Table.Column(name: names.allocate(name), type: type, references: references))
      return result.table.columns.count - 1
    }
  }
}
