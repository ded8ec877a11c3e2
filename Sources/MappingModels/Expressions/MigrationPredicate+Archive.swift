import GraphCore

extension MigrationPredicate {
  /// An archived predicate.
  package init(_ archived: FoundationValue) {
    if let constant = archived.as(ArchivedConstantPredicate.self) {
      self = .constant(constant.value)
    } else if let compound = archived.as(ArchivedCompoundPredicate.self) {
      self.init(compound)
    } else if let comparison = archived.as(ArchivedComparisonPredicate.self) {
      self.init(comparison)
    } else {
      self = .unknown(UnknownExpression(.unknownClass, archived.className))
    }
  }

  private init(_ archived: ArchivedCompoundPredicate) {
    let predicates = archived.subpredicates.map { MigrationPredicate($0) }
    switch archived.type {
    case 0 where predicates.count == 1: self = .not(predicates[0])
    case 1: self = .and(predicates)
    case 2: self = .or(predicates)
    default: self = .unknown(UnknownExpression(.misshapen, archived.class))
    }
  }

  private init(_ archived: ArchivedComparisonPredicate) {
    let comparison = archived.operator
    // Inequality is archived as denied equality as well; both must say the same.
    guard let sign = MigrationComparison.Operator(rawValue: comparison.type),
      comparison.isNegated ?? (sign == .notEqual) == (sign == .notEqual)
    else {
      self = .unknown(
        UnknownExpression(.unknownOperator, comparison.selector ?? comparison.class))
      return
    }
    let options = MigrationComparison.Options(rawValue: comparison.options ?? 0)
    let modifier = comparison.modifier ?? 0
    guard options.isSubset(of: .all),
      modifier == 0 || MigrationComparison.Quantifier(rawValue: modifier) != nil
    else {
      self = .unknown(UnknownExpression(.unknownOperator, comparison.class))
      return
    }
    self = .comparison(
      MigrationComparison(
        MigrationExpression(archived.left), sign, MigrationExpression(archived.right),
        options: options, quantifier: MigrationComparison.Quantifier(rawValue: modifier)))
  }
}
