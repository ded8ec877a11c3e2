import Converter
import CoreDataStores
import Foundation
import TestSupport
import Testing

/// Stores in the layout of Core Data that something else than a conversion has changed.
@Suite("A Core Data store that was changed after its conversion")
struct ChangedStoreTests {
  private let sample: ConvertedSample

  init() throws { sample = try ConvertedSample() }

  /// A change, the difference that it is, and what a check without the input finds.
  struct Case: Sendable, CustomTestStringConvertible {
    var change: String
    var difference: String
    var finding: String?
    var testDescription: String { change }

    init(_ change: String, _ difference: String, _ finding: String? = nil) {
      (self.change, self.difference, self.finding) = (change, difference, finding)
    }
  }

  static let cases = [
    // What is declared
    Case("CREATE TABLE Extra (a)", "Extra.", "note Extra: the model has no such table"),
    Case(
      "CREATE TABLE ATRANSACTIONX (a)", "ATRANSACTIONX.",
      "note ATRANSACTIONX: the model has no such table"),
    Case("CREATE VIEW v AS SELECT 1", "v.", "v: Core Data makes no such view"),
    Case(
      "CREATE VIEW ANSCKEVENT AS SELECT 1", "ANSCKEVENT.",
      "ANSCKEVENT: Core Data makes no such view"),
    Case(
      "CREATE TRIGGER g AFTER INSERT ON ZITEM BEGIN DELETE FROM ZTAG; END", "ZITEM.",
      "ZITEM: Core Data makes no trigger g"),
    Case(
      "CREATE INDEX i ON ZITEM (ZTITLE)", "ZITEM.",
      "note ZITEM: the model has no index i"),
    Case(
      "DROP INDEX ZITEM_ZFOLDER_INDEX", "ZITEM.",
      "note ZITEM: the index ZITEM_ZFOLDER_INDEX is missing"),
    Case(
      "ALTER TABLE ZTAG ADD COLUMN ZMORE", "ZTAG.ZMORE",
      "note ZTAG ZMORE: the model has no such column"),
    Case(
      "ALTER TABLE Z_METADATA ADD COLUMN ZMORE", "Z_METADATA.",
      "note Z_METADATA: it is declared differently"),
    Case(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'ZNAME VARCHAR', 'ZNAME VARCHAR DEFAULT 1')
        WHERE name = 'ZTAG'
      """, "ZTAG.", "note ZTAG: it is declared differently"),
    // Numbers that are the same in all stores
    Case(
      "UPDATE Z_METADATA SET Z_VERSION = 2", "Z_METADATA.Z_VERSION",
      "note Z_METADATA Z_VERSION: it is not 1, the version of all known stores"),
    Case(
      "PRAGMA user_version = 3", "user_version.",
      "note user_version: the number in the header of the database is not 0"),
    Case(
      "PRAGMA application_id = -1", "application_id.",
      "note application_id: the number in the header of the database is not 0"),
    // The model
    Case("UPDATE Z_MODELCACHE SET Z_CONTENT = NULL", "Z_MODELCACHE.Z_CONTENT"),
    Case("DELETE FROM Z_MODELCACHE", "Z_MODELCACHE.Z_CONTENT"),
    Case(
      "INSERT INTO Z_MODELCACHE SELECT Z_CONTENT FROM Z_MODELCACHE", "Z_MODELCACHE.Z_CONTENT"),
    Case(
      "UPDATE Z_MODELCACHE SET Z_CONTENT = x'03'", "Z_MODELCACHE.Z_CONTENT",
      "Z_MODELCACHE Z_CONTENT: the model in the store is damaged"),
    Case(
      "UPDATE Z_MODELCACHE SET Z_CONTENT = CAST(Z_CONTENT || zeroblob(9) AS BLOB)",
      "Z_MODELCACHE.Z_CONTENT",
      "Z_MODELCACHE Z_CONTENT: further bytes follow the model in the store"),
    Case(
      "INSERT INTO Z_PRIMARYKEY DEFAULT VALUES", "Z_PRIMARYKEY.",
      "Z_PRIMARYKEY row 6: the entity has no name"),
    Case(
      "UPDATE Z_METADATA SET Z_UUID = Z_UUID || char(0)", "Z_METADATA.Z_UUID",
      "Z_METADATA Z_UUID: the identifier of the store is not a UUID"),
    Case(
      "INSERT INTO Z_PRIMARYKEY VALUES (50, 'Ghost', 0, 0)", "Z_PRIMARYKEY.",
      "note Z_PRIMARYKEY row 50: the model has no entity Ghost"),
    Case("UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_NAME = 'Note'", "Note.Z_MAX"),
    // Order
    Case(
      "UPDATE ZITEM SET Z_FOK_FOLDER = NULL", "Folder.items",
      "note ZITEM Z_FOK_FOLDER: what goes with it is empty in every row: the store does not keep it"
    ),
    Case("UPDATE ZITEM SET Z_FOK_FOLDER = 1 WHERE Z_PK = 2", "Folder.items"),
    Case("UPDATE ZITEM SET Z_FOK_FOLDER = Z_FOK_FOLDER * 2", "Folder.items"),
    Case(
      "UPDATE ZITEM SET Z_FOK_FOLDER = x'' WHERE Z_PK = 3", "Folder.items",
      "ZITEM row 3, Z_FOK_FOLDER: the value does not match the attribute's type"),
    Case(
      "UPDATE ZITEM SET Z_FOK_FOLDER = 'x' WHERE Z_PK = 3", "Folder.items",
      "ZITEM row 3, Z_FOK_FOLDER: the value does not match the attribute's type"),
    Case(
      "UPDATE ZITEM SET Z_FOK_FOLDER = 2e300 WHERE Z_PK = 3", "Folder.items",
      "ZITEM row 3, Z_FOK_FOLDER: the value does not match the attribute's type"),
    // Columns of other entities
    Case(
      "UPDATE ZITEM SET ZBODY = 'x' WHERE Z_PK = 3", "Item.ZBODY",
      "note ZITEM row 3, ZBODY: the entity of the row has no such property"),
    Case(
      "UPDATE ZITEM SET ZPART = 3 WHERE Z_PK = 1", "Item.ZPART",
      """
      note ZITEM row 1, ZPART: the entity of the row has no such property
      the value is not an object of the entity Task (Task 3, parts)
      """),
  ]

  @Test("differs in what was added, left out or changed", arguments: cases)
  func differences(_ found: Case) throws {
    let path = try sample.convert { ($0.layout, $0.verifies) = (.coreData, false) }.path
    #expect(try sample.differences(in: path) == [])
    let editor = try StoreEditor(path)
    try editor.run(found.change)
    editor.close()
    #expect(try sample.differences(in: path).contains(found.difference))
    let result = try StoreCheck.run(path, model: sample.model)
    #expect(
      result.findings.map { "\($0.isNote ? "note " : "")\($0)" }.joined(separator: "\n")
        == found.finding ?? "")
  }

  /// A key of the metadata, its new value, which is none where it is taken out, and the finding.
  static let metadataCases: [(String, String?, String)] = [
    ("NSStoreType", "Binary", "NSStoreType is Binary instead of SQLite"),
    ("NSStoreType", nil, "NSStoreType is missing instead of SQLite"),
    ("_NSAutoVacuumLevel", "9", "_NSAutoVacuumLevel is 9 instead of 2"),
    (
      "NSPersistenceFrameworkVersion", "9999",
      "note NSPersistenceFrameworkVersion is 9999, not that of a conversion: Core Data has written to the store"
    ),
  ]

  @Test("differs in what its metadata says of its kind", arguments: metadataCases)
  func metadata(key: String, value: String?, words: String) throws {
    let path = try sample.convert { ($0.layout, $0.verifies) = (.coreData, false) }.path
    let list = try #require(
      try StoreQuery(path).lines("SELECT hex(Z_PLIST) FROM Z_METADATA").first)
    let digits = Array(list)
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...$0 + 1]), radix: 16)
    }
    var values = try #require(
      PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any])
    let number: Any? = values[key] is String ? value : value.flatMap { Int($0) }
    values[key] = number
    let changed = try PropertyListSerialization.data(
      fromPropertyList: values, format: .binary, options: 0)
    let editor = try StoreEditor(path)
    try editor.run(
      "UPDATE Z_METADATA SET Z_PLIST = x'\(changed.map { String(format: "%02x", $0) }.joined())'")
    editor.close()
    #expect(try sample.differences(in: path) == ["Z_METADATA.Z_PLIST"])
    #expect(
      try StoreCheck.run(path, model: sample.model).findings.map {
        "\($0.isNote ? "note " : "")\($0)".replacing("Z_METADATA Z_PLIST: ", with: "")
      } == [words])
  }

  @Test("differs in a model that it carries with other defaults, though with the same hashes")
  func defaults() throws {
    let path = try sample.convert { ($0.layout, $0.verifies) = (.coreData, false) }.path
    var model = StoreMaker.model
    model.entities[0].attributes[0].defaultValue = .string("Home")
    #expect(model.versionHashes() == StoreMaker.model.versionHashes())
    let other = sample.maker.folder.file(named: "other.sqlite")
    try sample.maker.folder.write([], to: "other.sqlite")
    try CoreDataStoreCreator(layout: CoreDataLayout(model), source: ModelSource(model))
      .create(at: other)
    let editor = try StoreEditor(path)
    try editor.run(
      """
      ATTACH '\(other)' AS other;
      UPDATE Z_MODELCACHE SET Z_CONTENT = (SELECT Z_CONTENT FROM other.Z_MODELCACHE);
      """)
    editor.close()
    #expect(try sample.differences(in: path) == ["Z_MODELCACHE.Z_CONTENT"])
  }

  @Test("is named once where its metadata cannot be read")
  func damagedMetadata() throws {
    let path = try sample.convert { ($0.layout, $0.verifies) = (.coreData, false) }.path
    let editor = try StoreEditor(path)
    try editor.run("DELETE FROM Z_METADATA")
    editor.close()
    let error = #expect(throws: ConversionError.self) { try sample.differences(in: path) }
    #expect(
      error?.messages == [
        "\(path): the metadata of the store cannot be read: Z_METADATA must have exactly one row"
      ])
  }

  @Test("is the same with the tables of Core Data's history, and with unique rows alike")
  func history() throws {
    let path = try sample.convert { ($0.layout, $0.verifies) = (.coreData, false) }.path
    let editor = try StoreEditor(path)
    try editor.run(
      """
      CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZENTITY INTEGER);
      CREATE INDEX Z_ACHANGE_I ON ACHANGE (ZENTITY);
      CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY);
      CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY);
      INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 0), (16002, 'TRANSACTION', 0, 0);
      """)
    editor.close()
    #expect(try sample.differences(in: path) == [])
    #expect(try StoreCheck.run(path, model: sample.model).findings == [])
  }

  @Test("is not asked for what an application's own store may have")
  func otherStores() throws {
    try sample.maker.edit(
      """
      CREATE TABLE Extra (a); CREATE VIEW v AS SELECT 1; ALTER TABLE ZTAG ADD COLUMN ZMORE;
      CREATE TRIGGER g AFTER INSERT ON ZITEM BEGIN DELETE FROM ZTAG; END;
      CREATE INDEX i ON ZITEM (ZTITLE); DROP INDEX ZITEM_ZFOLDER_INDEX;
      UPDATE ZITEM SET Z_FOK_FOLDER = 2048 WHERE Z_PK = 5;
      """)
    #expect(try StoreCheck.run(sample.maker.path, model: sample.model).findings == [])
  }
}
