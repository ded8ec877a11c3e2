/// Tells whether bytes are JSON, to the letter of RFC 8259, without making anything of them.
///
/// Foundation's readers take more than that: commas before a closing bracket, for instance.
struct JSONGrammar {
  /// The deepest nesting of values: as deep as SQLite's functions read them.
  static let maxLevels = 1_000

  private let bytes: [UInt8]
  private var position = 0
  /// The brackets that are open.
  private var open: [UInt8] = []

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// True if a text is one JSON value, of any kind.
  static func accepts(_ text: String) -> Bool {
    var grammar = JSONGrammar(Array(text.utf8))
    return grammar.readsAll()
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func readsAll() -> Bool {
    var needsValue = true
    while true {
      skipSpace()
      if needsValue {
        guard let isOpen = beginValue() else { return false }
        // The first element of a collection, or the end of one that is empty.
        if isOpen {
          skipSpace()
          guard closes() else {
            guard beginElement() else { return false }
            continue
          }
        }
        needsValue = false
        continue
      }
      guard !open.isEmpty else { return position == bytes.count }
      if closes() { continue }
      guard take(UInt8(ascii: ",")), beginElement() else { return false }
      needsValue = true
    }
  }

  /// Reads a plain value, or the bracket that opens a collection; nil if there is neither.
  ///
  /// - Returns: True if a collection was opened.
  private mutating func beginValue() -> Bool? {
    switch next {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard open.count < Self.maxLevels else { return nil }
      open.append(bytes[position])
      position += 1
      return true
    case UInt8(ascii: "\""): return readString() ? false : nil
    case UInt8(ascii: "t"): return read("true") ? false : nil
    case UInt8(ascii: "f"): return read("false") ? false : nil
    case UInt8(ascii: "n"): return read("null") ? false : nil
    default: return readNumber() ? false : nil
    }
  }

  /// Reads the key of a pair, where an object is open.
  private mutating func beginElement() -> Bool {
    guard open.last == UInt8(ascii: "{") else { return true }
    skipSpace()
    guard next == UInt8(ascii: "\""), readString() else { return false }
    skipSpace()
    return take(UInt8(ascii: ":"))
  }

  /// Reads the bracket that closes the collection, if it stands there.
  private mutating func closes() -> Bool {
    guard let last = open.last,
      take(last == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    else { return false }
    open.removeLast()
    return true
  }

  // MARK: Plain values

  private mutating func readString() -> Bool {
    position += 1
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return true
      case 0..<0x20: return false
      case UInt8(ascii: "\\"):
        guard let escaped = next else { return false }
        position += 1
        if escaped == UInt8(ascii: "u") {
          for _ in 0..<4 {
            guard let digit = next, Character(Unicode.Scalar(digit)).isHexDigit, digit < 0x80
            else { return false }
            position += 1
          }
        } else if !#""\/bfnrt"#.utf8.contains(escaped) {
          return false
        }
      default: break
      }
    }
    return false
  }

  private mutating func readNumber() -> Bool {
    _ = take(UInt8(ascii: "-"))
    // No zeros before other digits.
    guard take(UInt8(ascii: "0")) || readDigits() else { return false }
    if take(UInt8(ascii: ".")), !readDigits() { return false }
    guard take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) else { return true }
    _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
    return readDigits()
  }

  private mutating func readDigits() -> Bool {
    let start = position
    while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
    return position > start
  }

  private mutating func read(_ word: String) -> Bool {
    guard bytes[position...].starts(with: word.utf8) else { return false }
    position += word.utf8.count
    return true
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      position += 1
    }
  }
}
