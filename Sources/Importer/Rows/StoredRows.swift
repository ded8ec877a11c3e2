import Stores

/// The rows in the store that a run asks for: those that it has submitted, and those of earlier
/// runs.
struct StoredRows {
  let layout: RelationalLayout
  let hierarchy: EntityHierarchy
  let entities: [EntityShape]
  let relationships: [StoredRelationship]
  let store: StoreWriter
  /// The entities by what discriminators have for them, and their tables.
  private let kinds: [StoredValue: Int]

  init(
    _ plan: ImportPlan, _ entities: [EntityShape], _ relationships: [StoredRelationship],
    _ store: StoreWriter
  ) {
    (layout, hierarchy) = (plan.layout, plan.hierarchy)
    (self.entities, self.relationships, self.store) = (entities, relationships, store)
    let tables = hierarchy.roots.map { (StoredValue.text(plan.layout.table(of: $0).name), $0) }
    kinds = Dictionary(
      entities.map { ($0.kind, $0.index) } + tables, uniquingKeysWith: { first, _ in first })
  }

  /// The entity that a discriminator names, or whose table a reference names; nil for none.
  func entity(of kind: StoredValue) -> Int? { kinds[kind] }

  // MARK: Attributes

  /// The values that some columns of a row have in the store.
  func values(
    ofColumns columns: [Int], of reference: RowReference
  ) throws(StoreError) -> [StoredValue] {
    let table = layout.table(of: reference.entity)
    guard !columns.isEmpty else { return [] }
    // No table has more columns than SQLite gives back at once.
    let names = columns.map { SQL.quoted(table.columns[$0].name) }.joined(separator: ", ")
    return try store.query(
      "SELECT \(names) FROM \(SQL.quoted(table.name)) WHERE \(table.quotedKey) = ?",
      [.integer(reference.id)]
    ).first ?? []
  }

  /// The contents of some attributes of a row in the store.
  func attributes(
    _ indices: [Int], of reference: RowReference
  ) throws(StoreError) -> [AttributeContent] {
    let shape = entities[reference.entity]
    let columns = indices.flatMap { index in
      [shape.attributes[index].column, shape.attributes[index].runs].compactMap { $0 }
    }
    let values = try values(ofColumns: columns, of: reference)
    let known = Dictionary(zip(columns, values), uniquingKeysWith: { first, _ in first })
    var found: [AttributeContent] = []
    for index in indices {
      let attribute = shape.attributes[index]
      let value: StoredValue
      if let column = attribute.column {
        value = known[column] ?? .null
      } else {
        value = try overflow(attribute, of: reference)
      }
      found.append(
        AttributeContent(
          value: value, runs: attribute.runs.flatMap { known[$0] } ?? .null,
          attribute))
    }
    return found
  }

  /// The value that an attribute of a row has in the store.
  func value(
    of index: Int, in reference: RowReference
  ) throws(StoreError) -> ImportValue {
    let found = try attributes([index], of: reference)
    return entities[reference.entity].attributes[index].value(found.first?.value ?? .null)
  }

  private func overflow(
    _ attribute: EntityShape.StoredAttribute, of reference: RowReference
  ) throws(StoreError) -> StoredValue {
    guard let index = attribute.overflow,
      let condition = layout.elementTables[index].overflowCondition,
      let column = layout.elementTables[index].value
    else { return .null }
    let table = layout.elementTables[index].table
    let found = try store.query(
      """
      SELECT \(SQL.quoted(table.columns[column].name)) FROM \(SQL.quoted(table.name))
        WHERE \(condition)
      """, [.integer(reference.id), .text(attribute.attribute.name)])
    return found.first?.first ?? .null
  }
}

extension RelationalLayout.ElementTable {
  /// The condition for the value of one attribute in a table of those that found no room, in SQL:
  /// the parameters are the row and the attribute's name.
  var overflowCondition: String? {
    guard let key, let value else { return nil }
    let names = [owner, key, value].map { SQL.quoted(table.columns[$0].name) }
    return "\(names[0]) = ? AND \(names[1]) = ? AND \(names[2]) IS NOT NULL"
  }
}
