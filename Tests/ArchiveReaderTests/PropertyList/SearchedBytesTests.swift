import Foundation
import Testing

@testable import ArchiveReader

@Suite("A text is found among the bytes of a property list")
struct SearchedBytesTests {
  /// A list with one text of nine megabytes, and another text in it at an offset of its file.
  private func list(_ offset: Int?) throws -> PropertyList {
    let head = "<plist version=\"1.0\"><string>"
    var bytes = Array(head.utf8) + Array(repeating: UInt8(ascii: "D"), count: 9 << 20)
    if let offset {
      let text = Array("Dictionary".utf8)
      bytes.replaceSubrange(offset..<offset + text.count, with: text)
    }
    return try PropertyList(bytes: bytes + Array("</string></plist>".utf8))
  }

  @Test(
    "wherever it stands, also where one part that is searched ends and the next begins",
    arguments: [100, 4 << 20, (4 << 20) - 1, (4 << 20) - 9, (4 << 20) - 10, (8 << 20) - 5])
  func found(offset: Int) throws {
    #expect(try list(offset).mayContain("Dictionary"))
  }

  @Test("and only there")
  func absent() throws {
    #expect(try !list(nil).mayContain("Dictionary"))
  }
}
