import ArchiveReader
import Foundation
import TestSupport
import Testing

@Suite("The memory that XML property lists take")
struct XMLPropertyListMemoryTests {
  /// A list in a file that is mapped, since it is large.
  private static func list(
    _ body: String, _ check: (PropertyList) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.file(named: "list.xml")
    let text = XMLPropertyListReadersTests.document(body)
    try #require(text.utf8.count > 1 << 20)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try check(try PropertyList(contentsOf: path))
  }

  @Test("does not grow with texts: they stay in the file")
  func leavesTexts() throws {
    let long = String(repeating: "é<>&\"'中", count: 1 << 17)
    let plain = long.filter { $0 != "<" && $0 != "&" }
    try Self.list("<array><string>\(plain)</string><string>a text</string></array>") { list in
      #expect(list.content == [.string(plain), "a text"])
      #expect(list.residentBytes < 64)
    }
    // Those with entities are kept without them.
    try Self.list("<string>\(plain)&amp;</string>") { list in
      #expect(list.content == .string(plain + "&"))
      #expect((0..<64).contains(list.residentBytes - plain.utf8.count))
    }
  }

  @Test("is four bytes for a UID, and five and four for each value for a dictionary")
  func isSmall() throws {
    let count = 10_000
    let objects = (0..<count).map { number in
      """
      <dict>
      <key>next</key><dict><key>CF$UID</key><integer>\(number)</integer></dict>
      <key>$class</key><dict><key>CF$UID</key><integer>1</integer></dict>
      </dict>
      """
    }
    try Self.list("<array>\(objects.joined(separator: "\n"))</array>") { list in
      guard case .array(let run) = list.table.value(of: list.top), run.count == count,
        case .dictionary(let keys, let values) = list.table.value(of: list.table[run, 7])
      else {
        Issue.record("the list is not the one that was written")
        return
      }
      #expect(keys.count == 2)
      #expect((0..<2).map { list.table.uid(of: list.table[values, $0]) } == [7, 1])
      // The array refers to each dictionary with four bytes more.
      #expect((0..<100).contains(list.residentBytes - count * (4 + 5 + 2 * 4)))
    }
  }
}
