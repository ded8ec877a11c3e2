import ArchiveReader
import Converter
import CoreDataStores
import DataModel
import Foundation
import GraphCore
import GraphTesting
import Mappings
import Migration
import Support
import Testing

@testable import Migration

/// Migrations of real stores, of which Core Data wrote both the old and the new one.
@Suite(.enabled(if: SharedFolder.path("sources") != nil, "needs the folder of real stores"))
struct RealMigrationTests {
  private static func path(_ name: String) throws -> String {
    try #require(SharedFolder.path("sources/\(name)"))
  }

  private static func store(_ name: String, _ model: String? = nil) throws -> any CoreDataSource {
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

  @Test("Steps are migrations of migrations: Moody's first store becomes the fifth")
  func steps() throws {
    let expected = try Self.store("moody/stores/Moody 5.moody")
    var source = try Self.store("moody/stores/Moody.moody")
    for version in 2...5 {
      let destination = try ModelSource(
        contentsOf: Self.path("moody/Moody.xcdatamodeld/Moody \(version).xcdatamodel"))
      let model =
        version == 2
        ? MappingModel.byNames(from: source.modelSource.model, to: destination.model)
        : try Self.mappingModel(
          "moody/mappings/Moody \(version - 1)-Moody \(version).xcmappingmodel",
          from: source.modelSource.model, to: destination.model)
      source = try MigratedSource(source, by: model, to: destination)
    }
    #expect(try StoreContent.lines(source) == StoreContent.lines(expected))
    #expect(checkGraph(source) == [])
  }

  /// Makes one continent of each code that countries have.
  private final class ContinentPolicy: MigrationPolicy {
    func createDestinationInstances(
      forSource source: SourceInstance, in mapping: MigrationMapping,
      manager: MigrationManager
    ) throws {
      let country = try manager.createDestinationInstances(forSource: source, in: mapping)
      let code = try source.value(forKey: "isoContinent")
      let continent = try manager.context.findOrInsert(
        into: "Continent", identity: ["numericISO3166Code": code])
      country["continent"] = continent
    }
  }

  @Test("A policy makes Moody's continents out of the codes of countries")
  func continents() throws {
    let source = try Self.store("moody/stores/Moody 5.moody")
    let destination = try ModelSource(
      contentsOf: Self.path("moody/Moody.xcdatamodeld/Moody 6.xcdatamodel"))
    let model = try Self.mappingModel(
      "moody/mappings/Moody 5-Moody 6.xcmappingmodel", from: source.modelSource.model,
      to: destination.model)
    let name = try #require(model.entityMappings.compactMap(\.policyClassName).first)
    let migrated = try MigratedSource(
      source, by: model, to: destination,
      MigratedSource.Setting(policies: [name: ContinentPolicy.self]))
    #expect(checkGraph(migrated) == [])
    let objects = try StoreContent.objects(migrated)
    let code = "numericISO3166Code"
    let continents = objects.filter { $0.entity == "Continent" }.map { continent in
      let countries = continent.links["countries"]?.compactMap { $0[code] }.sorted() ?? []
      return "\(continent.attributes[code] ?? "?"): \(countries.joined(separator: " "))"
    }
    #expect(continents.sorted() == ["10004: 231 710", "10005: 704"])
    let moods = objects.filter { $0.entity == "Mood" }
    #expect(moods.count == 4)
    #expect(moods.allSatisfy { $0.links["country"]?.count == 1 })
    #expect(migrated.summary.otherObjects == 2)
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

  /// Does what Core Data does.
  private final class DefaultPolicy: MigrationPolicy {}

  @Test("Two mapping models, which divide the entities, run as one step")
  func dividedEntities() throws {
    let folder = try Self.path("bookmigration")
    let planner = try MigrationPlanner(
      modelPaths: ["\(folder)/Model.xcdatamodeld/Model3.xcdatamodel"],
      mappingModelPaths: ["Model1_to_Model2", "Model2_to_Model3", "Model2_to_Model3_User"].map {
        "\(folder)/mappings/\($0).xcmappingmodel"
      })
    let path = "\(folder)/stores/Model1.sqlite"
    let version = try planner.sourceVersion(ofStoreAt: path).version
    var source: any CoreDataSource = try SQLiteStoreSource(path: path, model: version.source)
    var listings: [String] = []
    for step in try planner.plan(from: version).steps {
      let migrated = try MigratedSource(
        source, running: step,
        MigratedSource.Setting(policies: ["MHWBookToBookPolicy": DefaultPolicy.self]))
      #expect(checkGraph(migrated) == [])
      listings.append("\(migrated.summary)")
      source = migrated
    }
    #expect(
      listings == [
        """
        UserToUser: 3 User to 3 User
        Author: 0 new Author
        BookToBook: 4 Book to 4 Book
          not read: authorName (4 values)
          left at the default: authors
        """,
        """
        File: 0 new File
        BookToBook: 4 Book to 4 Book
          not read: fileURL (4 values), users (4 values)
          left at the default: files
        AuthorToAuthor: 0 Author to 0 Author
        UserToUser: 3 User to 3 User
          not read: books (1 value)
          left at the default: files
        """,
      ])
  }

  @Test("DayMap's objects and links are all in the store that Core Data made")
  func dayMap() throws {
    let models = CoreDataStoreKind(modelPaths: [try Self.path("daymap/models")])
    func open(_ name: String) throws -> any CoreDataSource {
      let path = try Self.path("daymap/stores/\(name).b_storedata")
      let opened = try models.open(
        ByteStorage(Data(contentsOf: URL(fileURLWithPath: path))), at: path, limits: .standard,
        salvages: false)
      return try #require(opened as? any CoreDataSource)
    }
    let (source, expected) = (try open("1.5.3"), try open("1.6.0"))
    let mapping = try AvailableMappingModel(
      contentsOf: Self.path("daymap/mappings/Data4to5MappingModel.xcmappingmodel"))
    let model = mapping.compiled(
      from: source.modelSource.model, to: expected.modelSource.model)
    // The entity was taken out of the model after the mapping model had been made.
    #expect(
      throws: MigrationError(
        .mappingModel, entityMapping: "RepeatDefinitionToRepeatDefinition",
        name: "the destination model has no entity RepeatDefinition")
    ) {
      try MigratedSource(source, by: model, to: expected.modelSource)
    }
    let versions = try ModelVersions(contentsOf: Self.path("daymap/models")).versions
    let placement = try #require(mapping.placement(among: versions))
    let plan = try MigrationPlan(
      from: placement.source, to: placement.destination, mappingModels: [mapping],
      acceptsDrift: true)
    let migrated = try MigratedSource(source, running: #require(plan.steps.first))
    #expect(checkGraph(migrated) == [])
    #expect(
      migrated.summary.omissions.map(\.entityMapping) == ["RepeatDefinitionToRepeatDefinition"])
    let (ours, theirs) = (try IdentifiedObject.all(migrated), try IdentifiedObject.all(expected))
    #expect(ours.count == 50)
    #expect(ours.values.reduce(0) { $0 + $1.links.count } == 91)
    var differing: [String: Int] = [:]
    for (uuid, object) in ours {
      let other = try #require(theirs[uuid], "\(object.entity) \(uuid)")
      #expect(object.entity == other.entity)
      #expect(object.links.isSubset(of: other.links))
      for (key, value) in object.attributes where other.attributes[key] != value {
        differing["\(object.entity).\(key)", default: 0] += 1
      }
    }
    // What the application and its user changed later.
    #expect(
      differing == [
        "DayMap.dataModelVersion": 1, "Project.sortIndex": 2, "ProjectDisplayAttributes.color": 6,
      ])
    let summary = migrated.summary
    #expect(summary.entityMappings.map(\.sourceObjects) == [0, 6, 1, 7, 36])
    #expect(summary.entityMappings.map(\.destinationObjects) == [0, 6, 1, 7, 36])
    #expect(summary.unmigratedObjects == [:])
    #expect(summary.replacedLinks == 0)
  }
}

/// An object whose attribute `uuid` tells which it is.
private struct IdentifiedObject {
  var entity: String
  var attributes: [String: String] = [:]
  /// The key and the UUID of each object that it is linked to.
  var links: Set<[String]> = []

  /// The objects of a source, by their UUIDs.
  static func all(_ source: any GraphSource) throws -> [String: IdentifiedObject] {
    var found: [String: IdentifiedObject] = [:]
    for object in try StoreContent.objects(source) {
      let uuid = try #require(object.attributes["uuid"])
      var identified = IdentifiedObject(entity: object.entity, attributes: object.attributes)
      for (key, targets) in object.links {
        for target in targets { identified.links.insert([key, target["uuid"] ?? "?"]) }
      }
      found[uuid] = identified
    }
    return found
  }
}
