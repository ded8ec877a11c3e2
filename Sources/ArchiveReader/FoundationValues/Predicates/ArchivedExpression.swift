/// An NSExpression of any kind.
///
/// The class tells the kind: Foundation writes method calls on key paths as type 3 or 4.
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
  /// What the method is given.
  public let arguments: [FoundationValue]?
  /// The expressions of a list.
  public let elements: [FoundationValue]?
  /// The fetch request of one.
  public let fetchRequest: FoundationValue?
  /// The context of a fetch request.
  public let context: FoundationValue?
  /// Whether a fetch request only counts.
  public let isCountOnly: Bool?
  /// The expression in NSPredicate's format, where that can be written.
  public private(set) var format: String?

  static let classNames = [
    "NSConstantValueExpression", "NSSelfExpression", "NSVariableExpression",
    "NSKeyPathExpression", "NSKeyPathSpecifierExpression", "NSFunctionExpression",
    "NSAggregateExpression", "NSFetchRequestExpression",
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
    elements = Self.expressions("NSCollection", &parts)
    fetchRequest = Self.expression("NSFRExpression", &parts)
    context = Self.expression("NSMOCExpression", &parts)
    isCountOnly = parts.bool("NSCountOnlyFlag")
    format = PredicateFormat.expression(self)
    parts.grow(by: ValueWeight(bytes: format?.utf8.count ?? 0))
  }

  private static func expression(_ key: String, _ parts: inout PartReader) -> FoundationValue? {
    parts.part(Self.self, key)?.foundationValue
  }

  private static func expressions(_ key: String, _ parts: inout PartReader) -> [FoundationValue]? {
    parts.parts(Self.self, key)?.map(\.foundationValue)
  }

  var foundationValue: FoundationValue { .expression(self) }
}
