import ArchiveReader
import DataModel
import Support

/// The outline of a profile from which a plan follows: two with the same outline have the same
/// plan.
///
/// `ModelInference` and `PlanCompiler` look at classes, keys and kinds of values, and at numbers
/// only to see whether a key is missing somewhere, and what is the inverse of what.
package struct SchemaFingerprint: Equatable {
  private struct ClassOutline: Equatable {
    var name: String
    var hierarchy: [String]
    var hints: [String]
    var hasObjects: Bool
    var properties: [PropertyOutline]
  }

  private struct PropertyOutline: Equatable {
    var key: String
    var isSparse: Bool
    var kinds: ValueKinds
    var targets: Set<Int>
    var collectionKinds: Set<CollectionKind>
    var elementKinds: ValueKinds
    var elementTargets: Set<Int>
    var keyKinds: ValueKinds
    var hasLinks: Bool
    var holdsEmpty: Bool
  }

  private let classes: [ClassOutline]
  private let nonconformingClasses: Set<String>
  private let model: Model?
  private let inverses: [ModelInference.PropertyIndex: ModelInference.PropertyIndex]

  package init(_ profile: SchemaProfile) {
    model = profile.declared.source?.model
    classes = profile.classes.map { found in
      ClassOutline(
        name: found.name, hierarchy: found.hierarchy, hints: found.hints,
        hasObjects: found.count > 0,
        properties: found.properties.map { property in
          PropertyOutline(
            key: property.key, isSparse: property.count < found.count, kinds: property.kinds,
            targets: property.targets, collectionKinds: property.elements.collectionKinds,
            elementKinds: property.elements.kinds, elementTargets: property.elements.targets,
            keyKinds: property.elements.keyKinds, hasLinks: property.elements.links > 0,
            holdsEmpty: property.elements.holdsEmpty)
        })
    }
    nonconformingClasses = profile.nonconformingClasses
    inverses = ModelInference.inverses(in: profile)
  }

  /// A digest: the same in every run for the same outline.
  package var digest: String {
    var texts: [String] = []
    // What each list holds after it tells where it ends.
    func add(_ parts: [String]) { texts += parts + [""] }
    for found in classes {
      add([found.name, "\(found.hasObjects)"])
      add(found.hierarchy)
      add(found.hints)
      for property in found.properties {
        add([property.key, "\(property.isSparse) \(property.hasLinks) \(property.holdsEmpty)"])
        let kinds = [property.kinds, property.elementKinds, property.keyKinds]
        add(kinds.map { "\($0.rawValue)" })
        add(property.targets.sorted().map(String.init))
        add(property.collectionKinds.map { "\($0.rawValue)" }.sorted())
        add(property.elementTargets.sorted().map(String.init))
      }
    }
    add(nonconformingClasses.sorted())
    add(inverses.map { "\($0.key) \($0.value)" }.sorted())
    if let model { add([model.digest()]) }
    return MessageDigest.sha256(ofTexts: texts)
  }
}
