internal import CXML

extension XMLParser {
  /// A comment, processing instruction, CDATA section or start tag of which a parser has much, and
  /// not the end.
  ///
  /// libxml2 looks through all of it again with each piece of the document. So it gets the rest as
  /// one piece, which ends where the construct does: what follows it is read in pieces as before.
  enum LongConstruct {
    case comment
    case instruction
    case characterData
    /// A tag with so many values of attributes, the last of which ends with a quote unless it has
    /// ended.
    case startTag(values: Int, quote: UInt8?)

    /// The construct whose end the parser waits for, if it is one of these and long.
    init?(_ parser: XMLParser) {
      switch parser.construct {
      case cxml_construct_comment: self = .comment
      case cxml_construct_instruction: self = .instruction
      case cxml_construct_cdata: self = .characterData
      case cxml_construct_start_tag:
        let tag = parser.openTag
        self = .startTag(values: tag.values, quote: tag.quote == 0 ? nil : tag.quote)
      default: return nil
      }
    }

    /// The parser takes no larger pieces.
    private static let maxBytes = 1 << 30

    private var terminator: [UInt8] {
      switch self {
      case .comment: Array("-->".utf8)
      case .instruction: Array("?>".utf8)
      case .characterData: Array("]]>".utf8)
      case .startTag: [UInt8(ascii: ">")]
      }
    }

    /// More values of attributes than an element may have: the parser compares each with all
    /// others.
    private static let tooManyValues = 65

    /// The number of bytes from an offset up to the end of the construct, or of the document.
    func restSize<Document: RandomAccessCollection<UInt8>>(
      in document: Document, from offset: Int, _ head: XMLDocumentHead
    ) -> Int where Document.Index == Int {
      if case .startTag(let values, let quote) = self {
        return restOfTag(in: document, from: offset, head, values: values, quote: quote)
      }
      let pattern = terminator.flatMap { head.codeUnit($0) }
      // The terminator may have begun in the piece before.
      var start = max(0, offset - pattern.count + 1)
      while start + pattern.count <= document.count {
        if document[start] == pattern[0],
          document[start..<start + pattern.count].elementsEqual(pattern)
        {
          return min(start + pattern.count - offset, Self.maxBytes)
        }
        start += 1
      }
      return min(document.count - offset, Self.maxBytes)
    }

    /// The number of bytes up to the end of a tag, outside of its values; or up to the value that
    /// is one too many.
    private func restOfTag<Document: RandomAccessCollection<UInt8>>(
      in document: Document, from offset: Int, _ head: XMLDocumentHead, values: Int, quote: UInt8?
    ) -> Int where Document.Index == Int {
      let end = min(document.count, offset + Self.maxBytes)
      var (next, values, quote) = (offset, values, quote)
      while next < end, values < Self.tooManyValues {
        let character = head.character(at: next, in: document)
        next = min(next + head.width, end)
        switch character {
        case UInt8(ascii: ">") where quote == nil: return next - offset
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
          if quote == nil {
            (quote, values) = (character, values + 1)
          } else if quote == character {
            quote = nil
          }
        default: break
        }
      }
      return next - offset
    }
  }
}
