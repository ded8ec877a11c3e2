import ArchiveReader
import DataModel

/// A node in the tree of an expression or a predicate.
///
/// The parser makes no tree that is higher than `ExpressionParser.maxLevels`, and archives hold none
/// that is much higher than 64, so that functions that call themselves for each level are safe.
/// Long rows of operators are one node for that.
package indirect enum ExpressionNode: Sendable, Hashable {
  // Values
  case constant(ImportValue)
  /// A variable of the scope, or the object itself, `SELF`, from which keys start.
  case variable(String?)
  /// `$source`: the object itself as well.
  case source
  /// A variable of a `SUBQUERY`.
  case bound(String)
  /// The element of a collection that the rest of a collection operator's path starts from.
  case element
  case keys(ExpressionNode, [String])
  case collection(ExpressionNode, CollectionOperator, rest: ExpressionNode?)
  case index(ExpressionNode, CollectionIndex)
  case list([ExpressionNode])
  case negative(ExpressionNode)
  /// Operators of one precedence, from left to right.
  case arithmetic(ExpressionNode, [Operation])
  case function(ExpressionFunction, [ExpressionNode])
  case cast(ExpressionNode, ValueCast)
  case call(FunctionUse, [ExpressionNode])
  case subquery(ExpressionNode, variable: String, ExpressionNode)
  case ternary(ExpressionNode, ExpressionNode, ExpressionNode)

  // Predicates
  case truth(Bool)
  case not(ExpressionNode)
  case all([ExpressionNode])
  case any([ExpressionNode])
  case comparison(Comparison)

  // What mapping models have besides, and nothing evaluates: see `mistake`
  /// The source objects of an entity for which a predicate holds, or their number.
  case fetch(entity: String, ExpressionNode, isCountOnly: Bool)
  /// A function or an operator of Foundation's, by its name in the format.
  case foreign(String, [ExpressionNode])
  /// A constant that is no value, in words.
  case opaque(String)
  case unknown(UnknownExpression)

  /// An operator and its right side.
  package struct Operation: Sendable, Hashable {
    package var sign: ArithmeticOperator
    package var operand: ExpressionNode
  }

  /// A comparison of two values, or of the elements of the left one with the right one.
  package struct Comparison: Sendable, Hashable {
    package var quantifier: Quantifier?
    package let left: ExpressionNode
    package let sign: ComparisonOperator
    package let options: TextOptions
    package let right: ExpressionNode
    /// The right side of `MATCHES`, where it is the same for all objects and well formed.
    let pattern: TextPattern?

    package init(
      _ left: ExpressionNode, _ sign: ComparisonOperator, _ right: ExpressionNode,
      options: TextOptions = [], quantifier: Quantifier? = nil
    ) {
      (self.quantifier, self.options) = (quantifier, options)
      (self.left, self.sign, self.right) = (left, sign, right)
      pattern =
        if sign == .matches, case .constant(.text(let text)) = right {
          try? TextPattern(text, options: options)
        } else {
          nil
        }
    }
  }

  /// The quantifier of a comparison with the elements of its left side, as Foundation numbers it.
  package enum Quantifier: Int, Sendable {
    case all = 1
    case any
  }

  /// The index between square brackets.
  package enum CollectionIndex: Sendable, Hashable {
    case first
    case last
    case size
    case at(ExpressionNode)
  }
}

/// A function of a variable that an expression calls, so that it can be looked up before a run.
public struct FunctionUse: Sendable, Hashable {
  /// The variable, without its dollar sign: "entityPolicy".
  public let receiver: String
  /// The name of the function: "ratingForRating:".
  public let selector: String
  /// The number of arguments it is given.
  public let argumentCount: Int
}

// MARK: - Making nodes

extension ExpressionNode {
  /// The objects of a source entity for which a predicate holds.
  package static func objects(
    of entity: String, where predicate: ExpressionNode = .truth(true)
  ) -> ExpressionNode {
    .fetch(entity: entity, predicate, isCountOnly: false)
  }

  /// A call of a function of a variable, or of any other object.
  package static func message(
    _ selector: String, to target: ExpressionNode, _ arguments: [ExpressionNode]
  ) -> ExpressionNode {
    let receiver: String? =
      switch target {
      case .variable(let name): name
      case .source: "source"
      default: nil
      }
    guard let receiver else {
      return .foreign("FUNCTION", [target, .constant(.text(selector))] + arguments)
    }
    let use = FunctionUse(
      receiver: receiver, selector: selector, argumentCount: arguments.count)
    return .call(use, arguments)
  }

