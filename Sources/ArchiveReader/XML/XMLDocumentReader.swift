internal import CXML

/// Reads an XML document that is no property list: its elements, with their attributes, in the
/// order of the file.
///
/// Nothing outside of the document is read. One that declares entities is refused, and so is an
/// element with more than 64 attributes. Linear in the size of the document, with no memory for
/// what has been told; how deep elements are nested has no limit.
package final class XMLDocumentReader {
  /// A part of a document.
  @safe package enum Event {
    /// The start tag of an element, with its attributes; names have their prefix.
    case start(String, [String: String])
    /// A piece of text, whose bytes are valid while it is told: a text may come in several.
    case text(BorrowedBytes)
    /// The end tag of an element.
    case end(String)
  }

  /// Why a document could not be read to its end.
  package enum Failure: Error, Equatable {
    /// It is not well formed, in words.
    case malformed(String, line: Int)
    /// It declares entities.
    case declaresEntities(line: Int)
    /// Memory is exhausted.
    case outOfMemory
  }

  /// The receiver of the document's events; false ends the reading.
  private let receive: (Event, _ line: Int) -> Bool
  private var parser: XMLParser?
  /// The number of line ends before the document.
  private var skippedLines = 0

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - document: The bytes, in the encoding that they declare.
  ///   - receive: Is called with each event and the line that it stands in; returns whether to go
  ///     on.
  /// - Throws: `Failure` if the document cannot be read; nothing if `receive` ended the reading.
  package static func read(
    _ document: ByteStorage, _ receive: (Event, _ line: Int) -> Bool
  ) throws(Failure) {
    let failure = withoutActuallyEscaping(receive) { receive in
      withExtendedLifetime(document) { unsafe XMLDocumentReader(receive).read(document.bytes) }
    }
    if let failure { throw failure }
  }

  private init(_ receive: @escaping (Event, _ line: Int) -> Bool) { self.receive = receive }

  private func read(_ document: UnsafeRawBufferPointer) -> Failure? {
    // The reader is there as long as the parser that calls it.
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    guard let parser = unsafe XMLParser(Self.handler(context)) else {
      return .outOfMemory
    }
    defer { unsafe parser.destroy() }
    self.parser = parser
    let head = unsafe XMLDocumentHead(document)
    skippedLines = head.skippedLines
    var place = head.skippedBytes
    var code: Int32 = 0
    while code == 0, place < document.count {
      let size = XMLParser.LongConstruct(parser).map {
        unsafe $0.restSize(in: document, from: place, head)
      }
      let piece = unsafe UnsafeRawBufferPointer(
        rebasing: document[place...].prefix(size ?? 1 << 16))
      place += piece.count
      code = unsafe parser.feed(piece)
    }
    if code == 0 { code = parser.finish() }
    guard code < 0 else { return nil }
    let failure = parser.failure
    let line = Int(failure.line) + skippedLines
    return switch failure.code {
    case cxml_failure_out_of_memory: .outOfMemory
    case cxml_failure_entity_declared: .declaresEntities(line: line)
    case cxml_failure_too_many_attributes:
      .malformed("an element has too many attributes", line: line)
    case cxml_failure_unknown_encoding: .malformed("the encoding is unknown", line: line)
    case cxml_failure_long_markup: .malformed("a tag is too long", line: line)
    default: .malformed(XMLParser.Mistake.words(Int(failure.code)), line: line)
    }
  }

  /// The functions that the parser calls, with the reader as context.
  private static func handler(_ context: UnsafeMutableRawPointer) -> cxml_document_handler {
    unsafe cxml_document_handler(
      context: context,
      start: { context, name, attributes, count in
        let given = unsafe UnsafeBufferPointer(start: attributes, count: count)
        var values: [String: String] = [:]
        for index in 0..<count {
          let attribute = unsafe given[index]
          let value = unsafe UnsafeBufferPointer(start: attribute.value, count: attribute.count)
          values[unsafe String(cString: attribute.name)] =
            unsafe String(decoding: value, as: UTF8.self)
        }
        return unsafe XMLDocumentReader.pass(.start(String(cString: name), values), to: context)
      },
      text: { context, bytes, count in
        unsafe XMLDocumentReader.pass(
          .text(BorrowedBytes(UnsafeRawBufferPointer(start: bytes, count: count))), to: context)
      },
      end: { context, name in
        unsafe XMLDocumentReader.pass(.end(String(cString: name)), to: context)
      })
  }

  private static func pass(_ event: Event, to context: UnsafeMutableRawPointer?) -> Int32 {
    guard let context = unsafe context else { return 1 }
    let reader = unsafe Unmanaged<XMLDocumentReader>.fromOpaque(context).takeUnretainedValue()
    guard let parser = reader.parser else { return 1 }
    return reader.receive(event, parser.line + reader.skippedLines) ? 0 : 1
  }
}
