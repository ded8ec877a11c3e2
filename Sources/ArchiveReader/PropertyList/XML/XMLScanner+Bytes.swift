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