  /// A function that expressions have by themselves; nil if there is none with so many arguments.
  package static func builtIn(
    _ selector: String, _ arguments: [ExpressionNode]
  ) -> ExpressionNode? {
    guard selector.argumentCount == arguments.count else { return nil }
    if selector == "objectFrom:withIndex:" { return .index(arguments[0], .at(arguments[1])) }
    if let function = ExpressionFunction(rawValue: selector) {
      return ExpressionNode(function, arguments)
    }
    guard ExpressionFunction.foreign.contains(selector) else { return nil }
    return .foreign(selector.functionName, arguments)
  }

  /// A function with as many arguments as it has.
  init(_ function: ExpressionFunction, _ arguments: [ExpressionNode]) {
    self =
      function.sign.map { sign in
        .arithmetic(arguments[0], [Operation(sign: sign, operand: arguments[1])])
      } ?? .function(function, arguments)
  }

  /// A value as one of another class, whatever class that is.
  package static func conversion(of value: ExpressionNode, to className: String) -> ExpressionNode {
    ValueCast(rawValue: className).map { .cast(value, $0) }
      ?? .foreign("CAST", [value, .constant(.text(className))])
  }

  /// Several values: a constant if all of them are.
  package static func aggregate(_ nodes: [ExpressionNode]) -> ExpressionNode {
    var constants: [ImportValue] = []
    for node in nodes {
      guard case .constant(let value) = node else { return .list(nodes) }
      constants.append(value)
    }
    return .constant(.list(constants))
  }
}

extension String {
  /// The number of arguments that a function of this name has.
  var argumentCount: Int { utf8.count { $0 == UInt8(ascii: ":") } }

  /// The name of a function without its only colon, as the format has it.
  var functionName: String { argumentCount == 1 && hasSuffix(":") ? String(dropLast()) : self }
}

extension ExpressionNode {
  /// The key paths that an expression reads and the functions that it calls, found before it is
  /// evaluated.
  struct Reads {
    /// The key paths that start from the archived object, without collection operators and indexes.
    ///
    /// The object as a whole, `SELF`, is none of them. Keys are as `ArchivedName` has them.
    private(set) var keyPaths: [[String]] = []
    private(set) var functions: [FunctionUse] = []
    /// True if the value depends on the time of the evaluation.
    private(set) var asksForTime = false

    private var variables: [(name: String, path: [String]?)] = []
    private var elements: [[String]?] = []

    init(_ root: ExpressionNode) { visit(root) }

    /// Looks through a node; a base is one that a longer path starts from, which counts instead.
    private mutating func visit(_ node: ExpressionNode, isBase: Bool = false) {
      switch node {
      case .keys(let base, _):
        if !isBase { add(path(node)) }
        visit(base, isBase: true)
      case .collection(let base, _, let rest):
        visit(base, isBase: rest != nil)
        guard let rest else { break }
        elements.append(path(base))
        visit(rest)
        elements.removeLast()
      case .index(let base, let index):
        visit(base, isBase: isBase)
        if case .at(let place) = index { visit(place) }
      case .subquery(let collection, let variable, let condition):
        visit(collection)
        variables.append((variable, path(collection)))
        visit(condition)
        variables.removeLast()
      default:
        if case .function(.now, _) = node { asksForTime = true }
        if case .call(let use, _) = node, !functions.contains(use) { functions.append(use) }
        for child in node.children { visit(child) }
      }
    }

    private mutating func add(_ path: [String]?) {
      if let path, !path.isEmpty, !keyPaths.contains(path) { keyPaths.append(path) }
    }

    /// The key path that a node stands for; nil if it is none of the archived object.
    private func path(_ node: ExpressionNode) -> [String]? {
      switch node {
      case .variable(nil), .source: []
      case .bound(let name): variables.last { $0.name == name }?.path
      case .element: elements.last ?? nil
      case .keys(let base, let keys): path(base).map { $0 + keys.map(ArchivedName.text) }
      case .index(let base, .at), .index(let base, .first), .index(let base, .last): path(base)
      case .subquery(let collection, _, _): path(collection)
      default: nil
      }
    }
  }
}
