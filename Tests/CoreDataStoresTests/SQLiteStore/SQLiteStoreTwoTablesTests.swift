import CoreDataStores
import DataModel
import GraphCore
import GraphTesting
import TestSupport
import Testing

@Suite("A relationship between objects of one entity, of which a store has two tables")
struct SQLiteStoreTwoTablesTests {
  private static func note(_ wider: Int, _ narrower: Int) -> StoreNote {
    func words(_ count: Int) -> String { count == 1 ? "1 link" : "\(count) links" }
    return StoreNote(
      .otherLinks, name: "Z_5WIDER (\(words(wider))) and Z_5NARROWER (\(words(narrower)))")
  }

  @Test(
    "has the links of both, and the difference is noted",
    arguments: [
      ("DELETE FROM Z_5WIDER", note(0, 2)), ("DELETE FROM Z_5NARROWER", note(2, 0)),
      ("DELETE FROM Z_5NARROWER WHERE Z_5NARROWER = 1", note(2, 1)),
      (
        "DELETE FROM Z_5NARROWER WHERE Z_5NARROWER = 1; DELETE FROM Z_5WIDER WHERE Z_5NARROWER = 2",
        note(1, 1)
      ),
    ])
  func union(_ change: String, _ note: StoreNote) throws {
    let maker = try StoreMaker.sample()
    try maker.edit("\(change);")
    for salvages in [false, true] {
      let source = try maker.open(salvages: salvages)
      #expect(StoreTranscript(source).text == StoreMaker.transcript)
      #expect(source.notes == [note])
      #expect(source.losses == [])
      #expect(checkGraph(source, after: try maker.open()) == [])
    }
  }

  @Test("has the links of the one table that the store has")
  func oneTable() throws {
    for name in ["Z_5WIDER", "Z_5NARROWER"] {
      let maker = try StoreMaker.sample()
      try maker.edit("DROP TABLE \(name);")
      let source = try maker.open()
      #expect(StoreTranscript(source).text == StoreMaker.transcript)
      #expect(source.notes == [])
    }
  }

  @Test("lacks the links that one table still has of objects that were deleted")
  func deletedObjects() throws {
    let maker = try StoreMaker.sample()
    try maker.edit(
      """
      INSERT INTO Z_5WIDER (Z_5NARROWER, Z_5WIDER) VALUES (1, 9), (8, 9), (9, 1);
      """)
    let source = try maker.open()
    #expect(StoreTranscript(source).text == StoreMaker.transcript)
    #expect(source.notes == [Self.note(5, 2)])
  }

  @Test("has its error where both tables lead to nothing, or one holds what is no key")
  func damage() throws {
    let maker = try StoreMaker.sample()
    try maker.edit(
      """
      INSERT INTO Z_5WIDER (Z_5NARROWER, Z_5WIDER) VALUES (1, 9), (1, 2);
      INSERT INTO Z_5NARROWER (Z_5NARROWER, Z_5WIDER) VALUES (1, 9);
      """)
    let text = StoreTranscript(try maker.open()).text
    #expect(text.contains("wider=refers to object Tag 9, which does not exist"))
    try maker.edit(
      """
      DELETE FROM Z_5WIDER WHERE Z_5WIDER = 9; DELETE FROM Z_5NARROWER WHERE Z_5WIDER = 9;
      INSERT INTO Z_5NARROWER (Z_5NARROWER, Z_5WIDER) VALUES ('x', 1);
      """)
    let error = #expect(throws: ModelError.self) { try maker.open() }
    #expect(error?.code == .damagedTable)
  }

  @Test("keeps the order that the first table has, and then that of the other")
  func order() throws {
    let model = Model(
      entities: [
        Entity(
          name: "Stop",
          relationships: [
            Relationship(
              name: "next", destinations: ["Stop"], isToMany: true, isOrdered: true,
              inverse: "previous"),
            Relationship(
              name: "previous", destinations: ["Stop"], isToMany: true, inverse: "next"),
          ])
      ])
    let maker = try StoreMaker(
      model,
      """
      INSERT INTO ZSTOP (Z_PK, Z_ENT) VALUES (1, 1), (2, 1), (3, 1), (4, 1);
      INSERT INTO Z_1PREVIOUS (Z_1PREVIOUS, Z_1NEXT, Z_FOK_1NEXT) VALUES (1, 3, 2048), (1, 2, 4096);
      INSERT INTO Z_1NEXT (Z_1PREVIOUS, Z_1NEXT, Z_FOK_1NEXT) VALUES (1, 2, 2048), (1, 3, 4096),
        (1, 4, 3072);
      """)
    let text = StoreTranscript(try maker.open(model)).text
    #expect(text.hasPrefix("0 Stop 1: next=[Stop 3, Stop 4, Stop 2]"))
    // The links are the same, their places are not.
    try maker.edit("DELETE FROM Z_1NEXT WHERE Z_1NEXT = 4;")
    let source = try maker.open(model)
    #expect(StoreTranscript(source).text.hasPrefix("0 Stop 1: next=[Stop 3, Stop 2]"))
    #expect(source.notes.map(\.code) == [.otherLinks])
  }
}
