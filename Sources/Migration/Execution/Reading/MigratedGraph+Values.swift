import DataModel
import Foundation
import GraphCore
import Mappings

/// The values of destination objects.
extension MigratedGraph {
  func values(
    of object: GraphObject, into values: inout MutableSpan<GraphValue>
  ) throws(ArchiveError) {
    if let plain = plainObjects(with: object.uid) {
      return try read(plain, object, into: &values)
    }
    guard object.uid < state.count else {
      for position in 0..<object.keyCount { values[position] = try value(of: object, at: position) }
      return
    }
    let place = try place(of: object.uid)
    bytes.begin(object.uid)
    var next = 0
    if let record = place.record {
      // Its values are fitted already.
      var rest = try recordBytes(at: record)
      while let cell = ValueRecord.next(&rest) {
        guard cell.position >= next, cell.position < object.keyCount else { break }
        for position in next..<cell.position {
          values[position] = try value(object.uid, place, position, nil)
        }
        let type = state.program.destination.entities[place.entity].attributeTypes[cell.position]
        values[cell.position] = graphValue(cell, type)
        next = cell.position + 1
      }
    }
    for position in next..<object.keyCount {
      values[position] = try value(object.uid, place, position, nil)
    }
  }

  /// Reads the values of an object of an entity mapping without a policy, most of which are in one
  /// source object.
  private func read(
    _ plain: MigrationState.PlainObjects, _ object: GraphObject,
    into values: inout MutableSpan<GraphValue>
  ) throws(ArchiveError) {
    let objectIndex = object.uid
    let source = plain.sources[objectIndex - plain.first]
    let found: GraphObject
    do throws(ArchiveError) {
      found = try reader.graph.object(source)
    } catch {
      throw error.moved(to: self.position(of: objectIndex, nil))
    }
    try repositioned(object) { () throws(ArchiveError) in
      try unsafe reader.graph.read(found, into: &sourceValues)
    }
    let recipe = recipe(plain.mapping, found)
    let stride = state.program.destination.stride
    var place: MigrationState.Place?
    for position in 0..<object.keyCount {
      switch recipe.cells[position] {
      case .source(let there): values[position] = unsafe translated(sourceValues[there])
      case .collection(let index, let kind):
        values[position] = .collection(.inline(objectIndex * stride + index), kind)
      case .member(let there, let mappings):
        // Each key of the source has been found to be a to-one relationship, or empty.
        guard case .object(let target, _) = unsafe sourceValues[there] else {
          values[position] = .null
          continue
        }
        let member = state.firstDestination(of: target, mappings)
        values[position] =
          try member.map { (member) throws(ArchiveError) in
            .object(uid: member, class: try classID(ofLinked: member))
          } ?? .null
      case .computed:
        if place == nil {
          bytes.begin(objectIndex)
          place = MigrationState.Place(
            entity: plain.entity, recipe: plain.mapping, source: source, record: nil)
        }
        if let place { values[position] = try value(objectIndex, place, position, nil) }
      }
    }
  }

  func value(of object: GraphObject, at position: Int) throws(ArchiveError) -> GraphValue {
    if object.uid >= state.count {
      return translated(
        try repositioned(object, position) { () throws(ArchiveError) in
          try reader.graph.value(of: try reader.graph.object(object.location), at: position)
        })
    }
    let place = try place(of: object.uid)
    bytes.begin(object.uid)
    let own = try place.record.map { (place) throws(ArchiveError) in try record(at: place) }
    return try value(object.uid, place, position, own)
  }

  func reference(of object: GraphObject, at position: Int) -> Int? {
    if object.uid >= state.count {
      return (try? reader.graph.object(object.location))
        .flatMap { reader.graph.reference(of: $0, at: position) }
        .flatMap { translated(index: $0) }
    }
    switch try? value(of: object, at: position) {
    case .object(let uid, _), .foundation(let uid, _), .relativeURL(let uid),
      .collection(.object(let uid), _):
      return uid
    default: return nil
    }
  }

  /// The value of a property of a destination object.
  private func value(
    _ objectIndex: Int, _ place: MigrationState.Place, _ position: Int, _ own: [Int: ImportValue]?
  ) throws(ArchiveError) -> GraphValue {
    let property = state.program.destination.entities[place.entity].properties[position]
    do throws(ArchiveError) {
      switch property.content {
      case .relationship(let relationship, _, _):
        if relationship.isToMany {
          let entity = state.program.destination.entities[place.entity]
          let index =
            objectIndex * state.program.destination.stride + position - entity.attributeCount
          return .collection(.inline(index), relationship.isOrdered ? .orderedSet : .set)
        }
        guard let member = try members(objectIndex, place, position).first else { return .null }
        return .object(uid: member, class: try classID(ofLinked: member))
      case .attribute(let attribute):
        if let value = own?[position] { return try graphValue(value, attribute) }
        guard let recipe = place.recipe else {
          return try graphValue(attribute.initialValue, attribute)
        }
        return try value(
          state.program.mappings[recipe].values[position], recipe, place, position, attribute)
      }
    } catch {
      throw error.moved(to: self.position(of: objectIndex, property.name))
    }
  }

