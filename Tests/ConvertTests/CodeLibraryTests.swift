import Foundation
import TestSupport
import Testing

@Suite("convert code, by libraries")
struct CodeLibraryTests {
  @Test("writes structures for SQLiteData, with the values that it has no form for")
  func structures() throws {
    let folder = try TemporaryFolder.withStore()
    #expect(try folder.writeCode("sqlitedata").output == "Wrote 21 files to code.\n")
    #expect(
      try folder.text(of: "code/_QuickRecord.swift") == """
        // Made by archive-convert code, which replaces this file.
        // For SQLiteData 1 and a store in the relational layout.
        import Foundation
        import SQLiteData

        /// A row of the table `QuickRecord`: an archived `QuickRecord`.
        @Table("QuickRecord")
        struct QuickRecord: Identifiable, Hashable, Sendable {
          let id: Int64
          var amount: String?
          @Column(as: UUID.UppercasedRepresentation?.self)
          var audioUUID: UUID?
          @Column(as: StoreText<Date>?.self)
          var created_at: Date?
          /// The key `id`.
          @Column(as: UUID.UppercasedRepresentation?.self)
          var id_2: UUID?
          @Column("type_id")
          var typeID: Int64?
        }

        extension QuickRecord {
          /// The row that `type_id` leads to.
          var type: some SelectStatementOf<TransactionType> {
            TransactionType.where { $0.id.is(self.typeID) }
          }

          /// The rows whose `QuickRecord_id` leads here.
          var tags: some SelectStatementOf<QuickRecord_tags> {
            QuickRecord_tags
              .where { $0.QuickRecordID.eq(self.id) }
          }
        }

        """)
    let text = try folder.text(of: "code/_MTLibrary.swift")
    #expect(
      text.hasSuffix(
        """
          var folders: some Statement<MTFolder> {
            MTFolder
              .join(MTLibrary_folders.all) { $0.id.is($1.MTFolderID) }
              .where { $1.MTLibraryID.eq(self.id) }
              .order { $1.position }
              .select { member, _ in member }
          }
        }

        """), "\(text)")
  }

  @Test(
    "writes a JSON Schema that all rows fit",
    .enabled(
      if: Python.runs("import jsonschema; jsonschema.Draft202012Validator"),
      "there is no jsonschema here"))
  func schema() throws {
    let folder = try TemporaryFolder.withStore()
    let result = try folder.writeCode("jsonschema")
    #expect(result.output == "Wrote 1 file to code.\n", "\(result)")
    // Made again.
    #expect(try folder.writeCode("jsonschema").status == 0)
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

  @Test(
    "writes classes that SQLAlchemy reads all rows with, and all that they lead to",
    .enabled(
      if: Python.runs("import sqlalchemy; assert sqlalchemy.__version__ >= '2'"),
      "there is no SQLAlchemy 2 here"))
  func classes() throws {
    let folder = try TemporaryFolder.withStore()
    #expect(try folder.writeCode("sqlalchemy").status == 0)
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

  /// A folder with a store of a drafted model.
  private static func folderOfModel() throws -> TemporaryFolder {
    let folder = try TemporaryFolder(samples: "MentalCase.archive")
    for result in [
      try folder.convert(
        "infer", "MentalCase.archive", "-o", "m.yaml", "--model-output", "M.xcdatamodeld"),
      try folder.convert(
        "MentalCase.archive", "--mapping", "m.yaml", "--layout", "coredata", "-o", "s.db", "--quiet"
      ),
    ] {
      #expect(result.status == 0, "\(result)")
    }
    return folder
  }

  @Test("writes the properties of Core Data's classes, which are the user's own files")
  func coreData() throws {
    let folder = try Self.folderOfModel()
    let result = try folder.writeCode("coredata")
    #expect(result.output == "Wrote 12 files to code.\n" && result.status == 0, "\(result)")
    #expect(
      try folder.text(of: "code/MTFolder.swift") == """
        // A place for your own code: this file is written once.
        import CoreData

        @objc(MTFolder)
        class MTFolder: NSManagedObject {
        }

        """)
    #expect(
      try folder.text(of: "code/_MTFolder.swift") == """
        // Made by archive-convert code, which replaces this file.
        // For Core Data and a model that names these classes, with manual code generation.
        import CoreData
        import Foundation

        /// The properties of the entity `MTFolder`.
        extension MTFolder {
          @nonobjc class func fetchRequest() -> NSFetchRequest<MTFolder> {
            NSFetchRequest(entityName: "MTFolder")
          }

          @NSManaged var isEditable: NSNumber?
          @NSManaged var modelContext: NSObject?
          @NSManaged var modelObjectClassVersion: NSNumber?
          @NSManaged var title: String?
          @NSManaged var uniqueId: String?
          @NSManaged var folders: NSOrderedSet
          @objc(addFoldersObject:) @NSManaged func addToFolders(_ value: MTFolder)
          @objc(removeFoldersObject:) @NSManaged func removeFromFolders(_ value: MTFolder)
          @objc(insertObject:inFoldersAtIndex:) @NSManaged func insertIntoFolders(_ value: MTFolder, at index: Int)
          @NSManaged var mTLibrary_folders: Set<MTLibrary>
          @objc(addMTLibrary_foldersObject:) @NSManaged func addToMTLibrary_folders(_ value: MTLibrary)
          @objc(removeMTLibrary_foldersObject:) @NSManaged func removeFromMTLibrary_folders(_ value: MTLibrary)
          @NSManaged var notes: NSOrderedSet
          @objc(addNotesObject:) @NSManaged func addToNotes(_ value: MTNote)
          @objc(removeNotesObject:) @NSManaged func removeFromNotes(_ value: MTNote)
          @objc(insertObject:inNotesAtIndex:) @NSManaged func insertIntoNotes(_ value: MTNote, at index: Int)
          @NSManaged var parent: MTFolder?
        }

        extension MTFolder {
          /// The rows of `folders`, in their order.
          var foldersInOrder: [MTFolder] {
            folders.compactMap { $0 as? MTFolder }
          }

          /// The rows of `notes`, in their order.
          var notesInOrder: [MTNote] {
            notes.compactMap { $0 as? MTNote }
          }
        }

        """)
  }

  @Test("writes classes for SwiftData, with an inverse on one side, and elements by their position")
  func swiftData() throws {
    let folder = try Self.folderOfModel()
    let result = try folder.writeCode("swiftdata")
    #expect(result.output == "Wrote 12 files to code.\n" && result.status == 0, "\(result)")
    let text = try folder.text(of: "code/_MTNote.swift")
    let start = try #require(text.range(of: "/// A row"))
    #expect(
      text[start.lowerBound...] == #"""
        /// A row of the entity `MTNote`.
        @Model
        final class MTNote {
          var creationDate: Date?
          var ease: Double?
          var isEditable: Bool?
          var link: URL?
          @Attribute(.transformable(by: "NSSecureUnarchiveFromData"), originalName: "modelContext")
          var modelContext_: NSObject?
          var modelObjectClassVersion: Int64?
          var modificationDate: Date?
          var price: Decimal?
          var rank: Int64?
          var sketch: Data?
          var sound: Data?
          var syncIdentifier: UUID?
          var text: String?
          var title: String?
          var uniqueId: String?
          var container: MTFolder?
          @Relationship(deleteRule: .cascade, inverse: \MTNote_hints.owner)
          var hints: [MTNote_hints]? = []
          @Relationship(deleteRule: .cascade, inverse: \MTNote_tags.owner)
          var tags: [MTNote_tags]? = []

          init() {}
        }

        extension MTNote {
          /// The rows of `hints`, in their order.
          var hintsInOrder: [MTNote_hints] {
            (hints ?? []).sorted { ($0.position ?? 0) < ($1.position ?? 0) }
          }
        }

        """#)
    let folders = try folder.text(of: "code/_MTLibrary.swift")
    #expect(folders.contains("  var folders: [MTFolder]? = []\n"), "\(folders)")
    #expect(!folders.contains("inverse: \\MTFolder"), "\(folders)")
  }

  @Test("gives types of two names that differ in an underscore files of their own")
  func underscores() throws {
    let folder = try TemporaryFolder()
    try folder.add("in") { archive in
      let part = archive.instance(of: "_Note", ["__part": archive.instance(of: "Note")])
      return archive.array([part])
    }
    #expect(try folder.convert("in", "-o", "out.db", "-q").status == 0)
    #expect(try folder.convert("code", "out.db", "--for", "grdb", "-o", "grdb").status == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.file(named: "grdb")).sorted()
        == ["Note.swift", "_Note+Own.swift", "_Note.swift", "_StoreValues.swift", "__Note.swift"])
    #expect(try folder.convert("code", "out.db", "--for", "sqlalchemy", "-o", "py").status == 0)
    let code = try folder.text(of: "py/_store.py")
    // Python would make another name of one with two underscores.
    #expect(code.contains("    _part") && !code.contains("    __part"))
  }
}
