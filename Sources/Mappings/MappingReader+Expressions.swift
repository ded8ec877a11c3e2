extension MappingReader {
  /// A predicate; nil if it is wrong, or the key is absent.
  mutating func filter(_ node: MappingNode?) -> Marked<FilterPredicate>? {
    guard let text = name(node, "a predicate"), let node else { return nil }
    do throws(ExpressionError) {
      return Marked(try FilterPredicate(parsing: text.value), at: node.mark)
    } catch {
      note(error, .badPredicate, node)
      return nil
    }
  }

  /// An expression; nil if it is wrong.
  mutating func expression(_ node: MappingNode) -> Marked<ValueExpression>? {
    guard let text = name(node, "an expression") else { return nil }
    do throws(ExpressionError) {
      return Marked(try ValueExpression(parsing: text.value), at: node.mark)
    } catch {
      note(error, .badExpression, node)
      return nil
    }
  }

  /// The words say the place where the mark cannot.
  private mutating func note(
    _ error: ExpressionError, _ code: MappingError.Code, _ node: MappingNode
  ) {
    let mark = isFull ? nil : source.mark(of: error.offset, in: node)
    let words = mark == nil ? error.description : error.sentence
    note(code, at: mark ?? node.mark, name: words)
  }
}
