import Foundation
internal import Yams

import enum ArchiveReader.ArchivedName

extension MappingReader {
  /// The YAML document in a mapping file.
  ///
  /// The parser never sees an alias: of a key, it would hash all that stands after aliases again
  /// and again. Asterisks are put aside before, and aliases are followed here, where growth is
  /// noticed.
  struct Document {
    /// The root of the document; nil if there is nothing but comments.
    private(set) var root: MappingNode?

    private let path: String
    /// The placeholder for asterisks during parsing: a character that does not occur in the text.
    private let asterisk: Unicode.Scalar?
    /// The placeholders for byte order marks, likewise: the parser drops one that a scalar begins
    /// with.
    private let marks: [Placeholder]
    /// True if characters beyond ASCII are written byte by byte: see `compose`.
    private let isSpelledOut: Bool
    private var anchors: [String: MappingNode] = [:]

    init(_ source: MappingText) throws(MappingError) {
      path = source.path
      var text = source.text
      let hasAsterisk = text.utf8.contains(UInt8(ascii: "*"))
      let asterisk = hasAsterisk ? try Self.freeScalar(in: source) : nil
      if let asterisk { text = Self.replacing("*", with: asterisk, in: text) }
      self.asterisk = asterisk
      marks = try Self.marks(in: source, except: asterisk)
      for mark in marks { text = mark.placed(in: text) }
      // The parser keeps a pointer to the text, and a short string has no lasting place in memory.
      if text.utf8.count < 16 { text += String(repeating: "\n", count: 16) }

      let parser: Parser
      let tree: Node?
      do {
        (parser, tree, isSpelledOut) = try Self.compose(text)
      } catch {
        throw MappingError(
          path: source.path, Self.problem(error, source, asterisk: asterisk, marks))
      }
      guard let tree else { return }
      // Nodes know their anchors as long as the parser lives.
      defer { withExtendedLifetime(parser) {} }
      root = try node(tree, depth: 1)
    }

    /// Parses a text.
    ///
    /// To the parser, keys that look the same are equal. Where it says so, it gets a text in which
    /// what could be written otherwise stands byte by byte.
    private static func compose(_ text: String) throws -> (Parser, Node?, isSpelledOut: Bool) {
      func parse(_ text: String) throws -> (Parser, Node?) {
        let parser = try Parser(yaml: text, resolver: resolver, encoding: .utf8)
        return (parser, try parser.singleRoot())
      }
      do {
        let (parser, tree) = try parse(text)
        return (parser, tree, false)
      } catch let error as YamlError {
        guard case .duplicatedKeysInMapping = error,
          let (parser, tree) = try? parse(ArchivedName.text(text))
        else { throw error }
        return (parser, tree, true)
      }
    }

    // MARK: Nodes

