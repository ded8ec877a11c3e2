extension PropertyList.XMLScanner {
  /// A text between two tags.
  struct Run {
    var start: Int
    var end: Int
    /// True if the text stands for itself: with no entity and no carriage return.
    var isPlain: Bool
  }

  func bytes(_ run: Run) -> BorrowedBytes { bytes(run.start, run.end) }

  /// Reads a text, up to the tag after it; checks that it is UTF-8 and holds only characters that
  /// XML has, or that are kept.
  mutating func readText() throws(ArchiveError) -> Run {
    var run = Run(start: offset, end: offset, isPlain: true)
    while offset < end {
      let stops = Self.stops(in: word(at: offset))
      guard stops != 0 else {
        offset += 8
        continue
      }
      offset += stops.trailingZeroBitCount >> 3
      let stop = byte(at: offset)
      switch stop {
      case Tag.open:
        run.end = offset
        guard run.end - run.start <= limits.xmlBytes else { throw Self.uncertain }
        return run
      case Tag.close:
        // "]]>" ends a CDATA section, and may not stand elsewhere.
        let bracket = UInt8(ascii: "]")
        if offset - run.start >= 2, byte(at: offset - 1) == bracket, byte(at: offset - 2) == bracket
        {
          throw Self.uncertain
        }
        offset += 1
      case UInt8(ascii: "&"), 0x0D:
        run.isPlain = false
        offset += 1
      case 0x09, 0x0A: offset += 1
      case 0x80...: try skipUTF8()
      default:
        controlCharacters += 1
        offset += 1
      }
    }
    run.end = offset
    return run
  }

  /// The highest bit of each byte that needs a closer look, of those up to the first:
  /// `<`, `>`, `&`, control characters and what is not ASCII.
  private static func stops(in word: UInt64) -> UInt64 {
    // A byte is zero where one of the characters stands. `<` and `>` differ in one bit.
    let brackets = (word | 0x0202_0202_0202_0202) ^ 0x3E3E_3E3E_3E3E_3E3E
    let ampersands = word ^ 0x2626_2626_2626_2626
    let found =
      (brackets &- 0x0101_0101_0101_0101) & ~brackets
      | (ampersands &- 0x0101_0101_0101_0101) & ~ampersands
      | (word &- 0x2020_2020_2020_2020) & ~word | word
    return found & 0x8080_8080_8080_8080
  }

  /// Skips characters that are not ASCII, each of them valid UTF-8 and a character of XML.
  private mutating func skipUTF8() throws(ArchiveError) {
    while true {
      let first = byte(at: offset)
      guard first >= 0x80 else { return }
      let second = byte(at: offset + 1)
      guard second & 0xC0 == 0x80 else { throw Self.uncertain }
      if (0xC2...0xDF).contains(first) {
        offset += 2
        continue
      }
      let third = byte(at: offset + 2)
      guard third & 0xC0 == 0x80 else { throw Self.uncertain }
      if first & 0xF0 == 0xE0 {
        try check((UInt32(first) & 0xF) << 12 | UInt32(second & 0x3F) << 6 | UInt32(third & 0x3F))
        offset += 3
        continue
      }
      let fourth = byte(at: offset + 3)
      guard fourth & 0xC0 == 0x80, first & 0xF8 == 0xF0 else { throw Self.uncertain }
      let high = (UInt32(first) & 0x7) << 18 | UInt32(second & 0x3F) << 12
      guard (0x10000...0x10FFFF).contains(high) else { throw Self.uncertain }
      offset += 4
    }
  }

  /// Checks a character that takes three bytes: neither shorter in truth nor one that XML lacks.
  private mutating func check(_ scalar: UInt32) throws(ArchiveError) {
    guard scalar >= 0x800, !(0xD800...0xDFFF).contains(scalar), scalar < 0xFFFE else {
      throw Self.uncertain
    }
    if (0xFDD0...0xFDEF).contains(scalar) { holdsNoncharacters = true }
  }

  // MARK: Entities

  /// Writes a text into the buffer, with its entities and line ends replaced.
  mutating func replaceEntities(in run: Run) throws(ArchiveError) {
    try unsafe replaceEntities(in: bytes(run).buffer)
  }

  private mutating func replaceEntities<Text: RandomAccessCollection<UInt8>>(
    in text: Text
  ) throws(ArchiveError) where Text.Index == Int {
    buffer.removeAll(keepingCapacity: true)
    var offset = 0
    while offset < text.count {
      let byte = text[offset]
      if byte == UInt8(ascii: "&") {
        offset += try replaceEntity(in: text[(offset + 1)...].prefix(12)) + 1
      } else if byte == 0x0D {
        // XML knows one line end.
        offset += offset + 1 < text.count && text[offset + 1] == 0x0A ? 2 : 1
        buffer.append(0x0A)
      } else {
        buffer.append(byte)
        offset += 1
      }
    }
  }

  /// Writes what an entity stands for; returns the size of its name with the semicolon.
  private mutating func replaceEntity(
    in text: some Collection<UInt8>
  ) throws(ArchiveError) -> Int {
    for (name, character) in Self.entities where text.starts(with: name.utf8) {
      buffer.append(character)
      return name.utf8.count
    }
    guard let end = text.firstIndex(of: UInt8(ascii: ";")), text.first == UInt8(ascii: "#")
    else { throw Self.uncertain }
    var digits = text[..<end].dropFirst()
    let isHexadecimal = digits.first == UInt8(ascii: "x")
    if isHexadecimal { digits = digits.dropFirst() }
    guard let first = digits.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-"),
      let number = UInt32(
        String(decoding: digits, as: UTF8.self), radix: isHexadecimal ? 16 : 10),
      number >= 0x20 || number == 0x09 || number == 0x0A || number == 0x0D,
      number != 0xFFFE, number != 0xFFFF, let scalar = Unicode.Scalar(number)
    else { throw Self.uncertain }
    if (0xFDD0...0xFDEF).contains(number) { holdsNoncharacters = true }
    buffer.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    return text.distance(from: text.startIndex, to: end) + 1
  }

  private static let entities: [(name: String, character: UInt8)] = [
    ("amp;", UInt8(ascii: "&")), ("lt;", UInt8(ascii: "<")), ("gt;", UInt8(ascii: ">")),
    ("quot;", UInt8(ascii: "\"")), ("apos;", UInt8(ascii: "'")),
  ]
}
