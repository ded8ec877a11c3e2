import ArchiveReader
import Foundation
import Support

/// The text of a mapping file, checked so far that a YAML parser can be let loose on it.
package struct MappingText {
  /// Limits that no mapping file of use comes near.
  enum Limit {
    /// The greatest size of a file, in bytes.
    static let size = 16 << 20
    /// The greatest number of values, with aliases written out.
    static let values = 1_000_000
    /// The greatest depth of lists and blocks.
    static let depth = 64
  }

  let path: String
  /// The text, without a byte order mark.
  let text: String
  /// The place where the text ends.
  let end: SourceMark

  /// Reads a file.
  init(contentsOf path: String) throws(MappingError) {
    try self.init(Self.contents(of: path), path: path)
  }

  /// The text of a file, as it stands there.
  package static func contents(of path: String) throws(MappingError) -> String {
    let file: ByteStorage
    do throws(ArchiveError) {
      file = try ByteStorage(contentsOf: path)
    } catch {
      guard error.code == .empty else {
        throw MappingError(
          path: path, MappingError.Problem(.unreadable, name: error.name ?? "\(error)"))
      }
      return ""
    }
    guard file.count <= Limit.size else { throw tooLarge(path) }
    if let kind = otherKind(file.head) {
      throw MappingError(path: path, MappingError.Problem(.notAMapping, name: kind))
    }
    let bytes = file.data
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let mark = firstInvalidMark(bytes)
      throw MappingError(
        path: path, MappingError.Problem(.malformedYAML, at: mark, name: "the text is not UTF-8"))
    }
    return text
  }

  /// Checks a text.
  init(_ text: String, path: String) throws(MappingError) {
    guard text.utf8.count <= Limit.size else { throw Self.tooLarge(path) }
    var scalars = text.unicodeScalars[...]
    if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
    self.path = path
    self.text = String(scalars)
    end = try Self.checkCharacters(self.text, path)
    guard mostValues <= Limit.values else {
      throw MappingError(path: path, MappingError.Problem(.tooMany, name: "\(Limit.values)"))
    }
  }

  /// An estimate from above of the number of values, before the parser makes all of them.
  private var mostValues: Int {
    let marks = Set("[{,:-?\n\r".utf8)
    return 1 + text.utf8.count(where: marks.contains)
  }

  /// The kind of a file that nobody could take for YAML; nil for any other.
  private static func otherKind(_ head: FileHead) -> String? {
    switch FileKind(head) {
    case .binaryPropertyList: "a binary property list"
    case .typedStream: "a typedstream"
    case .nib: "a compiled nib"
    case .xml: FileKind.isPropertyList(head) ? "an XML property list" : "XML"
    case .other: nil
    }
  }

  /// The character at a place; nil after the end of its line.
  func character(at mark: SourceMark) -> Unicode.Scalar? {
    var line = 1
    var column = 1
    for scalar in text.unicodeScalars {
      if line == mark.line, column == mark.column { return scalar }
      if scalar == "\n" {
        line += 1
        column = 1
      } else {
        column += 1
      }
      if line > mark.line { return nil }
    }
    return nil
  }

  /// Looks for characters that YAML does not allow; returns the end of the text.
  private static func checkCharacters(
    _ text: String, _ path: String
  ) throws(MappingError) -> SourceMark {
    var mark = SourceMark(line: 1, column: 1)
    var isAfterReturn = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n" where isAfterReturn: break
      case _ where isBreak(scalar): mark = SourceMark(line: mark.line + 1, column: 1)
      case "\t", " "..."~", "\u{A0}"..."\u{FEFE}", "\u{FF00}"..."\u{FFFD}", "\u{10000}"...:
        mark.column += 1
      default:
        let code = String(scalar.value, radix: 16, uppercase: true)
        let zeros = String(repeating: "0", count: max(0, 4 - code.count))
        throw MappingError(
          path: path,
          MappingError.Problem(
            .malformedYAML, at: mark, name: "the character U+\(zeros)\(code) is not allowed"))
      }
      isAfterReturn = scalar == "\r"
    }
    return mark
  }

  /// True if a character ends a line, as the parser counts them.
  static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }

  private static func tooLarge(_ path: String) -> MappingError {
    MappingError(path: path, MappingError.Problem(.tooLarge, name: "\(Limit.size)"))
  }

  /// The place of the first byte that is not part of a UTF-8 character.
  private static func firstInvalidMark(_ bytes: Data) -> SourceMark {
    let repaired = String(decoding: bytes, as: UTF8.self)
    let sound = zip(repaired.utf8, bytes).prefix { $0 == $1 }.count
    let text = String(decoding: bytes.prefix(sound), as: UTF8.self)
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    return SourceMark(line: lines.count, column: (lines.last?.count ?? 0) + 1)
  }
}

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
