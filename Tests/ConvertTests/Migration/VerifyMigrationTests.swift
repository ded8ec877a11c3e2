import Foundation
import MappingModelTesting
import TestSupport
import Testing

@Suite("convert verify of migrated stores")
struct VerifyMigrationTests {
  /// A folder with the old store and the migrated one.
  private static func folder(_ layout: String) throws -> TemporaryFolder {
    let folder = try NotesFolder.make()
    let result = try folder.convert(
      "migrate", "old.sqlite", "--model", NotesFolder.version("Notes 2"), "-o", "new.sqlite",
      "--layout", layout)
    try #require(result.status == 0, "\(result)")
    return folder
  }

  @Test("passes as long as nothing has changed", arguments: ["coredata", "relational"])
  func unchanged(layout: String) throws {
    let folder = try Self.folder(layout)
    let before = try folder.contents(of: "new.sqlite")
    let result = try folder.convert("verify", "new.sqlite", "old.sqlite")
    #expect(result.status == 0, "\(result)")
    #expect(result.output.contains("Verification passed"))
    #expect(try folder.contents(of: "new.sqlite") == before)
    #expect(try folder.names() == ["Notes.xcdatamodeld", "new.sqlite", "old.sqlite"])
  }

  private static let changes: KeyValuePairs = [
    "UPDATE ZMEMO SET ZTEXT = 'Milch' WHERE Z_PK = 1": "Memo 1, text: expected Milk, found Milch",
    "UPDATE ZMEMO SET ZLENGTH = 5 WHERE Z_PK = 3": "Memo 3, length: expected 3, found 5",
    "UPDATE ZMEMO SET ZFOLDER = 2 WHERE Z_PK = 1":
      "Memo 1, folder: expected the row it refers to, found another",
    "UPDATE ZMEMO SET ZFOLDER = 9 WHERE Z_PK = 1":
      "Memo 1, folder: expected the row it refers to, found another",
    "UPDATE ZMEMO SET ZCOLOR = NULL": "Memo 1, color: expected white, found NULL",
    "DELETE FROM ZMEMO WHERE Z_PK = 2": "Memo 2: expected a row, found no row",
    "INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT) VALUES (3, 1, 1)":
      "Folder 3: expected no row, found a row",
    "UPDATE Z_PRIMARYKEY SET Z_MAX = 0": "Z_PRIMARYKEY",
    "UPDATE Z_METADATA SET Z_UUID = '00000000-0000-4000-8000-000000000000'":
      "Z_METADATA, NSStoreUUID: expected that of the conversion, found another",
    "DROP TABLE ZMEMO": "ZMEMO: the table is missing",
    "ALTER TABLE ZMEMO RENAME COLUMN ZTEXT TO ZBODY": "ZMEMO ZTEXT: the column is missing",
  ]

  @Test("finds each change of a Core Data store")
  func changed() throws {
    let folder = try Self.folder("coredata")
    for (change, difference) in Self.changes {
      let copy = try StoreEditor.copy(
        of: folder.file(named: "new.sqlite"), in: folder, changedBy: change)
      let result = try folder.convert("verify", copy, "old.sqlite")
      #expect(result.status == 1, "\(result)")
      #expect(result.output.contains(difference), "\(result)")
    }
  }

