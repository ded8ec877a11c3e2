import DataModel
import Foundation

extension ExpressionNode {
  /// Finds the value of an expression, or the answer of a predicate, for one object.
  ///
  /// The types of scopes are those of other modules, for which nothing generic here is specialised.
  struct Evaluation {
    private let scope: any ExpressionScope
    /// The values of the variables of subqueries, the innermost last.
    private var variables: [(name: String, value: ImportValue)] = []
    /// The elements that collection operators are at, the innermost last.
    private var elements: [ImportValue] = []
    private var steps = 0

    init(_ scope: any ExpressionScope) { self.scope = scope }

    mutating func value(_ node: ExpressionNode) throws(ExpressionFailure) -> ImportValue {
      try spend(1)
      switch node {
      case .constant(let value): return value
      case .variable(let name): return try scope.value(forKeyPath: [], of: name)
      case .source: return try scope.value(forKeyPath: [], of: nil)
      case .bound(let name): return variables.last { $0.name == name }?.value ?? .null
      case .element: return elements.last ?? .null
      case .keys(let base, let keys): return try value(forKeys: keys, of: base)
      case .collection(let base, let sign, let rest):
        return try collection(base, sign, rest)
      case .index(let base, let index): return try element(of: try value(base), at: index)
      case .list(let nodes): return .list(try values(nodes))
      case .negative(let operand):
        let value = try value(operand)
        return value.isNull ? .null : try Statistics.number(value).negated.value
      case .arithmetic(let first, let operations): return try arithmetic(first, operations)
      case .function(let function, let arguments):
        return try function(try values(arguments), now: scope.now)
      case .cast(let operand, let type): return try type.cast(try value(operand))
      case .call(let use, let arguments):
        return try scope.call(use.selector, on: use.receiver, try values(arguments))
      case .subquery(let collection, let variable, let condition):
        return try subquery(try value(collection), variable, condition)
      case .ternary(let condition, let first, let second):
        return try holds(condition) ? value(first) : value(second)
      case .truth, .not, .all, .any, .comparison: return .bool(try holds(node))
      case .fetch, .foreign, .opaque, .unknown:
        throw ExpressionFailure(.unknownFunction, name: node.format)
      }
    }

    mutating func holds(_ node: ExpressionNode) throws(ExpressionFailure) -> Bool {
      try spend(1)
      switch node {
      case .truth(let truth): return truth
      case .not(let operand): return try !holds(operand)
      case .all(let operands):
        for operand in operands where try !holds(operand) { return false }
        return true
      case .any(let operands):
        for operand in operands where try holds(operand) { return true }
        return false
      case .comparison(let comparison): return try holds(comparison)
      default: return try value(node) == .bool(true)
      }
    }
  }
}

// MARK: - Effort

extension ExpressionNode.Evaluation {
  /// The greatest effort of one evaluation: nodes, elements of collections, pieces of texts.
  private static var maxSteps: Int { 10_000_000 }

  private mutating func spend(_ count: Int) throws(ExpressionFailure) {
    steps += count
    guard steps <= Self.maxSteps else { throw ExpressionFailure(.tooComplex) }
  }

  /// Counts what it takes to go through a value.
  private mutating func spend(on value: ImportValue) throws(ExpressionFailure) {
    switch value {
    case .list(let elements), .set(let elements): try spend(elements.count)
    case .text(let text): try spend(text.utf8.count / 64)
    default: break
    }
  }
}

// MARK: - Values

extension ExpressionNode.Evaluation {
  private mutating func values(
    _ nodes: [ExpressionNode]
  ) throws(ExpressionFailure) -> [ImportValue] {
    var values: [ImportValue] = []
    values.reserveCapacity(nodes.count)
    for node in nodes {
      values.append(try value(node))
      try spend(on: values[values.count - 1])
    }
    return values
  }

  private mutating func value(
    forKeys keys: [String], of base: ExpressionNode
  ) throws(ExpressionFailure) -> ImportValue {
    let value: ImportValue
    switch base {
    case .variable(let name): value = try scope.value(forKeyPath: keys, of: name)
    case .source: value = try scope.value(forKeyPath: keys, of: nil)
    default: value = try scope.value(forKeys: keys[...], of: try self.value(base))
    }
    try spend(on: value)
    return value
  }

