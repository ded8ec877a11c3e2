import ArchiveReader
import Foundation
import TestSupport
import Testing

@Suite("The two readers of XML property lists")
struct XMLPropertyListReadersTests {
  private static let declaration = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
  private static let documentType =
    #"<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "#
    + #""http://www.apple.com/DTDs/PropertyList-1.0.dtd">"# + "\n"

  /// A document as an archiver writes it.
  static func document(_ body: String) -> String {
    "\(declaration)\(documentType)<plist version=\"1.0\">\n\(body)\n</plist>\n"
  }

  /// A noncharacter that `PropertyList.XMLForbiddenCharacters` uses.
  static let noncharacter = String(decoding: [0xFDD0] as [UInt16], as: UTF16.self)

  /// Elements that the scanner knows.
  static let known = [
    "<string/>", "<string></string>", "<string>short</string>", "<string>a longer text</string>",
    "<string>é中😀\u{FFFD}\u{10FFFF}\u{E000}\u{D7FF}\u{7F}\u{80}</string>",
    "<string>&amp;&lt;&gt;&quot;&apos;&#65;&#x42;&#x1F600;&#xd;&#9;</string>",
    "<string>a\tb\nc\r\nd\re &amp;\r</string>", "<string>]] a]> ]>] ] ></string>",
    "<string>a\u{1}b\u{1B}\u{0}</string>", "<string>\(noncharacter)</string>",
    "<string>&#xFDD0;</string>",
    "<string>\(String(repeating: "x", count: 255))</string>",
    "<string>\(String(repeating: "é", count: 128))</string>",
    "<string>\(String(repeating: "y", count: 70_000))</string>",
    "<true/>", "<false/>", "<array/>", "<array></array>", "<dict/>", "<dict>\r\n</dict>",
    "<array>\n<true/>\n\t<array>\n\t\t\t\t\t\t\t\t\t\t<false/></array> </array>",
    "<dict><key>a</key><true/><key>a</key><false/><key/><dict/></dict>",
    "<dict><key>a&amp;é\u{2}\r</key><string>a</string></dict>",
    "<array><dict><key>b</key><true/></dict><dict><key>b</key><string>x</string></dict></array>",
    "<integer>0</integer>", "<integer>255</integer>", "<integer>256</integer>",
    "<integer>-1</integer>", "<integer> +007\n</integer>", "<integer>0x1F</integer>",
    "<integer>999999999999999999</integer>", "<integer>9223372036854775807</integer>",
    "<integer>-9223372036854775808</integer>", "<integer>18446744073709551615</integer>",
    "<integer>170141183460469231731687303715884105727</integer>",
    "<real>0</real>", "<real>-0.0</real>", "<real>1.5</real>", "<real> 2.5\r</real>",
    "<real>565851816.237219</real>", "<real>0.1</real>", "<real>9007199254740993</real>",
    "<real>123456789012345678.9</real>", "<real>1e400</real>", "<real>5e-324</real>",
    "<real>.5</real>", "<real>5.</real>", "<real>-inf</real>", "<real>0.00000000000000001</real>",
    "<date>2011-05-22T21:52:00Z</date>", "<date> -0044-03-15T12:00:00Z\n</date>",
    "<data/>", "<data>\n</data>", "<data>AQ==</data>", "<data>AQI=</data>", "<data>AQ==\n\t</data>",
    "<data>\n\tAQID\n\tBA\n==</data>", "<data>AR==</data>", "<data>+/+/</data>",
    "<data>\(String(repeating: "QUJD", count: 100))</data>",
    "<dict><key>CF$UID</key><integer>7</integer></dict>",
    "<dict>\n\t<key>CF$UID</key>\n\t<integer>268435455</integer>\n</dict>",
    "<dict><key>CF$UID</key><integer>268435456</integer></dict>",
    "<dict><key>CF$UID</key><integer>4294967295</integer></dict>",
    "<dict><key>CF$UID</key><integer>4294967296</integer></dict>",
    "<dict><key>CF$UID</key><integer> 7</integer></dict>",
    "<dict><key>CF$UID</key><integer>-7</integer></dict>",
    "<dict><key>CF$UID</key><string>7</string></dict>",
    "<dict><key>CF$UID</key><integer>7</integer><key>a</key><integer>7</integer></dict>",
    "<array><integer>1</integer><dict><key>CF$UID</key><integer>0</integer></dict></array>",
  ]

  @Test("agree on what the scanner knows", arguments: known)
  func agree(body: String) {
    #expect(XMLReaderComparison(Self.document(body).utf8).outcome == .equal)
  }

  @Test(
    "agree on what may stand around the values",
    arguments: [
      "<plist><true/></plist>", "<plist version=\"1.0\"><true/></plist> \r\n\t",
      "\u{FEFF}\(document("<true/>"))",
      document("<true/>").replacingOccurrences(of: "\n", with: ""),
      document("<true/>").replacingOccurrences(of: "\n", with: "\r\n"),
      document("<true/>").replacingOccurrences(of: "Apple//", with: "Apple Computer//"),
      document("<true/>").replacingOccurrences(of: "UTF-8", with: "utf-8"),
    ])
  func agreeOnFrames(document: String) {
    #expect(XMLReaderComparison(document.utf8).outcome == .equal)
  }

