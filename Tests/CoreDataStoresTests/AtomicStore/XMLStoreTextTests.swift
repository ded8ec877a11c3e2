import GraphCore
import Testing

@testable import CoreDataStores

@Suite("Texts of XML stores")
struct XMLStoreTextTests {
  @Test(
    "have escapes of their own",
    arguments: [
      ("plain — ☀ \"'\t\n", "plain — ☀ \"'\t\n"), ("", ""),
      (#"\u3c00a href=\u2700x\u2700\u3e00"#, "<a href='x'>"),
      (#"\u2600 Konst \u2600 Teknik"#, "& Konst & Teknik"), (#"C:\\temp\\\\x"#, #"C:\temp\\x"#),
      (#"\u11FF"#, "\u{FF11}"), (#"\u3dd8\u00de"#, "\u{1F600}"),
      // What is no escape stands for itself.
      (#"C:\temp"#, #"C:\temp"#), (#"\u26"#, #"\u26"#), (#"\u26zz"#, #"\u26zz"#), (#"\"#, #"\"#),
      (#"\\u2600"#, #"\u2600"#), (#"\u２600"#, #"\u２600"#),
      // Surrogates without the other half cannot be kept in UTF-8.
      (#"a\u3dd8b"#, #"a\u{D83D}b"#), (#"\u00de\u3dd8"#, #"\u{DE00}\u{D83D}"#),
    ])
  func escapes(written: String, text: String) {
    var reader = XMLStoreText()
    let bytes = AtomicBytes()
    let found = reader.text(Array(written.utf8), in: bytes)
    #expect((found.exactString ?? UTF16Text.escaped(found.bytes)) == text)
    withExtendedLifetime(bytes) {}
  }

  @Test(
    "are suspect if their escapes make sense only with the other byte order",
    arguments: [
      ([#"a \u0026 b"#], true), ([#"\u003cb\u003e"#], true), ([#"\ufeff"#], true),
      ([#"\u0026"#, #"\u2600"#], false), ([#"\u2600"#], false), (["none", #"\\"#], false),
      // Letters both ways; control characters, which the other way round are letters.
      ([#"\u4101"#], false), ([#"\u0100"#], true), ([#"\u0700"#], true),
    ])
  func byteOrder(written: [String], isSuspect: Bool) {
    var reader = XMLStoreText()
    let bytes = AtomicBytes()
    for text in written {
      _ = reader.text(Array(text.utf8), in: bytes)
    }
    #expect(reader.isSuspect == isSuspect)
  }

  @Test("are an error where they are suspect, and a loss where the rest is asked for")
  func suspectStores() throws {
    let maker = XMLStoreMaker(
      #"<object type="TAG" id="z1"><attribute name="name">a \u0026 b</attribute></object>"#)
    #expect(throws: ArchiveError(.suspectByteOrder)) {
      try XMLStoreSource(maker.bytes, model: StoreModels.library)
    }
    let source = try XMLStoreSource(maker.bytes, model: StoreModels.library, salvages: true)
    #expect(source.losses == [ArchiveError(.suspectByteOrder)])
    #expect(StoreReading(source).lines == ["0 Tag name=\"a \u{2600} b\""])
  }
}
