import DataModel

extension RelationalLayout {
  /// Lays out the tables of a model.
  ///
  /// Columns come in the order of the properties, those of a parent before those of its children.
  struct Builder {
    let model: Model
    let hierarchy: EntityHierarchy
    var layout = RelationalLayout()
    var tableNames: NameAllocator
    /// For each table, the names of its columns.
    var columnNames: [NameAllocator] = []
    /// The names of the views of entities that share the table of another.
    private(set) var viewNames: [Int: String] = [:]
    /// For each table, how many columns of attributes of texts, and of numbers, are still to come.
    private var awaitedColumns: [Int] = []
    /// For each table, how many columns it has so far, with those that a store has already.
    private var columnCounts: [Int] = []
    /// For each table of a hierarchy, the columns that values of one name and type share.
    private var sharedColumns: [SharedColumn: Int] = [:]
    /// For each table, the columns that count the elements of collections, by the names of these.
    private var countColumns: [Int: [String: Int]] = [:]
    let earlier: EarlierTables
    /// True if an attribute `id` keeps its name.
    let keepsIDs: Bool

    private struct SharedColumn: Hashable {
      var table: Int
      var name: String
      var type: Table.ColumnType
    }

    init(_ model: Model, after earlier: EarlierTables, keepsIDs: Bool) {
      (self.model, self.earlier, self.keepsIDs) = (model, earlier, keepsIDs)
      hierarchy = EntityHierarchy(model)
      tableNames = NameAllocator(reserved: RelationalLayout.reservedTableNames)
    }

    /// Makes the layout: once.
    mutating func build() -> RelationalLayout {
      let order = hierarchy.parentsFirst
      addTables()
      for index in order {
        if let parent = hierarchy.parents[index] {
          layout.entities[index].properties = layout.entities[parent].properties
          layout.entities[index].discriminator = layout.entities[parent].discriminator
        } else if hierarchy.hasChildren(index) {
          layout.entities[index].discriminator = addColumn(
            index, RelationalLayout.entityColumn, .text)
        }
        addColumns(of: model.entities[index], index)
      }
      // A key that is named like the column of a text's attributes, or of a number, keeps its name.
      for index in order { addRuns(of: model.entities[index], index) }
      for index in order { addNumbers(of: model.entities[index], index) }
      // Positions stand after the columns of the members' own keys.
      for index in order {
        for relationship in model.entities[index].relationships {
          guard relationship.isToMany, !relationship.isTransient else { continue }
          addToMany(relationship, index)
        }
        for collection in model.entities[index].collections {
          addTable(for: collection, of: model.entities[index], index)
        }
      }
      // What was added to a parent after its children came to be.
      for index in order {
        guard let parent = hierarchy.parents[index] else { continue }
        layout.entities[index].properties.merge(layout.entities[parent].properties) {
          _, inherited in inherited
        }
      }
      addUniqueIndexes()
      addIndexesOfIDs()
      nameIndexes()
      for index in order where hierarchy.parents[index] != nil {
        guard let discriminator = layout.entities[index].discriminator else { continue }
        layout.views.append(view(of: index, discriminator))
      }
      return layout
    }

    /// Begins a table for each entity that inherits from none; the others share those.
    private mutating func addTables() {
      let roots = Set(hierarchy.roots)
      layout.entities = model.entities.map { .init(name: $0.name, table: 0) }
      for index in model.entities.indices where roots.contains(index) {
        // Those of a model may have names that SQLite or a store keeps to itself.
        let name = tableNames.allocate(model.entities[index].name) { earlier.allowsTable($0) }
        layout.tables.append(Table(name: name, columns: [.key(named: keyName(of: index))]))
        layout.entities[index].table = layout.tables.count - 1
      }
      // No other table is named like an entity, in whatever letters.
      for index in model.entities.indices where !roots.contains(index) {
        viewNames[index] = tableNames.allocate(model.entities[index].name)
      }
      columnNames = layout.tables.map { NameAllocator(reserved: [$0.key]) }
      awaitedColumns = layout.tables.map { _ in 0 }
      columnCounts = layout.tables.map { max(earlier.columnCount(of: $0.name), $0.columns.count) }
      for index in hierarchy.parentsFirst {
        if let parent = hierarchy.parents[index] {
          layout.entities[index].table = layout.entities[parent].table
        }
      }
    }

    // MARK: Columns

    private mutating func addColumns(of entity: Entity, _ index: Int) {
      for attribute in entity.attributes where attribute.isStored {
        guard hasRoom(index, for: attribute.name) else {
          addOverflow(attribute.name, of: entity, index)
          continue
        }
        let column = addSharedColumn(index, attribute.name, columnType(of: attribute, index))
        layout.entities[index].properties[attribute.name, default: .init()].value = column
        if [.attributedText, .decimal].contains(attribute.type) {
          awaitedColumns[layout.entities[index].table] += 1
        }
      }
      for relationship in entity.relationships
      where !relationship.isToMany && !relationship.isTransient {
        guard hasRoom(index, for: relationship.name + "_id") else {
          addOverflow(relationship.name, of: entity, index)
          continue
        }
        let hasTypes = earlier.hasTypes(relationship.name, in: layout.table(of: index).name)
        let table = hasTypes ? nil : sharedTable(of: relationship.destinations)
        let column = addColumn(
          index, relationship.name + "_id", .integer, references: table, for: .reference)
        layout.entities[index].properties[relationship.name, default: .init()].reference = column
        guard table == nil else { continue }
        let typeColumn = addColumn(index, relationship.name + "_type", .text)
        layout.entities[index].properties[relationship.name]?.referenceType = typeColumn
      }
      // What the store has counted is counted on: in such a column, NULL says that there is none.
      let table = layout.table(of: index).name
      func isCounted(_ name: String, _ distinguishesEmpty: Bool) -> Bool {
        distinguishesEmpty || earlier.countColumn(of: name, in: table) != nil
      }
      let counted =
        entity.relationships.filter { $0.isToMany && isCounted($0.name, $0.distinguishesEmpty) }
        .map(\.name)
        + entity.collections.filter { isCounted($0.name, $0.distinguishesEmpty) }.map(\.name)
      for name in counted where hasRoom(index, for: earlier.countColumn(of: name, in: table)) {
        layout.entities[index].properties[name, default: .init()].count = countColumn(name, index)
      }
    }

