/// Predicates and expressions in the format that NSPredicate parses, as `predicateFormat` prints
/// them.
enum PredicateFormat {
  // MARK: Predicates

  /// The words for the operators: NSPredicateOperatorType.
  private static let operators = [
    0: "<", 1: "<=", 2: ">", 3: ">=", 4: "==", 5: "!=", 6: "MATCHES", 7: "LIKE", 8: "BEGINSWITH",
    9: "ENDSWITH", 10: "IN", 99: "CONTAINS", 100: "BETWEEN",
  ]

  static func comparison(
    _ left: ArchivedExpression, _ comparison: ArchivedPredicateOperator,
    _ right: ArchivedExpression
  ) -> String? {
    // Equality is denied by another type as well; both must say the same.
    guard let left = left.format, let right = right.format,
      comparison.isNegated ?? (comparison.type == 5) == (comparison.type == 5),
      let options = options(comparison.options ?? 0)
    else { return nil }
    let word: String
    if comparison.type == 11 {
      guard let selector = comparison.selector else { return nil }
      word = selector
    } else {
      guard let known = operators[comparison.type] else { return nil }
      word = known
    }
    switch comparison.modifier ?? 0 {
    case 0: return "\(left) \(word)\(options) \(right)"
    case 1: return "ALL \(left) \(word)\(options) \(right)"
    case 2: return "ANY \(left) \(word)\(options) \(right)"
    default: return nil
    }
  }

  /// The letters for options; nil if there are others.
  private static func options(_ options: Int) -> String? {
    guard options & ~0xF == 0 else { return nil }
    let letters = [(1, "c"), (2, "d"), (8, "l"), (4, "n")].filter { options & $0.0 != 0 }
    return letters.isEmpty ? "" : "[\(letters.map(\.1).joined())]"
  }

  static func compound(_ type: Int, _ predicates: [FoundationValue]) -> String? {
    var formats: [String] = []
    for predicate in predicates {
      guard let format = self.predicate(predicate) else { return nil }
      // A denial binds more closely than the others, and is written with brackets itself.
      let compound = predicate.as(ArchivedCompoundPredicate.self)
      let needsBrackets = type != 0 && compound.map { $0.type != 0 } == true
      formats.append(needsBrackets ? "(\(format))" : format)
    }
    switch (type, formats.count) {
    case (0, 1): return "NOT (\(formats[0]))"
    case (1, 0): return "TRUEPREDICATE"
    case (2, 0): return "FALSEPREDICATE"
    case (1, _): return formats.joined(separator: " AND ")
    case (2, _): return formats.joined(separator: " OR ")
    default: return nil
    }
  }

  // MARK: Expressions

  static func expression(_ expression: ArchivedExpression) -> String? {
    switch expression.class {
    case "NSConstantValueExpression":
      expression.constantClass ?? constant(expression.constant ?? .null)
    case "NSSelfExpression": "SELF"
    case "NSVariableExpression": expression.variable.map { "$\($0)" }
    case "NSKeyPathSpecifierExpression": expression.keyPath
    case "NSKeyPathExpression", "NSFunctionExpression": call(expression)
    case "NSAggregateExpression": aggregate(expression.elements)
    case "NSFetchRequestExpression": fetch(expression)
    case "NSSetExpression": sets(expression)
    case "NSSubqueryExpression": subquery(expression)
    case "NSTernaryExpression": choice(expression)
    case "NSAnyKeyExpression": "ANYKEY"
    default: nil
    }
  }

  /// A constant as it is written; nil for one that can only stand in a predicate's arguments.
  static func constant(_ value: UnarchivedValue) -> String? {
    switch value {
    case .null, .nsNull: return "nil"
    case .bool(let value): return value ? "TRUE" : "FALSE"
    case .integer(let value): return "\(value)"
    case .wideInteger(let value): return "\(value)"
    case .real(let value): return value.isFinite ? "\(value)" : nil
    case .decimal(let text): return text == "NaN" ? nil : text
    case .text(let text): return text.formatLiteral
    case .date(let date):
      return "CAST(\(date.secondsSinceReferenceDate), \"NSDate\")"
    case .className(let name): return name
    case .array(let elements):
      let texts = elements.compactMap { constant($0) }
      return texts.count == elements.count ? "{\(texts.joined(separator: ", "))}" : nil
    default: return nil
    }
  }

