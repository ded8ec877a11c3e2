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
