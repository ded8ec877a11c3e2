import GraphCore
import Mappings

/// Parses expressions and predicates in NSPredicate's format language, as far as mapping models use
/// it.
///
/// Tokens are those of the expressions of mapping files, but the tree is Core Data's: variables
/// keep their names, and fetches, sets and any selector are allowed. Placeholders (`%@`), bit
/// operators and assignments are errors.
package struct MigrationFormatParser: TokenParser {
  /// How high a tree can be, and how deep brackets are nested.
  ///
  /// A level of brackets costs up to ten kilobytes of stack without optimization, and a thread may
  /// have no more than half a megabyte. Real expressions have less than ten levels.
  package static let maxLevels = 50

  /// A part of the tree, and how many levels it has.
  struct Part {
    enum Node {
      case value(MigrationExpression)
      case predicate(MigrationPredicate)
    }

    var node: Node
    var levels = 1
  }

  package let tokens: [ExpressionToken]
  package var position = 0
  private var depth = 0

  private init(_ text: String) throws(ExpressionError) {
    tokens = try ExpressionLexer.tokens(of: text)
  }

  /// The tree of a text that is an expression.
  package static func expression(_ text: String) throws(ExpressionError) -> MigrationExpression {
    var parser = try MigrationFormatParser(text)
    let value = try parser.value().node
    try parser.expectEnd()
    return value
  }

  /// The tree of a text that is a predicate.
  package static func predicate(_ text: String) throws(ExpressionError) -> MigrationPredicate {
    var parser = try MigrationFormatParser(text)
    let predicate = try parser.predicate().node
    try parser.expectEnd()
    return predicate
  }
}

extension MigrationExpression {
  /// The expression that a text is; unknown if it is none.
  package init(format: String) {
    do throws(ExpressionError) {
      self = try MigrationFormatParser.expression(format)
    } catch {
      self = .unknown(UnknownExpression(.invalidFormat, format))
    }
  }
}

extension MigrationPredicate {
  /// The predicate that a text is; unknown if it is none.
  package init(format: String) {
    do throws(ExpressionError) {
      self = try MigrationFormatParser.predicate(format)
    } catch {
      self = .unknown(UnknownExpression(.invalidFormat, format))
    }
  }
}

// MARK: - Tokens

extension MigrationFormatParser {
  mutating func expectText() throws(ExpressionError) -> String {
    guard case .text(let text) = token.kind else { throw unexpected() }
    advance()
    return text
  }

  mutating func expectVariable() throws(ExpressionError) -> MigrationExpression.Variable {
    guard case .variable(let name) = token.kind else { throw unexpected() }
    advance()
    return MigrationExpression.Variable(rawValue: name)
  }

}

// MARK: - Parts

extension MigrationFormatParser {
  /// A part that has to be a value, with its levels.
  mutating func value() throws(ExpressionError) -> (node: MigrationExpression, levels: Int) {
    try value(of: try anything())
  }

  /// A part that has to be a predicate, with its levels.
  mutating func predicate() throws(ExpressionError) -> (node: MigrationPredicate, levels: Int) {
    try predicate(of: try anything())
  }

  /// A predicate or a value, with whatever operators.
  mutating func anything() throws(ExpressionError) -> Part {
    guard depth < Self.maxLevels else { throw error(.tooDeep, "\(Self.maxLevels)") }
    depth += 1
    defer { depth -= 1 }
    return try part(.or)
  }

  func value(
    of part: Part
  ) throws(ExpressionError) -> (node: MigrationExpression, levels: Int) {
    guard case .value(let value) = part.node else { throw error(.valueNeeded) }
    return (value, part.levels)
  }

  func predicate(
    of part: Part
  ) throws(ExpressionError) -> (node: MigrationPredicate, levels: Int) {
    guard case .predicate(let predicate) = part.node else { throw error(.predicateNeeded) }
    return (predicate, part.levels)
  }

  /// A value over others, the highest of which has so many levels.
  func part(
    _ value: MigrationExpression, over levels: Int = 0
  ) throws(ExpressionError) -> Part {
    try checked(Part(node: .value(value), levels: levels + 1))
  }

  /// A predicate over other parts, the highest of which has so many levels.
  func part(
    _ predicate: MigrationPredicate, over levels: Int = 0
  ) throws(ExpressionError) -> Part {
    try checked(Part(node: .predicate(predicate), levels: levels + 1))
  }

  private func checked(_ part: Part) throws(ExpressionError) -> Part {
    guard part.levels <= Self.maxLevels else { throw error(.tooDeep, "\(Self.maxLevels)") }
    return part
  }

  /// Values with commas between them, in brackets.
  mutating func values(
    between opening: String, and closing: String
  ) throws(ExpressionError) -> (nodes: [MigrationExpression], levels: Int) {
    try expect(opening)
    var nodes: [MigrationExpression] = []
    var levels = 0
    if take(closing) { return (nodes, levels) }
    repeat {
      let value = try value()
      nodes.append(value.node)
      levels = max(levels, value.levels)
    } while take(",")
    try expect(closing)
    return (nodes, levels)
  }
}
