import CoreDataStores
import DataModel
import Foundation
import MappingModelTesting

/// A mapping model of the examples.
struct ExampleMapping {
  /// The path of the folder with the versions of the model.
  var model: String
  /// The names of the versions that it leads between.
  var versions: (source: String, destination: String)
  /// The path of the mapping model.
  var path: String
  /// Its entity mappings: the entities, and the class of the policy.
  var mappings: [(source: String?, destination: String, policy: String?)]

  static let all = [
    ExampleMapping(
      model: "Expenses/Expenses.xcdatamodeld", versions: ("Expenses", "Expenses 2"),
      path: "Expenses/Expenses1to2.xcmappingmodel",
      mappings: [("TrackingPeriod", "TrackingPeriod", "SduTrackingPeriodMigration016To023")]),
    ExampleMapping(
      model: "MoneyMom/Model.xcdatamodeld", versions: ("Model", "Model 2"),
      path: "MoneyMom/Model1-2.xcmappingmodel",
      mappings: [
        ("QuickRecord", "QuickRecord", "Money_Mom.StringAmountToDecimalAmountPolicy"),
        (nil, "Transaction", nil),
      ]),
    ExampleMapping(
      model: "Events/Events.xcdatamodeld", versions: ("Events", "Events 2"),
      path: "Events/StepOne.xcmappingmodel",
      mappings: [("Event", "PrintedEvent", "StepOneEntityMigrationPolicy")]),
    ExampleMapping(
      model: "Events/Events.xcdatamodeld", versions: ("Events", "Events 2"),
      path: "Events/StepTwo.xcmappingmodel",
      mappings: [("Event", "StampedEvent", "StepTwoEntityMigrationPolicy")]),
    // None for tags: it would make a tag without a name of each event.
    ExampleMapping(
      model: "Locations/Locations.xcdatamodeld", versions: ("Locations", "Locations 2"),
      path: "Locations/Locations1to2.xcmappingmodel",
      mappings: [("Event", "Event", "TagsMigrationPolicy")]),
  ]

  /// The content of `xcmapping.xml`.
  ///
  /// - Parameter folder: The folder of the examples.
  /// - Returns: The text of the file.
  /// - Throws: `ModelError` if a version of the model cannot be read.
  func text(in folder: URL) throws -> String {
    func archive(_ version: String) throws -> Data {
      let path = folder.appendingPathComponent("\(model)/\(version).xcdatamodel").path
      return try XDPMArchive.make(Model(contentsOf: path)).binary()
    }
    var store = XMLMappingStore(
      folder: model, versions: versions, source: try archive(versions.source),
      destination: try archive(versions.destination))
    for mapping in mappings {
      store.add(from: mapping.source, to: mapping.destination, policy: mapping.policy)
    }
    return store.text
  }
}
