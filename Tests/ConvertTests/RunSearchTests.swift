import ArchiveWriter
import TestSupport
import Testing

@Suite("convert run --fts")
struct RunSearchTests {
  /// Writes an archive of objects with texts, and with values that are kept as text but are none.
  private func add(
    _ name: String, to folder: TemporaryFolder, of className: String = "Note", _ titles: String...
  ) throws {
    try folder.add(name) { archive in
      archive.array(
        titles.map { title in
          archive.instance(
            of: className,
            [
              "title": .string(title), "rank": "first",
              "created": archive.date(secondsSince2001: 1),
              "identifier": "0A0B0C0D-0000-4000-8000-000000000000",
              "tags": archive.array(["a tag"]),
            ])
        })
    }
  }

  private static let searchTables = """
    SELECT sql FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL%' ORDER BY name
    """
  private static let rows = "SELECT rowid, table_name, row_id, column_name, text FROM _search"

  @Test("makes a table of all texts, and of no dates or UUIDs, which says where they are")
  func texts() throws {
    let folder = try TemporaryFolder()
    try add("one", to: folder, "Mañana", "The second", "")
    #expect(try folder.convert("one", "-o", "out.db", "--fts", "--verify", "-q").status == 0)
    let store = try folder.store()
    try store.expect(
      Self.searchTables,
      [
        "CREATE VIRTUAL TABLE _search USING fts5"
          + "(table_name UNINDEXED, row_id UNINDEXED, column_name UNINDEXED, text)"
      ])
    try store.expect(
      "\(Self.rows) ORDER BY rowid",
      [
        "1|Note|1|title|Mañana", "2|Note|1|rank|first", "3|Note|2|title|The second",
        "4|Note|2|rank|first", "5|Note|3|rank|first", "6|Note_tags|1|value|a tag",
        "7|Note_tags|2|value|a tag", "8|Note_tags|3|value|a tag",
      ])
    try store.expect(
      "SELECT table_name, row_id, snippet(_search, 3, '[', ']', '', 4) FROM _search('manana OR tag')"
        + " ORDER BY rank, rowid LIMIT 2",
      ["Note|1|[Mañana]", "Note_tags|1|a [tag]"])
    try store.expect("SELECT count(*) FROM _search('note OR title OR value')", ["0"])
    #expect(try folder.convert("verify", "out.db", "one", "-q").status == 0)
  }

  @Test("finds the first text of a column wherever it stands, in tables of many columns and rows")
  func manyColumns() throws {
    let folder = try TemporaryFolder()
    let rows = 700
    // Each row has a column of its own, which is empty in the others; those of every third are dates.
    try folder.add("wide") { archive in
      archive.array(
        (0..<rows).map { number in
          let text: PropertyListValue = .string("text \(number)")
          return archive.instance(
            of: "Row",
            [
              "key\(number)": number % 3 == 0 ? archive.date(secondsSince2001: 1) : text,
              "same": archive.date(secondsSince2001: 2),
            ])
        })
    }
    let result = try folder.convert(
      "wide", "-o", "out.db", "--fts", "--verify", "-q", "--datasette", "d.json")
    #expect(result.status == 0 && result.errors == "")
    try folder.store().expect(
      "\(Self.rows) ORDER BY rowid",
      (0..<rows).filter { $0 % 3 != 0 }.enumerated().map { index, number in
        "\(index + 1)|Row|\(number + 1)|key\(number)|text \(number)"
      })
  }

  @Test("makes none without the option")
  func none() throws {
    let folder = try TemporaryFolder()
    try add("one", to: folder, "a")
    #expect(try folder.convert("one", "-o", "out.db", "-q").status == 0)
    try folder.store().expect(Self.searchTables, [])
  }

  @Test(
    "keeps its names from classes",
    arguments: ["_search", "_SEARCH", "_search_data", "_search_content"])
  func names(className: String) throws {
    let folder = try TemporaryFolder()
    try add("one", to: folder, of: className, "alpha")
    #expect(try folder.convert("one", "-o", "out.db", "--fts", "--verify", "-q").status == 0)
    try folder.store().expect(
      "SELECT table_name FROM _search ORDER BY rowid",
      ["\(className)_2", "\(className)_2", "\(className)_2_tags"])
  }

