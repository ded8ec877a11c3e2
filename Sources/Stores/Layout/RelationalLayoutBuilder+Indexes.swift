import DataModel
import Support

extension RelationalLayout.Builder {
  /// Adds an index on some columns of a table, of which those that are not there are left out.
  mutating func addIndex(on table: Table, _ columns: [Int?]) {
    let names = columns.compactMap { $0 }.map { table.columns[$0].name }
    layout.indexes.append(
      Index(name: "\(table.name)_by_\(names[0])", table: table.name, columns: names))
  }

  /// Keeps what the model says is unique so.
  mutating func addUniqueIndexes() {
    for (index, entity) in model.entities.enumerated() {
      for names in entity.uniquenessConstraints {
        let columns = names.map { name in
          layout.entities[index].properties[name].flatMap { $0.value ?? $0.reference }
        }
        let known = columns.compactMap { $0 }
        guard !known.isEmpty, known.count == columns.count else { continue }
        let table = layout.table(of: index)
        layout.indexes.append(
          Index(
            name: "\(entity.name)_unique_\(names.joined(separator: "_"))", table: table.name,
            columns: known.map { table.columns[$0].name }, isUnique: true,
            condition: layout.condition(forRowsOf: hierarchy.withDescendants(of: index))))
      }
    }
  }

  /// The view of an entity that shares the table of another: its own rows and columns.
  func view(of index: Int, _ discriminator: Int) -> View {
    let table = layout.table(of: index)
    let places = layout.entities[index].properties.values
    let own = Set(
      places.flatMap {
        [$0.value, $0.reference, $0.referenceType, $0.count, $0.runs, $0.index]
      })
    let positions = Set(
      layout.entities.flatMap { $0.properties.values.compactMap(\.members) }
        .filter { layout.entities[$0.entity].table == layout.entities[index].table }
        .filter { hierarchy.ancestors(of: index).contains($0.entity) }.map(\.position))
    let columns = table.columns.indices.filter {
      $0 == 0 || own.contains($0) || positions.contains($0) || $0 == discriminator
    }.map { table.columns[$0].name }
    let entities = hierarchy.withDescendants(of: index).map { layout.entities[$0].name }
    let view = View(
      name: viewNames[index] ?? layout.entities[index].name, table: table.name, columns: columns,
      discriminator: table.columns[discriminator].name, entities: entities)
    return earlier.completed(view)
  }

  /// Indexes and tables share their names.
  mutating func nameIndexes() {
    for index in layout.indexes.indices {
      layout.indexes[index].name = tableNames.allocate(layout.indexes[index].name)
    }
  }
}

/// The keys of tables whose objects have an `id` of their own.
extension RelationalLayout.Builder {
  /// The name of the primary key of an entity's table: `id`, unless an attribute keeps that name.
  ///
  /// A table that is there keeps its key.
  func keyName(of root: Int) -> String {
    let id = Table.Column.id.name
    if let known = earlier.key(of: model.entities[root].name) { return known }
    let entities = hierarchy.withDescendants(of: root).map { model.entities[$0] }
    let attributes = entities.flatMap(\.attributes).filter(\.isStored).map(\.name)
    guard keepsIDs, attributes.contains(where: Self.isID) else { return id }
    let references = entities.flatMap(\.relationships).filter { !$0.isToMany }
      .map { $0.name + "_id" }
    var names = NameAllocator(reserved: attributes + references)
    return names.allocate("row_id")
  }

  /// Adds an index for each attribute `id`, so that rows are found by it.
  mutating func addIndexesOfIDs() {
    guard keepsIDs else { return }
    var seen: Set<Int> = []
    for (index, entity) in model.entities.enumerated() {
      let table = layout.table(of: index)
      for attribute in entity.attributes where Self.isID(attribute.name) {
        guard let column = layout.entities[index].properties[attribute.name]?.value,
          Self.isID(table.columns[column].name), seen.insert(layout.entities[index].table).inserted
        else { continue }
        addIndex(on: table, [column])
      }
    }
  }

  private static func isID(_ name: String) -> Bool {
    name.folded == Table.Column.id.name
  }
}
