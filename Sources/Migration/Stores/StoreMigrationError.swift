import DataModel
import GraphCore
import Mappings
import Support

/// Why a store cannot be migrated.
package enum StoreMigrationError: Error {
  /// A model, a mapping model or the store cannot be read, or the store is of no version at hand.
  case model(ModelError)
  /// The mapping file cannot be used.
  case mapping(MappingError)
  /// No steps lead to the target.
  case plan(MigrationPlanError)
  /// Steps cannot run, or one has failed.
  case steps([Failure])

  /// What is wrong with a step.
  package struct Failure: Sendable {
    /// The step, in a line.
    package let step: String
    /// What is wrong: of a step that has not begun, all that is.
    package let error: MigrationError

    package init(step: String, error: MigrationError) { (self.step, self.error) = (step, error) }
  }
}

extension StoreMigrationError: CustomStringConvertible {
  /// The error in words.
  package var description: String {
    switch self {
    case .model(let error): PrintableText.printable("\(error)")
    case .mapping(let error): "\(error)"
    case .plan(let error): "\(error)"
    case .steps(let failures):
      failures.flatMap { failure in
        ["\(failure.step):"] + "\(failure.error)".split(separator: "\n").map { "  \($0)" }
      }.joined(separator: "\n")
    }
  }
}

extension ArchiveError {
  /// The error of a store that was opened as a source, in one line.
  package init(_ error: StoreMigrationError) {
    let lines = "\(error)".split(separator: "\n").map { $0.drop { $0 == " " } }
    self.init(.failedMigration, name: lines.joined(separator: " "))
  }
}
