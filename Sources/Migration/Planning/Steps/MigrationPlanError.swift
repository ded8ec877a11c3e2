import Support

/// Why there are no steps that lead from one version of a model to another.
package enum MigrationPlanError: Error, Hashable {
  /// What leads nowhere.
  package struct Missing: Sendable, Hashable {
    /// The version of the store, in words.
    package var source: String
    /// The version that it should get, in words.
    package var target: String
    /// Why Core Data would not infer a mapping model between the two.
    package var reasons: [InferenceFinding]
    /// Where the mapping models at hand lead, a line for each.
    package var mappingModels: [String]
    /// The versions that several runs with inferred steps would lead through, in words.
    package var waypoints: [String]
  }

  /// No chain of mapping models and inferred steps leads to the target.
  case noSteps(Missing)
  /// The steps need mapping models that were made for other versions of the models.
  case drift([MappingModelDrift])
  /// Several mapping models lead between the same versions and map the same entities: their names,
  /// and the versions in words.
  case ambiguous([String], source: String, target: String)
  /// Objects would be removed of entities that only the model in the store has: their names, and
  /// that model in words.
  case forgottenEntities([String], source: String)
  /// There are more mapping models than the limit.
  case tooMany(limit: Int)
}

extension MigrationPlanError: CustomStringConvertible {
  /// The error in words: a line for the whole, then one for each reason.
  package var description: String {
    switch self {
    case .noSteps(let missing):
      let head =
        "no mapping model leads from \(missing.source) to \(missing.target), and none can be inferred:"
      let mappings =
        missing.mappingModels.isEmpty ? ["no mapping models were given"] : missing.mappingModels
      let lines = missing.reasons.map(\.description) + mappings + missing.waysOut
      return PrintableText.lines([head] + lines.map { "  \($0)" })
    case .drift(let drifts):
      let head = "versions of the model were edited after the mapping model was made:"
      return PrintableText.lines([head] + drifts.map { "  \($0)" })
    case .ambiguous(let names, let source, let target):
      return "several mapping models lead from \(source) to \(target) and map the same entities: "
        + names.joined(separator: ", ")
    case .forgottenEntities(let names, let source):
      return PrintableText.lines([
        "\(source), the model in the store, has entities that the model to migrate to lacks: "
          + names.joined(separator: ", "),
        "  if another model has them, give it with --model, too",
        "  if they are to be removed, give the version that has them with --versions: the store itself",
      ])
    case .tooMany(let limit): return "there are more than \(limit) mapping models"
    }
  }
}

extension MigrationPlanError.Missing {
  /// What the user can do instead, a line for each, and for each line of a mapping file.
  fileprivate var waysOut: [String] {
    var lines: [String] = []
    if let first = waypoints.first {
      lines.append(
        "inferred steps lead there by way of \(waypoints.joined(separator: ", ")): migrate to "
          + "\(first) first, in a run of its own")
    }
    let converted = reasons.filter { $0.conversion != nil }
    guard !converted.isEmpty else { return lines }
    lines.append(
      "a mapping file converts such values, with 'run' in place of 'migrate' (and --layout coredata):"
    )
    lines.append("  entities:")
    var last: String?
    for reason in converted {
      guard let entity = reason.entity, let property = reason.property,
        let conversion = reason.conversion
      else { continue }
      if entity != last {
        lines.append("    \(entity):")
        if let source = reason.sourceEntity, source != entity {
          lines.append("      from: \(source)")
        }
        lines.append("      attributes:")
        last = entity
      }
      lines.append("        \(property): \(conversion)")
    }
    return lines
  }
}
