import DataModel

// What has the form of a function: `name(argument, argument)`.
extension ExpressionParser {
  /// The function that begins with the token at hand, a word.
  mutating func function() throws(ExpressionError) -> Part {
    let token = self.token
    guard case .word(let name) = token.kind else { throw unexpected() }
    let known = try known(name)
    advance()
    switch name.uppercased() {
    case "CAST": return try cast(token)
    case "FUNCTION": return try call(token)
    case "SUBQUERY": return try subquery(token)
    case "TERNARY": return try ternary(token)
    case "FETCH": return try fetch(token)
    default: return try part(known, name, try values(between: "(", and: ")"), token)
    }
  }

  /// The function of a name that mapping files have; nil in mapping models, which have others.
  private func known(_ name: String) throws(ExpressionError) -> ExpressionFunction? {
    let forms = ["CAST", "FUNCTION", "SUBQUERY", "TERNARY"]
    if isInMappingModel || forms.contains(name.uppercased()) { return nil }
    if name.uppercased() == "FETCH" { throw error(.unsupported, name) }
    if ExpressionFunction.random.contains(name) { throw error(.randomFunction, name) }
    guard let function = ExpressionFunction(name: name) else { throw error(.unknownFunction, name) }
    return function
  }

  private func part(
    _ function: ExpressionFunction?, _ name: String, _ arguments: [Part], _ token: ExpressionToken
  ) throws(ExpressionError) -> Part {
    let nodes = arguments.map(\.node)
    if let function {
      guard function.argumentCounts.contains(nodes.count) else {
        throw error(.wrongArgumentCount, token, name: function.rawValue)
      }
      return try part(ExpressionNode(function, nodes), over: arguments, token)
    }
    let selector = nodes.count == 1 && !name.hasSuffix(":") ? "\(name):" : name
    guard let node = ExpressionNode.builtIn(selector, nodes) else {
      throw error(.unknownFunction, token, name: name)
    }
    return try part(node, over: arguments, token)
  }

  private mutating func cast(_ token: ExpressionToken) throws(ExpressionError) -> Part {
    try expect("(")
    return try cast(of: try value(), token)
  }

  private mutating func cast(
    of argument: Part, _ token: ExpressionToken
  ) throws(ExpressionError) -> Part {
    try expect(",")
    let type = self.token
    guard case .text(let name) = type.kind else { throw unexpected() }
    let target = ValueCast(rawValue: name)
    guard isInMappingModel || target != nil else { throw error(.unknownType, type, name: name) }
    advance()
    try expect(")")
    guard let target, case .constant(let value) = argument.node,
      !isInMappingModel || target.writesConstants(of: value)
    else { return try part(.conversion(of: argument.node, to: name), over: [argument], token) }
    do {
      return try part(.constant(try target.cast(value)), over: [argument], token)
    } catch {
      guard !isInMappingModel else {
        return try part(.cast(argument.node, target), over: [argument], token)
      }
      throw ExpressionError(.badCast, offset: argument.start, name: name)
    }
  }

  private mutating func call(_ token: ExpressionToken) throws(ExpressionError) -> Part {
    try expect("(")
    let isVariable =
      if case .variable(let name) = self.token.kind {
        !boundVariables.contains(name) && nextToken == ","
      } else {
        false
      }
    guard isInMappingModel || isVariable else { throw error(.badReceiver, self.token) }
    let target = try value()
    try expect(",")
    guard case .text(let selector) = self.token.kind, !selector.isEmpty else {
      throw error(.badReceiver, self.token)
    }
    let selectorToken = self.token
    advance()
    var arguments: [Part] = []
    while take(",") { arguments.append(try value()) }
    try expect(")")
    // A name without colons is one that was given in Swift.
    let colons = selector.argumentCount
    guard isInMappingModel || colons == 0 || colons == arguments.count else {
      throw error(.wrongArgumentCount, selectorToken, name: selector)
    }
    return try part(
      .message(selector, to: target.node, arguments.map(\.node)), over: [target] + arguments, token)
  }

