extension XMLPropertyListScanner {
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

    static let key = word("<key>")
    static let keyEnd = word("</key>")
    static let emptyKey = word("<key/>")
    static let dict = word("<dict>")
    static let dictEnd = word("</dict>")
    static let emptyDict = word("<dict/>")
    static let array = word("<array>")
    static let arrayEnd = word("</array>")
    static let emptyArray = word("<array/>")
    static let string = word("<string>")
    static let stringEnd = word("</string")
    static let emptyString = word("<string/")
    static let integer = word("<integer")
    static let integerEnd = word("</intege")
    static let real = word("<real>")
    static let realEnd = word("</real>")
    static let date = word("<date>")
    static let dateEnd = word("</date>")
    static let data = word("<data>")
    static let dataEnd = word("</data>")
    static let emptyData = word("<data/>")
    static let trueValue = word("<true/>")
    static let falseValue = word("<false/>")
    static let uidKey = word("<key>CF$")
    static let uidKeyRest = word("UID</key")

    /// A word with a text of up to eight bytes, which are the lowest.
    private static func word(_ text: StaticString) -> UInt64 {
      text.withUTF8Buffer { bytes in
        unsafe bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
      }
    }
  }
}
