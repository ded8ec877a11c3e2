import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("Plain names of convert run")
struct RunPlainNamesTests {
  /// Writes an archive of objects of one class.
  private func add(
    _ name: String, to folder: TemporaryFolder, className: String = "MTNote",
    _ notes: KeyValuePairs<String, PropertyListValue>...
  ) throws {
    try folder.add(name) { archive in
      archive.array(notes.map { archive.instance(of: className, $0) })
    }
  }

  private func expectVerified(
    _ folder: TemporaryFolder, _ archives: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let result = try Program.run(["verify", "out.db"] + archives, in: folder.path)
    #expect(result.status == 0, "\(result)", sourceLocation: sourceLocation)
    try folder.store().expectSound()
  }

  /// Notes with tags, each with a note that it follows, and folders that hold notes.
  private func library(in folder: TemporaryFolder) throws {
    try folder.add("a") { archive in
      let folderSlot = archive.reserve()
      let slots = (0..<3).map { _ in archive.reserve() }
      let tags = (0..<2).map { _ in archive.reserve() }
      for (number, tag) in tags.enumerated() {
        archive.fill(
          tag, className: "MTTag",
          [
            "_id": archive.string("t\(number)"),
            "_notes": archive.array(slots.map(\.reference)),
          ])
      }
      for (number, slot) in slots.enumerated() {
        archive.fill(
          slot, className: "MTNote",
          [
            "id": archive.string("n\(number)"), "MTTitle": archive.string("T\(number)"),
            "previous-note": number > 0 ? slots[number - 1].reference : archive.null(),
            "m_folder": folderSlot.reference, "NS.tags": archive.array(tags.map(\.reference)),
            "$$0": 7, "row": folderSlot.reference,
            "parts": archive.array([archive.string("x"), archive.string("y")]),
          ])
      }
      return archive.fill(
        folderSlot, className: "MTFolder",
        ["kind": 1, "notes": archive.array(slots.map(\.reference))])
    }
  }

  @Test("tables, columns, join tables and indexes, and the key id, which a table has of its own")
  func names() throws {
    let folder = try TemporaryFolder()
    try library(in: folder)
    let result = try folder.convert("a", "-o", "out.db", "--plain-names", "--verify", "-q")
    #expect(result.status == 0, "\(result)")
    let schema = try folder.store().lines(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND substr(tbl_name, 1, 1) <> '_'")
    #expect(
      schema.joined(separator: ";\n") == """
        CREATE TABLE Folder (
          id INTEGER PRIMARY KEY NOT NULL,
          kind INTEGER
        ) STRICT;
        CREATE TABLE Note (
          row_id_2 INTEGER PRIMARY KEY NOT NULL,
          id TEXT,
          Title TEXT,
          n_0 INTEGER,
          previous_note_id INTEGER REFERENCES Note(row_id_2),
          folder_id INTEGER REFERENCES Folder(id),
          row_id INTEGER REFERENCES Folder(id),
          notes_position INTEGER
        ) STRICT;
        CREATE TABLE Tag (
          row_id INTEGER PRIMARY KEY NOT NULL,
          id TEXT
        ) STRICT;
        CREATE TABLE Note_tags (
          id INTEGER PRIMARY KEY NOT NULL,
          Note_id INTEGER NOT NULL REFERENCES Note(row_id_2),
          position INTEGER,
          Tag_id INTEGER REFERENCES Tag(row_id),
          notes_position INTEGER
        ) STRICT;
        CREATE TABLE Note_parts (
          id INTEGER PRIMARY KEY NOT NULL,
          Note_id INTEGER NOT NULL REFERENCES Note(row_id_2),
          position INTEGER,
          value TEXT
        ) STRICT;
        CREATE INDEX Note_by_folder_id ON Note (folder_id, notes_position);
        CREATE INDEX Note_tags_by_Note_id ON Note_tags (Note_id, position);
        CREATE INDEX Note_tags_by_Tag_id ON Note_tags (Tag_id);
        CREATE INDEX Note_parts_by_Note_id ON Note_parts (Note_id, position);
        CREATE INDEX Note_by_id ON Note (id);
        CREATE INDEX Tag_by_id ON Tag (id)
        """)
    try folder.store().expect(
      "SELECT row_id_2, id, Title, previous_note_id, n_0, row_id FROM Note ORDER BY id",
      ["1|n0|T0|NULL|7|1", "2|n1|T1|1|7|1", "3|n2|T2|2|7|1"])
    try expectVerified(folder, "a")
  }

