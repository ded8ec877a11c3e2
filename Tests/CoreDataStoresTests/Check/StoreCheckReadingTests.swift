import CoreDataStores
import DataModel
import Foundation
import TestSupport
import Testing

@Suite("What a conversion refuses")
struct StoreCheckReadingTests {
  private let sample: ConvertedSample

  init() throws {
    sample = try ConvertedSample()
    // Without it, the sample has a member of no place.
    try sample.maker.edit("UPDATE ZITEM SET Z_FOK_FOLDER = 2048 WHERE Z_PK = 5;")
  }

  private static let tags = "CREATE TABLE t AS SELECT * FROM ZTAG; DROP TABLE ZTAG;"

  static let cases: [(String, [String])] = [
    ("", []),
    (
      "INSERT INTO Z_3TAGS VALUES (NULL, NULL);",
      ["cannot be read: Z_3TAGS: it has links of objects that are not there"]
    ),
    (
      "\(tags) CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT, ZNAME) WITHOUT ROWID; "
        + "INSERT INTO ZTAG SELECT Z_PK, Z_ENT, Z_OPT, ZNAME FROM t; DROP TABLE t;",
      ["Tag: the table is damaged: the rows of ZTAG have no IDs"]
    ),
    (
      "\(tags) ALTER TABLE t RENAME TO ZTAG; UPDATE ZTAG SET _rowid_ = 9 WHERE Z_PK = 3;",
      ["the table is damaged: ZTAG: its keys are not those of its rows, or a row is there twice"]
    ),
    (
      "CREATE TABLE t AS SELECT * FROM Z_3TAGS; DROP TABLE Z_3TAGS; "
        + "ALTER TABLE t RENAME TO Z_3TAGS; INSERT INTO Z_3TAGS VALUES (1, 1);",
      [
        "cannot be read: the links in Z_3TAGS are damaged (Note 1, tags)",
        "cannot be read: the links in Z_3TAGS are damaged (Tag 1, notes)",
      ]
    ),
    // A fault that is told by its row is not told again by its object; another is.
    (
      "UPDATE ZITEM SET ZFOLDER = 99 WHERE Z_PK = 1;",
      ["ZITEM row 1, ZFOLDER: it refers to a row that does not exist"]
    ),
    (
      "UPDATE ZITEM SET ZFOLDER = 99 WHERE Z_PK = 1; CREATE TABLE t AS SELECT * FROM Z_5WIDER; "
        + "DROP TABLE Z_5WIDER; ALTER TABLE t RENAME TO Z_5WIDER; "
        + "INSERT INTO Z_5WIDER VALUES (1, 3);",
      [
        "ZITEM row 1, ZFOLDER: it refers to a row that does not exist",
        "cannot be read: the links in Z_5WIDER are damaged (Tag 1, wider)",
        "cannot be read: the links in Z_5WIDER are damaged (Tag 3, narrower)",
      ]
    ),
  ]

  @Test("is a fault", arguments: cases)
  func refused(change: String, faults: [String]) throws {
    try sample.maker.edit("DROP TABLE Z_5NARROWER; \(change)")
    let result = try StoreCheck.run(sample.maker.path, model: sample.model)
    #expect(result.findings.filter { !$0.isNote }.map(\.description) == faults)
    #expect(result.isSound == faults.isEmpty)
    let isRead = (try? sample.convert { $0.verifies = false }) != nil
    #expect(isRead == faults.isEmpty)
  }

  @Test("is a fault as well where SQLite finds it")
  func damagedDatabase() throws {
    try sample.maker.edit(
      """
      UPDATE sqlite_schema SET sql = 'CREATE INDEX ZITEM_ZPART_INDEX ON ZITEM (ZFOLDER)'
        WHERE name = 'ZITEM_ZPART_INDEX';
      """)
    let result = try StoreCheck.run(sample.maker.path, model: sample.model)
    #expect(!result.isSound)
    #expect(
      result.findings.map(\.description).contains {
        $0.hasPrefix("the database is damaged: ") && $0.contains("missing from index")
      })
  }

  @Test("is no maximum below that of a table without rows")
  func emptyTable() throws {
    try sample.maker.edit(
      """
      DELETE FROM ZTAG; DELETE FROM Z_3TAGS; DELETE FROM Z_5WIDER; DELETE FROM Z_5NARROWER;
      UPDATE Z_PRIMARYKEY SET Z_MAX = -1 WHERE Z_NAME = 'Tag';
      """)
    let result = try StoreCheck.run(sample.maker.path, model: sample.model)
    #expect(result.findings == [])
  }

  @Test("is a fault of an XML store, too")
  func xml() throws {
    let folder = sample.maker.folder
    let model = folder.file(named: "Library.xcdatamodeld")
    try XMLModelWriter(StoreModels.library.model).write(to: model)
    let path = try folder.write(XMLStoreMaker.library.text, to: "library.xml")
    #expect(StoreCheck.isStore(path))
    let sound = try StoreCheck.run(path, model: model)
    #expect(sound.findings == [] && sound.rows == 4 && sound.tables == 0)
    try folder.write(
      XMLStoreMaker.library.text.replacing("idrefs=\"z5\"", with: "idrefs=\"z6\""),
      to: "library.xml")
    #expect(
      try StoreCheck.run(path, model: model).findings.map(\.description) == [
        "refers to object z6, which does not exist (Note z104, tags)"
      ])
    #expect(
      throws: ModelError(
        .damagedArchive, path: path,
        name:
          "the store does not carry its model: give it with --model (a model, or a folder with models)"
      )
    ) { try StoreCheck.run(path) }
  }
}
