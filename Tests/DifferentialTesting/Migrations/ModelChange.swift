import DataModel

/// A change from one version of a model to the next that Core Data migrates by itself.
///
/// Entities and properties are those of the first version.
enum ModelChange: Sendable {
  case addAttribute(of: String, Attribute)
  case removeAttribute(String, of: String)
  case renameAttribute(String, of: String)
  case makeOptional(String, of: String)
  case makeMandatory(String, of: String, defaultValue: AttributeDefault)
  case widen(String, of: String, AttributeType)
  case addEntity(Entity)
  case removeEntity(String)
  case renameEntity(String)
  /// The pair of a relationship and its inverse.
  case addRelationship(from: String, to: String, isToMany: Bool, isOrdered: Bool)
  case removeRelationship(String, of: String)
  case renameRelationship(String, of: String)
  /// A relationship leads to another entity, which has its inverse then.
  case redirectRelationship(String, of: String, to: String)

  /// Draws a change; nil if the model has no place for it.
  static func draw(
    number: Int, _ content: StoreContent, _ generator: inout StoreContentGenerator
  ) -> ModelChange? {
    let entities = content.model.entities
    let entity = generator.one(of: entities)
    let attributes = entity.attributes.filter { $0.name != StoreContent.tag }
    let attribute = attributes.randomElement(using: &generator.random)
    let relationship = entity.relationships.randomElement(using: &generator.random)
    switch generator.number(below: 13) {
    case 0: return added(number, to: entity.name, &generator)
    case 1: return attribute.map { .removeAttribute($0.name, of: entity.name) }
    case 2: return attribute.map { .renameAttribute($0.name, of: entity.name) }
    case 3: return attribute.map { .makeOptional($0.name, of: entity.name) }
    case 4:
      let candidate = attributes.first { [.string, .integer, .integer32].contains($0.type) }
      return candidate.map {
        .makeMandatory(
          $0.name, of: entity.name,
          defaultValue: $0.type == .string ? .string("default") : .integer(5))
      }
    case 5:
      let candidate = attributes.first { wider($0.type) != nil }
      return candidate.map {
        .widen($0.name, of: entity.name, wider($0.type) ?? $0.type)
      }
    case 6:
      let parent = generator.chance(50) ? entity.name : nil
      let tag = parent == nil ? [Attribute(name: StoreContent.tag, type: .string)] : []
      return .addEntity(Entity(name: "Added\(number)", parent: parent, attributes: tag))
    case 7: return entities.count > 1 ? .removeEntity(entity.name) : nil
    case 8: return .renameEntity(entity.name)
    case 9:
      let isToMany = generator.chance(60)
      return .addRelationship(
        from: entity.name, to: generator.one(of: entities).name, isToMany: isToMany,
        isOrdered: isToMany && generator.chance(40))
    case 10: return relationship.map { .removeRelationship($0.name, of: entity.name) }
    case 11: return relationship.map { .renameRelationship($0.name, of: entity.name) }
    default:
      let destination = generator.one(of: entities).name
      return relationship.map {
        .redirectRelationship($0.name, of: entity.name, to: destination)
      }
    }
  }

  private static func added(
    _ number: Int, to entity: String, _ generator: inout StoreContentGenerator
  ) -> ModelChange {
    var attribute = generator.attribute()
    attribute.name = "added\(number)"
    attribute.key = attribute.name
    attribute.isOptional = true
    switch attribute.type {
    case .string where generator.chance(50): attribute.defaultValue = .string("default")
    case .integer where generator.chance(50): attribute.defaultValue = .integer(5)
    default: break
    }
    attribute.isOptional = attribute.defaultValue == nil
    return .addAttribute(of: entity, attribute)
  }

  /// A number type that holds all numbers of another.
  private static func wider(_ type: AttributeType) -> AttributeType? {
    switch type {
    case .integer16: .integer32
    case .integer32: .integer
    case .float: .double
    default: nil
    }
  }
}
