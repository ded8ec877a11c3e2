import DataModel
import Mappings
import Migration
import Testing

@Suite("An inferred mapping model")
struct InferredMappingTests {
  private static let sameCar =
    "Copy_Car (Car to Car); plate = $plate; seats = $seats; owner = mapped(\"Copy_Person\", $owner)"
  private static let samePerson =
    "Copy_Person (Person to Person); name = $name; cars = mapped(\"Copy_Car\", $cars)"
  private static let changedPerson =
    "Copy_Person (Person to Person); name = $name; cars = mapped(\"Transform_Car\", $cars)"

  /// What is inferred where only the car is changed.
  private static func car(_ properties: String, _ conditions: String...) -> [String] {
    ["Transform_Car (Car to Car); \(properties)", changedPerson] + conditions
  }

  private static let owner = "owner = mapped(\"Copy_Person\", $owner)"

  static let attributeChanges: [ModelChange] = [
    ModelChange("of no change copies", after: { _ in }, [sameCar, samePerson]),
    ModelChange(
      "gives a new attribute its default value",
      after: { $0.edit("Car") { $0.attributes.append(Attribute(name: "wheels", type: .integer)) } },
      car("plate = $plate; seats = $seats; wheels = -; \(owner)")),
    ModelChange(
      "gives a new mandatory attribute its default value",
      after: {
        $0.edit("Car") {
          $0.attributes.append(
            Attribute(
              name: "wheels", type: .integer, isOptional: false, defaultValue: .integer(4)))
        }
      }, car("plate = $plate; seats = $seats; wheels = -; \(owner)")),
    ModelChange(
      "forbids objects where a new mandatory attribute has no default value",
      after: {
        $0.edit("Car") {
          $0.attributes.append(Attribute(name: "wheels", type: .integer, isOptional: false))
        }
      },
      car(
        "plate = $plate; seats = $seats; wheels = -; \(owner)",
        "Car.wheels: missing attribute values on mandatory destination attribute: it is new and has "
          + "no default value, so there must be no objects")),
    ModelChange(
      "leaves out an attribute that is removed",
      after: { $0.edit("Car") { $0.attributes.removeLast() } }, car("plate = $plate; \(owner)")),
    ModelChange(
      "finds a renamed attribute by its identifier",
      after: {
        $0.edit("Car", attribute: "plate") {
          ($0.name, $0.renamingIdentifier) = ("number", "plate")
        }
      }, car("number = $plate; seats = $seats; \(owner)")),
    ModelChange(
      "finds an attribute that was renamed before by the name that it had first",
      before: {
        $0.edit("Car", attribute: "plate") {
          ($0.name, $0.renamingIdentifier) = ("number", "plate")
        }
      },
      after: {
        $0.edit("Car", attribute: "plate") { ($0.name, $0.renamingIdentifier) = ("sign", "plate") }
      }, car("seats = $seats; sign = $number; \(owner)")),
    ModelChange(
      "takes an attribute for a new one if its identifier names none of the source",
      after: { $0.edit("Car", attribute: "plate") { $0.renamingIdentifier = "sign" } },
      ["Transform_Car (Car to Car); plate = -; seats = $seats; \(owner)", changedPerson]),
    ModelChange(
      "exchanges two attributes",
      after: {
        $0.edit("Car") {
          $0.attributes = [
            Attribute(name: "plate", type: .string, renamingIdentifier: "maker"),
            Attribute(name: "maker", type: .string, renamingIdentifier: "plate"),
          ]
        }
      }, car("maker = $plate; plate = -; \(owner)")),
    ModelChange(
      "replaces missing values where an attribute becomes mandatory",
      after: {
        $0.edit("Car", attribute: "seats") {
          ($0.isOptional, $0.defaultValue) = (false, .integer(4))
        }
      }, car("plate = $plate; seats = TERNARY($seats == nil, 4, $seats); \(owner)")),
    ModelChange(
      "asks for values where an attribute without default value becomes mandatory",
      after: { $0.edit("Car", attribute: "plate") { $0.isOptional = false } },
      car(
        "plate = $plate; seats = $seats; \(owner)",
        "Car.plate: becomes mandatory and has no default value: every object must have a value")),
    ModelChange(
      "lets an attribute become optional",
      before: { $0.edit("Car", attribute: "plate") { $0.isOptional = false } },
      after: { _ in }, car("plate = $plate; seats = $seats; \(owner)")),
    ModelChange(
      "keeps a number that gets a wider type",
      after: { $0.edit("Car", attribute: "seats") { $0.type = .integer } },
      car("plate = $plate; seats = $seats; \(owner)")),
    ModelChange(
      "asks that numbers fit a narrower type",
      before: { $0.edit("Car", attribute: "seats") { $0.type = .double } },
      after: { _ in },
      car(
        "plate = $plate; seats = $seats; \(owner)",
        "Car.seats: every value has to fit the new type: double and integer16")),
    ModelChange(
      "asks for no value of a derived attribute",
      after: {
        $0.edit("Car") {
          $0.attributes.append(
            Attribute(name: "key", type: .string, isOptional: false, isDerived: true))
        }
      }, car("key = -; plate = $plate; seats = $seats; \(owner)")),
    ModelChange(
      "passes over attributes that are not stored",
      before: {
        $0.edit("Car") {
          $0.attributes.append(Attribute(name: "age", type: .integer, isTransient: true))
        }
      },
      after: {
        $0.edit("Car") {
          $0.attributes.append(Attribute(name: "colour", type: .string, isTransient: true))
        }
      }, [sameCar, samePerson]),
    ModelChange(
      "takes an attribute that was not stored for a new one",
      before: { $0.edit("Car", attribute: "plate") { $0.isTransient = true } },
      after: { _ in }, car("plate = -; seats = $seats; \(owner)")),
    ModelChange(
      "transforms an entity whose hash modifier alone has changed",
      after: { $0.edit("Car") { $0.versionHashModifier = "2" } },
      car("plate = $plate; seats = $seats; \(owner)")),
    ModelChange(
      "asks for unique values",
      after: { $0.edit("Car") { $0.uniquenessConstraints = [["plate", "seats"]] } },
      car(
        "plate = $plate; seats = $seats; \(owner)",
        "Car: no two objects may have the same values of plate, seats")),
  ]

