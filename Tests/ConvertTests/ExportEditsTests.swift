import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("convert export of rows that have changed")
struct ExportEditsTests {
  @Test("puts values back in the form that their keys had")
  func values() throws {
    let folder = try TemporaryFolder(reversible: "MentalCase.archive")
    let (result, again) = try folder.exported(
      after: """
        UPDATE MTNote SET title = 'Ünï', rank = 99, ease = 2.25, isEditable = 0,
          creationDate = '2020-01-02T03:04:05.250Z', price = '12.345', sound = x'0102',
          syncIdentifier = '6BA7B810-9DAD-11D1-80B4-00C04FD430C8', link = 'https://example.org/x'
          WHERE id = 1;
        UPDATE MTNote SET title = NULL, rank = NULL, creationDate = NULL WHERE id = 3;
        """)
    #expect(
      result.output == "Wrote new.archive: 177 objects, with the changes of its rows, checked.\n")
    #expect(try again.rowContent() == folder.store().rowContent())
    // What was there before is nowhere in the file.
    let bytes = try folder.contents(of: "new.archive")
    #expect(bytes.range(of: Data("caff".utf8)) != nil)
    #expect(bytes.range(of: Data("cómo".utf16.flatMap { [0, UInt8($0 & 0xFF)] })) == nil)
  }

  @Test("moves, adds and removes objects as rows do")
  func rows() throws {
    let folder = try TemporaryFolder(reversible: "MentalCase.archive")
    let (_, again) = try folder.exported(
      after: """
        UPDATE MTNote SET container_id = 2, notes_position = 9 WHERE uniqueId = 'NOTE-1';
        DELETE FROM MTNote_tags WHERE MTNote_id = 5;
        DELETE FROM MTNote WHERE id = 5;
        INSERT INTO MTFolder (id, title, uniqueId) VALUES (70, 'Added', 'FOLDER-70');
        INSERT INTO MTLibrary_folders (MTLibrary_id, position, MTFolder_id) VALUES (1, 5, 70);
        INSERT INTO MTNote (id, title, rank, isEditable, uniqueId, price, creationDate, container_id,
            notes_position)
          VALUES (80, 'New', 7, 1, 'NOTE-80', '1.5', '2021-01-01T00:00:00.000Z', 70, 3),
            (90, 'Newer', 8, 0, 'NOTE-90', NULL, NULL, 70, 1);
        INSERT INTO MTNote_tags (MTNote_id, value) VALUES (80, 'fresh');
        INSERT INTO MTNote_hints (MTNote_id, position, value) VALUES (80, 0, 'a'), (80, 1, 'b');
        UPDATE MTNote_hints SET value = 'changed' WHERE id = 2;
        """)
    try again.expect(
      """
      SELECT f.title, group_concat(n.uniqueId, ' ') FROM MTFolder AS f JOIN
        (SELECT * FROM MTNote ORDER BY notes_position) AS n ON n.container_id = f.id
        GROUP BY f.id ORDER BY f.title
      """,
      [
        "Added|NOTE-90 NOTE-80", "Languages|NOTE-2 NOTE-3 NOTE-4",
        "Market prices|NOTE-10 NOTE-11 NOTE-12 NOTE-1", "日本語|NOTE-5 NOTE-6 NOTE-7 NOTE-8",
      ])
    try again.expect(
      """
      SELECT title, rank, isEditable, price, creationDate,
        (SELECT group_concat(value) FROM MTNote_tags WHERE MTNote_id = n.id),
        (SELECT group_concat(value) FROM MTNote_hints WHERE MTNote_id = n.id)
        FROM MTNote AS n WHERE uniqueId IN ('NOTE-1', 'NOTE-80', 'NOTE-90') ORDER BY rank
      """,
      [
        "mañana|1|1|NULL|2010-03-11T11:33:20.125Z|noun,time|ma…,changed",
        "New|7|1|1.5|2021-01-01T00:00:00.000Z|fresh|a,b", "Newer|8|0|NULL|NULL|NULL|NULL",
      ])
  }

  @Test(
    "refuses what it cannot put back, and writes nothing",
    arguments: [
      (
        "UPDATE MTNote SET creationDate = 'yesterday' WHERE id = 3",
        "MTNote 3, creationDate: the text is not a date in ISO 8601 with a zone"
      ),
      (
        "UPDATE MTNote SET isEditable = 7 WHERE id = 2",
        "MTNote 2, isEditable: the key holds 0 or 1"
      ),
      (
        "UPDATE MTNote SET syncIdentifier = 'x' WHERE id = 2",
        "MTNote 2, syncIdentifier: the text is not a UUID"
      ),
      (
        "UPDATE MTNote SET price = '1,5' WHERE id = 5",
        "MTNote 5, price: the text is not a decimal number of at most 38 digits"
      ),
      (
        "UPDATE MTFolder SET parent_id = 77 WHERE id = 3",
        "MTFolder 3, parent_id: refers to no row of MTFolder that is of this archive"
      ),
      (
        "UPDATE MTNote_tags SET value = '$null' WHERE id = 1",
        "MTNote 1, tags: an archive has no text '$null'"
      ),
      (
        "UPDATE MTNote SET title = CAST(x'FF' AS TEXT) WHERE id = 1",
        "MTNote 1, title: the text is not in UTF-8, or has a replacement character"
      ),
      (
        "INSERT INTO MTNote_tags (MTNote_id, value) VALUES (999, 'lost')",
        "MTNote_tags 18: names a row of MTNote that is not there"
      ),
      (
        "DELETE FROM MTFolder WHERE id = 2",
        "MTFolder 2: was deleted, but others still refer to it"
      ),
      (
        "UPDATE MTLibrary_folders SET MTFolder_id = 1 WHERE id = 2",
        "MTFolder 2: is there, but nothing refers to it any more"
      ),
      (
        "INSERT INTO MTFolder (title) VALUES ('f')",
        "MTFolder 4: was added, but nothing refers to it"
      ),
      (
        "ALTER TABLE MTNote ADD COLUMN mood TEXT; UPDATE MTNote SET mood = 'x' WHERE id = 1",
        "MTNote 1, mood: NULL was expected, but 'x' found"
      ),
      (
        "UPDATE _top SET entity = 'MTNote'",
        "_top 1, root.entity: 'MTLibrary' was expected, but 'MTNote' found"
      ),
      (
        "UPDATE _original SET bytes = x'00'",
        "the bytes that it keeps of archive 1 are not those that were converted"
      ),
      (
        "DELETE FROM _original",
        "does not keep MentalCase.archive"
      ),
      (
        "DROP TABLE _original; CREATE VIEW _original AS SELECT 1 AS id, 1 AS archive_id, x'' AS bytes",
        "does not keep MentalCase.archive"
      ),
    ])
  func refusals(sql: String, message: String) throws {
    let folder = try TemporaryFolder(reversible: "MentalCase.archive")
    try folder.change(sql)
    let result = try folder.convert("export", "out.db", "-o", "new.archive")
    #expect(result.status == 2 && result.output.isEmpty, "\(result)")
    #expect(result.errors.hasPrefix("out.db: \(message)"), "\(result)")
    #expect(try folder.names() == ["MentalCase.archive", "out.db"])
  }

  @Test("takes sets for the same in whatever order their rows are")
  func sets() throws {
    let folder = try TemporaryFolder(reversible: "MentalCase.archive")
    let (result, _) = try folder.exported(
      after: "UPDATE MTNote_tags SET id = id + 100 WHERE id % 2 = 1")
    #expect(result.output.hasSuffix("its rows are unchanged, checked.\n"), "\(result)")
  }

  @Test("adds elements beside dictionaries inside of objects, and keeps numbered ones in order")
  func parts() throws {
    let folder = try TemporaryFolder()
    try folder.add("in") { archive in
      let notes = (0..<3).map { index in
        archive.instance(
          of: "Note",
          [
            "info": .dictionary([KeyValue("rank", .integer(index))]),
            "sizes": archive.array([archive.number(Int(index))]),
            "order": archive.instance(
              of: "NSOrderedSet",
              [1, 4, 0, 3, 2].map {
                KeyValue("NS.object.\($0)", archive.add(.integer(Int64(10 + $0))))
              }),
          ])
      }
      return archive.array(notes)
    }
    let made = try folder.convert("in", "-o", "out.db", "--reversible", "--quiet")
    #expect(made.status == 0, "\(made)")
    let (result, again) = try folder.exported(
      after: """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
          INSERT INTO Note_sizes (Note_id, position, value) SELECT 1, i, i FROM n;
        INSERT INTO Note_order (Note_id, position, value) VALUES (2, 5, 99);
        """)
    #expect(result.output.hasSuffix("with the changes of its rows, checked.\n"), "\(result)")
    try again.expect(
      "SELECT count(*), sum(value) FROM Note_sizes WHERE Note_id = 1", ["201|20100"])
    try again.expect(
      "SELECT group_concat(value) FROM (SELECT value FROM Note_order WHERE Note_id = 2 "
        + "ORDER BY position)", "10,11,12,13,14,99")
  }

  @Test(
    "takes a value for the same however it is spelled",
    arguments: [
      (
        "UPDATE MTNote SET creationDate = '2020-01-01T02:00:00+02:00' WHERE id = 2",
        "SELECT creationDate FROM MTNote WHERE id = 2", "2020-01-01T00:00:00.000Z"
      ),
      (
        "UPDATE MTNote SET syncIdentifier = lower(syncIdentifier) WHERE id = 1",
        "SELECT syncIdentifier = upper(syncIdentifier) FROM MTNote WHERE id = 1", "1"
      ),
      (
        "UPDATE MTNote SET ease = 5 WHERE id = 2", "SELECT ease FROM MTNote WHERE id = 2", "5.0"
      ),
    ])
  func spellings(sql: String, query: String, value: String) throws {
    let folder = try TemporaryFolder(reversible: "MentalCase.archive")
    let (result, again) = try folder.exported(after: sql)
    #expect(result.output.hasSuffix(", checked.\n"), "\(result)")
    try again.expect(query, value)
  }

  @Test("minds no tables, views, indexes and triggers that somebody has added")
  func additions() throws {
    let folder = try TemporaryFolder(reversible: "MentalCase.archive")
    let (result, again) = try folder.exported(
      after: """
        CREATE TABLE mine (x); CREATE VIEW seen AS SELECT title FROM MTNote;
        CREATE INDEX by_title ON MTNote (title);
        CREATE TRIGGER t AFTER DELETE ON MTNote BEGIN SELECT 1; END; PRAGMA user_version = 3;
        """)
    #expect(result.output.contains("its rows are unchanged"))
    try again.expect("SELECT count(*) FROM MTNote", "12")
  }

  @Test("changes dictionaries that are rows, and the values under the top-level keys")
  func records() throws {
    let folder = try TemporaryFolder()
    try folder.add("in") { archive in
      let notes = ["a", "b", "c"].enumerated().map { index, title in
        archive.dictionary(["title": archive.string(title), "rank": archive.number(index)])
      }
      archive.setTop("count", 3)
      return archive.array(notes)
    }
    let made = try folder.convert("in", "-o", "out.db", "--reversible", "--quiet")
    #expect(made.status == 0, "\(made)")
    let store = try folder.store()
    let table = try #require(
      store.lines("SELECT entity FROM _class WHERE entity <> 'Document' ORDER BY id").first)
    let (_, again) = try folder.exported(
      after: """
        UPDATE "\(table)" SET title = 'new', rank = NULL WHERE title = 'b';
        UPDATE Document SET count = 4;
        """)
    try again.expect(
      "SELECT title, rank FROM \"\(table)\" ORDER BY id", ["a|0", "new|NULL", "c|2"])
    try again.expect("SELECT count FROM Document", "4")
  }

  @Test(
    "tells the kinds of elements apart, and what cannot be one",
    arguments: [
      (
        "UPDATE _collection_element SET value = 5 WHERE value = 7",
        "SELECT typeof(value) FROM _collection_element WHERE value = 5", ""
      ),
      (
        "UPDATE _collection_element SET value = 'text' WHERE value = 7",
        "SELECT typeof(value) FROM _collection_element WHERE value = 'text'", ""
      ),
      (
        "UPDATE Note SET size = '9223372036854775809'",
        "SELECT typeof(size) FROM Note WHERE size = '9223372036854775809'", ""
      ),
      (
        "UPDATE Note SET size = '18446744073709551616'", "",
        "Note 1, size: an archive has whole numbers from -2^63 to 2^64 - 1"
      ),
      (
        "UPDATE Note_dates SET value = 'text' WHERE id = 2", "",
        "Note 1, dates: the text is not a date in ISO 8601 with a zone"
      ),
      (
        "UPDATE Note_links SET value_id = 1, value_type = 'Note' WHERE value = 'a'", "",
        "Note 1, links: an element has both a value and a reference"
      ),
      (
        "UPDATE Note_links SET \"key\" = 'one'", "", "Note 1, links: two elements have the same key"
      ),
    ])
  func elements(sql: String, query: String, message: String) throws {
    let folder = try TemporaryFolder()
    try folder.add("in") { archive in
      let date = archive.date(secondsSince2001: 1)
      let mixed = archive.array([
        archive.number(1.5), archive.number(7), date, archive.string("z"),
      ])
      let slot = archive.reserve()
      archive.fill(
        slot, className: "Note",
        [
          "size": .unsigned(9_223_372_036_854_775_808), "lists": archive.array([mixed]),
          "dates": archive.array([date, archive.date(secondsSince2001: 2), archive.number(3)]),
          "links": archive.dictionary([
            archive.string("one"): archive.string("a"), archive.string("two"): slot.reference,
          ]),
        ])
      return slot.reference
    }
    let made = try folder.convert(
      "in", "-o", "out.db", "--reversible", "--dictionaries", "pairs", "--quiet")
    #expect(made.status == 0, "\(made)")
    guard message.isEmpty else {
      try folder.change(sql)
      let result = try folder.convert("export", "out.db", "-o", "new")
      #expect(result.errors == "out.db: \(message)\n", "\(result)")
      return
    }
    let (_, again) = try folder.exported(after: sql)
    try again.expect(query, sql.contains(" 5 ") ? "integer" : "text")
  }

  @Test("compares rows of dictionaries inside of objects in whatever order they come")
  func order() throws {
    let folder = try TemporaryFolder()
    try folder.add("in") { archive in
      let notes = (0..<4).map { index in
        archive.instance(
          of: "Note", ["info": .dictionary([KeyValue("rank", .integer(Int64(index)))])])
      }
      return archive.instance(
        of: "Box", ["first": notes[0], "last": notes[3], "all": archive.array(notes)])
    }
    let made = try folder.convert("in", "-o", "out.db", "--reversible", "--quiet")
    #expect(made.status == 0, "\(made)")
    let (result, _) = try folder.exported(after: "UPDATE Box SET first_id = 2, last_id = 1")
    #expect(result.output.hasSuffix("with the changes of its rows, checked.\n"), "\(result)")
  }
}
