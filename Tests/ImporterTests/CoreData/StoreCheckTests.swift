import Converter
import Foundation
import TestSupport
import Testing

@Suite("Checks of Core Data stores")
struct StoreCheckTests {
  private static let model = ModelXML.document(
    """
    <entity name="Item" isAbstract="YES"><attribute name="title" attributeType="String"/></entity>
    <entity name="Folder" parentEntity="Item">
      <relationship name="notes" toMany="YES" ordered="YES" destinationEntity="Note" \
    inverseName="folder"/>
      <relationship name="cover" optional="YES" maxCount="1" destinationEntity="Picture" \
    inverseName="folder"/>
      <relationship name="links" toMany="YES" ordered="YES" destinationEntity="Folder" \
    inverseName="backlinks"/>
      <relationship name="backlinks" toMany="YES" destinationEntity="Folder" \
    inverseName="links"/></entity>
    <entity name="Note" parentEntity="Item">
      <attribute name="rank" optional="YES" attributeType="Integer 16"/>
      <relationship name="folder" optional="YES" maxCount="1" destinationEntity="Folder" \
    inverseName="notes"/>
      <relationship name="tags" toMany="YES" destinationEntity="Tag" inverseName="notes"/></entity>
    <entity name="Picture">
      <attribute name="data" optional="YES" attributeType="Binary" \
    allowsExternalBinaryDataStorage="YES"/>
      <attribute name="key" optional="YES" attributeType="UUID"/>
      <relationship name="folder" optional="YES" maxCount="1" destinationEntity="Folder" \
    inverseName="cover"/>
      <relationship name="subject" optional="YES" maxCount="1" destinationEntity="Item"/></entity>
    <entity name="Tag">
      <attribute name="made" optional="YES" attributeType="Date"/>
      <relationship name="notes" toMany="YES" destinationEntity="Note" inverseName="tags"/>
      <relationship name="icons" toMany="YES" destinationEntity="Picture"/></entity>
    """)

  /// Rows without a fault: the numbers are Folder 2, Item 1, Note 3, Picture 4, Tag 5.
  private static let rows = """
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 2, 1, 'a'), (2, 2, 1, 'b');
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZRANK, ZFOLDER, Z_FOK_FOLDER) VALUES
      (3, 3, 1, 'c', 1, 1, 2048), (4, 3, 1, 'd', 2, 1, 3072), (5, 3, 1, 'e', NULL, 2, 2048);
    INSERT INTO ZPICTURE (Z_PK, Z_ENT, Z_OPT, ZDATA, ZKEY, ZFOLDER, ZSUBJECT, Z1_SUBJECT, Z5ICONS)
      VALUES (1, 4, 1, x'0100', zeroblob(16), 1, 3, 3, 1), (2, 4, 1, NULL, NULL, NULL, 1, 2, NULL);
    UPDATE ZITEM SET ZCOVER = 1 WHERE Z_PK = 1;
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZMADE) VALUES (1, 5, 1, 0.5), (2, 5, 1, 3);
    INSERT INTO Z_3TAGS VALUES (3, 1), (4, 1), (4, 2);
    INSERT INTO Z_2LINKS (Z_2BACKLINKS, Z_2LINKS, Z_FOK_2LINKS) VALUES (1, 2, 2048), (1, 1, 3072);
    DROP TABLE Z_2BACKLINKS;
    UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_SUPER = 0;
    """

  /// What is found in a store with rows that were changed.
  private func check(_ change: String = "", in folder: TemporaryFolder) throws -> StoreCheck.Result
  {
    let model = try folder.write(Self.model, to: "contents")
    let path = folder.file(named: "store.sqlite")
    try EmptyStore(ModelSource(contentsOf: model), layout: .coreData).write(to: path)
    let editor = try StoreEditor(path)
    try editor.run(Self.rows)
    try editor.run(change)
    editor.close()
    return try StoreCheck.run(path, model: model)
  }

  @Test("A sound store has no findings")
  func sound() throws {
    let result = try check(in: TemporaryFolder())
    #expect(result.findings.map(\.description) == [])
    #expect(result.isSound)
    #expect(result.tables == 3)
    #expect(result.rows == 9)
  }

