import DataModel
import Foundation
import GraphCore
import Mappings

/// Reads expressions and predicates as Foundation archives them.
///
/// The class tells the kind: key paths are method calls, of type 3 or 4, and the functions that
/// expressions have are methods of `_NSPredicateUtilities`. Archives hold no values of Foundation's
/// that are nested deeper than 64 levels, so functions may call themselves for each.
struct ArchivedExpressionReader {
  /// The variables of the subqueries around.
  private var variables: [String] = []

  /// The tree of an archived expression.
  static func node(_ archived: ArchivedExpression) -> ExpressionNode {
    ArchivedExpressionReader().node(archived)
  }

  private func node(_ archived: ArchivedExpression) -> ExpressionNode {
    let node: ExpressionNode? =
      switch archived.class {
      case "NSConstantValueExpression":
        ExpressionNode(
          constant: archived.constantClass.map { .className($0) } ?? archived.constant ?? .null)
      case "NSSelfExpression": .variable(nil)
      case "NSVariableExpression": archived.variable.map(variable)
      case "NSKeyPathSpecifierExpression":
        archived.keyPath.map { .keyPath($0, of: .variable(nil)) }
      case "NSKeyPathExpression", "NSFunctionExpression": call(archived)
      case "NSAggregateExpression": aggregate(archived)
      case "NSFetchRequestExpression": fetch(archived)
      case "NSSetExpression": set(archived)
      case "NSSubqueryExpression": subquery(archived)
      case "NSTernaryExpression": ternary(archived)
      default: .unknown(UnknownExpression(.unknownClass, archived.class))
      }
    return node ?? .unknown(UnknownExpression(.misshapen, archived.class))
  }

  private func node(_ value: FoundationValue?) -> ExpressionNode? {
    value?.as(ArchivedExpression.self).map(node)
  }

  private func variable(_ name: String) -> ExpressionNode {
    variables.contains(name) ? .bound(name) : name == "source" ? .source : .variable(name)
  }

  // MARK: Calls

  /// The class that has the functions of expressions.
  private static let functionClass = "_NSPredicateUtilities"

  private func call(_ archived: ArchivedExpression) -> ExpressionNode? {
    guard let target = archived.operand?.as(ArchivedExpression.self),
      let selector = archived.selector, let arguments = list(archived.arguments ?? [])
    else { return nil }
    if ["valueForKey:", "valueForKeyPath:"].contains(selector), arguments.count == 1,
      let path = keyPath(archived.arguments?.first)
    {
      return .keyPath(path, of: node(target))
    }
    guard target.constantClass == Self.functionClass || isFunctionClass(target.constant) else {
      return .message(selector, to: node(target), arguments)
    }
    if selector == "castObject:toType:", arguments.count == 2, let className = arguments[1].text {
      return .conversion(of: arguments[0], to: className)
    }
    return .builtIn(selector, arguments) ?? .unknown(UnknownExpression(.unknownFunction, selector))
  }

  private func isFunctionClass(_ value: UnarchivedValue?) -> Bool {
    value == .className(Self.functionClass)
  }

  private func list(_ values: [FoundationValue]) -> [ExpressionNode]? {
    let expressions = values.compactMap { node($0) }
    return expressions.count == values.count ? expressions : nil
  }

  /// The key path that an argument is, as a specifier or as a constant.
  private func keyPath(_ value: FoundationValue?) -> String? {
    guard let expression = value?.as(ArchivedExpression.self) else { return nil }
    return expression.keyPath ?? expression.constant?.text
  }

  private func fetch(_ archived: ArchivedExpression) -> ExpressionNode? {
    guard let request = node(archived.fetchRequest), let context = node(archived.context) else {
      return nil
    }
    return .request(request, in: context, isCountOnly: archived.isCountOnly ?? false)
  }

  // MARK: Collections and choices

  private func aggregate(_ archived: ArchivedExpression) -> ExpressionNode? {
    switch archived.elements {
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      .aggregate(elements.map { node($0.foundationValue) ?? ExpressionNode(constant: $0) })
    default: nil
    }
  }

