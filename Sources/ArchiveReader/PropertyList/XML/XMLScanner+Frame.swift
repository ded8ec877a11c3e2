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
