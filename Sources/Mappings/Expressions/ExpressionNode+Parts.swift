// What a tree consists of.
extension ExpressionNode {
  /// The nodes below, in the order of the text.
  var children: [ExpressionNode] {
    switch self {
    case .constant, .variable, .source, .bound, .element, .truth, .opaque, .unknown: []
    case .keys(let base, _), .negative(let base), .cast(let base, _), .not(let base),
      .collection(let base, _, nil), .fetch(_, let base, _):
      [base]
    case .collection(let base, _, let rest?): [base, rest]
    case .index(let base, .at(let place)): [base, place]
    case .index(let base, _): [base]
    case .list(let nodes), .all(let nodes), .any(let nodes), .function(_, let nodes),
      .call(_, let nodes), .foreign(_, let nodes):
      nodes
    case .arithmetic(let first, let operations): [first] + operations.map(\.operand)
    case .subquery(let collection, _, let condition): [collection, condition]
    case .ternary(let condition, let first, let second): [condition, first, second]
    case .comparison(let comparison): [comparison.left, comparison.right]
    }
  }

  /// The start of a key path, and its keys and collection operators, these with an `@`; nil if the
  /// node is no key path.
  package var path: (start: ExpressionNode, steps: [String])? {
    switch self {
    case .keys(let base, let keys):
      let (start, steps) = base.path ?? (base, [])
      return (start, steps + keys)
    case .collection(let base, let sign, let rest):
      let (start, steps) = base.path ?? (base, [])
      return (start, steps + ["@\(sign.rawValue)"] + (rest?.path?.steps ?? []))
    default: return nil
    }
  }

  /// Calls a function with the node and with all in it, each key path as a whole.
  ///
  /// - Complexity: Linear in the size of the tree.
  package func visitParts(_ visit: (ExpressionNode) -> Void) {
    visit(self)
    visitChildren(visit)
  }

  private func visitChildren(_ visit: (ExpressionNode) -> Void) {
    switch self {
    case .keys(let base, _): base.visitStart(visit)
    case .collection(let base, _, let rest):
      base.visitStart(visit)
      rest?.visitParts(visit)
    default: for child in children { child.visitParts(visit) }
    }
  }

  /// Visits the start of a key path, or what a longer one goes on from.
  private func visitStart(_ visit: (ExpressionNode) -> Void) {
    switch self {
    case .keys, .collection: visitChildren(visit)
    default: visitParts(visit)
    }
  }

  /// The parts that are not understood.
  package var unknownParts: [UnknownExpression] {
    var unknown: [UnknownExpression] = []
    visitParts { if case .unknown(let part) = $0 { unknown.append(part) } }
    return unknown
  }
}

// MARK: - What cannot be evaluated

extension ExpressionNode {
  /// The mistake of the first part that cannot be evaluated; nil if all can be.
  ///
  /// Expressions of mapping files can be: the parser refuses them otherwise.
  package var mistake: ExpressionError? {
    if let (code, name) = ownMistake { return ExpressionError(code, offset: 0, name: name) }
    return children.lazy.compactMap(\.mistake).first
  }

  private var ownMistake: (ExpressionError.Code, String?)? {
    switch self {
    case .variable(let name?) where !ExpressionParser.variables.contains(name):
      (.unknownVariable, name)
    case .cast(.constant(let value), let type) where (try? type.cast(value)) == nil:
      (.badCast, type.rawValue)
    case .call(let use, _): use.mistake
    case .comparison(let comparison): comparison.mistake.map { ($0, nil) }
    case .fetch: (.unsupported, "FETCH")
    case .foreign("CAST", let arguments): (.unknownType, arguments.last?.text)
    case .foreign("FUNCTION", _): (.badReceiver, nil)
    case .foreign(let name, _):
      ExpressionFunction.random.contains(name)
        ? (.randomFunction, name)
        : Self.setOperators.contains(name) ? (.unsupported, name) : (.unknownFunction, name)
    case .opaque, .unknown: (.unsupported, format)
    default: nil
    }
  }

  /// The text that it is, if it is a constant one.
  package var text: String? { if case .constant(.text(let text)) = self { text } else { nil } }
}

extension FunctionUse {
  fileprivate var mistake: (ExpressionError.Code, String?)? {
    if receiver != "source", !ExpressionParser.variables.contains(receiver) {
      return (.unknownVariable, receiver)
    }
    // A name without colons is one that was given in Swift.
    return [0, argumentCount].contains(selector.argumentCount)
      ? nil : (.wrongArgumentCount, selector)
  }
}

extension ExpressionNode.Comparison {
  /// The mistake in a right side that is constant; nil if there is none.
  var mistake: ExpressionError.Code? {
    switch (sign, right) {
    case (.matches, .constant(.text)) where pattern == nil: .badPattern
    case (.between, .constant(.list(let bounds))) where bounds.count != 2: .badBounds
    case (.between, .list(let bounds)) where bounds.count != 2: .badBounds
    default: nil
    }
  }
}