  @Test("a later run uses the names that classes and keys have got")
  func appended() throws {
    let folder = try TemporaryFolder()
    try add("a", to: folder, ["_title": "underscore", "rank": 1])
    try add("b", to: folder, ["title": "plain", "_title": "other", "MTRank": 2])
    try add("c", to: folder, className: "Note", ["title": "of Note"])
    #expect(try folder.convert("a", "-o", "out.db", "--plain-names").status == 0)
    #expect(try folder.append("b", "--plain-names", to: "out.db").status == 0)
    #expect(try folder.append("c", "--plain-names", to: "out.db").status == 0)
    let store = try folder.store()
    try store.expect(
      "SELECT title, title_2, rank, Rank_2 FROM Note",
      ["underscore|NULL|1|NULL", "other|plain|NULL|2"])
    try store.expect("SELECT title FROM Note_2", ["of Note"])
    try store.expect(
      "SELECT name, entity FROM _class WHERE entity IS NOT NULL", ["MTNote|Note", "Note|Note_2"])
    try expectVerified(folder, "a", "b", "c")
  }

  @Test("names that stay as they are go before those that become like them")
  func precedence() throws {
    let folder = try TemporaryFolder()
    try folder.add("a") { archive in
      archive.array([
        archive.instance(of: "MTNote", ["_a": 1, "a": 2, "NS.a": 3]), archive.instance(of: "Note"),
      ])
    }
    #expect(try folder.convert("a", "-o", "out.db", "--plain-names", "--verify").status == 0)
    try folder.store().expect("SELECT a_2, a, a_3 FROM Note_2", ["1|2|3"])
    try folder.store().expect("SELECT count(*) FROM Note", ["1"])
  }

