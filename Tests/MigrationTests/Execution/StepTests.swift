import Converter
import CoreDataStores
import DataModel
import Foundation
import GraphCore
import GraphTesting
import Migration
import TestSupport
import Testing

@testable import Migration

/// Steps whose models were edited after their mapping models were made, and steps of several
/// mapping models.
@Suite("Steps of a migration")
struct StepTests {
  private typealias Mapping = MigrationEntityMapping

  /// Owners have cars and a home.
  private static let old = [
    Entity(
      name: "Car", attributes: [Attribute(name: "name", type: .string)],
      relationships: [
        Relationship(name: "owner", destinations: ["Owner"], isToMany: false, inverse: "cars")
      ]),
    Entity(name: "Home", attributes: [Attribute(name: "city", type: .string)]),
    Entity(
      name: "Owner", attributes: [Attribute(name: "name", type: .string)],
      relationships: [
        Relationship(name: "cars", destinations: ["Car"], isToMany: true, inverse: "owner"),
        Relationship(name: "home", destinations: ["Home"], isToMany: false),
      ]),
  ]

  private static func store() throws -> MadeStore {
    try MadeStore(
      old,
      """
      INSERT INTO ZHOME (Z_PK, Z_ENT, Z_OPT, ZCITY) VALUES (1, 2, 1, 'Bern');
      INSERT INTO ZOWNER (Z_PK, Z_ENT, Z_OPT, ZNAME, ZHOME) VALUES (1, 3, 1, 'Ann', 1);
      INSERT INTO ZCAR (Z_PK, Z_ENT, Z_OPT, ZNAME, ZOWNER)
        VALUES (1, 1, 1, 'Van', 1), (2, 1, 1, 'Bus', NULL);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 2;
      """)
  }

  /// A step between two models.
  private static func step(
    to entities: [Entity], _ models: [[MigrationEntityMapping]], isDrifting: Bool = false
  ) -> MigrationStep {
    func version(_ name: String, _ entities: [Entity]) -> ModelVersion {
      ModelVersion(name: name, path: name, source: ModelSource(Model(entities: entities)))
    }
    let drift = MappingModelDrift(mappingModel: "A", version: "'new'", differences: [])
    return MigrationStep(
      source: version("old", old), destination: version("new", entities), method: .mapped([]),
      mappingModels: models.map { MappingModel(entityMappings: $0) },
      drifts: isDrifting ? [drift] : [])
  }

  /// The owners have lost their homes and their names.
  private static let edited = [
    Entity(
      name: "Car", attributes: [Attribute(name: "name", type: .string)],
      relationships: [
        Relationship(name: "owner", destinations: ["Owner"], isToMany: false, inverse: "cars")
      ]),
    Entity(
      name: "Owner",
      attributes: [Attribute(name: "rank", type: .integer16, defaultValue: .integer(7))],
      relationships: [
        Relationship(name: "cars", destinations: ["Car"], isToMany: true, inverse: "owner"),
        Relationship(name: "other", destinations: ["Owner"], isToMany: false),
      ]),
  ]

  private static let drifting = [
    Mapping(
      "Car", "Car", ["name": "$source.name"],
      relationships: ["owner": Mapping.made(by: "OwnerToOwner", of: "$source.owner")]),
    Mapping("Home", "Home", ["city": "$source.city"]),
    Mapping("Person", "Owner", policy: "PersonPolicy"),
    Mapping(
      "Owner", "Owner", ["name": "$source.name", "rank": "$source.age"],
      relationships: [
        "home": Mapping.made(by: "HomeToHome", of: "$source.home"),
        "other": Mapping.made(by: "HomeToHome", of: "$source.home"),
      ]),
  ]

