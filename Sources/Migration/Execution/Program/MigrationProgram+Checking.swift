import DataModel
import Mappings
import Support

// What keeps a step from running, found without a store.
extension MigrationProgram {
  /// Makes policies: one for each entity mapping that names one, or whose values are computed once.
  package struct PolicyMakers: Sendable {
    /// By the index of the entity mapping.
    package var makers: [Int: @Sendable () -> any MigrationPolicy] = [:]
    /// The losses of those of a mapping file.
    package var losses: [Int: PolicyLosses] = [:]
  }

  /// Finds whatever is missing for a step to run.
  ///
  /// Policies are created, to see which functions they have, and not called.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - policies: The policies, by the names that mapping models give their classes.
  ///   - declarations: What stands in for policies.
  /// - Throws: `MigrationError` with all that is missing.
  package static func check(
    _ step: MigrationStep, policies: [String: any MigrationPolicy.Type] = [:],
    declarations: PolicyDeclarations = PolicyDeclarations()
  ) throws(MigrationError) {
    let program = try MigrationProgram(
      step, from: step.source.source.model, declarations: declarations)
    _ = try program.policyMakers(policies)
  }

  /// Finds out what keeps a mapping model from running, whatever policies there are.
  ///
  /// - Parameters:
  ///   - model: The mapping model.
  ///   - source: The model that it leads from.
  ///   - destination: The model that it leads to.
  ///   - acceptsDrift: Whether what the models do not have is left out.
  /// - Returns: What is wrong, by entity mapping and property.
  package static func problems(
    of model: MappingModel, from source: Model, to destination: Model, acceptsDrift: Bool
  ) -> [MigrationError] {
    do throws(MigrationError) {
      _ = try MigrationProgram(
        [model], from: source, to: destination, acceptsDrift: acceptsDrift)
      return []
    } catch {
      var first = error
      first.others = []
      return [first] + error.others
    }
  }

  /// Finds the policies; refuses if some are missing, or functions that expressions call.
  package func policyMakers(
    _ policies: [String: any MigrationPolicy.Type]
  ) throws(MigrationError) -> PolicyMakers {
    func policy(_ className: String) -> (any MigrationPolicy.Type)? {
      policies[className] ?? policies[className.withoutModule]
    }
    // Nothing runs until all are known to be there.
    let missing = policyRequirements.filter { policy($0.className) == nil }
    let errors = missing.map { requirement in
      let others = requirement.uses.count - 1
      return MigrationError(
        .missingPolicy, entityMapping: requirement.uses.first?.entityMapping,
        name: requirement.className
          + (others > 0 ? ", and for \(Words.count(others, "other entity mapping"))" : ""))
    }
    if var error = MigrationError(joining: errors) {
      error.suggestion = PolicyBlocks(missing, of: self).text
      throw error
    }
    var found = PolicyMakers()
    for (index, mapping) in mappings.enumerated() where mapping.isEager {
      if let declared = mapping.declared {
        let losses = PolicyLosses()
        let className = mapping.policyClassName ?? "?"
        found.losses[index] = losses
        found.makers[index] = { DeclaredPolicy(declared, of: className, losses) }
      } else if let type = mapping.policyClassName.flatMap(policy) {
        found.makers[index] = { type.init() }
      } else {
        found.makers[index] = { PlainEntityPolicy() }
      }
    }
    let unknown = found.makers.sorted { $0.key < $1.key }.flatMap { index, make in
      missingFunctions(of: index, known: Set(make().functions.keys))
    }
    if let error = MigrationError(joining: unknown) { throw error }
    return found
  }
}
