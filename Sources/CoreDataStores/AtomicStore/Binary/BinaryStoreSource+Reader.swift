import ArchiveReader
import DataModel
import GraphCore

extension BinaryStoreSource {
  /// Reads a binary store into memory: its objects, by the model that they are of.
  ///
  /// The archive of the data has a dictionary from primary keys to nodes under "mapData". A node
  /// has its key (`NSPrimaryKey64`), the name of its entity (`NSEntityName`), a row of values
  /// without names (`NSAttributeValues`), and the keys that each relationship holds
  /// (`NSRelatedNodes`). The row has the attributes of the topmost superentity first, those of each
  /// level sorted by name, then an NSNull for each relationship.
  struct Reader {
    private let archive: KeyedArchive
    private let graph: ArchiveGraph
    private let limits: ReadingLimits
    /// The entities whose hashes the store has: those of the model that it may hold objects of.
    private let storedEntities: Set<String>
    private var builder: AtomicStoreBuilder
    private let values: Value
    /// The rows that were read, each of which is that of one object.
    private var rows: Set<CollectionID> = []
    private var budget: ExpansionBudget
    /// Surplus of the nodes and the archive that is no part of a store: the number of values
    /// under each key.
    private var unreadKeys: [UnreadKey: Int] = [:]

    private static let nodeKeys: Set = [
      "$class", "NSPrimaryKey64", "NSEntityName", "NSAttributeValues", "NSRelatedNodes",
    ]

    /// Reads the objects of a store.
    ///
    /// - Parameters:
    ///   - archive: The archive of the data.
    ///   - schema: The schema of its objects; by a model whose hashes are those of the store.
    ///   - storedEntities: The entities whose hashes the store has.
    ///   - limits: The limits for hostile files.
    ///   - salvages: True if a damaged store is read as far as possible.
    /// - Returns: The objects, and what is not read of the archive.
    /// - Throws: `ArchiveError` with the UID in the archive of the data.
    /// - Complexity: Linear in the size of the archive, but for sorting the objects.
    static func read(
      _ archive: KeyedArchive, schema: AtomicSchema, storedEntities: Set<String>,
      limits: ReadingLimits, salvages: Bool
    ) throws(ArchiveError) -> (objects: AtomicObjects, unreadKeys: [UnreadKey: Int]) {
      let graph = archive.makeGraph(GraphOptions(limits: limits)) as? ArchiveGraph
      guard let graph, let root = archive.roots.first(where: { $0.key == "mapData" }) else {
        throw ArchiveError(.damagedStore, name: "its data has no mapData")
      }
      var reader = Reader(archive, graph, schema, storedEntities, limits, salvages)
      for loss in archive.losses { try reader.builder.lose(loss) }
      try reader.readNodes(try graph.value(of: root))
      let unread = archive.unreadKeys(besides: root)
      return (reader.builder.finish(), reader.unreadKeys.merging(unread) { [$0, $1].boundedSum })
    }

    private init(
      _ archive: KeyedArchive, _ graph: ArchiveGraph, _ schema: AtomicSchema,
      _ storedEntities: Set<String>, _ limits: ReadingLimits, _ salvages: Bool
    ) {
      (self.archive, self.graph, self.limits) = (archive, graph, limits)
      self.storedEntities = storedEntities
      builder = AtomicStoreBuilder(
        schema: schema, keyPrefix: "", byteCount: archive.byteCount, limits: limits,
        salvages: salvages)
      values = Value(graph, in: builder.bytes)
      budget = ExpansionBudget(archive, limits, isNested: false)
    }

    private func damaged(_ name: String) -> ArchiveError { ArchiveError(.damagedStore, name: name) }

    // MARK: Nodes

    private mutating func readNodes(_ map: GraphValue) throws(ArchiveError) {
      guard case .collection(let id, .dictionary) = map else {
        throw damaged("its mapData is not a dictionary")
      }
      let nodes = try graph.elements(of: id, .dictionary)
      for position in 0..<nodes.count {
        do throws(ArchiveError) {
          guard case .integer(let key) = try graph.key(of: nodes, at: position) else {
            throw damaged("a key of mapData is not an integer")
          }
          guard case .object(let uid, _) = try graph.value(of: nodes, at: position) else {
            throw damaged("a value of mapData is not a node")
          }
          try readNode(uid, key: key)
        } catch {
          guard error.limit == nil else { throw error }
          try builder.lose(error)
        }
      }
    }

