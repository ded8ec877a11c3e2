import ArchiveReader
import ArchiveWriter
import Foundation
import Testing

@Suite("The head of XML property lists")
struct XMLPropertyListHeadTests {
  private static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

  private static func doctype(_ company: String) -> String {
    "<!DOCTYPE plist PUBLIC \"-//\(company)//DTD PLIST 1.0//EN\" "
      + "\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n"
  }

  @Test(
    "may be any that Apple wrote, or none",
    arguments: [
      declaration + doctype("Apple"), declaration + doctype("Apple Computer"), declaration,
      doctype("Apple"), "", "\n \t" + declaration, "\u{FEFF}" + declaration,
      "\u{FEFF}\n" + declaration + doctype("Apple"), "\n" + doctype("Apple"), "<!-- a -->\n",
      "<?xml version='1.0' encoding='utf-8' standalone='yes'?>", "<?xml version=\"1.0\"?>\r\n",
      declaration + "<!-- a --><?b c?>\n" + doctype("Apple") + "<!-- d -->",
      declaration + "<!DOCTYPE plist SYSTEM \"file://localhost/System/DTDs/PropertyList.dtd\">",
      declaration + "<!DOCTYPE plist [\n<!ELEMENT plist ANY>\n"
        + "<!ATTLIST plist version CDATA \"1.0\">\n<!-- a -->\n]>\n",
    ],
    ["<plist version=\"1.0\">", "<plist>", "<plist version='0.9' >"])
  func readsEveryHead(head: String, start: String) throws {
    let text = head + start + "<array><true/></array></plist>\n<!-- end -->\n"
    #expect(try PropertyList(bytes: text.utf8).content == [true])
    for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian] {
      guard !head.lowercased().contains("utf-8"), !start.contains("0.9") else { continue }
      let mark = head.hasPrefix("\u{FEFF}") ? "" : "\u{FEFF}"
      let bytes = try #require((mark + text).data(using: encoding))
      #expect(try PropertyList(bytes: bytes).content == [true])
    }
  }

  @Test("counts as lines, white space too")
  func countsLines() {
    let text = "\n\n" + Self.declaration + "<plist>\n<oops/></plist>"
    #expect(throws: ArchiveError(.unexpectedElement, at: .line(5, column: 0), name: "…")) {
      try PropertyList(bytes: text.utf8)
    }
    let broken = "\n\n" + Self.declaration + "<plist>\n<true></plist>"
    let error = #expect(throws: ArchiveError.self) { try PropertyList(bytes: broken.utf8) }
    guard case .line(5, _) = error?.position else {
      Issue.record("\(String(describing: error)), not line 5")
      return
    }
  }

  @Test("may not come twice")
  func refusesTwoHeads() {
    let text = Self.declaration + Self.declaration + "<plist><true/></plist>"
    let error = #expect(throws: ArchiveError.self) { try PropertyList(bytes: text.utf8) }
    #expect(error?.code == .malformedXML)
  }

  @Test(
    "is no part of a value, and a list inside of CDATA is a text",
    arguments: [
      (
        "<string><![CDATA[<?xml version=\"1.0\"?><plist><dict/></plist>]]></string>",
        "<?xml version=\"1.0\"?><plist><dict/></plist>"
      ),
      ("<string><![CDATA[a]]><![CDATA[]]]]><![CDATA[>]]></string>", "a]]>"),
      ("<dict><key><![CDATA[<k>]]></key><string/></dict>", ["<k>": ""]),
      ("<array><!-- <true/> --><false/><?true?></array>", [false]),
      ("<string>&lt;&gt;&amp;&quot;&apos;&#10;&#x0D;</string>", "<>&\"'\n\r"),
      ("<string>a\r\nb\rc</string>", "a\nb\nc"),
    ] as [(String, PropertyListValue)])
  func readsMarkupAsText(body: String, value: PropertyListValue) throws {
    #expect(try XMLPropertyListTests.read(body).content == value)
  }

  @Test(
    "does not change how numbers are written",
    arguments: [
      ("<integer>+1</integer>", 1), ("<integer>-0XFF</integer>", -255),
      ("<integer>0x7fffffffffffffff</integer>", .integer(.max)),
      ("<integer>-0x8000000000000000</integer>", .integer(.min)),
      (
        "<integer>-170141183460469231731687303715884105728</integer>",
        "wide -170141183460469231731687303715884105728"
      ),
      (
        "<integer>170141183460469231731687303715884105727</integer>",
        "wide 170141183460469231731687303715884105727"
      ),
      ("<integer>-0</integer>", 0), ("<real>+2.5E+2</real>", 250.0),
      ("<real>INF</real>", .real(.infinity)),
      ("<real>-Infinity</real>", .real(-.infinity)), ("<real>.5</real>", 0.5),
    ] as [(String, PropertyListValue)])
  func readsNumbers(body: String, value: PropertyListValue) throws {
    #expect(try XMLPropertyListTests.read(body).content == value)
  }
}
