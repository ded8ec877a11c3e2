import ArchiveReader
import Stores

/// What an import goes by: the model, the tables, and what becomes of each archived class.
package struct ImportPlan: Sendable {
  package let model: Model
  package let hierarchy: EntityHierarchy
  package var layout: RelationalLayout
  /// The mappings that are run over the archives, in order: one, unless a mapping has passes.
  package var passes: [Pass]
  package let classesReadAsObjects: Set<String>
  package let limits: ReadingLimits
  package let recordsProvenance: Bool
  /// True if there is a table for the metadata of applications in Core Data stores.
  package let keepsMetadata: Bool
  /// Whether there is more to check than that the archives are sound: a model, a mapping, hooks.
  package let validates: Bool
  /// The model and its metadata, from which a Core Data store is created.
  package var source: ModelSource?
  /// The entities of which a mapping says that it names all properties, as a draft does.
  var completeEntities: Set<Int> = []
  /// The rules of Core Data, where a store is migrated.
  package var migration: MigrationTraits?
  /// The plain names of classes and keys, which the store has to keep; nil if it needs not.
  package var assignedNames: AssignedNames?

  /// Whether rows that name an owner whose ordered collection does not hold them stand after its
  /// members: not where they are kept as a draft found them, nor where nothing says that they do.
  package func placesStrays(_ stored: StoredRelationship) -> Bool {
    guard validates, stored.inverse != nil else { return false }
    return stored.elements != nil || !stored.destinations.allSatisfy(completeEntities.contains)
  }

  /// Whether nothing but plain rows is made, and nothing checked.
  package var isPlain: Bool { !validates && passes.allSatisfy { !$0.usesMapping } }

  /// The entities that the objects of a class become, in any pass.
  package func entities(ofClass name: String) -> Set<Int> {
    passes.reduce(into: []) { found, pass in
      switch pass.classes[name] {
      case .plain(let entity, _), .hook(_, let entity?): found.insert(entity)
      case .mapped(let indices): found.formUnion(indices.map { pass.entities[$0].entity })
      default: break
      }
    }
  }

  /// The indices of the passes that make something of the objects of a class.
  func passes(of className: String) -> [Int] {
    passes.indices.filter { index in
      if case .unmapped = passes[index].classes[className] ?? .unmapped { false } else { true }
    }
  }

  /// True if anything is made of the objects of a class.
  package func converts(className: String) -> Bool { !passes(of: className).isEmpty }

  /// Whether the objects of a class are ignored on purpose.
  package func ignores(className: String) -> Bool {
    passes.contains { pass in
      if case .ignored = pass.classes[className] { true } else { false }
    }
  }

  /// The entity mappings that take the objects of a class, in all passes.
  func entityPlans(of className: String) -> [EntityPlan] {
    passes.flatMap { pass in
      guard case .mapped(let indices) = pass.classes[className] else { return [EntityPlan]() }
      return indices.map { pass.entities[$0] }
    }
  }

  /// The entity that the objects of a class become in the first pass that takes them.
  package func entityName(ofClass name: String) -> String? {
    for pass in passes {
      switch pass.classes[name] {
      case .plain(let entity, _), .hook(_, let entity?): return model.entities[entity].name
      case .mapped(let indices): return model.entities[pass.entities[indices[0]].entity].name
      default: continue
      }
    }
    return nil
  }
}
