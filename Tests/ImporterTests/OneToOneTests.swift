import ArchiveWriter
import Importer
import Testing

@Suite("One-to-one relationships")
struct OneToOneTests {
  /// Cars and engines; the car's side stands first.
  ///
  /// People have partners.
  private static let model = Model(entities: [
    Entity(
      name: "Car",
      relationships: [
        Relationship(name: "engine", destinations: ["Engine"], isToMany: false, inverse: "car")
      ]),
    Entity(
      name: "Engine",
      relationships: [
        Relationship(name: "car", destinations: ["Car"], isToMany: false, inverse: "engine")
      ]),
    Entity(
      name: "Person",
      relationships: [
        Relationship(
          name: "partner", destinations: ["Person"], isToMany: false, inverse: "partner")
      ]),
  ])

  /// The engines of the cars, and the cars of the engines.
  private static func convert(
    _ objects: GraphObject..., model: Model = model
  ) throws -> (cars: [String], engines: [String], conflicts: [String]) {
    let converted = try ConvertedStore(model, [.graph(objects)])
    return (
      try converted.lines("SELECT id, engine_id FROM Car"),
      try converted.lines("SELECT id, car_id FROM Engine"), converted.conflicts
    )
  }

  private static func partners(_ partners: Int?...) throws -> (rows: [String], conflicts: [String])
  {
    let objects = partners.map { partner in
      GraphObject("Person", ["partner": partner.map { .one($0) } ?? .null])
    }
    let converted = try ConvertedStore(model, [.graph(objects)])
    return (try converted.lines("SELECT id, partner_id FROM Person"), converted.conflicts)
  }

  @Test("Either side is enough, and both the same way give the same store")
  func eitherSide() throws {
    let car = GraphObject("Car", ["engine": .one(1)])
    let engine = GraphObject("Engine", ["car": .one(0)])
    for (first, second) in [
      (car, GraphObject("Engine")), (GraphObject("Car"), engine), (car, engine),
    ] {
      let found = try Self.convert(first, second)
      #expect(found == (["1|1"], ["1|1"], []))
    }
  }

  @Test("The side that stands first in the model wins, whichever is met first")
  func owningSide() throws {
    let carFirst = try Self.convert(
      .init("Car", ["engine": .one(2)]), .init("Car"), .init("Engine", ["car": .one(1)]))
    #expect(carFirst == (["1|1", "2|NULL"], ["1|1"], ["sidesDisagree Engine 1 car"]))

    let engineFirst = try Self.convert(
      .init("Engine", ["car": .one(2)]), .init("Car", ["engine": .one(0)]), .init("Car"))
    #expect(engineFirst == (["1|1", "2|NULL"], ["1|1"], ["sidesDisagree Engine 1 car"]))

    let otherOrder = Model(entities: Self.model.entities.reversed())
    let engineOwns = try Self.convert(
      .init("Car", ["engine": .one(2)]), .init("Car"), .init("Engine", ["car": .one(1)]),
      model: otherOrder)
    #expect(engineOwns == (["1|NULL", "2|1"], ["1|2"], ["sidesDisagree Car 1 engine"]))
  }

  @Test("The order of the model counts, not that of inheritance")
  func owningSideOfSubentity() throws {
    // Truck inherits from the entity behind it.
    let model = Model(entities: [
      Entity(
        name: "Engine",
        relationships: [
          Relationship(name: "car", destinations: ["Truck"], isToMany: false, inverse: "engine")
        ]),
      Entity(
        name: "Truck", parent: "Vehicle",
        relationships: [
          Relationship(name: "engine", destinations: ["Engine"], isToMany: false, inverse: "car"),
          Relationship(
            name: "plate", destinations: ["Vehicle"], isToMany: false, inverse: "holder"),
        ]),
      Entity(
        name: "Vehicle",
        relationships: [
          Relationship(name: "holder", destinations: ["Truck"], isToMany: false, inverse: "plate")
        ]),
    ])
    let converted = try ConvertedStore(
      model,
      [
        .graph(
          .init("Vehicle", ["holder": .one(2)]), .init("Truck", ["plate": .one(0)]),
          .init("Truck"))
      ])
    #expect(
      try converted.lines("SELECT id, _entity, plate_id, holder_id FROM Vehicle") == [
        "1|Vehicle|NULL|2", "2|Truck|1|NULL", "3|Truck|NULL|NULL",
      ])
    #expect(converted.conflicts == ["sidesDisagree Vehicle 1 holder"])
  }

  @Test("Of two that claim the same row the later has it, and the earlier one has none")
  func claimedTwice() throws {
    let cars = try Self.convert(
      .init("Car", ["engine": .one(2)]), .init("Car", ["engine": .one(2)]), .init("Engine"))
    #expect(cars == (["1|NULL", "2|1"], ["1|2"], ["claimedTwice Engine 1 car"]))

    let engines = try Self.convert(
      .init("Car"), .init("Engine", ["car": .one(0)]), .init("Engine", ["car": .one(0)]))
    #expect(engines == (["1|2"], ["1|NULL", "2|1"], ["claimedTwice Car 1 engine"]))
  }

  @Test("A claim that the other side repeats is still that of the side that stands first")
  func confirmed() throws {
    let found = try Self.convert(
      .init("Engine", ["car": .one(1)]), .init("Car", ["engine": .one(0)]),
      .init("Car", ["engine": .one(0)]))
    #expect(found == (["1|NULL", "2|1"], ["1|2"], ["claimedTwice Engine 1 car"]))
  }

  @Test("A relationship that is its own inverse leads back, whoever says so")
  func partners() throws {
    #expect(try Self.partners(1, nil) == (["1|2", "2|1"], []))
    #expect(try Self.partners(nil, 0) == (["1|2", "2|1"], []))
    #expect(try Self.partners(1, 0) == (["1|2", "2|1"], []))
    #expect(try Self.partners(0) == (["1|1"], []))
  }

  @Test("Of partners who disagree, the later one is believed")
  func partnersDisagree() throws {
    #expect(
      try Self.partners(1, 2, nil) == (
        ["1|NULL", "2|3", "3|2"], ["sidesDisagree Person 1 partner"]
      ))
    #expect(
      try Self.partners(2, 2, nil) == (
        ["1|NULL", "2|3", "3|2"], ["claimedTwice Person 3 partner"]
      ))
  }
}
