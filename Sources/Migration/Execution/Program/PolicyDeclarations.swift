import Mappings

/// The blocks of a mapping file that stand in for policies.
package struct PolicyDeclarations: Sendable {
  /// The path of the mapping file, for messages.
  let path: String
  private let blocks: [PolicyMapping]

  /// Takes the blocks of a mapping file.
  ///
  /// - Parameters:
  ///   - mapping: The mapping; nil for none.
  ///   - path: The path of its file.
  package init(_ mapping: Mapping? = nil, path: String = "") {
    blocks = mapping?.policies ?? []
    self.path = path
  }

  /// The block that stands in for the policy of an entity mapping: one that names the entity
  /// mapping, or else one that is for all.
  func block(for mapping: MigrationEntityMapping) -> PolicyMapping? {
    guard let className = mapping.policyClassName else { return nil }
    let found = blocks.filter { $0.isFor(className) }
    return found.first { $0.entityMapping?.value == mapping.name }
      ?? found.first { $0.entityMapping == nil }
  }

  /// Refuses blocks that nothing asks for, or that a policy in Swift contends with.
  ///
  /// - Parameters:
  ///   - models: The mapping models of all steps.
  ///   - registered: The names of the policies in Swift.
  /// - Throws: `MappingError` with all such blocks.
  package func check(
    _ models: [MappingModel], registered: Set<String>
  ) throws(MappingError) {
    let mappings = models.flatMap(\.entityMappings)
    let classNames = mappings.compactMap(\.policyClassName)
    let problems = blocks.compactMap { block -> MappingError.Problem? in
      let name = block.className
      let meant = classNames.filter(block.isFor)
      guard !meant.isEmpty else {
        return MappingError.Problem(
          .unusedPolicy, at: name.mark, name: name.value,
          nearest: NearestName.find(name.value, in: classNames.flatMap { [$0, $0.withoutModule] }))
      }
      if meant.contains(where: { !registered.isDisjoint(with: [$0, $0.withoutModule]) }) {
        return MappingError.Problem(.policyTwice, at: name.mark, name: name.value)
      }
      guard let entityMapping = block.entityMapping else { return nil }
      let users = mappings.filter { $0.policyClassName.map(block.isFor) ?? false }.map(\.name)
      guard !users.contains(entityMapping.value) else { return nil }
      return MappingError.Problem(
        .unusedPolicyMapping, at: entityMapping.mark, name: entityMapping.value,
        expected: name.value, nearest: NearestName.find(entityMapping.value, in: users))
    }
    guard let first = problems.first else { return }
    throw MappingError(path: path, first, Array(problems.dropFirst()))
  }
}

extension PolicyMapping {
  /// Whether it is for a class that a mapping model names.
  fileprivate func isFor(_ name: String) -> Bool {
    className.value == name || className.value == name.withoutModule
  }
}

extension String {
  /// The name of a class without that of its module.
  var withoutModule: String { split(separator: ".").last.map(String.init) ?? self }
}
