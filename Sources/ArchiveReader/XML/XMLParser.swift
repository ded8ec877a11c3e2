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
