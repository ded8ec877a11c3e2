import Stores

extension ImportContext {
  /// Finds rows by the values of some attributes.
  ///
  /// Takes a key for each row that was made with an identity.
  struct IdentityIndex {
    /// A set of attributes that tells rows of an entity and of those that inherit from it apart.
    private struct Kind: Hashable {
      /// Where the identity holds: see `ImportPlan.identityRoot`.
      var root: Int
      var attributes: [Int]
      var folding: RelationshipMapping.Folding
    }

    /// For each entity whose rows have an identity, the attributes that tell them apart.
    let attributes: [Int: [Int]]
    private var rows: [Kind: [[ImportValue]: RowReference]] = [:]
    /// Rows of entities that later objects of the same identity have narrowed, each with the entity
    /// that it is of by now.
    private(set) var narrowed: [RowKey: (entity: Int, former: Int)] = [:]
    private let plan: ImportPlan
    /// Whether the store had rows before the run.
    private let readsStore: Bool

    init(_ plan: ImportPlan, readsStore: Bool) {
      self.plan = plan
      attributes = plan.identities
      self.readsStore = readsStore
    }

    /// The row with some values, in this run or in the store that it adds to; its entity may be
    /// another one of the same hierarchy.
    mutating func find(
      _ entity: Int, _ attributes: [Int], _ values: [ImportValue],
      _ folding: RelationshipMapping.Folding, _ stored: StoredRows
    ) throws(StoreError) -> RowReference? {
      let root = plan.identityRoot(of: entity, attributes, stored.entities)
      let kind = Kind(root: root, attributes: attributes, folding: folding)
      try load(kind, stored)
      return rows[kind]?[values.map { $0.folded(folding) }]
    }

    /// Adds a row, or gives a known one another entity.
    mutating func add(
      _ row: RowReference, _ attributes: [Int], _ values: [ImportValue],
      _ folding: RelationshipMapping.Folding, _ stored: StoredRows
    ) throws(StoreError) {
      let values = values.map { $0.folded(folding) }
      // Whoever asks for an entity finds the rows of those that inherit from it.
      for ancestor in stored.hierarchy.ancestors(of: row.entity)
      where attributes.allSatisfy(stored.entities[ancestor].attributes.indices.contains) {
        let kind = Kind(root: ancestor, attributes: attributes, folding: folding)
        try load(kind, stored)
        if let known = rows[kind]?[values], known.id != row.id { continue }
        rows[kind, default: [:]][values] = row
      }
    }

    /// Adds a row to the identities that were asked for and that hold for its entity.
    mutating func add(
      _ row: RowReference, _ stored: StoredRows, _ value: (Int) -> ImportValue
    ) {
      guard !rows.isEmpty else { return }
      for kind in rows.keys where stored.hierarchy.isKind(row.entity, of: kind.root) {
        let values = kind.attributes.map { value($0).folded(kind.folding) }
        if rows[kind]?[values] == nil { rows[kind]?[values] = row }
      }
    }

    /// Forgets the identities that some attributes of an entity are part of: they are loaded again.
    mutating func forget(_ attributes: [Int], _ entity: EntityShape) {
      guard !rows.isEmpty else { return }
      for kind in rows.keys where !Set(kind.attributes).isDisjoint(with: attributes) {
        rows[kind] = nil
      }
    }

    /// Forgets all that were asked for: rows are gone.
    mutating func removeAll() { rows = [:] }

    /// Notes that a row is of another entity by now, which inherits from the former one.
    mutating func noteNarrowed(_ row: RowReference, from former: Int, table: Int) {
      narrowed[RowKey(table: table, id: row.id)] = (row.entity, former)
    }

    private mutating func load(_ kind: Kind, _ stored: StoredRows) throws(StoreError) {
      guard rows[kind] == nil else { return }
      rows[kind] = try known(kind, stored)
    }

    /// The rows that the store had before the run.
    private func known(
      _ kind: Kind, _ stored: StoredRows
    ) throws(StoreError) -> [[ImportValue]: RowReference] {
      guard readsStore else { return [:] }
      let shape = stored.entities[kind.root]
      let table = stored.layout.tables[shape.table]
      let columns = kind.attributes.compactMap { shape.attributes[$0].column }
      guard columns.count == kind.attributes.count else { return [:] }
      let names = ([table.key] + columns.map { table.columns[$0].name }).map(SQL.quoted)
      let entity = shape.discriminator.map { SQL.quoted(table.columns[$0].name) } ?? "NULL"
      let found = try stored.store.query(
        """
        SELECT \(names.joined(separator: ", ")), \(entity) FROM \(SQL.quoted(table.name))
          ORDER BY \(table.quotedKey)
        """)
      let hierarchy = stored.hierarchy
      var rows: [[ImportValue]: RowReference] = [:]
      for row in found {
        guard case .integer(let id) = row[0] else { continue }
        var entity = kind.root
        if row[row.count - 1] != .null {
          // Rows of other entities share the table.
          guard let index = stored.entity(of: row[row.count - 1]),
            hierarchy.isKind(index, of: kind.root)
          else { continue }
          entity = index
        }
        let values = zip(row.dropFirst(), kind.attributes).map { value, index in
          shape.attributes[index].value(value).folded(kind.folding)
        }
        if rows[values] == nil { rows[values] = RowReference(entity: entity, id: id) }
      }
      return rows
    }
  }
}

extension ImportPlan {
  /// The entity of which some attributes tell rows apart: the topmost ancestor of an entity whose
  /// rows are unique by them, its subentities' included, or the entity itself.
  package func identityRoot(of entity: Int, _ attributes: [Int], _ shapes: [EntityShape]) -> Int {
    guard hierarchy.parents[entity] != nil else { return entity }
    let names = Set(attributes.map { shapes[entity].attributes[$0].attribute.name })
    return hierarchy.ancestors(of: entity).last { ancestor in
      model.entities[ancestor].uniquenessConstraints.contains { Set($0) == names }
    } ?? entity
  }
}