  @Test("Of a mapping model with an accepted drift, what leads to nothing is left out and listed")
  func acceptedDrift() throws {
    let step = Self.step(to: Self.edited, [Self.drifting], isDrifting: true)
    try MigrationProgram.check(step)
    let store = try Self.store()
    let migrated = try MigratedSource(try store.open(), running: step)
    #expect(
      try StoreContent.lines(migrated) == [
        #"Car(name="Bus")"#, #"Car(name="Van") owner=[Owner(rank=7)]"#,
        #"Owner(rank=7) cars=[Car(name="Van")]"#,
      ])
    #expect(checkGraph(migrated) == [])
    let summary = migrated.summary
    #expect(
      summary.description == """
        CarToCar: 2 Car to 2 Car
        OwnerToOwner: 1 Owner to 1 Owner
          not read: home (1 value), name (1 value)
          left at the default: other, rank
        not migrated: 1 Home
        left out, since the model was edited after the mapping model was made:
          HomeToHome: the destination model has no entity Home
          PersonToOwner: the source model has no entity Person
          OwnerToOwner.name: the destination entity has no such attribute
          OwnerToOwner.home: the destination entity has no such relationship
          OwnerToOwner.rank: the source has no property age
          OwnerToOwner.other: refers to the entity mapping HomeToHome, which does not exist
        """)
  }

  @Test("Without a drift, the same is an error that names all of it")
  func refusedDrift() throws {
    let step = Self.step(to: Self.edited, [Self.drifting])
    let error = #expect(throws: MigrationError.self) {
      try MigratedSource(try Self.store().open(), running: step)
    }
    #expect(
      error?.description == """
        entity mapping HomeToHome: the destination model has no entity Home
        entity mapping PersonToOwner: the source model has no entity Person
        entity mapping OwnerToOwner.name: the destination entity has no such attribute
        entity mapping OwnerToOwner.home: the destination entity has no such relationship
        entity mapping OwnerToOwner.rank: the source has no property age
        """)
    #expect(throws: try #require(error)) { try MigrationProgram.check(step) }
  }

  @Test(
    "A drift excuses neither an unknown filter nor an entity mapping that never was",
    arguments: [
      (
        Mapping("Car", "Car", where: "colour == 1"),
        "entity mapping CarToCar: the source has no property colour"
      ),
      (
        Mapping("Car", "Car", relationships: ["owner": Mapping.made(by: "None", of: "$source")]),
        "entity mapping CarToCar.owner: refers to the entity mapping None, which does not exist"
      ),
      (
        Mapping("Car", "Car", ["name": "random()"]),
        "entity mapping CarToCar.name: the expression is not supported: random(): the random "
          + "function random is not supported"
      ),
    ])
  func notExcused(mapping: MigrationEntityMapping, words: String) {
    let step = Self.step(to: Self.edited, [[mapping]], isDrifting: true)
    let error = #expect(throws: MigrationError.self) { try MigrationProgram.check(step) }
    #expect(error?.description == words)
  }

  @Test("Several mapping models run as one, and link the objects of each other")
  func severalModels() throws {
    let step = Self.step(
      to: Self.old,
      [
        [
          Mapping(
            "Owner", "Owner", name: "Everything", ["name": "$source.name"],
            relationships: [
              "cars": Mapping.made(ofRelationship: "cars"),
              "home": Mapping.made(ofRelationship: "home"),
            ])
        ],
        [
          Mapping(
            "Car", "Car", name: "Everything", ["name": "$source.name"],
            relationships: ["owner": Mapping.made(by: "People", of: "$source.owner")]),
          Mapping("Owner", nil, name: "People"),
        ],
        [Mapping("Home", "Home", ["city": "$source.city"])],
      ])
    let store = try Self.store()
    let migrated = try MigratedSource(try store.open(), running: step)
    #expect(
      try StoreContent.lines(migrated) == [
        #"Car(name="Bus")"#, #"Car(name="Van") owner=[Owner(name="Ann")]"#,
        #"Home(city="Bern")"#,
        #"Owner(name="Ann") cars=[Car(name="Van")] home=[Home(city="Bern")]"#,
      ])
    #expect(checkGraph(migrated) == [])
    #expect(
      migrated.summary.entityMappings.map(\.name) == [
        "Everything", "Everything", "People", "HomeToHome",
      ])
  }

  @Test("The name of an entity mapping means that of the same mapping model first")
  func sameNames() throws {
    let step = Self.step(
      to: Self.old,
      [
        [Mapping("Home", "Home", name: "Move", ["city": "$source.city"])],
        [
          Mapping("Owner", "Owner", name: "Move", ["name": "$source.name"]),
          Mapping(
            "Car", "Car", ["name": "$source.name"],
            relationships: ["owner": Mapping.made(by: "Move", of: "$source.owner")]),
        ],
      ])
    let store = try Self.store()
    let migrated = try MigratedSource(try store.open(), running: step)
    #expect(
      try StoreContent.lines(migrated) == [
        #"Car(name="Bus")"#, #"Car(name="Van") owner=[Owner(name="Ann")]"#,
        #"Home(city="Bern")"#, #"Owner(name="Ann") cars=[Car(name="Van")]"#,
      ])
  }

  @Test("An inferred step refuses objects that a new mandatory attribute has no value for")
  func conditions() throws {
    var new = Self.old
    new[0].attributes.append(Attribute(name: "plate", type: .string, isOptional: false))
    let (source, destination) = (Model(entities: Self.old), Model(entities: new))
    func version(_ model: Model) -> ModelVersion {
      ModelVersion(name: "", path: "", source: ModelSource(model))
    }
    let plan = try MigrationPlan(from: version(source), to: version(destination))
    let step = try #require(plan.steps.first)
    try MigrationProgram.check(step)
    let error = #expect(throws: MigrationError.self) {
      try MigratedSource(try Self.store().open(), running: step)
    }
    #expect(error?.code == .forbiddenObjects)
    #expect(
      error?.description
        == "there must be no objects: 2 of Car; Car.plate: missing attribute values on mandatory "
        + "destination attribute: it is new and has no default value, so there must be no objects")
    let empty = try MadeStore(Self.old, "")
    let migrated = try MigratedSource(try empty.open(), running: step)
    #expect(migrated.objectCount == 0)
  }

  @Test("An inferred step refuses objects without a value of an attribute that becomes mandatory")
  func missingValues() throws {
    let (base, car) = (
      Entity(name: "Base", attributes: [Attribute(name: "plate", type: .string)]),
      Entity(name: "Car", parent: "Base")
    )
    var strict = base
    strict.attributes[0].isOptional = false
    func version(_ entities: [Entity]) -> ModelVersion {
      ModelVersion(name: "", path: "", source: ModelSource(Model(entities: entities)))
    }
    let plan = try MigrationPlan(from: version([base, car]), to: version([strict, car]))
    let step = try #require(plan.steps.first)
    let rows = "INSERT INTO ZBASE (Z_PK, Z_ENT, Z_OPT, ZPLATE) VALUES (1, 2, 1, 'A 1')"
    let full = try MadeStore([base, car], "\(rows);")
    #expect(
      try StoreContent.lines(MigratedSource(try full.open(), running: step))
        == [#"Car(plate="A 1")"#])
    let store = try MadeStore([base, car], "\(rows), (2, 2, 1, NULL);")
    let error = #expect(throws: ArchiveError.self) {
      try StoreContent.lines(MigratedSource(try store.open(), running: step))
    }
    #expect(
      error.map { "\($0)" }
        == "the store cannot be migrated: missing attribute values on mandatory destination attribute "
        + "(Car 2, plate)")
  }

  @Test("The summary counts rounded values, values that nothing reads, and survives JSON")
  func summary() throws {
    let store = try MadeStore(
      [
        Entity(
          name: "Item",
          attributes: [
            Attribute(name: "note", type: .string), Attribute(name: "price", type: .double),
          ])
      ],
      """
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNOTE, ZPRICE) VALUES
        (1, 1, 1, 'a', 0.1), (2, 1, 1, NULL, 0.5), (3, 1, 1, 'c', NULL);
      """)
    let migrated = try store.migrated(
      to: [
        Entity(
          name: "Item",
          attributes: [
            Attribute(name: "code", type: .string, isOptional: false),
            Attribute(name: "price", type: .float),
          ])
      ], [Mapping("Item", "Item", ["price": "$source.price"])])
    let summary = migrated.summary
    #expect(
      summary.description == """
        ItemToItem: 3 Item to 3 Item
          not read: note (2 values)
          converted: price (1 lost)
          mandatory, but without a value: code
        """)
    let json = try JSONEncoder().encode(summary)
    #expect(try JSONDecoder().decode(MigrationSummary.self, from: json) == summary)
  }
}
