import DataModel
import GraphCore
import Support

/// The inspection of a Core Data store: what it says of itself, and the number of objects of each
/// entity.
///
/// There is one of a store without its model, too, in which some of this is unknown.
package struct StoreInspection: Sendable {
  /// An entity of the store.
  package struct Entity: Sendable, Equatable {
    package var name: String
    /// The entity that it inherits from.
    package var parent: String?
    /// True if only its subentities have objects; nil where the model is unknown.
    package var isAbstract: Bool?
    /// The names of its own attributes, then those of its own relationships.
    package var properties: [String] = []
    /// The number of objects of this entity and of none of its subentities; nil where they cannot
    /// be counted.
    package var objects: Int?
    /// The number of entities that it inherits from.
    package var level = 0
  }

  /// The place where the model of a store was found.
  package enum ModelLocation: Sendable, Equatable {
    /// In the store itself.
    case store
    /// In a file, by its path.
    case file(String)
  }

  package var format: SourceFormat
  package var metadata: CoreDataMetadata
  /// The location of the model; nil if there is none at hand, or if a program has made it.
  package var model: ModelLocation?
  /// The entities, sorted by name; subentities stand after the one that they inherit from.
  package var entities: [Entity]
  /// The content of the store that is no object of its model.
  package var leftOut: [StoreRemainder] = []
  /// The notes for users of the store.
  package var notes: [StoreNote] = []

  /// The system whose Core Data wrote the store; nil if that is not known for sure.
  package var frameworkRelease: String? {
    metadata.frameworkVersion.flatMap(FrameworkRelease.name)
  }
  /// The number of objects; nil where those of an entity cannot be counted.
  package var objects: Int? {
    entities.reduce(0) { sum, entity in
      guard let sum, let count = entity.objects else { return nil }
      return sum + count
    }
  }

  init(_ format: SourceFormat, _ metadata: CoreDataMetadata, _ entities: [Entity]) {
    (self.format, self.metadata) = (format, metadata)
    self.entities = Self.inTreeOrder(entities)
  }

  /// Inspects a store that is open.
  ///
  /// - Complexity: Linear in the number of objects.
  package init(_ source: any CoreDataSource) {
    var counts: [String: Int] = [:]
    for uid in 0..<source.objectCount {
      if let key = source.storeKey(ofObject: uid) { counts[key.entity, default: 0] += 1 }
    }
    let entities = source.modelSource.model.entities.map { entity in
      Entity(
        name: entity.name, parent: entity.parent, isAbstract: entity.isAbstract,
        properties: Self.sorted(entity.storedAttributes.map(\.name))
          + Self.sorted(entity.storedRelationships.map(\.name)),
        objects: counts[entity.name] ?? 0)
    }
    self.init(source.format, source.metadata, entities)
    if let path = source.modelSource.path {
      model = .file(path)
    } else if source.modelSource.compiledModel != nil {
      model = .store
    }
    leftOut = source.leftOut
    notes = source.notes
  }

  private static func sorted(_ names: [String]) -> [String] {
    names.sorted { $0.precedesInBytes($1) }
  }

  /// Entities in the order of a tree, with their levels; those that would inherit from themselves
  /// are at its root.
  private static func inTreeOrder(_ entities: [Entity]) -> [Entity] {
    let sorted = entities.sorted { $0.name.precedesInBytes($1.name) }
    let names = Set(sorted.map(\.name))
    let children = Dictionary(grouping: sorted) { entity in
      entity.parent.flatMap { names.contains($0) ? $0 : nil }
    }
    var found: [Entity] = []
    var placed: Set<String> = []
    var waiting = (children[nil] ?? []).reversed().map { (entity: $0, level: 0) }
    // Whom no root leads to is in a circle.
    var rest = sorted[...]
    while true {
      if let (entity, level) = waiting.popLast() {
        guard placed.insert(entity.name).inserted else { continue }
        found.append(entity)
        found[found.count - 1].level = level
        waiting += (children[entity.name] ?? []).reversed().map { ($0, level + 1) }
      } else if let next = rest.popFirst() {
        waiting.append((next, 0))
      } else {
        return found
      }
    }
  }
}
