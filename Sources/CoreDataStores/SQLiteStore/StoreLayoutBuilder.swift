import DataModel
import GraphCore
import Stores
import Support

extension StoreLayout {
  /// Finds where a store keeps what a model declares.
  struct Builder {
    private let model: Model
    let schema: SQLiteSchema
    let planned: CoreDataLayout
    /// The numbers of the store's entities, by their names.
    private let numbers: [String: Int]
    /// The indexes of the entities, by their names.
    private let indexes: [String: Int]
    /// For each table of entities, that of the store and its columns.
    private(set) var found: [(table: SQLiteSchema.Table, columns: [String: String])] = []
    private var layout = StoreLayout()
    /// For each table, the indices of the columns that are read.
    private var columnIndices: [[String: Int]] = []
    /// The links that are known, by the entity that declares the relationship, and its name.
    private var knownLinks: [Declaration: Int] = [:]
    /// The join tables that are used, by their names in small letters.
    var joinTables: Set<String> = []
    /// The columns of tables of entities that belong to no property: `ZNOTE.ZOLD`.
    private(set) var surplusColumns: [(table: String, column: String)] = []

    private struct Declaration: Hashable {
      var entity: Int
      var name: String
    }

    /// Prepares to look for the parts of a model.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - schema: The tables of the store.
    ///   - numbers: The numbers of the store's entities, by their names.
    /// - Throws: `ModelError` if the model declares what no store of a known form keeps.
    init(_ model: Model, _ schema: SQLiteSchema, numbers: [String: Int]) throws(ModelError) {
      (self.model, self.schema, self.numbers) = (model, schema, numbers)
      for entity in model.entities where numbers[entity.name] == nil {
        throw ModelError(.missingEntity, entity: entity.name)
      }
      planned = CoreDataLayout(model, storeNumbers: numbers)
      indexes = Dictionary(
        planned.entities.enumerated().map { ($1.entity.name, $0) },
        uniquingKeysWith: { first, _ in first })
      let symmetric = Set(
        planned.entities.flatMap { storage in
          storage.entity.storedRelationships.filter { $0.isSymmetric(in: storage.entity.name) }
            .map { [storage.entity.name, $0.name] }
        })
      let gaps = planned.gaps.filter { gap in
        !symmetric.contains([gap.entity, gap.property].compactMap(\.self))
      }
      if var gap = gaps.first {
        if gap.code == .unstorable { gap.code = .unreadableProperty }
        throw gap
      }
    }

    /// Looks for all tables and columns: once.
    mutating func build() throws(ModelError) -> StoreLayout {
      for (index, table) in planned.tables.enumerated() { try find(table, index) }
      for storage in planned.entities {
        let parent = storage.parent > 0 ? layout.entities[storage.parent - 1] : nil
        let hierarchy = [storage.entity.name] + (parent?.record.hierarchy ?? ["NSManagedObject"])
        layout.entities.append(
          StoreLayout.Entity(
            record: ClassRecord(name: storage.entity.name, hierarchy: hierarchy, hints: []),
            number: Int64(numbers[storage.entity.name] ?? 0),
            parent: storage.parent > 0 ? storage.parent - 1 : nil, table: storage.table))
        layout.tables[storage.table].entities.append(storage.number - 1)
      }
      for storage in planned.entities { try addProperties(storage) }
      return layout
    }

    // MARK: Tables

    private mutating func find(_ table: CoreDataTable, _ index: Int) throws(ModelError) {
      let root = planned.members[index].first.map { planned.entities[$0 - 1].entity.name }
      guard let stored = schema.tables[table.name.folded] else {
        throw ModelError(.missingTable, entity: root, name: table.name)
      }
      let columns = try schema.columns(of: stored)
      let hasNumbers = columns[CoreDataLayout.entityColumn.folded] != nil
      let needed =
        [CoreDataLayout.keyColumn]
        + (planned.members[index].count > 1 ? [CoreDataLayout.entityColumn] : [])
      for name in needed where columns[name.folded] == nil {
        throw ModelError(.missingColumn, entity: root, name: "\(stored.name).\(name)")
      }
      // Rows are read by their IDs, which Core Data's keys are.
      guard stored.hasRowIDs else {
        throw ModelError(
          .damagedTable, entity: root, name: "the rows of \(stored.name) have no IDs")
      }
      self.found.append((stored, columns))
      var found = StoreLayout.Table(name: stored.name)
      if !hasNumbers { found.entityNumber = "NULL" }
      layout.tables.append(found)
      columnIndices.append([:])
      let known = Set(table.columns.map(\.name.folded))
      for (folded, name) in columns.sorted(by: { $0.key < $1.key }) where !known.contains(folded) {
        surplusColumns.append((stored.name, name))
      }
    }

