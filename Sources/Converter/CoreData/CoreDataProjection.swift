import Foundation

/// Writes the rows of an import into a store in the layout of Core Data.
///
/// An import relates and checks rows in the relational layout, whatever its store is to be: there
/// is one engine. Its tables of entities are views of those of Core Data, which take the rows. What
/// has another place there, and tables that cannot be views, is copied when all rows are there.
/// Rows keep their ids, since both layouts have one table for each root entity.
struct CoreDataProjection {
  let source: ModelSource
  let layout: CoreDataLayout
  let plan: ImportPlan
  /// For each entity of the layout, its index in the plan; nil for those that a draft has for Core
  /// Data alone.
  let entities: [Int?]
  /// The columns whose values have another form.
  private(set) var forms = CoreDataForms([], maxListed: 0)

  /// The name by which the store that is written is known while both are open.
  static let schema = "target"

  /// Makes ready for a plan.
  ///
  /// - Parameters:
  ///   - source: The model of the store.
  ///   - plan: The plan of the import, whose model may be more than that.
  ///   - maxLosses: How many values of which something was lost can be listed.
  /// - Throws: `ModelError` if the plan has what the model does not.
  init(_ source: ModelSource, _ plan: ImportPlan, maxLosses: Int) throws(ModelError) {
    layout = try Self.layout(of: source)
    self.source = source
    self.plan = plan
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
    try checkPlan()
    forms = CoreDataForms(
      layout.tables.indices.flatMap { table -> [CoreDataForms.Column] in
        guard let rows = copiedRows(of: table) else { return [] }
        return rows.columns.compactMap { column in
          column.form.map {
            CoreDataForms.Column(
              form: $0, entity: column.entity, property: column.property, source: rows.table,
              sourceName: rows.name, table: table, target: column.target)
          }
        }
      }, maxListed: maxLosses)
  }

  /// The tables of a model.
  ///
  /// - Throws: `ModelError` if the model has what no rule is known for.
  static func layout(of source: ModelSource) throws(ModelError) -> CoreDataLayout {
    let layout = CoreDataLayout(source.model)
    if let gap = layout.gaps.first { throw gap }
    if let name = source.uncertainHashes.first {
      throw ModelError(
        .unstorable, entity: name,
        name: "its version hash is unknown: give the compiled model (.momd), or a store of the "
          + "same model with --template")
    }
    return layout
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
        if plan.layout.entities[number].properties[name]?.overflow != nil {
          guard tables.contains(.overflow(entity: entity.name)) else {
            throw ModelError(
              .unstorable, entity: entity.name, property: name, name: "its table has no room")
          }
          continue
        }
        guard hasPlace(name) else {
          throw ModelError(
            .unstorable, entity: entity.name, property: name,
            name: "the model has no such property")
        }
      }
    }
  }

  /// Makes the tables of the store.
  ///
  /// - Parameter path: An empty file.
  /// - Throws: `StoreError`.
  func create(at path: String) throws(StoreError) {
    try CoreDataStoreCreator(layout: layout, source: source, metadata: nil)
      .create(at: path, indexed: false)
  }

  /// Adds the store to a connection, which is to write to it.
  func attach(_ path: String, to database: Database) throws(StoreError) {
    try forms.add(to: database)
    database.allowTriggers()
    try database.attach(path, as: Self.schema)
    try database.execute(
      """
      PRAGMA \(Self.schema).journal_mode = OFF;
      PRAGMA \(Self.schema).synchronous = OFF;
      """)
  }

  /// Completes the store when all rows of the import are there.
  ///
  /// - Parameters:
  ///   - store: What the import has written.
  ///   - context: What the import knows of the rows.
  ///   - views: The tables whose rows are in the store, by their indices in the relational layout.
  ///   - metadata: What the store says of itself.
  /// - Returns: What there was no place for, and the values of which something was lost.
  /// - Throws: `StoreError`; `ModelError` if rows are related in a way that Core Data cannot keep.
  func complete(
    _ store: StoreWriter, _ context: ImportContext, views: Set<Int>, _ metadata: CoreDataMetadata
  ) throws -> (omissions: [LayoutOmission], losses: CoreDataForms.Losses) {
    var found = (omissions: [LayoutOmission](), losses: CoreDataForms.Losses())
    var crowded: ModelError?
    try store.withDatabase { (database) throws(StoreError) in
      // An index that is built now is sorted in memory.
      try database.execute("PRAGMA cache_size = -16384; BEGIN;")
      for table in layout.tables.indices where !isWritten(table, views) {
        try copyRows(of: table, database)
      }
      var isChanged = !views.isEmpty
      for table in layout.tables.indices where try clearForeignColumns(of: table, database) {
        isChanged = true
      }
      var repetitions: [LayoutOmission] = []
      for index in layout.indexes.joined() {
        if let repetition = try repetition(index, database) {
          repetitions.append(repetition)
        } else {
          try database.execute(index.creation(in: Self.schema))
        }
      }
      for table in layout.tables.indices {
        try fillEntityColumns(of: table, database)
        try fillOrder(of: table, context, database)
      }
      crowded = try copyMembers(database)
      for join in layout.joinTables { try copyLinks(join, database) }
      try noteKeys(database)
      try metadata.insert(into: database, as: Self.schema)
      found.omissions = try omissions(database) + repetitions
      found.losses = forms.takeLosses()
      if isChanged { try removeChanged(&found.losses, database) }
      try database.execute("COMMIT; DETACH \(Self.schema);")
    }
    if let crowded { throw crowded }
    return found
  }

  /// Removes losses of values that were changed since, or whose rows were deleted.
  private func removeChanged(
    _ losses: inout CoreDataForms.Losses, _ database: Database
  ) throws(StoreError) {
    var statements: [Int: Statement] = [:]
    for (place, loss) in losses.listed {
      let statement: Statement
      if let known = statements[place.number] {
        statement = known
      } else {
        statement = try database.prepare(query(for: forms.columns[place.number]))
        statements[place.number] = statement
      }
      if try statement.rows([.integer(place.row), loss.stored]).isEmpty {
        losses.listed[place] = nil
      }
    }
  }

  /// A query that gives a row if the one with a key has a value in a column.
  private func query(for column: CoreDataForms.Column) -> String {
    let table = layout.tables[column.table]
    return "SELECT 1 FROM \(target(table.name)) WHERE \(CoreDataLayout.keyColumn) = ? AND "
      + "\(SQL.quoted(table.columns[column.target].name)) IS ?"
  }

  /// Whether the rows of a table went straight there.
  private func isWritten(_ table: Int, _ views: Set<Int>) -> Bool {
    layout.members[table].first.flatMap { entities[$0 - 1] }
      .map { views.contains(plan.layout.entities[$0].table) } ?? false
  }

  /// A table of the store that is written, as it stands in a statement.
  func target(_ table: String) -> String { "\(Self.schema).\(SQL.quoted(table))" }

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
