import ArchiveReader
import CoreDataStores
import DataModel
import Foundation
import GraphCore
import GraphTesting
import MappingModels
import Migration
import Support
import Testing

/// Migrations of real stores, of which Core Data wrote both the old and the new one.
@Suite(.enabled(if: SharedFolder.path("sources") != nil, "needs the folder of real stores"))
struct RealMigrationTests {
  private static func path(_ name: String) throws -> String {
    try #require(SharedFolder.path("sources/\(name)"))
  }

  private static func store(_ name: String, _ model: String? = nil) throws -> any ModelledSource {
    let path = try path(name)
    let given = try model.map { try ModelSource(contentsOf: self.path($0)) }
    guard path.hasSuffix("b_storedata"), let given else {
      return try SQLiteStoreSource(path: path, model: given)
    }
    return try BinaryStoreSource(
      ByteStorage(Data(contentsOf: URL(fileURLWithPath: path))), model: given)
  }

  private static func mappingModel(
    _ name: String, from source: Model, to destination: Model
  ) throws -> MappingModel {
    switch try MappingModelFile(contentsOf: path(name)) {
    case .document(let document): document.compiled(from: source, to: destination)
    case .compiled(let model): model
    }
  }

  @Test(
    "Moody's stores are what Core Data made of them",
    arguments: [
      ("Moody", "Moody 2", String?.none), ("Moody 2", "Moody 3", "Moody 2-Moody 3"),
      ("Moody 3", "Moody 4", "Moody 3-Moody 4"), ("Moody 4", "Moody 5", "Moody 4-Moody 5"),
    ])
  func moody(old: String, new: String, mapping: String?) throws {
    let source = try Self.store("moody/stores/\(old).moody")
    let expected = try Self.store("moody/stores/\(new).moody")
    let destination = try ModelSource(
      contentsOf: Self.path("moody/Moody.xcdatamodeld/\(new).xcdatamodel"))
    let model =
      try mapping.map {
        try Self.mappingModel(
          "moody/mappings/\($0).xcmappingmodel", from: source.modelSource.model,
          to: destination.model)
      } ?? MappingModel.byNames(from: source.modelSource.model, to: destination.model)
    let migrated = try MigratedSource(source, by: model, to: destination)
    #expect(try StoreContent.lines(migrated) == StoreContent.lines(expected))
    #expect(checkGraph(migrated) == [])
    #expect(migrated.metadata.uuid == expected.metadata.uuid)
    #expect(migrated.metadata.versionHashes == expected.metadata.versionHashes)
  }

  @Test("The revised example of Wibosco's is what Core Data made of it")
  func wibosco() throws {
    let folder = "wibosco-revised/CoreDataMigration_Example.xcdatamodeld"
    let source = try Self.store("wibosco-revised/stores/CoreDataMigration_Example_1.sqlite")
    let expected = try Self.store("wibosco-revised/stores/CoreDataMigration_Example_2.sqlite")
    let destination = try ModelSource(
      contentsOf: Self.path("\(folder)/CoreDataMigration_Example 2.xcdatamodel"))
    let migrated = try MigratedSource(
      source, by: .byNames(from: source.modelSource.model, to: destination.model),
      to: destination)
    #expect(try StoreContent.lines(migrated) == StoreContent.lines(expected))
    #expect(checkGraph(migrated) == [])
  }
}
