import ArchiveReader
import DataModel
import Foundation
import GraphCore
import TestSupport
import Testing

@testable import CoreDataStores

@Suite("Opening an SQLite store")
struct SQLiteStoreOpeningTests {
  /// Everything that a change in a folder would change: names, sizes, times and files.
  static func listing(_ folder: String) throws -> [String] {
    try ([""] + FileManager.default.subpathsOfDirectory(atPath: folder)).sorted().map { name in
      var status = stat()
      guard lstat("\(folder)/\(name)", &status) == 0 else { return "\(name): gone" }
      return """
        \(name): \(status.st_ino) \(status.st_size) \(status.st_mtim.tv_sec).\
        \(status.st_mtim.tv_nsec) \(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec)
        """
    }
  }

  @Test("reads what only its write-ahead log holds, and leaves its folder as it is")
  func log() throws {
    let maker = try StoreMaker.sampleWithLog()
    let before = try Self.listing(maker.folder.path)
    do {
      let source = try maker.open()
      #expect(source.objectCount == 12)
      #expect(StoreTranscript(source).text.hasSuffix("name=\"late\" narrower={} notes={} wider={}"))
      try source.check()
    }
    #expect(try Self.listing(maker.folder.path) == before)
  }

  @Test("finds the log and the files beside the file that a symbolic link leads to")
  func symbolicLink() throws {
    let maker = try StoreMaker.sampleWithLog()
    let other = try TemporaryFolder()
    let link = other.file(named: "link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: maker.path)
    let source = try SQLiteStoreSource(path: link, model: ModelSource(StoreMaker.model))
    let text = StoreTranscript(source).text
    #expect(text.hasSuffix("name=\"late\" narrower={} notes={} wider={}"))
    #expect(text.contains("photo=5 bytes"))
  }

  /// A store in the middle of a transaction, as a program leaves it that was killed.
  static func storeWithJournal() throws -> StoreMaker {
    let maker = try StoreMaker.sample()
    let editor = try StoreEditor(maker.path)
    // A small cache writes pages before the transaction ends.
    try editor.run(
      """
      PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN;
      UPDATE ZTAG SET ZNAME = hex(zeroblob(3000)); UPDATE ZITEM SET ZTITLE = hex(zeroblob(30000));
      """)
    let journal = try Data(contentsOf: URL(fileURLWithPath: "\(maker.path)-journal"))
    let store = try Data(contentsOf: URL(fileURLWithPath: maker.path))
    try editor.run("ROLLBACK")
    editor.close()
    try maker.folder.write(store, to: "store.sqlite")
    try maker.folder.write(journal, to: "store.sqlite-journal")
    return maker
  }

  @Test("undoes what an interrupted transaction left, in a copy")
  func journal() throws {
    let maker = try Self.storeWithJournal()
    let before = try Self.listing(maker.folder.path)
    #expect(StoreTranscript(try maker.open()).text == StoreMaker.transcript)
    #expect(try Self.listing(maker.folder.path) == before)
  }

  @Test("refuses a journal that names another file")
  func sharedJournal() throws {
    let maker = try StoreMaker.sample()
    let mark: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    try maker.folder.write([UInt8](repeating: 0, count: 512) + mark, to: "store.sqlite-journal")
    #expect(throws: ModelError.self) { try maker.open() }
  }

  @Test("leaves nothing beside a store without a journal")
  func plain() throws {
    let maker = try StoreMaker.sample()
    let before = try Self.listing(maker.folder.path)
    #expect(StoreTranscript(try maker.open()).text == StoreMaker.transcript)
    #expect(try Self.listing(maker.folder.path) == before)
  }

  @Test("notices that the store was changed meanwhile")
  func change() throws {
    let maker = try StoreMaker.sample()
    let source = try maker.open()
    try maker.edit("UPDATE ZTAG SET ZNAME = 'green' WHERE Z_PK = 1;")
    #expect(throws: ArchiveError(.unreadable, name: "it changed while being read")) {
      try source.check()
    }
    let graph = source.makeGraph(GraphOptions())
    #expect(throws: ArchiveError.self) { try graph.value(of: try graph.object(8), at: 0) }
  }

