import DataModel
import Migration
import Testing

@Suite("A mapping model is not inferred")
struct InferenceRefusalTests {
  static let refused: [ModelChange] = [
    ModelChange(
      "where a number becomes text",
      after: { $0.edit("Car", attribute: "seats") { $0.type = .string } },
      ["Car.seats: source and destination attribute types are incompatible: integer16 and string"]),
    ModelChange(
      "where text becomes data",
      after: { $0.edit("Car", attribute: "plate") { $0.type = .binary } },
      ["Car.plate: source and destination attribute types are incompatible: string and binary"]),
    ModelChange(
      "where a renamed attribute has another type",
      after: {
        $0.edit("Car", attribute: "plate") {
          ($0.name, $0.type, $0.renamingIdentifier) = ("issued", .date, "plate")
        }
      },
      ["Car.issued: source and destination attribute types are incompatible: string and date"]),
    ModelChange(
      "where an attribute becomes a relationship, and the other way round",
      after: {
        $0.edit("Car") {
          $0.attributes[0].name = "owner"
          $0.relationships[0].name = "plate"
        }
      },
      [
        "Car.owner: is an attribute, but was a relationship",
        "Car.plate: is a relationship, but was an attribute",
      ]),
    ModelChange(
      "where a to-many relationship becomes to-one",
      after: {
        $0.edit("Person", relationship: "cars") { ($0.isToMany, $0.maximumCount) = (false, 1) }
      }, ["Person.cars: a to-many relationship cannot become to-one"]),
    ModelChange(
      "where two entities have one renaming identifier",
      after: { $0.entities.append(Entity(name: "Automobile", renamingIdentifier: "Car")) },
      ["Automobile: has the same renaming identifier as Car in the destination model"]),
    ModelChange(
      "where two entities of the source have one renaming identifier",
      before: { $0.entities.append(Entity(name: "Automobile", renamingIdentifier: "Car")) },
      after: { _ in },
      ["Automobile: has the same renaming identifier as Car in the source model"]),
    ModelChange(
      "where two properties have one renaming identifier",
      after: {
        $0.edit("Car") {
          $0.attributes.append(
            Attribute(name: "number", type: .string, renamingIdentifier: "plate"))
        }
      },
      ["Car.number: has the same renaming identifier as plate in the destination model"]),
    ModelChange(
      "where two hierarchies come together",
      after: {
        $0.entities.append(Entity(name: "Thing", isAbstract: true))
        $0.edit("Car") { $0.parent = "Thing" }
        $0.edit("Person") { $0.parent = "Thing" }
      },
      [
        "Thing: cannot merge multiple root entity source tables into one destination entity root "
          + "table: Car, Person"
      ]),
    ModelChange(
      "for all reasons at once",
      after: {
        $0.edit("Car", attribute: "seats") { $0.type = .string }
        $0.edit("Person", attribute: "name") { $0.type = .binary }
        $0.edit("Car", attribute: "plate") { $0.isOptional = false }
      },
      [
        "Car.seats: source and destination attribute types are incompatible: integer16 and string",
        "Person.name: source and destination attribute types are incompatible: string and binary",
      ]),
  ]

  @Test("from models", arguments: refused)
  func refusal(change: ModelChange) throws {
    let error = try #require(throws: InferenceError.self) {
      try InferredMapping(from: change.source, to: change.destination)
    }
    #expect(error.reasons.map(\.description) == change.expected)
    #expect("\(error)" == change.expected.joined(separator: "\n"))
  }

  @Test("from models that are damaged, but an error or a mapping model comes of them")
  func damagedModels() {
    let damages: [(inout Model) -> Void] = [
      { $0.edit("Car") { $0.parent = "Car" } },
      {
        $0.edit("Car") { $0.parent = "Person" }
        $0.edit("Person") { $0.parent = "Car" }
      },
      { $0.edit("Car") { $0.parent = "Absent" } }, { $0.entities += $0.entities },
      { $0.edit("Car") { $0.attributes += $0.attributes } },
      { $0.edit("Car", relationship: "owner") { $0.destinations = [] } },
      { $0.edit("Car", relationship: "owner") { $0.destinations = ["Absent"] } },
      {
        $0.edit("Car", relationship: "owner") {
          ($0.minimumCount, $0.maximumCount) = (.max, .min)
        }
      },
      { $0.edit("Car", attribute: "seats") { $0.type = .undefined } }, { $0.entities = [] },
      { $0.rename("Car", to: "", identifier: "") },
    ]
    for before in damages {
      for after in damages {
        let (source, destination) = (Garage.model(before), Garage.model(after))
        do throws(InferenceError) {
          let mapping = try InferredMapping(from: source, to: destination)
          #expect(mapping.changeCount >= 0)
        } catch {
          #expect(!error.reasons.isEmpty)
        }
      }
    }
  }

  @Test("without words for the reason")
  func words() {
    for code in InferenceFinding.Code.allCases {
      #expect("\(InferenceFinding(code, entity: "Car"))".hasPrefix("Car: "))
    }
  }
}