    private mutating func node(_ node: Node, depth: Int) throws(MappingError) -> MappingNode {
      let mark = SourceMark(line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
      let result: MappingNode
      guard depth <= MappingText.Limit.depth else { throw tooDeep(mark) }
      switch node {
      case .scalar(let scalar):
        result = try self.scalar(scalar, mark)
      case .sequence(let sequence):
        try checkTag(sequence.tag, .seq, mark)
        var items: [MappingNode] = []
        for item in sequence { items.append(try self.node(item, depth: depth + 1)) }
        result = MappingNode(.list(items), at: mark)
      case .mapping(let mapping):
        try checkTag(mapping.tag, .map, mark)
        var pairs: [MappingNode.Pair] = []
        for (key, value) in mapping {
          let key = try self.node(key, depth: depth + 1)
          pairs.append(MappingNode.Pair(key: key, value: try self.node(value, depth: depth + 1)))
        }
        result = MappingNode(.block(pairs), at: mark)
      case .alias(let alias):
        // Only trees that programs build have them.
        throw problem(.unknownAlias, mark, alias.anchor.rawValue)
      }
      guard result.size <= MappingText.Limit.values else {
        throw problem(.tooMany, mark, "\(MappingText.Limit.values)")
      }
      guard depth - 1 + result.depth <= MappingText.Limit.depth else { throw tooDeep(mark) }
      if let anchor = node.anchor { anchors[ArchivedName.plain(anchor.rawValue)] = result }
      return result
    }

    /// A scalar, or what the alias stands for that it is.
    private func scalar(_ scalar: Node.Scalar, _ mark: SourceMark) throws(MappingError)
      -> MappingNode
    {
      var text = isSpelledOut ? ArchivedName.plain(scalar.string) : scalar.string
      if let asterisk {
        if scalar.style == .plain, text.unicodeScalars.first == asterisk {
          let name = Self.replacing(
            asterisk, with: "*", in: String(text.unicodeScalars.dropFirst()))
          guard let node = anchors[name] else { throw problem(.unknownAlias, mark, name) }
          return node
        }
        text = Self.replacing(asterisk, with: "*", in: text)
      }
      for mark in marks { text = mark.removed(from: text) }
      let style: MappingNode.Style =
        switch scalar.style {
        case .singleQuoted: .singleQuoted
        case .doubleQuoted: .doubleQuoted
        case .literal: .literal
        case .plain where try isPlain(scalar.tag, mark): .plain
        case .any, .plain, .folded: .text
        }
      if style != .plain { try checkTag(scalar.tag, .str, mark) }
      return MappingNode(.scalar(text, style), at: mark)
    }

    // MARK: Tags

    /// The parser's tag for a scalar that has neither quotes nor a tag.
    private static let plainTag = Tag.Name(rawValue: "plain")

    /// To the parser, 1 and "1" are two keys; further differences do not matter to it.
    private static let resolver = (try? Resolver.basic.appending(plainTag, "^")) ?? .basic

    private func isPlain(_ tag: Tag, _ mark: SourceMark) throws(MappingError) -> Bool {
      if [Tag.Name.implicit, Self.plainTag].contains(where: { $0.rawValue == tag.rawValue }) {
        return true
      }
      try checkTag(tag, .str, mark)
      return false
    }

    /// A tag may say what is there anyway; others mean nothing in a mapping file.
    private func checkTag(
      _ tag: Tag, _ expected: Tag.Name, _ mark: SourceMark
    ) throws(MappingError) {
      let known = [Tag.Name.implicit, .nonSpecific, Self.plainTag, expected]
      if known.contains(where: { $0.rawValue == tag.rawValue }) { return }
      let prefix = "tag:yaml.org,2002:"
      let name = tag.rawValue
      let short = name.hasPrefix(prefix) ? "!!\(name.dropFirst(prefix.count))" : name
      throw problem(.unknownTag, mark, short)
    }

    // MARK: Placeholders

    /// A stand-in for a part of the text during parsing, as long as that.
    private struct Placeholder {
      let original: String
      let text: String

      func placed(in text: String) -> String { Self.replacing(original, self.text, in: text) }

      func removed(from text: String) -> String { Self.replacing(self.text, original, in: text) }

      private static func replacing(_ part: String, _ other: String, in text: String) -> String {
        String(text.unicodeScalars.replacing(part.unicodeScalars, with: other.unicodeScalars))
      }
    }

    /// The placeholders for byte order marks in a text, which stand there as escape sequences.
    ///
    /// An escape sequence may turn out to be none: then it is put back as it was.
    private static func marks(
      in source: MappingText, except other: Unicode.Scalar?
    ) throws(MappingError) -> [Placeholder] {
      let scalars = source.text.unicodeScalars
      let escapes = ["\\uFEFF", "\\ufeff", "\\U0000FEFF", "\\U0000feff"].filter {
        scalars.contains($0.unicodeScalars)
      }
      guard !escapes.isEmpty else { return [] }
      let free = try freeScalar(in: source, except: other)
      let digits = String(free.value, radix: 16)
      return [Placeholder(original: "\u{FEFF}", text: String(free))]
        + escapes.map { escape in
          let own = escape.hasSuffix("feff") ? digits : digits.uppercased()
          return Placeholder(original: escape, text: "\(escape.dropLast(digits.count))\(own)")
        }
    }

    /// A character for private use that is not in the text.
    private static func freeScalar(
      in source: MappingText, except other: Unicode.Scalar? = nil
    ) throws(MappingError) -> Unicode.Scalar {
      let privateUse: ClosedRange<Unicode.Scalar> = "\u{E000}"..."\u{F8FF}"
      let used = Set(source.text.unicodeScalars.lazy.filter(privateUse.contains).map(\.value))
      // An escape sequence can stand for a character too.
      let escapes = source.text.uppercased()
      let hasEscapes = escapes.contains("\\U")
      for value in privateUse.lowerBound.value...privateUse.upperBound.value
      where !used.contains(value) && value != other?.value
        && !(hasEscapes && escapes.contains(String(value, radix: 16, uppercase: true)))
      {
        if let scalar = Unicode.Scalar(value) { return scalar }
      }
      throw MappingError(
        path: source.path,
        MappingError.Problem(.malformedYAML, name: "too many private-use characters"))
    }

    private static func replacing(
      _ scalar: Unicode.Scalar, with other: Unicode.Scalar, in text: String
    ) -> String {
      guard text.unicodeScalars.contains(scalar) else { return text }
      var result = String.UnicodeScalarView()
      for one in text.unicodeScalars { result.append(one == scalar ? other : one) }
      return String(result)
    }

    // MARK: Errors

    private func problem(
      _ code: MappingError.Code, _ mark: SourceMark, _ name: String
    ) -> MappingError {
      MappingError(path: path, MappingError.Problem(code, at: mark, name: name))
    }

    private func tooDeep(_ mark: SourceMark) -> MappingError {
      problem(.tooDeep, mark, "\(MappingText.Limit.depth)")
    }

    /// The message for a character that nothing begins with; nil for other messages of the parser.
    private static func wordsForToken(
      _ words: String, _ source: MappingText, _ mark: SourceMark
    ) -> String? {
      guard words.hasPrefix("found character that cannot start any token"),
        let character = source.character(at: mark)
      else { return nil }
      switch character {
      case "\t": return "found a tab: YAML is indented with spaces"
      case "@", "`", "%":
        return "a name or text that begins with '\(character)' needs quotes"
      default: return nil
      }
    }

    /// The parser's error; its words hold nothing of the text, apart from keys that stand twice.
    private static func problem(
      _ error: any Error, _ source: MappingText, asterisk: Unicode.Scalar?, _ marks: [Placeholder]
    ) -> MappingError.Problem {
      func located(_ words: String, _ mark: Mark) -> MappingError.Problem {
        var mark = SourceMark(line: mark.line, column: mark.column)
        // A short text was made longer.
        if (mark.line, mark.column) > (source.end.line, source.end.column) { mark = source.end }
        return words.hasPrefix("Maximum nesting level")
          ? MappingError.Problem(.tooDeep, at: mark, name: "\(MappingText.Limit.depth)")
          : MappingError.Problem(
            .malformedYAML, at: mark, name: wordsForToken(words, source, mark) ?? words)
      }
      switch error as? YamlError {
      case .scanner(let context, let words, let mark, _),
        .parser(let context, let words, let mark, _):
        return located([words, context?.text].compactMap { $0 }.joined(separator: " "), mark)
      case .composer(let context, let words, let mark, _):
        return located([context?.text, words].compactMap { $0 }.joined(separator: ", "), mark)
      case .duplicatedKeysInMapping(let keys, let context):
        let key = marks.reduce(keys.first ?? "?") { $1.removed(from: $0) }
        return MappingError.Problem(
          .duplicateKey, at: SourceMark(line: context.mark.line, column: context.mark.column),
          name: asterisk.map { replacing($0, with: "*", in: key) } ?? key, expected: "a block")
      case .reader(let words, _, _, _):
        return MappingError.Problem(.malformedYAML, name: words)
      case .memory:
        return MappingError.Problem(.malformedYAML, name: "out of memory")
      default:
        return MappingError.Problem(.malformedYAML, name: "the text cannot be parsed")
      }
    }
  }
}
