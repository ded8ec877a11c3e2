import Foundation
import TestSupport
import Testing

@Suite("convert code")
struct CodeCommandTests {
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder(samples: "MentalCase.archive", "QuickRecord.archive")
    let result = try folder.convert(
      "MentalCase.archive", "QuickRecord.archive", "-o", "s.db", "--quiet")
    #expect(result.status == 0, "\(result)")
    return folder
  }

  private func write(
    _ library: String, in folder: TemporaryFolder, _ store: String = "s.db"
  ) throws -> Program.Result {
    try folder.convert("code", store, "--for", library, "-o", "code")
  }

  @Test("writes a record for each table, with columns by their keys, and associations both ways")
  func records() throws {
    let folder = try Self.folder()
    let result = try write("grdb", in: folder)
    #expect(result.output == "Wrote 21 files to code.\n" && result.status == 0, "\(result)")
    #expect(
      try folder.text(of: "code/_MTFolder.swift") == """
        // Made by archive-convert code, which replaces this file.
        import Foundation
        import GRDB

        /// A row of the table `MTFolder`: an archived `MTFolder`.
        struct MTFolder: Codable, Identifiable, Hashable, Sendable {
          var id: Int64?
          var modelObjectClassVersion: Int64?
          var uniqueId: String?
          var modelContext: StoreValue?
          var title: String?
          var isEditable: Bool?
          var parentID: Int64?
          var foldersPosition: Int64?

          enum CodingKeys: String, CodingKey {
            case id
            case modelObjectClassVersion
            case uniqueId
            case modelContext
            case title
            case isEditable
            case parentID = "parent_id"
            case foldersPosition = "folders_position"
          }

          enum Columns {
            static let id = Column("id")
            static let modelObjectClassVersion = Column("modelObjectClassVersion")
            static let uniqueId = Column("uniqueId")
            static let modelContext = Column("modelContext")
            static let title = Column("title")
            static let isEditable = Column("isEditable")
            static let parentID = Column("parent_id")
            static let foldersPosition = Column("folders_position")
          }
        }

        extension MTFolder: MutablePersistableRecord, StoreRecord {
          static let databaseTableName = "MTFolder"

          mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
        }

        extension MTFolder {
          /// The row that `parent_id` leads to.
          static let parent = belongsTo(
            MTFolder.self, key: "parent", using: ForeignKey(["parent_id"]))
          var parent: QueryInterfaceRequest<MTFolder> { request(for: Self.parent) }

          /// The rows whose `parent_id` leads here, in their order.
          static let folders = hasMany(
            MTFolder.self, key: "folders", using: ForeignKey(["parent_id"])
          ).order(MTFolder.Columns.foldersPosition)
          var folders: QueryInterfaceRequest<MTFolder> { request(for: Self.folders) }

          /// The rows whose `container_id` leads here, in their order.
          static let notes = hasMany(
            MTNote.self, key: "notes", using: ForeignKey(["container_id"])
          ).order(MTNote.Columns.notesPosition)
          var notes: QueryInterfaceRequest<MTNote> { request(for: Self.notes) }
        }

        """)
  }

  @Test("keeps files of one's own, and replaces those that it made, and no others")
  func files() throws {
    let folder = try Self.folder()
    #expect(try write("sqlalchemy", in: folder).output == "Wrote 2 files to code.\n")
    let made = try folder.text(of: "code/_store.py")
    try folder.write("mine = 1\n", to: "code/store.py")
    try folder.write("\(made)# changed\n", to: "code/_store.py")
    let again = try write("sqlalchemy", in: folder)
    #expect(again.output == "Wrote 1 file to code, and kept 1 file of your own.\n", "\(again)")
    #expect(try folder.text(of: "code/store.py") == "mine = 1\n")
    #expect(try folder.text(of: "code/_store.py") == made)
    try folder.write("other = 1\n", to: "code/_store.py")
    let refused = try write("sqlalchemy", in: folder)
    #expect(refused.status == 2, "\(refused)")
    #expect(
      refused.errors.contains(
        "_store.py: cannot be written: already exists and was not written by this program"),
      "\(refused)")
    #expect(try folder.text(of: "code/_store.py") == "other = 1\n")
  }

  @Test("has names that are identifiers, and no words of the language, whatever the archive says")
  func names() throws {
    let folder = try Self.folder()
    let editor = try StoreEditor(folder.file(named: "s.db"))
    try editor.run(
      #"""
      CREATE TABLE "class" (id INTEGER PRIMARY KEY NOT NULL, "import" TEXT, "a b" TEXT, "a_b" TEXT,
        "1st" TEXT, "\(x)`" TEXT NOT NULL, MTNote TEXT,
        Class_id INTEGER REFERENCES "class"(id)) STRICT;
      CREATE TABLE "Class " (id INTEGER PRIMARY KEY NOT NULL) STRICT;
      """#)
    editor.close()
    #expect(try write("grdb", in: folder).status == 0)
    let text = try folder.text(of: "code/_class__.swift")
    let members = text.split(separator: "\n").filter { $0.hasPrefix("  var ") }
    #expect(
      members == [
        "  var id: Int64?", "  var import_: String?", "  var a_b: String?", "  var a_b_: String?",
        "  var _1st: String?", "  var __x__: String", "  var MTNote_: String?",
        "  var ClassID: Int64?",
        "  var owner: QueryInterfaceRequest<class__> { request(for: Self.owner) }",
      ], "\(text)")
    #expect(text.contains(#"    case __x__ = "\\(x)`""#), "\(text)")
    #expect(try folder.text(of: "code/_Class_.swift").contains("databaseTableName = \"Class \""))
  }

  @Test(
    "writes a JSON Schema that all rows fit",
    .enabled(
      if: Python.runs("import jsonschema; jsonschema.Draft202012Validator"),
      "there is no jsonschema here"))
  func schema() throws {
    let folder = try Self.folder()
    let result = try write("jsonschema", in: folder)
    #expect(result.output == "Wrote 1 file to code.\n", "\(result)")
    // Made again.
    #expect(try write("jsonschema", in: folder).status == 0)
    try folder.write(
      """
      import json, sqlite3
      import jsonschema

      schema = json.load(open("code/store.schema.json"))
      store = sqlite3.connect("s.db")
      store.row_factory = sqlite3.Row
      text = lambda value: value.hex() if isinstance(value, bytes) else value
      rows = {
          table: [
              {key: text(row[key]) for key in row.keys()}
              for row in store.execute(f'SELECT * FROM "{table}"')
          ]
          for table in schema["properties"]
      }
      validator = jsonschema.Draft202012Validator(schema)
      print([error.message for error in validator.iter_errors(rows)])
      rows["MTNote"][0]["price"] = 2
      del rows["MTFolder"][0]["title"]
      print(sorted(error.message for error in validator.iter_errors(rows)))
      print(json.dumps(schema["$defs"]["MTNote_tags"]["properties"]))

      """, to: "check.py")
    let check = try Python.run(
      try #require(Python.path), [folder.file(named: "check.py")], in: folder)
    #expect(
      check.output == """
        []
        ["'title' is a required property", "2 is not of type 'string', 'null'"]
        {"MTNote_id": {"description": "the MTNote of this key", "type": ["integer"]}, \
        "id": {"type": ["integer"]}, "value": {"type": ["string", "null"]}}

        """, "\(check.errors)")
  }

  @Test("is for stores in the relational layout")
  func otherStores() throws {
    let folder = try Self.folder()
    try folder.write("text", to: "text")
    let model = "\(Repository.samples)/Expenses.xcdatamodeld"
    let made = try folder.convert(
      "\(Repository.samples)/Expenses.archive", "--model", model, "--layout", "coredata", "-o",
      "coredata.db", "-q")
    #expect(made.status == 0, "\(made)")
    for (name, words) in [
      ("text", "text: cannot be read"),
      ("MentalCase.archive", "MentalCase.archive: is a keyed archive: convert it"),
      ("coredata.db", "coredata.db: a Core Data store keeps no report"),
    ] {
      let result = try write("grdb", in: folder, name)
      #expect(result.status == 2, "\(result)")
      #expect(result.errors.hasPrefix(words), "\(result)")
    }
  }

  @Test("hides the tables of the program alone")
  func ownTables() throws {
    let folder = try Self.folder()
    let editor = try StoreEditor(folder.file(named: "s.db"))
    try editor.run("CREATE TABLE _searches (id INTEGER PRIMARY KEY NOT NULL) STRICT;")
    editor.close()
    #expect(try write("grdb", in: folder).status == 0)
    #expect(try folder.text(of: "code/__searches.swift").contains("\"_searches\""))
  }

  @Test(
    "writes classes that SQLAlchemy reads all rows with, and all that they lead to",
    .enabled(
      if: Python.runs("import sqlalchemy; assert sqlalchemy.__version__ >= '2'"),
      "there is no SQLAlchemy 2 here"))
  func classes() throws {
    let folder = try Self.folder()
    #expect(try write("sqlalchemy", in: folder).status == 0)
    try folder.write(
      """
      from sqlalchemy import String, create_engine, select, type_coerce
      from sqlalchemy.orm import Session
      from _store import *

      with Session(create_engine("sqlite:///s.db")) as session:
          for mapper in sorted(Base.registry.mappers, key=lambda mapper: mapper.class_.__name__):
              rows = session.scalars(select(mapper.class_)).all()
              links = {
                  link.key: sum(
                      len(found) if isinstance(found, list) else found is not None
                      for found in (getattr(row, link.key) for row in rows)
                  )
                  for link in mapper.relationships
              }
              print(mapper.class_.__name__, len(rows), links)
          note = session.scalars(select(MTNote).where(MTNote.price.is_not(None))).first()
          print(repr(note.creationDate), repr(note.price), note.syncIdentifier.version)
          note.notesPosition, note.creationDate = 9, note.creationDate.replace(microsecond=5)
          session.commit()
          print(session.scalar(select(type_coerce(MTNote.creationDate, String))
              .where(MTNote.id == note.id)))

      """, to: "code/check.py")
    let result = try Python.run(
      try #require(Python.path), ["-W", "error", folder.file(named: "code/check.py")], in: folder)
    #expect(
      result.output == """
        MTFolder 3 {'parent': 1, 'folders': 1, 'notes': 12}
        MTLibrary 1 {'foldersLinks': 2, 'folders': 2}
        MTLibrary_folders 2 {'owner': 2, 'member': 2}
        MTNote 12 {'container': 12, 'tags': 17, 'hints': 5}
        MTNote_hints 5 {'owner': 5}
        MTNote_tags 17 {'owner': 17}
        QuickRecord 5 {'type_': 5, 'tags': 6}
        QuickRecord_tags 6 {'owner': 6}
        TransactionType 2 {}
        datetime.datetime(2010, 4, 3, 15, 6, 40, tzinfo=datetime.timezone.utc) Decimal('2.35') 4
        2010-04-03T15:06:40.000005000Z

        """, "\(result.errors)")
    #expect(result.status == 0, "\(result.errors)")
  }
}
