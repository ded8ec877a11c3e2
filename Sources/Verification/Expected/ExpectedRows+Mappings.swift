import ArchiveReader
import DataModel
import Importer
import Mappings
import Stores

/// The rows that entity mappings make of objects.
extension ExpectedRows {
  /// Foresees what entity mappings make of an object, when it has its turn.
  func visitMapped(_ object: GraphObject, _ indices: [Int]) throws {
    let rows: [MadeRow]
    if case .simple(let index, let entity, let table) = use(of: object.class) {
      let row = ledger.ownRow(of: object.uid, table, mapping: index)
      rows = [
        MadeRow(
          mapping: index, reference: RowReference(entity: entity, id: row), wasFound: false)
      ]
    } else {
      rows = try resolve(object.uid, indices)
    }
    var values: [GraphValue] = []
    try graph.read(object, into: &values)
    if rows.isEmpty {
      // A filter says nothing of what the object refers to.
      for index in indices {
        for position in mappedKeys(of: object, index).references {
          try reach(try unwrapped(values[position]))
        }
      }
    }
    for row in rows {
      let keys = mappedKeys(of: object, row.mapping)
      try handOutRows(keys, values)
      // Values may hand out rows, too, in the order of the attributes.
      if pass.entities[row.mapping].identity.isEmpty {
        try handOutRows(ofAttributes: object, keys, values)
        try relate(row.reference, object, keys, values)
      } else {
        var attributes: [Int: ExpectedValue] = [:]
        try forEachAttribute(of: object, keys, values, isFirst: !row.wasFound) {
          if row.wasFound { attributes[$0] = detached($1) }
        }
        try relate(row.reference, object, keys, values)
        noteTurn(row, try collections(row, keys, values), attributes)
      }
      noteMade(row.reference, of: object.uid, row.mapping)
    }
  }

  /// Notes that the object of a row with an identity has had its turn.
  private func noteTurn(
    _ row: MadeRow, _ elements: [String: [ExpectedElement]], _ values: [Int: ExpectedValue]
  ) {
    let table = plan.layout.entities[row.reference.entity].table
    let key = RowKey(table: table, id: row.reference.id)
    if row.wasFound { run.add(values, elements, to: key) } else { run.begun.insert(key) }
  }

  /// The elements of an object's collections that an earlier object may have filled.
  private func collections(
    _ row: MadeRow, _ keys: MappedKeys, _ values: [GraphValue]
  ) throws -> [String: [ExpectedElement]] {
    guard row.wasFound else { return [:] }
    var found: [String: [ExpectedElement]] = [:]
    for (collection, position) in zip(pass.entities[row.mapping].collections, keys.collections) {
      guard let position, case .collection(let id, let kind) = try unwrapped(values[position])
      else { continue }
      let elements = try graph.elements(of: id, kind)
      found[collection.name] = try (0..<elements.count).map { position in
        var element = try element(elements, at: position)
        element.key = detached(element.key)
        element.value = detached(element.value)
        return element
      }
    }
    return found
  }

  /// A value that outlasts the archive's turn.
  func detached(_ value: ExpectedValue) -> ExpectedValue {
    guard case .archived(let archived) = value else { return value }
    switch StoredValue(archived, graph) {
    case .null: return .nothing
    case .integer(let value): return .integer(value)
    case .real(let value): return .value(.real(value))
    case .text(let text): return .text(text)
    case .blob(let data): return .value(.data(data))
    }
  }

  private func detached(_ item: ExpectedElement.Item) -> ExpectedElement.Item {
    if case .plain(let value) = item { .plain(detached(value)) } else { item }
  }

  /// The rows that the entity mappings make of an object, which may become several, an older one or
  /// none.
  func resolve(_ uid: Int, _ indices: [Int]) throws -> [MadeRow] {
    if let known = several[uid] { return known }
    let object = try graph.object(uid)
    var rows: [MadeRow] = []
    for index in indices {
      let mapping = pass.entities[index]
      if let filter = mapping.filter {
        guard (try? filter.evaluate(in: Scope(self, object))) == true else { continue }
      }
      let table = plan.layout.entities[mapping.entity].table
      func make() -> Int64 { ledger.newRow(table, uid: uid, mapping: index) }
      guard !mapping.identity.isEmpty else {
        rows.append(
          MadeRow(
            mapping: index, reference: RowReference(entity: mapping.entity, id: make()),
            wasFound: false))
        continue
      }
      let shape = run.shapes[mapping.entity]
      let values = try mapping.identity.map { attribute -> ImportValue in
        guard let source = mapping.attributes.first(where: { $0.attribute == attribute }),
          case .value(let value) = try evaluate(source, of: object)
        else { return .null }
        return ValueCoercion.coerced(value, to: shape.attributes[attribute].attribute.type)
      }
      let (id, wasFound) = run.find(
        mapping.entity, mapping.identity, values, .none, make: make)
      rows.append(
        MadeRow(
          mapping: index, reference: RowReference(entity: mapping.entity, id: id),
          wasFound: wasFound))
    }
    several[uid] = rows
    return rows
  }

