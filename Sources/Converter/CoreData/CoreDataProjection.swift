import Foundation

/// Writes the rows of a complete store in the relational layout into one of Core Data.
///
/// An import relates and checks rows in the relational layout, whatever its store is to be: there
/// is one engine. When all rows are there, those of the model's entities are copied. Rows keep
/// their ids, since both layouts have one table for each root entity.
struct CoreDataProjection {
  /// A value of which something was lost on the way.
  struct Loss: Sendable, Equatable {
    var entity: String
    var attribute: String
    /// The table in the relational layout, and the row there; -1 for none of an entity.
    var table: Int
    var row: Int64
    var before: String
    var after: String
  }

  let source: ModelSource
  let layout: CoreDataLayout
  let plan: ImportPlan
  /// For each entity of the layout, its index in the plan; nil for those that a draft has for Core
  /// Data alone.
  let entities: [Int?]

  /// The name by which the store that is written is known while both are open.
  static let schema = "target"

  /// Makes ready for a plan.
  ///
  /// - Parameters:
  ///   - source: The model of the store.
  ///   - plan: The plan of the import, whose model may be more than that.
  /// - Throws: `ModelError` if the plan has what the model does not.
  init(_ source: ModelSource, _ plan: ImportPlan) throws(ModelError) {
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

  /// Copies the rows into a new store.
  ///
  /// - Parameters:
  ///   - store: The finished store in the relational layout.
  ///   - path: An empty file.
  ///   - metadata: What the new store says of itself.
  ///   - onLoss: Called with each value of which something was lost.
  /// - Returns: What there was no place for.
  /// - Throws: `StoreError`; `ModelError` if rows are related in a way that Core Data cannot keep.
  func write(
    _ store: StoreWriter, to path: String, _ metadata: CoreDataMetadata,
    onLoss: (Loss) -> Void
  ) throws -> [LayoutOmission] {
    try CoreDataStoreCreator(layout: layout, source: source, metadata: metadata)
      .create(at: path, indexed: false)
    var found: [LayoutOmission] = []
    var crowded: ModelError?
    try store.withDatabase { (database) throws(StoreError) in
      try database.attach(path, as: Self.schema)
      try database.execute(
        """
        PRAGMA \(Self.schema).journal_mode = OFF;
        PRAGMA \(Self.schema).synchronous = OFF;
        BEGIN;
        """)
      for table in layout.tables.indices {
        try copyRows(of: table, database, onLoss)
      }
      for index in layout.indexes.joined() {
        try database.execute(index.creation(in: Self.schema))
      }
      for table in layout.tables.indices {
        try fillEntityColumns(of: table, database)
        try fillOrder(of: table, database)
      }
      crowded = try copyMembers(database)
      for join in layout.joinTables { try copyLinks(join, database) }
      try noteKeys(database)
      found = try omissions(database)
      try database.execute("COMMIT; DETACH \(Self.schema);")
    }
    if let crowded { throw crowded }
    return found
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