  @Test(
    "says why a store cannot be read, rather than that it is no archive",
    arguments: [
      ("store.sqlite-journal", "its journal is part of a transaction over several databases"),
      ("", "its texts are not in UTF-8"),
    ])
  func reason(journal: String, words: String) throws {
    let maker = try StoreMaker.sample()
    if journal.isEmpty {
      let editor = try StoreEditor(try maker.folder.write([], to: "store.sqlite"))
      try editor.run(
        """
        PRAGMA encoding = 'UTF-16'; CREATE TABLE Z_METADATA (Z_UUID, Z_PLIST);
        CREATE TABLE Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX);
        """)
      editor.close()
    } else {
      let mark: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
      try maker.folder.write([UInt8](repeating: 0, count: 512) + mark, to: journal)
    }
    let file = ByteStorage(Array(try Data(contentsOf: URL(fileURLWithPath: maker.path))))
    #expect(throws: ArchiveError(.unreadableStore, name: "cannot be read: \(words)")) {
      try CoreDataStoreKind().open(file, at: maker.path, limits: .standard, salvages: false)
    }
  }

  @Test(
    "names what of the model the store does not have",
    arguments: [
      ("DROP TABLE ZTAG;", ModelError(.missingTable, entity: "Tag", name: "ZTAG")),
      (
        "DROP TABLE ZTAG; CREATE VIEW ZTAG AS SELECT 1 AS Z_PK, 5 AS Z_ENT, 'x' AS ZNAME;",
        ModelError(.missingTable, entity: "Tag", name: "ZTAG")
      ),
      (
        "ALTER TABLE ZTAG DROP COLUMN ZNAME;",
        ModelError(.missingColumn, entity: "Tag", property: "name", name: "ZTAG.ZNAME")
      ),
      (
        "ALTER TABLE ZTAG DROP COLUMN ZNAME; ALTER TABLE ZTAG ADD ZNAME AS ('x');",
        ModelError(.missingColumn, entity: "Tag", property: "name", name: "ZTAG.ZNAME")
      ),
      (
        "DROP TABLE Z_3TAGS;",
        ModelError(.missingTable, entity: "Note", property: "tags", name: "Z_3TAGS")
      ),
      (
        "ALTER TABLE Z_3TAGS RENAME Z_5TAGS TO Z_5OTHERS;",
        ModelError(.missingColumn, entity: "Note", property: "tags", name: "Z_3TAGS.Z_5TAGS")
      ),
      (
        "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag';", ModelError(.missingEntity, entity: "Tag")
      ),
      (
        "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Tag';",
        ModelError(.badEntityNumber, name: "Tag or its number 2 is there twice")
      ),
      (
        "UPDATE ZITEM SET Z_ENT = 5 WHERE Z_PK = 2;",
        ModelError(
          .badEntityNumber,
          name: "row 2 of ZITEM has the number 5, which no entity of the table has")
      ),
      (
        "UPDATE ZITEM SET Z_ENT = NULL WHERE Z_PK = 2;",
        ModelError(
          .badEntityNumber,
          name: "row 2 of ZITEM has the number none, which no entity of the table has")
      ),
      (
        """
        DROP TABLE ZTAG; CREATE TABLE ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME);
        INSERT INTO ZTAG VALUES (1, 5, 1, 'a'), (1, 5, 1, 'b');
        """,
        ModelError(
          .damagedTable, name: "ZTAG: its keys are not those of its rows, or a row is there twice")
      ),
      (
        "DROP TABLE ZTAG; CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT, ZNAME) WITHOUT ROWID;",
        ModelError(.damagedTable, entity: "Tag", name: "the rows of ZTAG have no IDs")
      ),
      (
        "DROP TABLE ZTAG; CREATE TABLE ZTAG (Z_PK, Z_ENT, ZNAME, _ROWID_ AS (Z_PK));",
        ModelError(.damagedTable, entity: "Tag", name: "the rows of ZTAG have no IDs")
      ),
    ])
  func missing(change: String, error: ModelError) throws {
    let maker = try StoreMaker.sample()
    try maker.edit(change)
    #expect(throws: error.placed(in: maker.path)) { try maker.open() }
  }

  @Test("refuses composite attributes, by name")
  func composite() throws {
    let maker = try StoreMaker.sample()
    var model = StoreMaker.model
    model.entities[3].attributes.append(Attribute(name: "place", type: .composite))
    #expect(
      throws: ModelError(
        .unreadableProperty, path: maker.path, entity: "Tag", property: "place",
        name: "the stored form of composite attributes is unknown")
    ) { try maker.open(model) }
  }

  @Test(
    "refuses what is no store",
    arguments: [
      "", "DROP TABLE Z_PRIMARYKEY;", "DELETE FROM Z_METADATA;",
      "UPDATE Z_METADATA SET Z_PLIST = x'00';",
    ])
  func noStore(change: String) throws {
    let maker = try StoreMaker.sample()
    if change.isEmpty {
      try maker.folder.write("no database", to: "store.sqlite")
    } else {
      try maker.edit(change)
    }
    #expect(throws: ModelError.self) { try maker.open() }
  }
}
