import ArchiveReader
import ArchiveWriter
import Foundation
import Testing

@Suite("XML property lists")
struct XMLPropertyListTests {
  /// A document around an element, which starts in line 3.
  static func document(_ body: String, encoding: String = "UTF-8") -> String {
    """
    <?xml version="1.0" encoding="\(encoding)"?>
    <plist version="1.0">
    \(body)
    </plist>
    """
  }

  static func read(_ body: String) throws -> PropertyList {
    try PropertyList(bytes: document(body).utf8)
  }

  @Test(
    "hold every element",
    arguments: [
      ("<true/>", true), ("<false></false>", false), ("<string/>", ""),
      ("<string> a b </string>", " a b "),
      ("<string>é中😀</string>", "é中😀"), ("<string>a\tb\nc</string>", "a\tb\nc"),
      ("<data/>", .data(Data())), ("<data> \n\t </data>", .data(Data())),
      ("<data>\n\tAQID\n\tBA==\n</data>", .data(Data([1, 2, 3, 4]))),
      ("<date>2001-01-01T00:00:00Z</date>", .date(0)),
      ("<date>\n2011-05-22T21:52:00Z </date>", .date(327_793_920)),
      ("<date>0001-01-01T00:00:00Z</date>", .date(-63_113_904_000)),
      ("<date>-0044-03-15T12:00:00Z</date>", .date(-64_527_624_000)),
      ("<date>10000-01-01T00:00:00Z</date>", .date(252_423_993_600)),
      ("<date>4001-01-01T00:00:00Z</date>", .date(63_113_904_000)),
      ("<real>2.5</real>", 2.5), ("<real> -1e-3\n</real>", -0.001), ("<real>7</real>", 7.0),
      ("<array/>", []), ("<array><true/><array/></array>", [true, []]),
      ("<dict/>", [:]), ("<dict><key>a</key><true/><key/><dict/></dict>", ["a": true, "": [:]]),
      ("<dict><key>a</key><true/><key>a</key><false/></dict>", ["a": true, "a": false]),
    ] as [(String, PropertyListValue)])
  func readsEveryElement(body: String, value: PropertyListValue) throws {
    let list = try Self.read(body)
    #expect(list.content == value)
    #expect(list.format == .xml)
  }

  @Test(
    "hold integers, decimal and hexadecimal, beyond 64 bits too",
    arguments: [
      ("0", 0), ("-1", -1), ("+5", 5), ("007", 7), (" 42\n", 42), ("0x1F", 31), ("0XfF", 255),
      ("-0x10", -16), ("9223372036854775807", .integer(.max)),
      ("-9223372036854775808", .integer(.min)), ("18446744073709551615", .unsigned(.max)),
      ("0xFFFFFFFFFFFFFFFF", .unsigned(.max)),
      ("18446744073709551616", "wide 18446744073709551616"),
      ("-9223372036854775809", "wide -9223372036854775809"),
    ] as [(String, PropertyListValue)])
  func readsIntegers(text: String, value: PropertyListValue) throws {
    #expect(try Self.read("<integer>\(text)</integer>").content == value)
  }

  @Test(
    "hold reals that are no numbers, and negative zero",
    arguments: [
      ("nan", .nan), ("NaN", .nan), ("inf", .infinity), ("-inf", -.infinity),
      ("+infinity", .infinity), ("-infinity", -.infinity), ("Infinity", .infinity), ("-0.0", -0.0),
    ] as [(String, Double)])
  func readsSpecialReals(text: String, value: Double) throws {
    let double = try #require(try Self.read("<real>\(text)</real>").double)
    #expect(double.isNaN ? value.isNaN : double.bitPattern == value.bitPattern)
  }

  @Test(
    "turn a dictionary of the one key CF$UID into a UID",
    arguments: [
      ("<dict><key>CF$UID</key><integer>7</integer></dict>", .uid(7)),
      ("<dict>\n<key>CF$UID</key>\n<integer>4294967295</integer>\n</dict>", .uid(.max)),
      (
        "<array><dict><key>CF$UID</key><integer>1</integer></dict><integer>1</integer>"
          + "<dict><key>CF$UID</key><integer>2</integer></dict></array>", [.uid(1), 1, .uid(2)]
      ),
      ("<dict><key>CF$UID</key><integer>4294967296</integer></dict>", ["CF$UID": 4_294_967_296]),
      ("<dict><key>CF$UID</key><integer>-1</integer></dict>", ["CF$UID": -1]),
      ("<dict><key>CF$UID</key><string>1</string></dict>", ["CF$UID": "1"]),
      ("<dict><key>CF$UID</key><real>1</real></dict>", ["CF$UID": 1.0]),
      ("<dict><key>CF$UID </key><integer>1</integer></dict>", ["CF$UID ": 1]),
      (
        "<dict><key>CF$UID</key><integer>1</integer><key>a</key><integer>2</integer></dict>",
        ["CF$UID": 1, "a": 2]
      ),
    ] as [(String, PropertyListValue)])
  func readsUIDs(body: String, value: PropertyListValue) throws {
    #expect(try Self.read(body).content == value)
  }

  @Test(
    "may hold entities, CDATA, comments and processing instructions",
    arguments: [
      ("<string>&amp;&lt;&gt;&quot;&apos;</string>", "&<>\"'"),
      ("<string>&#x41;&#66;&#x1F600;</string>", "AB😀"),
      ("<string>a<![CDATA[<b>&amp;]]>c</string>", "a<b>&amp;c"),
      ("<string>a<!-- b -->c<?d e?>f</string>", "acf"),
      ("<!-- a --><array><!-- b --><?c d?><true/></array>", [true]),
      ("<dict><key>a&amp;b</key><!-- c --><true/></dict>", ["a&b": true]),
      ("<integer>1<!-- 2 -->3</integer>", 13),
    ] as [(String, PropertyListValue)])
  func readsMarkup(body: String, value: PropertyListValue) throws {
    #expect(try Self.read(body).content == value)
  }

  @Test("may do without a declaration and without a plist element")
  func readsBareElements() throws {
    #expect(try PropertyList(bytes: "<plist><true/></plist>".utf8).content == true)
    #expect(try PropertyList(bytes: "<!-- a -->\n<array/>".utf8).content == [])
    let doctype = #"<!DOCTYPE plist SYSTEM "file:///no/such/file.dtd"><plist><true/></plist>"#
    #expect(try PropertyList(bytes: doctype.utf8).content == true)
  }

  @Test("are read in UTF-8 and UTF-16 with a byte-order mark, and in a declared encoding")
  func readsEncodings() throws {
    let text = Self.document("<string>é😀</string>", encoding: "UTF-16")
    for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian] {
      let bytes = try #require("\u{FEFF}\(text)".data(using: encoding))
      #expect(try PropertyList(bytes: bytes).content == "é😀")
    }
    let marked = "\u{FEFF}" + Self.document("<string>é😀</string>")
    #expect(try PropertyList(bytes: marked.utf8).content == "é😀")
    let latin = try #require(
      Self.document("<string>é</string>", encoding: "ISO-8859-1").data(using: .isoLatin1))
    #expect(latin.contains(0xE9))
    #expect(try PropertyList(bytes: latin).content == "é")
  }

  @Test("are read across the pieces in which they are parsed")
  func readsLargeLists() throws {
    let text = String(repeating: "é\u{1}", count: 70_000)
    let list = try Self.read("<array><string>\(text)</string><true/></array>")
    #expect(list.content == [.string(text), true])
    #expect(list.forbiddenCharacters == 70_000)
  }
}
