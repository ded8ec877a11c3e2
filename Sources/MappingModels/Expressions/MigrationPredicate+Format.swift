extension MigrationPredicate: CustomStringConvertible {
  /// The predicate in NSPredicate's format language.
  ///
  /// `MigrationPredicate(format:)` reads it back. What is unknown is the text that it was, or
  /// stands in angle brackets.
  package var format: String {
    switch self {
    case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .not(let predicate): "NOT (\(predicate.format))"
    case .and(let predicates):
      predicates.isEmpty ? "TRUEPREDICATE" : Self.joined(predicates, "AND")
    case .or(let predicates):
      predicates.isEmpty ? "FALSEPREDICATE" : Self.joined(predicates, "OR")
    case .comparison(let comparison): comparison.format
    case .unknown(let unknown):
      unknown.reason == .invalidFormat ? unknown.name : "<\(unknown.name)>"
    }
  }

  package var description: String { format }

  private static func joined(_ predicates: [MigrationPredicate], _ word: String) -> String {
    predicates.map { predicate in
      switch predicate {
      case .and, .or: "(\(predicate.format))"
      default: predicate.format
      }
    }.joined(separator: " \(word) ")
  }
}

extension MigrationComparison {
  fileprivate var format: String {
    let quantifier =
      switch quantifier {
      case nil: ""
      case .all: "ALL "
      case .any: "ANY "
      }
    let letters = String(Options.letters.filter { options.contains($0.option) }.map(\.letter))
    let modifiers = letters.isEmpty ? "" : "[\(letters)]"
    return "\(quantifier)\(left.format) \(self.operator.word)\(modifiers) \(right.format)"
  }
}

extension MigrationComparison.Operator {
  /// The operator in the format.
  package var word: String {
    switch self {
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .equal: "=="
    case .notEqual: "!="
    case .matches: "MATCHES"
    case .like: "LIKE"
    case .beginsWith: "BEGINSWITH"
    case .endsWith: "ENDSWITH"
    case .isIn: "IN"
    case .contains: "CONTAINS"
    case .between: "BETWEEN"
    }
  }
}
