import GraphCore
import Mappings

extension MigrationExpression: CustomStringConvertible {
  /// The expression in NSPredicate's format language, as Xcode shows it.
  ///
  /// `MigrationExpression(format:)` reads it back. What the language cannot write, such as data,
  /// and what is unknown, stands in angle brackets.
  package var format: String {
    switch self {
    case .constant(let value): value.format
    case .variable(let variable): "$\(variable.rawValue)"
    case .evaluatedObject: "SELF"
    case .keyPath(let base, let steps): Self.keyPath(base, steps)
    case .function(let target, let selector, let arguments):
      "FUNCTION(\(Self.list([target.format, selector.formatLiteral] + arguments.map(\.format))))"
    case .builtIn(let function, let arguments): Self.call(function, arguments.map(\.format))
    case .cast(let value, let className): "CAST(\(value.format), \(className.formatLiteral))"
    case .fetch(let fetch): fetch.format
    case .aggregate(let elements): "{\(Self.list(elements.map(\.format)))}"
    case .set(let operation, let left, let right):
      "(\(left.format) \(operation.word) \(right.format))"
    case .subquery(let collection, let variable, let predicate):
      "SUBQUERY(\(collection.format), $\(variable.rawValue), \(predicate.format))"
    case .ternary(let predicate, let first, let second):
      "TERNARY(\(predicate.format), \(first.format), \(second.format))"
    case .unknown(let unknown): "<\(unknown.name)>"
    }
  }

  package var description: String { format }

  private static func list(_ formats: [String]) -> String { formats.joined(separator: ", ") }

  private static func keyPath(
    _ base: MigrationExpression, _ steps: [KeyPathStep]
  ) -> String {
    let path = steps.map(\.format).joined(separator: ".")
    guard base == .evaluatedObject else { return "\(base.format).\(path)" }
    // A word that means something else is a key after a "#".
    guard case .key(let key) = steps.first, isReserved(key.uppercased()) else { return path }
    return "#\(path)"
  }

  private static func isReserved(_ word: String) -> Bool {
    ExpressionToken.Keyword(rawValue: word) != nil || word == "ANYKEY"
      || SetOperation.allCases.contains { $0.word == word }
  }

  private static func call(_ function: MigrationFunction, _ arguments: [String]) -> String {
    if let sign = function.infix, arguments.count == 2 {
      return "(\(arguments[0]) \(sign) \(arguments[1]))"
    }
    if function == .element, arguments.count == 2 { return "\(arguments[0])[\(arguments[1])]" }
    return "\(function.name)(\(list(arguments)))"
  }
}

extension MigrationExpression.SetOperation {
  /// The operator in the format.
  package var word: String {
    switch self {
    case .union: "UNION"
    case .intersection: "INTERSECT"
    case .difference: "MINUS"
    }
  }
}

extension MigrationFetch {
  fileprivate var format: String {
    let request =
      "FUNCTION($manager, \(MigrationExpression.fetchSelector.formatLiteral), "
      + "\(entityName.formatLiteral), \(predicate.format.formatLiteral))"
    return "FETCH(\(request), $manager.sourceContext, \(isCountOnly ? "YES" : "NO"))"
  }
}

extension UnarchivedValue {
  /// The value as a constant of the format; in angle brackets if the format has none for it.
  package var format: String {
    switch self {
    case .null, .nsNull: "nil"
    case .bool(let value): value ? "TRUE" : "FALSE"
    case .integer(let value): "\(value)"
    case .wideInteger(let value): "\(value)"
    case .real(let value): value.isFinite ? "\(value)" : "<\(value)>"
    case .decimal(let text): "CAST(\(text.formatLiteral), \"NSDecimalNumber\")"
    case .text(let text): text.formatLiteral
    case .date(let date): "CAST(\(date.secondsSinceReferenceDate), \"NSDate\")"
    case .className(let name): "<class \(name)>"
    case .uuid(let uuid): "CAST(\"\(uuid.uuidString)\", \"NSUUID\")"
    case .url(let text): "CAST(\(text.formatLiteral), \"NSURL\")"
    case .data(let data): "<\(data.count) bytes>"
    case .array(let elements): "{\(elements.map(\.format).joined(separator: ", "))}"
    case .set(let elements), .orderedSet(let elements): "<set of \(elements.count)>"
    case .countedSet(let pairs), .dictionary(let pairs): "<dictionary of \(pairs.count)>"
    case .foundation(let value): "<\(value.className)>"
    }
  }
}

extension String {
  /// The text in quotes, as the format writes texts.
  var formatLiteral: String {
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
