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

extension StoredRows {
  /// The content of an attribute of a row in the store: its value, and the attributes of a text.
  struct AttributeContent {
    var value: StoredValue
    /// The attributes of a text, as JSON.
    var runs = StoredValue.null

    /// What the store has of an attribute.
    init(value: StoredValue, runs: StoredValue, _ attribute: EntityShape.StoredAttribute) {
      self.value = value
      self.runs = runs
      guard
        attribute.type == .double || attribute.type == .float || attribute.form.usual == .seconds
          || attribute.form.usual == .double, case .integer(let integer) = value
      else { return }
      // A column of another type keeps a whole number as an integer.
      self.value = .real(Double(integer))
    }

    /// The content that would be written of a value.
    init(_ value: ImportValue, _ attribute: EntityShape.StoredAttribute) {
      guard attribute.runs != nil, let text = value.attributedText else {
        if attribute.isReal, case .real(let number) = value, RealColumn.changes(number) {
          self.value = StoredValue(RealColumn.kept(of: number).value)
        } else {
          self.value = attribute.form.stored(value)
        }
        return
      }
      self.value = text.text.map { .text($0) } ?? .null
      runs = .text(text.runsJSON)
    }

    /// True if there is neither a value nor attributes.
    var isNothing: Bool { value == .null && runs == .null }

    /// True if another one is the same, each scalar of texts and the sign of zero counted.
    func isSame(as other: AttributeContent) -> Bool {
      value.isSame(as: other.value) && runs.isSame(as: other.runs)
    }
  }
}

extension StoredValue {
  fileprivate func isSame(as other: StoredValue) -> Bool {
    // Swift takes canonically equivalent texts for equal, and both zeros.
    switch (self, other) {
    case (.text(let one), .text(let two)): one.utf8.elementsEqual(two.utf8)
    case (.real(let one), .real(let two)): one.bitPattern == two.bitPattern
    default: self == other
    }
  }
}

/// The counting, in SQL, of the rows that relationships lead to.
extension StoredRows {
  /// A query of how many rows a relationship leads to, for each row of its entity.
  func counting(_ index: Int) -> String {
    let stored = relationships[index]
    let table = layout.tables[stored.table]
    let name = SQL.quoted(table.name)
    let key = table.quotedKey
    var ids = "SELECT \(key) AS id FROM \(name)"
    if let condition = kindCondition(stored.entity) { ids += " WHERE " + condition }
    if let reference = stored.reference {
      let column = SQL.quoted(table.columns[reference].name)
      return "SELECT \(key) AS id, \(column) IS NOT NULL AS count FROM \(name) "
        + "WHERE \(key) IN (\(ids))"
    }
    var holder = ""
    var owner = ""
    var counted = ""
    if let elements = stored.elements {
      let table = layout.elementTables[elements]
      holder = table.table.name
      let column = stored.isInverseTable ? table.reference ?? table.owner : table.owner
      owner = table.table.columns[column].name
      counted = owner
    } else if let inverse = stored.inverse, let reference = relationships[inverse].reference {
      let table = layout.tables[relationships[inverse].table]
      holder = table.name
      owner = table.columns[reference].name
      // A row whose owner's collection does not hold it has no position.
      counted =
        (stored.isOrdered ? stored.memberPosition : nil).map { table.columns[$0].name } ?? owner
    }
    return """
      SELECT mine.id AS id, count(other.\(SQL.quoted(counted))) AS count FROM (\(ids)) AS mine
        LEFT JOIN \(SQL.quoted(holder)) AS other ON other.\(SQL.quoted(owner)) = mine.id
        GROUP BY mine.id
      """
  }

  /// What holds for the rows of an entity, in SQL; nil where they have a table for themselves.
  func kindCondition(_ entity: Int) -> String? {
    layout.condition(forRowsOf: hierarchy.withDescendants(of: entity))
  }
}

extension StoredRows {
  /// Where the positions of members stand: their table, and two of its columns.
  struct MemberOrder {
    var table: Table
    var position: Table.Column
    /// The column of the rows whose collections the positions are about.
    var owner: String

    init(_ table: Table, position: Int, owner: Int) {
      self.table = table
      self.position = table.columns[position]
      self.owner = SQL.quoted(table.columns[owner].name)
    }
  }

  /// The place of the positions of a to-many relationship; nil if it has none.
  func positions(of stored: StoredRelationship) -> MemberOrder? {
    if let column = stored.memberPosition, let inverse = stored.inverse,
      let reference = relationships[inverse].reference
    {
      return MemberOrder(
        layout.tables[relationships[inverse].table], position: column, owner: reference)
    }
    guard let index = stored.elements else { return nil }
    let elements = layout.elementTables[index]
    let column = stored.isInverseTable ? elements.inversePosition : elements.position
    let owner = stored.isInverseTable ? elements.reference : elements.owner
    guard let column, let owner else { return nil }
    return MemberOrder(elements.table, position: column, owner: owner)
  }

  /// The last row of a table that earlier runs have made.
  func lastEarlierRow(of table: String) throws(StoreError) -> Int64 {
    let query = """
      SELECT coalesce(max("last"), 0) FROM \(RelationalLayout.rowsTable) WHERE entity = ?
        AND archive_id < (SELECT max(first_archive) FROM \(RelationalLayout.runTable))
      """
    guard case .integer(let row) = try store.query(query, [.text(table)]).first?.first else {
      return 0
    }
    return row
  }

  /// The position after what the collection of a row holds in the store; nil where none counts.
  func nextPosition(_ stored: StoredRelationship, of owner: RowReference) throws(StoreError)
    -> Int64?
  {
    guard stored.isOrdered, let order = positions(of: stored) else { return nil }
    let query = """
      SELECT coalesce(max(\(order.position.position)) + 1, 0) FROM \(SQL.quoted(order.table.name))
        WHERE \(order.owner) = ?
      """
    guard case .integer(let next) = try store.query(query, [.integer(owner.id)]).first?.first else {
      return nil
    }
    return next
  }
}
