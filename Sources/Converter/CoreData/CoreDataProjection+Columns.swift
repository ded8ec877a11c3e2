/// Which rows of the relational layout a table has, and which columns of them.
extension CoreDataProjection {
  /// What is copied into a table; nil if the relational layout has no rows for it.
  func copiedRows(of table: Int) -> CopiedRows? {
    guard let root = layout.members[table].first else { return nil }
    if let drafted = layout.entities[root - 1].entity.draftedTable {
      return copiedRows(of: drafted, root)
    }
    guard let number = entities[root - 1] else { return nil }
    let columns = plan.layout.table(of: number).columns
    return entityRows(of: table) { SQL.quoted(columns[$0].name) }
  }

  // MARK: Entities of classes

  /// What the rows of entities become in a table; nil if they are not those of classes.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - name: What the columns of the relational layout are called where the rows are read.
  /// - Returns: The rows, and their columns.
  func entityRows(of table: Int, _ name: (Int) -> String) -> CopiedRows? {
    guard let root = layout.members[table].first, let number = entities[root - 1] else {
      return nil
    }
    let discriminator = plan.layout.entities[number].discriminator
    var copied = CopiedRows(
      name: plan.layout.table(of: number).name, table: plan.layout.entities[number].table,
      key: name(0), kind: discriminator.map(name))
    for number in layout.members[table] { addColumns(of: number, to: &copied, name) }
    return copied
  }

  /// Adds the columns of an entity's own properties.
  private func addColumns(
    of number: Int, to copied: inout CopiedRows, _ columnName: (Int) -> String
  ) {
    let storage = layout.entities[number - 1]
    guard let own = entities[number - 1] else { return }
    let relational = plan.layout.entities[own]
    func add(
      _ source: Int?, _ target: Int?, _ property: String, _ form: CoreDataForm? = nil,
      isPosition: Bool = false, expression: (String) -> String = { $0 }
    ) {
      guard let source, let target else { return }
      copied.columns.append(
        CopiedColumn(
          source: expression(columnName(source)), relational: source, isPosition: isPosition,
          target: target, form: form, entity: storage.entity.name, property: property))
    }
    for attribute in storage.entity.storedAttributes {
      let properties = relational.properties
      let source =
        switch attribute.draftedPart {
        case .runs(let name): properties[name]?.runs
        case .count(let name): properties[name]?.count
        default: properties[attribute.name]?.value
        }
      add(
        source, storage.attributes[attribute.name], attribute.name, CoreDataForm(of: attribute))
    }
    for relationship in storage.entity.references {
      guard case .column(let reference) = storage.relationships[relationship.name] else { continue }
      if case .reference(let name) = relationship.draftedPart {
        let type = relational.properties[name]?.referenceType
        add(relational.properties[name]?.reference, reference.column, name) { column in
          guard let type, let destination = tableName(of: reference.destination) else {
            return column
          }
          return Self.cases(columnName(type), destination, column)
        }
        continue
      }
      add(
        relational.properties[relationship.name]?.reference, reference.column, relationship.name)
      let owner = entities[reference.destination - 1]
      let collection = owner.flatMap { owner in
        reference.inverse.flatMap { plan.layout.entities[owner].properties[$0]?.members }
      }
      add(
        collection?.position, reference.orderColumn, relationship.name, isPosition: true,
        expression: Self.orderKey)
    }
  }

  // MARK: Entities of elements

  /// What is copied for an entity that has the rows of a table of elements.
  private func copiedRows(of drafted: DraftedTable, _ number: Int) -> CopiedRows? {
    switch drafted {
    case .elements, .overflow:
      guard let elements = plan.elementTable(of: drafted) else { return nil }
      return copiedElements(elements, number)
    case .collectionElements: return copiedElements(RelationalLayout.collectionElements, number)
    case .collections:
      var copied = CopiedRows(name: RelationalLayout.collectionTable, table: -1, key: "id")
      let storage = layout.entities[number - 1]
      for attribute in storage.entity.storedAttributes {
        guard let target = storage.attributes[attribute.name] else { continue }
        copied.columns.append(
          CopiedColumn(
            source: "kind", target: target, form: CoreDataForm(of: attribute),
            entity: storage.entity.name, property: attribute.name))
      }
      return copied
    case .topLevel:
      let archive =
        "(SELECT path FROM main.\(RelationalLayout.archiveTable) WHERE id = archive_id)"
      return copied(
        CopiedRows(name: RelationalLayout.topTable, table: -1, key: "rowid"), number,
        Sources(
          owner: archive, key: "\"key\"", value: "value", reference: "\"row\"", type: "entity"))
    }
  }

  /// What the relational layout has for the parts of an element, in SQL.
  private struct Sources {
    var owner: String
    var position: String?
    var key: String?
    var keyReference: String?
    var keyType: String?
    var value: String?
    var reference: String?
    var type: String?
  }

  private func copiedElements(
    _ elements: RelationalLayout.ElementTable, _ number: Int
  ) -> CopiedRows {
    func name(_ column: Int?) -> String? {
      column.map { SQL.quoted(elements.table.columns[$0].name) }
    }
    return copied(
      CopiedRows(name: elements.table.name, table: -1, key: "rowid"), number,
      Sources(
        owner: SQL.quoted(elements.table.columns[elements.owner].name),
        position: name(elements.position), key: name(elements.key),
        keyReference: name(elements.keyReference), keyType: name(elements.keyType),
        value: name(elements.value), reference: name(elements.reference),
        type: name(elements.referenceType)))
  }

  private func copied(_ rows: CopiedRows, _ number: Int, _ sources: Sources) -> CopiedRows {
    var copied = rows
    let storage = layout.entities[number - 1]
    func add(
      _ source: String?, _ target: Int?, _ property: String, _ form: CoreDataForm? = nil
    ) {
      guard let source, let target else { return }
      copied.columns.append(
        CopiedColumn(
          source: source, target: target, form: form, entity: storage.entity.name,
          property: property))
    }
    for attribute in storage.entity.storedAttributes {
      let source: String? =
        switch attribute.draftedPart {
        case .position: sources.position
        case .key: sources.key
        case .value: sources.value
        case .owner: sources.owner
        default: nil
        }
      add(
        source, storage.attributes[attribute.name], attribute.name, CoreDataForm(of: attribute))
    }
    for relationship in storage.entity.references {
      guard case .column(let reference) = storage.relationships[relationship.name] else { continue }
      let source: String? =
        switch relationship.draftedPart {
        case .owner: sources.owner
        case .key: typed(sources.keyReference, sources.keyType, reference.destination)
        case .value: typed(sources.reference, sources.type, reference.destination)
        default: nil
        }
      add(source, reference.column, relationship.name)
    }
    return copied
  }

  /// A reference where it leads to rows of an entity.
  private func typed(_ reference: String?, _ type: String?, _ destination: Int) -> String? {
    guard let reference, let type else { return reference }
    return tableName(of: destination).map { Self.cases(type, $0, reference) }
  }

  private static func cases(_ type: String, _ name: String, _ reference: String) -> String {
    "CASE WHEN \(type) = \(literal(name)) THEN \(reference) END"
  }

  /// A text in a statement.
  static func literal(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }

  /// The table of the relational layout with the rows of an entity, by which references name it.
  func tableName(of number: Int) -> String? {
    if layout.entities[number - 1].entity.draftedTable == .collections {
      return RelationalLayout.collectionTable
    }
    return entities[number - 1].map { plan.layout.table(of: $0).name }
  }
}
