/// An NSComparisonPredicate: two expressions and how they are compared.
public struct ArchivedComparisonPredicate: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The left expression.
  public let left: ArchivedExpression
  /// The operator that compares them.
  public let `operator`: ArchivedPredicateOperator
  /// The right expression.
  public let right: ArchivedExpression
  /// The predicate in NSPredicate's format, where that can be written.
  public let format: String?

  static let classNames = ["NSComparisonPredicate"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    guard let left = parts.part(ArchivedExpression.self, "NSLeftExpression"),
      let comparison = parts.part(ArchivedPredicateOperator.self, "NSPredicateOperator"),
      let right = parts.part(ArchivedExpression.self, "NSRightExpression")
    else { return nil }
    (self.left, self.operator, self.right) = (left, comparison, right)
    format = PredicateFormat.comparison(left, comparison, right)
    parts.grow(by: ValueWeight(bytes: format?.utf8.count ?? 0))
  }
}

/// An NSCompoundPredicate: predicates joined by "and" or "or", or one that is denied.
public struct ArchivedCompoundPredicate: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The way of joining them: 0 not, 1 and, 2 or.
  public let type: Int
  /// The predicates.
  public let subpredicates: [FoundationValue]
  /// The predicate in NSPredicate's format, where that can be written.
  public let format: String?

  static let classNames = ["NSCompoundPredicate"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    guard let type = parts.integer("NSCompoundPredicateType"),
      let elements = parts.array("NSSubpredicates")
    else { return nil }
    self.type = type
    subpredicates = elements.compactMap(\.foundationValue).filter(\.isPredicate)
    guard subpredicates.count == elements.count else { return nil }
    format = PredicateFormat.compound(type, subpredicates)
    parts.grow(by: ValueWeight(bytes: format?.utf8.count ?? 0))
  }
}

/// A predicate that is always true, or always false: an NSTruePredicate or an NSFalsePredicate.
///
/// It has no keys: the class is all.
public struct ArchivedConstantPredicate: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// True if the predicate is always true.
  public let value: Bool
  /// The predicate in NSPredicate's format.
  public let format: String

  static let classNames = ["NSTruePredicate", "NSFalsePredicate"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    value = parts.className == "NSTruePredicate"
    format = value ? "TRUEPREDICATE" : "FALSEPREDICATE"
  }
}

/// An NSPredicateOperator: how two expressions are compared.
///
/// The class tells the family. Those of texts and of collections name the options otherwise
/// (Apportable's Foundation, NSStringPredicateOperator.m and its neighbours).
public struct ArchivedPredicateOperator: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The operator: NSPredicateOperatorType.
  public let type: Int
  /// The number of values that have to fulfil it, one or all: NSComparisonPredicateModifier.
  public let modifier: Int?
  /// The options for case and accents: NSComparisonPredicateOptions.
  public let options: Int?
  /// The comparison as NSPredicateOperatorType once more.
  public let variant: Int?
  /// True if equality is negated, as it is by "!=".
  public let isNegated: Bool?
  /// The position in a text at which another is looked for.
  public let position: Int?
  /// The method that compares.
  public let selector: String?

  static let classNames = [
    "NSPredicateOperator", "NSComparisonPredicateOperator", "NSEqualityPredicateOperator",
    "NSStringPredicateOperator", "NSSubstringPredicateOperator", "NSMatchingPredicateOperator",
    "NSLikePredicateOperator", "NSInPredicateOperator", "NSBetweenPredicateOperator",
    "NSCustomPredicateOperator",
  ]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    guard let type = parts.integer("NSOperatorType") else { return nil }
    self.type = type
    modifier = parts.integer("NSModifier")
    options = parts.integer("NSOptions", "NSFlags")
    variant = parts.integer("NSVariant")
    isNegated = parts.bool("NSNegate")
    position = parts.integer("NSPosition")
    selector = parts.text("NSSelectorName")
  }
}
