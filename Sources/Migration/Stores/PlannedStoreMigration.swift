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
