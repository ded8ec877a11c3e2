/// Why a migration cannot run, or has ended.
///
/// An error carries a code and names (of entity mappings, properties, classes), never stored
/// values. Its words are made in one place: see `description`.
package struct MigrationError: Error, Hashable, Sendable {
  /// The kinds of error.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    // Found before anything runs
    case mappingModel
    case missingPolicy
    case missingFunction
    case undeclaredProperty
    case unsuitableBlock

    // Found while it runs
    case forbiddenObjects
    case failedExpression
    case failedPolicy
    case unsuitableValue
    case deletedObject
    case tooMany
  }

  /// What is wrong.
  package var code: Code
  /// The name of the entity mapping, if it is one's fault.
  package var entityMapping: String?
  /// The name of the property whose mapping is at fault.
  package var property: String?
  /// A name that the code alone does not tell, or a reason.
  package var name: String?
  /// What else was found wrong with the mapping models at the same time.
  package var others: [MigrationError] = []
  /// Lines that show what can be done.
  package var suggestion: String?

  /// Creates an error.
  package init(
    _ code: Code, entityMapping: String? = nil, property: String? = nil, name: String? = nil
  ) {
    self.code = code
    self.entityMapping = entityMapping
    self.property = property
    self.name = name
  }

  /// Several errors as one; nil if there are none.
  package init?(joining errors: [MigrationError]) {
    guard var first = errors.first else { return nil }
    first.others += errors.dropFirst()
    self = first
  }

  /// The same error in an entity mapping, if it is in none yet.
  package func placed(in mapping: String, property: String? = nil) -> MigrationError {
    var error = self
    if error.entityMapping == nil {
      error.entityMapping = mapping
      error.property = error.property ?? property
    }
    return error
  }
}

extension MigrationError: CustomStringConvertible {
  /// The error in words, with the entity mapping and property that are at fault; a line for each
  /// that was found at the same time.
  package var description: String {
    ([line] + others.map(\.description) + [suggestion].compactMap(\.self)).joined(separator: "\n")
  }

  private var line: String {
    // These words name the entity mapping themselves.
    if code == .failedPolicy || code == .unsuitableBlock { return words }
    guard let entityMapping else { return words }
    let place = property.map { "\(entityMapping).\($0)" } ?? entityMapping
    return "entity mapping \(place): \(words)"
  }

  /// What is wrong, without the place.
  package var words: String {
    let name = name ?? "?"
    return switch code {
    case .mappingModel, .unsuitableBlock: name
    case .missingPolicy: "a policy is missing: \(name)"
    case .missingFunction: "the policy has no function \(name)"
    case .undeclaredProperty:
      "its value calls the function \(name) of the policy: the block under 'policies' has to name it"

    case .forbiddenObjects: "there must be no objects: \(name)"
    case .failedExpression: "the expression has no value: \(name)"
    case .failedPolicy: name
    case .unsuitableValue: "unsuitable value: \(name)"
    case .deletedObject: "the destination object \(name) has been deleted"
    case .tooMany: "too many \(name)"
    }
  }
}

/// Why a policy ended a run.
package struct PolicyFailure: Error, CustomStringConvertible {
  /// The type of the policy.
  package var policy: String
  /// The name of the entity mapping.
  package var mapping: String
  /// The callback that was running.
  package var callback: String
  /// The error that the policy threw, or gave as the reason of its cancelling.
  package var error: any Error

  /// Creates a failure.
  package init(
    of policy: any MigrationPolicy, mapping: String, callback: String, error: any Error
  ) {
    self.policy = "\(type(of: policy))"
    self.mapping = mapping
    self.callback = callback
    self.error = error
  }

  /// The error in words.
  package var description: String {
    "\(policy).\(callback), mapping '\(mapping)': \(ImportError.words(of: error))"
  }
}
