import CoreDataStores
import DataModel
import Foundation
import GraphCore
import GraphTesting
import TestSupport
import Testing

@Suite("A damaged SQLite store")
struct SQLiteStoreDamageTests {
  /// A change of the sample, the object and key that it concerns, and what is wrong there.
  struct Case: CustomTestStringConvertible, Sendable {
    var change: String
    var uid: Int
    var key: String
    var code: ArchiveError.Code
    var name: String
    var testDescription: String { change }
    /// The error in the value.
    var error: ArchiveError {
      let record = [2: "Note 1", 3: "Note 2", 5: "Task 4"][uid] ?? ""
      return ArchiveError(code, at: .record(record, property: key), name: name)
    }

    init(_ change: String, _ uid: Int, _ key: String, _ code: ArchiveError.Code, _ name: String) {
      (self.change, self.uid, self.key, self.code, self.name) = (change, uid, key, code, name)
    }
  }

  static let cases = [
    Case("ZFOLDER = 9 WHERE Z_PK = 2", 3, "folder", .danglingReference, "Folder 9"),
    Case("ZFOLDER = 'x' WHERE Z_PK = 2", 3, "folder", .wrongKind, "a key of an object"),
    Case("ZPART = 1 WHERE Z_PK = 4", 5, "part", .wrongKind, "an object of the entity Task"),
    Case("ZRATING = 1.5 WHERE Z_PK = 1", 2, "rating", .wrongKind, "an integer"),
    Case("ZRATING = 40000 WHERE Z_PK = 1", 2, "rating", .outOfRange, "an integer of 16 bits"),
    Case("ZRATING = -32769 WHERE Z_PK = 1", 2, "rating", .outOfRange, "an integer of 16 bits"),
    Case("ZFLAG = 2 WHERE Z_PK = 1", 2, "flag", .outOfRange, "a Boolean"),
    Case("ZFLAG = 'yes' WHERE Z_PK = 1", 2, "flag", .wrongKind, "a Boolean"),
    Case("ZCREATED = 'now' WHERE Z_PK = 1", 2, "created", .wrongKind, "a date"),
    Case("ZRATIO = x'00' WHERE Z_PK = 1", 2, "ratio", .wrongKind, "a number"),
    Case("ZPRICE = 'ten' WHERE Z_PK = 1", 2, "price", .wrongKind, "a decimal"),
    Case("ZPRICE = 1e300 WHERE Z_PK = 1", 2, "price", .outOfRange, "a decimal"),
    Case("ZPRICE = 9e999 WHERE Z_PK = 1", 2, "price", .outOfRange, "a decimal"),
    Case("ZTITLE = x'41' WHERE Z_PK = 1", 2, "title", .wrongKind, "text"),
    Case(
      "ZTITLE = CAST(x'41FF' AS TEXT) WHERE Z_PK = 1", 2, "title", .wrongKind, "text in UTF-8"),
    Case("ZLINK = x'41' WHERE Z_PK = 1", 2, "link", .wrongKind, "text"),
    Case("ZCODE = x'41' WHERE Z_PK = 1", 2, "code", .wrongKind, "a UUID"),
    Case("ZEXTRA = 'text' WHERE Z_PK = 1", 2, "extra", .wrongKind, "data"),
    Case(
      "ZPHOTO = CAST(x'02' || '00000000-0000-0000-0000-000000000000' AS BLOB) WHERE Z_PK = 1", 2,
      "photo", .unreadable,
      "the external file 00000000-0000-0000-0000-000000000000 is missing in "
        + ".store_SUPPORT/_EXTERNAL_DATA"),
  ]

  @Test("has its error at the object and the key", arguments: cases)
  func value(item: Case) throws {
    let maker = try StoreMaker.sample()
    try maker.edit("UPDATE ZITEM SET \(item.change);")
    let expected = item.error
    let source = try maker.open()
    let graph = source.makeGraph(GraphOptions())
    let object = try graph.object(item.uid)
    let position = try #require(graph.position(of: item.key, in: object))
    #expect(throws: expected) { try graph.value(of: object, at: position) }
    var values: [GraphValue] = []
    #expect(throws: expected) { try graph.read(object, into: &values) }
    #expect(checkGraph(source) == [])
  }

  @Test("is salvaged: what cannot be read is nil, and listed", arguments: cases)
  func salvaged(item: Case) throws {
    let maker = try StoreMaker.sample()
    try maker.edit("UPDATE ZITEM SET \(item.change);")
    let source = try maker.open(salvages: true)
    #expect(source.losses.first == item.error)
    let graph = source.makeGraph(GraphOptions())
    let object = try graph.object(item.uid)
    let position = try #require(graph.position(of: item.key, in: object))
    guard case .null = try graph.value(of: object, at: position) else {
      Issue.record("the value is not nil")
      return
    }
    #expect(checkGraph(source) == [])
  }

