import ArchiveWriter
import Foundation
import TestSupport
import Testing

@testable import CoreDataStores
@testable import DataModel

@Suite("Checks of stores by their own numbers")
struct StoreNumberTests {
  /// The numbers of the model are Folder 2, Item 1, Note 3, Picture 4, Tag 5.
  private static let model = """
    <entity name="Item" isAbstract="YES"/>
    <entity name="Folder" parentEntity="Item">
      <relationship name="notes" toMany="YES" ordered="YES" destinationEntity="Note" \
    inverseName="folder"/>
      <relationship name="cover" optional="YES" maxCount="1" destinationEntity="Picture" \
    inverseName="folder"/></entity>
    <entity name="Note" parentEntity="Item">
      <relationship name="folder" optional="YES" maxCount="1" destinationEntity="Folder" \
    inverseName="notes"/>
      <relationship name="tags" toMany="YES" destinationEntity="Tag" inverseName="notes"/></entity>
    <entity name="Picture">
      <relationship name="folder" optional="YES" maxCount="1" destinationEntity="Folder" \
    inverseName="cover"/>
      <relationship name="subject" optional="YES" maxCount="1" destinationEntity="Item"/></entity>
    <entity name="Tag">
      <relationship name="notes" toMany="YES" destinationEntity="Note" inverseName="tags"/>
      <relationship name="icons" toMany="YES" destinationEntity="Picture"/></entity>
    """

  private static let rows = """
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1);
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZFOLDER, Z_FOK_FOLDER) VALUES
      (3, 3, 1, 1, 2048), (4, 3, 1, 1, 3072), (5, 3, 1, 2, 2048);
    INSERT INTO ZPICTURE (Z_PK, Z_ENT, Z_OPT, ZFOLDER, ZSUBJECT, Z1_SUBJECT, Z5ICONS)
      VALUES (1, 4, 1, 1, 3, 3, 1), (2, 4, 1, NULL, 1, 2, NULL);
    UPDATE ZITEM SET ZCOVER = 1 WHERE Z_PK = 1;
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 5, 1), (2, 5, 1);
    INSERT INTO Z_3TAGS VALUES (3, 1), (4, 1), (4, 2);
    UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_SUPER = 0;
    """

  /// Other numbers for all entities, in another order.
  ///
  /// They are Tag 3, Item 10 with Note 11 and Folder 14,
  /// Picture 12. A join table is named after the side with the lower number.
  private static let renumbering = """
    DELETE FROM Z_PRIMARYKEY;
    INSERT INTO Z_PRIMARYKEY VALUES (3, 'Tag', 0, 9), (10, 'Item', 0, 9), (11, 'Note', 10, 0),
      (12, 'Picture', 0, 9), (14, 'Folder', 10, 0);
    UPDATE ZITEM SET Z_ENT = CASE Z_ENT WHEN 2 THEN 14 ELSE 11 END;
    UPDATE ZPICTURE SET Z_ENT = 12, Z1_SUBJECT = CASE Z1_SUBJECT WHEN 2 THEN 14 ELSE 11 END;
    UPDATE ZTAG SET Z_ENT = 3;
    ALTER TABLE ZPICTURE RENAME COLUMN Z1_SUBJECT TO Z10_SUBJECT;
    ALTER TABLE ZPICTURE RENAME COLUMN Z5ICONS TO Z3ICONS;
    ALTER TABLE Z_3TAGS RENAME TO Z_3NOTES;
    ALTER TABLE Z_3NOTES RENAME COLUMN Z_3NOTES TO Z_11NOTES;
    ALTER TABLE Z_3NOTES RENAME COLUMN Z_5TAGS TO Z_3TAGS;
    """

  private static let renumbered = [
    "Z_PRIMARYKEY row 3: the entity Tag has a different number in the model",
    "Z_PRIMARYKEY row 10: the entity Item has a different number in the model",
    "Z_PRIMARYKEY row 11: the entity Note has a different number in the model",
    "Z_PRIMARYKEY row 12: the entity Picture has a different number in the model",
    "Z_PRIMARYKEY row 14: the entity Folder has a different number in the model",
  ]

  /// What is found in a store that was changed.
  private func check(_ changes: String...) throws -> StoreCheck.Result {
    let folder = try TemporaryFolder()
    let model = try folder.write(XMLModel.document(Self.model), to: "contents")
    let path = try folder.write("", to: "store.sqlite")
    let source = try ModelSource(contentsOf: model)
    try CoreDataStoreCreator(layout: CoreDataLayout(source.model), source: source).create(at: path)
    let editor = try StoreEditor(path)
    try editor.run(Self.rows)
    for change in changes { try editor.run(change) }
    editor.close()
    return try StoreCheck.run(path, model: model)
  }

