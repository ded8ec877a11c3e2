import ArchiveReader
import Stores

extension ImportContext {
  /// Writes a collection of plain values into its table of elements.
  ///
  /// What a row that was found had there before is replaced; where that was something else, it is a
  /// conflict.
  func writeElements(
    _ slot: RowSlots.Slot, of name: String, in instance: RowInstance
  ) throws {
    let row = instance.reference
    guard let index = plan.layout.entities[row.entity].properties[name]?.elements else { return }
    let table = plan.layout.elementTables[index]
    guard instance.wasFound else { return try writeElements(slot, name, table, index, instance) }
    let known = try storedRows.elements(in: table, of: row.id)
    // Where all collections that this run has there are empty, it cannot tell whether they are of
    // values, which replace others, or of rows.
    if !known.isEmpty, entities[row.entity].collections[name]?.isAlwaysEmpty == true { return }
    try store.change(
      "DELETE FROM \(SQL.quoted(table.table.name)) WHERE "
        + "\(SQL.quoted(table.table.columns[table.owner].name)) = ?",
      [.integer(row.id)])
    try writeElements(slot, name, table, index, instance)
    if let column = plan.layout.entities[row.entity].properties[name]?.count,
      let count = try count(of: slot)
    {
      try store.update(column, of: entities[row.entity].table, row: row.id) {
        $0.set(0, Int64(count))
      }
    }
    guard instance.isMerged,
      try !known.isEmpty && storedRows.elements(in: table, of: row.id) != known
    else { return }
    report.add(
      ImportConflict(
        .differentValue, at: location, entity: entities[row.entity].name, row: row.id,
        property: name))
  }

  private func writeElements(
    _ slot: RowSlots.Slot, _ name: String, _ table: RelationalLayout.ElementTable, _ index: Int,
    _ instance: RowInstance
  ) throws {
    switch slot {
    case .unset:
      break
    case .archived(.collection(let id, let kind)):
      guard let session else { return }
      let elements = try session.graph.elements(of: id, kind)
      var written = CollectionElement.Written()
      for position in 0..<elements.count {
        let element = try session.mappedElement(elements, position)
        try session.begin(
          element, in: table, owner: instance.reference.id, &written)
        try store.insert(elementTable: index)
      }
      for value in written.inexact { session.noteInexact(value, name) }
    case .archived(let value):
      try writeElements(
        [(nil, session?.exactValue(of: value, under: name) ?? .null)], table, index, instance)
    case .value(.list(let values)), .value(.set(let values)):
      try writeElements(values.map { (nil, $0) }, table, index, instance)
    case .value(.dictionary(let pairs)):
      try writeElements(pairs.map { ($0.key, $0.value) }, table, index, instance)
    case .value(let value):
      try writeElements(value.isNull ? [] : [(nil, value)], table, index, instance)
    }
  }

  private func writeElements(
    _ elements: [(key: ImportValue?, value: ImportValue)], _ table: RelationalLayout.ElementTable,
    _ index: Int, _ instance: RowInstance
  ) throws {
    let row = store.elementRow
    for (position, element) in elements.enumerated() {
      row.clear(table.table.columns.count)
      row.set(table.owner, instance.reference.id)
      if let column = table.position { row.set(column, Int64(position)) }
      if let key = element.key {
        set(key, table, table.key, table.keyReference, table.keyType, row)
      }
      set(element.value, table, table.value, table.reference, table.referenceType, row)
      try store.insert(elementTable: index)
    }
  }

  private func set(
    _ value: ImportValue, _ table: RelationalLayout.ElementTable, _ column: Int?,
    _ reference: Int?, _ type: Int?, _ row: RowBuffer
  ) {
    if case .row(let member) = value {
      guard let reference, let member = resolved(member) else { return }
      row.set(reference, member.id)
      if let type { row.set(type, plan.layout.table(of: member.entity).name) }
    } else if case .real(let number) = value, let column, RealColumn.changes(number),
      table.table.columns[column].type == .real
    {
      row.set(column, RealColumn.kept(of: number).value)
      report.addLoss(of: .real(number), at: location)
    } else if let column {
      row.set(column, value)
    }
  }

  /// The number of elements of a collection; nil if the slot holds none.
  func count(of slot: RowSlots.Slot) throws -> Int? {
    switch slot {
    case .archived(.collection(let id, let kind)):
      try session?.graph.elements(of: id, kind).count
    case .value(.list(let values)), .value(.set(let values)): values.count
    case .value(.dictionary(let pairs)): pairs.count
    default: nil
    }
  }
}

extension ImportContext {
  /// The result of evaluating the source of an attribute.
  enum EvaluatedAttribute {
    /// A value, converted.
    case value(ImportValue)
    /// There is nothing under the key: the default stays.
    case absent
    /// The value cannot be converted, which was noted as an error.
    case refused

    /// The value, if there is one.
    var value: ImportValue {
      if case .value(let value) = self { value } else { .null }
    }
  }
}

extension ImportContext {
  /// Converts the value from the source of an attribute.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - plan: The plan of the attribute.
  ///   - attribute: The attribute.
  ///   - entity: The name of the entity.
  ///   - notes: True if errors and losses are noted.
  ///   - location: The place to note them at.
  /// - Returns: The result for the attribute.
  func converted(
    _ value: ImportValue, _ plan: ImportPlan.AttributePlan, _ attribute: Attribute, entity: String,
    notes: Bool, at location: @autoclosure () -> ImportFindings.Location
  ) -> EvaluatedAttribute {
    func locationOfKey() -> ImportFindings.Location {
      var location = location()
      if case .keyPath(let path) = plan.source { location.key = path.joined(separator: ".") }
      return location
    }
    func refuse(
      _ code: ValidationError.Code, _ value: ImportValue?, _ detail: String?
    ) -> EvaluatedAttribute {
      guard notes else { return .refused }
      report.add(
        ValidationError(
          code, entity: entity, property: attribute.name, kind: value?.kind, detail: detail),
        at: locationOfKey())
      return .refused
    }
    var converted = ConvertedValue(value)
    do {
      if let conversion = plan.conversion { converted = try conversion.convert(value) }
    } catch {
      return refuse(.conversionFailed, value, "\(error)")
    }
    if converted.value.isNull {
      // An absent key leaves the default, which is not for what a conversion replaced by nothing.
      if value.isNull, plan.source.keyPath != nil { return .absent }
      if !value.isNull, !attribute.isOptional { return refuse(.missingValue, nil, nil) }
    }
    if notes, let loss = converted.loss {
      var location = locationOfKey()
      // An expression has no key, and a constant no object.
      location.key = location.key ?? attribute.name
      location.className = location.className ?? entity
      report.addLoss(at: location, before: value, after: converted.value, reason: loss.reason)
    }
    return .value(converted.value)
  }
}
