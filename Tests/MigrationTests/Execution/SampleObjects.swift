import ArchiveReader
import CoreDataStores
import DataModel
import Foundation

/// Makes a store of any model: an XML store with some objects of each entity, which have a value of
/// each attribute and are linked by each relationship.
struct SampleObjects {
  private let model: Model
  private let hierarchy: EntityHierarchy
  /// For each entity, the numbers of its objects, those of subentities included.
  private var objects: [[Int]]
  /// For each object, its entity.
  private var entities: [Int] = []
  /// For each object, the objects that its relationships lead to.
  private var links: [[String: [Int]]] = []

  /// - Parameters:
  ///   - model: The model.
  ///   - count: How many objects each entity has, without those of subentities.
  init(_ model: Model, count: Int = 3) {
    self.model = model
    hierarchy = EntityHierarchy(model)
    objects = Array(repeating: [], count: model.entities.count)
    for (number, entity) in model.entities.enumerated() where !entity.isAbstract {
      for _ in 0..<count {
        for ancestor in hierarchy.ancestors(of: number) { objects[ancestor].append(entities.count) }
        entities.append(number)
        links.append([:])
      }
    }
    link()
  }

  /// Opens the store.
  func open() throws -> any CoreDataSource {
    let text =
      "<?xml version=\"1.0\"?>\n<database>\(entities.indices.map(element).joined())</database>"
    return try XMLStoreSource(ByteStorage(Array(text.utf8)), model: ModelSource(model))
  }

  // MARK: Links

  private mutating func link() {
    var known: Set<[String]> = []
    for (number, entity) in model.entities.enumerated() {
      for relationship in entity.storedRelationships {
        guard known.insert([entity.name, relationship.name]).inserted,
          let destination = relationship.destinations.first.flatMap(hierarchy.index)
        else { continue }
        let inverse = hierarchy.inverse(of: relationship, at: destination, in: model)
        let owner = inverse.flatMap { inverse in
          hierarchy.ancestors(of: destination).first {
            model.entities[$0].relationships.contains(inverse)
          }
        }
        if let inverse, let owner { known.insert([model.entities[owner].name, inverse.name]) }
        let (here, there) = (objects[number], objects[destination])
        guard !here.isEmpty, !there.isEmpty else { continue }
        for (one, other) in Self.pairs(here, there, relationship, inverse) {
          links[one][relationship.name, default: []].append(other)
          if let inverse, inverse != relationship {
            links[other][inverse.name, default: []].append(one)
          }
        }
      }
    }
  }

  private static func pairs(
    _ here: [Int], _ there: [Int], _ relationship: Relationship, _ inverse: Relationship?
  ) -> [(Int, Int)] {
    // Without an inverse, an object is in the collection of one owner.
    switch (relationship.isToMany, inverse?.isToMany ?? !relationship.isToMany) {
    case (false, true): here.indices.map { (here[$0], there[$0 % there.count]) }
    case (true, false): there.indices.map { (here[$0 % here.count], there[$0]) }
    case (false, false): Array(zip(here, there))
    case (true, true):
      here.indices.flatMap { index in
        Set([index % there.count, (index + 1) % there.count]).sorted().map {
          (here[index], there[$0])
        }
      }
    }
  }

  // MARK: Elements

  private func element(_ object: Int) -> String {
    let entity = hierarchy.withInherited(entities[object], in: model)
    let attributes = entity.storedAttributes.map { attribute in
      "<attribute name=\"\(attribute.name)\" type=\"\(attribute.type.rawValue)\">"
        + "\(Self.value(attribute, object))</attribute>"
    }
    let relationships = entity.storedRelationships.map { relationship in
      let ids = links[object][relationship.name, default: []].map { "z\($0 + 100)" }
      return "<relationship name=\"\(relationship.name)\" type=\"0/0\" "
        + "destination=\"\(relationship.destinations.first ?? "")\" "
        + "idrefs=\"\(ids.joined(separator: " "))\"></relationship>"
    }
    return "<object type=\"\(entity.name)\" id=\"z\(object + 100)\">"
      + "\(attributes.joined())\(relationships.joined())</object>\n"
  }

  private static func value(_ attribute: Attribute, _ object: Int) -> String {
    switch attribute.type {
    case .boolean: object.isMultiple(of: 2) ? "1" : "0"
    case .integer16, .integer32, .integer: "\(object)"
    case .float, .double, .decimal, .date: "\(object).25"
    case .uuid:
      UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, UInt8(object))).uuidString
    case .uri: "https://example.org/\(object)"
    case .binary, .transformable: Data([UInt8(object), 0, 1]).base64EncodedString()
    default: "\(attribute.name) \(object)"
    }
  }
}