    private mutating func readNode(_ uid: Int, key: Int64) throws(ArchiveError) {
      let node = try graph.object(uid)
      for key in graph.keys(ofShape: node.shape) where !Self.nodeKeys.contains(key) {
        let owner = graph.classes[node.class.index].name
        unreadKeys[UnreadKey(owner: owner, key: key), default: 0] += 1
      }
      func value(_ name: String) throws(ArchiveError) -> GraphValue {
        guard let position = graph.position(of: name, in: node) else { return .null }
        return try graph.value(of: node, at: position)
      }
      var record: String?
      func misplaced(_ error: ArchiveError, _ name: String) -> ArchiveError {
        error.placed(at: record.map { .record($0, property: name) } ?? .object(uid, key: name))
      }
      guard case .integer(key) = try value("NSPrimaryKey64") else {
        throw misplaced(
          damaged("a node has another key than the one it is under"), "NSPrimaryKey64")
      }
      guard case .text(let text) = try value("NSEntityName") else {
        throw misplaced(damaged("a node has no entity"), "NSEntityName")
      }
      let name = text.string
      let identity = "\(name) \(key)"
      record = identity
      guard let place = builder.schema.place(of: name), storedEntities.contains(name) else {
        throw misplaced(ArchiveError(.unknownEntity, name: name), "NSEntityName")
      }
      guard case .collection(let row, .array) = try value("NSAttributeValues") else {
        throw misplaced(damaged("a node has no row of values"), "NSAttributeValues")
      }
      let entity = builder.schema.entities[place]
      let elements = try graph.elements(of: row, .array)
      guard elements.count == entity.keys.count else {
        let counts = "\(elements.count) values, where \(name) has \(entity.keys.count) properties"
        throw misplaced(ArchiveError(.wrongValueCount, name: counts), "NSAttributeValues")
      }
      guard elements.count == 0 || rows.insert(row).inserted else {
        throw misplaced(damaged("several nodes have one row of values"), "NSAttributeValues")
      }
      guard try builder.add(entity: place, name: .key(key)) else { return }
      try readRow(elements, of: entity, identity)
      try readRelatedNodes(try value("NSRelatedNodes"), of: entity, identity)
    }

    // MARK: Values

    private mutating func readRow(
      _ row: GraphElements, of entity: AtomicSchema.Entity, _ record: String
    ) throws(ArchiveError) {
      for (position, attribute) in entity.attributesByLevel.enumerated() {
        let property = entity.attributes[attribute]
        do throws(ArchiveError) {
          builder.set(
            attribute: attribute, try values.value(of: row, at: position, as: property.type))
        } catch {
          try builder.lose(error.placed(at: .record(record, property: property.name)))
        }
      }
      for position in entity.attributes.count..<row.count {
        switch try graph.value(of: row, at: position) {
        case .null, .nsNull: break
        default:
          let error = damaged("a value is in the place of a relationship")
          try builder.lose(error.placed(at: .record(record, property: "NSAttributeValues")))
        }
      }
    }

    private mutating func readRelatedNodes(
      _ value: GraphValue, of entity: AtomicSchema.Entity, _ record: String
    ) throws(ArchiveError) {
      switch value {
      case .null, .nsNull: return
      case .collection(let id, .dictionary):
        let pairs = try graph.elements(of: id, .dictionary)
        var met: Set<String> = []
        for position in 0..<pairs.count {
          guard case .text(let text) = try graph.key(of: pairs, at: position) else {
            try builder.lose(damaged("a relationship has no name"))
            continue
          }
          let name = text.string
          do throws(ArchiveError) {
            guard met.insert(name).inserted else { throw ArchiveError(.repeatedKey) }
            let keys = try keys(in: try graph.value(of: pairs, at: position))
            try setRelationship(name, of: entity, to: keys)
          } catch {
            guard error.limit == nil else { throw error }
            try builder.lose(error.placed(at: .record(record, property: name)))
          }
        }
      default:
        try builder.lose(
          damaged("the relationships of a node are not a dictionary")
            .placed(at: .record(record, property: "NSRelatedNodes")))
      }
    }

    private mutating func setRelationship(
      _ name: String, of entity: AtomicSchema.Entity, to keys: [Int64]
    ) throws(ArchiveError) {
      guard let place = entity.relationships.firstIndex(where: { $0.name == name }) else {
        guard keys.isEmpty else {
          throw ArchiveError(.unknownProperty, name: "\(entity.name).\(name)")
        }
        return
      }
      var references: [Int32] = []
      references.reserveCapacity(keys.count)
      for key in keys { references.append(try builder.reference(to: .key(key))) }
      try builder.set(relationship: place, to: references)
    }

    /// The primary keys in an array; one that stands by itself is one, too.
    private mutating func keys(in value: GraphValue) throws(ArchiveError) -> [Int64] {
      switch value {
      case .null, .nsNull: return []
      case .integer(let key): return [key]
      case .collection(let id, let kind) where !kind.isKeyed:
        let elements = try graph.elements(of: id, kind)
        try budget.spend(elements: elements.count)
        var keys: [Int64] = []
        keys.reserveCapacity(elements.count)
        for position in 0..<elements.count {
          guard case .integer(let key) = try graph.value(of: elements, at: position) else {
            throw ArchiveError(.wrongKind, name: "a primary key")
          }
          keys.append(key)
        }
        return keys
      default: throw ArchiveError(.wrongKind, name: "an array of primary keys")
      }
    }
  }
}
