/// The start of an XML document and its encoding, as its first bytes tell them.
///
/// CoreFoundation skips white space before the XML declaration, where XML allows none.
struct XMLDocumentHead {
  /// The number of bytes before the document: white space, and a byte-order mark before it.
  private(set) var skippedBytes = 0
  /// The number of line ends among them.
  private(set) var skippedLines = 0
  /// The encoding that the XML declaration names, if it names one.
  private(set) var encoding: String?

  /// True if its code units take four bytes each.
  let isUTF32: Bool
  /// The size of a code unit, and the order of its bytes.
  let width: Int
  private let isBigEndian: Bool

  private static let longest = 1_024

  init<Document: RandomAccessCollection<UInt8>>(_ document: Document) where Document.Index == Int {
    let (width, markSize, isBigEndian) = Self.form(of: document)
    (self.width, self.isBigEndian) = (width, isBigEndian)
    let start = document.prefix(4)
    isUTF32 = [[0xFF, 0xFE, 0, 0], [0, 0, 0xFE, 0xFF], [0x3C, 0, 0, 0], [0, 0, 0, 0x3C]]
      .contains { start.elementsEqual($0) }
    var units: [UInt8] = []
    var offset = markSize
    while offset + width <= document.count, units.count < Self.longest {
      let low = document[isBigEndian ? offset + width - 1 : offset]
      let isASCII = width == 1 || document[isBigEndian ? offset : offset + 1] == 0
      units.append(isASCII ? low : 0x3F)
      offset += width
    }
    let space = units.prefix { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let rest = units[space.count...]
    guard rest.starts(with: "<?xml".utf8), rest.dropFirst(5).first.map({ $0 <= 0x20 }) == true
    else { return }
    if !space.isEmpty {
      skippedBytes = markSize + space.count * width
      skippedLines = space.count { $0 == 0x0A }
    }
    encoding = Self.encoding(in: String(decoding: rest.prefix { $0 != 0x3E }, as: UTF8.self))
  }

  /// The bytes of an ASCII character in the document.
  func codeUnit(_ character: UInt8) -> [UInt8] {
    width == 1 ? [character] : isBigEndian ? [0, character] : [character, 0]
  }

  /// The ASCII character at an offset of the document; nil for any other.
  func character<Document: RandomAccessCollection<UInt8>>(
    at offset: Int, in document: Document
  ) -> UInt8? where Document.Index == Int {
    guard width == 2 else { return document[offset] < 0x80 ? document[offset] : nil }
    guard offset + 1 < document.count else { return nil }
    let high = document[isBigEndian ? offset : offset + 1]
    let low = document[isBigEndian ? offset + 1 : offset]
    return high == 0 && low < 0x80 ? low : nil
  }

  /// True if the document is in UTF-8, as far as it says.
  var isUTF8: Bool {
    guard let encoding = encoding?.lowercased() else { return true }
    return encoding == "utf-8" || encoding == "utf8"
  }

  /// True if the document is in ASCII, by the names that libxml2 has for it.
  var isASCII: Bool {
    guard let encoding = encoding?.lowercased() else { return false }
    return encoding == "us-ascii" || encoding == "ascii"
  }

  /// True if control characters are part of the encoding: they switch between tables.
  var usesControlCharacters: Bool {
    guard let encoding = encoding?.lowercased() else { return false }
    return ["iso-2022", "iso2022", "csiso2022", "hz"].contains { encoding.hasPrefix($0) }
  }

  /// True if the encoding, other than UTF-8, has bytes for characters of any kind.
  var holdsAnyCharacter: Bool {
    guard let encoding = encoding?.lowercased() else { return false }
    return ["gb18030", "utf", "ucs", "unicode", "cesu"].contains { encoding.contains($0) }
  }

  /// The size of a code unit, that of a byte-order mark, and the order of bytes.
  private static func form<Document: RandomAccessCollection<UInt8>>(
    of document: Document
  ) -> (width: Int, markSize: Int, isBigEndian: Bool) where Document.Index == Int {
    guard document.count >= 4 else { return (1, 0, false) }
    switch (document[0], document[1], document[2]) {
    case (0xEF, 0xBB, 0xBF): return (1, 3, false)
    case (0xFF, 0xFE, _): return (2, 2, false)
    case (0xFE, 0xFF, _): return (2, 2, true)
    case (0, 1..., _): return (2, 0, true)
    case (1..., 0, _): return (2, 0, false)
    default: return (1, 0, false)
    }
  }

  /// The name in `encoding="…"`, if it is one that an encoding can have.
  private static func encoding(in declaration: String) -> String? {
    guard let range = declaration.range(of: "encoding") else { return nil }
    var rest = declaration[range.upperBound...].drop { $0.isWhitespace }
    guard rest.first == "=" else { return nil }
    rest = rest.dropFirst().drop { $0.isWhitespace }
    guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
    let name = rest.dropFirst().prefix { $0 != quote }
    let isName = name.utf8.allSatisfy {
      switch $0 {
      case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
      default: false
      }
    }
    return isName && (1...40).contains(name.utf8.count) ? String(name) : nil
  }
}
