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
