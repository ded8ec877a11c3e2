import Foundation
import Stores

/// The properties of an entity as rows of it are made: inherited ones included, each with an index.
package final class EntityShape: Sendable {
  /// An attribute and its column.
  package final class StoredAttribute: Sendable {
    package let attribute: Attribute
    let type: AttributeType
    package let column: Int?
    /// True if the column is declared as one of reals.
    let isReal: Bool
    /// The form in which it keeps the values.
    let form: Form
    /// The column of the attributes, where the value is a text with attributes.
    package let runs: Int?
    package let overflow: Int?
    let validator: Validator
    /// True if every value of the attribute's type, and nothing as well, passes.
    let acceptsEverything: Bool
    /// True if every value of the attribute's type passes.
    let acceptsAllValues: Bool
    /// The value of a row of which nothing else is said.
    let defaultValue: ImportValue?

    init(
      _ attribute: Attribute, _ storage: RelationalLayout.PropertyStorage?, in table: Table
    ) {
      self.attribute = attribute
      type = attribute.type
      column = storage?.value
      isReal = column.map { table.columns[$0].type == .real } ?? false
      form = column.map { table.columns[$0].form } ?? .plain
      runs = storage?.runs
      overflow = storage?.overflow
      validator = Validator(attribute)
      acceptsEverything = validator.acceptsEverything
      acceptsAllValues = validator.acceptsAllValues
      defaultValue = attribute.defaultValue?.importValue
    }

    /// The value of which its column keeps something.
    func value(_ stored: StoredValue) -> ImportValue { form.value(stored, as: type) }
  }

  /// The usual kind of value of an attribute, and the conditions for writing it as it stands.
  struct UsualValue {
    /// The kind of value that is written as it stands; `unset` where each has to be looked at.
    let kind: SlotKind
    /// True if the attribute may be left out, and if it may be set to nothing.
    let mayBeUnset: Bool
    let mayBeNull: Bool
    /// The column; -1 where the table has no room for it.
    let column: Int

    init(_ stored: StoredAttribute) {
      kind = stored.acceptsAllValues ? stored.type.usualKind : .unset
      mayBeUnset = stored.attribute.isOptional && stored.defaultValue == nil
      mayBeNull = stored.attribute.isOptional
      column = stored.column ?? -1
    }

    /// True if a value of a kind is written as it stands.
    @inline(__always)
    func takes(_ kind: SlotKind) -> Bool {
      switch kind {
      case .unset: mayBeUnset
      case .null: mayBeNull
      default: kind == self.kind
      }
    }
  }

  package let name: String
  /// What its rows have in the discriminator.
  let kind: StoredValue
  package let index: Int
  package let table: Int
  let columnCount: Int
  package let discriminator: Int?
  package let attributes: [StoredAttribute]
  /// For each of them, what needs no preparation.
  let usualValues: [UsualValue]
  /// The attributes for which the entity's table has no room.
  let overflowing: [Int]
  /// The names of the to-one relationships for which it has none.
  let overflowingLinks: Set<String>
  let attributeIndices: [String: Int]
  /// The relationships, by their index in the model.
  let relationshipIndices: [String: Int]
  /// The collections of plain values, by name.
  let collections: [String: ValueCollection]
  /// The names that several properties have: keys that hold values of several kinds.
  let sharedNames: Set<String>
  /// The to-one relationships, whose columns are written with the row.
  let toOnes: [Int]
  /// The relationships with a column that tells an empty collection from none.
  let counted: [Int]

  private init(
    _ plan: ImportPlan, _ index: Int, _ relationships: [StoredRelationship],
    _ indices: [String: Int]
  ) {
    let storage = plan.layout.entities[index]
    (name, kind) = (storage.name, storage.kind)
    self.index = index
    table = storage.table
    columnCount = plan.layout.table(of: index).columns.count
    discriminator = storage.discriminator
    relationshipIndices = indices
    let all = indices.values.sorted()
    toOnes = all.filter { !relationships[$0].isToMany }
    counted = all.filter { relationships[$0].count != nil }
    var attributes: [StoredAttribute] = []
    var attributeIndices: [String: Int] = [:]
    var collections: [String: ValueCollection] = [:]
    var overflowingLinks: Set<String> = []
    for ancestor in plan.hierarchy.ancestors(of: index).reversed() {
      let entity = plan.model.entities[ancestor]
      for attribute in entity.attributes where attribute.isStored {
        attributeIndices[attribute.name] = attributes.count
        attributes.append(
          StoredAttribute(
            attribute, storage.properties[attribute.name], in: plan.layout.table(of: index)))
      }
      for collection in entity.collections { collections[collection.name] = collection }
      for relationship in entity.relationships where !relationship.isToMany {
        let place = storage.properties[relationship.name]
        guard place?.reference == nil, place?.overflow != nil else { continue }
        overflowingLinks.insert(relationship.name)
      }
    }
    self.overflowingLinks = overflowingLinks
    self.attributes = attributes
    usualValues = attributes.map(UsualValue.init)
    overflowing = attributes.indices.filter { attributes[$0].column == nil }
    self.attributeIndices = attributeIndices
    self.collections = collections
    sharedNames = Set(
      attributeIndices.keys.filter { indices[$0] != nil || collections[$0] != nil }
        + collections.keys.filter { indices[$0] != nil }
        + indices.keys.filter { indices[$0 + StoredRelationship.secondSuffix] != nil })
  }

  /// All entities of a plan.
  package static func all(
    _ plan: ImportPlan, _ relationships: [StoredRelationship], _ indices: [[String: Int]]
  ) -> [EntityShape] {
    plan.model.entities.indices.map { EntityShape(plan, $0, relationships, indices[$0]) }
  }

  /// The names of all properties.
  var propertyNames: [String] {
    Array(attributeIndices.keys) + Array(relationshipIndices.keys) + Array(collections.keys)
  }

  /// The index of a relationship; of two of one name, that which is to-many or not.
  func relationship(
    _ name: String, isToMany: Bool?, among relationships: [StoredRelationship]
  ) -> Int? {
    let all = [name, name + StoredRelationship.secondSuffix].compactMap { relationshipIndices[$0] }
    return all.first { isToMany == nil || relationships[$0].isToMany == isToMany } ?? all.first
  }
}

