import DataModel
import TestSupport

/// Draws models, and objects for them.
struct StoreContentGenerator: RandomDrawing {
  var random: SeededGenerator
  private var count = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  static let entityNames = ["Garden", "Plant", "Tool", "Grower", "Season"]
  private static let types: [AttributeType] = [
    .boolean, .integer16, .integer32, .integer, .float, .double, .decimal, .string, .string, .date,
    .binary, .uuid, .uri, .transformable, .transformable,
  ]

  mutating func make() -> StoreContent {
    var content = StoreContent(model: model())
    for entity in content.concrete() {
      for _ in 0..<number(in: 0...5) {
        content.objects.append(object(of: content.whole(entity), tag: "o\(content.objects.count)"))
      }
    }
    for entity in content.model.entities {
      for relationship in entity.relationships where relationship.name.hasPrefix("link") {
        link(relationship, of: entity.name, &content)
      }
    }
    return content
  }

  // MARK: Models

  private mutating func model() -> Model {
    var entities: [Entity] = []
    for name in Self.entityNames.shuffled(using: &random).prefix(number(in: 2...4)) {
      let parent = !entities.isEmpty && chance(35) ? one(of: entities).name : nil
      var attributes = (0..<number(in: 0...4)).map { _ in attribute() }
      if parent == nil { attributes.append(Attribute(name: StoreContent.tag, type: .string)) }
      entities.append(Entity(name: name, parent: parent, attributes: attributes))
    }
    for place in entities.indices where chance(30) {
      entities[place].isAbstract = entities.contains { $0.parent == entities[place].name }
    }
    for place in 0..<number(in: 0...3) {
      let (here, there) = (number(below: entities.count), number(below: entities.count))
      let (isToMany, leadsBackToMany) = (chance(60), chance(50))
      entities[here].relationships.append(
        Relationship(
          name: "link\(place)", destinations: [entities[there].name], isToMany: isToMany,
          isOrdered: isToMany && chance(40), inverse: "back\(place)"))
      entities[there].relationships.append(
        Relationship(
          name: "back\(place)", destinations: [entities[here].name], isToMany: leadsBackToMany,
          isOrdered: leadsBackToMany && chance(30), inverse: "link\(place)"))
    }
    return Model(entities: entities)
  }

  mutating func attribute() -> Attribute {
    count += 1
    return Attribute(name: "attr\(count)", type: one(of: Self.types), isOptional: chance(85))
  }

  // MARK: Objects

  mutating func object(of entity: Entity, tag: String) -> StoredObject {
    var object = StoredObject(entity: entity.name)
    for attribute in entity.attributes where !attribute.isOptional || chance(75) {
      object.values[attribute.name] = leaf(attribute.type)
    }
    object.values[StoreContent.tag] = .text(tag)
    return object
  }

  private mutating func leaf(_ type: AttributeType) -> Leaf {
    count += 1
    switch type {
    case .boolean: return .bool(chance(50))
    case .integer16: return .integer(one(of: [.init(Int16.min), 0, 7, Int64(count)]))
    case .integer32: return .integer(one(of: [.init(Int32.max), -1, Int64(count) * 70_001]))
    case .integer: return .integer(one(of: [.min, .max, 1, Int64(count) << 33]))
    case .float: return .real(Double(count) / 8)
    case .double: return .real(one(of: [0.1, -1e300, 3, Double(count) / 3]))
    case .decimal: return .decimal(UInt16(truncatingIfNeeded: count * 37))
    case .date: return .date(eighths: Int64(count) * 1_000_003 - 4_000_000_000, .none)
    case .binary: return .data(chance(10) ? [] : [0, 255, UInt8(truncatingIfNeeded: count)])
    case .uuid: return .uuid(UInt64(count), .none)
    case .uri: return .url("https://example.org/\(count)?a=1&b=2", isWrapped: false, .none)
    case .transformable:
      return one(of: [.text("archived \(count)"), .integer(Int64(count)), .date(eighths: 9, .none)])
    default: return .text(one(of: ["", "t\(count)", "t\(count) <&>'\"", "t\(count) \u{E4}"]))
    }
  }

  private mutating func link(
    _ relationship: Relationship, of entity: String, _ content: inout StoreContent
  ) {
    guard let inverse = content.inverse(of: relationship) else { return }
    let here = content.objects(of: entity).shuffled(using: &random)
    let there = content.objects(of: relationship.destinations[0]).shuffled(using: &random)
    switch (relationship.isToMany, inverse.isToMany) {
    case (true, true):
      for one in here {
        for other in there where chance(30) { content.link(one, relationship, to: other) }
      }
    case (false, true):
      for one in here where !there.isEmpty && chance(70) {
        content.link(one, relationship, to: self.one(of: there))
      }
    case (true, false):
      for other in there where !here.isEmpty && chance(70) {
        content.link(one(of: here), relationship, to: other)
      }
    case (false, false):
      for (one, other) in zip(here, there) where chance(70) {
        content.link(one, relationship, to: other)
      }
    }
  }
}
