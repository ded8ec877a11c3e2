extension Model {
  /// The model as it steers the conversion of a store of its own.
  ///
  /// What is in the store is kept whether or not it fits the rules, and nothing takes the place of
  /// what is missing.
  package var withoutRules: Model {
    var model = self
    for entity in model.entities.indices {
      model.entities[entity].archivedClasses = [model.entities[entity].name]
      for place in model.entities[entity].attributes.indices {
        var attribute = model.entities[entity].attributes[place]
        attribute.key = attribute.name
        attribute.isOptional = true
        attribute.defaultValue = nil
        (attribute.minimum, attribute.maximum, attribute.pattern) = (nil, nil, nil)
        model.entities[entity].attributes[place] = attribute
      }
      for place in model.entities[entity].relationships.indices {
        var relationship = model.entities[entity].relationships[place]
        relationship.key = relationship.name
        relationship.isOptional = true
        relationship.minimumCount = 0
        relationship.maximumCount = relationship.isToMany ? 0 : 1
        model.entities[entity].relationships[place] = relationship
      }
      model.entities[entity].uniquenessConstraints = []
    }
    return model
  }
}
