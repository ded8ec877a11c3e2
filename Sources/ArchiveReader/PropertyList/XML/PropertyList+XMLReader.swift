internal import CXML

extension PropertyList {
  /// Reads an XML property list into a node table.
  ///
  /// Linear in the size of the file. `{CF$UID: n}` dictionaries become UIDs, as the binary form has
  /// them. `XMLScanner` reads what is written as archivers write it; libxml2 reads all
  /// else, and tells every error.
  struct XMLReader {
    private static let pieceSize = 1 << 16

    /// Reads a document; if it is to be salvaged, as far as the first error.
    static func read(
      _ document: UnsafeRawBufferPointer, limits: ReadingLimits, isSalvaging: Bool = false
    ) throws(ArchiveError) -> Assembler.Result {
      if let result = unsafe XMLScanner.read(document, limits: limits) { return result }
      return try unsafe parse(document, limits: limits, isSalvaging: isSalvaging)
    }

    /// Parses a document with libxml2.
    static func parse(
      _ document: UnsafeRawBufferPointer, limits: ReadingLimits, isSalvaging: Bool = false
    ) throws(ArchiveError) -> Assembler.Result {
      let head = unsafe XMLDocumentHead(document)
      let characters = unsafe XMLForbiddenCharacters(document, head)
      var frame = ReceiverFrame(
        try Receiver(
          limits: limits, characters: characters, isSalvaging: isSalvaging))
      // The frame stays where it is while the parser calls it.
      return try unsafe withUnsafeMutablePointer(to: &frame) { (frame) throws(ArchiveError) in
        guard let parser = unsafe XMLParser(handler(frame)) else {
          throw ArchiveError(.outOfMemory)
        }
        defer { unsafe parser.destroy() }
        let outcome = unsafe feed(parser, document, head, characters)
        var losses: [ArchiveError] = []
        if let error = unsafe failure(frame.pointee, outcome, parser, document, head) {
          guard isSalvaging, error.code.leavesRest else { throw error }
          losses.append(error)
        }
        do throws(ArchiveError) {
          if let cause = losses.first { try unsafe frame.pointee.receiver.endAbruptly(cause) }
          let (storage, table, top) = try unsafe frame.pointee.receiver.finish(
            BorrowedBytes(document))
          return unsafe Assembler.Result(
            storage: storage, table: table, top: top, controlCharacters: characters.count,
            losses: losses, damagedNodes: frame.pointee.receiver.damagedNodes)
        } catch {
          throw losses.first ?? error.placed(at: line(of: parser, head))
        }
      }
    }

    /// The functions that the parser calls.
    private static func handler(
      _ frame: UnsafeMutablePointer<ReceiverFrame>
    ) -> cxml_handler {
      unsafe cxml_handler(
        context: UnsafeMutableRawPointer(frame),
        start: { context, element in
          unsafe ReceiverFrame.pass(to: context) { (receiver) throws(ArchiveError) in
            try receiver.start(element)
          }
        },
        text: { context, bytes, count in
          unsafe ReceiverFrame.pass(to: context) { (receiver) throws(ArchiveError) in
            try unsafe receiver.text(UnsafeRawBufferPointer(start: bytes, count: count))
          }
        },
        end: { context, element in
          unsafe ReceiverFrame.pass(to: context) { (receiver) throws(ArchiveError) in
            try receiver.end(element)
          }
        })
    }

    private enum Feeding {
      case complete
      case stopped
      /// The parser asks for more when there is no more.
      case cutOff
    }

    /// Hands the document to the parser, piece by piece; returns how that ended.
    private static func feed(
      _ parser: XMLParser, _ document: UnsafeRawBufferPointer, _ head: XMLDocumentHead,
      _ characters: XMLForbiddenCharacters
    ) -> Feeding {
      var place = head.skippedBytes
      while place < document.count {
        let size = XMLParser.LongConstruct(parser).map {
          unsafe $0.restSize(in: document, from: place, head)
        }
        let piece = unsafe UnsafeRawBufferPointer(
          rebasing: document[place...].prefix(size ?? pieceSize))
        place += piece.count
        let allowed = unsafe characters.allowed(piece)
        let code = unsafe allowed?.withUnsafeBytes { unsafe parser.feed($0) } ?? parser.feed(piece)
        if code != 0 { return .stopped }
      }
      return parser.finish() == 0 ? .complete : .cutOff
    }

    private static func line(
      of parser: XMLParser, _ head: XMLDocumentHead
    ) -> ArchiveError.Position {
      .line(parser.line + head.skippedLines, column: 0)
    }

    /// Why parsing ended, unless it ended with the document.
    private static func failure(
      _ frame: borrowing ReceiverFrame, _ outcome: Feeding, _ parser: XMLParser,
      _ document: UnsafeRawBufferPointer, _ head: XMLDocumentHead
    ) -> ArchiveError? {
      if var error = frame.error {
        error.position = line(of: parser, head)
        return error
      }
      guard outcome != .complete else { return nil }
      let failure = parser.failure
      let position = ArchiveError.Position.line(
        Int(failure.line) + head.skippedLines, column: Int(failure.column))
      return switch failure.code {
      case cxml_failure_out_of_memory: ArchiveError(.outOfMemory)
      case cxml_failure_entity_declared: ArchiveError(.entityDeclared, at: position)
      case cxml_failure_too_many_attributes: ArchiveError(.tooManyAttributes, at: position)
      case cxml_failure_unknown_encoding:
        ArchiveError(.unknownEncoding, at: position, name: head.encoding ?? "its name is invalid")
      case cxml_failure_long_markup: ArchiveError(.longMarkup, at: position)
      case _ where head.isUTF32: ArchiveError(.unknownEncoding, at: position, name: "UTF-32")
      case _ where unsafe outcome == .cutOff && head.isASCII && document.contains { $0 >= 0x80 }:
        // libxml2 takes the first such byte for the end.
        ArchiveError(.malformedXML, at: position, name: XMLParser.Mistake.words(81))
      case _
      where outcome == .cutOff && !frame.receiver.hasEnded
        && XMLParser.Mistake.isMissingEnd(Int(failure.code)):
        ArchiveError(.truncatedXML, at: position)
      default:
        ArchiveError(.malformedXML, at: position, name: XMLParser.Mistake.words(Int(failure.code)))
      }
    }
  }
}
