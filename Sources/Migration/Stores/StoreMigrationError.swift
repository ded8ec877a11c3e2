import DataModel
import GraphCore

/// Why a store cannot be migrated.
package enum StoreMigrationError: Error {
  /// A model, a mapping model or the store cannot be read, or the store is of no version at hand.
  case model(ModelError)
  /// No steps lead to the target.
  case plan(MigrationPlanError)
  /// Mapping models name policies that are not there: the steps and what the policies have to do.
  case missingPolicies([String])
  /// A step cannot run: what it is, and why.
  case step(String, MigrationError)
}

extension StoreMigrationError: CustomStringConvertible {
  /// The error in words.
  package var description: String {
    switch self {
    case .model(let error): "\(error)"
    case .plan(let error): "\(error)"
    case .missingPolicies(let list):
      (["mapping models name policies that this program does not have:"] + list)
        .joined(separator: "\n  ")
    case .step(let step, let error): "\(step): \(error)"
    }
  }
}

extension ArchiveError {
  /// The error of a store that was opened as a source.
  init(_ error: StoreMigrationError) {
    self.init(.failedMigration, name: "\(error)")
  }
}
