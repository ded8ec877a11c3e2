import DataModel
import Foundation
import GraphCore
import Mappings

// Key paths, functions, and what they start from.
extension MigrationFormatParser {
  /// A value, and the keys, collection operators and indexes after it.
  mutating func path() throws(ExpressionError) -> Part {
    var part = try start()
    while true {
      if token == "." {
        part = try steps(from: part)
      } else if take("[") {
        part = try element(of: part)
      } else {
        return part
      }
    }
  }

  private mutating func start() throws(ExpressionError) -> Part {
    if token == "(" {
      advance()
      let part = try anything()
      try expect(")")
      return part
    }
    if token == "{" {
      let elements = try values(between: "{", and: "}")
      return try part(.aggregate(elements.nodes), over: elements.levels)
    }
    if case .word(let name) = token.kind, token.keyword == nil, nextToken == "(" {
      advance()
      return try function(name)
    }
    return try single()
  }

  /// A start of one token.
  private mutating func single() throws(ExpressionError) -> Part {
    let node: MigrationExpression
    switch token.kind {
    case .number(let number):
      guard let value = UnarchivedValue(number: number) else { throw unexpected() }
      node = .constant(value)
    case .text(let text): node = .constant(.text(text))
    case .variable(let name): node = .variable(MigrationExpression.Variable(rawValue: name))
    case .escapedWord(let key): node = .keyPath(.evaluatedObject, [.key(key)])
    case .collectionOperator:
      return try part(.keyPath(.evaluatedObject, [try step()]))
    case .word(let word): return try self.word(word)
    default: throw unexpected()
    }
    advance()
    return try part(node)
  }

  private mutating func word(_ word: String) throws(ExpressionError) -> Part {
    let node: Part.Node
    switch token.keyword {
    case .truePredicate: node = .predicate(.constant(true))
    case .falsePredicate: node = .predicate(.constant(false))
    case .isTrue, .yes: node = .value(.constant(.bool(true)))
    case .isFalse, .no: node = .value(.constant(.bool(false)))
    case .null, .nothing: node = .value(.constant(.null))
    case .itself: node = .value(.evaluatedObject)
    case nil:
      guard !word.contains(":"), word.uppercased() != "ANYKEY" else { throw unexpected() }
      node = .value(.keyPath(.evaluatedObject, [.key(word)]))
    default: throw unexpected()
    }
    advance()
    return Part(node: node, levels: 2)
  }

  // MARK: Steps

  /// The steps after a value, each after a dot.
  private mutating func steps(from part: Part) throws(ExpressionError) -> Part {
    let base = try value(of: part)
    var (start, steps, levels) = (base.node, [MigrationExpression.KeyPathStep](), base.levels + 1)
    if case .keyPath(let first, let others) = base.node {
      (start, steps, levels) = (first, others, base.levels)
    }
    while take(".") { steps.append(try step()) }
    return try self.part(.keyPath(start, steps), over: levels - 1)
  }

  private mutating func step() throws(ExpressionError) -> MigrationExpression.KeyPathStep {
    let step: MigrationExpression.KeyPathStep
    switch token.kind {
    // After a dot, keywords are keys.
    case .word(let key) where !key.contains(":"), .escapedWord(let key): step = .key(key)
    case .collectionOperator(let name):
      guard let sign = CollectionOperator(rawValue: name) else {
        throw error(.unknownCollectionOperator, name)
      }
      step = .collectionOperator(sign)
    default: throw unexpected()
    }
    advance()
    return step
  }

  private mutating func element(of part: Part) throws(ExpressionError) -> Part {
    let base = try value(of: part)
    if case .word(let word) = token.kind, ["FIRST", "LAST", "SIZE"].contains(word.uppercased()) {
      throw error(.unsupported, word)
    }
    let index = try value()
    try expect("]")
    return try self.part(
      .builtIn(.element, [base.node, index.node]), over: max(base.levels, index.levels))
  }

  // MARK: Functions

  private mutating func function(_ name: String) throws(ExpressionError) -> Part {
    switch name.uppercased() {
    case "CAST": return try cast()
    case "FUNCTION": return try call()
    case "FETCH": return try fetch()
    case "SUBQUERY": return try subquery()
    case "TERNARY": return try ternary()
    default: break
    }
    let arguments = try values(between: "(", and: ")")
    guard let function = MigrationFunction(name: name, argumentCount: arguments.nodes.count) else {
      throw error(.unknownFunction, name)
    }
    return try part(.builtIn(function, arguments.nodes), over: arguments.levels)
  }

  private mutating func cast() throws(ExpressionError) -> Part {
    try expect("(")
    let value = try value()
    try expect(",")
    let className = try expectText()
    try expect(")")
    if case .constant(let constant) = value.node, let cast = constant.cast(to: className) {
      return try part(.constant(cast))
    }
    return try part(.cast(value.node, className: className), over: value.levels)
  }

  private mutating func call() throws(ExpressionError) -> Part {
    try expect("(")
    let target = try value()
    try expect(",")
    let selector = try expectText()
    var (arguments, levels) = ([MigrationExpression](), target.levels)
    while take(",") {
      let argument = try value()
      arguments.append(argument.node)
      levels = max(levels, argument.levels)
    }
    try expect(")")
    return try part(.function(target.node, selector: selector, arguments), over: levels)
  }

  private mutating func fetch() throws(ExpressionError) -> Part {
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
    return try part(
      MigrationExpression.fetch(request.node, in: context.node, isCountOnly: isCountOnly),
      over: max(request.levels, context.levels))
  }

  private mutating func subquery() throws(ExpressionError) -> Part {
    try expect("(")
    let collection = try value()
    try expect(",")
    let variable = try expectVariable()
    try expect(",")
    let predicate = try predicate()
    try expect(")")
    return try part(
      .subquery(collection.node, variable: variable, predicate.node),
      over: max(collection.levels, predicate.levels))
  }

  private mutating func ternary() throws(ExpressionError) -> Part {
    try expect("(")
    let predicate = try predicate()
    try expect(",")
    let first = try value()
    try expect(",")
    let second = try value()
    try expect(")")
    return try part(
      .ternary(predicate.node, first.node, second.node),
      over: max(predicate.levels, first.levels, second.levels))
  }
}

extension UnarchivedValue {
  /// A number of the format; nil if it is none.
  fileprivate init?(number: ImportValue) {
    switch number {
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    case .decimal(let decimal):
      let text = "\(decimal)"
      self = Int128(text).map { UnarchivedValue($0) } ?? .decimal(text)
    default: return nil
    }
  }

  /// The constant that a cast of one is, for the classes that the format writes constants of.
  fileprivate func cast(to className: String) -> UnarchivedValue? {
    switch (self, className) {
    case (.real(let seconds), "NSDate"):
      .date(ArchivedDate(secondsSinceReferenceDate: seconds))
    case (.integer(let seconds), "NSDate"):
      .date(ArchivedDate(secondsSinceReferenceDate: Double(seconds)))
    case (.text(let text), "NSDecimalNumber"):
      Self.canonicalDecimal(text)
    case (.text(let text), "NSUUID"): UUID(uuidString: text).map { .uuid($0) }
    case (.text(let text), "NSURL"): .url(text)
    default: nil
    }
  }

  /// An exact decimal number, in its canonical form.
  private static func canonicalDecimal(_ text: String) -> UnarchivedValue? {
    guard text != "NaN" else { return .decimal(text) }
    guard case .decimal(let decimal) = ImportValue(decimalText: text) else { return nil }
    return .decimal("\(decimal)")
  }
}
