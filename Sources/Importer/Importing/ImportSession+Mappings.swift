import ArchiveReader
import Foundation

extension ImportSession {
  /// Makes the rows that entity mappings make of an object.
  func runMappings(_ numbers: [Int], on object: ArchivedObject) throws {
    let className = importer.reader.classes[object.class.index].name
    noteUnread(object, className)
    let isSimple = numbers.count == 1 && pass.entities[numbers[0]].isSimple
    var rows: [ResolvedRow]
    if isSimple {
      let reference = reserve(object.uid, pass.entities[numbers[0]].entity)
      rows = [ResolvedRow(plan: numbers[0], reference: reference, wasFound: false)]
    } else {
      rows = try resolve(object.uid, numbers)
    }
    // Other passes may take what the filters of one leave out.
    if rows.isEmpty, context.plan.passes(of: className).last == pass.number,
      context.earlierRows(of: object.uid, archive: archiveID).isEmpty
    {
      context.report.filteredObjects[className, default: 0] += 1
    }
    for row in rows {
      guard pass.entities[row.plan].policy == nil else {
        policySources.append((object.uid, row.plan))
        try importer.reachAll(of: object)
        continue
      }
      let instance = context.register(row.reference, wasFound: row.wasFound)
      try handOutRows(of: object, row.plan)
      try fill(instance, from: object, row.plan)
      try relate(instance, from: object, row.plan)
      try context.flush()
      try noteOrigin(of: row.reference, object)
      context.associations.add(
        SourceKey(archiveID, object.uid), row.reference, pass.entities[row.plan].name)
    }
  }

  /// Hands out the rows that an object refers to, in the order of its keys: single ones before
  /// those of collections, as plain rows do.
  private func handOutRows(of object: ArchivedObject, _ number: Int) throws {
    let positions = referencePositions(number, object)
    for position in positions {
      let value = try importer.reader.value(of: object, at: position)
      if case .object(let uid, let id) = value { _ = try rows(of: uid, id) }
    }
    for position in positions {
      let value = try importer.reader.value(of: object, at: position)
      guard case .collection(let id, let kind) = value else { continue }
      let elements = try importer.reader.elements(of: id, kind)
      for place in 0..<elements.count { _ = try element(elements, place) }
    }
  }

  /// Whether an entity mapping takes an object.
  func passes(_ plan: EntityPlan, _ object: ArchivedObject) throws -> Bool {
    guard let filter = plan.filter else { return true }
    do {
      return try filter.evaluate(in: ObjectScope(self, object))
    } catch {
      context.report.add(
        ValidationError(
          .expressionFailed, entity: context.entities[plan.entity].name, detail: "\(error)"),
        at: place)
      return false
    }
  }

  // MARK: Attributes

  /// Sets the attributes and collections of a row from an object.
  func fill(_ instance: DestinationInstance, from object: ArchivedObject, _ number: Int) throws {
    let plan = pass.entities[number]
    let positions = keyPositions(number, object)
    for (place, attribute) in plan.attributes.enumerated() {
      if attribute.conversion == nil, case .keyPath(let path) = attribute.source, path.count == 1 {
        guard positions[place] >= 0 else { continue }
        let value = try importer.reader.value(of: object, at: positions[place])
        if attribute.leaves.contains(value) { continue }
        instance.slots[attribute.attribute] = try slot(of: value)
      } else {
        switch try evaluate(attribute, of: object, number, notes: true) {
        case .absent: continue
        case .refused: instance.refused.insert(attribute.attribute)
        case .value(let value): instance.slots[attribute.attribute] = .value(value)
        }
      }
      if instance.isWritten { instance.changed.insert(attribute.attribute) }
    }
    for collection in plan.collections {
      guard let position = importer.reader.position(of: collection.key, in: object) else {
        continue
      }
      let value = try importer.reader.value(of: object, at: position)
      if case .collection = value { instance.collections[collection.name] = .archived(value) }
    }
  }

  /// A value as it is bound: straight from the archive where that is possible.
  func slot(of value: ArchivedValue) throws -> DestinationInstance.Slot {
    switch value {
    case .object, .collection: .value(try importValue(of: value))
    case .null, .nsNull: .unset
    default: .archived(value)
    }
  }

  /// What the source of an attribute gives.
  enum Evaluated {
    /// A value, converted.
    case value(ImportValue)
    /// There is nothing under the key: the default stays.
    case absent
    /// What is there cannot be converted, which was noted as an error.
    case refused

    /// The value, if there is one.
    var value: ImportValue {
      if case .value(let value) = self { value } else { .null }
    }
  }

  /// The value of an attribute, converted.
  func evaluate(
    _ plan: AttributePlan, of object: ArchivedObject, _ number: Int, notes: Bool
  ) throws -> Evaluated {
    let attribute = context.entities[pass.entities[number].entity].attributes[plan.attribute]
      .attribute
    func refuse(_ code: ValidationError.Code, _ value: ImportValue?, _ detail: String?) -> Evaluated
    {
      guard notes else { return .refused }
      context.report.add(
        ValidationError(
          code, entity: context.entities[pass.entities[number].entity].name,
          property: attribute.name, kind: value?.kind, detail: detail), at: placeOf(plan.source))
      return .refused
    }
    if plan.conversion?.needsArchive == true {
      let copy = try archivedCopy(of: plan.source, object)
      return copy.isNull ? .absent : .value(copy)
    }
    guard let value = try value(of: plan.source, object, attribute.name, notes: notes) else {
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
      context.report.addLoss(
        at: placeOf(plan.source), before: value, after: converted.value, reason: loss.reason)
    }
    return .value(converted.value)
  }

