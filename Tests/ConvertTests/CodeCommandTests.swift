import Foundation
import TestSupport
import Testing

@Suite("convert code")
struct CodeCommandTests {
  @Test("writes a record for each table, with columns by their keys, and associations both ways")
  func records() throws {
    let folder = try TemporaryFolder.withStore()
    let result = try folder.writeCode("grdb")
    #expect(result.output == "Wrote 21 files to code.\n" && result.status == 0, "\(result)")
    #expect(
      try folder.text(of: "code/_MTFolder.swift") == """
        // Made by archive-convert code, which replaces this file.
        // For GRDB 7 and a store in the relational layout.
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
    let view = try folder.text(of: "code/_MTModelObject.swift")
    #expect(view.contains("  var _entity: String?\n"), "\(view)")
  }

  @Test("keeps files of one's own, and replaces those that it made, and no others")
  func files() throws {
    let folder = try TemporaryFolder.withStore()
    #expect(try folder.writeCode("sqlalchemy").output == "Wrote 2 files to code.\n")
    let made = try folder.text(of: "code/_store.py")
    try folder.write("mine = 1\n", to: "code/store.py")
    try folder.write("\(made)# changed\n", to: "code/_store.py")
    let again = try folder.writeCode("sqlalchemy")
    #expect(again.output == "Wrote 1 file to code, and kept 1 file of your own.\n", "\(again)")
    #expect(try folder.text(of: "code/store.py") == "mine = 1\n")
    #expect(try folder.text(of: "code/_store.py") == made)
    try folder.write("other = 1\n", to: "code/_store.py")
    let refused = try folder.writeCode("sqlalchemy")
    #expect(refused.status == 2, "\(refused)")
    #expect(
      refused.errors.contains(
        "_store.py: cannot be written: already exists and was not written by this program"),
      "\(refused)")
    #expect(try folder.text(of: "code/_store.py") == "other = 1\n")
  }

  @Test("removes its own files of tables that are gone, and nothing else")
  func formerTables() throws {
    let folder = try TemporaryFolder.withStore()
    #expect(try folder.writeCode("grdb").status == 0)
    try folder.write("struct Mine {}\n", to: "code/_Mine.swift")
    try folder.write("# Made by archive-convert code\n", to: "code/_other.py")
    let alone = try folder.convert("MentalCase.archive", "-o", "m.db", "--quiet")
    #expect(alone.status == 0, "\(alone)")
    func names() throws -> Set<String> {
      Set(try FileManager.default.contentsOfDirectory(atPath: folder.file(named: "code")))
    }
    let before = try names()
    let result = try folder.writeCode("grdb", "m.db")
    #expect(
      result.output
        == "Wrote 8 files to code, and kept 7 files of your own; removed 3 files of former tables.\n",
      "\(result)")
    let removed: Set = [
      "_QuickRecord.swift", "_QuickRecord_tags.swift", "_TransactionType.swift",
    ]
    #expect(try names() == before.subtracting(removed))
  }

  @Test("has names that are identifiers, and no words of the language, whatever the archive says")
  func names() throws {
    let folder = try TemporaryFolder.withStore()
    let editor = try StoreEditor(folder.file(named: "s.db"))
    try editor.run(
      #"""
      CREATE TABLE "class" (id INTEGER PRIMARY KEY NOT NULL, "import" TEXT, "a b" TEXT, "a_b" TEXT,
        "1st" TEXT, "\(x)`" TEXT NOT NULL, MTNote TEXT,
        Class_id INTEGER REFERENCES "class"(id)) STRICT;
      CREATE TABLE "Class " (id INTEGER PRIMARY KEY NOT NULL) STRICT;
      """#)
    editor.close()
    #expect(try folder.writeCode("grdb").status == 0)
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

  @Test("has classes that inherit, under other names where those of the model are types of Swift")
  func inheritance() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file(named: "M.xcdatamodel"), withIntermediateDirectories: true)
    try folder.write(
      """
      <model><entity name="Base" representedClassName=".Thing" isAbstract="YES">
        <attribute name="name" attributeType="String"/>
        <attribute name="default" optional="YES" attributeType="Integer 16"/>
      </entity><entity name="Data" parentEntity="Base">
        <attribute name="isNew" attributeType="Boolean" defaultValueString="NO"/>
        <attribute name="when" attributeType="Date"/>
        <relationship name="things" toMany="YES" maxCount="3" deletionRule="Deny"
          destinationEntity="Base"/>
      </entity></model>
      """, to: "M.xcdatamodel/contents")
    #expect(try folder.writeCode("coredata", "M.xcdatamodel").status == 0)
    let text = try folder.text(of: "code/Data_.swift")
    #expect(text.hasSuffix("@objc(Data)\nclass Data_: Thing {\n}\n"), "\(text)")
    let properties = try folder.text(of: "code/_Data_.swift")
    #expect(
      properties.hasSuffix(
        """
            NSFetchRequest(entityName: "Data")
          }

          @NSManaged var isNew: Bool
          @NSManaged var when: Date
          @NSManaged var things: Set<Thing>
          @objc(addThingsObject:) @NSManaged func addToThings(_ value: Thing)
          @objc(removeThingsObject:) @NSManaged func removeFromThings(_ value: Thing)
        }

        """), "\(properties)")
    #expect(try folder.writeCode("swiftdata", "M.xcdatamodel").status == 0)
    let form = try folder.text(of: "code/_Data_.swift")
    #expect(
      form.hasSuffix(
        """
        /// A row of the entity `Data`.
        /// SwiftData calls its entity `Data_`.
        @available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *)
        @Model
        final class Data_: Base {
          var isNew: Bool = false
          var when: Date
          @Relationship(deleteRule: .deny, maximumModelCount: 3)
          var things: [Base] = []

          init(when: Date, name: String) {
            self.when = when
            super.init(name: name)
          }
        }

        """), "\(form)")
  }

  @Test("is for stores in the relational layout, or for models, as the library needs")
  func otherStores() throws {
    let folder = try TemporaryFolder.withStore()
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
      let result = try folder.writeCode("grdb", name)
      #expect(result.status == 2, "\(result)")
      #expect(result.errors.hasPrefix(words), "\(result)")
    }
    for (name, words) in [
      ("s.db", "s.db: is a store that archive-convert wrote"),
      ("text", "text: is neither a Core Data model"),
    ] {
      let result = try folder.writeCode("coredata", name)
      #expect(result.status == 2, "\(result)")
      #expect(result.errors.hasPrefix(words), "\(result)")
    }
  }

  @Test("hides the tables of the program alone")
  func ownTables() throws {
    let folder = try TemporaryFolder.withStore()
    let editor = try StoreEditor(folder.file(named: "s.db"))
    try editor.run("CREATE TABLE _searches (id INTEGER PRIMARY KEY NOT NULL) STRICT;")
    editor.close()
    #expect(try folder.writeCode("grdb").status == 0)
    #expect(try folder.text(of: "code/__searches.swift").contains("\"_searches\""))
  }
}

extension TemporaryFolder {
  /// A folder with a store of two samples.
  static func withStore() throws -> TemporaryFolder {
    let folder = try TemporaryFolder(samples: "MentalCase.archive", "QuickRecord.archive")
    let result = try folder.convert(
      "MentalCase.archive", "QuickRecord.archive", "-o", "s.db", "--quiet")
    #expect(result.status == 0, "\(result)")
    return folder
  }

  /// Writes code for a store into a folder of the folder.
  func writeCode(_ library: String, _ store: String = "s.db") throws -> Program.Result {
    try convert("code", store, "--for", library, "-o", "code")
  }
}
