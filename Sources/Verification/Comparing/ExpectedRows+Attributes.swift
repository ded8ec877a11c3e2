import ArchiveReader
import CoreDataStores
import DataModel
import Foundation
import Importer
import Mappings

/// What the attributes of a row must hold that an entity mapping made.
extension ExpectedRows {
  /// What the source of an attribute gives.
  enum Evaluated {
    case value(ImportValue)
    /// Nothing stands under the key: the default stays.
    case absent
    /// It has another value each time.
    case unknown
  }

  /// The values of the attributes that an object says something of, by their numbers; with those
  /// that have a default, if the object is the first of its row.
  func attributes(
    of object: GraphObject, _ number: Int, isFirst: Bool
  ) throws -> [Int: ExpectedValue] {
    let mapping = pass.entities[number]
    let shape = run.shapes[mapping.entity]
    var slots: [Int: ExpectedValue] = [:]
    for source in mapping.attributes {
      let attribute = shape.attributes[source.attribute].attribute
      if source.conversion == nil, case .keyPath(let path) = source.source, path.count == 1 {
        guard let position = graph.position(of: path[0], in: object) else { continue }
        let value = try graph.value(of: object, at: position)
        if !source.leaves.isEmpty,
          source.leaves.contains(try unwrapped(value, reaches: false))
        {
          continue
        }
        // What another object has said of the row stays where this one has nothing.
        if !isFirst, value.isNothing { continue }
        slots[source.attribute] = try prepared(value, attribute)
        continue
      }
      switch try evaluate(source, of: object) {
      case .absent: continue
      case .unknown: slots[source.attribute] = .unknown
      case .value(let value):
        if !isFirst, value.isNull { continue }
        slots[source.attribute] = prepared(value, attribute)
      }
    }
    guard isFirst else { return slots.mapValues(detached) }
    for (number, stored) in shape.attributes.enumerated() where slots[number] == nil {
      slots[number] = Self.defaultValue(of: stored.attribute)
    }
    return slots
  }

  /// Hands out the rows that the attributes of an object lead to, in their order: those of objects
  /// and collections, and whatever expressions ask for.
  func handOutRows(ofAttributes object: GraphObject, _ number: Int) throws {
    for source in pass.entities[number].attributes {
      switch source.source {
      case .constant:
        continue
      case .keyPath(let path):
        guard let position = path.first.flatMap({ graph.position(of: $0, in: object) }) else {
          continue
        }
        let value = try graph.value(of: object, at: position)
        switch value {
        case .object, .collection:
          if path.count == 1, source.conversion == nil {
            let isLeft = try !source.leaves.isEmpty && source.leaves.contains(unwrapped(value))
            if !isLeft {
              _ = try importValue(of: value)
            }
          } else {
            _ = try evaluate(source, of: object)
          }
        default:
          continue
        }
      case .expression:
        _ = try evaluate(source, of: object)
      }
    }
  }

  /// What an attribute holds where nothing is set.
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
    let coerced = coerced(value, to: attribute.type)
    if coerced.isNull, !attribute.isOptional,
      let standard = attribute.defaultValue?.importValue
    {
      return .value(Self.coerced(standard, to: attribute.type))
    }
    return .value(coerced)
  }

  /// Whether a value is one of a type that has one form only.
  private static func isOfType(_ value: GraphValue, _ type: AttributeType) -> Bool {
    switch (type, value) {
    case (.string, .text), (.binary, .data), (.date, .date), (.decimal, .decimal),
      (.attributedText, .text), (.json, .foundation):
      true
    case (.mixed, _): true
    default: false
    }
  }

  /// What the source of an attribute gives, converted.
  func evaluate(_ source: AttributePlan, of object: GraphObject) throws -> Evaluated {
    if source.conversion?.needsArchive == true {
      guard case .keyPath(let path) = source.source, path.count == 1,
        let position = graph.position(of: path[0], in: object)
      else { return .absent }
      switch try graph.value(of: object, at: position) {
      case .null: return .absent
      // A store has the archive, and its bytes are kept.
      case .data where graph.source is any ModelledSource:
        return .value(try value(forKeyPath: path[...], of: object))
      // A copy is an archive of its own: it is not compared byte by byte.
      default: return .unknown
      }
    }
    askedForTime = false
    let value = try value(of: source.source, object)
    if askedForTime { return .unknown }
    guard let converted = try? source.conversion?.convert(value).value ?? value else {
      return .absent
    }
    if converted.isNull, value.isNull, source.source.keyPath != nil { return .absent }
    return .value(converted)
  }

  /// What a source gives for an object.
  func value(of source: ValueSource, _ object: GraphObject) throws -> ImportValue {
    switch source {
    case .constant(let value): return value
    case .keyPath(let path): return try value(forKeyPath: path[...], of: object)
    case .expression(let expression):
      guard let value = try? expression.evaluate(in: ForecastScope(self, object)) else {
        return .null
      }
      return try rows(for: value)
    }
  }
}
