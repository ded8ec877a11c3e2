import TestSupport
import Testing

@Suite("convert verify of ordered collections in a Core Data store")
struct VerifyOrderTests {
  private static let model = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
    <entity name="Folder">
      <relationship name="notes" optional="YES" toMany="YES" ordered="YES" \
    destinationEntity="Note" inverseName="folder"/>
    </entity>
    <entity name="Note">
      <relationship name="folder" optional="YES" maxCount="1" destinationEntity="Folder" \
    inverseName="notes"/>
    </entity>
    </model>
    """

  @Test("finds each change of a position, of rows in no collection too")
  func changes() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.model, to: "App.xcdatamodel/contents")
    let created = try folder.convert(
      "model", "App.xcdatamodel", "--layout", "coredata", "--create-store", "old.sqlite")
    try #require(created.status == 0, "\(created)")
    let editor = try StoreEditor(folder.file(named: "old.sqlite"))
    try editor.run(
      """
      BEGIN;
      INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1);
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZFOLDER, Z_FOK_FOLDER) VALUES
        (1, 2, 1, 1, 3072), (2, 2, 1, 1, 2048), (3, 2, 1, NULL, NULL);
      UPDATE Z_PRIMARYKEY SET Z_MAX = iif(Z_NAME = 'Note', 3, 1);
      COMMIT;
      """)
    editor.close()
    let made = try folder.convert("old.sqlite", "--layout", "coredata", "-o", "new.sqlite")
    try #require(made.status == 0, "\(made)")
    #expect(try folder.convert("verify", "new.sqlite", "old.sqlite").status == 0)
    let cases: KeyValuePairs = [
      "SET Z_FOK_FOLDER = 1024 WHERE Z_PK = 1":
        "Folder 1, notes: expected its position in the collection, found another",
      "SET Z_FOK_FOLDER = NULL WHERE Z_PK = 2": "its position in the collection",
      "SET Z_FOK_FOLDER = 2048 WHERE Z_PK = 3":
        "Note 3, folder: expected no position, in no collection, found one",
    ]
    for (change, difference) in cases {
      let copy = try StoreEditor.copy(
        of: folder.file(named: "new.sqlite"), in: folder, changedBy: "UPDATE ZNOTE \(change)")
      let result = try folder.convert("verify", copy, "old.sqlite")
      #expect(result.status == 1, "\(change): \(result)")
      #expect(result.output.contains(difference), "\(change): \(result)")
    }
  }
}
