import GraphCore

// Expressions as Foundation archives them. The class tells the kind: key paths are method calls, of
// type 3 or 4, and the functions that expressions have are methods of `_NSPredicateUtilities`.
extension MigrationExpression {
  /// The class that has the functions of expressions.
  private static let functionClass = "_NSPredicateUtilities"

  /// An archived expression.
  package init(_ archived: ArchivedExpression) {
    switch archived.class {
    case "NSConstantValueExpression":
      self = .constant(
        archived.constantClass.map { UnarchivedValue.className($0) } ?? archived.constant ?? .null)
    case "NSSelfExpression": self = .evaluatedObject
    case "NSVariableExpression":
      self =
        archived.variable.map { .variable(Variable(rawValue: $0)) }
        ?? Self.misshapen(archived)
    case "NSKeyPathSpecifierExpression":
      self = archived.keyPath.map { .keyPath($0, of: .evaluatedObject) } ?? Self.misshapen(archived)
    case "NSKeyPathExpression", "NSFunctionExpression": self = Self.call(archived)
    case "NSAggregateExpression": self = Self.aggregate(archived)
    case "NSFetchRequestExpression": self = Self.fetch(archived)
    case "NSSetExpression": self = Self.set(archived)
    case "NSSubqueryExpression": self = Self.subquery(archived)
    case "NSTernaryExpression": self = Self.ternary(archived)
    default: self = .unknown(UnknownExpression(.unknownClass, archived.class))
    }
  }

  /// What a key path leads to from an object.
  package static func keyPath(_ path: String, of base: MigrationExpression) -> MigrationExpression {
    guard let steps = KeyPathStep.steps(path) else {
      return .unknown(UnknownExpression(.invalidKeyPath, path))
    }
    if case .keyPath(let start, let first) = base { return .keyPath(start, first + steps) }
    return .keyPath(base, steps)
  }

  private static func misshapen(_ archived: ArchivedExpression) -> MigrationExpression {
    .unknown(UnknownExpression(.misshapen, archived.class))
  }

  private init?(_ value: FoundationValue?) {
    guard let archived = value?.as(ArchivedExpression.self) else { return nil }
    self.init(archived)
  }

  // MARK: Calls

  private static func call(_ archived: ArchivedExpression) -> MigrationExpression {
    guard let target = MigrationExpression(archived.operand), let selector = archived.selector,
      let arguments = list(archived.arguments ?? [])
    else { return misshapen(archived) }
    if ["valueForKey:", "valueForKeyPath:"].contains(selector), arguments.count == 1,
      let path = keyPath(archived.arguments?.first)
    {
      return .keyPath(path, of: target)
    }
    guard target == .constant(.className(functionClass)) else {
      return .function(target, selector: selector, arguments)
    }
    if selector == "castObject:toType:", arguments.count == 2,
      case .constant(.text(let className)) = arguments[1]
    {
      return .cast(arguments[0], className: className)
    }
    guard let function = MigrationFunction(rawValue: selector),
      function.argumentCount == arguments.count
    else { return .unknown(UnknownExpression(.unknownFunction, selector)) }
    return .builtIn(function, arguments)
  }

  private static func list(_ values: [FoundationValue]) -> [MigrationExpression]? {
    let expressions = values.compactMap { MigrationExpression($0) }
    return expressions.count == values.count ? expressions : nil
  }

  /// The key path that an argument is, as a specifier or as a constant.
  private static func keyPath(_ value: FoundationValue?) -> String? {
    guard let expression = value?.as(ArchivedExpression.self) else { return nil }
    return expression.keyPath ?? expression.constant?.text
  }

  // MARK: Fetches

  /// The method of the migration manager that makes a fetch request.
  package static let fetchSelector = "fetchRequestForSourceEntityNamed:predicateString:"

  private static func fetch(_ archived: ArchivedExpression) -> MigrationExpression {
    guard let request = MigrationExpression(archived.fetchRequest),
      let context = MigrationExpression(archived.context)
    else { return misshapen(archived) }
    return .fetch(request, in: context, isCountOnly: archived.isCountOnly ?? false)
  }

  /// A fetch of source objects; unknown if the request is another than entity mappings have.
  static func fetch(
    _ request: MigrationExpression, in context: MigrationExpression, isCountOnly: Bool
  ) -> MigrationExpression {
    guard case .function(.variable(.manager), fetchSelector, let arguments) = request,
      arguments.count == 2, case .constant(.text(let entityName)) = arguments[0],
      case .constant(.text(let predicate)) = arguments[1],
      context == .keyPath(.variable(.manager), [.key("sourceContext")])
    else { return .unknown(UnknownExpression(.unknownFetch, request.format)) }
    return .fetch(
      MigrationFetch(
        entityName: entityName, predicate: MigrationPredicate(format: predicate),
        isCountOnly: isCountOnly))
  }

  // MARK: Collections and choices

  private static func aggregate(_ archived: ArchivedExpression) -> MigrationExpression {
    switch archived.elements {
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      .aggregate(
        elements.map { element in
          MigrationExpression(element.foundationValue) ?? .constant(element)
        })
    default: misshapen(archived)
    }
  }

  private static func set(_ archived: ArchivedExpression) -> MigrationExpression {
    guard let operation = SetOperation(rawValue: archived.type),
      let left = MigrationExpression(archived.left),
      let right = MigrationExpression(archived.right)
    else { return misshapen(archived) }
    return .set(operation, left, right)
  }

  private static func subquery(_ archived: ArchivedExpression) -> MigrationExpression {
    guard let collection = MigrationExpression(archived.collection),
      let variable = archived.variable, let predicate = archived.predicate
    else { return misshapen(archived) }
    return .subquery(
      collection, variable: Variable(rawValue: variable), MigrationPredicate(predicate))
  }

  private static func ternary(_ archived: ArchivedExpression) -> MigrationExpression {
    guard let predicate = archived.predicate, let first = MigrationExpression(archived.left),
      let second = MigrationExpression(archived.right)
    else { return misshapen(archived) }
    return .ternary(MigrationPredicate(predicate), first, second)
  }
}
