import Migration
import Testing

@Suite("The listing of a mapping model")
struct MappingModelListingTests {
  @Test("has all of its source file, as it is compiled")
  func document() throws {
    let document = try MappingModelDocument(xml: Garage.store.bytes)
    let model = document.compiled(from: Garage.source, to: Garage.destination)
    #expect(MappingModelListing.text(of: document, compiled: model) == Self.listing)
  }

  @Test("is the same after the mapping model has been compiled")
  func compiled() throws {
    let document = try MappingModelDocument(xml: Garage.store.bytes)
    var model = document.compiled(from: Garage.source, to: Garage.destination)
    guard case .compiled(let read) = try MappingModelFile(MappingModelArchiver.bytes(model)) else {
      Issue.record("it is of another kind")
      return
    }
    // The maker of compiled mapping models writes no user info.
    for index in model.entityMappings.indices { model.entityMappings[index].userInfo = [:] }
    #expect(read == model)
    #expect(MappingModelListing.text(of: read) == MappingModelListing.text(of: model))
  }

  private static let fetch =
    "FETCH(FUNCTION($manager, "
    + "\"fetchRequestForSourceEntityNamed:predicateString:\""
  private static let byName =
    "FUNCTION($manager, "
    + "\"destinationInstancesForEntityMappingNamed:sourceInstances:\""
  private static let byRelationship =
    "FUNCTION($manager, "
    + "\"destinationInstancesForSourceRelationshipNamed:sourceInstances:\""

  static let listing = """
    from App/Model.xcdatamodeld/Model.xcdatamodel
    to App/Model.xcdatamodeld/Model 2.xcdatamodel

    1. CarToCar: Car to Car (custom)
      source: \(fetch), "Car", "TRUEPREDICATE"), $manager.sourceContext, NO)
      policy: App.CarPolicy
      user info: version = "2"
      attributes:
        plate: $source.plate
        seats: $source.seats
        since: FUNCTION($entityPolicy, "today")
      relationships:
        garage: \(byName), "GarageToGarage", $source.garage)
        maker: nothing
        owner: \(byName), "Owner", $source.owner)

    2. SportCarToSportCar: SportCar to SportCar (transform)
      source: \(fetch), "SportCar", "power < 1000"), $manager.sourceContext, NO)
      attributes:
        plate: $source.plate
        power: $source.power
        seats: 2
        since: nil
      relationships:
        garage: \(byName), "GarageToGarage", $source.garage)
        maker: nothing
        owner: \(byName), "Owner", $source.owner)

    3. GarageToGarage: Garage to Garage (copy)
      source: \(fetch), "Garage", "TRUEPREDICATE"), $manager.sourceContext, NO)
      attributes:
        city: $source.city
      relationships:
        cars: \(byRelationship), "cars", $source.cars)
        people: \(byName), "Owner", $source.cars.@distinctUnionOfSets.owner)

    4. Owner: Person to Person (copy)
      source: \(fetch), "Person", "TRUEPREDICATE"), $manager.sourceContext, NO)
      attributes:
        name: $source.name
      relationships:
        cars: \(byRelationship), "cars", $source.cars)
        garages: nothing

    5. Wheel: Wheel to nothing (remove)
      source: \(fetch), "Wheel", "TRUEPREDICATE"), $manager.sourceContext, NO)

    6. Maker: new Maker (add)
      attributes:
        name: default value
      relationships:
        cars: nothing

    not used
      entity mapping WheelToTyre
      attribute mapping colour
      relationship mapping (unnamed)

    """
}