  @Test("from changed attributes", arguments: attributeChanges)
  func attributes(change: ModelChange) throws { try check(change) }

  static let relationshipChanges: [ModelChange] = [
    ModelChange(
      "leaves a new relationship empty",
      after: {
        $0.edit("Car") {
          $0.relationships.append(
            Relationship(name: "driver", destinations: ["Person"], isToMany: false))
        }
      }, car("plate = $plate; seats = $seats; driver = -; \(owner)")),
    ModelChange(
      "asks for the objects of a new mandatory relationship",
      after: {
        $0.edit("Car") {
          $0.relationships.append(
            Relationship(
              name: "driver", destinations: ["Person"], isToMany: false, isOptional: false))
        }
      },
      car(
        "plate = $plate; seats = $seats; driver = -; \(owner)",
        "Car.driver: is new and mandatory: every object has to get one through the inverse")),
    ModelChange(
      "finds a renamed relationship by its identifier",
      after: {
        $0.edit("Car", relationship: "owner") {
          ($0.name, $0.renamingIdentifier) = ("holder", "owner")
        }
        $0.edit("Person", relationship: "cars") { $0.inverse = "holder" }
      },
      [
        "Transform_Car (Car to Car); plate = $plate; seats = $seats; "
          + "holder = mapped(\"Transform_Person\", $owner)",
        "Transform_Person (Person to Person); name = $name; cars = mapped(\"Transform_Car\", $cars)",
      ]),
    ModelChange(
      "lets a to-one relationship become to-many",
      after: {
        $0.edit("Car", relationship: "owner") { ($0.isToMany, $0.maximumCount) = (true, 0) }
      }, car("plate = $plate; seats = $seats; \(owner)")),
    ModelChange(
      "lets a relationship become ordered",
      after: { $0.edit("Person", relationship: "cars") { $0.isOrdered = true } },
      [
        "Copy_Car (Car to Car); plate = $plate; seats = $seats; "
          + "owner = mapped(\"Transform_Person\", $owner)",
        "Transform_Person (Person to Person); name = $name; cars = mapped(\"Copy_Car\", $cars)",
      ]),
    ModelChange(
      "asks for no objects where a to-many relationship is no longer optional",
      after: { $0.edit("Person", relationship: "cars") { $0.isOptional = false } },
      [
        "Copy_Car (Car to Car); plate = $plate; seats = $seats; "
          + "owner = mapped(\"Transform_Person\", $owner)",
        "Transform_Person (Person to Person); name = $name; cars = mapped(\"Copy_Car\", $cars)",
      ]),
    ModelChange(
      "asks for objects where a relationship becomes mandatory",
      after: {
        $0.edit("Person", relationship: "cars") {
          ($0.isOptional, $0.minimumCount, $0.maximumCount) = (false, 2, 3)
        }
      },
      [
        "Copy_Car (Car to Car); plate = $plate; seats = $seats; "
          + "owner = mapped(\"Transform_Person\", $owner)",
        "Transform_Person (Person to Person); name = $name; cars = mapped(\"Copy_Car\", $cars)",
        "Person.cars: every object must have 2 at least, 3 at most",
      ]),
    ModelChange(
      "leaves a relationship empty if its objects are removed",
      after: {
        $0.rename("Person", to: "Company", identifier: nil)
      },
      [
        "Transform_Car (Car to Car); plate = $plate; seats = $seats; owner = -",
        "Add_Company (Company)", "Remove_Person (Person)",
      ]),
  ]

