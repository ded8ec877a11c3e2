import ArchiveReader
import CoreDataStores
import DataModel
import Foundation
import GraphCore
import TestSupport
import Testing

@Suite("The inspection of Core Data stores")
struct StoreInspectionTests {
  /// A line for each entity, indented by its level, with its count and properties.
  private func lines(of store: StoreInspection) -> [String] {
    store.entities.map { entity in
      let indent = String(repeating: "  ", count: entity.level)
      let mark = entity.isAbstract.map { $0 ? " (abstract)" : "" } ?? " ?"
      let count = entity.objects.map(String.init) ?? "unknown"
      return "\(indent)\(entity.name)\(mark) \(count): " + entity.properties.joined(separator: " ")
    }
  }

  private func withoutModel(_ path: String) throws(ArchiveError) -> StoreInspection {
    try StoreInspection(
      withoutModel: try ByteStorage(contentsOf: path), at: path, limits: .standard)
  }

  private func withoutModel(_ bytes: ByteStorage) throws(ArchiveError) -> StoreInspection {
    try StoreInspection(withoutModel: bytes, at: "", limits: .standard)
  }

  @Test("of an SQLite store shows the tree of entities with the objects of each")
  func sqlite() throws {
    let maker = try StoreMaker.sample()
    try maker.edit("CREATE TABLE ACHANGE (Z_PK INTEGER); INSERT INTO ACHANGE VALUES (1), (2);")
    let store = StoreInspection(try maker.open())
    #expect(
      lines(of: store) == [
        "Folder 2: name items",
        "Item (abstract) 0: created title folder",
        "  Note 3: body code extra flag link photo price rating ratio tags",
        "  Task 3: body part parts",
        "Tag 3: name narrower notes wider",
      ])
    #expect(store.objects == 11)
    #expect(store.format == .sqliteStore)
    #expect(store.model == nil)
    #expect(store.leftOut == [StoreRemainder(.history, name: "ACHANGE", rows: 2)])
    #expect(store.metadata.uuid.count == 36)
    #expect(store.frameworkRelease == nil)
  }

  @Test("of an SQLite store without its model counts the same, by the store's own tables")
  func sqliteWithoutModel() throws {
    let maker = try StoreMaker.sample()
    try maker.edit(
      """
      CREATE TABLE ACHANGE (Z_PK INTEGER); INSERT INTO ACHANGE VALUES (1), (2);
      INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 2);
      """)
    let store = try withoutModel(maker.path)
    #expect(
      lines(of: store) == [
        "Folder ? 2: ", "Item ? 0: ", "  Note ? 3: ", "  Task ? 3: ", "Tag ? 3: ",
      ])
    #expect(store.model == nil)
    #expect(store.leftOut == [StoreRemainder(.history, name: "ACHANGE", rows: 2)])
    #expect(store.metadata == (try maker.open()).metadata)
  }

  @Test(
    "of a damaged SQLite store says what cannot be counted",
    arguments: [
      ("DROP TABLE ZTAG;", ["Folder 2", "Item 0", "Note 3", "Task 3", "Tag unknown"]),
      ("UPDATE ZITEM SET Z_ENT = 77;", ["Folder 2", "Item 0", "Note 0", "Task 0", "Tag 3"]),
      (
        "UPDATE Z_PRIMARYKEY SET Z_SUPER = 4 WHERE Z_NAME IN ('Item', 'Task');",
        ["Folder 2", "Tag 3", "Item unknown", "Note unknown", "Task unknown"]
      ),
      (
        "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag';",
        ["Folder 2", "Item 0", "Note 3", "Task 3", "Tag unknown"]
      ),
    ])
  func damaged(sql: String, expected: [String]) throws {
    let maker = try StoreMaker.sample()
    try maker.edit(sql)
    let found = try withoutModel(maker.path).entities.map { entity in
      "\(entity.name) \(entity.objects.map(String.init) ?? "unknown")"
    }
    #expect(found == expected)
  }

  @Test("of an XML store shows the same with its model and without, but for the tree")
  func xml() throws {
    let maker = XMLStoreMaker.library
    let store = StoreInspection(try XMLStoreSource(maker.bytes, model: StoreModels.library))
    #expect(
      lines(of: store) == [
        "Item (abstract) 0: sortIndex title parent tags",
        "  Folder 2: isOpen items",
        "  Note 1: URL amount body changed count ease id level style weight",
        "Tag 1: name taggedItems",
      ])
    let unread = try withoutModel(maker.bytes)
    #expect(lines(of: unread) == ["Folder ? 2: ", "Item ? 0: ", "Note ? 1: ", "Tag ? 1: "])
    for store in [store, unread] {
      #expect(store.frameworkRelease == "Mac OS X 10.5.3")
      #expect(store.metadata.identifiers == ["1.0"])
      #expect(
        store.metadataValues.map { "\($0.key): \($0.type) \($0.text)" } == [
          "BuildNumber: integer 591", "Path & name: string \"a < b\"",
        ])
    }
  }

  @Test("of an XML store without metadata shows the entities of its objects, as they are spelt")
  func xmlWithoutMetadata() throws {
    var maker = XMLStoreMaker.library
    maker.model = nil
    let store = try withoutModel(maker.bytes)
    #expect(lines(of: store) == ["FOLDER ? 2: ", "NOTE ? 1: ", "TAG ? 1: "])
  }

  @Test("of a binary store shows the same with its model and without, but for the tree")
  func binary() throws {
    let maker = BinaryStoreMaker.library
    let store = StoreInspection(try BinaryStoreSource(maker.storage, model: StoreModels.library))
    #expect(store.entities.map(\.objects) == [0, 2, 1, 1])
    #expect(store.entities.map(\.level) == [0, 1, 1, 0])
    let unread = try withoutModel(maker.storage)
    #expect(lines(of: unread) == ["Folder ? 2: ", "Item ? 0: ", "Note ? 1: ", "Tag ? 1: "])
    #expect(unread.frameworkRelease == "OS X 10.9")
    #expect(unread.metadata == store.metadata)
  }

  @Test("of a binary store whose objects cannot be read shows its entities")
  func damagedBinary() throws {
    let maker = BinaryStoreMaker.library
    let bytes = BinaryStoreMaker.file(data: Data("bplist00".utf8), metadata: maker.metadata)
    let store = try withoutModel(ByteStorage(bytes))
    #expect(store.entities.map(\.name) == ["Folder", "Item", "Note", "Tag"])
    #expect(store.entities.allSatisfy { $0.objects == nil })
    #expect(store.objects == nil)
  }

  @Test("is refused of a file that is no store, or says nothing of itself")
  func refused() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([], to: "plain.sqlite")
    let editor = try StoreEditor(path)
    try editor.run("CREATE TABLE Note (id INTEGER)")
    editor.close()
    #expect(throws: ArchiveError.self) { try withoutModel(path) }
    #expect(throws: ArchiveError.self) { try withoutModel(ByteStorage(Array("text".utf8))) }
    let envelope = BinaryStoreMaker.file(data: Data([1]), metadata: Data([1]))
    #expect(throws: ArchiveError.self) { try withoutModel(ByteStorage(envelope)) }
  }

  @Test("of damaged stores of any kind ends in what can be read, or in an error", arguments: 0..<4)
  func mutations(seed: Int) throws {
    let maker = try StoreMaker.sample()
    let files = [
      try #require(FileManager.default.contents(atPath: maker.path)),
      Data(XMLStoreMaker.library.text.utf8), Data(BinaryStoreMaker.library.bytes),
    ]
    var generator = SeededGenerator(seed: UInt64(seed))
    for sound in files {
      for _ in 0..<60 {
        var bytes = sound
        for _ in 0...Int.random(in: 0..<8, using: &generator) {
          bytes[Int.random(in: 16..<bytes.count, using: &generator)] = .random(
            in: .min ... .max, using: &generator)
        }
        if Int.random(in: 0..<4, using: &generator) == 0 {
          bytes = bytes.prefix(Int.random(in: 0...bytes.count, using: &generator))
        }
        let path = try maker.folder.write(bytes, to: "damaged")
        do {
          let store = try withoutModel(path)
          #expect(store.entities.count < 100)
        } catch {
          #expect(!"\(error)".isEmpty)
        }
      }
    }
  }

  @Test("says where a given model was found")
  func givenModel() throws {
    let maker = try StoreMaker.sample()
    let model = maker.folder.file(named: "Notes.xcdatamodeld")
    try XMLModelWriter(StoreMaker.model).write(to: model)
    let versions = try ModelVersions(contentsOf: model)
    let source = try SQLiteStoreSource(path: maker.path, versions: versions)
    #expect(
      StoreInspection(source).model == .file("\(model)/Notes.xcdatamodel/contents"))
  }

  @Test(
    "names the system of a framework version where Apple has published it",
    arguments: [
      (186, "Mac OS X 10.5.3"), (358, "Mac OS X 10.7"), (419, "iOS 6"),
      (640, "OS X 10.11 and iOS 9"), (637, nil), (1344, nil), (0, nil),
    ] as [(Int64, String?)])
  func release(version: Int64, system: String?) throws {
    let maker = try StoreMaker()
    var metadata = try maker.open().metadata
    metadata.frameworkVersion = version
    let list = metadata.propertyList().map { String(format: "%02X", $0) }.joined()
    try maker.edit("UPDATE Z_METADATA SET Z_PLIST = x'\(list)';")
    #expect(try withoutModel(maker.path).frameworkRelease == system)
  }
}
