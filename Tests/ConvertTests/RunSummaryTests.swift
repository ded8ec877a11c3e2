import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("The summary of convert run")
struct RunSummaryTests {
  private func summary(
    of archive: Data, _ options: String..., named name: String = "archive"
  ) throws -> [String] {
    let folder = try TemporaryFolder()
    try folder.write(archive, to: name)
    let result = try Program.run([name, "-o", "out.db"] + options, in: folder.path)
    #expect(result.status == 0)
    #expect(result.errors == "")
    return result.output.masked.components(separatedBy: "\n\n")
  }

  @Test(
    "counts unreachable objects",
    arguments: [(1, "1 unreachable object"), (2, "2 unreachable objects")])
  func countsUnreached(count: Int, words: String) throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      for _ in 0..<count { _ = archive.add("lost") }
      return archive.instance(of: "Thing", ["rank": 1])
    }
    let parts = try summary(of: archive.binary())
    #expect(
      parts == [
        "Converted 1 archive in # s → out.db, # kB",
        """
        entity  archived objects  rows  values  links
        Thing                  1     1       1      0
        """,
        "Left behind: \(words).\n",
      ])
  }

  @Test("lists keys of the outermost dictionary that nothing reads, and counts what they refer to")
  func listsOtherKeys() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      _ = archive.add("lost")
      return archive.instance(of: "Thing", ["rank": 1])
    }
    guard case .dictionary(let pairs) = archive.propertyList() else {
      Issue.record("an archive is a dictionary")
      return
    }
    let others: [KeyValue] = [
      KeyValue("hidden", .uid(1)), KeyValue("$more", "text"),
      KeyValue("$top", ["root": .uid(1)]),
    ]
    let list = PropertyListValue.dictionary(pairs + others)
    for bytes in [
      BinaryPropertyListWriter().data(for: list), try XMLPropertyListWriter().data(for: list),
    ] {
      #expect(
        try Array(summary(of: bytes, "--verify").dropFirst(2)) == [
          "Left behind: 1 unreachable object.",
          "Unread keys: $archive.$more (1), $archive.$top (1), $archive.hidden (1).",
          "Verification passed: 1 value and 0 links compared.\n",
        ])
    }
  }

  @Test("tells of collections that several objects share")
  func countsShared() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let tags = archive.array(["a", "b"])
      return archive.array(
        (0..<3).map { _ in archive.instance(of: "Thing", ["tags": tags]) })
    }
    let parts = try summary(of: archive.binary())
    #expect(
      parts.last == """
        Nothing was left behind: every reachable value is in the store.
        Collections: 1 under top-level keys or in other collections, with 3 links.
        Shared: 2 collections held by several objects; each object has its own copy.

        """)
  }

  @Test("tells of values that could not be kept exactly, and where they are")
  func listsLosses() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      archive.instance(of: "Thing", ["name": .utf16([0x61, 0xD800, 0x62]), "rank": 1])
    }
    let parts = try summary(of: archive.binary())
    #expect(
      Array(parts.suffix(2)) == [
        """
        entity  archived objects  rows  values  links
        Thing                  1     1       2      0
        """,
        """
        Lossy: 1 value could not be kept exactly.
          Thing.name: an unpaired surrogate became U+FFFD: in archive object 1

        """,
      ])
  }

  @Test("tells of the same loss once, with how often it occurred")
  func groupsLosses() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      archive.array(
        (0..<12).map { _ in archive.instance(of: "Thing", ["name": .utf16([0xDC00])]) })
    }
    #expect(
      try summary(of: archive.binary()).last == """
        Lossy: 12 values could not be kept exactly.
          Thing.name: an unpaired surrogate became U+FFFD: 12 times, first in archive object 1

        """)
  }

  @Test(
    "shows ten kinds of losses, and all of them when it is verbose",
    arguments: [([], 10), (["-v"], 12)])
  func capsLosses(options: [String], count: Int) throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      archive.instance(
        of: "Thing", (0..<12).map { KeyValue("name\($0)", .utf16([0xDC00])) })
    }
    let folder = try TemporaryFolder()
    try folder.write(archive.binary(), to: "archive")
    let result = try Program.run(["archive", "-o", "out.db"] + options, in: folder.path)
    let lines = result.output.split(separator: "\n").drop { !$0.hasPrefix("Lossy: 12 values") }
    #expect(lines.count { $0.hasPrefix("  Thing.name") } == count)
    #expect((lines.last == "  … and 2 more: see a JSON report.") == (count < 12))
  }

  @Test("names value classes with objects that became rows")
  func listsOpaqueClasses() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let odd = archive.instance(of: "NSDate", ["NS.time": 1.5, "NS.zone": 2])
      return archive.instance(
        of: "Thing", ["odd": odd, "even": archive.date(secondsSince2001: 0)])
    }
    let parts = try summary(of: archive.binary())
    #expect(
      Array(parts.suffix(2)) == [
        """
        entity  archived objects  rows  values  links
        Thing                  1     1       1      1
        NSDate                 1     1       2      0
        ─────────────────────────────────────────────
        all                    2     2       3      1
        """,
        """
        Nothing was left behind: every reachable value is in the store.
        Kept as rows: objects of NSDate with unexpected keys or values; all others are stored as values.

        """,
      ])
  }

  @Test("says so if there are no objects")
  func hasNoObjects() throws {
    let archive = KeyedArchiveBuilder.archive { $0.string("alone") }
    let parts = try summary(of: archive.binary(), "--dictionaries", "pairs")
    #expect(parts[1] == "No objects: the archives hold only plain values.")
  }

  @Test("says so if nothing stands under a top-level key", arguments: [0, 1])
  func isEmpty(unreachable: Int) throws {
    var archive = KeyedArchiveBuilder()
    for _ in 0..<unreachable { _ = archive.add("lost") }
    let parts = try summary(of: archive.binary(), "--verify")
    #expect(parts[1] == "No objects: the archives have no top-level keys.")
    #expect(
      parts[2].hasSuffix(
        "Empty: 1 archive has no top-level keys, so nothing of it is in the store but its row in _archive."
      ))
  }

  @Test("counts archives in which nothing stands under a top-level key")
  func countsEmpty() throws {
    let folder = try TemporaryFolder()
    let empty = KeyedArchiveBuilder()
    try folder.write(empty.binary(), to: "a/one")
    try folder.write(try empty.xml(), to: "a/two")
    try folder.write(
      KeyedArchiveBuilder.archive { $0.instance(of: "Thing", ["rank": 1]) }.binary(), to: "a/three")
    let result = try Program.run(
      ["a", "-o", "out.db", "--verify", "--report", "r.json"], in: folder.path)
    #expect(result.status == 0)
    #expect(
      result.output.contains(
        "\nEmpty: 2 archives have no top-level keys, so nothing of them is in the store but their rows in "
          + "_archive.\n"))
    #expect(try folder.text(of: "r.json").matches(of: /"isEmpty" : true/).count == 2)
    let verified = try Program.run(["verify", "out.db", "a"], in: folder.path)
    #expect(verified.status == 0)
    #expect(verified.output.hasPrefix("Verification passed"))
  }

  @Test("tells of control characters that XML forbids but archives hold")
  func countsForbiddenCharacters() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      archive.instance(of: "Thing", ["name": archive.string("a\u{1}b\u{8}")])
    }
    let parts = try summary(of: try archive.xml())
    #expect(
      parts.last == """
        Nothing was left behind: every reachable value is in the store.
        Kept: 2 control characters that XML forbids.

        """)
  }
}
