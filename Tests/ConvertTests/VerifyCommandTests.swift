import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("convert verify")
struct VerifyCommandTests {
  /// A folder with a sample archive and its store, `out.db`.
  private func folder(_ arguments: String...) throws -> TemporaryFolder {
    let folder = try TemporaryFolder(samples: "MentalCase.archive")
    let result = try Program.run(
      ["MentalCase.archive", "-o", "out.db", "-q"] + arguments, in: folder.path)
    #expect(result.status == 0)
    return folder
  }

  private func verify(
    _ folder: TemporaryFolder, _ arguments: String...
  ) throws -> Program.Result {
    try Program.run(["verify"] + arguments, in: folder.path)
  }

  @Test("says what was compared, and passes")
  func passes() throws {
    let folder = try folder()
    let result = try verify(folder, "out.db", "MentalCase.archive")
    #expect(
      result.output
        == "Verification passed: 167 values and 28 links compared.\n")
    #expect(result.errors == "")
    #expect(result.status == 0)
    let quiet = try verify(folder, "out.db", "MentalCase.archive", "--quiet")
    #expect(quiet.output == "")
    #expect(quiet.status == 0)
  }

  @Test("is incomplete, not passed, where something could not be compared")
  func incomplete() throws {
    let folder = try TemporaryFolder(samples: "QuickRecord.archive")
    try folder.write(
      "entities: {QuickRecord: {attributes: {seen: {expression: now()}}}}", to: "m.yaml")
    let run = try folder.convert(
      "QuickRecord.archive", "--mapping", "m.yaml", "-o", "out.db", "--verify")
    #expect(run.status == 0)
    let lines =
      "Verification incomplete: no differences were found, but 5 values and rows could not be compared; "
    let rest = "Not compared: QuickRecord.seen (5), because it differs each time"
    #expect(run.output.contains(lines) && run.output.contains(rest), "\(run.output)")
    let result = try folder.convert(
      "verify", "out.db", "QuickRecord.archive", "--report", "r.json", "--report", "r.md")
    #expect(result.status == 0)
    #expect(result.output.hasPrefix(lines) && result.output.contains(rest), "\(result.output)")
    #expect(try folder.text(of: "r.json").contains(#""status" : "incomplete""#))
    let verdict =
      "; the store was verified, except for 5 values and rows that could not be compared."
    #expect(try folder.text(of: "r.md").contains(verdict))
    let report = try folder.convert("report", "out.db")
    #expect(report.output.contains("Verification incomplete"), "\(report.output)")
  }

  @Test("is part of a run on request")
  func inRun() throws {
    let folder = try TemporaryFolder(samples: "MentalCase.archive")
    let result = try folder.convert(
      "MentalCase.archive", "-o", "out.db", "--verify", "--report", "r.json")
    #expect(result.status == 0)
    #expect(
      result.output.hasSuffix(
        "\n\nVerification passed: 167 values and 28 links compared.\n"))
    #expect(try folder.text(of: "r.json").contains(#""status" : "passed""#))
  }

  @Test("knows archives by their bytes, wherever they are")
  func movedArchive() throws {
    let folder = try folder()
    try FileManager.default.createDirectory(
      atPath: folder.file(named: "elsewhere"), withIntermediateDirectories: false)
    try FileManager.default.moveItem(
      atPath: folder.file(named: "MentalCase.archive"),
      toPath: folder.file(named: "elsewhere/notes"))
    let result = try verify(folder, "out.db", "elsewhere")
    #expect(result.status == 0)
  }

  @Test("names archive, object, row, column and both values of a difference")
  func difference() throws {
    let folder = try folder()
    try StoreEditor(folder.file(named: "out.db")).run("UPDATE MTNote SET ease = 7 WHERE id = 2")
    let result = try verify(folder, "out.db", "MentalCase.archive", "--report", "r.json")
    #expect(
      result.output == """
        Verification failed: 1 difference; 167 values and 28 links compared.
          MentalCase.archive: object 27, MTNote 2, ease: expected 1.75, found 7.0

        """)
    #expect(result.status == 1)
    let report = try folder.text(of: "r.json")
    #expect(report.contains(#""status" : "failed""#))
    #expect(report.contains(#""property" : "ease""#))
  }

  @Test("takes archives with the same bytes for one, as a run does")
  func duplicates() throws {
    let folder = try TemporaryFolder(samples: "QuickRecord.archive")
    try folder.addSample("QuickRecord.archive", as: "copy")
    #expect(try folder.convert("QuickRecord.archive", "copy", "-o", "out.db").status == 0)
    let result = try folder.convert("verify", "out.db", "QuickRecord.archive", "copy")
    #expect(result.status == 0, "\(result)")
  }

  @Test("writes the report of the store, with the result")
  func report() throws {
    let folder = try TemporaryFolder(samples: "QuickRecord.archive")
    try folder.write("damaged", to: "in/b.plist")
    try folder.addDamagedSample(as: "in/c.plist")
    try folder.addSample("QuickRecord.archive", as: "in/a.plist")
    #expect(try folder.convert("in", "-o", "out.db").status == 1)
    func verdict(_ inputs: String) throws -> (Int32?, String) {
      let result = try folder.convert("verify", "out.db", inputs, "--report", "r.md", "-q")
      let text = String(decoding: try folder.contents(of: "r.md"), as: UTF8.self)
      #expect(text.contains("| `QuickRecord` | 5 | 5 | 25 | 5 |"))
      return (result.status, text.split(separator: "\n").first.map(String.init) ?? "")
    }
    #expect(
      try verdict("in/a.plist") == (0, "# The archive was compared; the store is verified."))
    #expect(try verdict("in").0 == 1)
  }

  @Test("says why it ends with 1 though what it compared is the same")
  func rejectedInput() throws {
    let folder = try folder()
    try folder.addDamagedSample(as: "cut")
    let result = try verify(folder, "out.db", "MentalCase.archive", "cut")
    #expect(result.status == 1)
    #expect(
      result.output.hasSuffix(
        " compared.\n\nRejected 1 archive:\n  cut\n"))
  }

  @Test("tells of archives that only the store has, or only the inputs")
  func otherArchives() throws {
    let folder = try folder()
    try folder.addSample("Events.archive")
    let more = try verify(folder, "out.db", "MentalCase.archive", "Events.archive")
    #expect(more.status == 1)
    #expect(more.output.hasSuffix("  Events.archive: is not in the store\n"))
    let other = try verify(folder, "out.db", "Events.archive")
    #expect(other.status == 1)
    #expect(
      other.output.contains(
        "MentalCase.archive: was converted, but is not among the inputs"))
    #expect(
      other.output.hasSuffix(
        """
        Not compared: _run (1), because none of its archives is among the inputs.
        Not compared: sqlite_schema (21), because the archives of a run, or the code that made its rows, \
        are missing.

        """))
  }

  @Test("says of an archive that could not be converted why it could not, as the run did")
  func unconverted() throws {
    let folder = try TemporaryFolder(samples: "QuickRecord.archive")
    try folder.addSample("QuickRecord.archive", as: "in/a.plist")
    // It opens, but one of its objects has no class.
    let torn = HostileFile.archive { $0.instance(of: "Torn", ["other": .uid(.max)]) }
    try folder.write(torn, to: "in/b.plist")
    let made = try folder.convert("in", "-o", "out.db")
    #expect(made.status == 1)
    let result = try folder.convert("verify", "out.db", "in")
    #expect(result.status == 1)
    #expect(result.errors == made.errors)
    #expect(result.output.matches(of: /Verification passed/).count == 1)
  }

  @Test("compares what runs have added, one after the other")
  func runs() throws {
    let folder = try folder()
    try folder.addSample("Events.archive")
    let added = try folder.convert(
      "Events.archive", "-o", "out.db", "--if-exists", "append", "--verify", "--provenance", "-q")
    #expect(added.status == 0)
    let result = try verify(folder, "out.db", "MentalCase.archive", "Events.archive")
    #expect(result.status == 0)
    try StoreEditor(folder.file(named: "out.db")).run("DELETE FROM Event WHERE id = 1999")
    let changed = try verify(folder, "out.db", "MentalCase.archive", "Events.archive")
    #expect(changed.status == 1)
    #expect(changed.output.contains(", Event 1999: expected a row, found nothing\n"))
  }

  @Test("finds a model beside a mapping that has moved, and takes no other")
  func movedModel() throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    try folder.addSample("Locations.yaml", as: "m.yaml")
    let text = try folder.text(of: "m.yaml")
    try folder.addSampleModel("Locations")
    let run = try folder.convert(
      "Locations.archive", "--mapping", "m.yaml", "-o", "out.db", "--verify", "-q")
    #expect(run.status == 0)
    try FileManager.default.createDirectory(
      atPath: folder.file(named: "later"), withIntermediateDirectories: false)
    for name in ["m.yaml", "Locations.xcdatamodeld"] {
      try FileManager.default.moveItem(
        atPath: folder.file(named: name), toPath: folder.file(named: "later/\(name)"))
    }
    let lost = try verify(folder, "out.db", "Locations.archive")
    #expect(lost.status == 2)
    #expect(lost.errors.hasPrefix("Locations.xcdatamodeld: "))
    let found = try verify(folder, "out.db", "Locations.archive", "--mapping", "later/m.yaml")
    #expect(found.status == 0)
    let named = try verify(
      folder, "out.db", "Locations.archive", "--model", "later/Locations.xcdatamodeld")
    #expect(named.status == 0)
    try folder.write(text + "stripPrefix: X\n", to: "later/m.yaml")
    let changed = try verify(folder, "out.db", "Locations.archive", "--mapping", "later/m.yaml")
    #expect(changed.status == 2)
    #expect(changed.errors == "later/m.yaml: is not the mapping that the store was made with\n")
  }

  @Test("refuses a model where the store was made without one")
  func needlessModel() throws {
    let folder = try folder()
    let result = try verify(folder, "out.db", "MentalCase.archive", "--model", "M.xcdatamodeld")
    #expect(result.status == 2)
    #expect(result.errors == "M.xcdatamodeld: the store was made without a model\n")
  }

  @Test(
    "is refused where there is no store of this program's",
    arguments: [
      ("no.db", "no.db: cannot be read: No such file or directory\n"),
      (
        "MentalCase.archive",
        "MentalCase.archive: is a keyed archive: convert it with 'archive-convert run', or see 'inspect'\n"
      ),
      (
        "other.db",
        "other.db: cannot be read: it is not a store of a conversion: it has no table _run\n"
      ),
    ])
  func noStore(name: String, message: String) throws {
    let folder = try folder()
    try folder.write("", to: "other.db")
    let result = try verify(folder, name, "MentalCase.archive")
    #expect(result.errors == message)
    #expect(result.status == 2)
  }

  @Test("never writes a report over the store or an archive", arguments: ["out.db", "a.json"])
  func reportOverInput(name: String) throws {
    let folder = try folder()
    try FileManager.default.copyItem(
      atPath: folder.file(named: "out.db"), toPath: folder.file(named: "out.json"))
    try FileManager.default.copyItem(
      atPath: folder.file(named: "MentalCase.archive"), toPath: folder.file(named: "a.json"))
    let report = name == "out.db" ? "out.json" : name
    let before = try folder.contents(of: report)
    let result = try verify(folder, "out.json", "a.json", "--report", report)
    #expect(result.status == 2)
    #expect(try folder.contents(of: report) == before)
  }

  @Test(
    "ends in a result or an error whatever a store holds",
    arguments: [
      "DROP TABLE _top", "DROP TABLE MTNote", "DROP TABLE _class", "DROP TABLE _collection",
      "DROP VIEW MTModelObject; ALTER TABLE MTNote DROP COLUMN title",
      "UPDATE _run SET options = 'x'",
      "UPDATE _run SET last_archive = 9223372036854775807", "DELETE FROM _run",
      "UPDATE _archive SET id = 9223372036854775806", "DELETE FROM _archive",
      "UPDATE _rows SET last = 9223372036854775807", "UPDATE _rows SET archive_id = -5",
      "UPDATE _archive SET sha256 = 'x'; UPDATE _rows SET last = 9223372036854775807",
      "INSERT INTO MTNote (id) VALUES (-5), (9223372036854775807)",
      "DROP TABLE MTNote; CREATE TABLE MTNote (id, title, container_id)",
      "DROP TABLE _rows; CREATE TABLE _rows (archive_id, entity, first, last)",
      "DROP TABLE MTNote; CREATE VIEW MTNote AS SELECT * FROM MTFolder",
      #"UPDATE _run SET options = '{"limits":{"depth":9223372036854775807,"values":-1}}'"#,
      #"UPDATE _run SET options = '{"completedPasses":-1}'; DELETE FROM _top"#,
    ])
  func hostileStore(change: String) throws {
    let folder = try folder()
    try StoreEditor(folder.file(named: "out.db")).run(change)
    let result = try verify(folder, "out.db", "MentalCase.archive")
    #expect(result.signal == nil)
    #expect([1, 2].contains(result.status), "\(result)")
  }
}
