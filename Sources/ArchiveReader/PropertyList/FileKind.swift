import Support

/// The kind of a file, told by its first bytes.
package enum FileKind: Hashable, Sendable {
  case binaryPropertyList
  case xml
  case typedStream
  case nib
  case other(String)

  package init(_ head: FileHead) {
    if head.starts(with: "bplist0") {
      // CoreFoundation takes any character after the 0.
      self = .binaryPropertyList
    } else if head.starts(with: "bplist1") {
      // XPC and newer frameworks write these: objects follow each other, and there is no trailer.
      let version = head.bytes.prefix(8).filter { (0x21...0x7E).contains($0) }
      self = .other(
        "a binary property list of an unsupported version (\(String(decoding: version, as: UTF8.self)))"
      )
    } else if Self.isTypedStream(head) {
      self = .typedStream
    } else if head.starts(with: PropertyList.NibBytes.signature) {
      self = .nib
    } else if Self.looksLikeXML(head.bytes.prefix(512)) {
      self = .xml
    } else {
      self = .other(Self.name(of: head.bytes.prefix(512)))
    }
  }

  /// True for bytes that begin as a property list does, or as a compiled nib or a typedstream, which are
  /// read as one.
  ///
  /// HTML and other XML is none, well formed or not.
  ///
  /// - Parameter head: The first bytes, of which `FileHead.textSize` are looked at.
  /// - Returns: True if they do.
  package static func isPropertyList(_ head: FileHead) -> Bool {
    switch FileKind(head) {
    case .binaryPropertyList, .nib, .typedStream: return true
    case .xml:
      let text = head.text
      return text.contains("<plist") || text.contains("PropertyList")
    default: return false
    }
  }

  /// True for a data value that begins as a property list.
  package static func isPropertyList(_ bytes: BorrowedBytes) -> Bool {
    isPropertyList(FileHead(bytes, upTo: FileHead.textSize))
  }

  private static func isTypedStream(_ head: FileHead) -> Bool {
    let name = head.bytes.dropFirst(2)
    return name.starts(with: "streamtyped".utf8) || name.starts(with: "typedstream".utf8)
  }

  /// True if the file begins as XML does, byte-order mark, white space and UTF-16 included.
  private static func looksLikeXML(_ head: some Collection<UInt8>) -> Bool {
    let marks: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0x00, 0x20, 0x09, 0x0A, 0x0D]
    let text = head.drop { marks.contains($0) }.filter { $0 != 0 }
    return ["<?xml", "<!DOCTYPE", "<!--", "<plist"].contains { text.starts(with: $0.utf8) }
  }

  private static func name(of head: some Collection<UInt8>) -> String {
    let known: [(String, String)] = [
      ("SQLite format 3\0", "an SQLite database"),
      ("PK\u{3}\u{4}", "a ZIP archive"),
      ("%PDF", "a PDF document"),
      ("{\\rtf", "an RTF document"),
      ("\u{7F}ELF", "a program"),
      ("{", "JSON or an OpenStep property list"),
    ]
    if let match = known.first(where: { head.starts(with: $0.0.utf8) }) { return match.1 }
    let magic: [([UInt8], String)] = [
      ([0x1F, 0x8B], "a gzip file"),
      ([0x89, 0x50, 0x4E, 0x47], "a PNG image"),
      ([0xFF, 0xD8, 0xFF], "a JPEG image"),
      ([0x30, 0x80], "signed data (CMS)"),
      ([0x30, 0x82], "signed data (CMS)"),
    ]
    if let match = magic.first(where: { head.starts(with: $0.0) }) { return match.1 }
    return head.contains(0) ? "of an unknown binary kind" : "text"
  }
}
