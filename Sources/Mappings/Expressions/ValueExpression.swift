import ArchiveReader
import DataModel
import Support

/// A value expression in NSExpression's format: what is taken or calculated from an object.
///
/// What is understood, and where it differs from Foundation, is in Documentation/expressions.md.
public struct ValueExpression: Sendable, Equatable {
  /// The text that it was parsed from.
  public let format: String

  private let root: ExpressionNode

  /// Creates an expression from its text.
  public init(parsing format: String) throws(ExpressionError) {
    self.format = format
    root = try ExpressionParser.value(format)
  }

  /// Creates an expression from its tree, which can be evaluated.
  package init(_ root: ExpressionNode) {
    (format, self.root) = (root.format, root)
  }

  /// True if the texts are the same.
  public static func == (first: Self, second: Self) -> Bool {
    first.format.hasSameBytes(as: second.format)
  }

  /// The key paths that it reads from the archived object, each once, in the order of the text.
  public var keyPaths: [[String]] { ExpressionNode.Reads(root).keyPaths }

  /// The key of the archived object, if it is nothing but that.
  package var key: String? {
    switch root {
    case .keys(.variable(nil), let keys) where keys.count == 1,
      .keys(.source, let keys) where keys.count == 1:
      ArchivedName.text(keys[0])
    default: nil
    }
  }

  /// The functions of variables that it calls, each once, in the order of the text.
  public var functions: [FunctionUse] { ExpressionNode.Reads(root).functions }

  /// True if the value depends on the time of the evaluation.
  package var asksForTime: Bool { ExpressionNode.Reads(root).asksForTime }

  /// The value for an object.
  package func evaluate(in scope: any ExpressionScope) throws(ExpressionFailure) -> ImportValue {
    var evaluation = ExpressionNode.Evaluation(scope)
    return try evaluation.value(root)
  }
}

/// A predicate in NSPredicate's format: which objects are meant.
///
/// What is understood, and where it differs from Foundation, is in Documentation/expressions.md.
public struct FilterPredicate: Sendable, Equatable {
  /// The text that it was parsed from.
  public let format: String

  private let root: ExpressionNode

  /// Creates a predicate from its text.
  public init(parsing format: String) throws(ExpressionError) {
    self.format = format
    root = try ExpressionParser.predicate(format)
  }

  /// Creates a predicate from its tree, which can be evaluated.
  package init(_ root: ExpressionNode) { self.init(format: root.format, root: root) }

  /// True if the texts are the same.
  public static func == (first: Self, second: Self) -> Bool {
    first.format.hasSameBytes(as: second.format)
  }

  /// The key paths that it reads from the archived object, each once, in the order of the text.
  public var keyPaths: [[String]] { ExpressionNode.Reads(root).keyPaths }

  /// The functions of variables that it calls, each once, in the order of the text.
  public var functions: [FunctionUse] { ExpressionNode.Reads(root).functions }

  /// True if the answer depends on the time of the evaluation.
  package var asksForTime: Bool { ExpressionNode.Reads(root).asksForTime }

  /// True if the predicate holds for an object.
  package func evaluate(in scope: any ExpressionScope) throws(ExpressionFailure) -> Bool {
    var evaluation = ExpressionNode.Evaluation(scope)
    return try evaluation.holds(root)
  }

  /// The predicate that holds where this one and another do.
  package func and(_ other: FilterPredicate) -> FilterPredicate {
    FilterPredicate(
      format: "(\(format)) AND (\(other.format))", root: .all([root, other.root]))
  }

  private init(format: String, root: ExpressionNode) {
    self.format = format
    self.root = root
  }
}
