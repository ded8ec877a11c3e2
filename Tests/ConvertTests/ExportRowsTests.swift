import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("convert export of stores that keep no archive")
struct ExportRowsTests {
  private static let samples = [
    "Events.archive", "Expenses-Unusual.xml", "Expenses.archive", "Locations.xml",
    "MentalCase.archive", "QuickRecord.archive",
  ]

  @Test("makes objects that become the same rows again", arguments: samples, ["binary", "xml"])
  func unchanged(sample: String, form: String) throws {
    let folder = try TemporaryFolder(samples: sample)
    #expect(try folder.convert(sample, "-o", "out.db", "--quiet").status == 0)
    let result = try folder.convert(
      "export", "out.db", "-o", "new", "--format", form, "--check")
    #expect(result.output.hasSuffix("objects, made of its rows, checked.\n"), "\(result)")
    let again = try folder.convert("new", "-o", "again.db", "--verify", "--quiet")
    #expect(again.status == 0, "\(again)")
    let counts = "SELECT entity, last FROM _rows ORDER BY entity"
    #expect(try folder.store("again.db").lines(counts) == folder.store().lines(counts))
  }

  @Test("makes what Foundation's unarchiver reads")
  func foundation() throws {
    let folder = try TemporaryFolder(samples: "MentalCase.archive")
    #expect(try folder.convert("MentalCase.archive", "-o", "out.db", "--quiet").status == 0)
    for form in ["binary", "xml"] {
      let result = try folder.convert("export", "out.db", "-o", form, "--format", form)
      #expect(result.status == 0, "\(result)")
      let read = try ReadObject.text(of: folder.contents(of: form), "root")
      #expect(read.contains("mañana") && read.count > 1_000)
    }
  }

  @Test("takes rows that were changed, added and removed")
  func edited() throws {
    let folder = try TemporaryFolder(samples: "MentalCase.archive")
    #expect(try folder.convert("MentalCase.archive", "-o", "out.db", "--quiet").status == 0)
    let (_, again) = try folder.exported(
      after: """
        UPDATE MTNote SET title = 'Loaf', rank = NULL, price = '12.345' WHERE id = 1;
        DELETE FROM MTNote_tags WHERE MTNote_id = 5;
        DELETE FROM MTNote WHERE id = 5;
        INSERT INTO MTNote (id, title, rank, container_id, notes_position)
          VALUES (80, 'New', 7, 3, 40);
        INSERT INTO MTNote_hints (MTNote_id, position, value) VALUES (80, 5, 'b'), (80, 1, 'a');
        """)
    try again.expect(
      "SELECT title, rank, price FROM MTNote WHERE title IN ('Loaf', 'New') ORDER BY title",
      ["Loaf|NULL|12.345", "New|7|NULL"])
    try again.expect(
      """
      SELECT group_concat(h.value) FROM MTNote AS n JOIN
        (SELECT * FROM MTNote_hints ORDER BY position) AS h ON h.MTNote_id = n.id
        WHERE n.title = 'New'
      """, ["a,b"])
    try again.expect("SELECT count(*) FROM MTNote", "12")
  }

  @Test(
    "refuses by name what cannot be right, and writes nothing",
    arguments: [
      (
        "INSERT INTO MTFolder (title) VALUES ('f')", "MTFolder: nothing refers to 1 row"
      ),
      (
        "UPDATE MTNote SET title = '$null' WHERE id < 3",
        "MTNote, title: an archive has no text '$null' (2 rows)"
      ),
      (
        "UPDATE MTNote SET creationDate = 'x' WHERE id = 3",
        "MTNote, creationDate: the text is not a date in ISO 8601 with a zone (1 row)"
      ),
      (
        "INSERT INTO MTNote_tags (MTNote_id, value) VALUES (999, 'lost')",
        "MTNote_tags 18: names a row of MTNote that is not there"
      ),
      (
        "ALTER TABLE MTNote ADD COLUMN mood TEXT; UPDATE MTNote SET mood = 'x' WHERE id = 1",
        "MTNote, mood: no key is known for the column (1 row)"
      ),
      (
        "UPDATE MTNote SET modelContext = '2020-01-01T00:00:00.000Z' WHERE id = 1",
        "MTNote, modelContext: texts may stand for values of several classes (1 row)"
      ),
      ("UPDATE _top SET entity = 'x'", "_top, root: refers to no table of objects (1 row)"),
      (
        "DELETE FROM MTNote; DELETE FROM MTNote_tags; DELETE FROM MTNote_hints; "
          + "UPDATE _class SET entity = NULL WHERE name = 'MTNote'",
        "MTNote: its class is not known"
      ),
    ])
  func refusals(sql: String, message: String) throws {
    let folder = try TemporaryFolder(samples: "MentalCase.archive")
    #expect(try folder.convert("MentalCase.archive", "-o", "out.db", "--quiet").status == 0)
    try folder.change(sql)
    let result = try folder.convert("export", "out.db", "-o", "new.archive")
    #expect(result.status == 2 && result.output.isEmpty, "\(result)")
    #expect(result.errors.hasPrefix("out.db: \(message)"), "\(result)")
    #expect(try folder.names() == ["MentalCase.archive", "out.db"])
  }