  private mutating func fetch(_ token: ExpressionToken) throws(ExpressionError) -> Part {
    try expect("(")
    let request = try value()
    try expect(",")
    let context = try value()
    var isCountOnly = false
    if take(",") {
      guard case .constant(.bool(let flag)) = try value().node else { throw unexpected() }
      isCountOnly = flag
    }
    try expect(")")
    let fetch = ExpressionNode.request(
      request.node, in: context.node, isCountOnly: isCountOnly, depth: depth)
    return try part(fetch.node, over: [request, context, fetch], token)
  }

  private mutating func subquery(_ token: ExpressionToken) throws(ExpressionError) -> Part {
    try expect("(")
    let collection = try value()
    try expect(",")
    guard case .variable(let name) = self.token.kind else { throw unexpected() }
    advance()
    try expect(",")
    boundVariables.append(name)
    let condition = try predicate()
    boundVariables.removeLast()
    try expect(")")
    return try part(
      .subquery(collection.node, variable: name, condition.node), over: [collection, condition],
      token)
  }

  private mutating func ternary(_ token: ExpressionToken) throws(ExpressionError) -> Part {
    try expect("(")
    let condition = try predicate()
    try expect(",")
    let first = try value()
    try expect(",")
    let second = try value()
    try expect(")")
    return try part(
      .ternary(condition.node, first.node, second.node), over: [condition, first, second], token)
  }

  /// A value over other parts.
  private func part(
    _ node: ExpressionNode, over parts: [Part], _ token: ExpressionToken
  ) throws(ExpressionError) -> Part {
    try checked(
      Part(
        node: node, levels: 1 + (parts.map(\.levels).max() ?? 0), start: token.range.lowerBound))
  }
}

extension ExpressionNode {
  /// A fetch of source objects; unknown if the request is another than entity mappings have.
  package static func request(
    _ request: ExpressionNode, in context: ExpressionNode, isCountOnly: Bool
  ) -> ExpressionNode {
    Self.request(request, in: context, isCountOnly: isCountOnly, depth: 0).node
  }

  fileprivate static func request(
    _ request: ExpressionNode, in context: ExpressionNode, isCountOnly: Bool, depth: Int
  ) -> ExpressionParser.Part {
    guard case .call(let use, let arguments) = request, use.receiver == "manager",
      use.selector == fetchSelector, arguments.count == 2, let entity = arguments[0].text,
      let text = arguments[1].text, context == .keys(.variable("manager"), ["sourceContext"])
    else {
      let unknown = UnknownExpression(.unknownFetch, request.format)
      return ExpressionParser.Part(node: .unknown(unknown), start: 0)
    }
    var part =
      ExpressionParser.nestedPredicate(text, depth: depth)
      ?? ExpressionParser.Part(node: .unknown(UnknownExpression(.invalidFormat, text)), start: 0)
    part.node = .fetch(entity: entity, part.node, isCountOnly: isCountOnly)
    return part
  }

  /// The object at the end of a key path from another; unknown if a text is no key path.
  package static func keyPath(_ path: String, of base: ExpressionNode) -> ExpressionNode {
    let isPlain = path.unicodeScalars.allSatisfy {
      $0 == "." || $0 == "@" || $0 == "_" || $0.properties.isIDContinue
    }
    return (isPlain ? ExpressionParser.path(path, of: base) : nil)
      ?? .unknown(UnknownExpression(.invalidKeyPath, path))
  }
}

extension ValueCast {
  /// True for a value whose cast is how a constant of the class is written.
  fileprivate func writesConstants(of value: ImportValue) -> Bool {
    switch (self, value) {
    case (.date, .real), (.date, .integer), (.decimal, .text), (.uuid, .text), (.url, .text): true
    default: false
    }
  }
}
