import ArchiveReader
import DataModel
import Importer
import Stores
import Support

extension ArchiveVerifier {
  /// Finds out what a row must hold: its cells, and what other tables have of it.
  ///
  /// - Parameters:
  ///   - ordinal: The position of the row among those of this turn.
  ///   - rows: The facts that all rows of its table share.
  ///   - row: The expected row.
  /// - Throws: `ArchiveError` if the archive cannot be read.
  func expect(_ ordinal: Int, of rows: TableRows, _ row: inout ExpectedRow) throws {
    let id = rows.base + Int64(ordinal) + 1
    let (uid, mapping) = expectedRows.ledger.origin(ofRow: ordinal, table: rows.table)
    row.begin(id, uid: uid, columns: rows.columnCount)
    guard let uid else { return expectPart(rows.table, &row) }
    let object = try expectedRows.graph.object(uid)
    let entity: Int
    if let mapping {
      let made = expectedRows.pass.entities[mapping].entity
      entity = run.narrowed[RowKey(table: rows.table, id: id)] ?? made
      try expectMapped(object, mapping, entity, &row)
      let form = plan.layout.entities[entity]
      row.entity = form.name
      if let column = form.discriminator { row.cells[column] = .text(form.name) }
    } else {
      guard case .plain(let index, _) = expectedRows.use(of: object.class) else {
        throw ArchiveError.unplanned
      }
      entity = index
      let keys = expectedRows.keys(of: object, index)
      try expectPlain(object, keys, &row)
      for owners in rows.owners {
        guard let column = owners.positionColumn, let position = owners.position(of: ordinal + 1)
        else { continue }
        row.cells[column] = .integer(position)
      }
      row.entity = keys.name
      if let column = keys.discriminator { row.cells[column] = .text(keys.name) }
    }
    expectLinks(of: entity, &row)
  }

  // MARK: Rows that stand as they are in the archive

  func expectPlain(
    _ object: GraphObject, _ keys: ExpectedRows.PlainKeys, _ row: inout ExpectedRow
  ) throws {
    try expectedRows.graph.read(object, into: &row.values)
    var overflow: [ExpectedElement] = []
    for use in keys.uses {
      let value = row.values[use.position]
      switch value {
      case .null, .nsNull:
        break
      case .object(let uid, let id) where use.storage.reference != nil:
        // Where both sides may speak, what they say together counts.
        guard run.links == nil, let target = try expectedRows.row(of: uid, id) else { continue }
        if let column = use.storage.reference { row.cells[column] = .integer(target.id) }
        if let column = use.storage.referenceType {
          row.cells[column] = .text(plan.layout.table(of: target.entity).name)
        }
      case .collection(let id, let kind):
        if let column = use.storage.count, use.toMany == nil || run.links == nil {
          row.cells[column] = .integer(Int64(try expectedRows.graph.elements(of: id, kind).count))
        }
        // The links of relationships are told by both sides together.
        guard let elements = use.storage.elements, use.toMany == nil || run.links == nil
        else { continue }
        let name = run.properties[keys.entity][use.property].name
        row.contents[elements, default: []].append(.collection(id, kind, property: name))
      default:
        if case .object = value {
        } else if let column = use.storage.value {
          try expect(.archived(value), column, use.storage.runs, &row)
          continue
        }
        let name = run.properties[keys.entity][use.property].name
        overflow.append(
          ExpectedElement(
            key: .plain(.text(name)),
            value: try expectedRows.item(of: value, inCollection: true)))
      }
    }
    if !overflow.isEmpty, let table = keys.overflow {
      row.contents[table, default: []].append(.elements(overflow, property: ""))
    }
  }

  /// Sets what a column must hold and, for a text with attributes, that of the attributes.
  private func expect(
    _ value: ExpectedValue, _ column: Int, _ runs: Int?, _ row: inout ExpectedRow
  ) throws {
    guard let runs else {
      row.cells[column] = value
      return
    }
    var attributed: ArchivedAttributedString?
    switch value {
    case .archived(.foundation(let uid, _)):
      attributed = try expectedRows.graph.foundationValue(uid)?.as(ArchivedAttributedString.self)
    case .value(let value): attributed = value.attributedText
    default: break
    }
    guard let attributed else {
      row.cells[column] = value
      return
    }
    row.cells[column] = attributed.text.map { .text($0) } ?? .nothing
    row.cells[runs] = .text(attributed.runsJSON)
  }

  // MARK: Rows that mappings made

