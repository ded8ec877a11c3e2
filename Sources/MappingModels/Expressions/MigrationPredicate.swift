/// A predicate of a mapping model: which objects are meant.
package indirect enum MigrationPredicate: Sendable, Hashable {
  /// Always true, or always false.
  case constant(Bool)
  /// True where the other is false.
  case not(MigrationPredicate)
  /// True where all are.
  case and([MigrationPredicate])
  /// True where one is.
  case or([MigrationPredicate])
  /// Two values and how they compare.
  case comparison(MigrationComparison)
  /// What is not understood.
  case unknown(UnknownExpression)
}

/// A comparison of two values, or of the elements of the left one with the right one.
package struct MigrationComparison: Sendable, Hashable {
  /// How many elements of the left side it has to hold for: NSComparisonPredicateModifier.
  package enum Quantifier: Int, Sendable, CaseIterable {
    case all = 1
    case any
  }

  /// How values compare: NSPredicateOperatorType.
  package enum Operator: Int, Sendable, CaseIterable {
    case less = 0
    case lessOrEqual
    case greater
    case greaterOrEqual
    case equal
    case notEqual
    case matches
    case like
    case beginsWith
    case endsWith
    case isIn
    case contains = 99
    case between
  }

  /// How texts compare: NSComparisonPredicateOptions.
  package struct Options: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Without regard to case: `c`.
    package static let caseInsensitive = Options(rawValue: 1)
    /// Without regard to accents: `d`.
    package static let diacriticInsensitive = Options(rawValue: 2)
    /// As they are, since they have been prepared: `n`.
    package static let normalized = Options(rawValue: 4)
    /// In the order of the user's language: `l`.
    package static let localeSensitive = Options(rawValue: 8)

    /// All options that there are.
    package static let all: Options = [
      .caseInsensitive, .diacriticInsensitive, .normalized, .localeSensitive,
    ]

    /// The options by their letters, in the order in which they are written.
    package static let letters: [(letter: Character, option: Options)] = [
      ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("l", .localeSensitive),
      ("n", .normalized),
    ]
  }

  /// How many elements of the left side are meant, where that is a collection.
  package var quantifier: Quantifier?
  package var left: MigrationExpression
  package var `operator`: Operator
  package var options: Options
  package var right: MigrationExpression

  package init(
    _ left: MigrationExpression, _ operator: Operator, _ right: MigrationExpression,
    options: Options = [], quantifier: Quantifier? = nil
  ) {
    self.quantifier = quantifier
    self.left = left
    self.operator = `operator`
    self.options = options
    self.right = right
  }
}
