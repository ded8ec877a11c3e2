import ArchiveReader
import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("Hostile XML")
struct HostileXMLTests {
  private static func error(_ text: String, _ limits: ReadingLimits = .standard) -> ArchiveError? {
    PropertyListWalk(text.utf8, limits: limits).error
  }

  private static func document(_ subset: String, _ body: String = "<true/>") -> String {
    "<?xml version=\"1.0\"?>\n<!DOCTYPE plist [\n\(subset)\n]>\n<plist>\(body)</plist>"
  }

  @Test("with entities that multiply is refused at the first of them")
  func refusesBillionLaughs() {
    let more = (1..<40).map { "<!ENTITY a\($0) \"&a\($0 - 1);&a\($0 - 1);\">" }
    let text = Self.document(
      (["<!ENTITY a0 \"lol\">"] + more).joined(separator: "\n"), "<string>&a39;</string>")
    #expect(Self.error(text)?.code == .entityDeclared)
  }

  @Test(
    "with entities that stand elsewhere is refused, and nothing is opened",
    arguments: [
      "<!ENTITY a SYSTEM \"FILE\">", "<!ENTITY a PUBLIC \"-//a//EN\" \"FILE\">",
      "<!ENTITY % a SYSTEM \"FILE\">\n%a;",
    ])
  func refusesExternalEntities(declaration: String) throws {
    // A pipe without a writer: who opens it for reading waits for ever.
    let folder = try TemporaryFolder()
    let pipe = folder.file(named: "pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let text = Self.document(declaration.replacing("FILE", with: pipe), "<string>&a;</string>")
    #expect(Self.error(text)?.code == .entityDeclared)
    let doctype = "<!DOCTYPE plist SYSTEM \"\(pipe)\"><plist><true/></plist>"
    #expect(Self.error(doctype) == nil)
  }

  @Test("with declarations of elements in great number is read in passing")
  func readsInternalSubsets() {
    let elements = (0..<20_000).map { "<!ELEMENT e\($0) (a|b|(c,d?)*)>" }.joined(separator: "\n")
    #expect(Self.error(Self.document(elements)) == nil)
    let comment = "<!--" + String(repeating: " -", count: 1 << 19) + " -->"
    #expect(Self.error(Self.document(comment)) == nil)
    #expect(Self.error(Self.document("<!NOTATION n SYSTEM \"n\">")) == nil)
  }

  /// As many attributes, declarations of attributes or of namespaces as are asked for.
  private static func repeated(_ pattern: String, _ count: Int) -> String {
    (0..<count).map { pattern.replacing("#", with: "\($0)") }.joined(separator: " ")
  }

  @Test("with attributes in great number is refused")
  func refusesManyAttributes() {
    var texts: [String] = []
    for (pattern, count) in [("a#=\"\"", 9), ("a#=\"\"", 200_000), ("xmlns:a#=\"b:c\"", 9)] {
      texts.append("<plist \(Self.repeated(pattern, count))><true/></plist>")
    }
    let long = String(repeating: "b", count: 1 << 18)
    texts.append("<plist a=\"\(long)\"><true/></plist>")
    texts.append(Self.document("<!ATTLIST array \(Self.repeated("a# CDATA \"\"", 65))>"))
    texts.append(Self.document(Self.repeated("<!ATTLIST array a# (b|c) \"b\">", 65)))
    for text in texts {
      #expect(Self.error(text)?.code == .tooManyAttributes, "\(text.prefix(60))")
    }
  }

  @Test("may have a few attributes")
  func readsFewAttributes() {
    let attributes = (0..<8).map { "a\($0)=\"\"" }.joined(separator: " ")
    #expect(Self.error("<plist \(attributes)><true \(attributes)/></plist>") == nil)
  }

  @Test("that nests 100,000 levels is refused at the limit, whatever nests")
  func refusesDepth() {
    for start in ["<array>", "<dict><key>a</key>"] {
      let text = "<plist>\n" + String(repeating: start + "\n", count: 100_000)
      let error = ReadingLimits.standard.exceeded(.depth, at: .line(514, column: 0))
      #expect(Self.error(text) == error)
    }
    let higher = ReadingLimits(depth: 1_000)
    let text =
      "<plist>" + String(repeating: "<array>", count: 1_000)
      + String(repeating: "</array>", count: 1_000) + "</plist>"
    #expect(Self.error(text)?.limit == .depth)
    #expect(Self.error(text, higher) == nil)
  }

  @Test("with texts, names and comments of a megabyte is read")
  func readsLargePieces() throws {
    let long = String(repeating: "x", count: 1 << 20)
    let body = "<array><string>\(long)</string><!--\(long)--><?a \(long)?></array>"
    #expect(try XMLPropertyListTests.read(body).content == [.string(long)])
    let name = "<array><\(long)/></array>"
    #expect(Self.error(XMLPropertyListTests.document(name)) != nil)
  }

  @Test("is refused where its values take more than the limits")
  func limitsMemory() {
    let body = "<array>" + String(repeating: "<true/>", count: 1_000) + "</array>"
    let text = XMLPropertyListTests.document(body)
    let values = ReadingLimits(values: 1_000)
    #expect(Self.error(text, values) == values.exceeded(.values, at: .line(3, column: 0)))
    #expect(Self.error(text, ReadingLimits(values: 1_001)) == nil)
    let long = XMLPropertyListTests.document(
      "<string>\(String(repeating: "x", count: 1_001))</string>")
    let bytes = ReadingLimits(xmlBytes: 1_000)
    #expect(Self.error(long, bytes)?.limit == .xmlBytes)
    #expect(Self.error(text, ReadingLimits(xmlBytes: 900))?.limit == .xmlBytes)
    #expect(Self.error(long, ReadingLimits(xmlBytes: 2_000)) == nil)
  }

  @Test("is refused at every length to which it is cut")
  func refusesEveryTruncation() throws {
    let xml = try MutationTests.sample().xml()
    let end = try #require(xml.range(of: Data("</plist>".utf8), options: .backwards)).upperBound
    #expect(PropertyListWalk(xml).error == nil)
    for length in Thoroughness.some(Array(0..<end), oneIn: 7) {
      #expect(PropertyListWalk(xml[..<length]).error != nil, "\(length) bytes")
    }
  }
}
