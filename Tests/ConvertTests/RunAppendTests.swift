import Foundation
import TestSupport
import Testing

@Suite("convert run --if-exists append")
struct RunAppendTests {
  // MARK: What is added

  @Test("adds nothing of an archive that the same request has converted")
  func sameArchive() throws {
    let folder = try TemporaryFolder.withStoreOfNotes()
    let content = try folder.store().content()
    try folder.write(try folder.contents(of: "one"), to: "copy")
    let result = try folder.append("one", "copy", "--report", "r.json")
    #expect(result.status == 0)
    #expect(
      result.output.hasPrefix("Converted 0 archives, skipped 2 already in the store in "))
    #expect(try folder.store().content() == content)
    let report = try folder.text(of: "r.json")
    #expect(report.matches(of: /"outcome" : "skipped"/).count == 2)
  }

  @Test("adds the rows of another archive, with new ids, and columns for its new keys")
  func otherArchive() throws {
    let folder = try TemporaryFolder.withStoreOfNotes()
    let result = try folder.append("one", "two")
    #expect(result.status == 0)
    #expect(
      result.output.masked == """
        Converted 1 archive, skipped 1 already in the store in # s → out.db, # kB

        entity  archived objects  rows  values  links
        Note                   4     4       9      0

        Nothing was left behind: every reachable value is in the store.
        Collections: 2 under top-level keys or in other collections, with 4 links.

        """)
    let store = try folder.store()
    try store.expect(
      "SELECT id, uid, title, rank FROM Note",
      ["1|a|first|NULL", "2|b|second|NULL", "3|b|SECOND|3", "4|c|third|NULL"])
    try store.expect("SELECT id, path FROM _archive", ["1|one", "2|two"])
    try store.expect("SELECT id, first_archive, last_archive FROM _run", ["1|1|1", "2|2|2"])
    try store.expect(
      "SELECT * FROM _rows WHERE entity = 'Note'", ["1|1|Note|1|2", "3|2|Note|3|4"])
    try store.expect("SELECT count(*), count(DISTINCT name) FROM _class", ["2|2"])
    try store.expectSound()
    #expect(try folder.names() == ["m.yaml", "one", "out.db", "two"])
  }

  @Test("gives the store that one run over all archives gives, but for its runs")
  func sameAsOneRun() throws {
    let folder = try TemporaryFolder(samples: "MentalCase.archive", "MentalCase.xml")
    let whole = try folder.convert("MentalCase.archive", "MentalCase.xml", "-o", "whole.db")
    #expect(whole.status == 0)
    #expect(try folder.convert("MentalCase.archive", "-o", "out.db").status == 0)
    #expect(try folder.append("MentalCase.xml").status == 0)
    let own: Set<String> = ["_archive", "_run", "_report"]
    let expected = try folder.store("whole.db").content(except: own)
    #expect(try folder.store().content(except: own) == expected)
  }

  @Test("finds rows by their identity, lets later values win and lists them as conflicts")
  func identity() throws {
    let folder = try TemporaryFolder.withStoreOfNotes("--mapping", "m.yaml")
    let result = try folder.append("two", "--mapping", "m.yaml", "--report", "r.json")
    #expect(result.status == 0)
    #expect(
      result.output.components(separatedBy: "\n\n").last == """
        Conflicts: 1 contradiction in the archives.
          two: object 3 (Note), Note 2, title: the store had a different value; the later one was kept

        """)
    let store = try folder.store()
    try store.expect(
      "SELECT id, uid, title, rank FROM Note",
      ["1|a|first|NULL", "2|b|SECOND|3", "3|c|third|NULL"])
    try store.expectSound()
    let report = try folder.text(of: "r.json").replacing(/\s+/, with: " ")
    #expect(
      report.contains(
        """
        "conflicts" : [ { "archive" : "two", "class" : "Note", "code" : "differentValue", \
        "entity" : "Note", "property" : "title", "row" : 2, "uid" : 3 } ]
        """))
  }

  @Test("says what an earlier run declared unique, if a row would be there twice without it")
  func refusesRepetitions() throws {
    let folder = try TemporaryFolder(samples: "MentalCase.archive", "MentalCase.xml")
    try folder.write(
      "stripPrefix: MT\nentities: {Note: {identity: [title, uniqueId]}}\n", to: "cards.yaml")
    let first = try folder.convert("MentalCase.archive", "-o", "out.db", "--mapping", "cards.yaml")
    #expect(first.status == 0)
    let bytes = try folder.contents(of: "out.db")
    let result = try folder.convert(
      "MentalCase.xml", "-o", "out.db", "--if-exists", "append", "--strip-prefix", "MT")
    #expect(result.status == 2)
    #expect(
      result.errors
        == "out.db: cannot append: rows would have the same values in Note.title, Note.uniqueId, "
        + "which an earlier run declared unique (use its mapping or model)\n")
    #expect(try folder.contents(of: "out.db") == bytes)
  }

  @Test("converts an archive once for each mapping")
  func otherRequest() throws {
    let folder = try TemporaryFolder.withStoreOfNotes()
    #expect(try folder.append("one", "--mapping", "m.yaml").status == 0)
    #expect(try folder.append("one", "--mapping", "m.yaml").status == 0)
    // The identity finds the rows that the first run made.
    try folder.store().expect("SELECT uid, title FROM Note", ["a|first", "b|second"])
    try folder.store().expect("SELECT path FROM _archive", ["one", "one"])
  }

  @Test("makes a store where there is none")
  func noStore() throws {
    let folder = try TemporaryFolder.withStoreOfNotes()
    #expect(try folder.append("two", to: "new.db").status == 0)
    try folder.store("new.db").expect("SELECT count(*) FROM Note", "2")
  }

  // MARK: What does not fit

  @Test(
    "leaves the store untouched, and says why, if the archive needs another form")
  func otherForm() throws {
    let folder = try TemporaryFolder.withStoreOfNotes()
    try folder.addNotes("three", ["title": 5])
    let before = try folder.contents(of: "out.db")
    let result = try folder.append("three")
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(
      result.errors
        == "out.db: cannot append: Note.title is TEXT, but must be INTEGER\n")
    #expect(try folder.contents(of: "out.db") == before)
    #expect(try folder.names() == ["m.yaml", "one", "out.db", "three", "two"])
  }

  @Test("does not take the table of an entity for that of its hierarchy, or the other way round")
  func hierarchy() throws {
    let folder = try TemporaryFolder.withStoreOfNotes()
    try folder.write("entities: {Base: {abstract: true}, Note: {parent: Base}}", to: "h.yaml")
    let plain = try folder.append("two", "--mapping", "h.yaml")
    #expect(plain.status == 2)
    #expect(
      plain.errors
        == "out.db: cannot append: Note is stored differently there (in its own table, not in "
        + "Base)\n")
    #expect(try folder.append("one", "--mapping", "h.yaml", to: "h.db").status == 0)
    let result = try folder.append("two", to: "h.db")
    #expect(result.status == 2)
    #expect(
      result.errors == "h.db: cannot append: Note is stored differently there (in its "
        + "parent's table, not its own)\n")
    #expect(try folder.append("two", "--mapping", "h.yaml", to: "h.db").status == 0)
    // The view shows the column that came later.
    try folder.store("h.db").expect(
      "SELECT title, rank FROM Note", ["first|NULL", "second|NULL", "SECOND|3", "third|NULL"])
  }

  @Test("refuses what is no store of this program")
  func foreign() throws {
    let folder = try TemporaryFolder.withStoreOfNotes()
    let reason = "cannot append: it is not a store of a conversion: it has no table _run"
    try folder.write("", to: "empty.db")
    try folder.write("", to: "foreign.db")
    try StoreEditor(folder.file(named: "foreign.db")).run("CREATE TABLE note (a)")
    try folder.write("no database at all, but a text", to: "text.db")
    for (name, reason) in [
      ("empty.db", reason), ("foreign.db", reason),
      ("text.db", "the database cannot be written: file is not a database"),
    ] {
      let before = try folder.contents(of: name)
      let result = try folder.append("two", to: name)
      #expect(result.status == 2)
      #expect(result.errors == "\(name): \(reason)\n")
      #expect(try folder.contents(of: name) == before)
    }
  }

  @Test("leaves the store as it was if an archive is damaged or breaks the rules")
  func failure() throws {
    let folder = try TemporaryFolder.withStoreOfNotes()
    try folder.addDamagedSample(as: "damaged")
    try folder.write(RunMappingTests.strict, to: "strict.yaml")
    let before = try folder.contents(of: "out.db")
    #expect(try folder.append("two", "damaged").status == 2)
    #expect(try folder.append("two", "--mapping", "strict.yaml").status == 2)
    #expect(try folder.contents(of: "out.db") == before)
    #expect(try folder.names() == ["damaged", "m.yaml", "one", "out.db", "strict.yaml", "two"])
  }

  @Test("writes nothing with --dry-run")
  func dryRun() throws {
    let folder = try TemporaryFolder.withStoreOfNotes()
    let before = try folder.contents(of: "out.db")
    let result = try folder.append("two", "--dry-run")
    #expect(result.status == 0)
    #expect(result.output.contains("→ dry run, nothing was kept\n"))
    #expect(try folder.contents(of: "out.db") == before)
  }
}
