import ArchiveReader
import Foundation
import Testing

@Suite("Malformed XML property lists")
struct MalformedXMLPropertyListTests {
  struct Damage: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var body: String
    var error: ArchiveError

    init(
      _ name: String, _ body: String, _ code: ArchiveError.Code, line: Int = 3,
      _ detail: String? = nil
    ) {
      testDescription = name
      self.body = body
      error = ArchiveError(code, at: .line(line, column: 0), name: detail)
    }
  }

  @Test(
    "give an error that names the line",
    arguments: [
      Damage("text in a <true/>", "<true>x</true>", .unexpectedText),
      Damage("text in a plist", "x", .unexpectedText, line: 4),
      Damage("text between elements", "<array>\n<true/> x\n</array>", .unexpectedText, line: 5),
      Damage("text before a key", "<dict>\nx<key>a</key><true/></dict>", .unexpectedText, line: 4),
      Damage("a key without a value", "<dict>\n<key>a</key>\n</dict>", .missingValue, line: 5),
      Damage(
        "two keys in a row", "<dict><key>a</key>\n<key>b</key><true/></dict>", .missingValue,
        line: 4),
      Damage(
        "two values in a row", "<dict><key>a</key><true/>\n<true/></dict>", .unexpectedElement,
        line: 4, "true"),
      Damage(
        "a value before a key", "<dict>\n<array/></dict>", .unexpectedElement, line: 4, "array"),
      Damage(
        "a key in an array", "<array>\n<key>a</key></array>", .unexpectedElement, line: 4, "key"),
      Damage("a key alone", "<key>a</key>", .unexpectedElement, "key"),
      Damage("two top values", "<true/>\n<dict/>", .unexpectedElement, line: 4, "dict"),
      Damage("a plist in a plist", "<array><plist/></array>", .unexpectedElement, "plist"),
      Damage("an unknown element", "<array>\n<null/></array>", .unexpectedElement, line: 4, "…"),
      Damage(
        "an element in a string", "<string>a\n<true/></string>", .unexpectedElement, line: 4, "true"
      ),
      Damage("an empty integer", "<integer/>", .badNumber, "integer"),
      Damage("a sign alone", "<integer>-</integer>", .badNumber, "integer"),
      Damage("two signs", "<integer>--1</integer>", .badNumber, "integer"),
      Damage("a prefix alone", "<integer>0x</integer>", .badNumber, "integer"),
      Damage("a sign behind a prefix", "<integer>0x-1</integer>", .badNumber, "integer"),
      Damage("a fraction", "<integer>1.5</integer>", .badNumber, "integer"),
      Damage("digits that no hexadecimal has", "<integer>0x1G</integer>", .badNumber, "integer"),
      Damage("words", "<array>\n<integer>seven</integer></array>", .badNumber, line: 4, "integer"),
      Damage(
        "more than 128 bits", "<integer>170141183460469231731687303715884105728</integer>",
        .badNumber, "integer"),
      Damage(
        "more than 128 bits below zero",
        "<integer>-170141183460469231731687303715884105729</integer>", .badNumber, "integer"),
      Damage("an empty real", "<real> </real>", .badNumber, "real"),
      Damage("a real with a comma", "<real>1,5</real>", .badNumber, "real"),
      Damage("data that is no base64", "<data>AQ*=</data>", .badData),
      Damage("data that is cut off", "<data>\nAQI\n</data>", .badData, line: 5),
      Damage("an empty date", "<date/>", .badDate),
      Damage("a month 13", "<date>2011-13-01T00:00:00Z</date>", .badDate),
      Damage("a day 0", "<date>2011-01-00T00:00:00Z</date>", .badDate),
      Damage("an hour 25", "<date>2011-01-01T25:00:00Z</date>", .badDate),
      Damage("a minute 60", "<date>2011-01-01T00:60:00Z</date>", .badDate),
      Damage("a second 61", "<date>2011-01-01T00:00:61Z</date>", .badDate),
      Damage("a date without a time", "<date>2011-01-01</date>", .badDate),
      Damage("a date with a fraction", "<date>2011-01-01T00:00:00.5Z</date>", .badDate),
      Damage("a date with a time zone", "<date>2011-01-01T00:00:00+01:00</date>", .badDate),
      Damage("a date with words in it", "<date>2011-01-01Tnoon:00:00:00Z</date>", .badDate),
      Damage("a date with other separators", "<date>2011:01:01-00T00Z00</date>", .badDate),
      Damage("a date with a sign in it", "<date>2011-01-+1T00:00:00Z</date>", .badDate),
      Damage("a date with separators doubled", "<date>2011--01-01T00:00:00Z</date>", .badDate),
    ])
  func namesTheLine(damage: Damage) {
    #expect(throws: damage.error) { try XMLPropertyListTests.read(damage.body) }
  }

  @Test(
    "that are no XML give the line at which it ends to be some",
    arguments: [
      ("an unclosed element", "<array>\n<true/>", 5), ("a wrong end tag", "<array>\n</dict>", 4),
      ("an unknown entity", "<array>\n<string>&secret;</string></array>", 4),
      ("a bare ampersand", "<string>a & b</string>", 3), ("an open comment", "<!-- a\n", 5),
      ("a forbidden character by number", "<string>\n&#1;</string>", 4),
      ("bytes that are no UTF-8", "<string>\n\u{0}</string>", 4),
    ])
  func namesTheLineOfMalformedXML(name: String, body: String, line: Int) {
    // A NUL stands for a byte that UTF-8 never has.
    let bytes = XMLPropertyListTests.document(body).utf8.map { $0 == 0 ? 0xFF : $0 }
    let error = #expect(throws: ArchiveError.self) { try PropertyList(bytes: bytes) }
    #expect(error?.code == .malformedXML || error?.code == .truncatedXML)
    guard case .line(line, _) = error?.position else {
      Issue.record("\(name): \(String(describing: error)), not line \(line)")
      return
    }
  }

  @Test(
    "that declare entities are refused before any is used",
    arguments: [
      #"<!ENTITY a "b">"#, #"<!ENTITY a SYSTEM "file:///etc/passwd">"#,
      #"<!ENTITY % a SYSTEM "http://localhost:1/a.dtd"> %a;"#,
      #"<!ENTITY a "&#38;a;"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">"#,
    ])
  func refusesEntities(declaration: String) {
    let text = """
      <?xml version="1.0"?>
      <!DOCTYPE plist [
      \(declaration)
      ]>
      <plist><string>&a;</string></plist>
      """
    let error = #expect(throws: ArchiveError.self) { try PropertyList(bytes: text.utf8) }
    #expect(error?.code == .entityDeclared)
    guard case .line(3, _) = error?.position else {
      Issue.record("\(String(describing: error)), not line 3")
      return
    }
  }

  @Test("are told from XML of other kinds")
  func tellsOtherXML() {
    for text in ["<?xml version='1.0'?>\n<html/>", "<!-- a -->\n<svg><true/></svg>"] {
      let error = ArchiveError(
        .notAnArchive, at: .line(2, column: 0), name: "XML, but not a property list")
      #expect(throws: error) { try PropertyList(bytes: text.utf8) }
    }
  }

  @Test("may hold no value at all", arguments: ["", "<!-- a -->"])
  func refusesNothing(body: String) {
    let error = #expect(throws: ArchiveError.self) { try XMLPropertyListTests.read(body) }
    #expect(error?.code == .noValue)
  }

  @Test("are limited in depth as the caller says")
  func limitsDepth() throws {
    let text = XMLPropertyListTests.document("<array><array/></array>")
    let limits = ReadingLimits(depth: 2)
    #expect(try PropertyList(bytes: text.utf8, limits: limits).content == [[]])
    let lower = ReadingLimits(depth: 1)
    #expect(throws: lower.exceeded(.depth, at: .line(3, column: 0))) {
      try PropertyList(bytes: text.utf8, limits: lower)
    }
  }
}
