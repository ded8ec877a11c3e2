import DataModel

/// Cuts the text of an expression into tokens.
struct ExpressionLexer {
  /// The longest text, in bytes.
  static let maxBytes = 65_536

  private let scalars: [Unicode.Scalar]
  private var position = 0

  private init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// The tokens of a text, with one that marks the end.
  ///
  /// Errors thrown here count their positions in scalars: see `ExpressionError.counted(in:)`.
  static func tokens(of text: String) throws(ExpressionError) -> [ExpressionToken] {
    guard text.utf8.count <= maxBytes else {
      throw ExpressionError(.tooLong, offset: 0, name: "\(maxBytes)")
    }
    var lexer = ExpressionLexer(text)
    var tokens: [ExpressionToken] = []
    repeat {
      lexer.skip { $0.properties.isWhitespace }
      let start = lexer.position
      let kind = try lexer.nextKind()
      tokens.append(ExpressionToken(kind: kind, range: start..<lexer.position))
    } while tokens.last?.kind != .end
    return tokens
  }

  // The longer ones first.
  private static let symbols = [
    "**", "==", "=<", "=>", "<=", "<>", "!=", ">=", "&&", "||", "=", "<", ">", "!", "+", "-", "*",
    "/", "(", ")", "{", "}", "[", "]", ",", ".",
  ].map { (text: $0, scalars: Array($0.unicodeScalars)) }

  // What Foundation's parser knows besides.
  private static let unsupported = [":=", "<<", ">>", "&", "|", "^", "~"].map {
    (text: $0, scalars: Array($0.unicodeScalars))
  }

  private mutating func nextKind() throws(ExpressionError) -> ExpressionToken.Kind {
    guard let scalar = peek() else { return .end }
    if Self.isLetter(scalar) { return .word(selector()) }
    if Self.isDigit(scalar) { return .number(try number()) }
    let next = peek(1)
    switch scalar {
    case "'", "\"": return .text(try text(quote: scalar))
    case "#", "$", "@":
      guard let next, Self.isLetter(next) else { break }
      position += 1
      switch scalar {
      case "#": return .escapedWord(word())
      case "$": return .variable(word())
      default: return .collectionOperator(word())
      }
    case "%":
      let name = "%" + (next.map { String($0) } ?? "")
      throw ExpressionError(.placeholder, offset: position, name: name)
    default: break
    }
    if let unsupported = Self.unsupported.first(where: { stands($0.scalars) }),
      !stands(["&", "&"]), !stands(["|", "|"])
    {
      throw ExpressionError(.unsupported, offset: position, name: unsupported.text)
    }
    guard let symbol = Self.symbols.first(where: { stands($0.scalars) }) else {
      throw ExpressionError(.unexpectedCharacter, offset: position, name: Self.shown([scalar]))
    }
    position += symbol.scalars.count
    return .symbol(symbol.text)
  }

  private mutating func word() -> String {
    let start = position
    skip(Self.isWordPart)
    return Self.string(scalars[start..<position])
  }

  /// A word with colons in and after it, as the names of functions have them.
  private mutating func selector() -> String {
    var name = word()
    while peek() == ":", peek(1) != "=" {
      position += 1
      name += ":"
      if let next = peek(), Self.isLetter(next) { name += word() }
    }
    return name
  }

  private mutating func number() throws(ExpressionError) -> ImportValue {
    let start = position
    if peek() == "0", let next = peek(1), let radix = Self.radix(next) {
      position += 2
      skip(Self.isWordPart)
      let digits = Self.string(scalars[start + 2..<position])
      guard let value = Int64(digits, radix: radix) else {
        throw badNumber(from: start)
      }
      return .integer(value)
    }
    skip(Self.isDigit)
    var isWhole = true
    if peek() == ".", let next = peek(1), Self.isDigit(next) {
      isWhole = false
      position += 1
      skip(Self.isDigit)
    }
    if peek() == "e" || peek() == "E" {
      isWhole = false
      position += 1
      if peek() == "+" || peek() == "-" { position += 1 }
      skip(Self.isDigit)
    }
    let text = Self.string(scalars[start..<position])
    guard !(peek().map(Self.isWordPart) ?? false), let real = Double(text), real.isFinite else {
      throw badNumber(from: start)
    }
    guard isWhole else { return .real(real) }
    return ExactNumber(text: text)?.integerOrDecimal ?? .real(real)
  }

