import CoreDataStores
import DataModel
import Foundation
import GraphCore
import GraphTesting
import TestSupport
import Testing

@Suite("The rows of a damaged table")
struct SalvagedRowsTests {
  /// A sample whose tags are in a table that gives their keys no order, and can have them twice.
  private static func tags(_ rows: String) throws -> StoreMaker {
    let maker = try StoreMaker.sample()
    try maker.edit(
      """
      DROP TABLE ZTAG;
      CREATE TABLE ZTAG (Z_PK INTEGER, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
      INSERT INTO ZTAG (Z_PK, Z_ENT, ZNAME) VALUES \(rows);
      """)
    return maker
  }

  private static func lost(_ words: String...) -> [ArchiveError] {
    words.map { ArchiveError(.unreadable, name: $0) }
  }

  @Test("are read by their keys where these are not their IDs")
  func otherKeys() throws {
    let maker = try Self.tags("(3, 5, 'colour'), (1, 5, 'red'), (2, 5, 'blue')")
    #expect(throws: ModelError.self) { try maker.open() }
    let source = try maker.open(salvages: true)
    #expect(source.losses == [])
    #expect(StoreTranscript(source).text == StoreMaker.transcript)
    #expect(checkGraph(source) == [])
  }

  @Test("are all read but for one whose key another has")
  func repeatedKey() throws {
    let maker = try Self.tags(
      "(1, 5, 'red'), (1, 5, 'pink'), (2, 5, 'blue'), (NULL, 5, 'grey'), (3, 5, 'colour')")
    let source = try maker.open(salvages: true)
    #expect(
      source.losses
        == Self.lost(
          "row 4 of ZTAG: it has no key", "row 2 of ZTAG: another row has its key 1, too"))
    #expect(StoreTranscript(source).text == StoreMaker.transcript)
    #expect(checkGraph(source) == [])
  }

  /// A store with 2,000 rows in a table, of which a page between the first and the last is damaged.
  private static func storeWithDamagedPage(
    _ insertion: String, _ mark: String
  ) throws -> StoreMaker {
    let maker = try StoreMaker.sample()
    try maker.edit(
      """
      WITH RECURSIVE n(i) AS (VALUES (10) UNION ALL SELECT i + 1 FROM n WHERE i < 2009)
        \(insertion) FROM n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 2009 WHERE Z_MAX > 2;
      """)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: maker.path))
    let found = try #require(bytes.firstRange(of: Data(mark.utf8)))
    let page = found.lowerBound / 4_096 * 4_096
    // The kind of page: a leaf of a table, which becomes none.
    #expect(bytes[page] == 13)
    bytes[page] = 0
    try maker.folder.write(bytes, to: "store.sqlite")
    return maker
  }

  @Test("are read up to a damaged page and after it, and the rest is named by the keys around it")
  func damagedPage() throws {
    let maker = try Self.storeWithDamagedPage(
      "INSERT INTO ZTAG (Z_PK, Z_ENT, ZNAME) SELECT i, 5, 'tag ' || i", "tag 1000")
    #expect(throws: ModelError.self) { try maker.open() }
    let source = try maker.open(salvages: true)
    let words = try #require(source.losses.first?.name)
    let match = try #require(
      try /the rows (\d+) to (\d+) of ZTAG, as far as there are such: (.*)/.wholeMatch(in: words))
    #expect(match.3 == "database disk image is malformed")
    let range = try #require(Int(match.1))...#require(Int(match.2))
    #expect(range.contains(1_000) && range.count < 500)
    let names = StoreTranscript(source).text.split(separator: "\n")
    for key in 10...2_009 where !range.contains(key) {
      #expect(names.contains { $0.contains(" Tag \(key): name=\"tag \(key)\"") })
    }
    #expect(names.count { $0.contains("name=\"tag ") } == 2_000 - range.count)
    #expect(checkGraph(source) == [])
  }

  @Test("are named one by one where an index tells which there are")
  func index() throws {
    let maker = try Self.storeWithDamagedPage(
      "INSERT INTO ZITEM (Z_PK, Z_ENT, ZTITLE) SELECT 2 * i, 3, 'note ' || i", "note 1000")
    let source = try maker.open(salvages: true)
    let rows = source.losses.compactMap(\.name).filter { $0.hasPrefix("row ") }
    #expect(source.objectCount + rows.count == 2_011)
    #expect(rows.count > 10)
    #expect(
      source.losses.contains(
        ArchiveError(
          .unreadable, name: "row 2000 of ZITEM: database disk image is malformed")))
  }
}
