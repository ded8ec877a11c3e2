import DataModel
import Foundation
import TestSupport
import Testing

@testable import CoreDataStores

@Suite("The entities of an SQLite store")
struct StoredEntityTests {
  // MARK: Tables of one entity

  @Test(
    "have no need of their number where they have a table of their own",
    arguments: [
      (
        """
        UPDATE ZTAG SET Z_ENT = NULL WHERE Z_PK = 1; UPDATE ZTAG SET Z_ENT = 99 WHERE Z_PK = 2;
        UPDATE ZFOLDER SET Z_ENT = 'x' WHERE Z_PK = 1;
        """, ["1 row of ZFOLDER", "2 rows of ZTAG"],
        ["ZFOLDER row 1, Z_ENT", "ZTAG row 1, Z_ENT", "ZTAG row 2, Z_ENT"]
      ),
      (
        "ALTER TABLE ZTAG DROP COLUMN Z_ENT;", ["3 rows of ZTAG"],
        ["ZTAG Z_ENT: the column is missing"]
      ),
    ])
  func unreadNumbers(change: String, rows: [String], places: [String]) throws {
    let sample = try ConvertedSample()
    try sample.maker.edit("UPDATE ZITEM SET Z_FOK_FOLDER = 2048 WHERE Z_PK = 5; \(change)")
    for salvages in [false, true] {
      let source = try sample.maker.open(salvages: salvages)
      #expect(StoreTranscript(source).text == StoreMaker.transcript)
      #expect(source.notes == rows.map { StoreNote(.otherNumbers, name: $0) })
      #expect(source.losses == [])
    }
    let check = try StoreCheck.run(sample.maker.path, model: sample.model)
    #expect(
      check.findings.map(\.description)
        == places.map {
          $0.hasSuffix("missing")
            ? $0
            : "\($0): it is not the number of the entity, which Core Data does not read in a table of one entity"
        })
    #expect(check.isSound)
  }

  @Test("need it where they share a table")
  func sharedTable() throws {
    let maker = try StoreMaker.sample()
    try maker.edit("UPDATE ZITEM SET Z_ENT = NULL WHERE Z_PK = 1;")
    let error = #expect(throws: ModelError.self) { try maker.open() }
    #expect(error?.code == .badEntityNumber)
  }

  // MARK: Former names

  private static let cars = Model(entities: [
    Entity(name: "Car", attributes: [Attribute(name: "maker", type: .string)]),
    Entity(name: "Hybrid", parent: "Car"),
    {
      var entity = Entity(
        name: "LuxuryCar", parent: "Car", attributes: [Attribute(name: "price", type: .double)])
      entity.renamingIdentifier = "SportCar"
      return entity
    }(),
  ])

  private static func carStore(_ change: String) throws -> StoreMaker {
    try StoreMaker(
      cars,
      """
      INSERT INTO ZCAR (Z_PK, Z_ENT, Z_OPT, ZMAKER, ZPRICE) VALUES
        (1, 1, 1, 'A', NULL), (2, 3, 1, 'B', 99.5), (3, 2, 1, 'C', NULL);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'Car';
      \(change)
      """)
  }

  private static func rename(_ name: String, to former: String) -> String {
    "UPDATE Z_PRIMARYKEY SET Z_NAME = '\(former)' WHERE Z_NAME = '\(name)';"
  }

  /// Names that the store still has, and the rows that a check notes for it.
  static let renamings: [(String, [Int64: String])] = [
    (rename("LuxuryCar", to: "SportCar"), [3: "LuxuryCar"]),
    (rename("LuxuryCar", to: "RaceCar"), [3: "LuxuryCar"]),
    (rename("Hybrid", to: "Electric"), [2: "Hybrid"]),
    (
      rename("Hybrid", to: "Electric") + rename("LuxuryCar", to: "SportCar"),
      [2: "Hybrid", 3: "LuxuryCar"]
    ),
    (rename("Car", to: "Wagon"), [1: "Car"]),
  ]

  @Test("are those of rows that have their former name, or their number", arguments: renamings)
  func formerNames(change: String, found: [Int64: String]) throws {
    let maker = try Self.carStore(change)
    let source = try maker.open(Self.cars)
    #expect(
      StoreTranscript(source).text == """
        0 Car 1: maker="A"
        1 LuxuryCar 2: maker="B" price=99.5
        2 Hybrid 3: maker="C"
        """)
    #expect(source.notes == [])
    let model = maker.folder.file(named: "Cars.xcdatamodeld")
    try XMLModelWriter(Self.cars).write(to: model)
    #expect(
      try StoreCheck.run(maker.path, model: model).findings
        == found.sorted { $0.key < $1.key }.map {
          StoreFinding(.formerName, table: "Z_PRIMARYKEY", row: $0.key, name: $0.value)
        })
  }

  @Test(
    "are missing where nothing in the store can be theirs",
    arguments: [
      // A row of another parent, of another number, and none.
      "UPDATE Z_PRIMARYKEY SET Z_NAME = 'SportCar', Z_SUPER = 0 WHERE Z_NAME = 'LuxuryCar';",
      "UPDATE Z_PRIMARYKEY SET Z_NAME = 'RaceCar', Z_ENT = 9 WHERE Z_NAME = 'LuxuryCar';",
      "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'LuxuryCar';",
    ])
  func noFormerName(change: String) throws {
    let maker = try Self.carStore(change)
    #expect(throws: ModelError(.missingEntity, path: maker.path, entity: "LuxuryCar")) {
      try maker.open(Self.cars)
    }
  }

  // MARK: Configurations

  private static func document(_ content: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
    \(content)
    </model>
    """
  }

  /// A model with a configuration for each of its entities, and a store of one of them.
  private static func cloudStore() throws -> (StoreMaker, model: String) {
    let cloud = Model(entities: [
      Entity(name: "Note", attributes: [.init(name: "t", type: .string)])
    ])
    let maker = try StoreMaker(
      cloud,
      """
      INSERT INTO ZNOTE VALUES (1, 1, 1, 'hello');
      UPDATE Z_PRIMARYKEY SET Z_MAX = 1;
      """)
    let model = try maker.folder.write(
      Self.document(
        """
        <entity name="Note"><attribute name="t" optional="YES" attributeType="String"/></entity>
        <entity name="Cache"><attribute name="c" optional="YES" attributeType="String"/></entity>
        <configuration name="Cloud"><memberEntity name="Note"/></configuration>
        <configuration name="Local"><memberEntity name="Cache"/></configuration>
        """), to: "contents")
    return (maker, model)
  }

  @Test("may be those of one configuration of the model, which is said")
  func configuration() throws {
    let (maker, model) = try Self.cloudStore()
    let source = try SQLiteStoreSource(
      path: maker.path, versions: try ModelVersions(contentsOf: model))
    #expect(StoreTranscript(source).text == "0 Note 1: t=\"hello\"")
    #expect(source.notes == [StoreNote(.configuration, name: "Cache")])
    let check = try StoreCheck.run(maker.path, model: model)
    #expect(
      check.findings.map(\.description) == [
        "Z_PRIMARYKEY: the store holds one configuration of the model, which is without Cache"
      ])
    #expect(check.isSound && check.rows == 1)
  }

  @Test("are missing where the model has no configurations")
  func noConfiguration() throws {
    let (maker, _) = try Self.cloudStore()
    let model = try maker.folder.write(
      Self.document(
        """
        <entity name="Note"><attribute name="t" optional="YES" attributeType="String"/></entity>
        <entity name="Cache"/>
        """), to: "Other.xcdatamodel/contents")
    let error = #expect(throws: ModelError.self) {
      try SQLiteStoreSource(path: maker.path, versions: try ModelVersions(contentsOf: model))
    }
    #expect(error?.code == .noMatchingVersion)
  }

  // MARK: Their own inverse

  private static let people = Model(entities: [
    Entity(
      name: "Person", attributes: [Attribute(name: "name", type: .string)],
      relationships: [
        Relationship(name: "friends", destinations: ["Person"], isToMany: true, inverse: "friends")
      ])
  ])

  @Test(
    "may have a many-to-many relationship that is its own inverse, which leads both ways",
    arguments: [
      """
      CREATE TABLE Z_1FRIENDS (
        Z_1FRIENDS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_1FRIENDS, REFLEXIVE));
      """, "CREATE TABLE z_1friends (other INTEGER, z_1friends INTEGER);",
    ])
  func symmetric(table: String) throws {
    for links in ["(1, 2), (2, 1), (3, 1), (1, 3)", "(1, 2), (1, 3)", "(1, 2), (2, 1), (1, 3)"] {
      let maker = try StoreMaker(
        Self.people,
        """
        INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES
          (1, 1, 1, 'A'), (2, 1, 1, 'B'), (3, 1, 1, 'C');
        UPDATE Z_PRIMARYKEY SET Z_MAX = 3;
        \(table)
        INSERT INTO Z_1FRIENDS VALUES \(links);
        """)
      #expect(
        StoreTranscript(try maker.open(Self.people)).text == """
          0 Person 1: name="A" friends={Person 2, Person 3}
          1 Person 2: name="B" friends={Person 1}
          2 Person 3: name="C" friends={Person 1}
          """)
      // A link to nothing is found from either side.
      try maker.edit("INSERT INTO Z_1FRIENDS VALUES (9, 3);")
      let source = try maker.open(Self.people, salvages: true)
      #expect(source.losses.map(\.description).contains { $0.contains("Person 9") })
    }
  }

  @Test("are refused where such a relationship has no table, or one of another form")
  func symmetricWithoutTable() throws {
    let maker = try StoreMaker(Self.people, "")
    #expect(
      throws: ModelError(
        .missingTable, path: maker.path, entity: "Person", property: "friends", name: "Z_1FRIENDS")
    ) { try maker.open(Self.people) }
    try maker.edit("CREATE TABLE Z_1FRIENDS (Z_1FRIENDS INTEGER, a INTEGER, b INTEGER);")
    let error = #expect(throws: ModelError.self) { try maker.open(Self.people) }
    #expect(error?.code == .unreadableProperty)
  }
}
