/// Something that is wrong with a mapping model, or that its user should know.
package struct MappingModelFinding: Error, Sendable, Hashable {
  /// The severity of a finding.
  package enum Severity: String, Sendable, CaseIterable {
    /// The migration cannot work so, or needs code of the app's.
    case error
    /// The migration works, but values may be missing or others than meant.
    case warning
    /// There is nothing to do.
    case note
  }

  /// The kinds of finding.
  package enum Code: String, Sendable, CaseIterable {
    // Entities
    case unknownSourceEntity
    case unknownDestinationEntity
    case abstractDestination
    case differentSourceEntity
    case differentDestinationEntity
    case unmappedSourceEntity
    case sourceMappedTwice
    case sourceNotFetched
    case otherEntityFetched
    case unsupportedSource
    case duplicateEntityMapping

    // Properties
    case unknownAttribute
    case unknownRelationship
    case duplicateProperty
    case missingValue
    case missingObject
    case unreadProperty
    case renamedProperty
    case otherRelationship
    case otherDestination
    case unsuitableConstant

    // Expressions
    case unknownExpression
    case unsupportedExpression
    case unknownSourceProperty
    case unknownEntityMapping
    case unknownManagerFunction
    case objectFunction
    case functionWithoutPolicy

    // The file
    case embeddedSourceDiffers
    case embeddedDestinationDiffers
    case unusedEntityMapping
    case unusedSourceExpression
    case unusedAttributeMapping
    case unusedRelationshipMapping

    /// The severity of such findings.
    package var severity: Severity {
      switch self {
      case .unknownSourceEntity, .unknownDestinationEntity, .abstractDestination,
        .duplicateEntityMapping, .unsupportedSource, .unknownAttribute, .unknownRelationship,
        .duplicateProperty, .missingValue, .missingObject, .otherDestination, .unsuitableConstant,
        .unknownExpression, .unsupportedExpression, .unknownSourceProperty, .unknownEntityMapping,
        .unknownManagerFunction, .objectFunction, .functionWithoutPolicy:
        .error
      case .differentSourceEntity, .differentDestinationEntity, .unmappedSourceEntity,
        .sourceMappedTwice, .sourceNotFetched, .otherEntityFetched, .unreadProperty,
        .renamedProperty, .embeddedSourceDiffers, .embeddedDestinationDiffers:
        .warning
      case .otherRelationship, .unusedEntityMapping, .unusedSourceExpression,
        .unusedAttributeMapping, .unusedRelationshipMapping:
        .note
      }
    }
  }

  package var code: Code
  /// The name of the entity mapping, or of the entity, that it is about.
  package var entity: String?
  /// The name of the property that it is about.
  package var property: String?
  /// A name that the code alone does not tell.
  package var name: String?

  package init(
    _ code: Code, entity: String? = nil, property: String? = nil, name: String? = nil
  ) {
    self.code = code
    self.entity = entity
    self.property = property
    self.name = name
  }

  /// The severity of the finding.
  package var severity: Severity { code.severity }

  /// True if no migration can run by the mapping model; Core Data refuses the others once it has
  /// objects, or takes what is said last.
  package var preventsMigration: Bool {
    switch code {
    case .missingValue, .missingObject, .duplicateProperty, .duplicateEntityMapping: false
    default: severity == .error
    }
  }

  /// True if something of the models is missing, as after an edit.
  ///
  /// The rest can run without what asks for it, but for a filter: without one, other objects would
  /// be migrated.
  package var isDrift: Bool {
    switch code {
    case .unknownSourceEntity, .unknownDestinationEntity: property == nil
    case .unknownAttribute, .unknownRelationship, .unknownSourceProperty, .otherDestination:
      property != nil
    default: false
    }
  }
}

extension MappingModelFinding: CustomStringConvertible {
  /// The finding in words, after its place: `CarToCar.owner: what`.
  package var description: String {
    let place = [entity, property].compactMap { $0 }.joined(separator: ".")
    return place.isEmpty ? sentence : "\(place): \(sentence)"
  }

  /// The finding in words, without its place.
  package var sentence: String {
    let name = name ?? "?"
    return switch code {
    case .unknownSourceEntity: "the source model has no entity \(name)"
    case .unknownDestinationEntity: "the destination model has no entity \(name)"
    case .abstractDestination: "the destination entity \(name) is abstract and has no objects"
    case .differentSourceEntity: "was made for another version of the source entity \(name)"
    case .differentDestinationEntity:
      "was made for another version of the destination entity \(name)"
    case .unmappedSourceEntity: "no entity mapping migrates the objects of this source entity"
    case .sourceMappedTwice:
      "migrates all objects of \(name), and so does another entity mapping: each becomes two"
    case .sourceNotFetched: "has no source expression: no objects are migrated"
    case .otherEntityFetched: "fetches objects of \(name), which is not its source entity"
    case .duplicateEntityMapping: "several entity mappings have this name"
    case .unsupportedSource: "the source expression is not supported: \(name)"

    case .unknownAttribute: "the destination entity has no such attribute"
    case .unknownRelationship: "the destination entity has no such relationship"
    case .duplicateProperty: "is mapped more than once"
    case .missingValue: "is mandatory, but gets no value and has no default"
    case .missingObject: "is mandatory, but neither it nor its inverse gets an object"
    case .unreadProperty: "no mapping reads this property of the source; its values are left behind"
    case .renamedProperty:
      "gets no value, although its renaming identifier names the source's property \(name)"
    case .otherRelationship: "is filled from the source's relationship \(name)"
    case .otherDestination: name
    case .unsuitableConstant: "the attribute cannot hold the constant \(name)"

    case .unknownExpression: "the expression is not understood: \(name)"
    case .unsupportedExpression: "the expression is not supported: \(name)"
    case .unknownSourceProperty: "the source has no property \(name)"
    case .unknownEntityMapping: "refers to the entity mapping \(name), which does not exist"
    case .unknownManagerFunction: "calls \(name), which only the app's own migration manager has"
    case .objectFunction: "calls \(name), a method of another object than manager and policy"
    case .functionWithoutPolicy: "calls \(name) of the policy, but names no policy class"

    case .embeddedSourceDiffers:
      "differs between the given source model and the mapping model's copy of it"
    case .embeddedDestinationDiffers:
      "differs between the given destination model and the mapping model's copy of it"
    case .unusedEntityMapping: "belongs to no mapping model and is not used"
    case .unusedSourceExpression:
      "the source expression is not used: the objects of the source entity are fetched"
    case .unusedAttributeMapping:
      "the attribute mapping belongs to no entity mapping and is not used"
    case .unusedRelationshipMapping:
      "the relationship mapping belongs to no entity mapping and is not used"
    }
  }
}
