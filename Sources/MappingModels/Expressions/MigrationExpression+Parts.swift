extension MigrationExpression {
  /// Calls a function with the expression and with all expressions in it, predicates included.
  ///
  /// - Parameter visit: The function.
  /// - Complexity: Linear in the size of the tree.
  package func visitParts(_ visit: (MigrationExpression) -> Void) {
    visit(self)
    switch self {
    case .constant, .variable, .evaluatedObject, .unknown: break
    case .keyPath(let base, _), .cast(let base, _): base.visitParts(visit)
    case .function(let target, _, let arguments):
      target.visitParts(visit)
      for argument in arguments { argument.visitParts(visit) }
    case .builtIn(_, let arguments), .aggregate(let arguments):
      for argument in arguments { argument.visitParts(visit) }
    case .fetch(let fetch): fetch.predicate.visitParts(visit)
    case .set(_, let left, let right):
      left.visitParts(visit)
      right.visitParts(visit)
    case .subquery(let collection, _, let predicate):
      collection.visitParts(visit)
      predicate.visitParts(visit)
    case .ternary(let predicate, let first, let second):
      predicate.visitParts(visit)
      first.visitParts(visit)
      second.visitParts(visit)
    }
  }

  /// What is not understood in it.
  package var unknownParts: [UnknownExpression] {
    var unknown: [UnknownExpression] = []
    visitParts { part in
      if case .unknown(let reason) = part { unknown.append(reason) }
    }
    return unknown
  }
}

extension MigrationPredicate {
  /// Calls a function with all expressions in the predicate; for an unknown predicate, with an
  /// unknown expression.
  package func visitParts(_ visit: (MigrationExpression) -> Void) {
    switch self {
    case .constant: break
    case .not(let predicate): predicate.visitParts(visit)
    case .and(let predicates), .or(let predicates):
      for predicate in predicates { predicate.visitParts(visit) }
    case .comparison(let comparison):
      comparison.left.visitParts(visit)
      comparison.right.visitParts(visit)
    case .unknown(let unknown): visit(.unknown(unknown))
    }
  }
}
