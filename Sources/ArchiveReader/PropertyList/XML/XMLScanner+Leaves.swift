extension PropertyList.XMLScanner {
  // MARK: Keys and texts

  mutating func readKey() throws(ArchiveError) {
    offset += 5
    let run = try readText()
    guard word(at: offset) & Tag.six == Tag.keyEnd else { throw Self.uncertain }
    offset += 6
    if run.isPlain { return try add(key: bytes(run)) }
    try replaceEntities(in: run)
    let text = buffer
    try text.withBorrowedBytes { (text) throws(ArchiveError) in try add(key: text) }
  }

  mutating func readString() throws(ArchiveError) {
    offset += 8
    let run = try readText()
    guard word(at: offset) == Tag.stringEnd, byte(at: offset + 8) == Tag.close,
      assembler.takesValue
    else { throw Self.uncertain }
    offset += 9
    if run.isPlain { return try assembler.add(text: bytes(run), inFileAt: run.start) }
    try replaceEntities(in: run)
    let text = buffer
    try text.withBorrowedBytes { (text) throws(ArchiveError) in try assembler.add(text: text) }
  }

  // MARK: Numbers, dates and data

  mutating func readInteger() throws(ArchiveError) {
    guard assembler.takesValue else { throw Self.uncertain }
    offset += 9
    let first = offset
    if let value = readDigits() { return try assembler.add(value) }
    offset = first
    let text = try readPlainText()
    guard word(at: offset) == Tag.integerEnd, byte(at: offset + 8) == UInt8(ascii: "r"),
      byte(at: offset + 9) == Tag.close
    else { throw Self.uncertain }
    offset += 10
    try unsafe assembler.add(wide: try PropertyList.Assembler.Number.integer(text.buffer))
  }

  /// Reads up to eighteen digits and the end of their element; nil if there is something else.
  mutating func readDigits() -> Int64? {
    let first = offset
    var value: Int64 = 0
    while true {
      let digit = byte(at: offset) &- 0x30
      guard digit < 10 else { break }
      guard offset - first < 18 else { return nil }
      value = 10 &* value &+ Int64(digit)
      offset += 1
    }
    guard offset > first, word(at: offset) == Tag.integerEnd,
      byte(at: offset + 8) == UInt8(ascii: "r"), byte(at: offset + 9) == Tag.close
    else { return nil }
    offset += 10
    return value
  }

  mutating func readReal() throws(ArchiveError) {
    let text = try readLeaf(endedBy: Tag.realEnd)
    try unsafe assembler.add(try PropertyList.Assembler.Number.real(text.buffer))
  }

  mutating func readDate() throws(ArchiveError) {
    let text = try readLeaf(endedBy: Tag.dateEnd)
    try unsafe assembler.add(date: try PropertyList.Assembler.Number.date(text.buffer))
  }

  mutating func readData() throws(ArchiveError) {
    try assembler.add(base64: try readLeaf(endedBy: Tag.dataEnd))
  }

  /// Reads a whole element whose name has four letters; returns its text.
  private mutating func readLeaf(
    endedBy tag: UInt64
  ) throws(ArchiveError) -> BorrowedBytes {
    offset += 6
    let text = try readPlainText()
    guard word(at: offset) & Tag.seven == tag, assembler.takesValue else { throw Self.uncertain }
    offset += 7
    return text
  }

  /// Reads a text with no entity and nothing but printable ASCII and white space.
  private mutating func readPlainText() throws(ArchiveError) -> BorrowedBytes {
    let first = offset
    while offset < end {
      let byte = byte(at: offset)
      if byte == Tag.open { break }
      guard (0x20...0x7E).contains(byte) || byte == 0x0A || byte == 0x09 || byte == 0x0D,
        byte != UInt8(ascii: "&"), byte != Tag.close
      else { throw Self.uncertain }
      offset += 1
    }
    guard offset - first <= limits.xmlBytes else { throw Self.uncertain }
    return bytes(first, offset)
  }
}

extension PropertyList.XMLScanner {
  /// Skips white space, up to a `<`.
  mutating func skipSpace() throws(ArchiveError) {
    // Archivers begin a line and indent it with tabs.
    if byte(at: offset) == 0x0A {
      let tabs = word(at: offset + 1) ^ 0x0909_0909_0909_0909
      offset += 1 + tabs.trailingZeroBitCount >> 3
    }
    while offset < end {
      switch byte(at: offset) {
      case Tag.open: return
      case 0x20, 0x09, 0x0A, 0x0D: offset += 1
      default: throw Self.uncertain
      }
    }
  }

  /// Tags and parts of them, as words.
  enum Tag {
    static let open = UInt8(ascii: "<")
    static let close = UInt8(ascii: ">")

    // As many bytes of a word.
    static let five: UInt64 = 0xFF_FFFF_FFFF
    static let six: UInt64 = 0xFFFF_FFFF_FFFF
    static let seven: UInt64 = 0xFF_FFFF_FFFF_FFFF

    static var key: UInt64 { word("<key>") }
    static var keyEnd: UInt64 { word("</key>") }
    static var emptyKey: UInt64 { word("<key/>") }
    static var dict: UInt64 { word("<dict>") }
    static var dictEnd: UInt64 { word("</dict>") }
    static var emptyDict: UInt64 { word("<dict/>") }
    static var array: UInt64 { word("<array>") }
    static var arrayEnd: UInt64 { word("</array>") }
    static var emptyArray: UInt64 { word("<array/>") }
    static var string: UInt64 { word("<string>") }
    static var stringEnd: UInt64 { word("</string") }
    static var emptyString: UInt64 { word("<string/") }
    static var integer: UInt64 { word("<integer") }
    static var integerEnd: UInt64 { word("</intege") }
    static var real: UInt64 { word("<real>") }
    static var realEnd: UInt64 { word("</real>") }
    static var date: UInt64 { word("<date>") }
    static var dateEnd: UInt64 { word("</date>") }
    static var data: UInt64 { word("<data>") }
    static var dataEnd: UInt64 { word("</data>") }
    static var emptyData: UInt64 { word("<data/>") }
    static var trueValue: UInt64 { word("<true/>") }
    static var falseValue: UInt64 { word("<false/>") }
    static var uidKey: UInt64 { word("<key>CF$") }
    static var uidKeyRest: UInt64 { word("UID</key") }

    /// A word with a text of up to eight bytes, which are the lowest.
    ///
    /// The compiler makes a number of it.
    @inline(__always)
    private static func word(_ text: StaticString) -> UInt64 {
      var word: UInt64 = 0
      for index in 0..<text.utf8CodeUnitCount {
        word |= unsafe UInt64(text.utf8Start[index]) << (8 * UInt64(index))
      }
      return word
    }
  }
}