  private static func radix(_ letter: Unicode.Scalar) -> Int? {
    switch letter {
    case "x", "X": 16
    case "o", "O": 8
    case "b", "B": 2
    default: nil
    }
  }

  private mutating func badNumber(from start: Int) -> ExpressionError {
    skip(Self.isWordPart)
    return ExpressionError(.badNumber, offset: start, name: Self.shown(scalars[start..<position]))
  }
}

// MARK: - Texts

extension ExpressionLexer {
  private mutating func text(quote: Unicode.Scalar) throws(ExpressionError) -> String {
    let start = position
    position += 1
    var text = String.UnicodeScalarView()
    while let scalar = peek() {
      if scalar == quote {
        position += 1
        return String(text)
      }
      if scalar == "\\" {
        text.append(try escape())
      } else {
        text.append(scalar)
        position += 1
      }
    }
    throw ExpressionError(.unterminatedText, offset: start, name: String(quote))
  }

  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
    "\\": "\\", "'": "'", "\"": "\"", "n": "\n", "r": "\r", "t": "\t", "b": "\u{8}", "f": "\u{C}",
    "v": "\u{B}", "a": "\u{7}", "0": "\0",
  ]

  private mutating func escape() throws(ExpressionError) -> Unicode.Scalar {
    let start = position
    let isCodeUnit = peek(1) == "u"
    if isCodeUnit {
      if let unit = codeUnit(at: start + 2) {
        position += 6
        if let scalar = Unicode.Scalar(unit) { return scalar }
        // The first half of a pair of surrogates.
        if unit < 0xDC00, stands(["\\", "u"]), let low = codeUnit(at: position + 2),
          (0xDC00...0xDFFF).contains(low),
          let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        {
          position += 6
          return scalar
        }
      }
    } else if let scalar = peek(1).flatMap({ Self.escapes[$0] }) {
      position += 2
      return scalar
    }
    let shown = scalars[start..<min(start + (isCodeUnit ? 6 : 2), scalars.count)]
    throw ExpressionError(.badEscape, offset: start, name: Self.shown(shown))
  }

  private func codeUnit(at start: Int) -> UInt32? {
    guard start + 4 <= scalars.count else { return nil }
    let digits = scalars[start..<start + 4]
    guard digits.allSatisfy({ $0.properties.isASCIIHexDigit }) else { return nil }
    return UInt32(Self.string(digits), radix: 16)
  }
}

// MARK: - Scalars

extension ExpressionLexer {
  private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    position + distance < scalars.count ? scalars[position + distance] : nil
  }

  private func stands(_ symbol: [Unicode.Scalar]) -> Bool {
    scalars[position...].starts(with: symbol)
  }

  private mutating func skip(_ isSkipped: (Unicode.Scalar) -> Bool) {
    while let scalar = peek(), isSkipped(scalar) { position += 1 }
  }

  /// True if a word can begin with the character.
  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isIDStart
  }

  /// True if the character can stand in a word.
  private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isIDContinue
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    ("0"..."9").contains(scalar)
  }

  private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  /// A piece of the text for a message: short, and without control characters.
  static func shown(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    scalars.prefix(40).map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
        "U+" + String(scalar.value, radix: 16, uppercase: true)
      default: String(scalar)
      }
    }.joined()
  }
}

extension ExpressionError {
  /// The same error, its position counted in characters rather than in scalars.
  func counted(in text: String) -> ExpressionError {
    var error = self
    error.offset = String(text.unicodeScalars.prefix(offset)).count
    return error
  }
}