  /// What stands under a key, as an archive of its own.
  private func archivedCopy(of source: ValueSource, _ object: ArchivedObject) throws -> ImportValue
  {
    guard case .keyPath(let path) = source, path.count == 1,
      let position = importer.reader.position(of: path[0], in: object)
    else { return .null }
    if case .null = try importer.reader.value(of: object, at: position) { return .null }
    var copy = ArchivedCopy(importer.reader, limits: context.plan.limits)
    return .data(try copy.data(of: importer.reader.table[object.values, position]))
  }

  private func placeOf(_ source: ValueSource) -> ImportFindings.Place {
    var place = self.place
    if case .keyPath(let path) = source { place.key = path.joined(separator: ".") }
    return place
  }

  /// What a source gives for an object; nil where an expression has no value.
  private func value(
    of source: ValueSource, _ object: ArchivedObject, _ property: String, notes: Bool
  ) throws -> ImportValue? {
    switch source {
    case .constant(let value):
      return value
    case .keyPath(let path):
      return try value(forKeyPath: path, of: object)
    case .expression(let expression):
      do {
        return try rows(for: try expression.evaluate(in: ObjectScope(self, object)))
      } catch let error as ExpressionFailure {
        if notes {
          context.report.add(
            ValidationError(.expressionFailed, property: property, detail: "\(error)"), at: place)
        }
        return nil
      }
    }
  }

  // MARK: Relationships

  /// Sets the relationships of a row from an object.
  func relate(_ instance: DestinationInstance, from object: ArchivedObject, _ number: Int) throws {
    for plan in pass.entities[number].relationships {
      try relate(instance.reference, plan, from: object)
    }
  }

  private func relate(
    _ owner: RowReference, _ plan: RelationshipPlan, from object: ArchivedObject
  ) throws {
    let place = context.relationships[plan.relationship]
    if let split = plan.split {
      guard let value = try value(of: plan.source, object, place.name, notes: true) else { return }
      let rows = try parts(of: value, split).map(ImportValue.row)
      if !rows.isEmpty { context.relate(.list(rows), plan.relationship, of: owner) }
      return
    }
    guard case .keyPath(let path) = plan.source, path.count == 1 else {
      if let value = try value(of: plan.source, object, place.name, notes: true) {
        context.relate(value, plan.relationship, of: owner)
      }
      return
    }
    guard let position = importer.reader.position(of: path[0], in: object) else { return }
    let value = try importer.reader.value(of: object, at: position)
    if plan.leaves.contains(value) { return }
    let members = try self.members(value, place, plan.entityMapping)
    if let members { context.relate(members, plan.relationship, of: owner) }
  }

  /// The rows that a value leads to; nil for nothing.
  private func members(
    _ value: ArchivedValue, _ place: RelationshipPlace, _ mapping: String?
  ) throws -> ImportValue? {
    switch value {
    case .null, .nsNull:
      return nil
    case .object(let uid, let id):
      guard
        let row = try row(of: uid, id, fitting: place.destinations, mapping: mapping)
      else { return nil }
      return place.isToMany ? .list([.row(row)]) : .row(row)
    case .collection(let id, let kind):
      let elements = try importer.reader.elements(of: id, kind)
      var rows: [ImportValue] = []
      for position in 0..<elements.count {
        let element = try importer.reader.value(of: elements, at: position)
        guard case .object(let uid, let elementClass) = element else {
          let plain = try importValue(of: element)
          // What stands for nothing is a hole.
          if !plain.isNull { rows.append(plain) }
          continue
        }
        if let row = try row(
          of: uid, elementClass, fitting: place.destinations, mapping: mapping)
        {
          rows.append(.row(row))
        }
      }
      return .list(rows)
    default:
      return try importValue(of: value)
    }
  }

  /// The rows that the parts of a value find or make.
  private func parts(of value: ImportValue, _ split: SplitPlan) throws -> [RowReference] {
    var texts: [ImportValue] = []
    switch value {
    case .null: return []
    case .list(let values), .set(let values): texts = values
    case .text(let text):
      if let separator = split.separator, !separator.isEmpty {
        texts = text.split(separator: separator, omittingEmptySubsequences: false)
          .map { .text(String($0)) }
      } else {
        texts = [value]
      }
    default: texts = [value]
    }
    var rows: [RowReference] = []
    let shape = context.entities[split.entity]
    for part in texts {
      var part = part
      if case .text(let text) = part, split.trims {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if trimmed.isEmpty { continue }
        part = .text(trimmed)
      }
      guard !part.isNull else { continue }
      let type = shape.attributes[split.attribute].attribute.type
      let identity = context.coerced(part, to: type)
      let (reference, wasFound) = try context.find(
        split.entity, [split.attribute], [identity], folding: split.folding)
      if !wasFound {
        let instance = context.register(reference, wasFound: false)
        instance.slots[split.attribute] = .value(part)
      }
      if !rows.contains(reference) { rows.append(reference) }
    }
    return rows
  }

  /// How many collections inside collections are followed.
  static let mostDepth = 64
}
