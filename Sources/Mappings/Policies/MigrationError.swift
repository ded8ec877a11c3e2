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