  @Test("compares plain values of transformable attributes, too")
  func transformables() throws {
    let folder = try NotesFolder.make()
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Memo">
        <attribute name="mark" optional="YES" attributeType="Transformable"/>
        <attribute name="text" optional="YES" attributeType="Transformable"/>
      </entity>
      </model>
      """, to: "\(NotesFolder.version("Notes 4"))/contents")
    var mapping = XMLMappingStore(
      folder: "App/Notes.xcdatamodeld", versions: ("Notes", "Notes 4"))
    mapping.add(
      from: "Note", to: "Memo",
      attributes: [
        XMLMappingStore.Property("mark", value: .constant(.text("new"))),
        XMLMappingStore.Property("text", value: .keys(.source, ["body"])),
      ])
    try folder.write(mapping.bytes, to: "Map.xcmappingmodel/xcmapping.xml")
    let migrated = try folder.convert(
      "migrate", "old.sqlite", "--model", NotesFolder.version("Notes 4"), "--mapping-model",
      "Map.xcmappingmodel", "--accept-model-drift", "--verify", "-o", "new.sqlite")
    #expect(migrated.status == 0, "\(migrated)")
    #expect(try folder.convert("new.sqlite", "-o", "plain.db").status == 0)
    #expect(
      try folder.store("plain.db").lines("SELECT mark, text FROM Memo ORDER BY id") == [
        "new|Milk", "new|NULL", "new|Tea",
      ])
    for column in ["ZMARK", "ZTEXT"] {
      let copy = try StoreEditor.copy(
        of: folder.file(named: "new.sqlite"), in: folder,
        changedBy: "UPDATE ZMEMO SET \(column) = NULL WHERE Z_PK = 1")
      let result = try folder.convert("verify", copy, "old.sqlite")
      #expect(result.status == 1, "\(result)")
    }
  }

  @Test("finds a change of a store in the relational layout")
  func changedRelational() throws {
    let folder = try Self.folder("relational")
    let editor = try StoreEditor(folder.file(named: "new.sqlite"))
    try editor.run("UPDATE Memo SET text = 'Milch' WHERE id = 1")
    editor.close()
    let result = try folder.convert("verify", "new.sqlite", "old.sqlite")
    #expect(result.status == 1)
    #expect(result.output.contains("Memo 1, text: expected 'Milk', found 'Milch'"), "\(result)")
  }

  @Test("needs the store that was migrated", arguments: ["coredata", "relational"])
  func otherStore(layout: String) throws {
    let folder = try Self.folder(layout)
    let editor = try StoreEditor(folder.file(named: "old.sqlite"))
    try editor.run("UPDATE ZNOTE SET ZBODY = 'Milch' WHERE Z_PK = 1")
    editor.close()
    let result = try folder.convert("verify", "new.sqlite", "old.sqlite")
    #expect(result.status == 1)
    #expect(
      result.output.contains(
        "1 difference; 0 values and 0 links compared.\n  old.sqlite: has changed since it was converted"
      ),
      "\(result)")
  }

  @Test(
    "passes when the model has got another version, and the folder another mapping model",
    arguments: [
      ["old.sqlite", "--layout", "coredata"], ["old.sqlite", "--layout", "relational"],
      ["migrate", "old.sqlite", "--mapping-model", "Mappings", "--layout", "coredata"],
      ["migrate", "old.sqlite", "--mapping-model", "Mappings", "--layout", "relational"],
    ])
  func laterVersions(arguments: [String]) throws {
    let folder = try NotesFolder.make()
    try NotesFolder.makeCurrent("Notes 2", in: folder)
    func map(to version: String, _ name: String) throws {
      var mapping = XMLMappingStore(
        folder: "App/Notes.xcdatamodeld", versions: ("Notes", version))
      mapping.add(
        from: "Note", to: "Memo",
        attributes: [XMLMappingStore.Property("text", value: .constant(.text(version)))])
      try folder.write(mapping.bytes, to: "Mappings/\(name).xcmappingmodel/xcmapping.xml")
    }
    try map(to: "Notes 2", "1to2")
    let made = try Program.run(
      arguments + [
        "--model", "Notes.xcdatamodeld", "--accept-model-drift", "-o", "new.sqlite",
      ], in: folder.path)
    #expect(made.status == 0, "\(made)")
    let text = try folder.text(of: "\(NotesFolder.version("Notes 2"))/contents")
    try folder.write(
      text.replacing("color", with: "tint"), to: "\(NotesFolder.version("Notes 4"))/contents")
    try NotesFolder.makeCurrent("Notes 4", in: folder)
    try map(to: "Notes 4", "1to4")
    let result = try folder.convert("verify", "new.sqlite", "old.sqlite")
    #expect(result.status == 0, "\(result)")
    #expect(result.output.hasPrefix("Verification passed"), "\(result)")
  }

  @Test("needs the versions and mapping models", arguments: ["coredata", "relational"])
  func otherFiles(layout: String) throws {
    let folder = try Self.folder(layout)
    let model = "\(NotesFolder.version("Notes 2"))/contents"
    let text = try folder.text(of: model)
    try folder.write(text.replacing("white", with: "black"), to: model)
    let changed = try folder.convert("verify", "new.sqlite", "old.sqlite")
    #expect(changed.status == 1, "\(changed)")
    try folder.write(text.replacing("Memo", with: "Mimo"), to: model)
    let other = try folder.convert("verify", "new.sqlite", "old.sqlite")
    #expect(other.status == 2)
    #expect(
      other.errors.contains("used a different model (name it with --model)"), "\(other)")
    try FileManager.default.removeItem(atPath: folder.file(named: "Notes.xcdatamodeld"))
    let missing = try folder.convert("verify", "new.sqlite", "old.sqlite")
    #expect(missing.status == 2)
  }
}