  @Test(
    "A fault is told with its table, row and column",
    arguments: [
      ("DROP TABLE ZTAG", ["ZTAG: the table is missing"]),
      ("DROP TABLE Z_2LINKS", ["Z_2LINKS: the table is missing"]),
      ("ALTER TABLE ZITEM DROP COLUMN ZRANK", ["ZITEM ZRANK: the column is missing"]),
      (
        "UPDATE Z_METADATA SET Z_UUID = 'store'",
        ["Z_METADATA Z_UUID: the identifier of the store is not a UUID"]
      ),
      (
        "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note'",
        ["Z_PRIMARYKEY: the entity Note is missing"]
      ),
      (
        "UPDATE Z_PRIMARYKEY SET Z_SUPER = 0 WHERE Z_NAME = 'Note'",
        ["Z_PRIMARYKEY row 3: the entity Note has a different parent in the model"]
      ),
      (
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_NAME = 'Item'",
        ["Z_PRIMARYKEY row 1, Z_MAX: it is less than the greatest key of ZITEM"]
      ),
      (
        "UPDATE ZITEM SET Z_ENT = 1 WHERE Z_PK = 5",
        ["ZITEM row 5, Z_ENT: no entity with this number has rows in this table"]
      ),
      (
        "UPDATE ZITEM SET Z_ENT = NULL WHERE Z_PK = 5",
        ["ZITEM row 5, Z_ENT: no entity with this number has rows in this table"]
      ),
      (
        "UPDATE ZITEM SET ZRANK = 'first' WHERE Z_PK = 3",
        ["ZITEM row 3, ZRANK: the value does not match the attribute's type"]
      ),
      (
        "UPDATE ZITEM SET ZRANK = 32768 WHERE Z_PK = 3",
        ["ZITEM row 3, ZRANK: the number does not fit the attribute's type"]
      ),
      (
        "UPDATE ZTAG SET ZMADE = 9007199254740993 WHERE Z_PK = 2",
        ["ZTAG row 2, ZMADE: the number does not fit the attribute's type"]
      ),
      (
        "UPDATE ZITEM SET ZTITLE = CAST(x'41FF' AS TEXT) WHERE Z_PK = 2",
        ["ZITEM row 2, ZTITLE: the text is not UTF-8"]
      ),
      (
        "UPDATE ZTAG SET ZMADE = '2020-01-01'",
        [
          "ZTAG row 1, ZMADE: the value does not match the attribute's type",
          "ZTAG row 2, ZMADE: the value does not match the attribute's type",
        ]
      ),
      (
        "UPDATE ZPICTURE SET ZKEY = x'00' WHERE Z_PK = 1",
        ["ZPICTURE row 1, ZKEY: a UUID is not 16 bytes long"]
      ),
      (
        "UPDATE ZPICTURE SET ZDATA = x'05' WHERE Z_PK = 2",
        ["ZPICTURE row 2, ZDATA: it does not say where the data is"]
      ),
      (
        "UPDATE ZPICTURE SET ZDATA = CAST(x'02' || '../../../../../etc/passwd' AS BLOB)",
        [
          "ZPICTURE row 1, ZDATA: it does not say where the data is",
          "ZPICTURE row 2, ZDATA: it does not say where the data is",
        ]
      ),
      (
        "UPDATE ZITEM SET ZFOLDER = 7 WHERE Z_PK = 3",
        ["ZITEM row 3, ZFOLDER: it refers to a row that does not exist"]
      ),
      (
        "UPDATE ZITEM SET ZFOLDER = 4 WHERE Z_PK = 3",
        ["ZITEM row 3, ZFOLDER: it refers to a row of the wrong entity"]
      ),
      (
        "UPDATE ZPICTURE SET Z1_SUBJECT = 2 WHERE Z_PK = 1",
        ["ZPICTURE row 1, Z1_SUBJECT: it is not the entity of the referenced row"]
      ),
      (
        "UPDATE ZPICTURE SET ZFOLDER = 2 WHERE Z_PK = 1",
        [
          "ZITEM row 1, ZCOVER: the referenced row does not refer back",
          "ZPICTURE row 1, ZFOLDER: the referenced row does not refer back",
        ]
      ),
      (
        "UPDATE ZITEM SET Z_FOK_FOLDER = NULL WHERE Z_PK = 4",
        ["ZITEM row 4, Z_FOK_FOLDER: the position in the ordered collection is missing"]
      ),
      (
        "UPDATE ZITEM SET Z_FOK_FOLDER = 2048",
        [
          "ZITEM row 3, Z_FOK_FOLDER: another row has the same position in the ordered collection",
          "ZITEM row 4, Z_FOK_FOLDER: another row has the same position in the ordered collection",
          "ZITEM row 1, Z_FOK_FOLDER: the entity of the row has no such property",
          "ZITEM row 2, Z_FOK_FOLDER: the entity of the row has no such property",
        ]
      ),
      (
        "UPDATE ZPICTURE SET Z5ICONS = 8 WHERE Z_PK = 2",
        ["ZPICTURE row 2, Z5ICONS: it refers to a row that does not exist"]
      ),
      (
        "INSERT INTO Z_3TAGS VALUES (3, 7)",
        ["Z_3TAGS row 4, Z_5TAGS: it refers to a row that does not exist"]
      ),
      (
        "INSERT INTO Z_3TAGS VALUES (1, 2)",
        ["Z_3TAGS row 4, Z_3NOTES: it refers to a row of the wrong entity"]
      ),
      (
        "UPDATE Z_2LINKS SET Z_FOK_2LINKS = 2048",
        [
          "Z_2LINKS row 1, Z_FOK_2LINKS: another row has the same position in the ordered "
            + "collection",
          "Z_2LINKS row 2, Z_FOK_2LINKS: another row has the same position in the ordered "
            + "collection",
        ]
      ),
    ])
  func faults(_ change: String, _ findings: [String]) throws {
    let result = try check(change, in: TemporaryFolder())
    #expect(result.findings.map(\.description) == findings)
    #expect(!result.isSound)
  }