    /// The index of a column among those that are read; it is read from now on.
    private mutating func columnIndex(
      of column: String, _ table: Int, _ entity: String, _ property: String
    ) throws(ModelError) -> Int {
      guard let name = found[table].columns[column.folded] else {
        throw ModelError(
          .missingColumn, entity: entity, property: property,
          name: "\(found[table].table.name).\(column)")
      }
      if let known = columnIndices[table][name] { return known }
      layout.tables[table].columns.append(name)
      columnIndices[table][name] = layout.tables[table].columns.count - 1
      return layout.tables[table].columns.count - 1
    }

    /// The columns of a table that an entity of it has no property for, though others have: nil in
    /// all its rows, as Core Data writes them.
    func foreignColumns(of entity: Int) -> [String] {
      let storage = planned.entities[entity]
      var own = Set(storage.attributes.values)
      for place in storage.relationships.values {
        guard case .column(let reference) = place else { continue }
        own.formUnion(
          [reference.column, reference.entityColumn, reference.orderColumn].compactMap(\.self))
      }
      // What a relationship without an inverse keeps in the rows of its members.
      for other in planned.entities {
        for case .memberColumn(storage.table, let column) in other.relationships.values {
          own.insert(column)
        }
      }
      let (_, columns) = found[storage.table]
      let heads = [
        CoreDataLayout.keyColumn, CoreDataLayout.entityColumn, CoreDataLayout.counterColumn,
      ]
      return planned.tables[storage.table].columns.enumerated().compactMap { index, column in
        own.contains(index) || heads.contains(column.name) ? nil : columns[column.name.folded]
      }
    }

    // MARK: Properties

    private mutating func addProperties(_ storage: CoreDataLayout.EntityStorage) throws(ModelError)
    {
      let index = storage.number - 1
      var lineage: [CoreDataLayout.EntityStorage] = [storage]
      while let last = lineage.last, last.parent > 0 {
        lineage.append(planned.entities[last.parent - 1])
      }
      // What a subentity declares again is its own.
      var attributes: [String: Attribute] = [:]
      var relationships: [String: (relationship: Relationship, owner: Int)] = [:]
      for ancestor in lineage.reversed() {
        for attribute in ancestor.entity.storedAttributes { attributes[attribute.name] = attribute }
        for relationship in ancestor.entity.storedRelationships {
          relationships[relationship.name] = (relationship, ancestor.number)
        }
      }
      for (name, attribute) in attributes.sorted(by: { $0.key.precedesInBytes($1.key) }) {
        guard let column = storage.attributes[name] else { throw unreadable(storage, name) }
        let position = try columnIndex(
          of: planned.tables[storage.table].columns[column].name, storage.table,
          storage.entity.name,
          name)
        add(
          name,
          .attribute(
            attribute.type, column: position, isExternal: attribute.allowsExternalBinaryDataStorage),
          to: index)
      }
      for (_, found) in relationships.sorted(by: { $0.key.precedesInBytes($1.key) }) {
        try addRelationship(found.relationship, declaredBy: found.owner, storage)
      }
    }

    private mutating func add(_ key: String, _ property: StoreLayout.Property, to entity: Int) {
      layout.entities[entity].keys.append(key)
      layout.entities[entity].properties.append(property)
    }

    func unreadable(_ storage: CoreDataLayout.EntityStorage, _ name: String) -> ModelError {
      ModelError(
        .unreadableProperty, entity: storage.entity.name, property: name,
        name: "its stored form is unknown")
    }

    private func target(of relationship: Relationship) -> StoreLayout.Target? {
      guard let entity = relationship.destinations.first.flatMap({ indexes[$0] }) else {
        return nil
      }
      return StoreLayout.Target(table: planned.entities[entity].table, entity: entity)
    }

    private mutating func addRelationship(
      _ relationship: Relationship, declaredBy owner: Int, _ storage: CoreDataLayout.EntityStorage
    ) throws(ModelError) {
      let name = relationship.name
      let planned = storage.relationships[name]
      let isSymmetric = relationship.isSymmetric(in: self.planned.entities[owner - 1].entity.name)
      guard let target = target(of: relationship), planned != nil || isSymmetric else {
        throw unreadable(storage, name)
      }
      if case .column(let reference)? = planned {
        let columns = self.planned.tables[storage.table].columns
        let column = try columnIndex(
          of: columns[reference.column].name, storage.table, storage.entity.name, name)
        var entityColumn: Int?
        if let planned = reference.entityColumn {
          entityColumn = try columnIndex(
            of: columns[planned].name, storage.table, storage.entity.name, name)
        }
        add(
          name, .reference(target, column: column, entityColumn: entityColumn),
          to: storage.number - 1
        )
        return
      }
      let declaration = Declaration(entity: owner, name: name)
      if knownLinks[declaration] == nil {
        let links =
          if let planned {
            try links(of: relationship, owner, planned, target)
          } else {
            try symmetricLinks(of: relationship, owner, target)
          }
        layout.links.append(links)
        knownLinks[declaration] = layout.links.count - 1
      }
      guard let links = knownLinks[declaration] else { throw unreadable(storage, name) }
      add(
        name, .links(links, place: layout.entities[storage.number - 1].linkCount),
        to: storage.number - 1)
      layout.entities[storage.number - 1].linkCount += 1
    }
  }
}