  private func set(_ archived: ArchivedExpression) -> ExpressionNode? {
    let operators = ExpressionNode.setOperators
    guard let left = node(archived.left), let right = node(archived.right),
      (5..<5 + operators.count).contains(archived.type)
    else { return nil }
    return .foreign(operators[archived.type - 5], [left, right])
  }

  private func subquery(_ archived: ArchivedExpression) -> ExpressionNode? {
    guard let collection = node(archived.collection), let name = archived.variable,
      let condition = archived.predicate
    else { return nil }
    var inner = self
    inner.variables.append(name)
    return .subquery(collection, variable: name, inner.predicate(condition))
  }

  private func ternary(_ archived: ArchivedExpression) -> ExpressionNode? {
    guard let condition = archived.predicate, let first = node(archived.left),
      let second = node(archived.right)
    else { return nil }
    return .ternary(predicate(condition), first, second)
  }

  // MARK: Predicates

  private func predicate(_ archived: FoundationValue) -> ExpressionNode {
    if let constant = archived.as(ArchivedConstantPredicate.self) {
      .truth(constant.value)
    } else if let compound = archived.as(ArchivedCompoundPredicate.self) {
      predicate(compound)
    } else if let comparison = archived.as(ArchivedComparisonPredicate.self) {
      predicate(comparison)
    } else {
      .unknown(UnknownExpression(.unknownClass, archived.className))
    }
  }

  private func predicate(_ archived: ArchivedCompoundPredicate) -> ExpressionNode {
    let predicates = archived.subpredicates.map(predicate)
    return switch archived.type {
    case 0 where predicates.count == 1: .not(predicates[0])
    case 1: .all(predicates)
    case 2: .any(predicates)
    default: .unknown(UnknownExpression(.misshapen, archived.class))
    }
  }

  private func predicate(_ archived: ArchivedComparisonPredicate) -> ExpressionNode {
    let comparison = archived.operator
    // Inequality is archived as denied equality as well; both must say the same.
    guard let sign = ComparisonOperator(rawValue: comparison.type),
      comparison.isNegated ?? (sign == .notEqual) == (sign == .notEqual)
    else {
      return .unknown(
        UnknownExpression(.unknownOperator, comparison.selector ?? comparison.class))
    }
    let modifier = comparison.modifier ?? 0
    let quantifier = ExpressionNode.Quantifier(rawValue: modifier)
    guard let options = TextOptions(archived: comparison.options ?? 0),
      modifier == 0 || quantifier != nil
    else { return .unknown(UnknownExpression(.unknownOperator, comparison.class)) }
    return .comparison(
      ExpressionNode.Comparison(
        node(archived.left), sign, node(archived.right), options: options,
        quantifier: quantifier))
  }
}

// MARK: - Constants

extension ExpressionNode {
  /// A constant of an archive; opaque if it is a value of a class that expressions have no values of.
  init(constant value: UnarchivedValue) {
    switch value {
    case .array(let elements): self = .aggregate(elements.map { ExpressionNode(constant: $0) })
    case .className(let name): self = .opaque("class \(name)")
    case .set(let elements), .orderedSet(let elements): self = .opaque("set of \(elements.count)")
    case .countedSet(let pairs), .dictionary(let pairs):
      self = .opaque("dictionary of \(pairs.count)")
    case .foundation(let value): self = .opaque(value.className)
    default: self = .constant(value.importValue ?? .null)
    }
  }
}

extension UnarchivedValue {
  /// A constant as a value of an attribute; nil for collections and values of other classes.
  package var importValue: ImportValue? {
    switch self {
    case .null, .nsNull: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .wideInteger(let value): ImportValue(value)
    case .real(let value): .real(value)
    case .date(let date):
      .date(Date(timeIntervalSinceReferenceDate: date.secondsSinceReferenceDate))
    case .text(let text): .text(text)
    case .data(let data): .data(data)
    case .uuid(let uuid): .uuid(uuid)
    case .decimal(let text): ImportValue(decimalText: text) ?? .real(.nan)
    case .url(let text): .url(text)
    case .className, .array, .set, .orderedSet, .countedSet, .dictionary, .foundation: nil
    }
  }
}
