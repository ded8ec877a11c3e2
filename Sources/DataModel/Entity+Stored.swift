import Support

extension Entity {
  /// The attributes that a store keeps, in Core Data's order.
  package var storedAttributes: [Attribute] {
    attributes.filter(\.isStored).sorted { $0.name.precedesInBytes($1.name) }
  }

  /// The relationships that a store keeps, in Core Data's order.
  package var storedRelationships: [Relationship] {
    relationships.filter { !$0.isTransient }.sorted { $0.name.precedesInBytes($1.name) }
  }

  /// The to-one relationships that a store keeps, in Core Data's order.
  package var references: [Relationship] { storedRelationships.filter { !$0.isToMany } }
}
