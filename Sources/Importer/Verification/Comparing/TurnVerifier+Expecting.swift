import ArchiveReader

extension TurnVerifier {
  /// Finds out what a row must hold: its cells, and what other tables have of it.
  func expect(_ place: Int, _ table: Int, _ id: Int64) throws -> Row {
    cells.removeAll(keepingCapacity: true)
    for _ in plan.layout.tables[table].columns { cells.append(.nothing) }
    contents.removeAll(keepingCapacity: true)
    let (uid, mapping) = forecast.origin(ofRow: place, table: table)
    guard let uid else { return expectPart(table, id) }
    let object = try forecast.reader.object(uid)
    let entity: Int
    if let mapping {
      entity = forecast.pass.entities[mapping].entity
      try expectMapped(object, mapping, id)
    } else {
      guard case .plain(let number, let names) = forecast.classPlan(of: object.class) else {
        throw ArchiveError(.unreadable, name: "it changed while it was read")
      }
      entity = number
      try expectPlain(object, entity, names)
      expectClaims(on: place + 1, table)
    }
    expectLinks(of: id, entity)
    let form = plan.layout.entities[entity]
    if let column = form.discriminator { cells[column] = .text(form.name) }
    return Row(id: id, uid: uid, entity: form.name)
  }

  // MARK: Rows that stand as they are in the archive

  private func expectPlain(
    _ object: ArchivedObject, _ entity: Int, _ names: [String: String]
  ) throws {
    let places = forecast.places(of: object, entity, names)
    var overflow: [ExpectedElement] = []
    for (position, number) in places.enumerated() where number >= 0 {
      let property = run.properties[entity][number]
      let value = try forecast.reader.value(of: object, at: position)
      switch value {
      case .null, .nsNull:
        break
      case .object(let uid, let id) where property.place.reference != nil:
        // Where both sides may speak, what they say together counts.
        guard run.links == nil, let target = try forecast.row(of: uid, id) else { continue }
        if let column = property.place.reference { cells[column] = .integer(target.id) }
        if let column = property.place.referenceType {
          cells[column] = .text(plan.layout.table(of: target.entity).name)
        }
      case .collection(let id, let kind):
        if let column = property.place.count, property.toMany == nil || run.links == nil {
          cells[column] = .integer(Int64(try forecast.reader.elements(of: id, kind).count))
        }
        // The links of relationships are told by both sides together.
        guard let elements = property.place.elements, property.toMany == nil || run.links == nil
        else { continue }
        contents[elements, default: []].append(.collection(id, kind, property: property.name))
      default:
        if case .object = value {
        } else if let column = property.place.value {
          try expect(.archived(value), column, property.place.runs)
          continue
        }
        let key = ArchivedKey.plain(forecast.reader.shapes[object.shape].keys[position])
        overflow.append(
          ExpectedElement(
            key: .plain(.text(key)), value: try forecast.item(of: value, inCollection: true)))
      }
    }
    if !overflow.isEmpty, let table = plan.layout.entities[entity].overflow {
      contents[table, default: []].append(.elements(overflow, property: ""))
    }
  }

  /// Sets what a column must hold and, for a text with attributes, that of the attributes.
  private func expect(_ value: ExpectedValue, _ column: Int, _ runs: Int?) throws {
    var attributed: ArchivedAttributedString?
    switch value {
    case .archived(.foundation(let uid, _)):
      if case .attributedString(let text) = try forecast.reader.foundationValue(uid) {
        attributed = text
      }
    case .value(.foundation(.attributedString(let text))): attributed = text
    default: break
    }
    guard let runs, let attributed else {
      cells[column] = value
      return
    }
    cells[column] = attributed.text.map { .text($0) } ?? .nothing
    cells[runs] = .text(attributed.runsJSON)
  }

