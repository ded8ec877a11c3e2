/// A reason why no mapping model can be inferred, or a condition on which an inferred one works.
package struct InferenceFinding: Sendable, Hashable {
  /// The kinds of finding.
  package enum Code: String, Sendable, CaseIterable {
    // Reasons against inference
    case sharedEntityIdentifier
    case sharedPropertyIdentifier
    case mergedHierarchies
    case incompatibleTypes
    case otherKindOfProperty
    case toManyBecomesToOne

    // Conditions
    case abstractEntity
    case newMandatoryAttribute
    case newMandatoryRelationship
    case mandatoryAttribute
    case mandatoryRelationship
    case excludedDestination
    case narrowerNumber
    case newUniquenessConstraint

    /// Whether the objects of the store decide if it does harm.
    package var isCondition: Bool {
      switch self {
      case .sharedEntityIdentifier, .sharedPropertyIdentifier, .mergedHierarchies,
        .incompatibleTypes, .otherKindOfProperty, .toManyBecomesToOne:
        false
      case .abstractEntity, .newMandatoryAttribute, .newMandatoryRelationship,
        .mandatoryAttribute, .mandatoryRelationship, .excludedDestination, .narrowerNumber,
        .newUniquenessConstraint:
        true
      }
    }

    /// Whether any object of the source entity makes the migration fail.
    var forbidsObjects: Bool { self == .abstractEntity || self == .newMandatoryAttribute }
  }

  package var code: Code
  /// The name of the entity that the objects have in the source; nil for what concerns the
  /// destination alone.
  package var sourceEntity: String?
  /// The name of the entity in the destination; nil for what concerns the source alone.
  package var entity: String?
  /// The name of the property in the destination, or in the source for what concerns that alone.
  package var property: String?
  /// A name, or several, that the code alone does not tell.
  package var name: String?
  /// What a mapping file says of the property to convert its values; nil where nothing does.
  package var conversion: String?

  package init(
    _ code: Code, sourceEntity: String? = nil, entity: String? = nil, property: String? = nil,
    name: String? = nil, conversion: String? = nil
  ) {
    self.code = code
    self.sourceEntity = sourceEntity
    self.entity = entity
    self.property = property
    self.name = name
    self.conversion = conversion
  }
}

extension InferenceFinding: CustomStringConvertible {
  /// The finding in words, after its place: `Car.seats: what`.
  ///
  /// The reasons that Core Data itself gives are in its words, as published error messages have
  /// them: "Source and destination attribute types are incompatible", "Cannot merge multiple root
  /// entity source tables into one destination entity root table", "missing attribute values on
  /// mandatory destination attribute".
  package var description: String {
    let place = [entity ?? sourceEntity, property].compactMap { $0 }.joined(separator: ".")
    return place.isEmpty ? sentence : "\(place): \(sentence)"
  }

  private var sentence: String {
    let name = name ?? "?"
    return switch code {
    case .sharedEntityIdentifier:
      "has the same renaming identifier as \(name) in the \(model) model"
    case .sharedPropertyIdentifier:
      "has the same renaming identifier as \(name) in the \(model) model"
    case .mergedHierarchies:
      "cannot merge multiple root entity source tables into one destination entity root table: "
        + name
    case .incompatibleTypes: "source and destination attribute types are incompatible: \(name)"
    case .otherKindOfProperty: "is \(name)"
    case .toManyBecomesToOne: "a to-many relationship cannot become to-one"

    case .abstractEntity: "becomes abstract: there must be no objects of \(name)"
    case .newMandatoryAttribute:
      "missing attribute values on mandatory destination attribute: it is new and has no default "
        + "value, so there must be no objects"
    case .newMandatoryRelationship:
      "is new and mandatory: every object has to get one through the inverse"
    case .mandatoryAttribute:
      "becomes mandatory and has no default value: every object must have a value"
    case .mandatoryRelationship: "every object must have \(name)"
    case .excludedDestination: "links to objects of \(name) are left behind: it cannot hold them"
    case .narrowerNumber: "every value has to fit the new type: \(name)"
    case .newUniquenessConstraint: "no two objects may have the same values of \(name)"
    }
  }

  /// The model that a finding about one of the two concerns.
  private var model: String { entity == nil ? "source" : "destination" }
}
