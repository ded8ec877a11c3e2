import CoreDataStores
import Support

// The steps along a path.
extension MigrationGraph {
  /// The steps along a path of versions.
  ///
  /// - Parameters:
  ///   - path: The numbers of the versions.
  ///   - inferred: The mapping models that were inferred.
  /// - Returns: The steps.
  /// - Throws: `MigrationPlanError.ambiguous`.
  func steps(
    along path: [Int], inferred: [Link: InferredMapping]
  ) throws(MigrationPlanError) -> [MigrationStep] {
    var steps: [MigrationStep] = []
    for (source, target) in zip(path, path.dropFirst()) {
      let link = Link(source: source, target: target)
      if let edges = edges[link] {
        steps.append(try step(link, edges))
      } else if let mapping = inferred[link] {
        steps.append(
          MigrationStep(
            source: versions[source].version, destination: versions[target].version,
            method: .inferred(mapping), mappingModels: [mapping.model], drifts: [],
            passedOver: passedOver(link)))
      }
    }
    return steps
  }

  /// Why mapping models that fit two versions do not lead between them.
  private func passedOver(_ link: Link) -> [String] {
    zip(mappingModels, outline).compactMap { mapping, outline in
      let (source, target) = (versions[link.source], versions[link.target])
      guard let before = mapping.source.comparison(with: source), before.isExact,
        let after = mapping.destination.comparison(with: target), after.isExact
      else { return nil }
      let unknown = [(before.surplus, source), (after.surplus, target)].flatMap { names, version in
        names.sorted { $0.precedesInBytes($1) }.map { "\($0) of \(version.version)" }
      }
      return "\(outline): it does not map \(unknown.joined(separator: ", "))"
    }
  }

  /// A step by mapping models.
  ///
  /// Two forms of one mapping model count once. Different ones may divide the entities of the
  /// destination among them, as in a migration of several passes.
  private func step(_ link: Link, _ edges: [Edge]) throws(MigrationPlanError) -> MigrationStep {
    let (source, target) = (versions[link.source].version, versions[link.target].version)
    var chosen: [(edge: Edge, model: MappingModel)] = []
    var entities: Set<String> = []
    let sorted = edges.sorted { $0.mapping.name.precedesInBytes($1.mapping.name) }
    for edge in sorted {
      let model = edge.mapping.compiled(
        from: source.source.model, to: target.source.model)
      guard !chosen.contains(where: { $0.model == model }) else { continue }
      let mapped = Set(model.entityMappings.compactMap(\.destinationEntityName))
      guard entities.isDisjoint(with: mapped) else {
        throw .ambiguous(
          sorted.map(\.mapping.name), source: "\(source)", target: "\(target)")
      }
      entities.formUnion(mapped)
      chosen.append((edge, model))
    }
    return MigrationStep(
      source: source, destination: target, method: .mapped(chosen.map(\.edge.mapping)),
      mappingModels: chosen.map(\.model), drifts: chosen.flatMap(\.edge.drifts))
  }
}
