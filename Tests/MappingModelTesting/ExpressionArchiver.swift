import ArchiveWriter
import DataModel
import Mappings

/// Archives expressions and predicates as Foundation does.
package enum ExpressionArchiver {
  /// Adds an expression or a predicate to an archive.
  package static func add(
    _ node: ExpressionNode, to archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    switch node {
    case .constant(.list): aggregate([], node, &archive)
    case .constant(let value):
      archive.instance(
        of: "NSConstantValueExpression",
        ["NSExpressionType": 0, "NSConstantValue": constant(value, &archive)])
    case .list(let elements): aggregate(elements, node, &archive)
    case .variable(nil): archive.instance(of: "NSSelfExpression", ["NSExpressionType": 1])
    case .variable(let name?), .bound(let name): variable(name, &archive)
    case .source: variable("source", &archive)
    case .keys, .collection: keyPath(node, &archive)
    case .index(let base, .at(let place)):
      utility("objectFrom:withIndex:", [base, place], &archive)
    case .arithmetic(let first, let operations): arithmetic(first, operations, &archive)
    case .function(let function, let arguments): utility(function.rawValue, arguments, &archive)
    case .cast(let value, let type):
      utility("castObject:toType:", [value, .constant(.text(type.rawValue))], &archive)
    case .call(let use, let arguments):
      call(variable(use.receiver, &archive), use.selector, arguments, &archive)
    case .foreign(let name, let arguments): foreign(name, arguments, &archive)
    case .fetch(let entity, let predicate, let isCountOnly):
      fetch(entity, predicate, isCountOnly, &archive)
    case .subquery(let collection, let variable, let predicate):
      archive.instance(
        of: "NSSubqueryExpression",
        [
          "NSExpressionType": 13, "NSExpression": add(collection, to: &archive),
          "NSVariable": archive.string(variable), "NSSubpredicate": add(predicate, to: &archive),
        ])
    case .ternary(let predicate, let first, let second):
      archive.instance(
        of: "NSTernaryExpression",
        [
          "NSExpressionType": 20, "NSPredicate": add(predicate, to: &archive),
          "NSTrueExpression": add(first, to: &archive),
          "NSFalseExpression": add(second, to: &archive),
        ])
    case .unknown(let unknown): archive.instance(of: unknown.name, ["NSExpressionType": 19])
    case .truth(let value): archive.instance(of: value ? "NSTruePredicate" : "NSFalsePredicate")
    case .not(let negated): compound(0, [negated], &archive)
    case .all(let parts): compound(1, parts, &archive)
    case .any(let parts): compound(2, parts, &archive)
    case .comparison(let comparison): self.comparison(comparison, &archive)
    case .element, .index, .negative, .opaque: .uid(0)
    }
  }

  private static func variable(
    _ name: String, _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    archive.instance(
      of: "NSVariableExpression",
      ["NSExpressionType": 2, "NSVariable": archive.string(name)])
  }

  private static func keyPath(
    _ node: ExpressionNode, _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    guard let (start, steps) = node.path else { return .uid(0) }
    return archive.instance(
      of: "NSKeyPathExpression",
      [
        "NSExpressionType": 4, "NSOperand": add(start, to: &archive),
        "NSSelectorName": archive.string("valueForKeyPath:"),
        "NSArguments": archive.mutableArray([
          archive.instance(
            of: "NSKeyPathSpecifierExpression",
            [
              "NSExpressionType": 10,
              "NSKeyPath": archive.string(steps.joined(separator: ".")),
            ])
        ]),
      ])
  }

  private static func aggregate(
    _ elements: [ExpressionNode], _ node: ExpressionNode, _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    var elements = elements
    if case .constant(.list(let values)) = node { elements = values.map { .constant($0) } }
    return archive.instance(
      of: "NSAggregateExpression",
      [
        "NSExpressionType": 14,
        "NSCollection": archive.array(elements.map { add($0, to: &archive) }),
      ])
  }

  private static func arithmetic(
    _ first: ExpressionNode, _ operations: [ExpressionNode.Operation],
    _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    operations.reduce(add(first, to: &archive)) { left, operation in
      let selector =
        switch operation.sign {
        case .add: "add:to:"
        case .subtract: "from:subtract:"
        case .multiply: "multiply:by:"
        case .divide: "divide:by:"
        case .power: "raise:toPower:"
        case .modulus: "modulus:by:"
        }
      return archived(
        selector, of: utilities(&archive), [left, add(operation.operand, to: &archive)], &archive)
    }
  }

  private static func foreign(
    _ name: String, _ arguments: [ExpressionNode], _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    if let index = ExpressionNode.setOperators.firstIndex(of: name) {
      return archive.instance(
        of: "NSSetExpression",
        [
          "NSExpressionType": .integer(Int64(5 + index)),
          "NSLeftExpression": add(arguments[0], to: &archive),
          "NSRightExpression": add(arguments[1], to: &archive),
        ])
    }
    if name == "FUNCTION", let selector = arguments[1].text {
      return call(add(arguments[0], to: &archive), selector, Array(arguments[2...]), &archive)
    }
    let colon = arguments.count == 1 ? ":" : ""
    return utility(name == "CAST" ? "castObject:toType:" : name + colon, arguments, &archive)
  }

  private static func utilities(_ archive: inout KeyedArchiveBuilder) -> PropertyListValue {
    archive.instance(
      of: "NSConstantValueExpression",
      [
        "NSExpressionType": 0,
        "NSConstantValueClassName": archive.string("_NSPredicateUtilities"),
      ])
  }

  private static func utility(
    _ selector: String, _ arguments: [ExpressionNode], _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue { call(utilities(&archive), selector, arguments, &archive) }

  private static func call(
    _ target: PropertyListValue, _ selector: String, _ arguments: [ExpressionNode],
    _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    archived(selector, of: target, arguments.map { add($0, to: &archive) }, &archive)
  }

  private static func archived(
    _ selector: String, of target: PropertyListValue, _ arguments: [PropertyListValue],
    _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    archive.instance(
      of: "NSFunctionExpression",
      [
        "NSExpressionType": 4, "NSOperand": target, "NSSelectorName": archive.string(selector),
        "NSArguments": archive.array(arguments),
      ])
  }

  private static func fetch(
    _ entity: String, _ predicate: ExpressionNode, _ isCountOnly: Bool,
    _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    let request = ExpressionNode.message(
      ExpressionNode.fetchSelector, to: .variable("manager"),
      [.constant(.text(entity)), .constant(.text(predicate.format))])
    let context = ExpressionNode.keys(.variable("manager"), ["sourceContext"])
    return archive.instance(
      of: "NSFetchRequestExpression",
      [
        "NSExpressionType": 50, "NSFRExpression": add(request, to: &archive),
        "NSMOCExpression": add(context, to: &archive), "NSCountOnlyFlag": .bool(isCountOnly),
      ])
  }

  private static func constant(
    _ value: ImportValue, _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    switch value {
    case .bool(let value): archive.number(value)
    case .integer(let value): archive.number(Int(value))
    case .real(let value): archive.number(value)
    case .text(let text): archive.string(text)
    case .date(let date): archive.date(secondsSince2001: date.timeIntervalSinceReferenceDate)
    case .data(let bytes): archive.data(bytes)
    case .uuid(let uuid): archive.uuid(uuid)
    case .decimal(let decimal):
      if let whole = UInt64("\(decimal)"), whole > Int64.max {
        archive.add(.unsigned(whole))
      } else {
        (try? archive.decimal("\(decimal)")) ?? .uid(0)
      }
    case .url(let text): archive.url(text)
    default: .uid(0)
    }
  }

  // MARK: Predicates

  private static func comparison(
    _ comparison: ExpressionNode.Comparison, _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    archive.instance(
      of: "NSComparisonPredicate",
      [
        "NSLeftExpression": add(comparison.left, to: &archive),
        "NSRightExpression": add(comparison.right, to: &archive),
        "NSPredicateOperator": archive.instance(
          of: "NSPredicateOperator",
          [
            "NSOperatorType": .integer(Int64(comparison.sign.rawValue)),
            "NSModifier": .integer(Int64(comparison.quantifier?.rawValue ?? 0)),
            "NSOptions": .integer(Int64(comparison.options.rawValue)),
          ]),
      ])
  }

  private static func compound(
    _ type: Int64, _ parts: [ExpressionNode], _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    archive.instance(
      of: "NSCompoundPredicate",
      [
        "NSCompoundPredicateType": .integer(type),
        "NSSubpredicates": archive.array(parts.map { add($0, to: &archive) }),
      ])
  }
}