  /// The places that the collections of owners give to a row.
  private func expectClaims(on number: Int, _ table: Int) {
    for (place, claims) in forecast.claims where place.table == table {
      guard let column = claims.positionColumn, let claim = claims.claim(on: number),
        let position = claim.position
      else { continue }
      cells[column] = .integer(position)
    }
  }

  // MARK: Rows that mappings made

  private func expectMapped(_ object: ArchivedObject, _ number: Int, _ id: Int64) throws {
    let mapping = forecast.pass.entities[number]
    let shape = run.shapes[mapping.entity]
    let key = RunForecast.RowKey(table: shape.table, id: id)
    var values = try forecast.attributes(of: object, number, isFirst: true)
    for (attribute, value) in run.laterValues[key] ?? [:] { values[attribute] = value }
    try expect(values, shape)
    let later = run.laterCollections[key] ?? [:]
    for collection in mapping.collections {
      guard let place = plan.layout.entities[mapping.entity].properties[collection.name],
        let table = place.elements
      else { continue }
      if let elements = later[collection.name] {
        contents[table, default: []].append(.elements(elements, property: collection.name))
        continue
      }
      guard let position = forecast.reader.position(of: collection.key, in: object),
        case .collection(let id, let kind) = try forecast.reader.value(of: object, at: position)
      else { continue }
      contents[table] = [.collection(id, kind, property: collection.name)]
      if let column = place.count {
        cells[column] = .integer(Int64(try forecast.reader.elements(of: id, kind).count))
      }
    }
  }

  private func expect(_ values: [Int: ExpectedValue], _ shape: EntityShape) throws {
    var overflow: [ExpectedElement] = []
    for (number, value) in values.sorted(by: { $0.key < $1.key }) {
      let stored = shape.attributes[number]
      if let column = stored.column {
        try expect(value, column, stored.runs)
      } else if stored.overflow != nil, !value.isNothing {
        overflow.append(
          ExpectedElement(
            key: .plain(.text(stored.attribute.name)), value: .plain(value)))
      }
    }
    if !overflow.isEmpty, let table = plan.layout.entities[shape.number].overflow {
      contents[table, default: []].append(.elements(overflow, property: ""))
    }
  }

  /// A row that was made of a part of a value.
  private func expectPart(_ table: Int, _ id: Int64) -> Row {
    let key = RunForecast.RowKey(table: table, id: id)
    guard let part = run.parts[key] else {
      return Row(id: id, uid: nil, entity: plan.layout.tables[table].name)
    }
    let shape = run.shapes[part.entity]
    for (number, stored) in shape.attributes.enumerated() {
      guard let column = stored.column else { continue }
      cells[column] =
        number == part.attribute
        ? .value(RowForecast.coerced(part.value, to: stored.attribute.type))
        : RowForecast.defaultValue(of: stored.attribute) ?? .nothing
      if let later = run.laterValues[key]?[number] { cells[column] = later }
    }
    expectLinks(of: id, part.entity)
    if let column = shape.discriminator { cells[column] = .text(shape.name) }
    return Row(id: id, uid: nil, entity: shape.name)
  }

  // MARK: Relationships of which both sides may speak

  private func expectLinks(of id: Int64, _ entity: Int) {
    guard let links = run.links else { return }
    let shape = run.shapes[entity]
    for number in shape.relationshipNumbers.values {
      let place = run.relationships[number]
      guard !place.isToMany else {
        if let column = place.count, let count = links.count(number, of: id) {
          cells[column] = .integer(Int64(count))
        }
        continue
      }
      let cell = links.cell(number, of: id)
      guard cell.target != 0, let reference = place.reference else { continue }
      cells[reference] = .integer(cell.target)
      if let column = place.referenceType, cell.targetEntity >= 0 {
        cells[column] = .text(plan.layout.table(of: Int(cell.targetEntity)).name)
      }
      if cell.position >= 0, let inverse = place.inverse,
        let column = run.relationships[inverse].memberPosition
      {
        cells[column] = .integer(Int64(cell.position))
      }
    }
  }
}
