import CoreDataStores
import DataModel
import Foundation
import GraphCore
import GraphTesting
import TestSupport
import Testing

@Suite("Damage in one place of an SQLite store")
struct SQLiteStoreIsolationTests {
  // MARK: Links

  /// Links that none of the objects would be asked for.
  static let strayLinks = [
    "INSERT INTO Z_3TAGS (Z_3NOTES, Z_5TAGS) VALUES (1.5, 1);",
    "INSERT INTO Z_3TAGS (Z_3NOTES, Z_5TAGS) VALUES ('x', 1);",
    "INSERT INTO Z_3TAGS (Z_3NOTES, Z_5TAGS) VALUES (x'01', 1);",
    "INSERT INTO Z_3TAGS (Z_3NOTES, Z_5TAGS) VALUES (NULL, 1);",
    "INSERT INTO Z_3TAGS (Z_3NOTES, Z_5TAGS) VALUES (77, 78);",
  ]

  @Test("is an error where links belong to no object", arguments: strayLinks)
  func strayLink(sql: String) throws {
    let maker = try StoreMaker.sample()
    try maker.edit(sql)
    let words = "Z_3TAGS: it has links of objects that are not there"
    #expect(throws: ModelError(.damagedTable, path: maker.path, name: words)) { try maker.open() }
    let source = try maker.open(salvages: true)
    #expect(source.losses.first == ArchiveError(.unreadable, name: words))
    #expect(StoreTranscript(source).text == StoreMaker.transcript)
  }

  @Test("is an error where a relationship without an inverse has no object")
  func strayMember() throws {
    var model = StoreMaker.model
    model.entities[0].relationships.append(
      Relationship(name: "pinned", destinations: ["Tag"], isToMany: true))
    let maker = try StoreMaker(model, StoreMaker.rows + "UPDATE ZTAG SET Z1PINNED = 1;")
    #expect(StoreTranscript(try maker.open(model)).text.contains("pinned={Tag 1, Tag 2, Tag 3}"))
    try maker.edit("UPDATE ZTAG SET Z1PINNED = 9 WHERE Z_PK = 2;")
    let words = "ZTAG: it has links of objects that are not there"
    #expect(throws: ModelError(.damagedTable, path: maker.path, name: words)) {
      try maker.open(model)
    }
    let losses = try maker.open(model, salvages: true).losses
    #expect(losses.first == ArchiveError(.unreadable, name: words))
  }

  /// A join table whose links are in no order and may be there twice, of notes 1 to 40.
  private static func looseLinks(_ sql: String) throws -> StoreMaker {
    let maker = try StoreMaker.sample()
    try maker.edit(
      """
      WITH RECURSIVE n(i) AS (VALUES (10) UNION ALL SELECT i + 1 FROM n WHERE i < 40)
        INSERT INTO ZITEM (Z_PK, Z_ENT) SELECT i, 3 FROM n;
      DROP TABLE Z_3TAGS;
      CREATE TABLE Z_3TAGS (Z_3NOTES INTEGER, Z_5TAGS INTEGER);
      INSERT INTO Z_3TAGS SELECT Z_PK, 1 FROM ZITEM WHERE Z_ENT = 3;
      \(sql)
      """)
    return maker
  }

  @Test(
    "leaves the links of other objects as they are",
    arguments: ["", "CREATE INDEX links ON Z_3TAGS (Z_3NOTES);"])
  func links(index: String) throws {
    let other = try Self.looseLinks(index)
    let sound = StoreTranscript(try other.open()).text.split(separator: "\n")
    let maker = try Self.looseLinks(index + "INSERT INTO Z_3TAGS VALUES (20, 1);")
    let source = try maker.open(salvages: true)
    // The link that is there twice is kept once.
    #expect(StoreTranscript(source).text.split(separator: "\n") == sound)
    let words = "the links in Z_3TAGS are damaged"
    #expect(
      source.losses == [
        ArchiveError(.unreadable, at: .record("Note 20", property: "tags"), name: words),
        ArchiveError(.unreadable, at: .record("Tag 1", property: "notes"), name: words),
      ])
    // Objects are read the same way in another order.
    let graph = source.makeGraph(GraphOptions())
    var count = 0
    for uid in (0..<source.objectCount).reversed() {
      let object = try graph.object(uid)
      guard let position = graph.position(of: "tags", in: object),
        case .collection(let id, let kind) = try graph.value(of: object, at: position)
      else { continue }
      count += try graph.elements(of: id, kind).count
    }
    #expect(count == 34)
  }

  @Test(
    "takes no links away where it is in an index",
    arguments: ["ZITEM_ZFOLDER_INDEX", "sqlite_autoindex_Z_3TAGS_1"], [false, true])
  func index(name: String, salvages: Bool) throws {
    let maker = try StoreMaker.sample()
    try maker.edit(
      """
      CREATE INDEX other ON ZTAG (Z_OPT) WHERE Z_OPT > 5;
      UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'other')
        WHERE name = '\(name)';
      """)
    let source = try maker.open(salvages: salvages)
    #expect(StoreTranscript(source).text == StoreMaker.transcript)
    #expect(source.notes == [StoreNote(.otherIndex, name: name)])
    #expect(source.losses == [])
  }

  // MARK: Rows

  /// Many notes with long bodies, of which that of note 30 ends on a page that is not there.
  private static func storeWithBrokenPage() throws -> StoreMaker {
    let maker = try StoreMaker.sample()
    try maker.edit(
      """
      WITH RECURSIVE n(i) AS (VALUES (10) UNION ALL SELECT i + 1 FROM n WHERE i < 60)
        INSERT INTO ZITEM (Z_PK, Z_ENT, ZBODY)
          SELECT i, 3, replace(hex(zeroblob(6000)), '0', char(i + 55)) FROM n;
      """)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: maker.path))
    // A page that a value goes on in: the number of the next such page, then its bytes.
    let letters = Data(repeating: 30 + 55, count: 4_092)
    let found = try #require(bytes.firstRange(of: letters))
    let page = found.lowerBound / 4_096 * 4_096
    #expect(found.lowerBound == page + 4)
    bytes.replaceSubrange(page..<page + 4, with: [0x7F, 0xFF, 0xFF, 0xFF])
    try maker.folder.write(bytes, to: "store.sqlite")
    return maker
  }

  @Test("leaves the rows around a broken one as they are")
  func brokenPage() throws {
    let maker = try Self.storeWithBrokenPage()
    let source = try maker.open(salvages: true)
    let words = "database disk image is malformed"
    #expect(
      source.losses == [
        ArchiveError(.unreadable, at: .record("Note 30", property: nil), name: words)
      ])
    let lines = StoreTranscript(source).text.split(separator: "\n")
    #expect(lines.filter { $0.contains("body=nil") && $0.contains("Note ") }.count == 2)
    #expect(lines[28].hasPrefix("28 Note 30: body=nil"))
    #expect(checkGraph(source) == [])
  }

  @Test("has its error at the row that it is in")
  func error() throws {
    let maker = try Self.storeWithBrokenPage()
    let source = try maker.open()
    let graph = source.makeGraph(GraphOptions())
    var values: [GraphValue] = []
    for uid in 0..<28 { try graph.read(try graph.object(uid), into: &values) }
    #expect(throws: ArchiveError.self) { try graph.read(try graph.object(28), into: &values) }
    for uid in 29..<source.objectCount { try graph.read(try graph.object(uid), into: &values) }
  }
}
