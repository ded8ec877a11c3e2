extension MigrationExpression {
  /// The methods of the migration manager by which destination objects are found.
  enum Selector {
    static let byEntityMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"
    static let byRelationship = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
  }

  /// What an entity mapping has made of source objects.
  ///
  /// - Parameters:
  ///   - name: The name of the entity mapping.
  ///   - sources: The source objects.
  /// - Returns: The expression.
  package static func destinationInstances(
    ofEntityMapping name: String, _ sources: MigrationExpression
  ) -> MigrationExpression {
    call(Selector.byEntityMapping, name, sources)
  }

  /// What the objects of a source relationship have become, whatever entity mapping made it.
  ///
  /// - Parameters:
  ///   - name: The name of the relationship of the source.
  ///   - sources: The source objects.
  /// - Returns: The expression.
  package static func destinationInstances(
    ofSourceRelationship name: String, _ sources: MigrationExpression
  ) -> MigrationExpression {
    call(Selector.byRelationship, name, sources)
  }

  private static func call(
    _ selector: String, _ name: String, _ sources: MigrationExpression
  ) -> MigrationExpression {
    .function(.variable(.manager), selector: selector, [.constant(.text(name)), sources])
  }
}
