import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("Records and documents of convert run")
struct RunRecordsTests {
  /// A list of processes under `root`, each a dictionary with some of the keys.
  private func processes(_ range: Range<Int>) -> Data {
    var archive = KeyedArchiveBuilder()
    let list = range.map { number in
      var pairs: [(key: PropertyListValue, value: PropertyListValue)] = [
        (archive.string("name"), archive.string("p\(number)")),
        (archive.string("pid"), archive.number(number)),
      ]
      if number % 2 == 0 {
        let owner = archive.dictionary(
          keys: [archive.string("uid"), archive.string("shell")],
          values: [archive.number(number), archive.string("sh")])
        pairs.append((archive.string("owner"), owner))
      }
      return archive.dictionary(keys: pairs.map(\.key), values: pairs.map(\.value))
    }
    archive.setTop("root", archive.array(list))
    return archive.binary()
  }

  @Test("a list of dictionaries with the same keys is an entity with these keys as columns")
  func list() throws {
    let folder = try TemporaryFolder()
    try folder.write(processes(0..<3), to: "a")
    let result = try folder.convert("a", "-o", "out.db", "--verify", "--provenance")
    #expect(result.errors == "")
    #expect(
      result.output.masked == """
        Converted 1 archive in # s → out.db, # kB

        entity  archived objects  rows  values  links
        root                   3     3       6      2
        owner                  2     2       4      0
        ─────────────────────────────────────────────
        all                    5     5      10      2

        Nothing was left behind: every reachable value is in the store.
        Collections: 1 under top-level keys or in other collections, with 3 links.

        Verification passed: 10 values and 5 links compared.

        """)
    let store = try folder.store()
    try store.expect(
      "SELECT id, name, pid, owner_id FROM root",
      [
        "1|p0|0|1", "2|p1|1|NULL", "3|p2|2|2",
      ])
    try store.expect("SELECT * FROM owner", ["1|sh|0", "2|sh|2"])
    try store.expect(
      "SELECT position, value_id, value_type FROM _collection_element",
      ["0|1|root", "1|2|root", "2|3|root"])
    try store.expect("SELECT key, entity, row FROM _top", ["root|_collection|1"])
    try store.expect(
      "SELECT class, count(*) FROM _objects GROUP BY class", ["owner|2", "root|3"])
    try store.expectSound()
  }

  @Test("what was decided stays when archives are added, whatever they hold")
  func appended() throws {
    let folder = try TemporaryFolder()
    try folder.write(processes(0..<3), to: "a")
    try folder.write(processes(7..<8), to: "b")
    #expect(try folder.convert("b", "-o", "single.db", "--dictionaries", "pairs").status == 0)
    #expect(try folder.convert("a", "-o", "out.db").status == 0)
    #expect(try folder.append("b", to: "out.db").status == 0)
    try folder.store().expect("SELECT name, pid FROM root", ["p0|0", "p1|1", "p2|2", "p7|7"])
    #expect(try Program.run(["verify", "out.db", "a", "b"], in: folder.path).status == 0)
    // A store in which dictionaries are pairs gets no records.
    #expect(try folder.append("a", to: "single.db").status == 0)
    let single = try folder.store("single.db")
    try single.expect("SELECT name FROM sqlite_schema WHERE name = 'root'", [])
    #expect(try Program.run(["verify", "single.db", "a", "b"], in: folder.path).status == 0)
  }

  @Test("a changed value, a lost row and a changed reference of a record are found")
  func tampered() throws {
    let folder = try TemporaryFolder()
    try folder.write(processes(0..<3), to: "a")
    for change in [
      "UPDATE root SET name = 'x' WHERE id = 2", "DELETE FROM owner WHERE id = 2",
      "UPDATE root SET owner_id = 2 WHERE id = 1",
      "UPDATE _collection_element SET position = 5 - position",
    ] {
      #expect(try folder.convert("a", "-o", "out.db", "--if-exists", "replace").status == 0)
      try StoreEditor(folder.file(named: "out.db")).run(change)
      #expect(try Program.run(["verify", "out.db", "a"], in: folder.path).status == 1, "\(change)")
    }
  }

  @Test("a mapping lists the paths, as a draft does, and says what the classes become")
  func mapped() throws {
    let folder = try TemporaryFolder()
    try folder.write(processes(0..<3), to: "a")
    #expect(try Program.run(["infer", "a", "-o", "m.yaml"], in: folder.path).status == 0)
    let draft = try folder.text(of: "m.yaml")
    #expect(
      draft.contains("records:\n  - \"$top.root\"\n  - \"$top.root.owner\"\n"), "\(draft)")
    #expect(try folder.convert("a", "-o", "plain.db").status == 0)
    #expect(try folder.convert("a", "-o", "out.db", "--mapping", "m.yaml", "--verify").status == 0)
    let own: Set<String> = ["_archive", "_run", "_report"]
    #expect(
      try folder.store().content(except: own) == folder.store("plain.db").content(except: own))
    #expect(
      try Program.run(
        ["infer", "a", "-o", "c.yaml", "--model-output", "M.xcdatamodeld"], in: folder.path
      ).status == 0)
    let coreData = try folder.convert(
      "a", "-o", "cd.db", "--mapping", "c.yaml", "--layout", "coredata", "--verify")
    #expect(coreData.errors == "")
    #expect(coreData.output.contains("Nothing was left behind"))

    try folder.write(
      Data(
        """
        records: [$top.root, $top.root.ownr]
        classes: {root: Process}
        entities: {Process: {attributes: {number: {from: pid, type: integer32}}}}
        """.utf8), to: "own.yaml")
    let result = try folder.convert("a", "-o", "own.db", "--mapping", "own.yaml", "--verify")
    #expect(
      result.output.contains(
        "own.yaml:1:22: no dictionary with text keys is at '$top.root.ownr' "
          + "(did you mean '$top.root.owner'?)"), "\(result.output)")
    try folder.store("own.db").expect("SELECT number, name FROM Process", ["0|p0", "1|p1", "2|p2"])
  }

  @Test("values under top-level keys are columns of a row per archive")
  func documents() throws {
    let folder = try TemporaryFolder()
    for (name, count) in [("a", 3), ("b", 5)] {
      var archive = KeyedArchiveBuilder()
      archive.setTop("title", archive.string(name))
      archive.setTop("count", .integer(Int64(count)))
      try folder.write(archive.binary(), to: "in/\(name)")
    }
    #expect(try folder.convert("in", "-o", "out.db", "--verify").status == 0)
    try folder.store().expect(
      "SELECT title, count, path FROM Document JOIN _rows ON entity = 'Document' "
        + "AND Document.id BETWEEN first AND last JOIN _archive ON _archive.id = archive_id",
      ["a|3|in/a", "b|5|in/b"])
  }
}
