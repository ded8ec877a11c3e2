import CoreDataStores
import DataModel
import Foundation
import GraphCore
import GraphTesting
import TestSupport
import Testing

@Suite("An SQLite store")
struct SQLiteStoreReadingTests {
  @Test("gives each row as an object with all properties of its entity")
  func objects() throws {
    let maker = try StoreMaker.sample()
    let source = try maker.open()
    #expect(StoreTranscript(source).text == StoreMaker.transcript)
    #expect(source.notes == [])
    #expect(source.leftOut == [])
    #expect(source.objectCount == 11)
    #expect(source.holdsEveryObject && !source.keepsBytes && source.roots.isEmpty)
    #expect(source.format == .sqliteStore)
    #expect(source.archiver == "Core Data" && source.version == 1344)
    try source.check()
  }

  @Test("keeps the laws of object graphs")
  func laws() throws {
    let maker = try StoreMaker.sample()
    let source = try maker.open()
    #expect(checkGraph(source, after: try maker.open()) == [])
  }

  @Test("is read by several threads, each with a graph of its own")
  func threads() async throws {
    let maker = try StoreMaker.sample()
    let source = try maker.open()
    let texts = await withTaskGroup(of: String.self) { group in
      for _ in 0..<8 { group.addTask { StoreTranscript(source).text } }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(texts == [StoreMaker.transcript])
  }

  @Test("has the entities as classes, under their superentities")
  func classes() throws {
    let maker = try StoreMaker.sample()
    let graph = try maker.open().makeGraph(GraphOptions())
    let object = try graph.object(2)
    #expect(graph.classRecord(of: object).hierarchy == ["Note", "Item", "NSManagedObject"])
    #expect(graph.metClasses.map { graph.classes[$0.index].name } == ["Note"])
  }

  @Test("gives a reference without a look at the row that it leads to")
  func references() throws {
    let maker = try StoreMaker.sample()
    let graph = try maker.open().makeGraph(GraphOptions())
    let task = try graph.object(5)
    let part = try #require(graph.position(of: "part", in: task))
    #expect(graph.reference(of: task, at: part) == 4)
    let title = try #require(graph.position(of: "title", in: task))
    #expect(graph.reference(of: task, at: title) == nil)
  }

  @Test("is read by its own numbers, whatever the model would give")
  func numbers() throws {
    // As if another root had been there when the store was made.
    let maker = try StoreMaker.sample()
    try maker.edit(
      """
      UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 40;
      UPDATE ZFOLDER SET Z_ENT = Z_ENT + 40; UPDATE ZTAG SET Z_ENT = Z_ENT + 40;
      UPDATE ZITEM SET Z_ENT = Z_ENT + 40;
      ALTER TABLE Z_3TAGS RENAME TO Z_43TAGS; ALTER TABLE Z_43TAGS RENAME Z_3NOTES TO Z_43NOTES;
      ALTER TABLE Z_43TAGS RENAME Z_5TAGS TO Z_45TAGS;
      DROP TABLE Z_5NARROWER; ALTER TABLE Z_5WIDER RENAME TO Z_45WIDER;
      ALTER TABLE Z_45WIDER RENAME Z_5NARROWER TO Z_45NARROWER;
      ALTER TABLE Z_45WIDER RENAME Z_5WIDER TO Z_45WIDER;
      """)
    #expect(StoreTranscript(try maker.open()).text == StoreMaker.transcript)
  }

  @Test("is read alike whichever order its columns have, and without indexes")
  func columnOrder() throws {
    let maker = try StoreMaker.sample()
    try maker.edit(
      """
      CREATE TABLE other (Z_ENT INTEGER, Z_PK INTEGER PRIMARY KEY, Z_OPT INTEGER, ZNAME VARCHAR);
      INSERT INTO other SELECT Z_ENT, Z_PK, Z_OPT, ZNAME FROM ZTAG; DROP TABLE ZTAG;
      ALTER TABLE other RENAME TO ZTAG;
      CREATE TABLE joins (Z_5TAGS INTEGER, Z_3NOTES INTEGER);
      INSERT INTO joins SELECT Z_5TAGS, Z_3NOTES FROM Z_3TAGS ORDER BY rowid DESC;
      DROP TABLE Z_3TAGS; ALTER TABLE joins RENAME TO Z_3TAGS;
      DROP INDEX ZITEM_ZFOLDER_INDEX; DROP INDEX ZITEM_ZPART_INDEX;
      """)
    #expect(StoreTranscript(try maker.open()).text == StoreMaker.transcript)
  }

  @Test("gives the members of a relationship that has no inverse")
  func unpaired() throws {
    let model = Model(
      entities: [
        Entity(
          name: "Album",
          relationships: [Relationship(name: "songs", destinations: ["Song"], isToMany: true)]),
        Entity(name: "Song", attributes: [Attribute(name: "name", type: .string)]),
      ])
    let maker = try StoreMaker(
      model,
      """
      INSERT INTO ZALBUM (Z_PK, Z_ENT) VALUES (1, 1), (2, 1);
      INSERT INTO ZSONG (Z_PK, Z_ENT, Z1SONGS, ZNAME) VALUES (1, 2, 2, 'a'), (2, 2, NULL, 'b'),
        (3, 2, 2, 'c');
      """)
    #expect(
      StoreTranscript(try maker.open(model)).text == """
        0 Album 1: songs={}
        1 Album 2: songs={Song 1, Song 3}
        2 Song 1: name="a"
        3 Song 2: name="b"
        4 Song 3: name="c"
        """)
  }