  @Test(
    "What does no harm is a note",
    arguments: [
      (
        "UPDATE ZITEM SET ZTITLE = NULL WHERE Z_PK = 4",
        ["ZITEM row 4, ZTITLE: a required value is missing"]
      ),
      (
        "UPDATE ZTAG SET Z_ENT = NULL WHERE Z_PK = 2",
        [
          "ZTAG row 2, Z_ENT: it is not the number of the entity, which Core Data does not read in "
            + "a table of one entity"
        ]
      ),
      (
        "INSERT INTO Z_PRIMARYKEY VALUES (6, 'Former', 0, 0), (16001, 'CHANGE', 0, 0)",
        ["Z_PRIMARYKEY row 6: the model has no entity Former"]
      ),
      (
        """
        CREATE TABLE Z_2BACKLINKS (Z_2LINKS INTEGER, Z_2BACKLINKS INTEGER, Z_FOK_2LINKS INTEGER);
        INSERT INTO Z_2BACKLINKS VALUES (7, 1, 2048);
        """,
        [
          "Z_2LINKS: its links differ from those of Z_2BACKLINKS, of which Core Data uses one or "
            + "the other", "Z_2BACKLINKS row 1, Z_2LINKS: it refers to a row that does not exist",
        ]
      ),
      (
        """
        CREATE TABLE Z_2BACKLINKS (Z_2LINKS INTEGER, Z_2BACKLINKS INTEGER, Z_FOK_2LINKS INTEGER);
        INSERT INTO Z_2BACKLINKS SELECT Z_2LINKS, Z_2BACKLINKS, Z_FOK_2LINKS + 1 FROM Z_2LINKS;
        """,
        [
          "Z_2LINKS: its links differ from those of Z_2BACKLINKS, of which Core Data uses one or "
            + "the other"
        ]
      ),
    ])
  func notes(_ change: String, _ findings: [String]) throws {
    let result = try check(change, in: TemporaryFolder())
    #expect(result.findings.map(\.description) == findings)
    #expect(result.isSound)
  }

  @Test("Two tables with the same links, in which a relationship may be, have no finding")
  func sameLinks() throws {
    let result = try check(
      """
      CREATE TABLE Z_2BACKLINKS (Z_2LINKS INTEGER, Z_2BACKLINKS INTEGER, Z_FOK_2LINKS INTEGER);
      INSERT INTO Z_2BACKLINKS SELECT Z_2LINKS, Z_2BACKLINKS, Z_FOK_2LINKS FROM Z_2LINKS;
      """, in: TemporaryFolder())
    #expect(result.findings.map(\.description) == [])
  }

