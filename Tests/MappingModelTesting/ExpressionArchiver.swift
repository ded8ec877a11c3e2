import ArchiveWriter
import GraphCore
import MappingModels

/// Archives expressions and predicates as Foundation does.
package enum ExpressionArchiver {
  /// Adds an expression to an archive.
  package static func add(
    _ expression: MigrationExpression, to archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    switch expression {
    case .constant(.className(let name)):
      archive.instance(
        of: "NSConstantValueExpression",
        ["NSExpressionType": 0, "NSConstantValueClassName": archive.string(name)])
    case .constant(let value):
      archive.instance(
        of: "NSConstantValueExpression",
        ["NSExpressionType": 0, "NSConstantValue": constant(value, &archive)])
    case .variable(let variable):
      archive.instance(
        of: "NSVariableExpression",
        ["NSExpressionType": 2, "NSVariable": archive.string(variable.rawValue)])
    case .evaluatedObject: archive.instance(of: "NSSelfExpression", ["NSExpressionType": 1])
    case .keyPath(let base, let steps):
      archive.instance(
        of: "NSKeyPathExpression",
        [
          "NSExpressionType": 4, "NSOperand": add(base, to: &archive),
          "NSSelectorName": archive.string("valueForKeyPath:"),
          "NSArguments": archive.mutableArray([
            archive.instance(
              of: "NSKeyPathSpecifierExpression",
              [
                "NSExpressionType": 10,
                "NSKeyPath": archive.string(steps.map(\.format).joined(separator: ".")),
              ])
          ]),
        ])
    case .function(let target, let selector, let arguments):
      call(add(target, to: &archive), selector, arguments, &archive)
    case .builtIn(let function, let arguments):
      call(utilities(&archive), function.rawValue, arguments, &archive)
    case .cast(let value, let className):
      call(
        utilities(&archive), "castObject:toType:", [value, .constant(.text(className))], &archive)
    case .fetch(let fetch): self.fetch(fetch, &archive)
    case .aggregate(let elements):
      archive.instance(
        of: "NSAggregateExpression",
        [
          "NSExpressionType": 14,
          "NSCollection": archive.array(elements.map { add($0, to: &archive) }),
        ])
    case .set(let operation, let left, let right):
      archive.instance(
        of: "NSSetExpression",
        [
          "NSExpressionType": .integer(Int64(operation.rawValue)),
          "NSLeftExpression": add(left, to: &archive),
          "NSRightExpression": add(right, to: &archive),
        ])
    case .subquery(let collection, let variable, let predicate):
      archive.instance(
        of: "NSSubqueryExpression",
        [
          "NSExpressionType": 13, "NSExpression": add(collection, to: &archive),
          "NSVariable": archive.string(variable.rawValue),
          "NSSubpredicate": add(predicate, to: &archive),
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
    }
  }

  private static func utilities(_ archive: inout KeyedArchiveBuilder) -> PropertyListValue {
    add(.constant(.className("_NSPredicateUtilities")), to: &archive)
  }

  private static func call(
    _ target: PropertyListValue, _ selector: String, _ arguments: [MigrationExpression],
    _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    archive.instance(
      of: "NSFunctionExpression",
      [
        "NSExpressionType": 4, "NSOperand": target, "NSSelectorName": archive.string(selector),
        "NSArguments": archive.array(arguments.map { add($0, to: &archive) }),
      ])
  }

  private static func fetch(
    _ fetch: MigrationFetch, _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    let request = MigrationExpression.function(
      .variable(.manager), selector: MigrationExpression.fetchSelector,
      [.constant(.text(fetch.entityName)), .constant(.text(fetch.predicate.format))])
    let context = MigrationExpression.keyPath(.variable(.manager), [.key("sourceContext")])
    return archive.instance(
      of: "NSFetchRequestExpression",
      [
        "NSExpressionType": 50, "NSFRExpression": add(request, to: &archive),
        "NSMOCExpression": add(context, to: &archive),
        "NSCountOnlyFlag": .bool(fetch.isCountOnly),
      ])
  }

  private static func constant(
    _ value: UnarchivedValue, _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    switch value {
    case .bool(let value): archive.number(value)
    case .integer(let value): archive.number(Int(value))
    case .real(let value): archive.number(value)
    case .text(let text): archive.string(text)
    case .date(let date): archive.date(secondsSince2001: date.secondsSinceReferenceDate)
    case .data(let bytes): archive.data(bytes)
    case .uuid(let uuid): archive.uuid(uuid)
    case .wideInteger(let value): archive.add(.unsigned(UInt64(clamping: value)))
    case .decimal(let text): (try? archive.decimal(text)) ?? .uid(0)
    case .url(let text): archive.url(text)
    default: .uid(0)
    }
  }

  // MARK: Predicates

  /// Adds a predicate to an archive.
  package static func add(
    _ predicate: MigrationPredicate, to archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    switch predicate {
    case .constant(let value): archive.instance(of: value ? "NSTruePredicate" : "NSFalsePredicate")
    case .not(let negated): compound(0, [negated], &archive)
    case .and(let parts): compound(1, parts, &archive)
    case .or(let parts): compound(2, parts, &archive)
    case .comparison(let comparison):
      archive.instance(
        of: "NSComparisonPredicate",
        [
          "NSLeftExpression": add(comparison.left, to: &archive),
          "NSRightExpression": add(comparison.right, to: &archive),
          "NSPredicateOperator": archive.instance(
            of: "NSPredicateOperator",
            [
              "NSOperatorType": .integer(Int64(comparison.operator.rawValue)),
              "NSModifier": .integer(Int64(comparison.quantifier?.rawValue ?? 0)),
              "NSOptions": .integer(Int64(comparison.options.rawValue)),
            ]),
        ])
    case .unknown(let unknown): archive.instance(of: unknown.name)
    }
  }

  private static func compound(
    _ type: Int64, _ parts: [MigrationPredicate], _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    archive.instance(
      of: "NSCompoundPredicate",
      [
        "NSCompoundPredicateType": .integer(type),
        "NSSubpredicates": archive.array(parts.map { add($0, to: &archive) }),
      ])
  }
}
