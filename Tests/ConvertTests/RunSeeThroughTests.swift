import ArchiveWriter
import TestSupport
import Testing

@Suite("Wrappers that convert run sees through")
struct RunSeeThroughTests {
  private static let options = ["--see-through", "Box", "--see-through", "Weak"]

  /// A library whose notes are in a box, refer back weakly, and have titles in boxes.
  private func library(in folder: TemporaryFolder) throws {
    try folder.add("a") { archive in
      let library = archive.reserve()
      let notes = (0..<3).map { number in
        let back = archive.instance(of: "Weak", ["object": library.reference])
        let title = archive.instance(of: "Box", ["value": archive.string("T\(number)")])
        return archive.instance(
          of: "Note", ["owner": back, "title": title, "empty": archive.instance(of: "Box")])
      }
      let list = archive.instance(
        of: "Box", ["none": .uid(0), "list": archive.array(notes)])
      let chain = archive.instance(of: "Box", ["value": list])
      return archive.fill(library, className: "Library", ["notes": chain])
    }
  }

  @Test("are replaced by what they hold, and counted")
  func replaced() throws {
    let folder = try TemporaryFolder()
    try library(in: folder)
    let result = try Program.run(
      ["a", "-o", "out.db", "--verify", "--report", "r.json"] + Self.options, in: folder.path)
    #expect(result.errors == "")
    #expect(
      result.output.masked == """
        Converted 1 archive in # s → out.db, # kB

        entity   archived objects  rows  values  links
        Library                 1     1       0      3
        Box                     3     3       0      0
        Note                    3     3       3      6
        ──────────────────────────────────────────────
        all                     7     7       3      9

        Nothing was left behind: every reachable value is in the store.
        Seen through: 8 wrappers, each replaced by what it holds.

        Verification passed: 3 values and 9 links compared.

        """)
    let store = try folder.store()
    try store.expect(
      "SELECT title, owner_id, notes_position, empty_id FROM Note",
      ["T0|1|0|1", "T1|1|1|2", "T2|1|2|3"])
    try store.expect(
      "SELECT name, entity FROM _class",
      ["Library|Library", "Box|Box", "NSArray|NULL", "Note|Note", "Weak|NULL"])
    try store.expectSound()
    let report = try folder.text(of: "r.json")
    #expect(report.contains("\"seenThrough\" : 8"), "\(report)")
    #expect(try Program.run(["verify", "out.db", "a"], in: folder.path).status == 0)
    try StoreEditor(folder.file(named: "out.db")).run("UPDATE Note SET title = 'x' WHERE id = 2")
    #expect(try Program.run(["verify", "out.db", "a"], in: folder.path).status == 1)
  }

  @Test("are part of the request, and named by drafts and mappings")
  func mapping() throws {
    let folder = try TemporaryFolder()
    try library(in: folder)
    let drafted = try Program.run(["infer", "a", "-o", "m.yaml"] + Self.options, in: folder.path)
    #expect(drafted.status == 0)
    #expect(try folder.text(of: "m.yaml").contains("\nseeThrough:\n  - Box\n  - Weak\n"))
    #expect(try folder.convert("a", "-o", "out.db", "--mapping", "m.yaml", "--verify").status == 0)
    #expect(
      try Program.run(["a", "-o", "plain.db"] + Self.options, in: folder.path).status == 0)
    let own: Set<String> = ["_archive", "_run", "_report"]
    #expect(
      try folder.store().content(except: own) == folder.store("plain.db").content(except: own))
    #expect(try Program.run(["verify", "out.db", "a"], in: folder.path).status == 0)
    // The same request converts nothing again, another one does.
    let again = ["a", "-o", "plain.db", "--if-exists", "append", "-q"]
    #expect(try Program.run(again + Self.options, in: folder.path).status == 0)
    try folder.store("plain.db").expect("SELECT count(*) FROM _archive", ["1"])
    #expect(try Program.run(again + ["--see-through", "Weak"], in: folder.path).status == 0)
    try folder.store("plain.db").expect("SELECT count(*) FROM _archive", ["2"])
    #expect(try Program.run(["verify", "plain.db", "a"], in: folder.path).status == 0)
  }

  @Test("of a class that no archive has are told, by run, infer and check")
  func unused() throws {
    let folder = try TemporaryFolder()
    try library(in: folder)
    let result = try folder.convert("a", "-o", "out.db", "--see-through", "Bax")
    #expect(result.status == 0)
    #expect(
      result.output.hasSuffix(
        """

        Options: 1 name matches nothing in the archives.
          --see-through: no archive has a class 'Bax' (did you mean 'Box'?)

        """), "\(result.output)")
    let drafted = try folder.convert("infer", "a", "-o", "draft.yaml", "--see-through", "Bax")
    #expect(drafted.status == 0)
    #expect(
      drafted.errorLines == ["--see-through: no archive has a class 'Bax' (did you mean 'Box'?)"])
    try folder.write("seeThrough: [Box, Wek]\n", to: "m.yaml")
    let checked = try folder.convert("check", "m.yaml", "a")
    #expect(checked.status == 1)
    #expect(
      checked.errorLines == ["m.yaml:1:19: no archive has a class 'Wek' (did you mean 'Weak'?)"])
  }
}
