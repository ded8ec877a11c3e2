import ArchiveReader
import ArchiveWriter
import Testing

@Suite("Names that look the same")
struct ArchivedNameTests {
  /// Pairs of names that are equal to Swift, and differ in their bytes.
  static let pairs = [
    ("Caf\u{E9}", "Cafe\u{301}"), ("\u{3A9}", "\u{2126}"), ("Key", "\u{212A}ey"),
    ("\u{AC00}", "\u{1100}\u{1161}"), ("a\u{323}\u{307}", "a\u{307}\u{323}"),
    ("x;", "x\u{37E}"), ("$\u{E9}", "$e\u{301}"),
  ]

  @Test("are two texts, each of which leads back to its name", arguments: pairs)
  func texts(one: String, other: String) {
    #expect(one == other)
    #expect(ArchivedName.text(one) != ArchivedName.text(other))
    for name in [one, other] {
      #expect(Array(ArchivedName.plain(ArchivedName.text(name)).utf8) == Array(name.utf8))
      #expect(
        Array(ArchivedKey.plain(ArchivedKey.escaped(name)).utf8) == Array(name.utf8))
    }
  }

  @Test(
    "stay what they are where nothing else looks the same",
    arguments: ["", "Note", "\u{E9}t\u{E9}"])
  func usual(name: String) {
    #expect(ArchivedName.text(name) == name)
    #expect(ArchivedName.plain(name) == name)
  }

  @Test("are two keys to a coder", arguments: pairs)
  func coder(one: String, other: String) throws {
    struct Item: KeyedDecodable {
      static let archivedClassNames = ["Item"]
      var values: [Int] = []
      var keys: [[UInt8]] = []

      init(coder: KeyedCoder) throws {
        for pair in ArchivedNameTests.pairs {
          values += [
            try coder.decodeInteger(forKey: pair.0), try coder.decodeInteger(forKey: pair.1),
          ]
        }
        keys = coder.allKeys.map { Array($0.utf8) }
      }
    }
    let builder = KeyedArchiveBuilder.archive { archive in
      archive.instance(of: "Item", [KeyValue(one, 1), KeyValue(other, 2)])
    }
    let archive = try KeyedArchive(bytes: builder.binary())
    let unarchiver = KeyedUnarchiver(archive, options: UnarchivingOptions(types: [Item.self]))
    let found = try #require(try unarchiver.decodeRoot(of: Item.self))
    #expect(found.values.filter { $0 > 0 } == [1, 2])
    #expect(found.keys == [Array(one.utf8), Array(other.utf8)])
    let inspection = try ArchiveInspection(archive)
    #expect(inspection.classes.first?.keys.count == 2)
  }
}