  @Test("takes values of Foundation's classes from their JSON, edited ones as they are")
  func foundationValues() throws {
    let folder = try TemporaryFolder()
    try folder.add("in") { archive in
      let zone = archive.instance(of: "NSTimeZone", ["NS.name": archive.string("Europe/Berlin")])
      let style = archive.dictionary([archive.string("bold"): archive.number(true)])
      let text = archive.instance(
        of: "NSAttributedString",
        ["NSString": archive.string("Bread"), "NSAttributes": style])
      return archive.array([
        archive.instance(of: "Note", ["zone": zone, "text": text, "any": zone]),
        archive.instance(of: "Note", ["zone": zone, "text": text, "any": archive.string("a")]),
      ])
    }
    #expect(try folder.convert("in", "-o", "out.db", "--quiet").status == 0)
    let (_, again) = try folder.exported(
      after: """
        UPDATE Note SET zone = '{"class":"NSTimeZone","name":"GMT"}', text = 'Bun', text_runs =
          replace(text_runs, '"length":5', '"length":3') WHERE id = 2
        """)
    for query in ["Note", "_top"].map({ "SELECT * FROM \($0) ORDER BY id" }) {
      #expect(try again.lines(query) == folder.store().lines(query))
    }
    try folder.change("UPDATE Note SET zone = '{\"class\":\"NSTimeZone\",\"names\":1}'")
    let result = try folder.convert("export", "out.db", "-o", "other")
    #expect(
      result.errors == "out.db: Note, zone: no object is known for the JSON (2 rows)\n", "\(result)"
    )
    // A text among other values is taken for JSON if it is that of a value.
    try folder.change(
      """
      UPDATE Note SET zone = NULL;
      UPDATE Note SET any = '{"class":"NSTimeZone","names":1}' WHERE id = 1;
      UPDATE Note SET any = '{"class":"Zone"}' WHERE id = 2
      """)
    let among = try folder.convert("export", "out.db", "-o", "other")
    #expect(
      among.errors == "out.db: Note, any: no object is known for the JSON (1 row)\n", "\(among)")
  }

  @Test("refuses empty collections of which the store does not tell the kind")
  func emptyCollections() throws {
    let folder = try TemporaryFolder()
    try folder.add("in") { archive in
      let all = [
        archive.array([archive.number(1)]), archive.array([]),
        archive.dictionary([archive.string("a"): archive.number(1)]),
      ]
      return archive.array(all.map { archive.instance(of: "Box", ["items": $0]) })
    }
    #expect(try folder.convert("in", "-o", "out.db", "--quiet").status == 0)
    let result = try folder.convert("export", "out.db", "-o", "new")
    let words = "an empty collection may be a list or a dictionary (1 row)"
    #expect(result.errors == "out.db: Box, items: \(words)\n", "\(result)")
  }

  @Test("refuses stores whose rows are not those of the objects")
  func otherStores() throws {
    let folder = try TemporaryFolder(samples: "MentalCase.archive")
    for (option, reason) in [
      (["--salvage"], "--salvage"), (["--open-nested"], "--open-nested"),
      (["--see-through", "MTNote"], "--see-through"),
    ] {
      #expect(
        try Program.run(
          ["MentalCase.archive", "-o", "out.db", "--quiet", "--if-exists", "replace"] + option,
          in: folder.path
        ).status == 0)
      let result = try folder.convert("export", "out.db", "-o", "new")
      #expect(
        result.status == 2 && result.errors.contains("was made with \(reason), and without"),
        "\(result)")
    }
  }

  @Test("exports one archive of several")
  func several() throws {
    let folder = try TemporaryFolder(samples: "MentalCase.archive", "Events.archive")
    #expect(
      try folder.convert("MentalCase.archive", "Events.archive", "-o", "out.db", "--quiet").status
        == 0)
    for (name, count) in [("MentalCase.archive", "170"), ("Events.archive", "4,004")] {
      let result = try folder.convert(
        "export", "out.db", "-o", "new-\(name)", "--archive", name, "--check")
      #expect(
        result.output == "Wrote new-\(name): \(count) objects, made of its rows, checked.\n",
        "\(result)")
    }
    try folder.change("INSERT INTO MTFolder (title) VALUES ('f')")
    let result = try folder.convert("export", "out.db", "-o", "x", "--archive", "Events.archive")
    #expect(
      result.errors
        == "out.db: MTFolder: of several archives, nothing says to which a new row belongs (1 row)\n"
    )
  }

  @Test("keeps dictionaries, collections inside of others, and empty ones")
  func collections() throws {
    let folder = try TemporaryFolder()
    try folder.add("in") { archive in
      let inner = archive.array([archive.number(1), archive.string("a"), archive.null()])
      let counted = archive.countedSet([(archive.string("x"), 2), (archive.string("y"), 1)])
      let empty = archive.instance(of: "Box", ["items": archive.array([]), "none": .none])
      let full = archive.instance(
        of: "Box",
        [
          "items": archive.array([inner, archive.orderedSet([archive.string("o")]), counted]),
          "none": .none, "flag": true, "pairs": archive.dictionary([empty: archive.number(1.5)]),
        ])
      archive.setTop("second", empty)
      return archive.array([full, empty, archive.instance(of: "Box")])
    }
    #expect(try folder.convert("in", "-o", "out.db", "--quiet").status == 0)
    let result = try folder.convert("export", "out.db", "-o", "new", "--check")
    #expect(result.status == 0, "\(result)")
    #expect(try folder.convert("new", "-o", "again.db", "--verify", "--quiet").status == 0)
    for table in ["Box", "Box_items", "Box_pairs", "_collection", "_collection_element", "_top"] {
      let query = "SELECT * FROM \(table) ORDER BY id"
      #expect(try folder.store("again.db").lines(query) == folder.store().lines(query))
    }
  }

  @Test("needs no stack for objects that hold each other")
  func deep() throws {
    let folder = try TemporaryFolder()
    try folder.write(LinkedListArchive.bytes(count: 20_000), to: "list")
    #expect(try folder.convert("list", "-o", "out.db", "--quiet").status == 0)
    for form in ["binary", "xml"] {
      let result = try folder.convert(
        "export", "out.db", "-o", form, "--format", form, "--check", limits: ["-s 512"])
      #expect(result.status == 0, "\(result)")
    }
  }
}