  @Test(
    "leave to libxml2 what archivers do not write",
    arguments: [
      "<string>a<!-- b --></string>", "<!-- a --><true/>", "<string><![CDATA[a]]></string>",
      "<?a b?><true/>", "<true></true>", "<true />", "<string a=\"\">b</string>",
      "<string>a</string >", "<string>\u{1}\(noncharacter)</string>",
      "<string>\u{1}&#64976;</string>",
      "<integer>&#49;</integer>", "<string>&#x000000000041;</string>",
      "<dict></dict><!-- a -->", "<plist><true/></plist>", "<data>&#65;Q==</data>",
    ])
  func handOver(body: String) {
    #expect(XMLReaderComparison(Self.document(body).utf8).outcome == .handedOver)
  }

  @Test(
    "leave other frames to libxml2",
    arguments: [
      "\n\(document("<true/>"))", "\(document("<true/>"))<!-- a -->",
      "<!-- a --><plist><true/></plist>",
      document("<true/>").replacingOccurrences(of: "UTF-8", with: "US-ASCII"),
      document("<true/>").replacingOccurrences(of: "-//Apple//", with: "-//Pear//"),
      "<true/>", "<array/>", "<plist version=\"1.1\"><true/></plist>", "<plist ><true/></plist>",
    ])
  func handOverFrames(document: String) {
    #expect(XMLReaderComparison(document.utf8).outcome == .handedOver)
  }

  @Test(
    "refuse the same",
    arguments: [
      "", "text", "<true/>text", "<true/><true/>", "<array><true/>", "<array></dict>",
      "<dict></array>", "</dict>", "</array>", "<dict><key>a</key></dict>", "<key>a</key>",
      "<dict><true/></dict>", "<dict><key>a</key><key>b</key><true/></dict>",
      "<array><key>a</key></array>", "<array>a</array>", "<array>\u{1}</array>", "<null/>",
      "<string>a", "<string>]]></string>", "<string>x]]]]></string>", "<string>&a;</string>",
      "<string>& </string>", "<string>&#1;</string>", "<string>&#x;</string>",
      "<string>&#xFFFE;</string>", "<string>&#xD800;</string>", "<string>&#x110000;</string>",
      "<string>&#-65;</string>", "<string>a</key>", "<string><true/></string>", "<integer/>",
      "<integer></integer>", "<integer>a</integer>", "<integer>1</real>", "<real>1,5</real>",
      "<date>2011-13-01T00:00:00Z</date>", "<data>A</data>", "<data>A=B=</data>",
      "<data>A===</data>", "<data>AQ*=</data>", "<dict><key>CF$UID</key></dict>",
      "<dict><key>CF$UID</key><integer>1</integer>", "<true/></plist><plist>",
      "<data>\u{1}AQ==</data>", "<integer>1\u{B}</integer>",
    ])
  func refuse(body: String) {
    #expect(XMLReaderComparison(Self.document(body).utf8).outcome == .refused)
  }

  @Test("refuse bytes that are no UTF-8")
  func refuseOtherBytes() {
    let sequences: [[UInt8]] = [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x9F, 0xBF],
      [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
      [0xEF, 0xBF, 0xBE], [0xEF, 0xBF, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98],
      [0xF4, 0x90, 0x80, 0x80],
      [0xF8, 0x88, 0x80, 0x80], [0xFF], [0xFE],
    ]
    for sequence in sequences {
      let text = Self.document("<string>a|b</string>").utf8
      let bytes = text.flatMap { $0 == UInt8(ascii: "|") ? sequence : [$0] }
      let outcome = XMLReaderComparison(bytes).outcome
      // libxml2 may take some of these; the scanner takes none.
      #expect(outcome == .refused || outcome == .handedOver, "\(sequence)")
    }
  }

  @Test("agree at every depth up to the limit, and beyond it")
  func agreeOnDepth() throws {
    let uid = "<dict><key>CF$UID</key><integer>1</integer></dict>"
    for (depth, isTaken) in [(511, true), (512, false)] {
      let start = String(repeating: "<array>", count: depth)
      let end = String(repeating: "</array>", count: depth)
      let outcome = XMLReaderComparison(Self.document(start + uid + end).utf8).outcome
      #expect(outcome == (isTaken ? .equal : .refused))
    }
  }

  @Test("agree on the samples and on real property lists, of which the scanner reads each")
  func agreeOnFiles() throws {
    var read = 0
    for path in Repository.sampleArchives + Repository.corpusFiles(in: "keyed-xml") {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      guard bytes.starts(with: Data("<?xml".utf8)) else { continue }
      let outcome = XMLReaderComparison(bytes).outcome
      #expect(outcome == .equal, "\(path)")
      read += 1
    }
    #expect(read > 0)
  }

  @Test("never differ on damaged property lists")
  func neverDiffer() throws {
    var outcomes: [XMLReaderComparison.Outcome] = []
    let short = Self.known.filter { $0.utf8.count < 1_000 }
    let whole = Self.document("<array>\n\(short.joined(separator: "\n\t"))</array>")
    let sample = String(decoding: try MutationTests.sample().xml(), as: UTF8.self)
    let elements = short.map(Self.document)
    for (seed, text) in ([sample, whole] + elements).enumerated() {
      var mutator = XMLMutator(text.utf8, seed: UInt64(seed))
      for _ in 0..<MutationCount.perFile(usual: 60) {
        let bytes = mutator.next()
        let outcome = XMLReaderComparison(bytes).outcome
        if case .different = outcome {
          Issue.record("\(outcome): \(String(decoding: bytes.prefix(4_000), as: UTF8.self))")
        }
        outcomes.append(outcome)
      }
    }
    for outcome in [XMLReaderComparison.Outcome.equal, .handedOver, .refused] {
      #expect(outcomes.contains(outcome))
    }
  }
}
