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
