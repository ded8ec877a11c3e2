/// An NSExpression of any kind.
///
/// The class tells the kind: Foundation writes method calls on key paths as type 3 or 4. The keys
/// of lists, sets, subqueries and conditions are those of Apportable's Foundation.
public struct ArchivedExpression: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The kind of expression: NSExpressionType.
  public let type: Int
  /// The value of a constant; nil for nil.
  public let constant: UnarchivedValue?
  /// The class that a constant is.
  public let constantClass: String?
  /// The name of a variable.
  public let variable: String?
  /// A key path.
  public let keyPath: String?
  /// Whose method is called.
  public let operand: FoundationValue?
  /// The method that is called.
  public let selector: String?
  /// The arguments of the method.
  public let arguments: [FoundationValue]?
  /// The elements of a list: expressions or constants.
  public let elements: UnarchivedValue?
  /// The collection that a subquery searches.
  public let collection: FoundationValue?
  /// The condition of a subquery, or of a choice.
  public let predicate: FoundationValue?
  /// The left one of two sets, or what is chosen where the condition holds.
  public let left: FoundationValue?
  /// The right one of two sets, or what is chosen where the condition does not hold.
  public let right: FoundationValue?
  /// The fetch request of one.
  public let fetchRequest: FoundationValue?
  /// The context of a fetch request.
  public let context: FoundationValue?
  /// True if a fetch request only counts.
  public let isCountOnly: Bool?
  /// The expression in NSPredicate's format, where that can be written.
  public private(set) var format: String?

  package static let classNames = [
    "NSConstantValueExpression", "NSSelfExpression", "NSVariableExpression",
    "NSKeyPathExpression", "NSKeyPathSpecifierExpression", "NSFunctionExpression",
    "NSAggregateExpression", "NSFetchRequestExpression", "NSSetExpression",
    "NSSubqueryExpression", "NSTernaryExpression", "NSAnyKeyExpression",
  ]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    guard let type = parts.integer("NSExpressionType") else { return nil }
    self.type = type
    constant = parts.any("NSConstantValue")
    constantClass = parts.take(["NSConstantValueClassName"]) { value in
      switch value {
      case .className(let name), .text(let name): name
      default: nil
      }
    }
    variable = parts.text("NSVariable")
    keyPath = parts.text("NSKeyPath")
    operand = Self.expression("NSOperand", &parts)
    selector = parts.text("NSSelectorName")
    arguments = Self.expressions("NSArguments", &parts)
    elements = parts.any("NSCollection")
    collection = Self.expression("NSExpression", &parts)
    predicate = parts.take(["NSSubpredicate", "NSPredicate"]) { value in
      value.foundationValue.flatMap { $0.isPredicate ? $0 : nil }
    }
    left = Self.expression(["NSLeftExpression", "NSTrueExpression"], &parts)
    right = Self.expression(["NSRightExpression", "NSFalseExpression"], &parts)
    fetchRequest = Self.expression("NSFRExpression", &parts)
    context = Self.expression("NSMOCExpression", &parts)
    isCountOnly = parts.bool("NSCountOnlyFlag")
    format = PredicateFormat.expression(self)
    parts.grow(by: ValueWeight(bytes: format?.utf8.count ?? 0))
  }

  private static func expression(_ key: String, _ parts: inout PartReader) -> FoundationValue? {
    expression([key], &parts)
  }

  private static func expression(_ keys: [String], _ parts: inout PartReader) -> FoundationValue? {
    parts.take(keys) { expression($0) }
  }

  private static func expressions(_ key: String, _ parts: inout PartReader) -> [FoundationValue]? {
    parts.take([key]) { value in
      guard case .array(let elements) = value else { return nil }
      let expressions = elements.compactMap(expression)
      return expressions.count == elements.count ? expressions : nil
    }
  }

  private static func expression(_ value: UnarchivedValue) -> FoundationValue? {
    value.foundationValue.flatMap { $0.object is ArchivedExpression ? $0 : nil }
  }
}
