// What has the form of a function: `name(argument, argument)`.
extension ExpressionParser {
  private enum Kind {
    case cast
    case call
    case subquery
    case ternary
    case function(ExpressionFunction)
  }

  /// The function that begins with the token at hand, a word.
  mutating func function() throws(ExpressionError) -> Part {
    let token = self.token
    let kind = try kind()
    advance()
    switch kind {
    case .cast: return try cast(token)
    case .call: return try call(token)
    case .subquery: return try subquery(token)
    case .ternary: return try ternary(token)
    case .function(let function):
      return try part(function, try values(between: "(", and: ")"), token)
    }
  }

  private func kind() throws(ExpressionError) -> Kind {
    guard case .word(let name) = token.kind else { throw unexpected() }
    switch name.uppercased() {
    case "CAST": return .cast
    case "FUNCTION": return .call
    case "SUBQUERY": return .subquery
    case "TERNARY": return .ternary
    case "FETCH": throw error(.unsupported, token, name: name)
    default: break
    }
    guard !ExpressionFunction.random.contains(name) else {
      throw error(.randomFunction, token, name: name)
    }
    guard let function = ExpressionFunction(name: name) else {
      throw error(.unknownFunction, token, name: name)
    }
    return .function(function)
  }

  private func part(
    _ function: ExpressionFunction, _ arguments: [Part], _ token: ExpressionToken
  ) throws(ExpressionError) -> Part {
    guard function.argumentCounts.contains(arguments.count) else {
      throw error(.wrongArgumentCount, token, name: function.rawValue)
    }
    return try part(.function(function, arguments.map(\.node)), over: arguments, token)
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
    guard let target = ValueCast(rawValue: name) else {
      throw error(.unknownType, type, name: name)
    }
    advance()
    try expect(")")
    guard case .constant(let value) = argument.node else {
      return try part(.cast(argument.node, target), over: [argument], token)
    }
    do {
      return try part(.constant(try target.cast(value)), over: [argument], token)
    } catch {
      throw ExpressionError(.badCast, offset: argument.start, name: name)
    }
  }

  private mutating func call(_ token: ExpressionToken) throws(ExpressionError) -> Part {
    try expect("(")
    guard case .variable(let receiver) = self.token.kind, !boundVariables.contains(receiver),
      nextToken == ","
    else { throw error(.badReceiver, self.token) }
    _ = try value()
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
    let colons = selector.utf8.count { $0 == UInt8(ascii: ":") }
    guard colons == 0 || colons == arguments.count else {
      throw error(.wrongArgumentCount, selectorToken, name: selector)
    }
    let use = FunctionUse(receiver: receiver, selector: selector, argumentCount: arguments.count)
    return try part(.call(use, arguments.map(\.node)), over: arguments, token)
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
