import ArchiveReader
import CoreDataStores
import DataModel
import Foundation
import Importer
import Mappings

/// The expected attributes of a row that an entity mapping made.
extension ExpectedRows {
  /// The result of evaluating the source of an attribute.
  enum Evaluated {
    case value(ImportValue)
    /// Nothing stands under the key: the default stays.
    case absent
    /// It has another value each time.
    case unknown
  }

  /// Finds out what an object says of the attributes of its row.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - keys: The keys that the mapping reads.
  ///   - values: The values under its keys.
  ///   - isFirst: True if it is the first object of the row: what another one has said stays where
  ///     this one has nothing.
  ///   - body: Called with the index of an attribute, and what it must hold.
  /// - Throws: `ArchiveError` if the archive cannot be read.
  func forEachAttribute(
    of object: GraphObject, _ keys: MappedKeys, _ values: [GraphValue], isFirst: Bool,
    _ body: (Int, ExpectedValue) throws -> Void
  ) throws {
    for read in keys.attributes {
      if let position = read.position {
        let value = values[position]
        if !read.leaves.isEmpty, read.leaves.contains(try unwrapped(value, reaches: false)) {
          continue
        }
        if !isFirst, value.isNothing { continue }
        try body(read.index, prepared(value, read.stored.attribute))
        continue
      }
      switch try evaluate(pass.entities[keys.mapping].attributes[read.source], of: object) {
      case .absent: continue
      case .unknown: try body(read.index, .unknown)
      case .value(let value):
        if !isFirst, value.isNull { continue }
        try body(read.index, prepared(value, read.stored.attribute))
      }
    }
  }

  /// Hands out the rows that the attributes of an object lead to, in their order: those of objects
  /// and collections, and whatever expressions ask for.
  func handOutRows(
    ofAttributes object: GraphObject, _ keys: MappedKeys, _ values: [GraphValue]
  ) throws {
    for lead in keys.leads {
      if let position = lead.position {
        let value = values[position]
        switch value {
        case .object, .collection: break
        default: continue
        }
        if lead.isPlain {
          let isLeft = try !lead.leaves.isEmpty && lead.leaves.contains(unwrapped(value))
          if !isLeft { _ = try importValue(of: value) }
          continue
        }
      }
      _ = try evaluate(pass.entities[keys.mapping].attributes[lead.source], of: object)
    }
  }

  /// The default value of an attribute.
  static func defaultValue(of attribute: Attribute) -> ExpectedValue? {
    attribute.defaultValue?.importValue.map { prepared($0, attribute) }
  }

  /// An archived value as an attribute holds it.
  private func prepared(_ value: GraphValue, _ attribute: Attribute) throws -> ExpectedValue {
    switch value {
    case .null, .nsNull:
      return Self.defaultValue(of: attribute) ?? .nothing
    case .object, .collection:
      return prepared(try importValue(of: value), attribute)
    default:
      // What is of the type stands as it is in the archive, to the last bit.
      return Self.isOfType(value, attribute.type)
        ? .archived(value) : prepared(plainValue(of: value), attribute)
    }
  }

  private func prepared(_ value: ImportValue, _ attribute: Attribute) -> ExpectedValue {
    Self.prepared(value, attribute)
  }

  private static func prepared(_ value: ImportValue, _ attribute: Attribute) -> ExpectedValue {
    let coerced = ValueCoercion.coerced(value, to: attribute.type)
    if coerced.isNull, !attribute.isOptional,
      let standard = attribute.defaultValue?.importValue
    {
      return .value(ValueCoercion.coerced(standard, to: attribute.type))
    }
    return .value(coerced)
  }

  /// True if a value is one of a type that has one form only.
  private static func isOfType(_ value: GraphValue, _ type: AttributeType) -> Bool {
    switch (type, value) {
    case (.string, .text), (.binary, .data), (.date, .date), (.decimal, .decimal),
      (.attributedText, .text), (.json, .foundation):
      true
    case (.mixed, _): true
    default: false
    }
  }

  /// The value of the source of an attribute, converted.
  func evaluate(_ source: ImportPlan.AttributePlan, of object: GraphObject) throws -> Evaluated {
    if source.conversion?.needsArchive == true {
      guard case .keyPath(let path) = source.source, path.count == 1,
        let position = graph.position(of: path[0], in: object)
      else { return .absent }
      let value = try graph.value(of: object, at: position)
      switch value {
      case .null: return .absent
      // A store has the archive, and its bytes are kept; a binary one may have data as an object,
      // of which an archive is made.
      case .data(let bytes) where graph.source is any ModelledSource:
        let archive = try graph.archivedData(of: object, at: position, limits: run.plan.limits)
        guard archive == bytes.data else { return .unknown }
        return .value(try self.value(forKeyPath: path[...], of: object))
      default:
        // A copy is an archive of its own: it is not compared byte by byte. That of a plain value
        // which no store has as an object is told by the value, and so is one that is missing.
        guard graph.source is any ModelledSource, let archive = value.archive else {
          return .unknown
        }
        let found = try graph.archivedData(of: object, at: position, limits: run.plan.limits)
        return found == nil || found == archive ? .value(.data(archive)) : .unknown
      }
    }
    askedForTime = false
    let takesObjects = source.conversion?.takesObjects == true
    let objects: ObjectForm = takesObjects ? .dictionary(inside: []) : .row
    let value: ImportValue
    do {
      value = try self.value(of: source.source, object, objects)
    } catch let error as ArchiveError
      where error.code == .tooDeep && takesObjects && source.source.keyPath?.count == 1
    {
      return .value(.null)
    }
    if askedForTime { return .unknown }
    guard let converted = try? source.conversion?.convert(value).value ?? value else {
      return .absent
    }
    if converted.isNull, value.isNull, source.source.keyPath != nil { return .absent }
    return .value(converted)
  }

  /// The value of a source for an object.
  func value(
    of source: ValueSource, _ object: GraphObject, _ objects: ObjectForm = .row
  ) throws -> ImportValue {
    switch source {
    case .constant(let value): return value
    case .keyPath(let path): return try value(forKeyPath: path[...], of: object, objects)
    case .expression(let expression):
      guard let value = try? expression.evaluate(in: Scope(self, object)) else {
        return .null
      }
      return try rows(for: value)
    }
  }
}