  private func expectMapped(
    _ object: GraphObject, _ index: Int, _ entity: Int, _ row: inout ExpectedRow
  ) throws {
    let shape = run.shapes[entity]
    let key = RowKey(table: shape.table, id: row.id)
    let keys = expectedRows.mappedKeys(of: object, index)
    try expectedRows.graph.read(object, into: &row.values)
    try expectAttributes(of: object, keys, shape, key, &row)
    let later = run.laterCollections.isEmpty ? [:] : run.laterCollections[key] ?? [:]
    let collections = expectedRows.pass.entities[index].collections
    guard !collections.isEmpty || !later.isEmpty else { return }
    let properties = plan.layout.entities[entity].properties
    for (name, elements) in later.sorted(by: { $0.key < $1.key })
    where !collections.contains(where: { $0.name == name }) {
      guard let storage = properties[name], let table = storage.elements else { continue }
      if let column = storage.count { row.cells[column] = .integer(Int64(elements.count)) }
      row.contents[table, default: []].append(.elements(elements, property: name))
    }
    for (collection, position) in zip(collections, keys.collections) {
      guard let storage = properties[collection.name],
        let table = storage.elements
      else { continue }
      if let elements = later[collection.name] {
        if let column = storage.count { row.cells[column] = .integer(Int64(elements.count)) }
        row.contents[table, default: []].append(.elements(elements, property: collection.name))
        continue
      }
      guard let position,
        case .collection(let id, let kind) = try expectedRows.unwrapped(
          row.values[position], reaches: false)
      else { continue }
      row.contents[table] = [.collection(id, kind, property: collection.name)]
      if let column = storage.count {
        row.cells[column] = .integer(Int64(try expectedRows.graph.elements(of: id, kind).count))
      }
    }
  }

  /// Sets what the attributes of a row must hold: what its objects say, else the defaults.
  private func expectAttributes(
    of object: GraphObject, _ keys: ExpectedRows.MappedKeys, _ shape: EntityShape, _ key: RowKey,
    _ row: inout ExpectedRow
  ) throws {
    let later = run.laterValues.isEmpty ? [:] : run.laterValues[key] ?? [:]
    var isSet = [Bool](repeating: false, count: shape.attributes.count)
    var overflow: [(index: Int, element: ExpectedElement)] = []
    func set(_ index: Int, _ value: ExpectedValue) throws {
      let stored = shape.attributes[index]
      let value = later[index] ?? value
      isSet[index] = true
      if let column = stored.column {
        try expect(value, column, stored.runs, &row)
      } else if stored.overflow != nil, !value.isNothing {
        let name = stored.attribute.name
        overflow.append(
          (index, ExpectedElement(key: .plain(.text(name)), value: .plain(value))))
      }
    }
    try expectedRows.forEachAttribute(of: object, keys, row.values, isFirst: true, set)
    for (index, stored) in shape.attributes.enumerated() where !isSet[index] {
      let value = later[index] ?? ExpectedRows.defaultValue(of: stored.attribute)
      if let value { try set(index, value) }
    }
    guard !overflow.isEmpty, let table = plan.layout.entities[shape.index].overflow else { return }
    let elements = overflow.sorted { $0.index < $1.index }.map(\.element)
    row.contents[table, default: []].append(.elements(elements, property: ""))
  }

  /// A row that was made of a part of a value.
  private func expectPart(_ table: Int, _ row: inout ExpectedRow) {
    let key = RowKey(table: table, id: row.id)
    guard let part = run.parts[key] else {
      row.entity = plan.layout.tables[table].name
      return
    }
    let shape = run.shapes[part.entity]
    for (index, stored) in shape.attributes.enumerated() {
      guard let column = stored.column else { continue }
      row.cells[column] =
        index == part.attribute
        ? .value(ValueCoercion.coerced(part.value, to: stored.attribute.type))
        : ExpectedRows.defaultValue(of: stored.attribute) ?? .nothing
      if let later = run.laterValues[key]?[index] { row.cells[column] = later }
    }
    expectLinks(of: part.entity, &row)
    if let column = shape.discriminator { row.cells[column] = .text(shape.name) }
    row.entity = shape.name
  }

  // MARK: Relationships of which both sides may speak

  private func expectLinks(of entity: Int, _ row: inout ExpectedRow) {
    guard let links = run.links else { return }
    for index in run.relationshipIndices[entity] {
      let stored = run.relationships[index]
      guard !stored.isToMany else {
        if let column = stored.count, let count = links.count(index, of: row.id) {
          row.cells[column] = .integer(Int64(count))
        }
        continue
      }
      let cell = links.cell(index, of: row.id)
      guard cell.target != 0, let reference = stored.reference else { continue }
      row.cells[reference] = .integer(cell.target)
      if let column = stored.referenceType, cell.targetEntity >= 0 {
        row.cells[column] = .text(plan.layout.table(of: Int(cell.targetEntity)).name)
      }
      if cell.position >= 0, let inverse = stored.inverse,
        let column = run.relationships[inverse].memberPosition
      {
        row.cells[column] = .integer(Int64(cell.position))
      }
    }
  }
}
