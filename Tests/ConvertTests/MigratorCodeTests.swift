import Foundation
import TestSupport
import Testing

@Suite("The code of a migrator")
struct MigratorCodeTests {
  private static let sources = "code/Sources/SMigrator"
  private static let tests = "code/Tests/SMigratorTests"

  @Test("writes a package with a type for each archived class, and a test with the archives")
  func package() throws {
    let folder = try TemporaryFolder.withStore()
    let result = try folder.writeCode("migrator")
    #expect(result.output == "Wrote 29 files to code.\n" && result.status == 0, "\(result)")
    #expect(
      try folder.text(of: "\(Self.sources)/_LegacyObjects.swift").hasPrefix(
        """
        // Made by archive-convert code, which replaces this file.
        // For GRDB 7 and ArchiveReader.
        import ArchiveReader
        import Foundation
        import GRDB

        /// An archived `MTFolder`: a row of `MTFolder`.
        final class LegacyMTFolder: LegacyObject {
          override class var legacyClass: String { "MTFolder" }
          override class var table: String { "MTFolder" }
          override class var keys: [String: LegacyKey] { places }
          private static let places: [String: LegacyKey] = [
            "folders": LegacyKey(members: ("parent_id", "folders_position")),
            "isEditable": LegacyKey(holdsValue: true),
            "modelContext": LegacyKey(holdsValue: true),
            "modelObjectClassVersion": LegacyKey(holdsValue: true),
            "notes": LegacyKey(members: ("container_id", "notes_position")),
            "parent": LegacyKey(holdsObject: true),
            "title": LegacyKey(holdsValue: true),
            "uniqueId": LegacyKey(holdsValue: true),
          ]
          override class var references: [String: String] { ["parent_id": "parent"] }

          override func insert(into writer: LegacyWriter) throws {
            var newRow = try MTFolder(
              id: id,
              modelObjectClassVersion: self["modelObjectClassVersion"].integer(),
              uniqueId: self["uniqueId"].text(),
              modelContext: self["modelContext"].any(),
              title: self["title"].text(),
              isEditable: self["isEditable"].bool(),
              parentID: self["parent"].row(in: "MTFolder"),
              foldersPosition: position("folders_position"))
            try newRow.insert(writer.db)
          }
        }

        /// An archived `MTLibrary`: a row of `MTLibrary`.
        final class LegacyMTLibrary: LegacyObject {
          override class var legacyClass: String { "MTLibrary" }
          override class var table: String { "MTLibrary" }
          override class var keys: [String: LegacyKey] { places }
          private static let places: [String: LegacyKey] = [
            "folders": LegacyKey(elements: "MTLibrary_folders"),
            "modelContext": LegacyKey(holdsValue: true),
            "modelObjectClassVersion": LegacyKey(holdsValue: true),
            "title": LegacyKey(holdsValue: true),
            "uniqueId": LegacyKey(holdsValue: true),
          ]

          override func insert(into writer: LegacyWriter) throws {
            var newRow = try MTLibrary(
              id: id,
              modelObjectClassVersion: self["modelObjectClassVersion"].integer(),
              uniqueId: self["uniqueId"].text(),
              modelContext: self["modelContext"].any(),
              title: self["title"].text())
            try newRow.insert(writer.db)
          }

          override func insertElements(of key: String, into writer: LegacyWriter) throws {
            switch key {
            case "folders":
              for element in self["folders"].elements {
                var newRow = try MTLibrary_folders(
                  id: nil,
                  MTLibraryID: id,
                  position: element.position,
                  MTFolderID: element.value.row(in: "MTFolder"))
                try newRow.insert(writer.db)
              }
            default: break
            }
          }
        }

        """))
    for (copy, original) in [
      ("1-MentalCase.archive", "MentalCase.archive"), ("store.sqlite", "s.db"),
    ] {
      #expect(
        FileManager.default.contentsEqual(
          atPath: folder.file(named: "\(Self.tests)/Fixtures/\(copy)"),
          andPath: folder.file(named: original)))
    }
  }

  @Test("writes a small package as a whole")
  func whole() throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    #expect(try folder.convert("Locations.archive", "-o", "s.db", "--quiet").status == 0)
    #expect(try folder.writeCode("migrator").output == "Wrote 11 files to code.\n")
    #expect(
      try folder.text(of: "code/Package.swift") == #"""
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
          name: "SMigrator",
          platforms: [.macOS(.v14), .iOS(.v17)],
          products: [.library(name: "SMigrator", targets: ["SMigrator"])],
          dependencies: [
            .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
            .package(name: "ArchiveConverter", path: "\#(Repository.root)"),
          ],
          targets: [
            .target(
              name: "SMigrator",
              dependencies: [
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "ArchiveReader", package: "ArchiveConverter"),
              ]),
            .testTarget(
              name: "SMigratorTests", dependencies: ["SMigrator"], exclude: ["Fixtures"]),
          ])

        """#)
    #expect(
      try folder.text(of: "\(Self.sources)/LegacyNames.swift") == #"""
        // A place for your own code: this file is written once.

        /// The names that classes and keys had in other versions of the app.
        enum LegacyNames {
          /// Former or later names of classes, each with the name in the archives of the store, as in
          /// ["App.Note": "Note"].
          static let classes: [String: String] = [:]
          /// The same for keys, by the class in the archives of the store, as in
          /// ["Note": ["heading": "title"]].
          static let keys: [String: [String: String]] = [:]
        }

        """#)
    #expect(
      try folder.text(of: "\(Self.sources)/_LegacyObjects.swift") == #"""
        // Made by archive-convert code, which replaces this file.
        // For GRDB 7 and ArchiveReader.
        import ArchiveReader
        import Foundation
        import GRDB

        /// An archived `Event`: a row of `Event`.
        final class LegacyEvent: LegacyObject {
          override class var legacyClass: String { "Event" }
          override class var table: String { "Event" }
          override class var keys: [String: LegacyKey] { places }
          private static let places: [String: LegacyKey] = [
            "creationDate": LegacyKey(holdsValue: true),
            "latitude": LegacyKey(holdsValue: true),
            "longitude": LegacyKey(holdsValue: true),
            "tags": LegacyKey(holdsValue: true),
          ]

          override func insert(into writer: LegacyWriter) throws {
            var newRow = try Event(
              id: id,
              creationDate: self["creationDate"].date(),
              latitude: self["latitude"].real(),
              longitude: self["longitude"].real(),
              tags: self["tags"].text())
            try newRow.insert(writer.db)
          }
        }

        """#)
    #expect(
      try folder.text(of: "\(Self.sources)/_LegacySchema.swift") == ##"""
        // Made by archive-convert code, which replaces this file.
        // For GRDB 7 and ArchiveReader.
        import ArchiveReader
        import Foundation
        import GRDB

        /// The tables of the store, and the types of old objects.
        enum LegacySchema {
          static let statements = [
            """
            CREATE TABLE _archive (
              id INTEGER PRIMARY KEY NOT NULL,
              path TEXT NOT NULL
            ) STRICT;
            """,
            """
            CREATE TABLE _top (
              id INTEGER PRIMARY KEY NOT NULL,
              archive_id INTEGER NOT NULL REFERENCES _archive(id),
              \"key\" TEXT NOT NULL,
              value ANY,
              entity TEXT,
              \"row\" INTEGER
            ) STRICT
            """,
            """
            CREATE TABLE _collection (
              id INTEGER PRIMARY KEY NOT NULL,
              kind TEXT NOT NULL
            ) STRICT
            """,
            """
            CREATE TABLE _collection_element (
              id INTEGER PRIMARY KEY NOT NULL,
              collection_id INTEGER NOT NULL REFERENCES _collection(id),
              position INTEGER,
              \"key\" ANY,
              key_id INTEGER,
              key_type TEXT,
              value ANY,
              value_id INTEGER,
              value_type TEXT
            ) STRICT
            """,
            """
            CREATE TABLE Event (
              id INTEGER PRIMARY KEY NOT NULL,
              creationDate TEXT,
              latitude REAL,
              longitude REAL,
              tags TEXT
            ) STRICT
            """,
            """
            CREATE INDEX _collection_element_by_collection ON _collection_element (collection_id, position)
            """,
          ]

          /// The classes as whose objects dictionaries are read, by their paths.
          static let recordClasses: [String: String] = [:]

          static let types: [any KeyedDecodable.Type] = [
            LegacyEvent.self,
          ]
        }

        """##)
    #expect(
      try folder.text(of: "\(Self.tests)/_MigratorTests.swift").hasPrefix(
        #"""
        // Made by archive-convert code, which replaces this file.
        // For GRDB 7 and ArchiveReader.
        import Foundation
        import GRDB
        import Testing

        @testable import SMigrator

        @Suite("The migrator")
        struct MigratorTests {
          /// The archives that the store was made of.
          static let archives = [
            "1-Locations.archive",
          ]

          /// The numbers of rows in the store.
          static let rows: [String: Int] = [
            "Event": 6,
            "_collection": 1,
            "_collection_element": 6,
            "_top": 1,
          ]


        """#))
  }
}