  @Test("follows many links, read in order and at random, among keys with gaps")
  func manyLinks() throws {
    let maker = try StoreMaker(
      StoreMaker.model,
      """
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO ZITEM (Z_PK, Z_ENT, ZPART) SELECT i * 3, 4, i / 10 * 3 FROM n;
      UPDATE ZITEM SET ZPART = NULL WHERE ZPART = 0;
      """)
    let source = try maker.open()
    let graph = source.makeGraph(GraphOptions())
    func parts(_ uid: Int) throws -> [Int64] {
      let object = try graph.object(uid)
      let position = try #require(graph.position(of: "parts", in: object))
      guard case .collection(let id, let kind) = try graph.value(of: object, at: position) else {
        return []
      }
      let elements = try graph.elements(of: id, kind)
      return try (0..<elements.count).compactMap { place in
        guard case .object(let uid, _) = try graph.value(of: elements, at: place) else {
          return nil
        }
        return source.storeKey(ofObject: uid)?.key
      }
    }
    func expected(_ uid: Int) -> [Int64] {
      let first = Int64(uid + 1) * 10
      return first > 20_000 ? [] : (first..<min(first + 10, 20_001)).map { $0 * 3 }
    }
    for uid in 0..<source.objectCount { #expect(try parts(uid) == expected(uid)) }
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<2_000 {
      let uid = Int.random(in: 0..<source.objectCount, using: &generator)
      #expect(try parts(uid) == expected(uid))
    }
  }

  @Test(
    "has members with the same place in the order of their keys, and notes it",
    arguments: ["3072", "NULL", "'x'"])
  func sharedPlaces(place: String) throws {
    let maker = try StoreMaker.sample()
    try maker.edit("UPDATE ZITEM SET Z_FOK_FOLDER = \(place) WHERE Z_PK IN (1, 2);")
    let source = try maker.open()
    #expect(StoreTranscript(source).text.contains("items=[Note 1, Note 2, Task 3]"))
    #expect(source.notes == [StoreNote(.sharedPlaces, name: "ZITEM.Z_FOK_FOLDER")])
  }

  @Test("lists what belongs to no entity")
  func remainder() throws {
    let maker = try StoreMaker.sample()
    try maker.edit(
      """
      CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY); INSERT INTO ACHANGE VALUES (1), (2);
      CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY); INSERT INTO ANSCKEVENT VALUES (1);
      CREATE TABLE ZOLD (Z_PK INTEGER PRIMARY KEY); CREATE VIEW ZVIEW AS SELECT 1;
      ALTER TABLE ZTAG ADD COLUMN ZOLD VARCHAR; UPDATE ZTAG SET ZOLD = 'x' WHERE Z_PK = 1;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_NAME = 'Tag';
      """)
    try maker.folder.write([], to: "store.sqlite-shm")
    let source = try maker.open()
    #expect(
      source.leftOut == [
        StoreRemainder(.history, name: "ACHANGE", rows: 2),
        StoreRemainder(.cloud, name: "ANSCKEVENT", rows: 1),
        StoreRemainder(.table, name: "ZOLD", rows: 0),
      ])
    #expect(
      source.notes == [
        StoreNote(.missingLog), StoreNote(.surplusColumn, name: "ZTAG.ZOLD"),
        StoreNote(.keysBeyondRows, name: "ZTAG"),
      ])
    #expect(source.unreadKeys == [UnreadKey(owner: "ZTAG", key: "ZOLD"): 1])
  }

  @Test("keeps the bytes of the objects that were read last")
  func bytes() throws {
    // Rows with texts of many sizes: in blocks, alone, in files, and beyond what SQLite may hold.
    let sizes = [0, 1, 100, 9_000, 40_000, 2_000_000]
    let model = Model(
      entities: [Entity(name: "Page", attributes: [Attribute(name: "text", type: .string)])])
    let count = 3_000
    let maker = try StoreMaker(
      model,
      """
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO ZPAGE SELECT i, 1, 1, printf('%.*c', CASE
          WHEN i % 1000 = 7 THEN \(sizes[5]) WHEN i % 100 = 7 THEN \(sizes[4])
          WHEN i % 20 = 7 THEN \(sizes[3]) WHEN i % 3 = 0 THEN \(sizes[2]) ELSE i % 2 END,
        char(65 + i % 26)) FROM n;
      """)
    let graph = try maker.open(model).makeGraph(GraphOptions())
    var atHand: [(uid: Int, text: BorrowedText)] = []
    func read(_ uid: Int) throws {
      let object = try graph.object(uid)
      guard case .text(let text) = try graph.value(of: object, at: 0) else {
        Issue.record("object \(uid) has no text")
        return
      }
      atHand.append((uid, text))
      if atHand.count > GraphValue.objectsAtHand { atHand.removeFirst() }
    }
    func isRight(_ uid: Int, _ text: BorrowedText) -> Bool {
      let key = uid + 1
      let size =
        key % 1000 == 7
        ? sizes[5]
        : key % 100 == 7 ? sizes[4] : key % 20 == 7 ? sizes[3] : key % 3 == 0 ? sizes[2] : key % 2
      // SQLite's printf writes one character at least.
      return text.bytes.count == max(1, size)
        && text.bytes.buffer.allSatisfy { $0 == UInt8(65 + key % 26) }
    }
    for uid in 0..<count {
      try read(uid)
      if uid % 500 == 499 { #expect(atHand.allSatisfy(isRight)) }
    }
    atHand = []
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<3_000 { try read(Int.random(in: 0..<count, using: &generator)) }
    #expect(atHand.allSatisfy(isRight))
  }
}
