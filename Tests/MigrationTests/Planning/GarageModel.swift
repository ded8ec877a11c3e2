import DataModel
import Testing

/// A model of cars and their owners, and changes to it.
enum Garage {
  /// The version that the cases of tests change.
  static let model = Model(entities: [
    Entity(
      name: "Car",
      attributes: [
        Attribute(name: "plate", type: .string), Attribute(name: "seats", type: .integer16),
      ],
      relationships: [
        Relationship(name: "owner", destinations: ["Person"], isToMany: false, inverse: "cars")
      ]),
    Entity(
      name: "Person", attributes: [Attribute(name: "name", type: .string, isOptional: false)],
      relationships: [
        Relationship(name: "cars", destinations: ["Car"], isToMany: true, inverse: "owner")
      ]),
  ])

  /// The model with some changes.
  static func model(_ changes: (inout Model) -> Void) -> Model {
    var model = model
    changes(&model)
    return model
  }
}

extension Model {
  /// Changes an entity.
  mutating func edit(_ entity: String, _ change: (inout Entity) -> Void) {
    for index in entities.indices where entities[index].name == entity {
      change(&entities[index])
    }
  }

  /// Changes an attribute.
  mutating func edit(
    _ entity: String, attribute: String, _ change: (inout Attribute) -> Void
  ) {
    edit(entity) { entity in
      for index in entity.attributes.indices where entity.attributes[index].name == attribute {
        change(&entity.attributes[index])
      }
    }
  }

  /// Changes a relationship.
  mutating func edit(
    _ entity: String, relationship: String, _ change: (inout Relationship) -> Void
  ) {
    edit(entity) { entity in
      for index in entity.relationships.indices
      where entity.relationships[index].name == relationship {
        change(&entity.relationships[index])
      }
    }
  }

  /// Renames an entity wherever it is named.
  mutating func rename(_ entity: String, to name: String, identifier: String?) {
    edit(entity) { $0.renamingIdentifier = identifier }
    for index in entities.indices {
      if entities[index].name == entity { entities[index].name = name }
      if entities[index].parent == entity { entities[index].parent = name }
      for number in entities[index].relationships.indices
      where entities[index].relationships[number].destinations == [entity] {
        entities[index].relationships[number].destinations = [name]
      }
    }
  }
}

/// A change of the model, and what is expected of it, in lines.
struct ModelChange: Sendable, CustomTestStringConvertible {
  typealias Edit = @Sendable (inout Model) -> Void

  var testDescription: String
  private let before: Edit
  private let after: Edit
  let expected: [String]

  /// Makes a change of the source, of the destination, or of both.
  init(
    _ name: String, before: @escaping Edit = { _ in }, after: @escaping Edit, _ expected: [String]
  ) {
    testDescription = name
    self.before = before
    self.after = after
    self.expected = expected
  }

  var source: Model { Garage.model(before) }
  var destination: Model { Garage.model(after) }
}
