import Foundation
import TestSupport
import Testing

@Suite("convert run, on damaged archives")
struct RunErrorPolicyTests {
  private static let cutOff =
    "the binary property list is truncated after 8 bytes; --salvage may recover a part"
  static let complaint =
    "in/2: the binary property list is truncated after 3000 bytes; --salvage may recover a part\n"

  /// A folder with a sound archive, a damaged and another sound one.
  private func threeArchives() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.addSample("QuickRecord.archive", as: "in/1")
    try folder.addDamagedSample(as: "in/2")
    try folder.addSample("Locations.archive", as: "in/3")
    return folder
  }

  @Test(
    "stops at the first one and writes nothing",
    arguments: [
      ["in/1", "in/2", "in/3"], ["in/1", "in/2", "in/3", "--on-error", "stop"],
      ["in", "--on-error", "stop"],
    ])
  func stops(arguments: [String]) throws {
    let folder = try threeArchives()
    let result = try Program.run(arguments + ["-o", "out.db"], in: folder.path)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.errors == Self.complaint)
    #expect(try folder.names() == ["in"])
  }

  @Test(
    "leaves it out whole and converts the others",
    arguments: [["in/1", "in/2", "in/3", "--on-error", "skip"], ["in"]])
  func skips(arguments: [String]) throws {
    let folder = try threeArchives()
    let result = try Program.run(arguments + ["-o", "out.db"], in: folder.path)
    #expect(result.status == 1)
    #expect(result.errors == Self.complaint)
    #expect(
      result.output.masked == """
        Converted 2 archives, rejected 1 in # s → out.db, # kB

        entity           archived objects  rows  values  links
        QuickRecord                     5     5      25      5
        TransactionType                 2     2       2      0
        Event                           6     6      23      0
        ──────────────────────────────────────────────────────
        all                            13    13      50      5

        Of the archives that were converted, nothing was left behind.
        Collections: 2 under top-level keys or in other collections, with 11 links.

        Rejected 1 archive:
          in/2

        """)
    let store = try folder.store()
    try store.expect("SELECT id, path FROM _archive", ["1|in/1", "2|in/3"])
    try store.expect(
      "SELECT * FROM _rows",
      [
        "1|1|QuickRecord|1|5", "2|1|TransactionType|1|2", "3|1|_collection|1|1", "4|2|Event|1|6",
        "5|2|_collection|2|2",
      ])
    try store.expectSound()
  }

  @Test("lists it once, though another breaks rules and the rest is converted anew")
  func listsOnce() throws {
    let folder = try TemporaryFolder()
    try folder.addNotes("in/1", ["title": "good"])
    try folder.addDamagedSample(as: "in/2")
    try folder.addNotes("in/3", ["title": "Bad"])
    try folder.write("text", to: "in/4")
    try folder.add("in/5") { _ in "no keyed archive" }
    try folder.write("bplist00", to: "in/6")
    try folder.write("entities: {Note: {attributes: {title: {pattern: '[a-z]+'}}}}", to: "m.yaml")
    let result = try folder.convert("in", "--mapping", "m.yaml", "-o", "out.db")
    #expect(result.status == 1)
    #expect(
      result.errors == Self.complaint
        + "in/3: object 2 (Note): Note.title: the text does not match the model's pattern\n"
        + "in/6: \(Self.cutOff)\n")
    #expect(result.output.hasPrefix("Converted 2 archives, rejected 3 in "))
    #expect(result.output.contains("\nNot converted: 1 file without keyed archives.\n"))
  }

  @Test("leaves no row of an archive whose damage lies behind sound objects")
  func leavesNoTrace() throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    try folder.add("damaged") { archive in
      let sound = archive.instance(of: "Sound", ["rank": 1])
      return archive.array([sound, archive.instance(of: "Torn", ["other": .uid(99)])])
    }
    let result = try folder.convert(
      "damaged", "Locations.archive", "-o", "out.db", "--on-error", "skip")
    #expect(result.status == 1)
    #expect(
      result.errors
        == "damaged: refers to object 99, which does not exist (object 3, key other)\n")
    let store = try folder.store()
    try store.expect("SELECT path FROM _archive", ["Locations.archive"])
    try store.expect("SELECT name FROM _class WHERE entity IS NOT NULL", ["Event"])
    try store.expect("SELECT name FROM sqlite_master WHERE name IN ('Sound', 'Torn')", [])
  }

  @Test("writes nothing if every archive is damaged, and names each")
  func rejectsAll() throws {
    let folder = try TemporaryFolder()
    try folder.addDamagedSample(as: "in/2")
    try folder.write("bplist00", to: "in/3")
    let result = try folder.convert("in", "-o", "out.db")
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(
      result.errors == Self.complaint + "in/3: \(Self.cutOff)\n")
    #expect(try folder.names() == ["in"])
  }
}
