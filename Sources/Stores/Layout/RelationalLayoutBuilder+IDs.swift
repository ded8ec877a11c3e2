import DataModel
import Support

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
