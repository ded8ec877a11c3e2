import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("convert run --open-nested")
struct RunNestedTests {
  /// A folder with an archive that holds others in all forms.
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(try NestedArchives.allForms().binary(), to: "notes")
    return folder
  }

  @Test("counts the rows of a store and of the archives in it")
  func countsRowsOfStores() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Todo"><attribute name="title" optional="YES" attributeType="String"/>
      <attribute name="payload" optional="YES" attributeType="Transformable"/></entity></model>
      """, to: "M.xcdatamodel/contents")
    #expect(
      try folder.convert(
        "model", "M.xcdatamodel", "--create-store", "s.sqlite", "--layout", "coredata"
      ).status == 0)
    let leaf = KeyedArchiveBuilder.archive { $0.instance(of: "Leaf", ["name": "a"]) }.binary()
    let hex = leaf.map { String(format: "%02X", $0) }.joined()
    let editor = try StoreEditor(folder.file(named: "s.sqlite"))
    try editor.run(
      "INSERT INTO ZTODO (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZPAYLOAD) VALUES (1, 1, 1, 'a', x'\(hex)')")
    try editor.run("UPDATE Z_PRIMARYKEY SET Z_MAX = 1")
    editor.close()
    let result = try folder.convert("s.sqlite", "-o", "out.db", "--open-nested")
    #expect(result.status == 0)
    #expect(
      result.output.masked == """
        Converted 1 store in # s → out.db, # kB

        entity  archived objects  rows  values  links
        Todo                   1     1       2      0
        Leaf                   1     1       1      0
        ─────────────────────────────────────────────
        all                    2     2       3      0

        Nothing was left behind: every reachable value is in the store.
        Opened: 1 nested archive.

        """)
  }

  @Test("opens a property list that is no archive, but holds some, the list itself included")
  func plainLists() throws {
    let folder = try TemporaryFolder()
    let leaf = KeyedArchiveBuilder.archive { $0.instance(of: "Leaf", ["name": "a"]) }.binary()
    let writer = BinaryPropertyListWriter()
    try folder.write(writer.data(for: .data(leaf)), to: "in/value")
    try folder.write(
      XMLPropertyListWriter().data(for: ["windows": [.data(leaf)], "rank": 3]), to: "in/xml")
    try folder.write(writer.data(for: ["rank": 3]), to: "in/plain")
    let named = try folder.convert("in/value", "-o", "named.db", "--open-nested", "--verify")
    #expect(named.status == 0)
    #expect(named.errors == "")
    let result = try folder.convert("in", "-o", "out.db", "--open-nested", "--verify")
    #expect(result.status == 0)
    #expect(result.output.contains("Not converted: 1 property list."))
    let store = try folder.store()
    try store.expect(
      "SELECT id, path, format, archiver, parent, uid, key FROM _archive",
      [
        "1|in/value|binary|property list|NULL|NULL|NULL",
        "2|in/value#$top.|binary|NSKeyedArchiver|1|NULL|",
        "3|in/xml|xml|property list|NULL|NULL|NULL",
        "4|in/xml#$top.windows[0]|binary|NSKeyedArchiver|3|NULL|windows",
      ])
    try store.expect("SELECT name FROM Leaf", ["a", "a"])
    let verified = try folder.convert("verify", "out.db", "in")
    #expect(verified.status == 0)
    let closed = try folder.convert("in/value", "-o", "closed.db")
    #expect(closed.status == 2)
  }

  @Test("drafts from such lists what run and check can use, and shows them")
  func plainListDrafts() throws {
    let folder = try TemporaryFolder()
    let leaf = KeyedArchiveBuilder.archive { $0.instance(of: "Leaf", ["name": "a"]) }.binary()
    try folder.write(BinaryPropertyListWriter().data(for: .data(leaf)), to: "in/value")
    try folder.write(
      XMLPropertyListWriter().data(for: ["window": .data(leaf), "rank": 3]), to: "in/xml")
    let own: Set<String> = ["_archive", "_run", "_report"]
    for input in ["in/value", "in/xml", "in"] {
      let drafted = try folder.convert("infer", input, "-o", "m.yaml", "--open-nested", "--force")
      #expect(drafted.status == 0 && drafted.errors == "")
      let checked = try folder.convert("check", "m.yaml", input)
      #expect(checked.status == 0 && checked.errors == "")
      let options = ["-o", "out.db", "--open-nested", "--verify", "--if-exists", "replace", "-q"]
      let plain = try Program.run([input] + options, in: folder.path)
      #expect(plain.status == 0 && plain.errors == "")
      let expected = try folder.store().content(except: own)
      let mapped = try Program.run([input, "--mapping", "m.yaml"] + options, in: folder.path)
      #expect(mapped.status == 0 && mapped.errors == "")
      #expect(try folder.store().content(except: own) == expected)
      #expect(try folder.convert("infer", input, "-o", "closed.yaml").status == 2)
    }
    let shown = try folder.convert("inspect", "in/xml", "--tree")
    #expect(shown.status == 0 && shown.errors == "")
    #expect(shown.output.contains("\nrank: 3\n") && shown.output.contains("\nwindow: data, "))
  }

  private static let complaint =
    "notes#10.damaged: the binary property list is truncated after 60 bytes; --salvage may recover a part\n"

  @Test("converts each archive that a data value holds, and lists one that is damaged")
  func allForms() throws {
    let folder = try folder()
    let result = try folder.convert(
      "notes", "-o", "out.db", "--open-nested", "--provenance", "-v")
    #expect(result.status == 1)
    #expect(result.errors == Self.complaint)
    let parts = result.output.masked.components(separatedBy: "\n\n")
    #expect(parts[1] == "Rejected 1 archive:\n  \(Self.complaint)    60 bytes")
    #expect(parts.dropFirst(3).joined(separator: "\n\n") == Self.details)
    let store = try folder.store()
    try store.expect(
      "SELECT id, path, format, archiver, version, parent, uid, key FROM _archive",
      [
        "1|notes|binary|NSKeyedArchiver|100000|NULL|NULL|NULL",
        "2|notes#10.inline|binary|NSKeyedArchiver|100000|1|10|inline",
        "3|notes#10.inline#2.payload|binary|NSKeyedArchiver|100000|2|2|payload",
        "4|notes#10.entry|xml|NSKeyedArchiver|100000|1|10|entry",
        "5|notes#10.data|binary|NSKeyedArchiver|100000|1|10|data",
        "6|notes#10.bytes|binary|NSKeyedArchiver|100000|1|10|bytes",
        "7|notes#10.list[2]|binary|property list|0|1|10|list",
        "8|notes#10.settings|xml|property list|0|1|10|settings",
      ])
    try store.expect(
      "SELECT * FROM _top",
      [
        "1|1|root|NULL|Note|1", "2|2|root|NULL|Mid|1", "3|3|root|NULL|Leaf|1",
        "4|4|root|NULL|Mid|2",
        "5|5|root|NULL|Leaf|2", "6|6|root|NULL|Leaf|3", "7|7||NULL|_collection|1",
        "8|8|$top|NULL|Document|1",
      ])
    try store.expect(
      "SELECT id, name FROM Mid UNION ALL SELECT id, name FROM Leaf",
      ["1|inline", "2|xml", "1|deep", "2|data", "3|bytes"])
    try store.expect(
      "SELECT * FROM _rows",
      [
        "1|1|Note|1|1", "2|2|Mid|1|1", "3|3|Leaf|1|1", "4|4|Mid|2|2", "5|5|Leaf|2|2",
        "6|6|Leaf|3|3",
        "7|7|_collection|1|1", "8|8|Document|1|1", "9|8|_collection|2|2",
      ])
    try store.expect(
      "SELECT collection_id, position, key, value, value_id FROM _collection_element",
      [
        "1|0|NULL|1|NULL", "1|1|NULL|2|NULL", "2|NULL|wide|1|NULL",
      ])
    try store.expect("SELECT size FROM Document", "12")
    try store.expect(
      "SELECT position, value, value_id FROM \"Document_$theme\"", ["0|dark|NULL", "1|NULL|2"])
    try store.expectSound()
  }

  private static let details = """
    Note      type                 values  nil
    title     string                    1    0
    inline    binary                    1    0
    entry     binary                    1    0
    data      binary                    1    0
    bytes     binary                    1    0
    settings  binary                    1    0
    damaged   binary                    1    0
    other     binary                    1    0
    list      collection of mixed       3    0

    Mid      type    values  nil
    name     string       2    0
    payload  binary       1    0

    Leaf  type    values  nil
    name  string       3    0

    Document  type                  values  nil
    size      integer                    1    0
    $theme    collection of string       1    0
    $theme    →→ any                     1

    archive                    format  objects  bytes
    notes                      binary       12  2,780  converted
    notes#10.inline            binary        4    478  converted
    notes#10.inline#2.payload  binary        4    218  converted
    notes#10.entry             xml           4    860  converted
    notes#10.data              binary        4    218  converted
    notes#10.bytes             binary        4    219  converted
    notes#10.list[2]           binary        0     50  converted
    notes#10.settings          xml           0    339  converted

    Opened: 7 nested archives; rejected 1.
    Collections: 2 under top-level keys or in other collections, with 3 values.

    Rejected 1 archive: see above.

    """

  @Test("leaves the values as they are, and the rows of the archive around")
  func keepsData() throws {
    let folder = try folder()
    #expect(try folder.convert("notes", "-o", "plain.db").status == 0)
    #expect(try folder.convert("notes", "-o", "out.db", "--open-nested").status == 1)
    for table in ["Note", "Note_list"] {
      let rows = "SELECT * FROM \(table)"
      #expect(try folder.store().lines(rows) == folder.store("plain.db").lines(rows))
    }
    try folder.store().expect(
      "SELECT sum(length(inline)) = sum(_archive.bytes) FROM Note, _archive WHERE key = 'inline'",
      "1")
    #expect(try folder.store("plain.db").schema().contains("_archive"))
    #expect(try !folder.store("plain.db").schema().contains("parent"))
  }

  @Test("leads from a row to what the archive in its data holds")
  func provenance() throws {
    let folder = try folder()
    _ = try folder.convert("notes", "-o", "out.db", "--open-nested", "--provenance", "-q")
    let text = try String(
      contentsOfFile: "\(Repository.root)/Documentation/layouts.md", encoding: .utf8)
    let blocks = text.matches(of: /```sql\n(SELECT _top[^`]*)```/)
    let query = try #require(blocks.first.map { String($0.output.1) })
    #expect(blocks.count == 1)
    try folder.store().expect(
      query.replacing("'payload'", with: "'inline'"), ["root|NULL|Mid|1"])
    try folder.store().expect(
      query.replacing("'payload'", with: "'settings'"),
      ["$top|NULL|Document|1"])
    try folder.store().expect(query.replacing("'Note'", with: "'Mid'"), ["root|NULL|Leaf|1"])
  }

  @Test("tells in the report what became of each, and where it stands")
  func report() throws {
    let folder = try folder()
    _ = try folder.convert("notes", "-o", "out.db", "--open-nested", "-q", "--report", "r.json")
    let report = try folder.text(of: "r.json").replacing(/\s+/, with: " ")
      .replacing(/"sha256" : "\w{64}"/, with: "\"sha256\" : #")
    let archives = try #require(report.firstMatch(of: /"archives" : \[ (.*?) \], "cl/)?.output.1)
    #expect(
      archives.hasPrefix(
        """
        { "bytes" : 2780, "format" : "binary", "objects" : 12, "outcome" : "converted", \
        "path" : "notes", "sha256" : # }, { "bytes" : 478, "format" : "binary", \
        "key" : "inline", "objects" : 4, "outcome" : "converted", "parent" : "notes", \
        "path" : "notes#10.inline", "sha256" : #, "uid" : 10 }, { "bytes" : 218, \
        "format" : "binary", "key" : "payload", "objects" : 4, "outcome" : "converted", \
        "parent" : "notes#10.inline", "path" : "notes#10.inline#2.payload", "sha256" : #, "uid" : 2 }
        """))
    #expect(
      archives.hasSuffix(
        """
        { "bytes" : 60, "error" : "the binary property list is truncated after 60 bytes; --salvage may recover a part", \
        "key" : "damaged", "outcome" : "rejected", "parent" : "notes", \
        "path" : "notes#10.damaged", "uid" : 10 }
        """))
  }

  @Test("never ends the run for what is inside", arguments: ["stop", "skip"])
  func policy(policy: String) throws {
    let folder = try folder()
    let result = try folder.convert(
      "notes", "-o", "out.db", "--open-nested", "--on-error", policy, "-q")
    #expect(result.status == 1)
    #expect(result.errors == Self.complaint)
    try folder.store().expect("SELECT count(*) FROM _archive", "8")
  }

  @Test("salvages what is damaged inside")
  func salvage() throws {
    let folder = try folder()
    let whole = NestedArchives.item("Leaf", name: "salvaged").binary()
    try folder.write(
      NestedArchives.item("Item", name: "outer", payload: whole.dropLast(8)).binary(), to: "cut")
    let result = try folder.convert("cut", "-o", "out.db", "--open-nested", "--salvage")
    #expect(result.status == 1)
    #expect(result.errors == "")
    #expect(result.output.contains("\nOpened: 1 nested archive.\n"))
    #expect(
      result.output.contains("\n  cut#2.payload: the binary property list is truncated after "))
    try folder.store().expect("SELECT name FROM Leaf", "salvaged")
  }
}
