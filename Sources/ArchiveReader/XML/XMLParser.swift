internal import CXML

/// A parser of libxml2, as a handle that is copied without counting references.
///
/// It may be used until it is destroyed, which whoever made it does last of all.
@safe struct XMLParser: BitwiseCopyable {
  private let handle: OpaquePointer

  /// Makes a parser of property lists; nil if memory is exhausted.
  init?(_ handler: cxml_handler) {
    guard let handle = unsafe cxml_parser_create(handler) else { return nil }
    unsafe self.handle = handle
  }

  /// Makes a parser of any documents; nil if memory is exhausted.
  init?(_ handler: cxml_document_handler) {
    guard let handle = unsafe cxml_parser_create_for_document(handler) else { return nil }
    unsafe self.handle = handle
  }

  /// Ends its life: it must not be used any more.
  @unsafe func destroy() { unsafe cxml_parser_destroy(handle) }

  /// Parses the next piece of the document; returns 0 to go on.
  func feed(_ piece: UnsafeRawBufferPointer) -> Int32 {
    unsafe cxml_parser_feed(
      handle, piece.baseAddress?.assumingMemoryBound(to: UInt8.self), piece.count, 0)
  }

  /// Ends the document; returns 0 if it is complete.
  func finish() -> Int32 { unsafe cxml_parser_feed(handle, nil, 0, 1) }

  /// The line that it stands in, counted from 1.
  var line: Int { unsafe Int(cxml_parser_line(handle)) }

  /// The first error of the document.
  var failure: cxml_failure { unsafe cxml_parser_failure(handle) }

  /// The long construct whose end it waits for.
  var construct: cxml_construct { unsafe cxml_parser_construct(handle) }

  /// The state of a long start tag whose end it waits for.
  var openTag: cxml_open_tag { unsafe cxml_parser_open_tag(handle) }
}

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

extension XMLParser {
  /// The mistakes that libxml2 finds in XML, in words.
  enum Mistake {
    /// True if a mistake at the end of a document is that the rest is missing.
    static func isMissingEnd(_ code: Int) -> Bool {
      [4, 5, 37, 40, 45, 47, 57, 60, 61, 63, 73, 74, 77].contains(code)
    }

    /// The mistake in words, by libxml2's number of it (`xmlParserErrors`).
    static func words(_ code: Int) -> String {
      switch code {
      case 3, 4: "the document has no element"
      case 5: "there is text before the first or after the last element"
      case 37, 60: "the document ends unexpectedly"
      case 6: "a character reference is not a hexadecimal number"
      case 7: "a character reference is not a number"
      case 8: "a character reference is not a valid character"
      case 9: "a character is not allowed in XML"
      case 10...21: "a reference is not allowed here"
      case 22, 24: "an & is not followed by a name (write a plain & as &amp;)"
      case 23, 25: "a reference does not end with a semicolon (write a plain & as &amp;)"
      case 26, 27: "an entity is not declared"
      case 28...30, 87...90, 104: "an entity cannot be used here"
      case 31, 32, 79, 101: "the encoding is unknown"
      case 33, 34, 36, 43, 44: "a quoted string does not begin or end correctly"
      case 35, 200...205: "a namespace declaration is malformed"
      case 38: "an attribute value contains <"
      case 39, 40: "an attribute value is not in quotes or is not terminated"
      case 41: "an attribute has no value"
      case 42: "an element has a duplicate attribute"
      case 45: "a comment is not terminated"
      case 46, 47: "a processing instruction is not terminated"
      case 48...55, 58, 59, 67, 69, 83, 95, 105: "the document type has a malformed declaration"
      case 56, 57: "the XML declaration is malformed"
      case 61: "the document type declaration is malformed"
      case 62: "']]>' is not allowed in text"
      case 63: "a CDATA section is not terminated"
      case 64: "an XML declaration is allowed only at the very start"
      case 65: "a space is missing"
      case 66: "a separator is missing"
      case 68: "a name is missing or invalid"
      case 70, 71, 91, 92: "the document type has a missing or invalid URI"
      case 72...74: "a tag is malformed"
      case 75: "an attribute has no ="
      case 76: "an end tag does not match its start tag"
      case 77: "an element has no end tag"
      case 78, 103: "the XML declaration has an invalid 'standalone' value"
      case 80: "a comment contains '--'"
      case 81: "bytes are invalid in the encoding"
      case 84: "a value is missing"
      case 85: "an element has no end tag"
      case 86: "there is text after the last element"
      case 96: "the XML declaration has no version"
      case 108, 109: "the XML version is unknown"
      case 110: "a name is too long"
      default: "it cannot be read"
      }
    }
  }
}