    /// Adds a column that counts the elements of a collection, or finds that of another entity of
    /// the hierarchy; returns its place.
    private mutating func countColumn(_ name: String, _ entity: Int) -> Int {
      let table = layout.entities[entity].table
      if let column = countColumns[table]?[name] { return column }
      let column = addColumn(entity, name + "_count", .integer, for: .count(of: name))
      countColumns[table, default: [:]][name] = column
      return column
    }

    /// Adds the columns of the attributes of texts.
    private mutating func addRuns(of entity: Entity, _ index: Int) {
      for attribute in entity.attributes where attribute.isStored {
        guard attribute.type == .attributedText,
          layout.entities[index].properties[attribute.name]?.value != nil
        else { continue }
        let runs = addColumn(index, attribute.name + "_runs", .text)
        layout.entities[index].properties[attribute.name]?.runs = runs
        awaitedColumns[layout.entities[index].table] -= 1
      }
    }

    /// Adds the columns of decimals as numbers: their texts do not sort.
    private mutating func addNumbers(of entity: Entity, _ index: Int) {
      for attribute in entity.attributes where attribute.isStored && attribute.type == .decimal {
        guard let value = layout.entities[index].properties[attribute.name]?.value else { continue }
        let table = layout.entities[index].table
        awaitedColumns[table] -= 1
        let source = layout.tables[table].columns[value]
        let known = layout.tables[table].columns.firstIndex { $0.numberOf == source.name }
        let column =
          known
          ?? addColumn(
            index, source.name + "_number", .real, for: .number(of: source.name))
        layout.entities[index].properties[attribute.name]?.index = column
      }
    }

    /// The one table that holds the rows of all of some entities.
    func sharedTable(of names: [String]) -> Table? {
      let found = Set(
        names.compactMap { name in hierarchy.index(of: name).map { layout.entities[$0].table } })
      return found.count == 1 ? found.first.map { layout.tables[$0] } : nil
    }

    /// True if the table of an entity has room for a column, or a store has the column already.
    func hasRoom(_ entity: Int, for column: String? = nil) -> Bool {
      let table = layout.entities[entity].table
      return columnCounts[table] + awaitedColumns[table] < SQL.maxColumns - 2
        || column.map { earlier.hasColumn($0, in: layout.tables[table].name) } ?? false
    }

    /// Keeps a property that finds no room in the entity's table in one of pairs.
    ///
    /// Classes with thousands of keys occur where elements stand under numbered keys.
    private mutating func addOverflow(_ name: String, of entity: Entity, _ index: Int) {
      let table: Int
      if let known = layout.entities[index].overflow {
        table = known
      } else {
        var builder = ElementTableBuilder(owner: entity.name, table: layout.table(of: index))
        builder.addKey(.text)
        builder.addValue(.any)
        builder.addReference()
        layout.elementTables.append(builder.finish(elementTableName("more", of: entity)))
        table = layout.elementTables.count - 1
        layout.entities[index].overflow = table
        addIndex(on: layout.elementTables[table].table, [layout.elementTables[table].owner])
      }
      layout.entities[index].properties[name, default: .init()].overflow = table
    }

    /// Adds a column for the values of an attribute, or finds that of another entity of the
    /// hierarchy whose attribute has its name and its type; returns its place.
    ///
    /// A store that is added to may get the attribute in the entity that they inherit from.
    private mutating func addSharedColumn(
      _ entity: Int, _ name: String, _ type: Table.ColumnType
    ) -> Int {
      let table = layout.entities[entity].table
      let key = SharedColumn(table: table, name: name, type: type)
      if let column = sharedColumns[key] { return column }
      let column = addColumn(entity, name, type)
      if layout.entities[entity].discriminator != nil { sharedColumns[key] = column }
      return column
    }

    /// The type of the column of an attribute; where there is nothing but nil, any type is right.
    private func columnType(of attribute: Attribute, _ entity: Int) -> Table.ColumnType {
      let table = layout.table(of: entity).name
      if attribute.type == .unknown,
        let known = earlier.columnType(of: attribute.name, in: table)
      {
        return known
      }
      return attribute.holdsNegativeZero ? .any : attribute.type.columnType
    }

    /// Adds a column to the table of an entity; returns its place there.
    mutating func addColumn(
      _ entity: Int, _ name: String, _ type: Table.ColumnType, references: Table? = nil,
      for use: EarlierTables.ColumnUse = .value
    ) -> Int {
      let table = layout.entities[entity].table
      let tableName = layout.tables[table].name
      let wanted = earlier.column(for: use, in: tableName) ?? name
      let name = columnNames[table].allocate(wanted) {
        earlier.allows($0, in: tableName, for: use)
      }
      var column = Table.Column(name: name, type: type, references: references)
      if case .number(let source) = use { column.numberOf = source }
      layout.tables[table].columns.append(column)
      if !earlier.hasColumn(name, in: tableName) { columnCounts[table] += 1 }
      return layout.tables[table].columns.count - 1
    }
  }
}
