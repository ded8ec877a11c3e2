import DataModel
import Support

/// A store in the layout of Core Data under construction.
///
/// The import writes rows of entities into its tables, in the form of their columns. What is related
/// or counted otherwise there is filled in from a file next to it when all rows are there: elements
/// of collections, links, and rows of tables that need columns which Core Data does not have.
struct CoreDataOutput {
  let file: StoreFile
  let source: ModelSource
  let layout: CoreDataLayout
  /// The plan of the import, over the tables of the store.
  let plan: ImportPlan
  /// For each entity of the layout, its index in the plan; nil for those that a draft has for Core
  /// Data alone.
  let entities: [Int?]
  /// The columns whose form can lose something, in the order of the store.
  private let formedColumns: [FormedColumn]

  /// A column whose form can lose something of a value.
  struct FormedColumn {
    /// The entity and the property whose values it has.
    var entity: String
    var property: String
    /// The table that the import writes, and the column there.
    var table: String
    var column: Int
    /// The index of that table, if it is one of entities.
    var source: Int?
    /// The index of the table of the store.
    var target: Int
  }

  /// Makes the tables of the store.
  ///
  /// - Parameters:
  ///   - source: The model of the store.
  ///   - plan: The plan of the import, over tables of the relational layout.
  ///   - file: The file for what the store has no columns for.
  ///   - isExact: True for a temporary store, which loses nothing.
  /// - Throws: `StoreError`; `ModelError` if the plan has what the model does not.
  init(
    _ source: ModelSource, _ plan: ImportPlan, nextTo file: StoreFile, isExact: Bool = false
  ) throws {
    var map = try MapBuilder(
      try Self.layout(of: source, isTemporary: isExact), plan, isExact: isExact)
    (self.source, layout, entities) = (source, map.layout, map.entities)
    self.plan = map.build()
    formedColumns = map.formedColumns
    self.file = try StoreFile(second: file)
    try CoreDataStoreCreator(layout: layout, source: source, metadata: nil)
      .create(at: self.file.path, indexed: false)
  }

  /// The tables of a model.
  ///
  /// - Parameters:
  ///   - source: The model.
  ///   - isTemporary: True for a store that Core Data does not open.
  /// - Returns: The tables.
  /// - Throws: `ModelError` if the model has what no rule is known for.
  static func layout(
    of source: ModelSource, isTemporary: Bool = false
  ) throws(ModelError) -> CoreDataLayout {
    let layout = CoreDataLayout(source.model, isTemporary: isTemporary)
    if let gap = layout.gaps.first { throw gap }
    if let name = source.uncertainHashes.first {
      throw ModelError(
        .unstorable, entity: name,
        name: "its version hash is unknown: give the compiled model (.momd), or a store of the "
          + "same model with --template")
    }
    return layout
  }

  /// Completes the store when all rows of the import are there.
  ///
  /// - Parameters:
  ///   - store: What the import has written, finished.
  ///   - context: What the import knows of the rows.
  ///   - metadata: What the store says of itself.
  ///   - findings: Takes what was lost on the way.
  /// - Throws: `StoreError`; `ConversionError` if rows are related in a way that Core Data cannot
  ///   keep.
  func complete(
    _ store: StoreWriter, _ context: ImportContext, _ metadata: CoreDataMetadata,
    _ findings: inout ImportFindings
  ) throws {
    let losses = try store.formLosses()
    var crowded: ModelError?
    try store.withDatabase { (database) throws(StoreError) in
      // An index that is built now is sorted in memory.
      try database.execute("PRAGMA cache_size = -16384; BEGIN;")
      for table in layout.tables.indices { try copyRows(of: table, database) }
      var repetitions: [LayoutOmission] = []
      for index in layout.indexes.joined() {
        if let repetition = try repetition(index, database) {
          repetitions.append(repetition)
        } else {
          try database.execute(index.creation(in: StoreWriter.attachedSchema))
        }
      }
      for table in layout.tables.indices {
        try fillEntityColumns(of: table, database)
        try fillOrder(of: table, context, database)
      }
      crowded = try copyMembers(database)
      for join in layout.joinTables { try copyLinks(join, database) }
      try noteKeys(database)
      try metadata.insert(into: database, as: StoreWriter.attachedSchema)
      findings.omissions = try omissions(database) + repetitions
      try database.execute("COMMIT; DETACH \(StoreWriter.attachedSchema);")
    }
    if let crowded { throw ConversionError.model(crowded) }
    note(losses, context, &findings)
  }

  /// Lists what was lost of values in the form of their columns, in the order of the store.
  private func note(
    _ losses: FormLosses, _ context: ImportContext, _ findings: inout ImportFindings
  ) {
    let reason = "a Core Data store cannot represent it exactly"
    func location(_ column: FormedColumn, _ row: Int64? = nil) -> ImportFindings.Location {
      var location = ImportFindings.Location()
      if let row {
        location =
          column.source.map { context.origin(of: row, table: $0) }
          ?? context.origin(ofElement: row, in: column.table)
      }
      (location.className, location.key) = (column.entity, column.property)
      return location
    }
    let listed = losses.listed.compactMap { place, loss in
      formedColumns.firstIndex(of: place).map { (number: $0, row: place.row, loss: loss) }
    }.sorted { one, other in
      let (first, second) = (formedColumns[one.number], formedColumns[other.number])
      return (first.target, one.row, one.number) < (second.target, other.row, other.number)
    }
    for (number, row, loss) in listed {
      // A full list only counts.
      findings.addLoss(
        at: location(formedColumns[number], findings.listsLosses ? row : nil),
        before: .text(loss.before), after: .text(loss.after), reason: reason)
    }
    let counted = losses.counts.compactMap { place, count in
      formedColumns.firstIndex(of: place).map { (number: $0, count: count) }
    }
    for (number, count) in counted.sorted(by: { $0.number < $1.number }) {
      findings.countLosses(count, at: location(formedColumns[number]), reason: reason)
    }
  }

  /// A table of the store that is written, as it stands in a statement.
  func target(_ table: String) -> String { "\(StoreWriter.attachedSchema).\(SQL.quoted(table))" }

  /// The greatest key of each table stands in the row of its root.
  private func noteKeys(_ database: Database) throws(StoreError) {
    for storage in layout.entities where storage.isRoot {
      try database.execute(
        """
        UPDATE \(target(CoreDataLayout.primaryKeyTable)) SET Z_MAX =
          (SELECT coalesce(max(Z_PK), 0) FROM \(target(layout.tables[storage.table].name)))
          WHERE Z_ENT = \(storage.number);
        """)
    }
  }
}

extension [CoreDataOutput.FormedColumn] {
  func firstIndex(of place: FormLosses.Place) -> Int? {
    firstIndex { $0.column == place.column && $0.table == place.table }
  }
}

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
