import DataModel

/// Rows that stand next to the store until all are there.
extension CoreDataOutput {
  /// The columns of a table of the store that take something of others, in SQL.
  private typealias Sources = [(target: Int, source: String)]

  /// Copies the rows of a table that does not have them yet, with one statement.
  func copyRows(of table: Int, _ database: Database) throws(StoreError) {
    guard let root = layout.members[table].first else { return }
    let storage = layout.entities[root - 1]
    if let number = entities[root - 1] {
      let side = plan.layout.table(of: number)
      guard !side.isAttached else { return }
      var sources = layout.tables[table].columns.map { SQL.quoted($0.name) }
      for (target, source) in layout.members[table].flatMap(references) { sources[target] = source }
      return try copy(Array(sources.enumerated()), of: side.name, side.quotedKey, table, database)
    }
    guard let drafted = storage.entity.draftedTable, let parts = parts(of: drafted) else { return }
    let fixed: Sources = [(0, "rowid"), (1, "\(root)"), (2, "1")]
    let values: Sources = storage.entity.storedAttributes.compactMap { attribute in
      let kind = drafted == .collections ? "kind" : nil
      guard let target = storage.attributes[attribute.name],
        let source = attribute.draftedPart.map({ parts.values[$0] }) ?? kind
      else { return nil }
      return (target, source)
    }
    let references: Sources = storage.entity.references.compactMap { relationship in
      guard case .column(let reference) = storage.relationships[relationship.name],
        let part = relationship.draftedPart.flatMap({ parts.references[$0] }),
        let column = part.column, let source = typed(column, part.type, reference.destination)
      else { return nil }
      return (reference.column, source)
    }
    try copy(fixed + values + references, of: parts.table, "rowid", table, database)
  }

  private func copy(
    _ sources: [(Int, String)], of side: String, _ key: String, _ table: Int, _ database: Database
  ) throws(StoreError) {
    let declared = layout.tables[table]
    let targets = sources.map { SQL.quoted(declared.columns[$0.0].name) }.joined(separator: ", ")
    try database.execute(
      """
      INSERT INTO \(target(declared.name)) (\(targets))
        SELECT \(sources.map(\.1).joined(separator: ", ")) FROM main.\(SQL.quoted(side))
        ORDER BY \(key);
      """)
  }

  /// The columns of relationships that have the links to one of several entities.
  private func references(of number: Int) -> Sources {
    guard let entity = entities[number - 1] else { return [] }
    let storage = layout.entities[number - 1]
    let columns = plan.layout.table(of: entity).columns
    return storage.entity.references.compactMap { relationship in
      guard case .column(let reference) = storage.relationships[relationship.name],
        case .reference(let name) = relationship.draftedPart
      else { return nil }
      let place = plan.layout.entities[entity].properties[name]
      guard let column = place?.reference else { return nil }
      let source = SQL.quoted(columns[column].name)
      let type = (place?.referenceType).map { SQL.quoted(columns[$0].name) }
      return (reference.column, typed(source, type, reference.destination) ?? source)
    }
  }

  /// The parts of a table of elements in SQL: values, and references with the name of the table that
  /// they lead to; nil where the plan has no such table.
  func parts(of drafted: DraftedTable) -> (
    table: String, values: [DraftedPart: String],
    references: [DraftedPart: (column: String?, type: String?)]
  )? {
    switch drafted {
    case .collections: return (RelationalLayout.collectionTable, [:], [:])
    case .topLevel:
      let archive =
        "(SELECT path FROM main.\(RelationalLayout.archiveTable) WHERE id = archive_id)"
      return (
        RelationalLayout.topTable, [.owner: archive, .key: "\"key\"", .value: "value"],
        [.value: ("\"row\"", "entity")]
      )
    case .collectionElements, .elements, .overflow:
      guard let elements = plan.elementTable(of: drafted) else { return nil }
      let columns = elements.table.columns.map { SQL.quoted($0.name) }
      func name(_ column: Int?) -> String? { column.map { columns[$0] } }
      let values: [DraftedPart: Int?] = [
        .position: elements.position, .key: elements.key, .value: elements.value,
      ]
      return (
        elements.table.name, values.compactMapValues(name),
        [
          .owner: (name(elements.owner), nil),
          .key: (name(elements.keyReference), name(elements.keyType)),
          .value: (name(elements.reference), name(elements.referenceType)),
        ]
      )
    }
  }

  /// A reference where it leads to rows of an entity.
  private func typed(_ reference: String, _ type: String?, _ destination: Int) -> String? {
    guard let type else { return reference }
    return tableName(of: destination).map {
      "CASE WHEN \(type) = \(SQL.literal($0)) THEN \(reference) END"
    }
  }

  /// The table with the rows of an entity, by which references name it.
  func tableName(of number: Int) -> String? {
    if layout.entities[number - 1].entity.draftedTable == .collections {
      return RelationalLayout.collectionTable
    }
    return entities[number - 1].map { plan.layout.table(of: $0).name }
  }
}
