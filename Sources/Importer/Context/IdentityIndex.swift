import ArchiveReader
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

extension ImportContext {
  /// The rows that the parts of texts have found or made, by their bytes: so that no text has to be
  /// made of what was met before.
  ///
  /// Takes the bytes of each part once, and some 40 bytes more.
  struct PartIndex {
    /// The rows of the text that was looked up last, each once.
    private(set) var found: [RowReference] = []

    /// The parts of one relationship's texts.
    private struct Parts {
      /// Leads to the entries.
      var table = InternTable()
      var entries: [Entry] = []
      var bytes: [UInt8] = []
    }

    private struct Entry {
      var start: Int
      var count: Int
      /// The row; nil where the part is left out.
      var row: RowReference?
    }

    private var parts: [Int: Parts] = [:]
    private var index = -1
    private var current = Parts()
    /// The greatest number of parts that are remembered for a relationship.
    private static let maxEntries = 1 << 20

    /// Looks up all parts of a text; returns false where one is not known, or the text has to be
    /// taken apart character by character.
    mutating func find(
      _ text: BorrowedText, _ split: ImportPlan.SplitPlan, _ relationship: Int
    ) -> Bool {
      open(relationship)
      guard !current.entries.isEmpty else { return false }
      let bytes = text.bytes
      guard text.encoding == .utf16 else { return find(bytes, split) }
      // A UTF-16 unit takes at most three bytes of UTF-8.
      guard bytes.count <= 1_024 else { return false }
      var isExact = false
      let utf8 = [UInt8](upTo: bytes.count / 2 * 3) {
        isExact = UTF16Text.transcode(bytes, into: &$0)
      }
      return isExact && utf8.withBorrowedBytes { find($0, split) }
    }

    private mutating func find(_ text: BorrowedBytes, _ split: ImportPlan.SplitPlan) -> Bool {
      guard Self.isPlain(text) else { return false }
      found.removeAll(keepingCapacity: true)
      var start = 0
      if let separator = split.rule.separator?.utf8.first {
        guard split.rule.separator?.utf8.count == 1, separator > 0x20, separator < 0x7F else {
          return false
        }
        for place in 0..<text.count where text[place] == separator {
          guard take(text.part(start..<place)) else { return false }
          start = place + 1
        }
      }
      return take(text.part(start..<text.count))
    }

    private mutating func take(_ part: BorrowedBytes) -> Bool {
      guard let place = place(of: part, InternTable.hash(part)) else { return false }
      if let row = current.entries[place].row, !found.contains(row) { found.append(row) }
      return true
    }

    /// Remembers what a part found, or that it is left out.
    mutating func add(_ part: String, _ row: RowReference?, _ relationship: Int) {
      open(relationship)
      var part = part
      part.withUTF8 { utf8 in
        let bytes = unsafe BorrowedBytes(.init(utf8))
        let hash = InternTable.hash(bytes)
        guard current.entries.count < Self.maxEntries, Self.isPlain(bytes),
          place(of: bytes, hash) == nil
        else { return }
        current.table.insert(hash, UInt32(current.entries.count))
        current.entries.append(
          Entry(start: current.bytes.count, count: bytes.count, row: row))
        unsafe current.bytes.append(contentsOf: bytes.buffer)
      }
    }

    /// True if each byte below 128 is a character of its own, and no character of a text stands for
    /// it: printable ASCII, and letters of the next blocks, none of which combine.
    private static func isPlain(_ text: BorrowedBytes) -> Bool {
      unsafe text.buffer.allSatisfy { byte in
        byte >= 0x20 && byte < 0x7F || byte >= 0x80 && byte < 0xC0 || byte >= 0xC3 && byte < 0xCC
      }
    }

    // MARK: The table

    private mutating func open(_ relationship: Int) {
      guard index != relationship else { return }
      if index >= 0 { parts[index] = current }
      current = parts.removeValue(forKey: relationship) ?? Parts()
      index = relationship
    }

    private func place(of part: BorrowedBytes, _ hash: UInt64) -> Int? {
      let found = current.table.index(hash) { index in
        let entry = current.entries[Int(index)]
        guard entry.count == part.count else { return false }
        let known = current.bytes[entry.start..<entry.start + entry.count]
        return unsafe known.elementsEqual(part.buffer)
      }
      return found.map(Int.init)
    }
  }
}