  @Test("a table that is there keeps its key, and so the name of a key id")
  func appendedIDs() throws {
    let folder = try TemporaryFolder()
    try add("a", to: folder, ["rank": 1])
    try add("b", to: folder, ["id": 50, "rank": 2])
    #expect(try folder.convert("a", "-o", "out.db", "--plain-names").status == 0)
    #expect(try folder.append("b", "--plain-names", to: "out.db").status == 0)
    try folder.store().expect("SELECT id, rank, id_2 FROM Note", ["1|1|NULL", "2|2|50"])
    try expectVerified(folder, "a", "b")

    // The other way round, and without the option.
    #expect(
      try folder.convert("b", "-o", "out.db", "--plain-names", "--if-exists", "replace").status == 0
    )
    #expect(try folder.append("a", "--plain-names", to: "out.db").status == 0)
    try folder.store().expect("SELECT row_id, id, rank FROM Note", ["1|50|2", "2|NULL|1"])
    try add("c", to: folder, className: "Note", ["id": 70, "row_id": 8])
    #expect(try folder.append("c", "--dictionaries", "pairs", to: "out.db").status == 0)
    try folder.store().expect(
      "SELECT row_id, id, rank, row_id_2 FROM Note",
      ["1|50|2|NULL", "2|NULL|1|NULL", "3|70|NULL|8"])
    try expectVerified(folder, "a", "b", "c")
  }

  @Test("an entity is found by a mapping that names it, and keeps the names of the mapping")
  func mapping() throws {
    let folder = try TemporaryFolder()
    try library(in: folder)
    try folder.write(
      """
      plainNames: true
      entities:
        Thing: {abstract: true, attributes: {id: {type: string}}}
        Note:
          parent: Thing
          identity: id
          attributes: {_Name: {from: MTTitle}, id: {}}
        Tag: {parent: Thing, attributes: {id: {from: _id}}}

      """, to: "m.yaml")
    let result = try folder.convert("a", "-o", "out.db", "--mapping", "m.yaml", "--verify", "-q")
    #expect(result.status == 0, "\(result)")
    let store = try folder.store()
    try store.expect(
      "SELECT row_id_2, id, _entity, _Name, previous_note_id, row_id FROM Thing",
      [
        "1|n0|Note|T0|NULL|1", "2|n1|Note|T1|1|1", "3|n2|Note|T2|2|1", "4|t0|Tag|NULL|NULL|NULL",
        "5|t1|Tag|NULL|NULL|NULL",
      ])
    try store.expect("SELECT row_id_2, id FROM Tag", ["4|t0", "5|t1"])
    try store.expect("SELECT id FROM Folder", ["1"])
    try expectVerified(folder, "a")
    // Rows are found by their identity.
    #expect(try folder.append("a", "--mapping", "m.yaml", "--provenance", to: "out.db").status == 0)
    try store.expect("SELECT count(*) FROM Note", ["3"])
    try expectVerified(folder, "a")
  }

  @Test("a draft says all names, and yields the same store")
  func draft() throws {
    let folder = try TemporaryFolder()
    try library(in: folder)
    #expect(
      try Program.run(["infer", "a", "-o", "m.yaml", "--plain-names"], in: folder.path).status == 0)
    #expect(try folder.text(of: "m.yaml").contains("\nplainNames: true\n"))
    #expect(try folder.convert("a", "-o", "out.db", "--mapping", "m.yaml", "--verify").status == 0)
    #expect(try folder.convert("a", "-o", "plain.db", "--plain-names").status == 0)
    let own: Set<String> = ["_archive", "_run", "_report"]
    #expect(
      try folder.store().content(except: own) == folder.store("plain.db").content(except: own))
    #expect(try folder.store().schema() == folder.store("plain.db").schema())
    let result = try Program.run(["check", "m.yaml", "a", "--plain-names"], in: folder.path)
    #expect(result.status == 0, "\(result)")
  }

  @Test("a changed value, a lost row and a changed reference are found in a table with a row_id")
  func tampered() throws {
    let folder = try TemporaryFolder()
    try library(in: folder)
    for change in [
      "UPDATE Note SET id = 'x' WHERE row_id_2 = 2", "DELETE FROM Tag WHERE row_id = 2",
      "UPDATE Note SET previous_note_id = 2 WHERE row_id_2 = 1", "DROP INDEX Note_by_id",
      "UPDATE _top SET row = 9 WHERE row = 1",
    ] {
      let made = try folder.convert("a", "-o", "out.db", "--if-exists", "replace", "--plain-names")
      #expect(made.status == 0)
      try StoreEditor(folder.file(named: "out.db")).run(change)
      #expect(try Program.run(["verify", "out.db", "a"], in: folder.path).status == 1, "\(change)")
    }
  }

  @Test("the view of a superclass has the keys of its tables, whatever they are called")
  func superclass() throws {
    let folder = try TemporaryFolder()
    try folder.add("a") { archive in
      archive.array([
        archive.instance(
          of: "MTCat", hierarchy: ["MTCat", "ABAnimal", "NSObject"], ["id": 5, "_age": 3]),
        archive.instance(of: "MTDog", hierarchy: ["MTDog", "ABAnimal", "NSObject"], ["age": 4]),
      ])
    }
    #expect(try folder.convert("a", "-o", "out.db", "--plain-names", "--verify").status == 0)
    try folder.store().expect("SELECT _entity, row_id, age FROM Animal", ["Cat|1|3", "Dog|1|4"])
    try expectVerified(folder, "a")
  }

  @Test("a Core Data model keeps its names, and an attribute id of it")
  func model() throws {
    let folder = try TemporaryFolder()
    try library(in: folder)
    #expect(
      try Program.run(
        ["infer", "a", "-o", "m.yaml", "--plain-names", "--model-output", "M.xcdatamodeld"],
        in: folder.path
      ).status == 0)
    let result = try folder.convert(
      "a", "-o", "out.db", "--model", "M.xcdatamodeld", "--mapping", "m.yaml", "--plain-names",
      "--verify", "-q")
    #expect(result.status == 0, "\(result)")
    try folder.store().expect("SELECT row_id_2, id FROM Note", ["1|n0", "2|n1", "3|n2"])
    try expectVerified(folder, "a")
    let other = try folder.convert(
      "a", "-o", "core.db", "--mapping", "m.yaml", "--layout", "coredata", "--verify", "-q")
    #expect(other.status == 0, "\(other)")
    try folder.store("core.db").expect("SELECT Z_PK, ZID FROM ZNOTE", ["1|n0", "2|n1", "3|n2"])
  }

  @Test(
    "are given once each, and as SQLite takes them, whatever a store says of them",
    arguments: ["Tag", "TAG", "_run", "sqlite_note", "", "a\\u0000b"])
  func hostileStore(name: String) throws {
    let folder = try TemporaryFolder()
    try add("one", to: folder, ["title": "a"])
    try add("two", to: folder, className: "MTTag", ["title": "b"])
    try add("three", to: folder, ["title": "c"])
    #expect(try folder.convert("one", "two", "-o", "out.db", "--plain-names", "-q").status == 0)
    let editor = try StoreEditor(folder.file(named: "out.db"))
    try editor.run(
      #"UPDATE _run SET options = replace(options, '"entity":"Note"', '"entity":"\#(name)"')"#)
    editor.close()
    let result = try folder.append("three", "--plain-names", "-q")
    #expect(result.signal == nil, "\(result)")
    #expect([0, 2].contains(result.status), "\(result)")
    try folder.store().expectSound()
    #expect(try folder.convert("verify", "out.db", "one", "two", "three").signal == nil)
  }
}
