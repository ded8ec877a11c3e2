import DataModel
import MappingModelTesting

/// Two versions of a model: cars, some of them with a subentity, their owners, and what is new or
/// gone.
enum Garage {
  /// The old version.
  static let source = Model(entities: [
    Entity(
      name: "Car",
      attributes: [
        Attribute(name: "maker", type: .string), Attribute(name: "plate", type: .string),
        Attribute(name: "seats", type: .integer16),
      ],
      relationships: [
        Relationship(name: "owner", destinations: ["Person"], isToMany: false, inverse: "cars"),
        Relationship(name: "garage", destinations: ["Garage"], isToMany: false, inverse: "cars"),
      ]),
    Entity(
      name: "SportCar", parent: "Car", attributes: [Attribute(name: "power", type: .double)]),
    Entity(
      name: "Person", attributes: [Attribute(name: "name", type: .string)],
      relationships: [
        Relationship(name: "cars", destinations: ["Car"], isToMany: true, inverse: "owner")
      ]),
    Entity(
      name: "Garage", attributes: [Attribute(name: "city", type: .string)],
      relationships: [
        Relationship(name: "cars", destinations: ["Car"], isToMany: true, inverse: "garage")
      ]),
    Entity(name: "Wheel", attributes: [Attribute(name: "size", type: .integer32)]),
  ])

  /// The new version: makers are an entity, wheels are gone, garages know the people whose cars
  /// they have.
  static let destination = Model(entities: [
    Entity(
      name: "Car",
      attributes: [
        Attribute(name: "plate", type: .string), Attribute(name: "seats", type: .integer32),
        Attribute(name: "since", type: .date),
      ],
      relationships: [
        Relationship(name: "owner", destinations: ["Person"], isToMany: false, inverse: "cars"),
        Relationship(name: "garage", destinations: ["Garage"], isToMany: false, inverse: "cars"),
        Relationship(name: "maker", destinations: ["Maker"], isToMany: false, inverse: "cars"),
      ]),
    Entity(
      name: "SportCar", parent: "Car", attributes: [Attribute(name: "power", type: .double)]),
    Entity(
      name: "Person", attributes: [Attribute(name: "name", type: .string)],
      relationships: [
        Relationship(name: "cars", destinations: ["Car"], isToMany: true, inverse: "owner"),
        Relationship(
          name: "garages", destinations: ["Garage"], isToMany: true, inverse: "people"),
      ]),
    Entity(
      name: "Garage", attributes: [Attribute(name: "city", type: .string)],
      relationships: [
        Relationship(name: "cars", destinations: ["Car"], isToMany: true, inverse: "garage"),
        Relationship(
          name: "people", destinations: ["Person"], isToMany: true, inverse: "garages"),
      ]),
    Entity(
      name: "Maker", attributes: [Attribute(name: "name", type: .string)],
      relationships: [
        Relationship(name: "cars", destinations: ["Car"], isToMany: true, inverse: "maker")
      ]),
  ])

  /// A mapping between them with all that authors write.
  static let store: XMLMappingStore = {
    var store = XMLMappingStore()
    store.add(
      from: "Garage", to: "Garage", number: 3, attributes: [.init("city")],
      relationships: [
        .init("people", keyPath: "$source.cars.@distinctUnionOfSets.owner", mapping: "Owner"),
        .init("cars", isAutomatic: true),
      ])
    store.add(
      from: "Car", to: "Car", number: 1, policy: "App.CarPolicy", userInfo: ["version": "2"],
      attributes: [
        .init("since", value: .message("today", to: .variable("entityPolicy"), [])),
        .init("seats"), .init("plate"),
      ],
      relationships: [.init("owner"), .init("maker"), .init("garage", mapping: "GarageToGarage")])
    store.add(
      from: "SportCar", to: "SportCar", number: 2, filter: "power \\u3c00 1000",
      attributes: [
        .init("plate"), .init("power"), .init("seats", value: .constant(.integer(2))),
        .init("since", value: .constant(.null)),
      ],
      relationships: [.init("owner"), .init("maker", isAutomatic: false), .init("garage")])
    store.add(
      from: "Person", to: "Person", name: "Owner", number: 4, attributes: [.init("name")],
      relationships: [.init("cars"), .init("garages")])
    store.add(from: "Wheel", to: nil, number: 5)
    store.add(
      from: nil, to: "Maker", number: 6, attributes: [.init("name")], relationships: [.init("cars")]
    )
    store.add(from: "Wheel", to: "Tyre", attributes: [.init("size")], isUsed: false)
    store.add(.init("colour"), "XDDEVATTRIBUTEMAPPING")
    store.add(.init(nil), "XDDEVRELATIONSHIPMAPPING")
    return store
  }()
}