  @Test("Files with data are looked for beside the store")
  func externalData() throws {
    let folder = try TemporaryFolder()
    let names = [UUID().uuidString, UUID().uuidString]
    try folder.write("data", to: ".store_SUPPORT/_EXTERNAL_DATA/\(names[0])")
    let values = names.map { "x'02' || CAST('\($0)' AS BLOB) || x'00'" }
    let result = try check(
      """
      UPDATE ZPICTURE SET ZDATA = CAST(\(values[0]) AS BLOB) WHERE Z_PK = 1;
      UPDATE ZPICTURE SET ZDATA = CAST(\(values[1]) AS BLOB) WHERE Z_PK = 2;
      """, in: folder)
    #expect(
      result.findings.map(\.description) == [
        """
        ZPICTURE row 2, ZDATA: the external file \(names[1]) is missing in \
        .store_SUPPORT/_EXTERNAL_DATA
        """
      ])
  }

  @Test("Of many findings of one kind, a hundred are listed and the rest counted")
  func many() throws {
    let result = try check(
      """
      WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 259)
      INSERT INTO ZTAG (Z_PK, Z_ENT) SELECT i, 77 FROM n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 1000;
      """, in: TemporaryFolder())
    #expect(result.findings.count == 100)
    #expect(result.leftOut == 150)
  }

  @Test("Hashes of another version of the model are told, entity by entity")
  func otherModel() throws {
    let folder = try TemporaryFolder()
    _ = try check(in: folder)
    let other = Self.model.replacing(
      "<attribute name=\"rank\" optional=\"YES\"", with: "<attribute name=\"rank\"")
    let model = try folder.write(other, to: "other/contents")
    let result = try StoreCheck.run(folder.file(named: "store.sqlite"), model: model)
    #expect(
      result.findings.map(\.description) == [
        "Z_METADATA Z_PLIST: the version hash of Note differs from the model's",
        "ZITEM row 5, ZRANK: a required value is missing",
      ])
  }

  @Test("What is no Core Data store cannot be checked")
  func noStore() throws {
    let folder = try TemporaryFolder()
    let model = try folder.write(Self.model, to: "contents")
    func words(_ path: String) -> String? {
      #expect(throws: ModelError.self) { try StoreCheck.run(path, model: model) }?.description
        .replacing(folder.path, with: "")
    }
    let editor = try StoreEditor(folder.write("", to: "other.sqlite"))
    try editor.run("CREATE TABLE Z_METADATA (x); CREATE VIEW Z_PRIMARYKEY AS SELECT 1")
    editor.close()
    #expect(
      words(folder.file(named: "other.sqlite"))
        == "/other.sqlite: is not a Core Data store: it has no table Z_PRIMARYKEY")
    #expect(
      words(try folder.write("SQLite format 3\0" + String(repeating: "x", count: 900), to: "bad"))
        == "/bad: cannot be read: file is not a database")
    #expect(
      words(folder.file(named: "missing"))
        == "/missing: cannot be read: No such file or directory")
  }

  @Test("A view in place of a table is not read: it could run for ever")
  func view() throws {
    let result = try check(
      """
      DROP TABLE ZTAG;
      CREATE VIEW ZTAG AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT i AS Z_PK, 5 AS Z_ENT, 1 AS Z_OPT, 0 AS ZMADE FROM n;
      """, in: TemporaryFolder())
    #expect(result.findings.map(\.description) == ["ZTAG: the table is missing"])
  }

  @Test(
    "A store that is damaged at random is checked, or refused", arguments: [1, 2, 3] as [UInt64])
  func neverCrash(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    _ = try check(in: folder)
    let (path, model) = (folder.file(named: "store.sqlite"), folder.file(named: "contents"))
    let original = try Data(contentsOf: URL(fileURLWithPath: path))
    // Damage of what is written, not of free space.
    let places = original.indices.filter { original[$0] != 0 }
    var random = SeededGenerator(seed: seed)
    var (faulty, refused) = (0, 0)
    for _ in 0..<MutationCount.perFile(usual: 100) {
      var bytes = original
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        let place = try #require(places.randomElement(using: &random))
        bytes[place] =
          Bool.random(using: &random)
          ? bytes[place] ^ 1 << UInt8.random(in: 0..<8, using: &random)
          : .random(in: .min ... .max, using: &random)
      }
      if Int.random(in: 0..<10, using: &random) == 0 {
        bytes = bytes.prefix(Int.random(in: 1...bytes.count, using: &random))
      }
      try folder.write(bytes, to: "store.sqlite")
      do throws(ModelError) {
        if try !StoreCheck.run(path, model: model).isSound { faulty += 1 }
      } catch {
        refused += 1
      }
      _ = try? ModelSource(contentsOf: path)
    }
    // The damage is not too coarse.
    #expect(faulty > 0)
    #expect(refused > 0)
  }
}

@Suite(
  "Checks of real Core Data stores",
  .enabled(if: CoreDataStorePair.folder != nil, "the folder of real stores is absent"))
struct StoreCheckConformanceTests {
  @Test(
    "They are sound, and none of their oddities is called a fault",
    arguments: CoreDataStorePair.all)
  func sound(_ pair: CoreDataStorePair) throws {
    for model in [pair.xmlModel, pair.compiledModel].compactMap({ $0 }) {
      let result = try StoreCheck.run(pair.store, model: model)
      #expect(result.findings.map(\.description) == [])
      #expect(result.rows > 0)
    }
  }

  @Test("A made store without rows is sound too", arguments: CoreDataStorePair.all)
  func empty(_ pair: CoreDataStorePair) throws {
    let folder = try TemporaryFolder()
    let path = folder.file(named: "made.sqlite")
    for model in [pair.xmlModel, pair.compiledModel].compactMap({ $0 }) {
      try EmptyStore(ModelSource(contentsOf: model), layout: .coreData)
        .write(to: path, isReplacing: true)
      #expect(try StoreCheck.run(path, model: model).findings == [])
    }
  }
}