  private func value(
    _ planned: PlannedValue, _ recipe: Int, _ place: MigrationState.Place, _ position: Int,
    _ attribute: Attribute
  ) throws(ArchiveError) -> GraphValue {
    switch planned {
    case .none, .links, .objects, .stored: return .null
    case .constant(let value): return try graphValue(value, attribute)
    case .copy(_, let fits, let initial):
      guard let uid = place.source else { return try graphValue(initial, attribute) }
      let object = try reader.graph.object(uid)
      let there = self.recipe(recipe, object).sources[position]
      let value =
        try there.map { (there) throws(ArchiveError) in
          try reader.graph.value(of: object, at: there)
        } ?? .null
      if case .null = value {
        if state.program.mappings[recipe].requiredAttributes.contains(position) {
          throw ArchiveError(
            .failedMigration, name: "missing attribute values on mandatory destination attribute")
        }
        return try graphValue(initial, attribute)
      }
      if fits { return translated(value) }
      switch value {
      case .object, .collection:
        throw ArchiveError(
          .wrongKind, name: "one that the type \(attribute.type.rawValue) can hold: an object")
      default: break
      }
      return try graphValue(reader.graph.importValue(ofPlain: value), attribute)
    case .computed(let expression):
      let computed: ImportValue
      do throws(ExpressionFailure) {
        computed = try resolver.scope.evaluate(expression, of: place.source, recipe, attribute.name)
      } catch {
        throw ArchiveError(.wrongKind, name: "a value of \(expression.format): \(error)")
      }
      return try graphValue(computed, attribute)
    }
  }

  /// The value in a record, its bytes kept here.
  private func graphValue(_ cell: ValueRecord.Cell, _ type: AttributeType) -> GraphValue {
    switch cell.kind {
    case .null: return .null
    case .bool: return .bool(cell.bytes.first == 1)
    case .integer: return .integer(Int64(bitPattern: cell.wide))
    case .real where type == .decimal: return .decimal(.notANumber)
    case .real: return .real(Double(bitPattern: cell.wide))
    case .date: return .date(Double(bitPattern: cell.wide))
    case .text: return .text(BorrowedText(bytes: bytes.store(cell.bytes), encoding: .utf8))
    case .url: return .url(BorrowedText(bytes: bytes.store(cell.bytes), encoding: .utf8))
    case .data: return .data(bytes.store(cell.bytes))
    case .uuid: return .uuid(bytes.store(cell.bytes))
    case .decimal:
      guard case .decimal(let value)? = cell.value else { return .decimal(.notANumber) }
      return .decimal(ArchivedDecimal(value))
    }
  }

  /// Where an error is: at the source object that an object is made of, if there is one.
  func position(of objectIndex: Int, _ key: String?) -> ArchiveError.Position {
    guard let source = state.place(of: objectIndex)?.source,
      let found = state.source.storeKey(ofObject: source)
    else { return .object(objectIndex, key: key) }
    return .record("\(found.entity) \(found.key)", property: key)
  }

  // MARK: Values of other types

  /// A value as an attribute holds it, its bytes kept here.
  func graphValue(
    _ value: ImportValue, _ attribute: Attribute
  ) throws(ArchiveError) -> GraphValue {
    guard let fitted = value.fitted(to: attribute.type) else {
      throw ArchiveError(
        .wrongKind, name: "one that the type \(attribute.type.rawValue) can hold: \(value.kind)")
    }
    switch fitted {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .real(let value):
      return attribute.type == .decimal ? .decimal(.notANumber) : .real(value)
    case .decimal(let value): return .decimal(ArchivedDecimal(value))
    case .text(let text): return .text(BorrowedText(bytes: bytes.store(text.utf8), encoding: .utf8))
    case .date(let date): return .date(date.timeIntervalSinceReferenceDate)
    case .data(let data): return .data(bytes.store(data))
    case .uuid(let uuid): return .uuid(bytes.store(uuid.bytes))
    case .url(let text): return .url(BorrowedText(bytes: bytes.store(text.utf8), encoding: .utf8))
    case .foundation, .row, .list, .set, .dictionary:
      throw ArchiveError(.wrongKind, name: "a \(attribute.type.rawValue), not a \(value.kind)")
    }
  }
}

extension ArchivedDecimal {
  /// An exact decimal number.
  fileprivate init(_ value: Decimal) {
    guard let exact = ExactNumber(value) else {
      self = .notANumber
      return
    }
    let mantissa = exact.digits.reduce(UInt128(0)) { $0 &* 10 &+ UInt128($1) }
    self.init(
      wide: mantissa, exponent: Int16(clamping: exact.power), isNegative: exact.isNegative)
  }
}

extension ArchiveError {
  /// The same error at another object, since the indices of the source mean others here; an object
  /// of the store that is known by its key stays the place.
  func moved(to position: Position) -> ArchiveError {
    var error = self
    switch error.position {
    case .byte, .record(_, property: .some): return error
    default: error.position = position
    }
    return error
  }
}
