/// The properties of an entity as rows of it are made: inherited ones included, each with a number.
struct EntityShape: Sendable {
  /// An attribute and its column.
  struct StoredAttribute: Sendable {
    var attribute: Attribute
    var column: Int?
    /// The column of the attributes, where the value is a text with attributes.
    var runs: Int?
    var overflow: Int?
    var validator: AttributeValidator
  }

  var name: String
  var number: Int
  var table: Int
  var columnCount: Int
  var discriminator: Int?
  var attributes: [StoredAttribute] = []
  var attributeNumbers: [String: Int] = [:]
  /// The relationships, by their number in the model.
  var relationshipNumbers: [String: Int]
  /// The collections of plain values, by name.
  var collections: [String: ValueCollection] = [:]
  /// The to-one relationships, whose columns are written with the row.
  var toOnes: [Int]

  /// All entities of a plan.
  static func all(
    _ plan: ImportPlan, _ relationships: [RelationshipPlace], _ numbers: [[String: Int]]
  )
    -> [EntityShape]
  {
    plan.model.entities.indices.map { number in
      let place = plan.layout.entities[number]
      var shape = EntityShape(
        name: place.name, number: number, table: place.table,
        columnCount: plan.layout.table(of: number).columns.count,
        discriminator: place.discriminator, relationshipNumbers: numbers[number],
        toOnes: numbers[number].values.filter { !relationships[$0].isToMany }.sorted())
      for ancestor in plan.hierarchy.ancestors(of: number).reversed() {
        let entity = plan.model.entities[ancestor]
        for attribute in entity.attributes where attribute.isStored {
          let own = place.properties[attribute.name]
          shape.attributeNumbers[attribute.name] = shape.attributes.count
          shape.attributes.append(
            StoredAttribute(
              attribute: attribute, column: own?.value, runs: own?.runs, overflow: own?.overflow,
              validator: AttributeValidator(attribute)))
        }
        for collection in entity.collections { shape.collections[collection.name] = collection }
      }
      return shape
    }
  }

  /// The names of all properties.
  var propertyNames: [String] {
    Array(attributeNumbers.keys) + Array(relationshipNumbers.keys) + Array(collections.keys)
  }

  /// The number of a relationship; of two of one name, that which is to-many or not.
  func relationship(
    _ name: String, isToMany: Bool?, among places: [RelationshipPlace]
  ) -> Int? {
    let all = [name, name + RelationshipPlace.secondSuffix].compactMap { relationshipNumbers[$0] }
    return all.first { isToMany == nil || places[$0].isToMany == isToMany } ?? all.first
  }
}
