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

  @Test("makes an index of the texts of each table, and of no dates, UUIDs or reserved names")
  func indexes() throws {
    let folder = try TemporaryFolder()
    try add("one", to: folder, "Mañana", "The second")
    #expect(try folder.convert("one", "-o", "out.db", "--fts", "--verify", "-q").status == 0)
    let store = try folder.store()
    try store.expect(
      Self.searchTables,
      [
        #"CREATE VIRTUAL TABLE Note_fts USING fts5("title", content="Note", content_rowid="id")"#,
        #"CREATE VIRTUAL TABLE Note_tags_fts USING fts5("value", content="Note_tags", content_rowid="id")"#,
      ])
    try store.expect(
      "SELECT id, title FROM Note WHERE id IN (SELECT rowid FROM Note_fts('manana'))", ["1|Mañana"])
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
      "SELECT name FROM pragma_table_info('Row_fts') ORDER BY cid",
      (0..<rows).filter { $0 % 3 != 0 }.map { "key\($0)" })
  }

  @Test("makes none without the option")
  func none() throws {
    let folder = try TemporaryFolder()
    try add("one", to: folder, "a")
    #expect(try folder.convert("one", "-o", "out.db", "-q").status == 0)
    try folder.store().expect(Self.searchTables, [])
  }

  @Test("gives an index another name if a class has it")
  func names() throws {
    let folder = try TemporaryFolder()
    try add("one", to: folder, "a")
    try add("two", to: folder, of: "Note_fts", "b")
    #expect(
      try folder.convert("one", "two", "-o", "out.db", "--fts", "--verify", "-q").status == 0)
    try folder.store().expect(
      "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL%' ORDER BY name",
      ["Note_fts_2", "Note_fts_fts", "Note_fts_tags_fts", "Note_tags_fts"])
  }

  @Test(
    "keeps the indexes of a store that archives are added to, or makes them then",
    arguments: [(["--fts"], []), ([], ["--fts"])] as [([String], [String])])
  func appending(first: [String], second: [String]) throws {
    let folder = try TemporaryFolder()
    try add("one", to: folder, "alpha")
    try add("two", to: folder, "beta")
    try add("three", to: folder, of: "Note_fts", "gamma")
    #expect(try Program.run(["one", "-o", "out.db", "-q"] + first, in: folder.path).status == 0)
    for name in ["two", "three"] {
      let options = [name, "-o", "out.db", "--if-exists", "append", "--verify", "-q"] + second
      #expect(try Program.run(options, in: folder.path).status == 0)
    }
    try folder.store().expect(
      "SELECT title FROM Note WHERE id IN (SELECT rowid FROM Note_fts_2('alpha OR beta'))",
      ["alpha", "beta"])
    #expect(try folder.convert("verify", "out.db", "one", "two", "three", "-q").status == 0)
  }

  @Test(
    "makes indexes that verification compares",
    arguments: [
      (
        "INSERT INTO Note_fts(Note_fts, rowid, title) VALUES ('delete', 1, 'alpha')",
        "Note_fts 1: expected the words of Note, found other words"
      ),
      (
        "INSERT INTO Note_fts(rowid, title) VALUES (7, 'omega')",
        "Note_fts 7: expected the words of Note, found other words"
      ),
      (
        "PRAGMA writable_schema = ON; UPDATE Note_fts_docsize SET sz = x'07'",
        "Note_fts: expected the words of Note, found other lengths"
      ),
      (
        "PRAGMA writable_schema = ON; DELETE FROM Note_fts_data WHERE id = 1",
        "Note_fts: expected the words of Note, found other totals"
      ),
      (
        "PRAGMA writable_schema = ON; DELETE FROM Note_fts_config",
        "Note_fts: expected the words of Note, found other settings"
      ),
      (
        "PRAGMA writable_schema = ON; UPDATE Note_fts_config SET v = 99",
        "Note_fts: expected the words of Note, found other settings"
      ),
      (
        "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'Note_fts_config'",
        "Note_fts: expected the words of Note, found no such table: main.Note_fts_config"
      ),
      (
        "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'Note_fts_data'",
        "Note_fts: expected the words of Note, found no such table: main.Note_fts_data"
      ),
      ("DROP TABLE Note_fts", "Note_fts: expected a search table, found nothing"),
      (
        "DROP TABLE Note_fts; DROP TABLE Note_tags_fts",
        "Note_tags_fts: expected a search table, found nothing"
      ),
      (
        """
        DROP TABLE Note_fts; CREATE VIRTUAL TABLE Note_fts \
        USING fts5("title", "rank_", content="Note", content_rowid="id")
        """, "Note_fts: expected a search table, found another one"
      ),
      (
        "CREATE VIRTUAL TABLE Other_fts USING fts5(\"a\", content=\"Note\", content_rowid=\"id\")",
        "Other_fts: expected nothing, found a table"
      ),
    ])
  func verified(change: String, words: String) throws {
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
        == "out.db: cannot be created: a Core Data store has no tables for full-text search\n")
    #expect(result.status == 2)
  }
}