  // MARK: References

  /// Hands out rows as for a plain object: single ones before those of collections.
  private func handOutRows(_ keys: MappedKeys, _ values: [GraphValue]) throws {
    for position in keys.references {
      if case .object(let uid, let id) = try unwrapped(values[position]) {
        _ = try row(of: uid, id)
      }
    }
    for position in keys.references {
      guard case .collection(let id, let kind) = try unwrapped(values[position]) else { continue }
      let elements = try graph.elements(of: id, kind)
      for position in 0..<elements.count { _ = try element(elements, at: position) }
    }
  }

  /// Notes what an object says of the relationships of its row.
  private func relate(
    _ owner: RowReference, _ object: GraphObject, _ keys: MappedKeys, _ values: [GraphValue]
  ) throws {
    guard let links = run.links else { return }
    for (mapping, position) in zip(pass.entities[keys.mapping].relationships, keys.relationships) {
      let stored = run.relationships[mapping.relationship]
      var members: [RowReference]?
      var keepsOrder = true
      if let split = mapping.split {
        let parts = try parts(of: try value(of: mapping.source, object), split)
        members = parts.isEmpty ? nil : parts
      } else if let path = mapping.source.keyPath, path.count == 1 {
        guard let position else { continue }
        let value = try unwrapped(values[position])
        guard !mapping.leaves.contains(value) else { continue }
        members = try self.members(value, stored, mapping.entityMapping)
        if case .collection(_, let kind) = value { keepsOrder = kind.isOrdered }
      } else {
        let value = try value(of: mapping.source, object)
        members = Self.rows(in: value)
        if case .set = value { keepsOrder = false }
      }
      guard let members else { continue }
      if stored.isToMany {
        links.relate(mapping.relationship, of: owner, toMany: members, keepsOrder: keepsOrder)
      } else if let member = members.first {
        links.relate(mapping.relationship, of: owner, toOne: member)
      }
    }
  }

  /// The rows that a value leads to; nil for nothing.
  private func members(
    _ value: GraphValue, _ stored: StoredRelationship, _ mapping: String?
  ) throws -> [RowReference]? {
    switch value {
    case .null, .nsNull:
      return nil
    case .object(let uid, let id):
      return try row(of: uid, id, fitting: stored.destinations, mapping: mapping).map { [$0] }
    case .collection(let id, let kind):
      let elements = try graph.elements(of: id, kind)
      var rows: [RowReference] = []
      for position in 0..<elements.count {
        let element = try unwrapped(graph.value(of: elements, at: position))
        guard case .object(let uid, let id) = element,
          let row = try row(of: uid, id, fitting: stored.destinations, mapping: mapping)
        else { continue }
        rows.append(row)
      }
      return rows
    default:
      return nil
    }
  }

  private static func rows(in value: ImportValue) -> [RowReference]? {
    switch value {
    case .null: nil
    case .row(let row): [row]
    case .list(let values), .set(let values):
      values.compactMap { if case .row(let row) = $0 { row } else { nil } }
    default: nil
    }
  }

  /// The rows that the parts of a value find or make.
  private func parts(of value: ImportValue, _ split: ImportPlan.SplitPlan) throws -> [RowReference]
  {
    var rows: [RowReference] = []
    let shape = run.shapes[split.entity]
    for part in split.rule.elements(of: value).compactMap(split.rule.part) {
      let type = shape.attributes[split.attribute].attribute.type
      let (id, wasFound) = run.find(
        split.entity, [split.attribute], [ValueCoercion.coerced(part, to: type)], split.rule.folding
      ) { ledger.newRow(shape.table, uid: nil, mapping: nil) }
      if !wasFound {
        let key = RowKey(table: shape.table, id: id)
        run.parts[key] = ExpectedRun.Part(
          entity: split.entity, attribute: split.attribute, value: part)
        run.begun.insert(key)
      }
      let row = RowReference(entity: split.entity, id: id)
      if !rows.contains(row) { rows.append(row) }
    }
    return rows
  }
}
