import ArchiveReader
import Foundation
import TestSupport
import Testing

@Suite("Parts of XML property lists that several threads read")
struct XMLPropertyListPartsTests {
  /// An archive with objects of two classes, as archivers write it, and something among them.
  private static func archive(objectCount: Int, _ other: String = "", after: String = "") -> String
  {
    let objects = (0..<objectCount).map { number in
      let name =
        number % 2 == 0
        ? "even"
        : "odd & <é>\u{1}".replacing("&", with: "&amp;")
          .replacing("<", with: "&lt;")
      return """
        \t\t<dict>
        \t\t\t<key>$class</key>
        \t\t\t<dict>
        \t\t\t\t<key>CF$UID</key>
        \t\t\t\t<integer>\(1 + number % 2)</integer>
        \t\t\t</dict>
        \t\t\t<key>name \(number % 2)</key>
        \t\t\t<string>\(name) \(number)</string>
        \t\t\t<key>value</key>
        \t\t\t<array>
        \t\t\t\t<integer>\(number * 1_000_003)</integer>
        \t\t\t\t<real>\(Double(number) / 3)</real>
        \t\t\t\t<data>
        \t\t\t\tAQID
        \t\t\t\t</data>
        \t\t\t\t<true/>
        \t\t\t\t<dict/>
        \t\t\t\t<integer>18446744073709551615</integer>
        \t\t\t\t<date>2011-05-22T21:52:00Z</date>
        \t\t\t\t<string>\(String(repeating: "text ", count: number % 70))</string>
        \t\t\t</array>
        \t\t</dict>
        \(number == objectCount / 2 ? other : "")
        """
    }
    return XMLPropertyListReadersTests.document(
      """
      <dict>
      \t<key>$objects</key>
      \t<array>
      \(objects.joined(separator: "\n"))
      \t</array>
      \t<key>$top</key>
      \t<dict>
      \t\t<key>root</key>
      \t\t<true/>
      \t</dict>
      \(after)
      </dict>
      """)
  }

  @Test("give the list that one thread reads", arguments: [2, 3, 7, 40])
  func agree(partCount: Int) {
    for objectCount in [0, 1, 2, 9, 200] {
      let text = Self.archive(objectCount: objectCount)
      let comparison = XMLReaderComparison(text.utf8, partCount: partCount)
      #expect(comparison.outcome == .equal, "\(objectCount) objects")
    }
  }

  @Test(
    "are not taken over where they do not begin with an object of the archive",
    arguments: [
      // What seems to begin there is in an object, in a text, or in another array.
      "<dict><key>a</key><array>\n\t\t<dict>\n<key>b</key><true/></dict></array></dict>",
      "<array>\(String(repeating: "\n\t\t<dict>\n</dict>", count: 2_000))</array>",
      "<string>\(String(repeating: "\n\t\t&lt;dict>", count: 2_000))</string>",
    ])
  func refuseGuesses(other: String) {
    let text = Self.archive(
      objectCount: 40, other, after: "<key>b</key><array>\n\t\t<dict>\n</dict></array>")
    for partCount in 2..<12 {
      #expect(XMLReaderComparison(text.utf8, partCount: partCount).outcome == .equal)
    }
  }

  @Test(
    "are left to libxml2 as the whole is",
    arguments: [
      ("<!-- a -->", XMLReaderComparison.Outcome.handedOver),
      ("<string>a", .refused), ("</array>", .refused), ("</dict>", .refused),
      ("<integer>x</integer>", .refused),
    ])
  func leave(other: String, outcome: XMLReaderComparison.Outcome) {
    let text = Self.archive(objectCount: 60, other)
    for partCount in 2..<8 {
      #expect(XMLReaderComparison(text.utf8, partCount: partCount).outcome == outcome)
    }
  }

  @Test("keep to the limit on values, in which equal keys count once")
  func keepLimit() throws {
    let file = ByteStorage(Self.archive(objectCount: 50).utf8)
    let list = try #require(try PropertyList(file, with: .libxml2))
    for (limit, isTaken) in [(list.table.count, true), (list.table.count - 1, false)] {
      var limits = ReadingLimits.standard
      limits.values = limit
      let inParts = try PropertyList(file, with: .scanner(partCount: 4), limits: limits)
      #expect((inParts != nil) == isTaken)
    }
  }
}
