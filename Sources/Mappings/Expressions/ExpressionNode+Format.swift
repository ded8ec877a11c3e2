import DataModel
import Foundation

extension ExpressionNode: CustomStringConvertible {
  /// The operators on sets, in the order in which Foundation numbers them from 5 on.
  package static let setOperators = ["UNION", "INTERSECT", "MINUS"]

  /// The method of the migration manager that makes a fetch request.
  package static let fetchSelector = "fetchRequestForSourceEntityNamed:predicateString:"

  package var description: String { format }

  /// The expression or predicate in NSPredicate's format language, as Xcode shows it.
  ///
  /// It can be parsed. What the language cannot write, such as data, and what is unknown, stands in
  /// angle brackets.
  package var format: String {
    switch self {
    case .constant(let value): value.format
    case .variable(let name): name.map { "$\($0)" } ?? "SELF"
    case .source: "$source"
    case .bound(let name): "$\(name)"
    case .element: ""
    case .keys(let base, let keys): Self.path(base, keys.joined(separator: "."))
    case .collection(let base, let sign, let rest):
      Self.path(base, "@\(sign.rawValue)" + (rest.map { ".\($0.format)" } ?? ""))
    case .index(let base, let index): "\(base.format)[\(index.format)]"
    case .list(let nodes): "{\(Self.list(nodes))}"
    case .negative(let operand): "(\(operand.format) * -1)"
    case .arithmetic(let first, let operations): Self.arithmetic(first, operations)
    case .function(let function, let arguments):
      "\(function.rawValue.functionName)(\(Self.list(arguments)))"
    case .cast(let value, let type): "CAST(\(value.format), \(type.rawValue.formatLiteral))"
    case .call(let use, let arguments):
      "FUNCTION(\(Self.list([.variable(use.receiver), .constant(.text(use.selector))] + arguments)))"
    case .subquery(let collection, let variable, let condition):
      "SUBQUERY(\(Self.list([collection, .bound(variable), condition])))"
    case .ternary(let condition, let first, let second):
      "TERNARY(\(Self.list([condition, first, second])))"
    case .truth(let truth): truth ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .not(let operand): "NOT (\(operand.format))"
    case .all(let operands): Self.compound(operands, "AND", none: true)
    case .any(let operands): Self.compound(operands, "OR", none: false)
    case .comparison(let comparison): comparison.format
    case .fetch(let entity, let predicate, let isCountOnly):
      Self.fetch(entity, predicate, isCountOnly)
    case .foreign(let name, let arguments): Self.foreign(name, arguments)
    case .opaque(let words): "<\(words)>"
    case .unknown(let unknown): "<\(unknown.name)>"
    }
  }

  private static func list(_ nodes: [ExpressionNode]) -> String {
    nodes.map(\.format).joined(separator: ", ")
  }

  private static func path(_ base: ExpressionNode, _ path: String) -> String {
    switch base {
    case .element: path
    // A word that means something else is a key after a "#".
    case .variable(nil): startsWithKeyword(path) ? "#\(path)" : path
    default: "\(base.format).\(path)"
    }
  }

  private static func startsWithKeyword(_ path: String) -> Bool {
    let word = path.prefix { $0 != "." }.uppercased()
    return ExpressionToken.Keyword(rawValue: word) != nil || word == "ANYKEY"
      || setOperators.contains(word)
  }

  /// Every operation in its own brackets.
  private static func arithmetic(
    _ first: ExpressionNode, _ operations: [Operation]
  ) -> String {
    if operations.count == 1, operations[0].sign == .modulus {
      return foreign(ExpressionFunction.modulus.rawValue, [first, operations[0].operand])
    }
    return String(repeating: "(", count: operations.count) + first.format
      + operations.map { " \($0.sign.rawValue) \($0.operand.format))" }.joined()
  }

  private static func compound(
    _ operands: [ExpressionNode], _ word: String, none: Bool
  ) -> String {
    guard !operands.isEmpty else { return ExpressionNode.truth(none).format }
    return operands.map { operand in
      switch operand {
      case .all, .any: "(\(operand.format))"
      default: operand.format
      }
    }.joined(separator: " \(word) ")
  }

  private static func fetch(
    _ entity: String, _ predicate: ExpressionNode, _ isCountOnly: Bool
  ) -> String {
    // A text that is no predicate stays what it is.
    let text: String? =
      if case .unknown(let unknown) = predicate, unknown.reason == .invalidFormat {
        unknown.name
      } else {
        nil
      }
    let request = [entity, text ?? predicate.format].map { $0.formatLiteral }
    return
      "FETCH(FUNCTION($manager, \(fetchSelector.formatLiteral), \(request[0]), \(request[1])), "
      + "$manager.sourceContext, \(isCountOnly ? "YES" : "NO"))"
  }

  private static func foreign(_ name: String, _ arguments: [ExpressionNode]) -> String {
    setOperators.contains(name) && arguments.count == 2
      ? "(\(arguments[0].format) \(name) \(arguments[1].format))" : "\(name)(\(list(arguments)))"
  }
}

extension ExpressionNode.CollectionIndex {
  fileprivate var format: String {
    switch self {
    case .first: "FIRST"
    case .last: "LAST"
    case .size: "SIZE"
    case .at(let node): node.format
    }
  }
}

extension ExpressionNode.Comparison {
  fileprivate var format: String {
    let quantifier =
      switch quantifier {
      case nil: ""
      case .all: "ALL "
      case .any: "ANY "
      }
    let letters = options.letters
    let modifiers = letters.isEmpty ? "" : "[\(letters)]"
    return "\(quantifier)\(left.format) \(sign.word)\(modifiers) \(right.format)"
  }
}

extension ImportValue {
  /// The value as a constant of the format; in angle brackets if the format has none for it.
  fileprivate var format: String {
    switch self {
    case .null: "nil"
    case .bool(let value): value ? "TRUE" : "FALSE"
    case .integer(let value): "\(value)"
    case .real(let value): value.isFinite ? "\(value)" : "<\(value)>"
    case .decimal(let value): Self.format(value)
    case .text(let text): text.formatLiteral
    case .date(let date): "CAST(\(date.timeIntervalSinceReferenceDate), \"NSDate\")"
    case .uuid(let uuid): "CAST(\"\(uuid.uuidString)\", \"NSUUID\")"
    case .url(let text): "CAST(\(text.formatLiteral), \"NSURL\")"
    case .data(let data): "<\(data.count) bytes>"
    case .list(let elements): "{\(elements.map(\.format).joined(separator: ", "))}"
    case .set, .dictionary, .foundation, .row: "<\(kind)>"
    }
  }

  /// An integer beyond 64 bits is written as it is.
  private static func format(_ decimal: Decimal) -> String {
    let digits = "\(decimal)"
    return Int128(digits) != nil && Int64(digits) == nil
      ? digits : "CAST(\(digits.formatLiteral), \"NSDecimalNumber\")"
  }
}
