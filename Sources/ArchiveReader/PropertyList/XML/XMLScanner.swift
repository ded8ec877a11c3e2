extension PropertyList {
  /// Reads XML property lists as archivers write them, straight from the bytes of the file.
  ///
  /// It knows UTF-8, the elements of a property list with no attributes but the version, character
  /// references and the five predefined entities. Whatever else there is — comments, CDATA, other
  /// encodings, and everything that is wrong — it is not certain of: then libxml2 reads the
  /// document, from its start. So no error and no position is ever told by this reader, and what it
  /// takes, libxml2 takes with the same result: `XMLPropertyListReadersTests` and the fuzz target
  /// `XML` compare the two.
  ///
  /// Places are checked once: the last `<` of the document begins `</plist>`, of eight bytes. So
  /// eight bytes can be read at every offset up to there, and every search for a `<` ends.
  @safe struct XMLScanner: ~Copyable {
    /// The address of the first byte; offsets are counted from here.
    private let start: UnsafeRawPointer
    /// The offset of the last `</plist>`.
    let end: Int
    let limits: ReadingLimits
    var offset: Int
    var assembler: Assembler
    /// The number of characters in texts that XML forbids, and that are kept all the same.
    var controlCharacters = 0
    /// True if a text holds one of the noncharacters that `XMLForbiddenCharacters` uses.
    var holdsNoncharacters = false
    /// A text whose entities are replaced.
    var buffer: [UInt8] = []

    private init(
      _ start: UnsafeRawPointer, _ content: (start: Int, end: Int), _ limits: ReadingLimits
    ) throws(ArchiveError) {
      unsafe self.start = start
      (offset, end) = content
      self.limits = limits
      assembler = try Assembler(limits: limits)
    }

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - document: The bytes.
    ///   - limits: The limits of the reader.
    /// - Returns: The table of its values; nil if libxml2 has to read it.
    static func read(
      _ document: UnsafeRawBufferPointer, limits: ReadingLimits
    ) -> Assembler.Result? {
      guard let start = document.baseAddress, let content = unsafe Frame.content(of: document),
        var scanner = try? unsafe Self(start, content, limits),
        (try? scanner.readElements()) != nil
      else { return nil }
      return try? unsafe scanner.finish(document)
    }

    /// The table, after the document has ended.
    private mutating func finish(
      _ document: UnsafeRawBufferPointer
    ) throws(ArchiveError) -> Assembler.Result {
      // libxml2 gets these characters as others, of which the document may leave none.
      guard assembler.isAtTop, controlCharacters == 0 || !holdsNoncharacters else {
        throw Self.uncertain
      }
      let (storage, table, top) = try unsafe assembler.finish(BorrowedBytes(document))
      return Assembler.Result(
        storage: storage, table: table, top: top, controlCharacters: controlCharacters,
        readsFile: true)
    }

    /// That something is left to libxml2: never told to anybody.
    static var uncertain: ArchiveError { ArchiveError(.malformedXML) }

    // MARK: Bytes

    /// Eight bytes at a place up to the end, the first of them lowest.
    func word(at offset: Int) -> UInt64 {
      unsafe UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    func byte(at offset: Int) -> UInt8 { unsafe start.load(fromByteOffset: offset, as: UInt8.self) }

    /// The bytes between two places that have been passed.
    func bytes(_ start: Int, _ end: Int) -> BorrowedBytes {
      unsafe BorrowedBytes(UnsafeRawBufferPointer(start: self.start + start, count: end - start))
    }

    // MARK: Elements

    private mutating func readElements() throws(ArchiveError) {
      while true {
        try skipSpace()
        guard offset < end else { return }
        let tag = word(at: offset)
        switch UInt8(truncatingIfNeeded: tag >> 8) {
        case UInt8(ascii: "k") where tag & Tag.five == Tag.key: try readKey()
        case UInt8(ascii: "d") where tag & Tag.six == Tag.dict: try readDictionary()
        case UInt8(ascii: "/") where tag & Tag.seven == Tag.dictEnd: try endDictionary()
        case UInt8(ascii: "s") where tag == Tag.string: try readString()
        case UInt8(ascii: "i") where tag == Tag.integer && byte(at: offset + 8) == Tag.close:
          try readInteger()
        case UInt8(ascii: "r") where tag & Tag.six == Tag.real: try readReal()
        case UInt8(ascii: "/") where tag == Tag.arrayEnd: try endArray()
        case UInt8(ascii: "a") where tag & Tag.seven == Tag.array:
          offset += 7
          try begin(isDictionary: false)
        default: try readRareElement(tag)
        }
      }
    }

    private mutating func readRareElement(_ tag: UInt64) throws(ArchiveError) {
      if tag & Tag.six == Tag.date { return try readDate() }
      if tag & Tag.six == Tag.data { return try readData() }
      switch tag {
      case Tag.falseValue: offset += 8
      case _ where tag & Tag.seven == Tag.trueValue, _ where tag & Tag.seven == Tag.emptyDict,
        _ where tag & Tag.seven == Tag.emptyData:
        offset += 7
      case Tag.emptyArray: offset += 8
      case Tag.emptyString where byte(at: offset + 8) == Tag.close: offset += 9
      case _ where tag & Tag.six == Tag.emptyKey:
        offset += 6
        return try add(key: .none)
      default: throw Self.uncertain
      }
      guard assembler.takesValue else { throw Self.uncertain }
      switch tag {
      case Tag.falseValue: try assembler.add(false)
      case _ where tag & Tag.seven == Tag.trueValue: try assembler.add(true)
      case Tag.emptyString: try assembler.add(text: .none)
      case _ where tag & Tag.seven == Tag.emptyData: try assembler.add(base64: .none)
      default:
        try assembler.begin(isDictionary: tag & Tag.seven == Tag.emptyDict)
        try assembler.end()
      }
    }

    private mutating func begin(isDictionary: Bool) throws(ArchiveError) {
      guard assembler.takesValue else { throw Self.uncertain }
      try assembler.begin(isDictionary: isDictionary)
    }

    private mutating func endDictionary() throws(ArchiveError) {
      guard assembler.isInDictionary == true else { throw Self.uncertain }
      offset += 7
      try assembler.end()
    }

    private mutating func endArray() throws(ArchiveError) {
      guard assembler.isInDictionary == false else { throw Self.uncertain }
      offset += 8
      try assembler.end()
    }

    mutating func add(key: BorrowedBytes) throws(ArchiveError) {
      guard assembler.isInDictionary == true, !assembler.hasOpenKey else { throw Self.uncertain }
      try assembler.add(key: key)
    }

    /// Reads a dictionary as a whole if it stands for a UID, as most do; begins it otherwise.
    private mutating func readDictionary() throws(ArchiveError) {
      let beginning = offset
      offset += 6
      if let uid = try readUID() {
        guard assembler.takesValue, assembler.takesLevel else { throw Self.uncertain }
        try assembler.add(uid: uid)
      } else {
        offset = beginning + 6
        try begin(isDictionary: true)
      }
    }

    /// Reads what stands in a dictionary up to its end, if it is a UID in the usual form.
    private mutating func readUID() throws(ArchiveError) -> UInt32? {
      try skipSpace()
      // Within a word that matches, there is no `<` that ends the document: more can be read.
      guard word(at: offset) == Tag.uidKey, word(at: offset + 8) == Tag.uidKeyRest,
        byte(at: offset + 16) == Tag.close
      else { return nil }
      offset += 17
      try skipSpace()
      guard word(at: offset) == Tag.integer, byte(at: offset + 8) == Tag.close else { return nil }
      offset += 9
      guard let value = readDigits(), let uid = UInt32(exactly: value) else { return nil }
      try skipSpace()
      guard word(at: offset) & Tag.seven == Tag.dictEnd else { return nil }
      offset += 7
      return uid
    }
  }
}

extension PropertyList.XMLScanner {
  /// The text around the values of an XML property list, where it is as archivers write it.
  enum Frame {
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let end = "</plist>"

    private static let declarations = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#, #"<?xml version="1.0" encoding="utf-8"?>"#,
      #"<?xml version='1.0' encoding='UTF-8'?>"#, #"<?xml version="1.0"?>"#,
    ]

    /// The document types that Apple's systems have written, and with "https" what they never did.
    private static let documentTypes = ["Apple", "Apple Computer"].flatMap { owner in
      ["http", "https"].map { scheme in
        "<!DOCTYPE plist PUBLIC \"-//\(owner)//DTD PLIST 1.0//EN\""
          + " \"\(scheme)://www.apple.com/DTDs/PropertyList-1.0.dtd\">"
      }
    }

    private static let beginnings = [
      #"<plist version="1.0">"#, #"<plist version="0.9">"#, "<plist>",
    ]

    /// The places at which the values begin and the last `</plist>` begins; nil if something else
    /// stands before or after them.
    ///
    /// After the last `</plist>`, and so after every place before it, there is no `<`.
    static func content<Document: RandomAccessCollection<UInt8>>(
      of document: Document
    ) -> (start: Int, end: Int)? where Document.Index == Int {
      guard let last = document.lastIndex(where: { !isSpace($0) }), last + 1 >= end.utf8.count
      else { return nil }
      let end = last + 1 - end.utf8.count
      guard document[end...last].elementsEqual(Self.end.utf8) else { return nil }

      var rest = document[..<end]
      if rest.starts(with: mark) { rest = rest.dropFirst(mark.count) }
      skip(one: declarations, of: &rest)
      rest = rest.drop(while: isSpace)
      skip(one: documentTypes, of: &rest)
      rest = rest.drop(while: isSpace)
      guard skip(one: beginnings, of: &rest) else { return nil }
      return (rest.startIndex, end)
    }

    @discardableResult
    private static func skip<Rest: Collection<UInt8>>(
      one texts: [String], of rest: inout Rest
    ) -> Bool where Rest.SubSequence == Rest {
      guard let text = texts.first(where: { rest.starts(with: $0.utf8) }) else { return false }
      rest = rest.dropFirst(text.utf8.count)
      return true
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
      byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
  }
}