  @Test("A store with numbers of its own is sound; that they are others is a note")
  func ownNumbers() throws {
    #expect(try check().findings == [])
    let result = try check(Self.renumbering)
    #expect(result.findings.map(\.description).sorted() == Self.renumbered.sorted())
    #expect(result.isSound)
  }

  @Test(
    "Faults in such a store are found by its numbers",
    arguments: [
      (
        "UPDATE ZITEM SET Z_ENT = 2 WHERE Z_PK = 2",
        [
          "ZITEM row 2, Z_ENT: no entity with this number has rows in this table",
          "ZITEM row 5, ZFOLDER: it refers to a row of the wrong entity",
        ]
      ),
      (
        "UPDATE ZPICTURE SET Z10_SUBJECT = 14 WHERE Z_PK = 1",
        ["ZPICTURE row 1, Z10_SUBJECT: it is not the entity of the referenced row"]
      ),
      (
        "INSERT INTO Z_3NOTES VALUES (1, 2)",
        ["Z_3NOTES row 4, Z_11NOTES: it refers to a row of the wrong entity"]
      ),
      (
        "UPDATE Z_PRIMARYKEY SET Z_SUPER = 3 WHERE Z_ENT = 11",
        ["Z_PRIMARYKEY row 11: the entity Note has a different parent in the model"]
      ),
      (
        "INSERT INTO Z_PRIMARYKEY VALUES (13, 'Note', 10, 0)",
        ["Z_PRIMARYKEY row 13: the entity Note is listed twice"]
      ),
      (
        "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 12",
        ["Z_PRIMARYKEY: the entity Picture is missing"]
      ),
    ])
  func faults(_ change: String, _ words: [String]) throws {
    let result = try check(Self.renumbering, change)
    #expect(
      result.findings.filter { !$0.isNote }.map(\.description).sorted() == words.sorted())
  }

  @Test(
    "A column that is empty in every row is not kept: a note, and no fault",
    arguments: [
      (
        "UPDATE ZITEM SET ZCOVER = NULL",
        ["ZPICTURE ZFOLDER: what goes with it is empty in every row: the store does not keep it"]
      ),
      (
        "UPDATE ZPICTURE SET Z1_SUBJECT = NULL",
        [
          "ZPICTURE Z1_SUBJECT: what goes with it is empty in every row: the store does not keep it"
        ]
      ),
      (
        "UPDATE ZITEM SET Z_FOK_FOLDER = NULL",
        [
          "ZITEM Z_FOK_FOLDER: what goes with it is empty in every row: the store does not keep it"
        ]
      ),
      ("UPDATE ZITEM SET ZCOVER = NULL; UPDATE ZPICTURE SET ZFOLDER = NULL", []),
    ])
  func emptyColumns(_ change: String, _ words: [String]) throws {
    let result = try check(change)
    #expect(result.findings.map(\.description) == words)
    #expect(result.isSound)
  }

  @Test("A join table may be named after either of its sides")
  func joinTableNames() throws {
    let renamed = "ALTER TABLE Z_3TAGS RENAME TO Z_5NOTES"
    #expect(try check(renamed).findings == [])
    #expect(
      try check(renamed, "UPDATE Z_5NOTES SET Z_5TAGS = 7 WHERE rowid = 2").findings
        .map(\.description) == [
          "Z_5NOTES row 2, Z_5TAGS: it refers to a row that does not exist"
        ])
    #expect(
      try check("DROP TABLE Z_3TAGS").findings.map(\.description)
        == ["Z_3TAGS: the table is missing"])
  }

  @Test("A column of a join table may have any number behind its name")
  func joinColumnNames() throws {
    let renamed = "ALTER TABLE Z_3TAGS RENAME COLUMN Z_5TAGS TO Z_5TAGS2"
    #expect(try check(renamed).findings == [])
    #expect(
      try check(renamed, "UPDATE Z_3TAGS SET Z_5TAGS2 = 7 WHERE rowid = 2").findings
        .map(\.description) == [
          "Z_3TAGS row 2, Z_5TAGS2: it refers to a row that does not exist"
        ])
    #expect(
      try check("ALTER TABLE Z_3TAGS RENAME COLUMN Z_5TAGS TO Z_5TAGSX").findings
        .map(\.description) == ["Z_3TAGS Z_5TAGS: the column is missing"])
  }

  @Test("Rows that an inverse cannot lead to need no way back")
  func otherSubentities() throws {
    let folder = try TemporaryFolder()
    let model = try folder.write(
      XMLModel.document(
        """
        <entity name="Base"><relationship name="user" optional="YES" maxCount="1" \
        destinationEntity="User" inverseName="main"/></entity>
        <entity name="Main" parentEntity="Base"/>
        <entity name="User"><relationship name="main" optional="YES" maxCount="1" \
        destinationEntity="Main" inverseName="user"/></entity>
        """), to: "contents")
    let path = try folder.write("", to: "store.sqlite")
    let source = try ModelSource(contentsOf: model)
    try CoreDataStoreCreator(layout: CoreDataLayout(source.model), source: source).create(at: path)
    let editor = try StoreEditor(path)
    try editor.run(
      """
      INSERT INTO ZBASE (Z_PK, Z_ENT, ZUSER) VALUES (1, 1, 1), (2, 2, 1), (3, 2, 2);
      INSERT INTO ZUSER (Z_PK, Z_ENT, ZMAIN) VALUES (1, 3, 2), (2, 3, 3);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 3;
      """)
    #expect(try StoreCheck.run(path, model: model).findings == [])
    try editor.run("UPDATE ZUSER SET ZMAIN = 3")
    editor.close()
    #expect(
      try StoreCheck.run(path, model: model).findings.map(\.description) == [
        "ZBASE row 2, ZUSER: the referenced row does not refer back",
        "ZUSER row 1, ZMAIN: the referenced row does not refer back",
      ])
  }

  @Test("A store in the form of Mac OS X 10.4 is sound: its metadata has no hashes")
  func oldForm() throws {
    let list = try XMLPropertyListWriter().data(for: ["dataModelVersion": "3"])
    let hexadecimal = list.map { String(format: "%02x", $0) }.joined()
    let changes = [
      "UPDATE Z_METADATA SET Z_PLIST = x'\(hexadecimal)'", "DROP TABLE Z_MODELCACHE",
      """
      CREATE TABLE T (Z_ENT INTEGER, Z_PK INTEGER PRIMARY KEY, Z_OPT INTEGER);
      INSERT INTO T SELECT Z_ENT, Z_PK, Z_OPT FROM ZTAG;
      DROP TABLE ZTAG; ALTER TABLE T RENAME TO ZTAG;
      """,
    ]
    let result = try check(changes[0], changes[1], changes[2])
    #expect(
      result.findings.map(\.description) == [
        "Z_METADATA Z_PLIST: the store has no version hashes: Mac OS X 10.4 wrote none"
      ])
    #expect(result.isSound)
  }

  @Test("Numbers of any size, and of one entity alone, are no trap")
  func hostileNumbers() throws {
    for number in [Int64.max, .min, 0, -1, 15_999] {
      let result = try check("UPDATE Z_PRIMARYKEY SET Z_ENT = \(number) WHERE Z_NAME = 'Note'")
      #expect(!result.isSound)
    }
    #expect(try !check("DELETE FROM Z_PRIMARYKEY").findings.isEmpty)
    #expect(try !check("UPDATE Z_PRIMARYKEY SET Z_NAME = x'00'").isSound)
  }

  @Test("Of several versions the store's own is taken; where there is none, that is said")
  func versions() throws {
    let folder = try TemporaryFolder()
    let other = XMLModel.document("<entity name='Other'/>")
    try folder.write(XMLModel.document(Self.model), to: "M.xcdatamodeld/M.xcdatamodel/contents")
    try folder.write(other, to: "M.xcdatamodeld/M 2.xcdatamodel/contents")
    let models = folder.file(named: "M.xcdatamodeld")
    let source = try ModelSource(contentsOf: "\(models)/M.xcdatamodel")
    let path = try folder.write("", to: "store.sqlite")
    try CoreDataStoreCreator(layout: CoreDataLayout(source.model), source: source).create(at: path)
    #expect(try StoreCheck.run(path, model: models).findings == [])
    try folder.write(other, to: "M.xcdatamodeld/M.xcdatamodel/contents")
    let error = #expect(throws: ModelError.self) { try StoreCheck.run(path, model: models) }
    #expect(error?.code == .noMatchingVersion)
  }

  @Test("A relationship whose inverse does not exist is a note")
  func unknownInverse() throws {
    let model = try XMLModel.model(
      """
      <entity name='A'><attribute name='y' optional='YES' attributeType='String'/>
      <relationship name='x' optional='YES' maxCount='1' destinationEntity='A' inverseName='y'/>
      <relationship name='z' optional='YES' maxCount='1' destinationEntity='A' inverseName='w'/>
      </entity>
      """)
    #expect(
      model.notes.map { [$0.property, $0.code.rawValue, $0.name] } == [
        ["x", "unknownInverse", "y"], ["z", "unknownInverse", "w"],
      ])
    #expect(model.entities[0].relationships.map(\.inverse) == ["y", "w"])
    #expect(CoreDataLayout(model).gaps == [])
    #expect(model.withoutDraftedParts.entities[0].relationships.map(\.inverse) == [nil, nil])
  }
}