  private mutating func collection(
    _ base: ExpressionNode, _ sign: CollectionOperator, _ rest: ExpressionNode?
  ) throws(ExpressionFailure) -> ImportValue {
    let collection = try value(base)
    if collection.isNull { return .null }
    if sign == .count { return .integer(try Self.count(collection)) }
    var values = try collection.elements
    try spend(values.count)
    if let rest {
      for index in values.indices {
        elements.append(values[index])
        defer { elements.removeLast() }
        values[index] = try value(rest)
      }
    }
    for value in values { try spend(on: value) }
    if case .set = collection { return try sign(values, isSet: true) }
    return try sign(values, isSet: false)
  }

  private static func count(_ collection: ImportValue) throws(ExpressionFailure) -> Int64 {
    if case .dictionary(let pairs) = collection { return Int64(pairs.count) }
    return Int64(try collection.elements.count)
  }

  private mutating func element(
    of collection: ImportValue, at index: ExpressionNode.CollectionIndex
  ) throws(ExpressionFailure) -> ImportValue {
    if collection.isNull { return .null }
    if case .size = index { return .integer(try Self.count(collection)) }
    if case .dictionary(let pairs) = collection, case .at(let node) = index {
      let key = ComparisonKey(try value(node))
      try spend(pairs.count)
      return pairs.first { ComparisonKey($0.key) == key }?.value ?? .null
    }
    guard case .list(let elements) = collection else {
      throw ExpressionFailure(.badIndex, name: "\(collection.kind) has no order")
    }
    switch index {
    case .first: return elements.first ?? .null
    case .last: return elements.last ?? .null
    case .size: return .integer(Int64(elements.count))
    case .at(let node):
      let place = try value(node)
      guard let number = NumericValue(place)?.exact?.integer else {
        throw ExpressionFailure(.badIndex, name: place.kind)
      }
      return elements.indices.contains(Int(number)) ? elements[Int(number)] : .null
    }
  }

  private mutating func arithmetic(
    _ first: ExpressionNode, _ operations: [ExpressionNode.Operation]
  ) throws(ExpressionFailure) -> ImportValue {
    var result = try value(first)
    for operation in operations {
      result = try operation.sign(result, try value(operation.operand))
      try spend(on: result)
    }
    return result
  }

  private mutating func subquery(
    _ collection: ImportValue, _ variable: String, _ condition: ExpressionNode
  ) throws(ExpressionFailure) -> ImportValue {
    var found: [ImportValue] = []
    for element in try collection.elements {
      variables.append((variable, element))
      defer { variables.removeLast() }
      if try holds(condition) { found.append(element) }
    }
    if case .set = collection { return .set(found) }
    return .list(found)
  }
}

// MARK: - Comparisons

extension ExpressionNode.Evaluation {
  private mutating func holds(
    _ comparison: ExpressionNode.Comparison
  ) throws(ExpressionFailure) -> Bool {
    let left = try value(comparison.left)
    let right = try value(comparison.right)
    switch comparison.quantifier {
    case nil: return try compare(left, right, comparison)
    case .any: return try contains(left, right, comparison, true)
    case .all: return try !contains(left, right, comparison, false)
    }
  }

  /// True if the comparison has the answer for one of the elements.
  private mutating func contains(
    _ collection: ImportValue, _ right: ImportValue, _ comparison: ExpressionNode.Comparison,
    _ answer: Bool
  ) throws(ExpressionFailure) -> Bool {
    for element in try collection.elements
    where try compare(element, right, comparison) == answer { return true }
    return false
  }

  private mutating func compare(
    _ left: ImportValue, _ right: ImportValue, _ comparison: ExpressionNode.Comparison
  ) throws(ExpressionFailure) -> Bool {
    try spend(1)
    try spend(on: left)
    try spend(on: right)
    guard let pattern = comparison.pattern else {
      return try comparison.sign(left, right, options: comparison.options)
    }
    return try ComparisonOperator.text(left).map { (text) throws(ExpressionFailure) in
      try pattern.matches(text)
    } ?? false
  }
}
