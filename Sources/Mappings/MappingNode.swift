/// A value of a mapping file as YAML has it, with its place.
struct MappingNode: Sendable {
  /// The style of a scalar.
  enum Style: Sendable {
    /// Without quotes: its text tells what kind of value it is.
    case plain
    case singleQuoted
    case doubleQuoted
    /// Line by line, after a bar.
    case literal
    /// In any other way that makes it a text.
    case text
  }

  /// A key of a block, with its value.
  struct Pair: Sendable {
    var key: MappingNode
    var value: MappingNode
  }

  /// The kinds of value.
  enum Content: Sendable {
    case scalar(String, Style)
    case list([MappingNode])
    case block([Pair])
  }

  /// The content of the node.
  let content: Content
  /// The place where the node begins.
  let mark: SourceMark
  /// The number of values in the node, itself included and aliases written out.
  let size: Int
  /// The number of levels of the node, its own included and aliases written out.
  let depth: Int

  init(_ content: Content, at mark: SourceMark) {
    self.content = content
    self.mark = mark
    let parts: [MappingNode] =
      switch content {
      case .scalar: []
      case .list(let items): items
      case .block(let pairs): pairs.flatMap { [$0.key, $0.value] }
      }
    size = parts.reduce(1) { sum, part in
      let (sum, overflow) = sum.addingReportingOverflow(part.size)
      return overflow ? .max : sum
    }
    depth = 1 + (parts.map(\.depth).max() ?? 0)
  }

  /// The scalar's value, by the core schema of YAML 1.2; nil for lists and blocks.
  var scalar: Scalar? {
    switch content {
    case .scalar(let text, .plain): Scalar(plain: text)
    case .scalar(let text, _): .text(text)
    case .list, .block: nil
    }
  }

  /// The text of a scalar as it stands in the file, whatever kind of value it is.
  var word: String? {
    guard case .scalar(let text, _) = content else { return nil }
    return text
  }

  /// True if the node is nothing: a key without a value, or `null`.
  var isNull: Bool { scalar == .null }

  /// The kind of the node, in words.
  var kind: String {
    switch content {
    case .list(let items): items.isEmpty ? "an empty list" : "a list"
    case .block(let pairs): pairs.isEmpty ? "an empty block" : "a block"
    case .scalar: scalar?.kind ?? "?"
    }
  }
}

extension MappingNode {
  /// The value of a scalar, by the core schema of YAML 1.2.
  enum Scalar: Sendable, Equatable {
    /// Nothing.
    case null
    /// True or false.
    case boolean(Bool)
    /// A whole number.
    case integer(Int64)
    /// A real number, NaN and the infinities included.
    case real(Double)
    /// A number that neither 64 bits nor a double can hold.
    case hugeNumber
    /// Anything else.
    case text(String)

    /// The value of a scalar that is written without quotes.
    init(plain text: String) {
      switch text {
      case "", "~", "null", "Null", "NULL": self = .null
      case "true", "True", "TRUE": self = .boolean(true)
      case "false", "False", "FALSE": self = .boolean(false)
      case ".nan", ".NaN", ".NAN": self = .real(.nan)
      case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": self = .real(.infinity)
      case "-.inf", "-.Inf", "-.INF": self = .real(-.infinity)
      default: self = Self.number(text) ?? .text(text)
      }
    }

    /// The kind of the scalar, in words.
    var kind: String {
      switch self {
      case .null: "nothing"
      case .boolean: "a boolean"
      case .integer, .real, .hugeNumber: "a number"
      case .text(let text): text.isEmpty ? "an empty text" : "a text"
      }
    }

    private static func number(_ text: String) -> Scalar? {
      let bytes = Array(text.utf8)
      if bytes.starts(with: "0o".utf8) || bytes.starts(with: "0x".utf8) {
        let radix = bytes[1] == UInt8(ascii: "x") ? 16 : 8
        let digits = text.dropFirst(2)
        // Int64's own reading lets a sign stand after the prefix.
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
          return nil
        }
        if let value = Int64(digits, radix: radix) { return .integer(value) }
        let isOctal = digits.allSatisfy { "01234567".contains($0) }
        return radix == 16 || isOctal ? .hugeNumber : nil
      }
      guard let isWhole = isWholeNumber(bytes) else { return nil }
      if isWhole { return Int64(text).map { .integer($0) } ?? .hugeNumber }
      guard let value = Double(text), value.isFinite else { return .hugeNumber }
      return .real(value)
    }

    /// True if decimal digits make a whole number, false for a real one; nil for no number.
    private static func isWholeNumber(_ bytes: [UInt8]) -> Bool? {
      var rest = bytes[...]
      func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
      func isSign(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") }

      if isSign(rest.first) { rest.removeFirst() }
      let whole = rest.prefix(while: isDigit)
      rest.removeFirst(whole.count)
      guard !rest.isEmpty else { return whole.isEmpty ? nil : true }
      var digitCount = whole.count
      if rest.first == UInt8(ascii: ".") {
        rest.removeFirst()
        let fraction = rest.prefix(while: isDigit)
        digitCount += fraction.count
        rest.removeFirst(fraction.count)
      }
      guard digitCount > 0 else { return nil }
      guard let mark = rest.first else { return false }
      guard mark | 0x20 == UInt8(ascii: "e") else { return nil }
      rest.removeFirst()
      if isSign(rest.first) { rest.removeFirst() }
      return rest.isEmpty || !rest.allSatisfy(isDigit) ? nil : false
    }
  }
}
