import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("convert run --salvage")
struct RunSalvageTests {
  /// A folder with a note, a note whose class is lost, and a reference that leads nowhere.
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.add("damaged.archive") { archive in
      let lost = archive.add(["$class": .uid(50), "title": archive.string("lost")])
      let note = archive.instance(
        of: "Note", ["title": archive.string("kept"), "next": .uid(60)])
      return archive.array([note, lost])
    }
    return folder
  }

  @Test("is offered by commands that have it alone, and says if it recovered nothing")
  func recoversNothing() throws {
    let folder = try TemporaryFolder(samples: "QuickRecord.archive")
    try folder.write("bplist00", to: "cut")
    let cut = "cut: the binary property list is truncated after 8 bytes"
    for (arguments, words) in [
      (["cut", "-o", "out.db"], "; --salvage may recover a part"),
      (["cut", "-o", "out.db", "--salvage"], "; nothing could be recovered"),
      (["infer", "cut", "-o", "out.yaml"], ""), (["inspect", "cut"], ""),
    ] {
      let result = try Program.run(arguments, in: folder.path)
      #expect(result.errors == cut + words + "\n")
      #expect(result.status == 2)
    }
    #expect(try folder.convert("QuickRecord.archive", "-o", "out.db").status == 0)
    #expect(try folder.convert("verify", "out.db", "cut").errors == cut + "\n")
  }

  @Test("adds what a run without it has left out, and that alone")
  func append() throws {
    let folder = try folder()
    try folder.addSample("Locations.archive", as: "sound.archive")
    let first = try folder.convert(
      "damaged.archive", "sound.archive", "-o", "out.db", "--on-error", "skip")
    #expect(first.status == 1)
    let second = try folder.convert(
      "damaged.archive", "sound.archive", "-o", "out.db", "--salvage", "--if-exists", "append")
    #expect(second.status == 1)
    try folder.store().expect(
      "SELECT path FROM _archive ORDER BY id", ["sound.archive", "damaged.archive"])
  }

  @Test("converts what can be read, lists the rest, and says that it is not all")
  func damaged() throws {
    let folder = try folder()
    let result = try folder.convert(
      "damaged.archive", "-o", "out.db", "--salvage", "--report", "report.json")
    #expect(result.status == 1)
    #expect(result.errors == "")
    #expect(
      result.output.masked == """
        Converted 1 archive in # s → out.db, # kB

        entity  archived objects  rows  values  links
        Note                   1     1       1      0

        Left behind: 2 unreachable objects.
        Collections: 1 under top-level keys or in other collections, with 1 link.

        Salvaged: 1 damaged archive; 2 parts could not be read.
          damaged.archive: refers to object 50, which does not exist (object 2, key $class)
          damaged.archive: refers to object 60, which does not exist (object 4, key next)

        """)
    let store = try folder.store()
    try store.expect("SELECT title, next FROM Note", ["kept|NULL"])
    try store.expect(
      "SELECT position, value_id, value FROM _collection_element",
      ["0|1|NULL", "1|NULL|NULL"])
    let report = try folder.text(of: "report.json")
    #expect(
      report.contains(
        """
              "damages" : [
                {
                  "key" : "$class",
                  "reason" : "refers to object 50, which does not exist (object 2, key $class)",
                  "uid" : 2
                },
        """))
  }

  @Test("is asked for: without it, the archive is rejected")
  func notAsked() throws {
    let folder = try folder()
    let result = try folder.convert("damaged.archive", "-o", "out.db")
    #expect(result.status == 2)
    #expect(
      result.errorLines == [
        "damaged.archive: refers to object 50, which does not exist "
          + "(object 2, key $class)"
      ])
    #expect(try folder.names() == ["damaged.archive"])
  }

  @Test(
    "makes the same store of a sound archive", arguments: ["MentalCase.archive", "Locations.xml"])
  func sound(name: String) throws {
    let folder = try TemporaryFolder(samples: name)
    #expect(try folder.convert(name, "-o", "plain.db").status == 0)
    #expect(try folder.convert(name, "-o", "salvaged.db", "--salvage").status == 0)
    let tables = "SELECT sql FROM sqlite_schema ORDER BY name"
    let (plain, salvaged) = try (folder.store("plain.db"), folder.store("salvaged.db"))
    #expect(try plain.lines(tables) == salvaged.lines(tables))
    for table in try plain.lines("SELECT name FROM sqlite_schema WHERE type = 'table'")
    where !["_archive", "_run", "_report"].contains(table) {
      let rows = "SELECT * FROM \"\(table)\""
      #expect(try plain.lines(rows) == salvaged.lines(rows))
    }
  }

  @Test("rejects what nothing is left of, and goes on with the others")
  func nothingLeft() throws {
    let folder = try folder()
    try folder.write("bplist00 and no more", to: "short.archive")
    let result = try folder.convert(
      "short.archive", "damaged.archive", "-o", "out.db", "--salvage", "--on-error", "skip", "-q")
    #expect(result.status == 1)
    #expect(
      result.errorLines == [
        "short.archive: the binary property list is truncated after 20 bytes; nothing could be recovered",
        "damaged.archive: 2 parts could not be read",
      ])
    try folder.store().expect("SELECT path FROM _archive", "damaged.archive")
  }
}