  @Test("has the error of a link at its element")
  func links() throws {
    let maker = try StoreMaker.sample()
    try maker.edit("UPDATE Z_3TAGS SET Z_5TAGS = 77 WHERE Z_3NOTES = 5;")
    let text = StoreTranscript(try maker.open()).text
    #expect(text.contains("tags=refers to object Tag 77, which does not exist"))
    let source = try maker.open(salvages: true)
    #expect(
      source.losses == [
        ArchiveError(.danglingReference, at: .record("Note 5", property: "tags"), name: "Tag 77")
      ])
    #expect(StoreTranscript(source).text.contains("title=\"Far\" folder=Folder 2 tags={}"))
  }

  @Test("counts all losses, and lists the first")
  func manyLosses() throws {
    let maker = try StoreMaker.sample()
    try maker.edit(
      """
      WITH RECURSIVE n(i) AS (VALUES (10) UNION ALL SELECT i + 1 FROM n WHERE i < 12009)
        INSERT INTO ZITEM (Z_PK, Z_ENT, ZFOLDER) SELECT i, 3, 9 FROM n;
      """)
    let source = try maker.open(salvages: true)
    #expect(source.lossCount == 12_000)
    #expect(source.losses.count == 10_000)
    #expect(
      source.losses.last
        == ArchiveError(
          .danglingReference, at: .record("Note 10009", property: "folder"), name: "Folder 9"))
  }

  @Test(
    "counts values in columns that the entity of the row has no property for",
    arguments: [
      ("UPDATE ZITEM SET ZPART = 3, Z_FOK_FOLDER = 1 WHERE Z_ENT = 3;", ["Note.ZPART": 3]),
      (
        "UPDATE ZITEM SET ZFLAG = 0, ZPHOTO = x'' WHERE Z_PK IN (4, 6);",
        ["Task.ZFLAG": 2, "Task.ZPHOTO": 2]
      ),
      ("UPDATE ZFOLDER SET Z_OPT = 9;", [:]),
    ])
  func foreignColumns(change: String, expected: [String: Int]) throws {
    let maker = try StoreMaker.sample()
    #expect(try maker.open().unreadKeys == [:])
    try maker.edit(change)
    let found = try maker.open().unreadKeys.map { ("\($0.owner).\($0.key)", $1) }
    #expect(Dictionary(uniqueKeysWithValues: found) == expected)
  }

  @Test("follows no symbolic link to data beside it")
  func symbolicLink() throws {
    let maker = try StoreMaker()
    let folder = "\(maker.folder.path)/.store_SUPPORT/_EXTERNAL_DATA"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try maker.folder.write("secret", to: "other")
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/\(StoreMaker.photoName)",
      withDestinationPath: "\(maker.folder.path)/other")
    #expect(StoreTranscript(try maker.open()).text.contains("is not a regular file"))
  }

  @Test(
    "follows no symbolic link to the folder of its data",
    arguments: [".store_SUPPORT", ".store_SUPPORT/_EXTERNAL_DATA"])
  func linkedFolder(link: String) throws {
    let maker = try StoreMaker.sample()
    let manager = FileManager.default
    try manager.moveItem(
      atPath: maker.folder.file(named: link), toPath: maker.folder.file(named: "elsewhere"))
    try manager.createSymbolicLink(
      atPath: maker.folder.file(named: link),
      withDestinationPath: maker.folder.file(named: "elsewhere"))
    let error = Self.photoError(
      "is not read: \(link.split(separator: "/").last ?? "") is a symbolic link")
    let source = try maker.open()
    let graph = source.makeGraph(GraphOptions())
    let note = try graph.object(6)
    let photo = try #require(graph.position(of: "photo", in: note))
    #expect(throws: error) { try graph.value(of: note, at: photo) }
    #expect(try maker.open(salvages: true).losses == [error])
  }

  @Test("has an error with the object and the folder for data that is missing, or far too large")
  func photo() throws {
    let maker = try StoreMaker.sample()
    let file = ".store_SUPPORT/_EXTERNAL_DATA/\(StoreMaker.photoName)"
    let size = 1_100_000_000
    try #require(truncate(maker.folder.file(named: file), off_t(size)) == 0)
    let large = "is too large: it has \(size) bytes, and at most 998951424 are read"
    #expect(try maker.open(salvages: true).losses == [Self.photoError(large)])
    try FileManager.default.moveItem(
      atPath: maker.folder.file(named: ".store_SUPPORT"),
      toPath: maker.folder.file(named: ".old_SUPPORT"))
    let missing = "is missing in .store_SUPPORT/_EXTERNAL_DATA"
    #expect(try maker.open(salvages: true).losses == [Self.photoError(missing)])
  }

  @Test(
    "has an error with the system's words for data in a folder that cannot be read",
    .enabled(if: geteuid() != 0, "root may read everything"))
  func lockedFolder() throws {
    let maker = try StoreMaker.sample()
    let folder = maker.folder.file(named: ".store_SUPPORT")
    chmod(folder, 0)
    defer { chmod(folder, 0o700) }
    let words = "in .store_SUPPORT/_EXTERNAL_DATA cannot be read: Permission denied"
    #expect(try maker.open(salvages: true).losses == [Self.photoError(words)])
  }

  /// What is wrong with the photo that is in a file.
  private static func photoError(_ words: String) -> ArchiveError {
    ArchiveError(
      .unreadable, at: .record("Note 5", property: "photo"),
      name: "the external file \(StoreMaker.photoName) \(words)")
  }

  @Test("keeps data that names no file")
  func plainData() throws {
    let maker = try StoreMaker.sample()
    try maker.edit("UPDATE ZITEM SET ZPHOTO = x'0241' WHERE Z_PK = 1;")
    try maker.edit("UPDATE ZITEM SET ZPHOTO = x'' WHERE Z_PK = 2;")
    let text = StoreTranscript(try maker.open()).text
    #expect(text.contains("photo=2 bytes price=10.11"))
    #expect(text.contains("photo=0 bytes price=7"))
  }

  @Test("leaves out rows of no entity where it is salvaged")
  func unknownEntity() throws {
    let maker = try StoreMaker.sample()
    try maker.edit("UPDATE ZITEM SET Z_ENT = 5 WHERE Z_PK = 2;")
    let source = try maker.open(salvages: true)
    #expect(source.objectCount == 10)
    #expect(
      source.losses == [
        ArchiveError(
          .unreadable,
          name: "row 2 of ZITEM has the number 5, which no entity of the table has"),
        ArchiveError(
          .danglingReference, at: .record("Folder 1", property: "items"), name: "Item 2"),
      ])
    #expect(checkGraph(source) == [])
    #expect(StoreTranscript(source).text.contains("name=\"Home\" items=[Note 1, Task 3]"))
  }

  /// Rows and links on many pages, so that tables and indexes are trees.
  private static let manyRows = """
    WITH RECURSIVE n(i) AS (VALUES (10) UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    INSERT INTO ZITEM (Z_PK, Z_ENT, ZTITLE, ZPART) SELECT i, 4, hex(i * 99999999), i / 9 FROM n;
    UPDATE ZITEM SET ZPART = NULL WHERE ZPART < 10;
    """

  @Test(
    "ends in an error or is read, whatever bytes are changed", arguments: [false, true],
    ["", manyRows])
  func mutations(salvages: Bool, sql: String) throws {
    let maker = try StoreMaker.sample()
    try maker.edit(sql)
    let sound = try Data(contentsOf: URL(fileURLWithPath: maker.path))
    var generator = SeededGenerator(seed: 5)
    let usual = sql.isEmpty ? 120 : 20
    for _ in 0..<MutationCount.perFile(usual: usual, share: sql.isEmpty ? 1 : 0.1) {
      try maker.folder.write(
        Self.mutated(sound, using: &generator), to: "store.sqlite")
      guard let source = try? maker.open(salvages: salvages) else { continue }
      #expect(checkGraph(source) == [])
    }
  }

  /// The bytes of a store with some of them changed, and at times cut off.
  private static func mutated(_ sound: Data, using generator: inout SeededGenerator) -> Data {
    var bytes = sound
    if Int.random(in: 0..<8, using: &generator) == 0 {
      bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &generator))
    }
    for _ in 0..<Int.random(in: 1...24, using: &generator) where !bytes.isEmpty {
      // The heads of pages, which are 4,096 bytes, say most.
      let page = Int.random(in: 0...(bytes.count - 1) / 4_096, using: &generator) * 4_096
      let range = Bool.random(using: &generator) ? 48 : 4_096
      let offset = page + Int.random(in: 0..<range, using: &generator)
      guard offset < bytes.count else { continue }
      bytes[offset] = UInt8.random(in: .min ... .max, using: &generator)
    }
    return bytes
  }
}
