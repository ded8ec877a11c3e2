import DataModel
import Foundation
import GraphCore
import Mappings
import Support

/// A mapping model as its author left it: the `xcmapping.xml` of an `.xcmappingmodel`.
///
/// Much in it is automatic, and stands nowhere: see `compiled(from:to:)`.
package struct MappingModelDocument: Sendable, Hashable {
  /// The mapping of an entity's objects.
  package struct EntityMapping: Sendable, Hashable {
    /// The name that the author gave it.
    package var name: String?
    package var sourceEntityName: String?
    package var destinationEntityName: String?
    /// Its place among the others.
    package var order: Int
    /// The expression for the objects that are migrated, if the author wrote one; a leftover if it
    /// is automatic.
    package var sourceExpression: ExpressionNode?
    /// The predicate for the objects that are migrated, if the author wrote one.
    package var filter: ExpressionNode?
    /// True if the objects of the source entity are fetched, whatever expression is written.
    package var isAutomatic: Bool
    package var policyClassName: String?
    package var userInfo: [String: UnarchivedValue]
    package var attributeMappings: [PropertyMapping] = []
    package var relationshipMappings: [PropertyMapping] = []

    /// The name by which other mappings find it.
    package var effectiveName: String {
      name
        ?? MigrationEntityMapping.defaultName(
          source: sourceEntityName, destination: destinationEntityName)
    }
  }

  /// The source of a property's value.
  package struct PropertyMapping: Sendable, Hashable {
    package var name: String
    /// The expression that the author wrote; nil does not mean nil: see `isAutomatic`.
    package var valueExpression: ExpressionNode?
    /// True if the property of the same name gives the value where nothing is written.
    package var isAutomatic: Bool
    /// For a relationship, where its source objects are: `$source.country.continent`.
    package var sourceKeyPath: String?
    /// For a relationship, the entity mapping that makes the objects it leads to.
    package var sourceMappingName: String?
    package var userInfo: [String: UnarchivedValue]
  }

  /// The objects that edits have left in the file, and that Xcode's compiler leaves out.
  package struct Leftovers: Sendable, Hashable {
    /// The names of entity mappings that belong to no mapping model; their property mappings are
    /// left out with them.
    package var entityMappings: [String] = []
    /// The names of attribute mappings that belong to no entity mapping.
    package var attributeMappings: [String] = []
    /// The names of relationship mappings that belong to no entity mapping.
    package var relationshipMappings: [String] = []

    /// True if there are none.
    package var isEmpty: Bool {
      entityMappings.isEmpty && attributeMappings.isEmpty && relationshipMappings.isEmpty
    }
  }

  /// The path of the source model, as the author's machine had it.
  package var sourceModelPath: String?
  /// The path of the destination model, as the author's machine had it.
  package var destinationModelPath: String?
  /// The source model as it was when the mapping model was last edited: a keyed archive of Xcode's
  /// editing classes (XDPMModel).
  package var sourceModelData: Data?
  /// The destination model as it was then, in the same form.
  package var destinationModelData: Data?
  /// The mappings of entities, in order.
  package var entityMappings: [EntityMapping]
  /// The objects that are left out.
  package var leftovers: Leftovers

  /// Reads the bytes of an `xcmapping.xml`.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - limits: The limits for reading the archives in it.
  /// - Throws: `ModelError` if it is no mapping model, or damaged.
  package init(xml bytes: Data, limits: ReadingLimits = .standard) throws(ModelError) {
    var assembler = Assembler(limits)
    self = try assembler.document(of: try XMLMappingReader.objects(in: bytes))
  }

  init(model: XMLMappingObject) throws(ModelError) {
    sourceModelPath = try model.name("sourcemodelpath")
    destinationModelPath = try model.name("destinationmodelpath")
    sourceModelData = try model.data("sourcemodeldata")
    destinationModelData = try model.data("destinationmodeldata")
    entityMappings = []
    leftovers = Leftovers()
  }
}

extension MappingModelDocument {
  /// The source model as it was when the mapping model was last edited.
  ///
  /// - Parameter limits: How far its archive is followed.
  /// - Returns: The model; nil if there is none in the file.
  /// - Throws: `ModelError` if it is damaged.
  package func embeddedSourceModel(
    limits: ReadingLimits = .standard
  ) throws(ModelError) -> Model? {
    guard let sourceModelData else { return nil }
    return try ArchivedModel(sourceModelData, limits).model
  }

  /// The destination model as it was when the mapping model was last edited.
  ///
  /// - Parameter limits: How far its archive is followed.
  /// - Returns: The model; nil if there is none in the file.
  /// - Throws: `ModelError` if it is damaged.
  package func embeddedDestinationModel(
    limits: ReadingLimits = .standard
  ) throws(ModelError) -> Model? {
    guard let destinationModelData else { return nil }
    return try ArchivedModel(destinationModelData, limits).model
  }
}
