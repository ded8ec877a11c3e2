internal import CXML

/// A comment, processing instruction or CDATA section of which a parser has much, and not the end.
///
/// libxml2 looks through all of it again with each piece of the document. So it gets the rest as one
/// piece, which ends where the construct does: what follows it is read in pieces as before.
enum XMLLongConstruct {
  case comment
  case instruction
  case characterData

  /// What the parser waits for the end of, if it is one of these and long.
  init?(_ parser: OpaquePointer) {
    switch cxml_parser_construct(parser) {
    case cxml_construct_comment: self = .comment
    case cxml_construct_instruction: self = .instruction
    case cxml_construct_cdata: self = .characterData
    default: return nil
    }
  }

  /// The parser takes no larger pieces.
  private static let mostBytes = 1 << 30

  private var terminator: [UInt8] {
    switch self {
    case .comment: Array("-->".utf8)
    case .instruction: Array("?>".utf8)
    case .characterData: Array("]]>".utf8)
    }
  }

  /// How many bytes there are from a place up to the end of the construct, or of the document.
  func restSize(
    in document: UnsafeRawBufferPointer, from place: Int, _ head: XMLDocumentHead
  ) -> Int {
    let pattern = terminator.flatMap { head.codeUnit($0) }
    // The terminator may have begun in the piece before.
    var start = max(0, place - pattern.count + 1)
    while start + pattern.count <= document.count {
      if document[start] == pattern[0],
        document[start..<start + pattern.count].elementsEqual(pattern)
      {
        return min(start + pattern.count - place, Self.mostBytes)
      }
      start += 1
    }
    return min(document.count - place, Self.mostBytes)
  }
}
