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

  @Test("are kept where the document holds the noncharacters that would stand for them")
  func doesNotMixThemUp() throws {
    let privateUse = "\u{E000}\u{E03F}&#xE05F;"
    let list = try XMLPropertyListTests.read(
      "<string>\u{1}\(Self.noncharacters)\(privateUse)\u{1F}</string>")
    #expect(
      list.content == .string("\u{1}\(Self.noncharacters)\u{E000}\u{E03F}\u{E05F}\u{1F}"))
    #expect(list.forbiddenCharacters == 2)
  }

  @Test("are refused where the document leaves nothing that could stand for them")
  func refusesFullDocuments() throws {
    let rows = stride(from: 0xE000, to: 0xF900, by: 32).compactMap(Unicode.Scalar.init)
    let text = Self.noncharacters + String(String.UnicodeScalarView(rows))
    #expect(
      try XMLPropertyListTests.read("<string>\(text)</string>").content == .string(text))
    let error = #expect(throws: ArchiveError.self) {
      try XMLPropertyListTests.read("<string>\u{1}\(text)</string>")
    }
    #expect(error?.code == .malformedXML)
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

  @Test(
    "are kept in encodings that have nothing else for them",
    arguments: ["ISO-8859-1", "windows-1252", "US-ASCII", "Shift_JIS"])
  func keepsThemInOtherEncodings(encoding: String) throws {
    let letter = ["ISO-8859-1", "windows-1252"].contains(encoding) ? "é" : "e"
    let document = XMLPropertyListTests.document(
      "<string>\(letter)\u{1B}&amp;\0</string>", encoding: encoding)
    let list = try PropertyList(bytes: try #require(document.data(using: .isoLatin1)))
    #expect(list.content == .string("\(letter)\u{1B}&\0"))
    #expect(list.forbiddenCharacters == 2)
  }

  @Test(
    "are refused in an encoding in which nothing can stand for them",
    arguments: [
      ("ISO-8859-1", "<string><![CDATA[\u{1B}]]></string>"), ("GB18030", "<string>\u{1B}</string>"),
    ])
  func refusesThem(encoding: String, body: String) throws {
    let document = XMLPropertyListTests.document(body, encoding: encoding)
    let error = #expect(throws: ArchiveError.self) { try PropertyList(bytes: document.utf8) }
    #expect(error?.code == .malformedXML)
  }
}
