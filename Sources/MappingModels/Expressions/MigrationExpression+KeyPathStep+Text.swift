import Mappings

extension MigrationExpression.KeyPathStep {
  /// The steps of a path: `countries.@distinctUnionOfSets.moods`.
  ///
  /// - Parameter path: The path as text.
  /// - Returns: The steps; nil if one of them is neither a name nor a known operator.
  package static func steps(_ path: String) -> [MigrationExpression.KeyPathStep]? {
    var steps: [MigrationExpression.KeyPathStep] = []
    for part in path.split(separator: ".", omittingEmptySubsequences: false) {
      if part.hasPrefix("@") {
        guard let sign = CollectionOperator(rawValue: String(part.dropFirst())) else {
          return nil
        }
        steps.append(.collectionOperator(sign))
      } else {
        guard isName(part) else { return nil }
        steps.append(.key(String(part)))
      }
    }
    return steps
  }

  /// Whether a text can be the name of a property.
  private static func isName(_ text: Substring) -> Bool {
    guard let first = text.unicodeScalars.first else { return false }
    return (first == "_" || first.properties.isIDStart)
      && text.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isIDContinue }
  }

  /// The step in the format.
  package var format: String {
    switch self {
    case .key(let key): key
    case .collectionOperator(let sign): "@\(sign.rawValue)"
    }
  }
}
