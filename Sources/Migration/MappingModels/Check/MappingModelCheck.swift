import DataModel
import GraphCore
import Support

/// The check of a mapping model between two models, with what it needs of the app's code.
package struct MappingModelCheck: Sendable, Hashable {
  /// The findings: about the file and the source as a whole, then by entity mapping, in order.
  package private(set) var findings: [MappingModelFinding] = []
  /// The policy classes that are needed.
  package let policies: [PolicyRequirement]

  /// Checks a mapping model.
  ///
  /// - Parameters:
  ///   - model: The mapping model.
  ///   - source: The model of the source store.
  ///   - destination: The model that it leads to.
  /// - Complexity: Linear in the mapping model's size, but for entity mappings, each of which is
  ///   compared with all others.
  package init(_ model: MappingModel, from source: Model, to destination: Model) {
    policies = PolicyRequirement.all(of: model)
    let context = Context(model, from: source, to: destination)
    findings = Self.sourceFindings(context)
    for mapping in model.entityMappings {
      findings += Self.entityFindings(mapping, context) + Self.repetitions(mapping, context)
      findings += Self.propertyFindings(mapping, context)
      findings += Self.expressionFindings(mapping, context)
    }
  }

  /// Checks the mapping model that a source file compiles to, and the file itself: what edits left
  /// in it, and how the models in it differ from those that are given.
  ///
  /// - Parameters:
  ///   - document: The file.
  ///   - source: The model of the source store.
  ///   - destination: The model that it leads to.
  ///   - limits: The limits for reading the models in the file.
  /// - Throws: `ModelError` if a model in the file is damaged.
  package init(
    _ document: MappingModelDocument, from source: Model, to destination: Model,
    limits: ReadingLimits = .standard
  ) throws(ModelError) {
    self.init(
      document.compiled(from: source, to: destination), from: source, to: destination)
    var fileFindings: [MappingModelFinding] = []
    if let embedded = try document.embeddedSourceModel(limits: limits) {
      fileFindings += ModelDifference.all(embedded, source).map {
        MappingModelFinding(.embeddedSourceDiffers, entity: $0.entity, property: $0.property)
      }
    }
    if let embedded = try document.embeddedDestinationModel(limits: limits) {
      fileFindings += ModelDifference.all(embedded, destination).map {
        MappingModelFinding(.embeddedDestinationDiffers, entity: $0.entity, property: $0.property)
      }
    }
    let leftovers = document.leftovers
    fileFindings += leftovers.entityMappings.map { .init(.unusedEntityMapping, entity: $0) }
    fileFindings += document.entityMappings.filter { $0.isAutomatic && $0.sourceExpression != nil }
      .map { .init(.unusedSourceExpression, entity: $0.effectiveName) }
    fileFindings += leftovers.attributeMappings.map { .init(.unusedAttributeMapping, property: $0) }
    fileFindings += leftovers.relationshipMappings.map {
      .init(.unusedRelationshipMapping, property: $0)
    }
    findings.insert(contentsOf: fileFindings, at: 0)
  }

  /// The findings that keep an entity mapping from running.
  package static func obstacles(
    of mapping: MigrationEntityMapping, _ context: Context
  ) -> [MappingModelFinding] {
    let entity = mapping.destinationEntityName.flatMap(context.destination.wholeEntity)
    let findings =
      entityFindings(mapping, context) + (entity.map { unknownProperties(mapping, $0) } ?? [])
      + expressionFindings(mapping, context)
    // Nothing is migrated into properties that are not stored.
    let attributes = entity?.attributes.filter { !$0.isStored }.map(\.name) ?? []
    let relationships = entity?.relationships.filter(\.isTransient).map(\.name) ?? []
    let unstored = Set(attributes + relationships)
    return findings.filter {
      $0.preventsMigration && !($0.property.map(unstored.contains) ?? false)
    }
  }

  /// True if nothing keeps the migration from working.
  package var isUsable: Bool { !findings.contains { $0.severity == .error } }

  /// The mapping model and the two models that it is checked against.
  package struct Context {
    let model: MappingModel
    package let source: ModelIndex
    let destination: ModelIndex
    /// The names of the entity mappings.
    package var names: Set<String>

    package init(_ model: MappingModel, from source: Model, to destination: Model) {
      self.model = model
      self.source = ModelIndex(source)
      self.destination = ModelIndex(destination)
      names = Set(model.entityMappings.map(\.name))
    }
  }
}
