import ArchiveReader
import Foundation
import Support
import Testing

@Suite("The kind of a file")
struct FileKindTests {
  @Test(
    "is told by its first bytes",
    arguments: [
      ("bplist00", .binaryPropertyList),
      ("bplist15", .other("a binary property list of an unsupported version (bplist15)")),
      ("bplist", .other("text")),
      ("<?xml version", .xml), ("\u{FEFF}  \n<plist>", .xml), ("<!DOCTYPE plist", .xml),
      ("<!-- a", .xml),
      ("<\0?\0x\0m\0l\0", .xml), ("<dict/>", .other("text")),
      ("\u{4}\u{B}streamtyped", .typedStream), ("\u{4}\u{B}typedstream", .typedStream),
      ("NIBArchive", .nib), ("SQLite format 3\0", .other("an SQLite database")),
      ("PK\u{3}\u{4}", .other("a ZIP archive")), ("%PDF-1.4", .other("a PDF document")),
      ("{\\rtf1", .other("an RTF document")), ("\u{7F}ELF", .other("a program")),
      ("{ a = 1; }", .other("JSON or an OpenStep property list")), ("words", .other("text")),
      ("\0\u{1}\u{2}", .other("of an unknown binary kind")), ("", .other("text")),
    ] as [(String, FileKind)])
  func tellsTexts(text: String, kind: FileKind) {
    #expect(FileKind(FileHead(Data(text.utf8))) == kind)
  }

  @Test(
    "is told by magic numbers",
    arguments: [
      ([0x1F, 0x8B, 8], "a gzip file"), ([0x89, 0x50, 0x4E, 0x47], "a PNG image"),
      ([0xFF, 0xD8, 0xFF, 0xE0], "a JPEG image"), ([0x30, 0x82, 1], "signed data (CMS)"),
    ] as [([UInt8], String)])
  func tellsMagicNumbers(bytes: [UInt8], name: String) {
    #expect(FileKind(FileHead(Data(bytes))) == .other(name))
  }

  @Test(
    "is named where the file is no archive",
    arguments: [
      ("%PDF", "a PDF document"),
      ("bplist15", "a binary property list of an unsupported version (bplist15)"),
    ])
  func namesTheKind(text: String, name: String) {
    #expect(throws: ArchiveError(.notAnArchive, at: .byte(0), name: name)) {
      try PropertyList(bytes: text.utf8)
    }
  }
}
