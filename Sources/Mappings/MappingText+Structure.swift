extension MappingText {
  /// An estimate from above of what a YAML parser will make of a text.
  ///
  /// It tells quotes and comments from the rest only as far as it must, and is never too low. The
  /// parser hashes keys with all that is inside of them, on each level again if keys stand in keys;
  /// a mapping file has few lists and blocks that could be keys, and as a rule none.
  struct Structure {
    /// The number of values.
    private(set) var values = 1
    /// The number of lists and blocks that may be keys.
    private(set) var keys = 0

    // The last byte, the last that is no blank, and the last that is no break either.
    private var last = UInt8(ascii: "\n")
    private var solid = UInt8(ascii: "\n")
    private var visible = UInt8(ascii: "\n")
    /// Whether the last word has an exclamation mark: a tag may end in a colon.
    private var mayBeTag = false
    /// The brackets that are open, and whether each surely opens a list.
    ///
    /// They are forgotten at quotes, comments, tags and breaks. Up to there, if one is a bracket in
    /// truth, so are all after it; and if it is part of a text or a comment, so are all after it.
    private var brackets: [Bool] = []

    init(_ text: String) {
      for byte in text.utf8 {
        take(byte)
        last = byte
        guard byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") else { continue }
        solid = byte
        if byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") { visible = byte }
      }
    }

    private mutating func take(_ byte: UInt8) {
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"): open(byte)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = brackets.popLast()
      case UInt8(ascii: ","): values += 1
      case UInt8(ascii: ":"):
        values += 1
        if visible == UInt8(ascii: "]") || visible == UInt8(ascii: "}") { keys += 1 }
      case UInt8(ascii: "-"):
        if last != UInt8(ascii: "-") { values += 1 }
      case UInt8(ascii: "?"):
        values += 1
        keys += 1
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        values += 1
        mayBeTag = false
        brackets = []
      case UInt8(ascii: "!"):
        mayBeTag = true
        brackets = []
        return
      // What is not ASCII may be a break.
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "#"), 0x80...: brackets = []
      case UInt8(ascii: " "), UInt8(ascii: "\t"): return
      default: break
      }
      // A new word begins.
      if last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") { mayBeTag = false }
    }

    private mutating func open(_ byte: UInt8) {
      values += 1
      let isBehindBlank = last == UInt8(ascii: " ") || last == UInt8(ascii: "\t")
      let isInList = brackets.last == true
      let isFirst = solid == UInt8(ascii: "[") || (solid == UInt8(ascii: "-") && isBehindBlank)
      let isNext = solid == UInt8(ascii: ",") && isInList
      let isValue = solid == UInt8(ascii: ":") && !mayBeTag
      if !isFirst, !isNext, !isValue { keys += 1 }
      // A tag may hold brackets, but no blanks.
      let isKnown = isBehindBlank || (last == UInt8(ascii: "[") && isInList)
      brackets.append(byte == UInt8(ascii: "[") && isKnown)
      mayBeTag = false
    }
  }
}
