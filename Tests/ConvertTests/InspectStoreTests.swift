import Foundation
import TestSupport
import Testing

@Suite("convert inspect, on Core Data stores")
struct InspectStoreTests {
  /// A folder with the store "App.sqlite", which does not carry its model "App.xcdatamodel".
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model userDefinedModelVersionIdentifier="2.1">
        <entity name="Item" isAbstract="YES">
          <attribute name="title" optional="YES" attributeType="String"/>
        </entity>
        <entity name="Note" parentEntity="Item">
          <attribute name="text" optional="YES" attributeType="String"/>
        </entity>
      </model>
      """, to: "App.xcdatamodel/contents")
    let made = try folder.convert(
      "model", "App.xcdatamodel", "--layout", "coredata", "--create-store", "App.sqlite")
    try #require(made.status == 0)
    let editor = try StoreEditor(folder.file(named: "App.sqlite"))
    try editor.run(
      """
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 2, 1, 'Milk'), (2, 2, 1, 'Tea');
      UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Item';
      UPDATE Z_METADATA SET Z_UUID = '00000000-0000-4000-8000-000000000000';
      CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY);
      INSERT INTO ATRANSACTION VALUES (1);
      UPDATE Z_MODELCACHE SET Z_CONTENT = NULL;
      """)
    editor.close()
    return folder
  }

  @Test("prints for people what the store says of itself, and the tree of its entities")
  func tree() throws {
    let folder = try Self.folder()
    let result = try folder.convert("inspect", "--tree", "App.sqlite", "--model", "App.xcdatamodel")
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(
      result.output == """
        App.sqlite: coredata-sqlite, Core Data 1344, 2 objects, 2 reachable, 0 references

        store     00000000-0000-4000-8000-000000000000
        model     App.xcdatamodel/contents (version "2.1")
        left out  ATRANSACTION, 1 row: Core Data's history of changes

        entity           objects  properties
        Item (abstract)        0  title
          Note                 2  text

        """)
  }

  @Test("prints what it can without the model, and ends with 1")
  func treeWithoutModel() throws {
    let folder = try Self.folder()
    let result = try folder.convert("inspect", "--tree", "App.sqlite")
    #expect(result.status == 1)
    #expect(
      result.errors
        == "App.sqlite: the store does not carry its model: give it with --model (a model, or a folder with models)\n"
    )
    #expect(
      result.output == """
        App.sqlite: coredata-sqlite, Core Data 1344, 2 objects

        store     00000000-0000-4000-8000-000000000000
        model     missing (version "2.1")
        left out  ATRANSACTION, 1 row: Core Data's history of changes

        entity  objects
        Item          0
          Note        2

        """)
  }

  @Test("adds the store to the JSON, with its model and without", arguments: [true, false])
  func json(hasModel: Bool) throws {
    let folder = try Self.folder()
    let model = hasModel ? ["--model", "App.xcdatamodel"] : []
    let result = try Program.run(["inspect", "App.sqlite", "--json"] + model, in: folder.path)
    #expect(result.status == (hasModel ? 0 : 1))
    let found = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(found["format"] as? String == "coredata-sqlite")
    #expect(found["objects"] as? Int == 2)
    #expect((found["reachable"] as? Int == 2) == hasModel)
    #expect((found["classes"] == nil) == !hasModel)
    let store = try #require(found["store"] as? [String: Any])
    #expect(store["uuid"] as? String == "00000000-0000-4000-8000-000000000000")
    #expect(store["frameworkVersion"] as? Int == 1_344)
    #expect(store["versionIdentifiers"] as? [String] == ["2.1"])
    #expect(
      store["model"] as? [String: String] == (hasModel ? ["path": "App.xcdatamodel/contents"] : nil)
    )
    let leftOut = try #require(store["leftOut"] as? [[String: Any]])
    #expect(leftOut.map { $0["kind"] as? String } == ["history"])
    let entities = try #require(store["entities"] as? [[String: Any]])
    #expect(entities.map { $0["name"] as? String } == ["Item", "Note"])
    #expect(entities.map { $0["parent"] as? String } == [nil, "Item"])
    #expect(entities.map { $0["abstract"] as? Bool } == (hasModel ? [true, false] : [nil, nil]))
    #expect(entities.map { $0["objects"] as? Int } == [0, 2])
    #expect(entities.allSatisfy { ($0["versionHash"] as? String)?.count == 44 })
  }

  @Test("shows a damaged store as far as it goes, and ends with 1")
  func damaged() throws {
    let folder = try Self.folder()
    let editor = try StoreEditor(folder.file(named: "App.sqlite"))
    try editor.run("DROP TABLE ZITEM")
    editor.close()
    let result = try folder.convert("inspect", "--tree", "App.sqlite", "--model", "App.xcdatamodel")
    #expect(result.status == 1)
    #expect(result.errors.hasPrefix("App.sqlite: "))
    #expect(result.output.contains("Item    unknown\n  Note  unknown\n"))
  }
}
