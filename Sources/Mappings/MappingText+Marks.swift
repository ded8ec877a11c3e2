extension MappingText {
  /// The place of the character at an offset in a scalar.
  ///
  /// Nil where that is hard to tell: in texts that are folded over several lines or have an anchor.
  func mark(of offset: Int, in node: MappingNode) -> SourceMark? {
    guard case .scalar(let value, let style) = node.content, offset >= 0 else { return nil }
    let before = value.prefix(offset).unicodeScalars
    switch style {
    case .literal: return literalMark(before, node.mark)
    case .plain, .singleQuoted, .doubleQuoted:
      return lineMark(before, style, node.mark)
    case .text: return nil
    }
  }

  /// A place in a scalar on one line, which is compared with the value up to there.
  private func lineMark(
    _ before: Substring.UnicodeScalarView, _ style: MappingNode.Style, _ start: SourceMark
  ) -> SourceMark? {
    guard let line = line(start.line) else { return nil }
    var rest = line.dropFirst(start.column - 1)
    var column = start.column
    let quote: Unicode.Scalar? =
      switch style {
      case .singleQuoted: "'"
      case .doubleQuoted: "\""
      default: nil
      }
    if let quote {
      guard rest.popFirst() == quote else { return nil }
      column += 1
    }
    for scalar in before {
      guard let written = rest.popFirst() else { return nil }
      column += 1
      if written == "'", quote == "'" {
        guard rest.popFirst() == "'" else { return nil }
        column += 1
      } else if written == "\\", quote == "\"" {
        // Other escapes are longer, and nobody writes expressions with them.
        guard let escaped = rest.popFirst(), "\"\\/tn".unicodeScalars.contains(escaped) else {
          return nil
        }
        column += 1
        continue
      }
      guard written == scalar else { return nil }
    }
    return SourceMark(line: start.line, column: column)
  }

  /// A place in a text that stands line by line after a bar.
  private func literalMark(
    _ before: Substring.UnicodeScalarView, _ start: SourceMark
  ) -> SourceMark? {
    let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
    let number = start.line + lines.count
    guard let line = line(number), let last = lines.last else { return nil }
    // The first line that is not empty says how far the text is indented.
    var indented = start.line + 1
    while let line = self.line(indented), line.allSatisfy({ $0 == " " }) { indented += 1 }
    guard let indentation = self.line(indented)?.prefix(while: { $0 == " " }).count,
      line.dropFirst(indentation).starts(with: last)
    else { return nil }
    return SourceMark(line: number, column: indentation + last.count + 1)
  }

  /// A line, counted from 1 as the parser counts.
  private func line(_ number: Int) -> Substring.UnicodeScalarView? {
    let scalars = text.unicodeScalars
    var line = 1
    var start = scalars.startIndex
    var index = start
    while index < scalars.endIndex {
      let scalar = scalars[index]
      scalars.formIndex(after: &index)
      guard Self.isBreak(scalar) else { continue }
      if scalar == "\r", index < scalars.endIndex, scalars[index] == "\n" { continue }
      if line == number {
        return scalars[start..<scalars.index(before: index)].trimmingReturn
      }
      line += 1
      start = index
    }
    return line == number ? scalars[start...] : nil
  }
}

extension Substring.UnicodeScalarView {
  fileprivate var trimmingReturn: Self { last == "\r" ? dropLast() : self }
}
