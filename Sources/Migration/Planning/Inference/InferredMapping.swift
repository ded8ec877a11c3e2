import DataModel

/// The mapping model that Core Data infers from two versions of a model: lightweight migration.
///
/// The rules are those of Apple's documentation: "Migrating your data model automatically", "Using
/// lightweight migration", `NSMappingModel.inferredMappingModel(forSourceModel:destinationModel:)`,
/// the `renamingIdentifier` of entities and properties, and the changes that session 118 of WWDC
/// 2010 lists as inferable:
/// - Entities, and their properties, belong together if they have the same renaming identifier,
///   which is the name of those that have none. What has no counterpart is new, or is removed.
/// - A number may become one of another type; all other changes of type are refused. A property may
///   become optional, or mandatory if it has a default value.
/// - A to-one relationship may become to-many, and relationships ordered or unordered. Inverses and
///   delete rules may change; the destination may, if the objects can be destinations still.
/// - Properties may move up and down in a hierarchy, and entities in and out of it. Entities of
///   different hierarchies cannot come into one.
///
/// Where the documentation says nothing, a change is refused if values would be left behind in
/// silence: an attribute that becomes a relationship, a relationship that becomes to-one or leads
/// to other objects.
package struct InferredMapping: Sendable, Hashable {
  /// The mapping model, in the form that the readers of files give: entity mappings in the order of
  /// the destination's entities, then those that remove objects; property mappings sorted by name.
  package let model: MappingModel
  /// What the objects have to be like for the migration to succeed, by entity.
  package let conditions: [InferenceFinding]
  /// How many entities and properties are new, removed, renamed or changed; an entity with another
  /// version hash counts as one at least, and one that is new or removed with the properties of its objects.
  package let changeCount: Int

  /// Infers the mapping model.
  ///
  /// - Parameters:
  ///   - source: The model that the store has.
  ///   - destination: The model that its objects are migrated to.
  /// - Throws: `InferenceError` with all reasons why Core Data would infer none.
  /// - Complexity: Linear in the models with inherited properties, but for relationships, each of
  ///   which looks at all entities.
  package init(from source: Model, to destination: Model) throws(InferenceError) {
    var inference = MappingInference(source, destination)
    self = try inference.mapping()
  }

  init(model: MappingModel, conditions: [InferenceFinding], changeCount: Int) {
    self.model = model
    self.conditions = conditions
    self.changeCount = changeCount
  }
}

/// Why no mapping model can be inferred from two models.
package struct InferenceError: Error, Hashable {
  /// All reasons, by entity.
  package let reasons: [InferenceFinding]
}

extension InferenceError: CustomStringConvertible {
  /// A line for each reason.
  package var description: String { reasons.map(\.description).joined(separator: "\n") }
}
