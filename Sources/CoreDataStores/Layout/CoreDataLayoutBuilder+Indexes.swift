import DataModel

extension CoreDataLayout.Builder {
  /// Adds the indexes of all tables: for each the ones of references, of entities, of join tables,
  /// then those that the model asks for.
  mutating func addIndexes() {
    let joins = Dictionary(grouping: layout.joinTables, by: \.owner)
    let unpaired = unpairedColumns()
    for table in layout.tables.indices {
      let name = layout.tables[table].name
      let storages = layout.members[table].map { layout.entities[$0 - 1] }
      for column in referenceColumns(of: storages) + (unpaired[table] ?? []).sorted() {
        let columnName = layout.tables[table].columns[column].name
        add("\(name)_\(columnName)_INDEX", name, [.init(name: columnName)], to: table)
      }
      if storages.count > 1 {
        let column = CoreDataLayout.entityColumn
        add("\(name)_\(column)_INDEX", name, [.init(name: column)], to: table)
      }
      for join in joins[table] ?? [] {
        let (first, second) = (join.table.columns[0].name, join.table.columns[1].name)
        add(
          "\(join.table.name)_\(second)_INDEX", join.table.name,
          [.init(name: second), .init(name: first)], to: table)
      }
      for storage in storages {
        for index in storage.entity.fetchIndexes { add(index, of: storage, to: table) }
      }
      for storage in storages { addUniqueIndexes(storage, to: table) }
    }
  }

  /// The columns of to-one relationships.
  private func referenceColumns(of storages: [CoreDataLayout.EntityStorage]) -> [Int] {
    let columns = storages.flatMap { $0.relationships.values }.compactMap { storage -> Int? in
      guard case .column(let reference) = storage else { return nil }
      return reference.column
    }
    return Set(columns).sorted()
  }

  /// For each table, its columns of relationships without an inverse.
  private func unpairedColumns() -> [Int: Set<Int>] {
    var columns: [Int: Set<Int>] = [:]
    for storage in layout.entities.lazy.flatMap(\.relationships.values) {
      if case .memberColumn(let table, let column) = storage {
        columns[table, default: []].insert(column)
      }
    }
    return columns
  }

  private mutating func add(
    _ index: FetchIndex, of storage: CoreDataLayout.EntityStorage, to table: Int
  ) {
    let isKnown = !index.isPartial && index.elements.allSatisfy { $0.form == .binary }
    guard isKnown else {
      layout.omittedIndexes.append("\(storage.entity.name).\(index.name)")
      return
    }
    // Core Data makes no index if an element has no column, nor of a relationship alone.
    var columns: [CoreDataTable.StoredIndex.Column] = []
    for element in index.elements {
      guard let name = element.property, let column = column(of: name, storage) else { return }
      columns.append(.init(name: column, isAscending: element.isAscending))
    }
    let isReference =
      columns.count == 1
      && index.elements.first?.property.map { storage.attributes[$0] == nil } ?? true
    guard !columns.isEmpty, !isReference else { return }
    add("Z_\(storage.entity.name)_\(index.name)", layout.tables[table].name, columns, to: table)
  }

  private mutating func addUniqueIndexes(
    _ storage: CoreDataLayout.EntityStorage, to table: Int
  ) {
    for names in storage.entity.uniquenessConstraints {
      let columns = names.compactMap { column(of: $0, storage) }
      guard !columns.isEmpty, columns.count == names.count else {
        layout.omittedIndexes.append("\(storage.entity.name).\(names.joined(separator: "_"))")
        continue
      }
      add(
        "Z_\(storage.entity.name)_UNIQUE_\(names.joined(separator: "_"))",
        layout.tables[table].name,
        columns.map { .init(name: $0, isAscending: true) },
        constraint: .init(entity: storage.entity.name, properties: names), to: table)
    }
  }

  /// The name of the column of an attribute or a to-one relationship.
  private func column(of property: String, _ storage: CoreDataLayout.EntityStorage) -> String? {
    let columns = layout.tables[storage.table].columns
    if let column = storage.attributes[property] { return columns[column].name }
    guard case .column(let reference) = storage.relationships[property] else { return nil }
    return columns[reference.column].name
  }

  /// Indexes whose names SQLite takes for the same are made once: nothing depends on them.
  private mutating func add(
    _ name: String, _ table: String, _ columns: [CoreDataTable.StoredIndex.Column],
    constraint: CoreDataTable.StoredIndex.Constraint? = nil, to owner: Int
  ) {
    guard take(name) else { return }
    layout.indexes[owner].append(
      CoreDataTable.StoredIndex(
        name: name, table: table, columns: columns, isUnique: constraint != nil,
        constraint: constraint))
  }
}
