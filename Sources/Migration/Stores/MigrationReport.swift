import Support

/// What became of a store that was migrated.
public struct MigrationReport: Sendable, Hashable, Codable {
  /// A step of the migration.
  public struct Step: Sendable, Hashable, Codable {
    /// The name of the version that the objects had.
    public var source: String
    /// The name of the version that they got.
    public var destination: String
    /// The names of the mapping models; none if the step was inferred.
    public var mappingModels: [String]
    /// What it came to.
    public var summary: MigrationSummary
  }

  /// The path of the store.
  public var path: String
  /// The name of the version that it was of.
  public var source: String
  /// The name of the version that it was migrated to.
  public var destination: String
  /// The steps; none if it was of that version already.
  public var steps: [Step]

  package init(path: String, source: String, destination: String, steps: [Step]) {
    (self.path, self.source, self.destination) = (path, source, destination)
    self.steps = steps
  }
}

extension MigrationReport.Step {
  package init(_ step: MigrationStep, _ summary: MigrationSummary) {
    (source, destination) = (step.source.name, step.destination.name)
    mappingModels = if case .mapped(let models) = step.method { models.map(\.name) } else { [] }
    self.summary = summary
  }

  /// The step in a line: `Notes to Notes 2, inferred`.
  package var title: String {
    let way = mappingModels.isEmpty ? "inferred" : "by " + mappingModels.joined(separator: ", ")
    return "\(source) to \(destination), \(way)"
  }
}

extension MigrationReport {
  /// Whether each object and each value that a mapping model says nothing of is in the new store.
  package var isLossless: Bool { steps.allSatisfy(\.summary.isLossless) }
}

extension MigrationSummary {
  /// Whether nothing was left behind: what becomes of a value in a policy, only the policy knows.
  package var isLossless: Bool {
    entityMappings.allSatisfy { $0.policyClassName == nil } && lostValueCount == 0
      && lostLinkCount == 0 && leftObjectCount == 0 && omissions.isEmpty
  }

  /// How many values were left behind or changed.
  package var lostValueCount: Int { [leftValueCount, changedValueCount].boundedSum }

  /// How many values were left behind.
  package var leftValueCount: Int { entityMappings.flatMap(\.unreadValues.values).boundedSum }

  /// How many values are in the new store, but not as they were.
  package var changedValueCount: Int { entityMappings.flatMap(\.lostValues.values).boundedSum }

  /// How many links were left behind, or replaced by others.
  package var lostLinkCount: Int {
    (entityMappings.flatMap(\.lostLinks.values) + [replacedLinks]).boundedSum
  }

  /// How many mandatory values objects lack.
  package var missingValueCount: Int {
    entityMappings.map { mapping in
      let unfilled = mapping.missingProperties.map { _ in mapping.destinationObjects }
      return (mapping.missingValues.values + unfilled).boundedSum
    }.boundedSum
  }

  /// How many objects nothing was made of.
  package var leftObjectCount: Int {
    let left = entityMappings.map { mapping in
      mapping.destinationEntityName == nil ? mapping.sourceObjects : mapping.droppedObjects
    }
    return (left + unmigratedObjects.values).boundedSum
  }
}
