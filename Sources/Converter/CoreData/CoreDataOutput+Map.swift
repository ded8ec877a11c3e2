import DataModel

extension CoreDataOutput {
  /// Maps entities and properties to the tables and columns of Core Data.
  ///
  /// A property without a column of Core Data gets one after these: such a table stands in the file next
  /// to the store, as tables of elements do, and its rows are copied at the end.
  struct MapBuilder {
    let layout: CoreDataLayout
    let entities: [Int?]
    private let plan: ImportPlan
    private let isExact: Bool
    private var map: RelationalLayout
    private(set) var formedColumns: [FormedColumn] = []
    /// For each table of entities, the relational columns that Core Data does not have, with the
    /// indices of those that they became.
    private var added: [[Int: Int]]

    /// - Throws: `ModelError` if the plan has what the model does not.
    init(_ layout: CoreDataLayout, _ plan: ImportPlan, isExact: Bool) throws(ModelError) {
      (self.layout, self.plan, self.isExact) = (layout, plan, isExact)
      var entities: [Int?] = []
      for storage in layout.entities {
        guard storage.entity.draftedTable == nil else {
          entities.append(nil)
          continue
        }
        guard let number = plan.hierarchy.index(of: storage.entity.name) else {
          throw ModelError(.unstorable, entity: storage.entity.name, name: "it has no table")
        }
        entities.append(number)
      }
      self.entities = entities
      map = plan.layout
      added = map.tables.map { _ in [:] }
      try checkPlan()
    }

    /// Makes the plan over the tables of the store: once.
    mutating func build() -> ImportPlan {
      for table in layout.tables.indices { addTable(table) }
      for storage in layout.entities { place(storage) }
      for (table, members) in layout.members.enumerated() {
        for number in members { addForms(of: layout.entities[number - 1], table) }
      }
      rename()
      (map.views, map.queries, map.isAttached) = ([], [], true)
      var plan = plan
      plan.layout = map
      return plan
    }

    // MARK: Tables

    private mutating func addTable(_ target: Int) {
      guard let root = layout.members[target].first, let entity = entities[root - 1] else { return }
      let declared = layout.tables[target]
      var table = Table(
        name: declared.name,
        columns: declared.columns.map { Table.Column(name: $0.name, type: .any) })
      table.columns[0] = .key(named: declared.columns[0].name)
      if layout.members[target].count == 1 { table.columns[1].constant = root }
      table.columns[2].constant = 1
      table.isAttached = true
      map.tables[plan.layout.entities[entity].table] = table
    }

    /// Gives the tables next to the store names that the store has not, and adapts what names tables.
    private mutating func rename() {
      var names: [String: String] = [:]
      let old = plan.layout
      for (index, table) in old.tables.enumerated() {
        if !map.tables[index].isAttached { map.tables[index].name = "side_" + table.name }
        names[table.name] = map.tables[index].name
      }
      for (index, elements) in old.elementTables.enumerated() {
        map.elementTables[index].table.name = "side_" + elements.table.name
        names[elements.table.name] = map.elementTables[index].table.name
      }
      func rename(_ table: inout Table) {
        for column in table.columns.indices {
          table.columns[column].references = table.columns[column].references.map {
            names[$0] ?? $0
          }
        }
      }
      for index in map.tables.indices { rename(&map.tables[index]) }
      for index in map.elementTables.indices { rename(&map.elementTables[index].table) }
      for index in formedColumns.indices {
        formedColumns[index].table = names[formedColumns[index].table] ?? formedColumns[index].table
      }
      map.indexes = old.indexes.filter { index in
        index.canGrow && old.elementTables.contains { $0.table.name == index.table }
      }
      for index in map.indexes.indices {
        map.indexes[index].table = names[map.indexes[index].table] ?? map.indexes[index].table
      }
    }

    // MARK: Properties

    private mutating func place(_ storage: CoreDataLayout.EntityStorage) {
      guard let entity = entities[storage.number - 1] else { return }
      let old = plan.layout.entities[entity]
      let table = old.table
      if old.discriminator != nil {
        (map.entities[entity].discriminator, map.entities[entity].number) = (1, storage.number)
      }
      var parts: [DraftedPart: Int] = [:]
      var ancestor = storage
      while true {
        for attribute in ancestor.entity.attributes {
          if let part = attribute.draftedPart { parts[part] = storage.attributes[attribute.name] }
        }
        guard ancestor.parent > 0 else { break }
        ancestor = layout.entities[ancestor.parent - 1]
      }
      for (name, place) in old.properties {
        var new = place
        new.index = nil
        new.value = column(place.value, storage.attributes[name], table)
        new.runs = column(place.runs, parts[.runs(of: name)], table)
        new.count = column(place.count, parts[.count(of: name)], table)
        let own = place.referenceType == nil ? reference(name, storage) : nil
        new.reference = column(place.reference, own?.column, table)
        new.referenceType = column(place.referenceType, nil, table)
        if let members = place.members {
          let owned = reference(ofColumn: members.reference, members.entity)
          let table = plan.layout.entities[members.entity].table
          let order = owned?.inverse == name ? owned?.orderColumn : nil
          new.members?.reference =
            column(members.reference, owned?.column, table) ?? members.reference
          new.members?.position = column(members.position, order, table)
          if let order, members.position != nil { map.tables[table].columns[order].form = .order }
        }
        map.entities[entity].properties[name] = new
      }
    }

