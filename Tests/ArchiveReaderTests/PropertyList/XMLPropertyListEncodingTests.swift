import ArchiveReader
import ArchiveWriter
import Foundation
import Testing

@Suite("The encoding of XML property lists")
struct XMLPropertyListEncodingTests {
  /// A document in an encoding that leaves ASCII as it is, with a string of raw bytes.
  private static func document(_ encoding: String, _ text: [UInt8]) -> [UInt8] {
    let parts = XMLPropertyListTests.document("<string>#</string>", encoding: encoding)
      .split(separator: "#")
    return Array(parts[0].utf8) + text + Array(parts[1].utf8)
  }

  @Test(
    "is the one that is declared",
    arguments: [
      ("UTF-8", [0xC3, 0xA9], "é"), ("utf8", [0xC3, 0xA9], "é"), ("US-ASCII", [0x41], "A"),
      ("ISO-8859-1", [0xE9], "é"), ("ISO-8859-15", [0xA4], "€"), ("windows-1252", [0x80], "€"),
      ("macintosh", [0x8E], "é"), ("Shift_JIS", [0x82, 0xA0], "あ"), ("EUC-JP", [0xA4, 0xA2], "あ"),
      ("ISO-2022-JP", [0x1B, 0x24, 0x42, 0x24, 0x22, 0x1B, 0x28, 0x42], "あ"),
      ("GB18030", [0xD6, 0xD0], "中"), ("Big5", [0xA4, 0xA4], "中"), ("KOI8-R", [0xD0], "п"),
    ] as [(String, [UInt8], String)])
  func followsTheDeclaration(encoding: String, text: [UInt8], value: String) throws {
    let list = try PropertyList(bytes: Self.document(encoding, text))
    #expect(list.content == .string(value))
    #expect(list.forbiddenCharacters == 0)
  }

  @Test("is followed across the pieces in which a document is parsed")
  func followsTheDeclarationFar() throws {
    let text = Array(repeating: [0x82, 0xA0] as [UInt8], count: 100_000).flatMap { $0 }
    let list = try PropertyList(bytes: Self.document("Shift_JIS", text))
    #expect(list.content == .string(String(repeating: "あ", count: 100_000)))
  }

  @Test(
    "can be UTF-16 in both orders, with a mark and without, declared or not",
    arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian], ["\u{FEFF}", ""])
  func readsUTF16(encoding: String.Encoding, mark: String) throws {
    let declared = XMLPropertyListTests.document("<string>é😀</string>", encoding: "UTF-16")
    let undeclared = declared.replacing(" encoding=\"UTF-16\"", with: "")
    for text in [declared, undeclared] {
      let bytes = try #require((mark + text).data(using: encoding))
      #expect(try PropertyList(bytes: bytes).content == "é😀")
    }
  }

  @Test(
    "that is unknown is named",
    arguments: [
      ("x-mac-klingon", "x-mac-klingon"), ("UTF-99", "UTF-99"),
      ("name with spaces", "its name is invalid"),
    ])
  func namesUnknownEncodings(encoding: String, name: String) {
    let error = #expect(throws: ArchiveError.self) {
      try PropertyList(bytes: Self.document(encoding, [0x41]))
    }
    if name == encoding {
      #expect(error?.code == .unknownEncoding)
      #expect(error?.name == name)
    } else {
      #expect(error?.code == .malformedXML)
    }
  }

  @Test(
    "UTF-32 is named where it cannot be read",
    arguments: [("\u{FEFF}", false), ("\u{FEFF}", true), ("", false)])
  func namesUTF32(mark: String, isBigEndian: Bool) throws {
    let text = mark + XMLPropertyListTests.document("<true/>", encoding: "UTF-32")
    let bytes = text.unicodeScalars.flatMap { scalar in
      let bytes = (0..<4).map { UInt8(truncatingIfNeeded: scalar.value >> (8 * $0)) }
      return isBigEndian ? bytes.reversed() : bytes
    }
    let error = #expect(throws: ArchiveError.self) { try PropertyList(bytes: bytes) }
    #expect(error.map { "\($0)" } == "unsupported XML encoding: UTF-32 (line 1, column 1)")
  }

  @Test(
    "ASCII has no other bytes, and they are not taken for the end",
    arguments: ["US-ASCII", "ascii"])
  func refusesOtherBytesThanASCII(encoding: String) {
    for bytes in [[0xE9], [0xC3, 0xA9]] as [[UInt8]] {
      let error = #expect(throws: ArchiveError.self) {
        try PropertyList(bytes: Self.document(encoding, bytes))
      }
      #expect(error?.code == .malformedXML)
      #expect(error?.name == "bytes are invalid in the encoding")
    }
  }

  @Test("that does not fit the bytes gives an error with its line")
  func refusesBytesOfOtherEncodings() {
    let error = #expect(throws: ArchiveError.self) {
      try PropertyList(bytes: Self.document("UTF-8", [0xE9]))
    }
    #expect(error?.code == .malformedXML)
    guard case .line(3, _) = error?.position else {
      Issue.record("\(String(describing: error)), not line 3")
      return
    }
  }

  @Test(
    "that has no such bytes gives an error, wherever they stand",
    arguments: [
      ("Shift_JIS", [0x82, 0x20]), ("EUC-JP", [0xA4, 0x41]), ("GB18030", [0x81, 0x20]),
      ("windows-1252", [0x81]),
    ] as [(String, [UInt8])])
  func refusesOtherBytes(encoding: String, bytes: [UInt8]) throws {
    for count in [0, 100, 70_000, 200_000] {
      let text = Array(repeating: 0x61 as UInt8, count: count) + bytes
      let error = #expect(throws: ArchiveError.self, "\(count)") {
        try PropertyList(bytes: Self.document(encoding, text))
      }
      #expect(error?.code == .malformedXML)
    }
  }
}
