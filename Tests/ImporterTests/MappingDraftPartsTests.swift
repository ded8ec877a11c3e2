import ArchiveWriter
import Importer
import Testing

@Suite("Parts of drafts of mapping files")
struct MappingDraftPartsTests {
  /// Folders whose notes point back at them.
  private static func library(
    notes counts: [Int], others: Int = 0, last: PropertyListValue? = nil
  ) -> KeyedArchiveBuilder {
    .archive { archive in
      let folders = counts.map { _ in archive.reserve() }
      for (folder, count) in zip(folders, counts) {
        let notes = (0..<count).map { _ in
          archive.instance(of: "Note", ["folder": folder.reference])
        }
        archive.fill(folder, className: "Folder", ["notes": archive.array(notes)])
      }
      let more = (0..<others).map { _ in
        archive.instance(of: "Note", ["folder": folders[0].reference])
      }
      let rest = last.map { [archive.instance(of: "Folder", ["notes": $0])] } ?? []
      return archive.array(folders.map(\.reference) + more + rest)
    }
  }

  @Test(
    "An inverse is explained by what was counted",
    arguments: [
      ([2, 1], 0, nil, "all 3 members of 2 arrays hold their owner under 'folder'"),
      ([1], 0, nil, "the only member of 1 array holds its owner under 'folder'"),
      (
        [1, 1], 0, PropertyListValue.none,
        "all 2 members of the arrays hold their owner under 'folder'"
      ),
      (
        [2], 1, nil,
        "all 2 members of 1 array hold their owner under 'folder'; 1 more object holds one whose "
          + "array it is not in"
      ),
      (
        [2], 2, nil,
        "all 2 members of 1 array hold their owner under 'folder'; 2 more objects hold one whose "
          + "array it is not in"
      ),
    ])
  func inverses(
    counts: [Int], others: Int, last: PropertyListValue?, evidence: String
  ) throws {
    let lines = try DraftedArchive(Self.library(notes: counts, others: others, last: last))
      .section("entities")
    #expect(lines.joined(separator: "\n").replacing("\n      # ", with: " ").contains(evidence))
  }

  @Test("A key under which different things stand has an entry in each section")
  func mixedKeys() throws {
    let found = try DraftedArchive(
      .archive { archive in
        let things = (0..<4).map { _ in archive.reserve() }
        let one = things[0].reference
        archive.fill(things[0], className: "Thing", ["": 1, "x": "text", "y": one])
        archive.fill(things[1], className: "Thing", ["": 1, "x": one, "y": archive.array([one])])
        archive.fill(things[2], className: "Thing", ["": 1, "x": archive.array([1]), "y": .none])
        return archive.array(things.prefix(3).map(\.reference))
      })
    #expect(
      found.section("entities") == [
        "  # 3 objects of class Thing", "  Thing:", "    complete: true", "    attributes:",
        "      _: {from: [\"\"], type: integer}  # whole number, in 3 of 3 objects",
        "      x: {type: string}  # text, object or array, in 3 of 3 objects", "    relationships:",
        "      x: {to: Thing, toMany: false}  # text, object or array, in 3 of 3 objects; 1 object",
        "      \"y\":",
        "        - {to: Thing, toMany: false}  # object, array or nil, in 3 of 3 objects; 1 object",
        "        - {to: Thing, toMany: true, ordered: true}"
          + "  # object, array or nil, in 3 of 3 objects; 1 member",
        "    collections:",
        "      x: {ordered: true, values: integer}"
          + "  # text, object or array, in 3 of 3 objects; of whole number",
      ])
    try found.expectReadable()
  }

  @Test("Names that YAML would take for something else, or not at all, stand in quotes")
  func names() throws {
    let names: [(key: String, written: String)] = [
      ("null", "\"null\""), ("Off", "\"Off\""), ("-", "\"-\""), ("1", "\"1\""), ("*", "\"*\""),
      ("_a9", "_a9"), ("ключ", "\"ключ\""), (" ", "\" \""), ("{a: 'b'} #", "\"{a: 'b'} #\""),
      ("a\u{1B}\u{85}\u{202E}\u{F8FF}", "\"a\\x1B\\x85\\u202E\u{F8FF}\""),
      ("b\u{E0001}", #""b\U000E0001""#), ("\t\r\n\\\"", #""\t\r\n\\\"""#),
    ]
    let archive = KeyedArchiveBuilder.archive { archive in
      archive.instance(of: "a: #b\u{2028}", names.map { KeyValue($0.key, 1) })
    }
    let found = try DraftedArchive(archive)
    #expect(
      found.section("entities")
        == [
          #"  # 1 object of class a: #b\u2028"#, #"  "a: #b\u2028":"#, "    complete: true",
          "    attributes:",
        ]
        + names.map { "      \($0.written): {type: integer}  # whole number, in 1 of 1 object" })
    try found.expectReadable()
  }

  @Test("A name that is too long for a line has one of its own")
  func longNames() throws {
    let key = String(repeating: "k", count: 1_100)
    let found = try DraftedArchive(
      .archive { archive in archive.instance(of: key, [KeyValue(key, 1)]) })
    #expect(
      found.section("entities").dropFirst(2) == [
        "  ? \(key)", "  :", "    complete: true", "    attributes:", "      ? \(key)",
        "      : {type: integer}  # whole number, in 1 of 1 object",
      ])
    try found.expectReadable()
  }

  @Test("What is said besides")
  func options() throws {
    let found = try DraftedArchive(.of("Note") { _ in [:] })
    let text = found.draft {
      $0.fileName = "it's.yaml"
      $0.archiveNames = (1...6).map { "a\($0)\n.plist" }
      $0.model = "Notes.xcdatamodeld"
      $0.modelDigest = "abc+/="
    }
    #expect(
      text == #"""
        # How archived objects become rows of a store: a mapping for archive-convert.
        #
        # Drafted from 6 archives: a1\n.plist, a2\n.plist, a3\n.plist, a4\n.plist, a5\n.plist, 1
        # more.
        # It fills the entities of Notes.xcdatamodeld. Edit it as needed, then run
        #
        #   archive-convert INPUT... --mapping 'it'\''s.yaml' -o STORE
        #
        # The comments say what was found: "in 3 of 4 objects" means that 3 of them have the key.

        model: "Notes.xcdatamodeld"
        modelDigest: "abc+/="

        classes:
          Note: Note

        entities:
          # 1 object of class Note
          Note:
            complete: true

        """#)
  }
}
