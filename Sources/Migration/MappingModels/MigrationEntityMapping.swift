import Foundation
import GraphCore
import Mappings

/// The mapping of an entity's objects in a migration.
package struct MigrationEntityMapping: Sendable, Hashable {
  /// The kind of an entity mapping: NSEntityMappingType.
  package enum Kind: Int, Sendable, CaseIterable {
    /// It is not said.
    case undefined
    /// A policy does it.
    case custom
    /// The entity is new.
    case add
    /// The entity is no more.
    case remove
    /// Both versions are the same.
    case copy
    /// The properties say what becomes of each value.
    case transform
  }

  /// The name by which expressions and policies find it.
  package var name: String
  package var kind: Kind
  /// The entity of the old model; nil if it is new.
  package var sourceEntityName: String?
  /// The version hash of the entity of the old model.
  package var sourceVersionHash: Data?
  /// The entity of the new model; nil if it is no more.
  package var destinationEntityName: String?
  /// The version hash of the entity of the new model.
  package var destinationVersionHash: Data?
  /// The expression for the objects that are migrated; nil for none.
  package var sourceExpression: ExpressionNode?
  /// The class of the policy, where the author named one; it may carry the name of its module.
  package var policyClassName: String?
  /// The author's values for policies, by key.
  package var userInfo: [String: UnarchivedValue]
  /// The mappings of attributes.
  package var attributeMappings: [MigrationPropertyMapping]
  /// The mappings of relationships.
  package var relationshipMappings: [MigrationPropertyMapping]

  package init(
    name: String, kind: Kind, sourceEntityName: String? = nil, sourceVersionHash: Data? = nil,
    destinationEntityName: String? = nil, destinationVersionHash: Data? = nil,
    sourceExpression: ExpressionNode? = nil, policyClassName: String? = nil,
    userInfo: [String: UnarchivedValue] = [:],
    attributeMappings: [MigrationPropertyMapping] = [],
    relationshipMappings: [MigrationPropertyMapping] = []
  ) {
    self.name = name
    self.kind = kind
    self.sourceEntityName = sourceEntityName
    self.sourceVersionHash = sourceVersionHash
    self.destinationEntityName = destinationEntityName
    self.destinationVersionHash = destinationVersionHash
    self.sourceExpression = sourceExpression
    self.policyClassName = policyClassName
    self.userInfo = userInfo
    self.attributeMappings = attributeMappings
    self.relationshipMappings = relationshipMappings
  }

  /// The name of an entity mapping that its author has not named.
  ///
  /// - Parameters:
  ///   - source: The name of the source entity, if there is one.
  ///   - destination: The name of the destination entity, if there is one.
  /// - Returns: "CarToCar", or the name of the only entity.
  package static func defaultName(source: String?, destination: String?) -> String {
    [source, destination].compactMap { $0 }.joined(separator: "To")
  }
}

/// The source of the value of a property of the new model.
package struct MigrationPropertyMapping: Sendable, Hashable {
  /// The name of the attribute or relationship.
  package var name: String
  /// The expression of its value; nil for the default value, or no object.
  package var valueExpression: ExpressionNode?
  /// The author's values for policies, by key.
  package var userInfo: [String: UnarchivedValue]

  package init(
    name: String, valueExpression: ExpressionNode? = nil,
    userInfo: [String: UnarchivedValue] = [:]
  ) {
    self.name = name
    self.valueExpression = valueExpression
    self.userInfo = userInfo
  }
}
