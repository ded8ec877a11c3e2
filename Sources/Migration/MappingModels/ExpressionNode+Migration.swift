import Mappings

/// The functions by which expressions of mapping models find what a migration has made.
package enum MigrationSelector {
  /// Destination objects that an entity mapping has made.
  package static let byEntityMapping =
    "destinationInstancesForEntityMappingNamed:sourceInstances:"
  /// Destination objects of a source relationship, whatever entity mapping has made them.
  package static let byRelationship =
    "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
  /// The source objects of those that an entity mapping has made.
  package static let sources = "sourceInstancesForEntityMappingNamed:destinationInstances:"
  /// The function of policies in inferred mapping models: the source's value, or the default where
  /// it is nil.
  package static let nonNilValue = "_nonNilValueOrDefaultValueForAttribute:source:destination:"
  /// The functions of the migration manager.
  package static let ofManager: Set<String> = [byEntityMapping, byRelationship, sources]
}

extension ExpressionNode {
  /// The objects that an entity mapping has made of source objects.
  package static func destinationInstances(
    ofEntityMapping name: String, _ sources: ExpressionNode
  ) -> ExpressionNode {
    .message(
      MigrationSelector.byEntityMapping, to: .variable("manager"),
      [.constant(.text(name)), sources])
  }

  /// The objects that those of a source relationship have become, whatever entity mapping made them.
  package static func destinationInstances(
    ofSourceRelationship name: String, _ sources: ExpressionNode
  ) -> ExpressionNode {
    .message(
      MigrationSelector.byRelationship, to: .variable("manager"),
      [.constant(.text(name)), sources])
  }

  /// The value that the source object has for a key.
  package static func sourceValue(_ key: String) -> ExpressionNode { .keys(.source, [key]) }

  /// The predicate that a value is nil.
  package static func isNil(_ value: ExpressionNode) -> ExpressionNode {
    .comparison(Comparison(value, .equal, .constant(.null)))
  }

  /// The key of the source object, if the node is nothing but its value.
  package var sourceKey: String? {
    if case .keys(.source, let keys) = self, keys.count == 1 { keys[0] } else { nil }
  }
}