  private static func format(_ value: FoundationValue?) -> String? {
    value?.as(ArchivedExpression.self)?.format
  }

  private static func list(_ values: [FoundationValue]?) -> String? {
    guard let values else { return nil }
    let formats = values.compactMap { format($0) }
    return formats.count == values.count ? formats.joined(separator: ", ") : nil
  }

  /// Operators that are archived as methods of the class _NSPredicateUtilities.
  private static let arithmetic = [
    "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/",
    "raise:toPower:": "**",
  ]

  private static func call(_ expression: ArchivedExpression) -> String? {
    guard let operand = format(expression.operand), let selector = expression.selector,
      let arguments = list(expression.arguments ?? [])
    else { return nil }
    let values = (expression.arguments ?? []).compactMap { format($0) }
    if ["valueForKey:", "valueForKeyPath:"].contains(selector), values.count == 1 {
      let path = keyPath(expression.arguments?.first) ?? values[0]
      return operand == "SELF" ? path : "\(operand).\(path)"
    }
    guard operand == "_NSPredicateUtilities" else {
      let rest = values.isEmpty ? "" : ", \(arguments)"
      return "FUNCTION(\(operand), \(selector.formatLiteral)\(rest))"
    }
    if let sign = arithmetic[selector], values.count == 2 {
      return "(\(values[0]) \(sign) \(values[1]))"
    }
    return "\(selector.prefix { $0 != ":" })(\(arguments))"
  }

  /// The key path that an argument is, as a specifier or as a constant.
  private static func keyPath(_ value: FoundationValue?) -> String? {
    guard let expression = value?.as(ArchivedExpression.self) else { return nil }
    return expression.keyPath ?? expression.constant?.text
  }

  private static func fetch(_ expression: ArchivedExpression) -> String? {
    guard let request = format(expression.fetchRequest), let context = format(expression.context)
    else { return nil }
    return "FETCH(\(request), \(context), \(expression.isCountOnly == true ? "TRUE" : "FALSE"))"
  }

  private static func aggregate(_ elements: UnarchivedValue?) -> String? {
    let values: [UnarchivedValue]
    switch elements {
    case .array(let elements), .set(let elements), .orderedSet(let elements): values = elements
    default: return nil
    }
    let formats = values.compactMap { value in
      value.foundationValue.map { format($0) } ?? constant(value)
    }
    return formats.count == values.count ? "{\(formats.joined(separator: ", "))}" : nil
  }

  private static func sets(_ expression: ArchivedExpression) -> String? {
    guard let word = [5: "UNION", 6: "INTERSECT", 7: "MINUS"][expression.type],
      let left = format(expression.left), let right = format(expression.right)
    else { return nil }
    return "\(left) \(word) \(right)"
  }

  private static func subquery(_ expression: ArchivedExpression) -> String? {
    guard let collection = format(expression.collection), let variable = expression.variable,
      let predicate = predicate(expression.predicate)
    else { return nil }
    return "SUBQUERY(\(collection), $\(variable), \(predicate))"
  }

  private static func choice(_ expression: ArchivedExpression) -> String? {
    guard let predicate = predicate(expression.predicate), let left = format(expression.left),
      let right = format(expression.right)
    else { return nil }
    return "TERNARY(\(predicate), \(left), \(right))"
  }

  private static func predicate(_ value: FoundationValue?) -> String? {
    switch value?.object {
    case let predicate as ArchivedComparisonPredicate: predicate.format
    case let predicate as ArchivedCompoundPredicate: predicate.format
    case let predicate as ArchivedConstantPredicate: predicate.format
    default: nil
    }
  }
}

extension FoundationValue {
  /// True if the value is a predicate of any kind.
  var isPredicate: Bool {
    object is ArchivedComparisonPredicate || object is ArchivedCompoundPredicate
      || object is ArchivedConstantPredicate
  }
}

extension String {
  /// The text in quotes, as NSPredicate's format writes texts.
  package var formatLiteral: String {
    var literal = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }
}
