import ArchiveReader
import ArchiveWriter
import Foundation
import Testing

@Suite("Control characters that XML forbids")
struct XMLForbiddenCharactersTests {
  /// The first and the last of the noncharacters, which a literal cannot hold.
  static let noncharacters = String(decoding: [0xFDD0, 0xFDEF] as [UInt16], as: UTF16.self)
  private static let first = String(noncharacters.unicodeScalars.prefix(1))

  @Test("are kept as they are and counted")
  func keepsThem() throws {
    let all = String(String.UnicodeScalarView((0..<0x20).compactMap { Unicode.Scalar($0) }))
    // XML turns CR into LF.
    let kept = all.replacingOccurrences(of: "\r", with: "\n")
    let list = try XMLPropertyListTests.read(
      "<dict><key>\(all)</key><string>a\(all)é</string></dict>")
    #expect(list.content == .dictionary([KeyValue(kept, .string("a\(kept)é"))]))
    #expect(list.forbiddenCharacters == 58)
  }

  @Test("that real archives hold are kept", arguments: ["\u{1}", "\u{1B}", "\0"])
  func keepsOne(character: String) throws {
    let list = try XMLPropertyListTests.read("<string>[\(character)]</string>")
    #expect(list.textBytes == Array("[\(character)]".utf8))
    #expect(list.forbiddenCharacters == 1)
  }

  @Test("become U+FFFD where the document holds the noncharacters that would stand for them")
  func doesNotMixThemUp() throws {
    let list = try XMLPropertyListTests.read("<string>\u{1}\(Self.noncharacters)</string>")
    #expect(list.content == .string("\u{FFFD}\(Self.noncharacters)"))
    #expect(list.forbiddenCharacters == 1)
  }

  @Test(
    "do not change a noncharacter that is written as a character reference",
    arguments: ["&#xFDD0;", "&#xfdd0;", "&#64976;", "&#x0FDD0;"])
  func doesNotMixUpReferences(reference: String) throws {
    let list = try XMLPropertyListTests.read("<string>\(reference)</string><!-- \u{1} -->")
    #expect(list.content == .string(Self.first))
  }

  @Test("leave noncharacters alone where there are none of them")
  func keepsNoncharacters() throws {
    let list = try XMLPropertyListTests.read("<string>\(Self.noncharacters)</string>")
    #expect(list.content == .string(Self.noncharacters))
    #expect(list.forbiddenCharacters == 0)
  }

  @Test("become question marks where the document is in an encoding that has nothing else")
  func replacesThemInOtherEncodings() throws {
    let document = XMLPropertyListTests.document("<string>é\u{1B}</string>", encoding: "ISO-8859-1")
    let list = try PropertyList(bytes: try #require(document.data(using: .isoLatin1)))
    #expect(list.content == "é?")
    #expect(list.forbiddenCharacters == 1)
  }

  @Test("are kept in a document that is declared as ASCII")
  func keepsThemInASCII() throws {
    let document = XMLPropertyListTests.document("<string>a\u{1B}</string>", encoding: "US-ASCII")
    let list = try PropertyList(bytes: document.utf8)
    #expect(["a\u{1B}", "a?"].contains(list.content))
    #expect(list.forbiddenCharacters == 1)
  }
}