    private func reference(
      _ name: String, _ storage: CoreDataLayout.EntityStorage
    ) -> CoreDataLayout.ReferenceColumns? {
      if case .column(let reference) = storage.relationships[name] { reference } else { nil }
    }

    /// The columns of the relationship of an entity that a column of its relational table has.
    private func reference(
      ofColumn column: Int, _ entity: Int
    ) -> CoreDataLayout.ReferenceColumns? {
      let name = plan.layout.entities[entity].properties.first { $0.value.reference == column }?.key
      let storage = layout.entities.first { entities[$0.number - 1] == entity }
      guard let name, let storage else { return nil }
      return reference(name, storage)
    }

    /// The column of the store that has what one of the relational layout has, or one after those of
    /// the store; nil where that has none.
    private mutating func column(_ old: Int?, _ target: Int?, _ table: Int) -> Int? {
      guard let old else { return nil }
      var column = plan.layout.tables[table].columns[old]
      if let target {
        column.name = map.tables[table].columns[target].name
        column.form = map.tables[table].columns[target].form
        map.tables[table].columns[target] = column
        return target
      }
      if let known = added[table][old] { return known }
      column.name = "side_" + column.name
      map.tables[table].columns.append(column)
      map.tables[table].isAttached = false
      added[table][old] = map.tables[table].columns.count - 1
      return added[table][old]
    }

    // MARK: Forms

    private mutating func addForms(of storage: CoreDataLayout.EntityStorage, _ target: Int) {
      if let drafted = storage.entity.draftedTable {
        return addForms(ofElements: drafted, storage, target)
      }
      guard let entity = entities[storage.number - 1] else { return }
      let table = map.entities[entity].table
      for attribute in storage.entity.storedAttributes {
        let form = Form(of: attribute, isExact: isExact)
        guard form != .plain, let column = map.entities[entity].properties[attribute.name]?.value
        else { continue }
        map.tables[table].columns[column].setForm(form)
        formedColumns.append(
          FormedColumn(
            entity: storage.entity.name, property: attribute.name,
            table: plan.layout.tables[table].name, column: column, source: table, target: target))
      }
    }

    private mutating func addForms(
      ofElements drafted: DraftedTable, _ storage: CoreDataLayout.EntityStorage, _ target: Int
    ) {
      let elements = plan.elementTable(of: drafted)
      let index = elements.flatMap { elements in
        map.elementTables.firstIndex { $0.table.name == elements.table.name }
      }
      let name = elements?.table.name ?? RelationalLayout.topTable
      for attribute in storage.entity.storedAttributes {
        let form = Form(of: attribute, isExact: isExact)
        let column: Int? =
          switch attribute.draftedPart {
          case .key: elements?.key
          case .value: elements == nil ? 2 : elements?.value
          default: nil
          }
        guard form != .plain, let column else { continue }
        if let index {
          map.elementTables[index].table.columns[column].setForm(form)
        } else {
          map.ownForms[name, default: [:]][column] = form
        }
        formedColumns.append(
          FormedColumn(
            entity: storage.entity.name, property: attribute.name, table: name, column: column,
            source: nil, target: target))
      }
    }

    /// Checks that all that the plan writes has a place.
    private func checkPlan() throws(ModelError) {
      var known: [String: CoreDataLayout.EntityStorage] = [:]
      var tables: Set<DraftedTable> = []
      for storage in layout.entities {
        known[storage.entity.name] = storage
        if let table = storage.entity.draftedTable { tables.insert(table) }
      }
      for (number, entity) in plan.model.entities.enumerated() {
        guard let storage = known[entity.name] else {
          throw ModelError(.unstorable, entity: entity.name, name: "the model has no such entity")
        }
        let references = Set(
          storage.entity.relationships.compactMap { relationship in
            if case .reference(let name) = relationship.draftedPart { name } else { nil }
          })
        func hasPlace(_ name: String) -> Bool {
          storage.attributes[name] != nil || storage.relationships[name] != nil
            || references.contains(name)
        }
        let names =
          entity.storedAttributes.map(\.name) + entity.storedRelationships.map(\.name)
          + entity.collections.map(\.name)
        for name in names {
          let isOverflow = plan.layout.entities[number].properties[name]?.overflow != nil
          let place: DraftedTable = .overflow(entity: entity.name)
          guard isOverflow ? tables.contains(place) : hasPlace(name) else {
            throw ModelError(
              .unstorable, entity: entity.name, property: name,
              name: isOverflow ? "its table has no room" : "the model has no such property")
          }
        }
      }
    }
  }
}

extension Table.Column {
  /// Sets the form, which the type has to allow.
  fileprivate mutating func setForm(_ form: Form) {
    self.form = form
    if form != .real { type = .any }
  }
}

extension Form {
  /// The form that Core Data has for an attribute, or one that loses nothing.
  init(of attribute: Attribute, isExact: Bool) {
    self.init(of: attribute)
    switch self {
    case .seconds, .double, .real: if isExact { self = .exact(self) }
    default: break
    }
  }

  private init(of attribute: Attribute) {
    switch attribute.type {
    case .date: self = .seconds
    case .decimal: self = .double
    case .uuid: self = .uuid
    case .binary where attribute.allowsExternalBinaryDataStorage: self = .data
    case .transformable:
      self = .archive(
        isArchived: attribute.archivedType == nil,
        isPrefixed: attribute.allowsExternalBinaryDataStorage)
    case .double, .float: self = .real
    default: self = .plain
    }
  }
}
