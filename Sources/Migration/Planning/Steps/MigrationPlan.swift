import CoreDataStores
import DataModel
import Support

/// The steps that lead from the version of a store to another, to be shown before they run.
///
/// Of all chains of steps, the one is chosen that leaves the least to inference: that with the
/// fewest changes in its inferred steps (see `InferredMapping.changeCount`). So a chain of mapping
/// models alone, of any length, comes before one with an inferred step; and where there are mapping
/// models for a part of the way, the rest is bridged where the versions differ least. Among equals,
/// the one with the fewest drifts is chosen, then the shortest, then the first in the order of the
/// versions. Two steps in a row are never inferred: as in Core Data, inference goes straight to its
/// end. And no step leads to a version that is newer than the target or older than the source, in
/// the order that the mapping models give to versions.
///
/// A mapping model leads between two versions if its hashes, or those of the models embedded in it,
/// are theirs. If no version at hand has them, it leads to the one of the same name, or, for a
/// compiled one, to the one with the most entities in common; that is a drift, and used only if
/// accepted.
package struct MigrationPlan: Sendable {
  /// The steps, in order; none if the store is of the version already.
  package let steps: [MigrationStep]

  /// Finds the steps.
  ///
  /// - Parameters:
  ///   - source: The version that the store is of.
  ///   - target: The version that it shall be of.
  ///   - versions: Other versions of the model that the steps may lead through. Those that mapping
  ///     models embed are not among them by themselves.
  ///   - mappingModels: The mapping models that may be used.
  ///   - acceptsDrift: Whether mapping models are used for versions that were edited after them.
  /// - Throws: `MigrationPlanError`.
  /// - Complexity: Each mapping model is compared with each version; a mapping model is inferred
  ///   for each pair of versions that mapping models lead to and from, until the target is reached.
  package init(
    from source: ModelVersion, to target: ModelVersion, versions: [ModelVersion] = [],
    mappingModels: [AvailableMappingModel] = [], acceptsDrift: Bool = false
  ) throws(MigrationPlanError) {
    let graph = try MigrationGraph(
      from: source, to: target, versions: versions, mappingModels: mappingModels)
    var search = MigrationGraph.Search(graph)
    guard let path = search.shortestPath() else {
      throw .noSteps(
        MigrationPlanError.Missing(
          source: "\(source)", target: "\(target)", reasons: search.directReasons,
          mappingModels: graph.outline, waypoints: graph.waypoints()))
    }
    steps = try graph.steps(along: path, inferred: search.inferred)
    let drifts = steps.flatMap(\.drifts)
    guard drifts.isEmpty || acceptsDrift else { throw .drift(drifts) }
  }
}

extension MigrationPlan: CustomStringConvertible {
  /// A line for each step, numbered from 1, with its drifts and conditions below it.
  package var description: String {
    guard !steps.isEmpty else { return "no steps: the store is of this version already" }
    return steps.enumerated().map { index, step in
      let details =
        step.drifts.map(\.description) + step.conditions.map(\.description) + step.passedOver
      return PrintableText.lines(["\(index + 1). \(step)"] + details.map { "   \($0)" })
    }.joined(separator: "\n")
  }
}

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
