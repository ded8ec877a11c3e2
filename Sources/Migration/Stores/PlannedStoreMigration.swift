import CoreDataStores
import DataModel
import Mappings

/// What a migration of a store is going to do.
package struct PlannedStoreMigration: Sendable {
  /// The version that the store is of.
  package let match: ModelMatch
  /// The version that it gets.
  package let target: ModelVersion
  /// The steps.
  package let plan: MigrationPlan
  /// What keeps steps from running.
  package let failures: [StoreMigrationError.Failure]

  package init(
    match: ModelMatch, target: ModelVersion, plan: MigrationPlan,
    failures: [StoreMigrationError.Failure]
  ) {
    (self.match, self.target, self.plan, self.failures) = (match, target, plan, failures)
  }

  /// Refuses steps that cannot run.
  package func check() throws(StoreMigrationError) {
    guard failures.isEmpty else { throw .steps(failures) }
  }
}

extension PlannedStoreMigration: CustomStringConvertible {
  /// From which version to which, what is known of the match, and a line for each step.
  package var description: String {
    let assumed = target.source.model.notes.filter { $0.code == .assumedVersion }
    let notes = assumed.map { "   \($0)" } + match.notes.map { "   \($0)" }
    return (["\(match.version) to \(target)"] + notes + ["\(plan)"]).joined(separator: "\n")
  }
}

/// What a migration may use besides the store and the version of the model that it leads to.
public struct MigrationOptions: Sendable, Hashable {
  /// Paths of mapping models, and of folders to search for them.
  ///
  /// A step between two versions that none of them leads between is inferred, as Core Data does.
  public var mappingModelPaths: [String]
  /// Paths of further versions of the model: files, or folders of versions.
  ///
  /// The versions that stand next to the target in its folder are known without being named.
  public var versionPaths: [String]
  /// What an earlier migration used of these files, if it is repeated; nil to use all of them.
  package var recorded: RecordedMigration?

  /// Creates options.
  public init(mappingModelPaths: [String] = [], versionPaths: [String] = []) {
    self.mappingModelPaths = mappingModelPaths
    self.versionPaths = versionPaths
  }

  /// The same options with others in their place, as far as those name anything.
  package func replaced(by other: MigrationOptions) -> MigrationOptions {
    MigrationOptions(
      mappingModelPaths: other.mappingModelPaths.isEmpty
        ? mappingModelPaths : other.mappingModelPaths,
      versionPaths: other.versionPaths.isEmpty ? versionPaths : other.versionPaths)
  }
}

/// What a migration had at hand, by which it can be repeated when more has been put beside it: an
/// app gets versions of its model, and mapping models, later.
package struct RecordedMigration: Sendable, Hashable {
  /// The digest of the version that stores were migrated to; nil if it is not known.
  package var target: String?
  /// The digests of the versions and of the mapping models.
  package var files: Set<String>

  package init(target: String?, files: [String]) {
    (self.target, self.files) = (target, Set(files))
  }
}

extension MigrationPlanner {
  /// The digests of the versions and of the mapping models.
  package var fileDigests: [String] {
    versions.map { $0.source.model.digest() } + mappingModels.map(\.digest.hexadecimal)
  }

  /// The same with what an earlier migration had at hand, and no more.
  package func restricted(to recorded: RecordedMigration) -> MigrationPlanner {
    let known = versions.filter { recorded.files.contains($0.source.model.digest()) }
    return MigrationPlanner(
      target: known.first { $0.source.model.digest() == recorded.target } ?? target,
      versions: known,
      mappingModels: mappingModels.filter { recorded.files.contains($0.digest.hexadecimal) },
      errors: errors, label: label)
  }
}
