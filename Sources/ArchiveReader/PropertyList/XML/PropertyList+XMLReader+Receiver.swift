internal import CXML

extension PropertyList.XMLReader {
  /// Receives the elements of an XML property list as libxml2 tells them.
  struct Receiver: ~Copyable {
    private let characters: PropertyList.XMLForbiddenCharacters
    private var assembler: PropertyList.Assembler
    private var hasPropertyListElement = false
    private var openElements = 0
    private var leaf: cxml_element?
    private var text: [UInt8] = []

    private let isSalvaging: Bool
    /// The nodes that are null since their texts are damaged, and why, where that does not end
    /// parsing.
    private(set) var damagedNodes: [Int: ArchiveError] = [:]

    init(
      limits: ReadingLimits, characters: PropertyList.XMLForbiddenCharacters, isSalvaging: Bool
    ) throws(ArchiveError) {
      assembler = try PropertyList.Assembler(limits: limits)
      self.characters = characters
      self.isSalvaging = isSalvaging
    }

    /// True if the outermost element has ended.
    var hasEnded: Bool { hasPropertyListElement && openElements == 0 }

    /// The table, after the document has ended.
    mutating func finish(
      _ file: BorrowedBytes
    ) throws(ArchiveError) -> (storage: ByteStorage, table: NodeTable, top: Node) {
      try assembler.finish(file)
    }

    /// Ends all that is open, where the rest of the document cannot be read.
    ///
    /// - Parameter cause: Why the rest cannot be read.
    /// - Throws: `ArchiveError` if a limit is exceeded.
    mutating func endAbruptly(_ cause: ArchiveError) throws(ArchiveError) {
      leaf = nil
      for node in try assembler.endAbruptly() { damagedNodes[node] = cause }
    }

    // MARK: Events

    mutating func start(_ element: cxml_element) throws(ArchiveError) {
      guard leaf == nil else { throw unexpected(element) }
      switch element {
      case cxml_element_plist:
        guard assembler.isAtTop, assembler.top == nil else { throw unexpected(element) }
      case cxml_element_dict, cxml_element_array:
        guard assembler.takesValue else { throw unexpected(element) }
        try assembler.begin(isDictionary: element == cxml_element_dict)
      case cxml_element_key:
        guard assembler.isInDictionary == true else { throw unexpected(element) }
        guard !assembler.hasOpenKey else { throw ArchiveError(.missingValue) }
        leaf = element
      case cxml_element_unknown:
        guard hasPropertyListElement else {
          throw ArchiveError(.notAnArchive, name: "XML, but not a property list")
        }
        throw unexpected(element)
      default:
        guard assembler.takesValue else { throw unexpected(element) }
        leaf = element
      }
      hasPropertyListElement = true
      openElements += 1
      text.removeAll(keepingCapacity: true)
    }

    mutating func text(_ bytes: some Collection<UInt8>) throws(ArchiveError) {
      if leaf != nil {
        // A text goes through memory whole: base64 is longer than the data that it stands for.
        guard text.count + bytes.count <= assembler.limits.xmlBytes else {
          throw assembler.limits.exceeded(.xmlBytes)
        }
        text.append(contentsOf: bytes)
      } else if !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0A || $0 == 0x09 || $0 == 0x0D }) {
        throw ArchiveError(.unexpectedText)
      }
    }

    mutating func end(_ element: cxml_element) throws(ArchiveError) {
      openElements -= 1
      switch element {
      case cxml_element_plist:
        return
      case cxml_element_dict, cxml_element_array:
        try assembler.end()
      default:
        leaf = nil
        if element == cxml_element_key || element == cxml_element_string {
          characters.restore(&text)
        }
        // The text is taken out meanwhile, and not copied.
        let text = exchange(&self.text, with: [])
        defer { self.text = text }
        do throws(ArchiveError) {
          try text.withBorrowedBytes { (bytes) throws(ArchiveError) in try add(element, bytes) }
        } catch {
          guard isSalvaging, [.badNumber, .badDate, .badData].contains(error.code) else {
            throw error
          }
          damagedNodes[try assembler.addNull()] = error
        }
      }
    }

    /// Adds the key or value whose element has ended.
    private mutating func add(
      _ element: cxml_element, _ bytes: BorrowedBytes
    ) throws(ArchiveError) {
      let text = unsafe bytes.buffer
      switch element {
      case cxml_element_key: try assembler.add(key: bytes)
      case cxml_element_string: try assembler.add(text: bytes)
      case cxml_element_true, cxml_element_false:
        guard unsafe text.allSatisfy({ $0 <= 0x20 }) else { throw ArchiveError(.unexpectedText) }
        try assembler.add(element == cxml_element_true)
      case cxml_element_integer:
        try unsafe assembler.add(wide: try PropertyList.Assembler.Number.integer(text))
      case cxml_element_real: try unsafe assembler.add(try PropertyList.Assembler.Number.real(text))
      case cxml_element_date:
        try unsafe assembler.add(date: try PropertyList.Assembler.Number.date(text))
      case cxml_element_data: try assembler.add(base64: bytes)
      default: throw unexpected(element)
      }
    }

    private func unexpected(_ element: cxml_element) -> ArchiveError {
      ArchiveError(.unexpectedElement, name: Self.name(element))
    }

    private static func name(_ element: cxml_element) -> String {
      switch element {
      case cxml_element_plist: "plist"
      case cxml_element_dict: "dict"
      case cxml_element_array: "array"
      case cxml_element_key: "key"
      case cxml_element_string: "string"
      case cxml_element_data: "data"
      case cxml_element_date: "date"
      case cxml_element_integer: "integer"
      case cxml_element_real: "real"
      case cxml_element_true: "true"
      case cxml_element_false: "false"
      default: "…"
      }
    }
  }
}

extension PropertyList.XMLReader {
  /// A receiver where the parser's callbacks find it, and the error that it met.
  ///
  /// It is a value at a fixed place rather than an object, so that an event costs no counting of
  /// references and no checks of access.
  struct ReceiverFrame: ~Copyable {
    var receiver: Receiver
    var error: ArchiveError?

    init(_ receiver: consuming Receiver) {
      self.receiver = receiver
    }

    /// Passes an event of the parser on; returns what the parser is told: 0 to go on.
    static func pass(
      to context: UnsafeMutableRawPointer?,
      _ event: (inout Receiver) throws(ArchiveError) -> Void
    ) -> Int32 {
      guard let frame = unsafe context?.assumingMemoryBound(to: ReceiverFrame.self)
      else {
        return 1
      }
      do throws(ArchiveError) {
        try unsafe event(&frame.pointee.receiver)
        return 0
      } catch {
        unsafe frame.pointee.error = error
        return 1
      }
    }
  }
}
