import ArchiveReader
import Testing

@Suite("Long parts of XML documents")
struct XMLLongConstructTests {
  private static let filler = String(repeating: "x", count: 300_000)

  private static func document(
    prolog: String = "", tag: String = "<plist>", _ body: String = "<string>a</string>"
  ) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(prolog)\(tag)\(body)</plist>"
  }

  @Test(
    "are read, whatever stands before and behind them",
    arguments: [
      document("<!--\(filler)-->" + "<string>a</string>"),
      document(prolog: "<!--\(filler)-->"),
      document(
        "<!--\(filler)<a>&b;]]>?>-->"
          + "<string>a</string>"),
      document("<?p \(filler)-->?><string>a</string>"),
      document(prolog: "<?p \(filler)?>"),
      document("<string>a</string>") + "<!--\(filler)-->",
    ])
  func areRead(text: String) throws {
    let list = try PropertyList(bytes: text.utf8)
    #expect(list.table.string(at: list.top) == "a")
  }

  @Test("are kept where they are text")
  func areKept() throws {
    for text in ["<![CDATA[\(Self.filler)]]>", "\(Self.filler)<!-- -->"] {
      let list = try PropertyList(bytes: Self.document("<string>\(text)</string>").utf8)
      #expect(list.table.string(at: list.top) == Self.filler)
    }
  }

  @Test("are read in UTF-16")
  func wide() throws {
    let text =
      "\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist><!--\(Self.filler)-->"
      + "<string>a</string></plist>"
    let bytes = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    let list = try PropertyList(bytes: bytes)
    #expect(list.table.string(at: list.top) == "a")
  }

  @Test(
    "are refused where no property list has them",
    arguments: [
      (document("<string>&\(filler);</string>"), .longMarkup),
      (
        document("<!-- --><string>a</string\(String(repeating: " ", count: 300_000))>"), .longMarkup
      ),
      (
        document(
          prolog: "<!DOCTYPE plist PUBLIC '\(String(repeating: "x", count: 1 << 23))' 'y'>"),
        .longMarkup
      ),
      (document(tag: "<plist version='\(filler)'>"), .tooManyAttributes),
      (document("<!--\(filler)"), .truncatedXML),
    ] as [(String, ArchiveError.Code)])
  func areRefused(text: String, code: ArchiveError.Code) {
    let error = #expect(throws: ArchiveError.self) { try PropertyList(bytes: text.utf8) }
    #expect(error?.code == code)
  }
}
