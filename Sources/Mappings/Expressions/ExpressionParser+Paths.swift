import DataModel

// Key paths, indexes and what they start from.
extension ExpressionParser {
  /// A value, and the keys, collection operators and indexes after it.
  mutating func path() throws(ExpressionError) -> Part {
    try steps(from: try start())
  }

  /// The value that a path starts from.
  private mutating func start() throws(ExpressionError) -> Part {
    if token == "(" { return try bracketed() }
    if token == "{" { return try list() }
    if nextToken == "(", isWord { return try function() }
    return try single()
  }

  private var isWord: Bool {
    if case .word = token.kind { token.keyword == nil } else { false }
  }

  private mutating func bracketed() throws(ExpressionError) -> Part {
    let start = token.range.lowerBound
    advance()
    var part = try anything()
    try expect(")")
    part.start = start
    return part
  }

  mutating func steps(from start: Part) throws(ExpressionError) -> Part {
    var part = start
    while true {
      if token == "." {
        _ = try checkedValue(part)
        advance()
        part = try step(from: part)
      } else if token == "[" {
        _ = try checkedValue(part)
        advance()
        part = try index(of: part)
      } else {
        return part
      }
    }
  }

  /// Keys or a collection operator.
  private mutating func step(from part: Part) throws(ExpressionError) -> Part {
    var keys: [String] = []
    while let key = Self.key(token) {
      keys.append(key)
      advance()
      guard token == ".", Self.key(nextToken) != nil else { break }
      advance()
    }
    if keys.isEmpty { return try collectionOperator(of: part) }
    guard case .keys(let base, let first) = part.node else {
      return try checked(part.under(.keys(part.node, keys)))
    }
    var part = part
    part.node = .keys(base, first + keys)
    return part
  }

  /// The key that a token after a dot is; keywords are keys there.
  private static func key(_ token: ExpressionToken) -> String? {
    switch token.kind {
    case .word(let key) where !key.contains(":"), .escapedWord(let key): key
    default: nil
    }
  }

  /// A collection operator, and the path to what it takes of each element.
  private mutating func collectionOperator(of part: Part) throws(ExpressionError) -> Part {
    guard case .collectionOperator(let name) = token.kind,
      let sign = CollectionOperator(rawValue: name)
    else {
      if case .collectionOperator(let name) = token.kind {
        throw error(.unknownCollectionOperator, token, name: name)
      }
      throw unexpected()
    }
    advance()
    guard sign != .count, token == "." else {
      return try checked(part.under(.collection(part.node, sign, rest: nil)))
    }
    try goDeeper()
    defer { depth -= 1 }
    let rest = try steps(from: Part(node: .element, start: part.start))
    var result = part
    result.levels = 1 + max(part.levels, rest.levels)
    result.node = .collection(part.node, sign, rest: rest.node)
    return try checked(result)
  }

  private mutating func index(of part: Part) throws(ExpressionError) -> Part {
    if case .word(let word) = token.kind, nextToken == "]" {
      let index: ExpressionNode.CollectionIndex? =
        switch word.uppercased() {
        case "FIRST": .first
        case "LAST": .last
        case "SIZE": .size
        default: nil
        }
      if let index {
        advance()
        advance()
        return try checked(part.under(.index(part.node, index)))
      }
    }
    let index = try value()
    try expect("]")
    var result = part
    result.levels = 1 + max(part.levels, index.levels)
    result.node = .index(part.node, .at(index.node))
    return try checked(result)
  }

  /// A start of one token.
  private mutating func single() throws(ExpressionError) -> Part {
    let start = token.range.lowerBound
    let node: ExpressionNode
    switch token.kind {
    case .number(let number): node = .constant(number)
    case .text(let text): node = .constant(.text(text))
    case .variable(let name): node = try variable(name)
    case .escapedWord(let key): node = .keys(.variable(nil), [key])
    case .collectionOperator:
      return try collectionOperator(of: Part(node: .variable(nil), start: start))
    case .word(let word): return try self.word(word)
    default: throw unexpected()
    }
    advance()
    return Part(node: node, levels: 2, start: start)
  }

  /// The names that variables of mapping models have.
  static let variables = [
    "manager", "destination", "entityPolicy", "entityMapping", "propertyMapping",
  ]

  private func variable(_ name: String) throws(ExpressionError) -> ExpressionNode {
    if boundVariables.contains(name) { return .bound(name) }
    if name == "source" { return .source }
    guard isInMappingModel || Self.variables.contains(name) else {
      throw error(.unknownVariable, token, name: name)
    }
    return .variable(name)
  }

  private mutating func word(_ word: String) throws(ExpressionError) -> Part {
    let start = token.range.lowerBound
    var part = Part(node: .constant(.null), start: start)
    switch token.keyword {
    case .truePredicate, .falsePredicate:
      part.node = .truth(token.keyword == .truePredicate)
      part.isPredicate = true
    case .isTrue, .yes: part.node = .constant(.bool(true))
    case .isFalse, .no: part.node = .constant(.bool(false))
    case .null, .nothing: break
    case .itself: part.node = .variable(nil)
    case nil:
      let isReserved = isInMappingModel && word.uppercased() == "ANYKEY"
      guard !word.contains(":"), !isReserved else { throw unexpected() }
      part.node = .keys(.variable(nil), [word])
      part.levels = 2
    default: throw unexpected()
    }
    advance()
    return part
  }

  private mutating func list() throws(ExpressionError) -> Part {
    let start = token.range.lowerBound
    return try list(of: try values(between: "{", and: "}"), start)
  }

  private func list(of parts: [Part], _ start: Int) throws(ExpressionError) -> Part {
    try checked(
      Part(
        node: .aggregate(parts.map(\.node)), levels: 1 + (parts.map(\.levels).max() ?? 0),
        start: start))
  }

  /// Values with commas between them, in brackets.
  mutating func values(
    between opening: String, and closing: String
  ) throws(ExpressionError) -> [Part] {
    try expect(opening)
    var parts: [Part] = []
    if take(closing) { return parts }
    repeat { parts.append(try value()) } while take(",")
    try expect(closing)
    return parts
  }
}
