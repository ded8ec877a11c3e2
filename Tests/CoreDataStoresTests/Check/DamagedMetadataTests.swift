import CoreDataStores
import DataModel
import TestSupport
import Testing

/// Stores without a part of the tables that each store has.
@Suite("A store's tables of metadata")
struct DamagedMetadataTests {
  private let sample: ConvertedSample

  init() throws { sample = try ConvertedSample() }

  /// The tables, with the columns that are left, and the error.
  static let cases: [(String, String, ModelError.Code, String)] = [
    (
      "Z_METADATA", "Z_VERSION, Z_PLIST", ModelError.Code.damagedMetadata,
      "Z_METADATA has no column Z_UUID"
    ),
    ("Z_METADATA", "Z_VERSION, Z_UUID", .damagedMetadata, "Z_METADATA has no column Z_PLIST"),
    (
      "Z_PRIMARYKEY", "Z_NAME, Z_SUPER, Z_MAX", .damagedMetadata, "Z_PRIMARYKEY has no column Z_ENT"
    ),
    (
      "Z_PRIMARYKEY", "Z_ENT, Z_SUPER, Z_MAX", .damagedMetadata, "Z_PRIMARYKEY has no column Z_NAME"
    ),
    (
      "Z_PRIMARYKEY", "Z_ENT, Z_NAME, Z_MAX", .damagedMetadata, "Z_PRIMARYKEY has no column Z_SUPER"
    ),
    (
      "Z_PRIMARYKEY", "Z_ENT, Z_NAME, Z_SUPER", .damagedMetadata, "Z_PRIMARYKEY has no column Z_MAX"
    ),
    ("Z_MODELCACHE", "1 AS other", .damagedCache, "Z_MODELCACHE has no column Z_CONTENT"),
  ]

  @Test("are needed as a whole, to read a store and to check it", arguments: cases)
  func columns(table: String, rest: String, code: ModelError.Code, words: String) throws {
    try sample.maker.edit(
      """
      CREATE TABLE rest AS SELECT \(rest) FROM \(table); DROP TABLE \(table);
      ALTER TABLE rest RENAME TO \(table);
      """)
    let path = sample.maker.path
    let expected = ModelError(code, path: path, name: words)
    #expect(throws: expected) { try SQLiteStoreSource(path: path) }
    #expect(throws: expected) { try StoreCheck.run(path) }
  }

  @Test("may lack the property list: a store is read, checked and converted all the same")
  func withoutPropertyList() throws {
    try sample.maker.edit("UPDATE Z_METADATA SET Z_PLIST = NULL;")
    let report = try sample.convert { $0.layout = .coreData }.report
    #expect(report.verification?.isPassed == true)
    #expect(
      try StoreCheck.run(sample.maker.path, model: sample.model).findings.map(\.description) == [
        "Z_METADATA Z_PLIST: the store has no version hashes: Mac OS X 10.4 wrote none",
        "ZITEM row 5, Z_FOK_FOLDER: the position in the ordered collection is missing",
      ])
    try sample.maker.edit("UPDATE Z_METADATA SET Z_PLIST = 'text';")
    let error = ModelError(
      .damagedMetadata, path: sample.maker.path, name: "Z_PLIST holds no data")
    #expect(throws: error) {
      try StoreCheck.run(sample.maker.path, model: sample.model)
    }
  }
}