  @Test("from changed relationships", arguments: relationshipChanges)
  func relationships(change: ModelChange) throws { try check(change) }

  /// A car that inherits from another.
  private static let sportCar = Entity(
    name: "SportCar", parent: "Car", attributes: [Attribute(name: "power", type: .double)])

  static let entityChanges: [ModelChange] = [
    ModelChange(
      "adds an entity", after: { $0.entities.append(Entity(name: "Wheel")) },
      [sameCar, samePerson, "Add_Wheel (Wheel)"]),
    ModelChange(
      "removes the objects of an entity that is gone",
      before: { $0.entities.append(Entity(name: "Wheel")) }, after: { _ in },
      [sameCar, samePerson, "Remove_Wheel (Wheel)"]),
    ModelChange(
      "finds a renamed entity by its identifier",
      after: { $0.rename("Car", to: "Automobile", identifier: "Car") },
      [
        "Transform_Car (Car to Automobile); plate = $plate; seats = $seats; "
          + "owner = mapped(\"Transform_Person\", $owner)",
        "Transform_Person (Person to Person); name = $name; cars = mapped(\"Transform_Car\", $cars)",
      ]),
    ModelChange(
      "finds the objects of a relationship by what they have become, if there are subentities",
      after: { $0.entities.append(sportCar) },
      [
        sameCar,
        "Copy_Person (Person to Person); name = $name; cars = related(\"cars\", $cars)",
        "Add_SportCar (SportCar)",
      ]),
    ModelChange(
      "moves attributes up to the parent entity",
      before: {
        $0.entities.append(sportCar)
        $0.edit("SportCar") { $0.attributes.append(Attribute(name: "doors", type: .integer)) }
      },
      after: {
        $0.entities.append(sportCar)
        $0.edit("Car") { $0.attributes.append(Attribute(name: "doors", type: .integer)) }
      },
      [
        "Transform_Car (Car to Car); doors = -; plate = $plate; seats = $seats; \(owner)",
        "Copy_Person (Person to Person); name = $name; cars = related(\"cars\", $cars)",
        "Transform_SportCar (SportCar to SportCar); doors = $doors; plate = $plate; "
          + "power = $power; seats = $seats; \(owner)",
      ]),
    ModelChange(
      "puts a new abstract parent above an entity",
      after: {
        $0.entities.append(Entity(name: "Vehicle", isAbstract: true))
        $0.edit("Car") { $0.parent = "Vehicle" }
      }, car("plate = $plate; seats = $seats; \(owner)")),
    ModelChange(
      "takes an entity out of its hierarchy",
      before: { $0.entities.append(sportCar) },
      after: {
        $0.entities.append(
          Entity(name: "SportCar", attributes: [Attribute(name: "power", type: .double)]))
      },
      [
        sameCar,
        "Copy_Person (Person to Person); name = $name; cars = mapped(\"Copy_Car\", $cars)",
        "Transform_SportCar (SportCar to SportCar); power = $power",
        "Person.cars: links to objects of SportCar are left behind: it cannot hold them",
      ]),
    ModelChange(
      "leaves the links of a relationship behind that leads to another entity",
      after: { $0.edit("Car", relationship: "owner") { $0.destinations = ["Car"] } },
      [
        "Transform_Car (Car to Car); plate = $plate; seats = $seats; "
          + "owner = related(\"owner\", $owner)",
        "Copy_Person (Person to Person); name = $name; cars = mapped(\"Transform_Car\", $cars)",
        "Car.owner: links to objects of Person are left behind: it cannot hold them",
      ]),
    ModelChange(
      "forbids objects of an entity that becomes abstract",
      before: { $0.entities.append(sportCar) },
      after: {
        $0.entities.append(sportCar)
        $0.edit("Car") { $0.isAbstract = true }
      },
      [
        "Copy_Person (Person to Person); name = $name; cars = related(\"cars\", $cars)",
        "Transform_SportCar (SportCar to SportCar); plate = $plate; power = $power; "
          + "seats = $seats; \(owner)",
        "Remove_Car (Car)", "Car: becomes abstract: there must be no objects of Car",
      ]),
    ModelChange(
      "lets an entity become concrete",
      before: { $0.edit("Car") { $0.isAbstract = true } }, after: { _ in },
      [
        "Transform_Car (Car to Car); plate = $plate; seats = $seats; \(owner)",
        "Copy_Person (Person to Person); name = $name; cars = -",
      ]),
  ]

