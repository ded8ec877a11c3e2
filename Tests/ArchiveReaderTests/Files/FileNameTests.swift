import Foundation
import Testing

@testable import ArchiveReader

@Suite("A file name")
struct FileNameTests {
  private static let names: [(bytes: [UInt8], shown: String)] = [
    (Array("plain".utf8), "plain"),
    (Array("caf\u{E9}".utf8), "caf\u{E9}"),
    // The accent by itself, as HFS+ wrote it.
    (Array("cafe\u{301}".utf8), "cafe\u{301}"),
    ([0x63, 0xE9, 0x2E, 0x61], "c\\xE9.a"),
    ([0xC3, 0x28], "\\xC3("),
    ([0xFF, 0xFE, 0x41], "\\xFF\\xFEA"),
    // Half a character, and one that is coded with too many bytes.
    ([0xE2, 0x82], "\\xE2\\x82"),
    ([0xC0, 0xAF], "\\xC0\\xAF"),
    // Half of a surrogate pair.
    ([0xED, 0xA0, 0x80], "\\xED\\xA0\\x80"),
    // A character that stands for a byte, in a name itself.
    (Array("\u{10FEE9}".utf8), "\\xF4\\x8F\\xBB\\xA9"),
    ([0x65, 0xCC, 0x81, 0xFF], "e\u{301}\\xFF"),
    ([0xFF, 0xC3, 0xA9], "\\xFF\u{E9}"),
  ]

  @Test("is one text, which leads back to its bytes and is shown harmless", arguments: names)
  func roundTrip(bytes: [UInt8], shown: String) {
    let text = FileName.text(bytes)
    #expect(FileName.bytes(text) == bytes)
    #expect(FileName.printable(text) == shown)
    let path: [UInt8] = FileName.withPath(text) { path in
      Array(UnsafeRawBufferPointer(start: path, count: strlen(path)))
    }
    #expect(path == bytes)
  }

  @Test("is another text if its bytes are others")
  func distinct() {
    let texts = Self.names.map { FileName.text($0.bytes) }
    #expect(Set(texts).count == texts.count)
    #expect(FileName.text("\u{E9}".utf8) != FileName.text("e\u{301}".utf8))
  }
}
