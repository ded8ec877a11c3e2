import CoreDataStores

/// One step of a migration: from one version of a model to another.
package struct MigrationStep: Sendable {
  /// How the objects are migrated.
  package enum Method: Sendable {
    /// By a mapping model that its author made.
    ///
    /// Several mapping models, by name, divide the entities among them.
    case mapped([AvailableMappingModel])
    /// By the mapping model that Core Data would infer.
    case inferred(InferredMapping)
  }

  /// The version that the objects have.
  package let source: ModelVersion
  /// The version that they get.
  package let destination: ModelVersion
  /// How they are migrated.
  package let method: Method
  /// The mapping models that are run, in order; an inferred one stands alone.
  package let mappingModels: [MappingModel]
  /// How the mapping models differ from the two versions; empty where they were made for them.
  package let drifts: [MappingModelDrift]
  /// Why mapping models that fit the two versions are not used, in words.
  package var passedOver: [String] = []

  /// Whether it is inferred.
  package var isInferred: Bool {
    if case .inferred = method { true } else { false }
  }

  /// On what the migration depends, where it is inferred.
  package var conditions: [InferenceFinding] {
    if case .inferred(let mapping) = method { mapping.conditions } else { [] }
  }
}

extension MigrationStep: CustomStringConvertible {
  /// The step in a line: `'Notes' to 'Notes 2': inferred (2 copy, 1 transform)`.
  package var description: String {
    let way =
      switch method {
      case .mapped(let mappings): mappings.map(\.name).joined(separator: ", ")
      case .inferred: "inferred"
      }
    let mappings = mappingModels.flatMap(\.entityMappings)
    let counts = MigrationEntityMapping.Kind.allCases.compactMap { kind in
      let count = mappings.count { $0.kind == kind }
      return count == 0 ? nil : "\(count) \(kind.word)"
    }
    let indices = counts.isEmpty ? "no entity mappings" : counts.joined(separator: ", ")
    return "\(source) to \(destination): \(way) (\(indices))"
  }
}

/// How a version at hand differs from the one that a mapping model was made for: it was edited
/// later.
package struct MappingModelDrift: Sendable, Hashable {
  /// The name of the mapping model.
  package let mappingModel: String
  /// The version at hand, in words.
  package let version: String
  /// The entities and properties that differ; none if the mapping model does not tell what it was
  /// made for.
  package let differences: [ModelDifference]
}

extension MappingModelDrift: CustomStringConvertible {
  /// The drift in words, after the name of the mapping model.
  package var description: String { "\(mappingModel) \(sentence)" }

  /// What the mapping model was made for, and what differs, without its name.
  package var sentence: String {
    guard !differences.isEmpty else {
      return "does not tell for which version it was made; \(version) has its name"
    }
    let names = differences.map(\.description).joined(separator: ", ")
    return "was made for another version of \(version), which differs in \(names)"
  }
}