  @Test("from changed entities", arguments: entityChanges)
  func entities(change: ModelChange) throws { try check(change) }

  private func check(_ change: ModelChange) throws {
    let source = change.source
    let destination = change.destination
    let mapping = try InferredMapping(from: source, to: destination)
    #expect(mapping.outline == change.expected)
    // The check of mapping models finds no mistake in it, but what the conditions tell of, too.
    let check = MappingModelCheck(mapping.model, from: source, to: destination)
    if mapping.conditions.isEmpty { #expect(check.isUsable, "\(check.findings)") }
    #expect(mapping.changeCount > 0 || source.versionHashes() == destination.versionHashes())
  }

  @Test("has the version hashes of both models, and fetches the objects of each entity")
  func hashes() throws {
    let destination = Garage.model { $0.rename("Car", to: "Automobile", identifier: "Car") }
    let model = try InferredMapping(from: Garage.model, to: destination).model
    #expect(model.sourceVersionHashes == Garage.model.versionHashes())
    #expect(model.destinationVersionHashes == destination.versionHashes())
    #expect(
      model.entityMappings.map(\.sourceExpression) == [
        .objects(of: "Car"), .objects(of: "Person"),
      ])
  }

  @Test(
    "writes default values as constants of their type",
    arguments: [
      (AttributeType.boolean, AttributeDefault.boolean(true), "TRUE"),
      (.integer16, .integer(-1), "-1"), (.double, .double(0.5), "0.5"),
      (.decimal, .decimal("1.10"), "CAST(\"1.1\", \"NSDecimalNumber\")"),
      (.string, .string("none"), "\"none\""), (.date, .date(60), "CAST(60.0, \"NSDate\")"),
      (
        .uuid, .string("00000000-0000-0000-0000-000000000001"),
        "CAST(\"00000000-0000-0000-0000-000000000001\", \"NSUUID\")"
      ),
      (.uri, .string("https://example.com"), "CAST(\"https://example.com\", \"NSURL\")"),
    ])
  func defaults(type: AttributeType, value: AttributeDefault, constant: String) throws {
    let source = Model(entities: [
      Entity(name: "Car", attributes: [Attribute(name: "a", type: type)])
    ])
    let destination = Model(entities: [
      Entity(
        name: "Car",
        attributes: [Attribute(name: "a", type: type, isOptional: false, defaultValue: value)])
    ])
    let mapping = try InferredMapping(from: source, to: destination)
    #expect(
      mapping.outline == ["Transform_Car (Car to Car); a = TERNARY($a == nil, \(constant), $a)"])
  }
}