  @Test(
    "keeps the table of a store that archives are added to, or makes it then",
    arguments: [(["--fts"], []), ([], ["--fts"])] as [([String], [String])])
  func appending(first: [String], second: [String]) throws {
    let folder = try TemporaryFolder()
    try add("one", to: folder, "alpha")
    try add("two", to: folder, "beta")
    try add("three", to: folder, of: "_search", "beta")
    #expect(try Program.run(["one", "-o", "out.db", "-q"] + first, in: folder.path).status == 0)
    for name in ["two", "three"] {
      let options = [name, "-o", "out.db", "--if-exists", "append", "--verify", "-q"] + second
      #expect(try Program.run(options, in: folder.path).status == 0)
    }
    try folder.store().expect(
      "\(Self.rows)('alpha OR beta') ORDER BY rowid",
      ["1|Note|1|title|alpha", "3|Note|2|title|beta", "7|_search_2|1|title|beta"])
    #expect(try folder.convert("verify", "out.db", "one", "two", "three", "-q").status == 0)
    let added = try folder.store().lines(Self.rows)
    #expect(
      try folder.convert("one", "two", "three", "-o", "once.db", "--fts", "-q").status == 0)
    #expect(try folder.store("once.db").lines(Self.rows) == added)
  }

  @Test("makes no table in place of another one of its name")
  func foreign() throws {
    let folder = try TemporaryFolder()
    try add("one", to: folder, "alpha")
    try add("two", to: folder, "beta")
    #expect(try folder.convert("one", "-o", "out.db", "-q").status == 0)
    let editor = try StoreEditor(folder.file(named: "out.db"))
    try editor.run("CREATE TABLE _search (mine)")
    editor.close()
    let verified = try folder.convert("verify", "out.db", "one")
    #expect(verified.output.contains("  the store: _search: expected nothing, found a table\n"))
    let added = try folder.convert("two", "-o", "out.db", "--if-exists", "append", "--fts", "-q")
    #expect(
      added.errors == "out.db: the database cannot be written: table _search already exists\n")
    #expect(added.status == 2)
  }

  private static let stored = "PRAGMA writable_schema = ON;"

  @Test(
    "makes a table that verification compares",
    arguments: [
      ("UPDATE Note SET title = 'omega' WHERE id = 2", " 3: expected", "found other texts"),
      ("UPDATE _search SET row_id = 2 WHERE rowid = 1", " 1: expected", "found other texts"),
      ("UPDATE _search SET text = 'alpha ' WHERE rowid = 1", " 1: expected", "found other texts"),
      ("DELETE FROM _search WHERE rowid = 3", " 3: expected", "found other texts"),
      ("INSERT INTO _search VALUES ('Note', 1, 'title', 'x')", " 7: expected", "found other texts"),
      (
        "UPDATE _search SET text = 'omega' WHERE rowid = 1; "
          + "UPDATE _search_content SET c3 = 'alpha' WHERE id = 1",
        " 1: expected", "found other words"
      ),
      (
        "INSERT INTO _search VALUES ('Note', 1, 'title', 'omega'); "
          + "DELETE FROM _search_content WHERE id = 7",
        " 7: expected", "found other words"
      ),
      ("\(stored) UPDATE _search_docsize SET sz = x'07'", ": expected", "found other lengths"),
      ("\(stored) DELETE FROM _search_data WHERE id = 1", ": expected", "found other totals"),
      ("\(stored) DELETE FROM _search_config", ": expected", "found other settings"),
      ("\(stored) UPDATE _search_config SET v = 99", ": expected", "found other settings"),
      (
        "\(stored) DELETE FROM sqlite_schema WHERE name = '_search_config'",
        ": expected", "found no table _search_config"
      ),
      (
        "\(stored) DELETE FROM sqlite_schema WHERE name = '_search_data'",
        ": expected", "found no table _search_data"
      ),
      (
        // Rows without end.
        """
        \(stored) UPDATE sqlite_schema SET type = 'view', rootpage = 0, sql = 'CREATE VIEW \
        _search_content AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) \
        SELECT id, 1 AS c0, 2 AS c1, 3 AS c2, 4 AS c3 FROM n' WHERE name = '_search_content'
        """, ": expected", "found no table _search_content"
      ),
    ])
  func verified(change: String, row: String, words: String) throws {
    try expect(change, "_search\(row) the texts of the store, \(words)")
  }

  @Test(
    "is a table that verification misses",
    arguments: [
      ("DROP TABLE _search", "nothing"),
      ("DROP TABLE _search; CREATE VIRTUAL TABLE _search USING fts5(text)", "another one"),
      ("DROP TABLE _search; CREATE TABLE _search (text)", "another one"),
    ])
  func missed(change: String, words: String) throws {
    try expect(change, "_search: expected a search table, found \(words)")
  }

  private func expect(_ change: String, _ words: String) throws {
    let folder = try TemporaryFolder()
    try add("one", to: folder, "alpha", "beta")
    #expect(try folder.convert("one", "-o", "out.db", "--fts", "-q").status == 0)
    let editor = try StoreEditor(folder.file(named: "out.db"))
    try editor.run(change)
    editor.close()
    let changed = try folder.convert("verify", "out.db", "one")
    #expect(changed.output.contains("  the store: \(words)\n"), "\(changed.output)")
    #expect(changed.status == 1)
  }

  @Test("is refused for a Core Data store")
  func coreData() throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    let model = "\(Repository.root)/SampleArchives/Locations.xcdatamodeld"
    let result = try folder.convert(
      "Locations.archive", "--model", model, "--layout", "coredata", "--fts",
      "-o", "out.db")
    #expect(
      result.errors
        == "out.db: cannot be created: a Core Data store has no table for full-text search\n")
    #expect(result.status == 2)
  }
}
