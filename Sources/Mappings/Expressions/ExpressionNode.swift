import DataModel

/// What an expression or a predicate is made of.
///
/// The parser makes no tree that is higher than `ExpressionParser.maxLevels`, so that functions
/// that call themselves for each level are safe. Long rows of operators are one node for that.
indirect enum ExpressionNode: Sendable, Equatable {
  // Values
  case constant(ImportValue)
  /// A variable of the scope, or the archived object itself.
  case variable(String?)
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

  /// An operator and its right side.
  struct Operation: Sendable, Equatable {
    var sign: ArithmeticOperator
    var operand: ExpressionNode
  }

  /// A comparison of two values, or of the elements of the left one with the right one.
  struct Comparison: Sendable, Equatable {
    var quantifier: Quantifier?
    var left: ExpressionNode
    var sign: ComparisonOperator
    var options: TextOptions
    var right: ExpressionNode
    /// The right side of `MATCHES`, where it is the same for all objects.
    var pattern: TextPattern?
  }

  /// How many elements of the left side a comparison has to hold for.
  enum Quantifier: Sendable {
    case any
    case all
    case no
  }

  /// What stands between square brackets.
  enum CollectionIndex: Sendable, Equatable {
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
  /// How many arguments it is given.
  public let argumentCount: Int
}