extension EntityShape {
  /// Checks values against what the model says of an attribute.
  struct Validator: Sendable {
    private let attribute: Attribute
    private let pattern: String?
    /// The pattern, made ready; nil if it is none that can be matched.
    private let expression: NSRegularExpression?

    init(_ attribute: Attribute) {
      self.attribute = attribute
      pattern = attribute.pattern
      expression = pattern.flatMap(Attribute.expression)
    }

    /// True if every value of the attribute's type, and nothing as well, passes.
    var acceptsEverything: Bool {
      (attribute.isOptional || attribute.defaultValue != nil) && acceptsAllValues
    }

    /// True if every value of the attribute's type passes.
    var acceptsAllValues: Bool {
      attribute.minimum == nil && attribute.maximum == nil && pattern == nil
    }

    /// The error of a value that has the attribute's type; nil if there is none.
    func error(for value: ImportValue) -> (code: ValidationError.Code, detail: String?)? {
      if value.isNull {
        return attribute.isOptional ? nil : (.missingValue, nil)
      }
      switch value {
      case .text(let text):
        // Lengths are counted as Foundation does: in UTF-16 units.
        let length = Double(text.utf16.count)
        if let minimum = attribute.minimum, length < minimum {
          return (.tooShort, "at least \(Self.text(minimum))")
        }
        if let maximum = attribute.maximum, length > maximum {
          return (.tooLong, "at most \(Self.text(maximum))")
        }
        if pattern != nil, !matches(text) { return (.patternMismatch, nil) }
        return nil
      default:
        guard let number = number(value) else { return nil }
        if let minimum = attribute.minimum, number < minimum {
          return (.tooSmall, limit(minimum))
        }
        if let maximum = attribute.maximum, number > maximum {
          return (.tooLarge, limit(maximum))
        }
        return nil
      }
    }

    private func number(_ value: ImportValue) -> Double? {
      switch value {
      case .integer(let value): Double(value)
      case .real(let value): value
      case .decimal(let value): NSDecimalNumber(decimal: value).doubleValue
      case .date(let value): value.timeIntervalSinceReferenceDate
      default: nil
      }
    }

    private func limit(_ limit: Double) -> String? {
      attribute.type == .date ? nil : "the limit is \(Self.text(limit))"
    }

    private static func text(_ number: Double) -> String {
      Int64(exactly: number).map(String.init) ?? "\(number)"
    }

    /// True if the whole of a text matches, as Core Data's predicate `SELF MATCHES` has it.
    ///
    /// Of several alternatives, the one that matches to the end counts.
    private func matches(_ text: String) -> Bool {
      guard let expression else { return false }
      let range = NSRange(location: 0, length: (text as NSString).length)
      return expression.firstMatch(in: text, options: .anchored, range: range)?.range == range
    }
  }
}

/// The kind of value that an attribute holds until its row is written: see `RowSlots`.
enum SlotKind: UInt8 {
  case unset, null, bool, integer, real, date, decimal, uuid, text, url, data
  /// A value with a slot of its own.
  case other
}
