import Foundation
import TestSupport
import Testing

@testable import CoreDataStores
@testable import DataModel

@Suite(
  "Models of real applications",
  .enabled(if: SourceSamples.folder != nil, Comment(rawValue: SourceSamples.absence)))
struct SourceModelConformanceTests {
  /// The destinations that were edited after the mapping was made: the version that is nearest, and
  /// how near.
  private static let edited = [
    "daymap/mappings/Data3to4MappingModel.xcmappingmodel/xcmapping.xml":
      "'DayMap 2' fits 0 of 7 entities",
    "daymap/mappings/Data4to5MappingModel.xcmappingmodel/xcmapping.xml":
      "'DayMap 4' fits 6 of 7 entities (RepeatDefinition differs)",
    "daymap/mappings/Model_2.11_to_3.0.xcmappingmodel/xcmapping.xml":
      "'DayMap 9' fits 7 of 12 entities",
    "money-mom/mappings/Model1-2.xcmappingmodel/xcmapping.xml":
      "'Model 2' fits 1 of 2 entities (Transaction differs)",
  ]

  @Test("A mapping model embeds a version of its application", arguments: mappings)
  func mapping(_ name: String) throws {
    let embedded = try ModelVersions(contentsOf: SourceSamples.path(name))
    #expect(embedded.errors == [])
    try #require(embedded.versions.count == 2)
    let models = try ModelVersions(contentsOf: SourceSamples.models(of: name))
    #expect(models.errors == [])
    let source = embedded.versions[0]
    let match = try models.match(.hashes(source.source.hashes()), of: name)
    #expect(([match.version.name] + match.equals).contains(source.name))

    let destination = StoreEntities.hashes(embedded.versions[1].source.hashes())
    guard let nearest = Self.edited[name] else {
      let match = try models.match(destination, of: name)
      #expect(match.version.name == embedded.versions[1].name)
      #expect(match.notes == [])
      return
    }
    let error = #expect(throws: ModelError.self) { try models.match(destination, of: name) }
    #expect(error?.code == .noMatchingVersion)
    #expect(error?.name?.split(separator: ": ", maxSplits: 1).last?.hasPrefix(nearest) == true)
  }

  /// The mapping models with models beside them.
  private static let mappings = SourceSamples.files("/xcmapping.xml")
    .filter { !$0.hasPrefix("coredataplus") }

  @Test("All mapping models with models beside them are tried")
  func count() {
    #expect(Self.mappings.count == 19)
    #expect(Self.edited.count == 4)
  }

  @Test("One mapping file is enough to know both models")
  func mappingAlone() throws {
    let name = "coredataplus-mapping/V2toV3.xcmappingmodel"
    let versions = try ModelVersions(contentsOf: SourceSamples.path(name))
    #expect(
      versions.versions.map(\.description) == [
        "'SampleModel2' (the source of 'V2toV3')", "'SampleModel3' (the destination of 'V2toV3')",
      ])
    #expect(
      versions.versions.map { $0.source.model.entities.map(\.name) } == [
        ["Car", "LuxuryCar", "Person", "SportCar"],
        ["Car", "LuxuryCar", "Maker", "Person", "SportCar"],
      ])
    let error = #expect(throws: ModelError.self) {
      try ModelVersions(contentsOf: SourceSamples.path("coredataplus-mapping/V2toV3.cdm"))
    }
    #expect(error?.code == .missingModel)
  }

  @Test(
    "A store is of one version",
    arguments: [
      ("bookmigration/stores/Model1.sqlite", "Model1"),
      ("daymap/stores/1.1.0.storedata", "DayMap 2"),
      ("moody/stores/Moody.moody", "Moody"), ("moody/stores/Moody 2.moody", "Moody 2"),
      ("moody/stores/Moody 3.moody", "Moody 3"), ("moody/stores/Moody 4.moody", "Moody 4"),
      ("moody/stores/Moody 5.moody", "Moody 5"),
      ("wibosco-example/stores/CoreDataMigration_Example_1.sqlite", "CoreDataMigration_Example"),
      (
        "wibosco-example/stores/CoreDataMigration_Example_WAL.sqlite", "CoreDataMigration_Example 4"
      ),
      ("wibosco-revised/stores/CoreDataMigration_Example_1.sqlite", "CoreDataMigration_Example"),
      ("wibosco-revised/stores/CoreDataMigration_Example_2.sqlite", "CoreDataMigration_Example 2"),
      ("wibosco-revised/stores/CoreDataMigration_Example_3.sqlite", "CoreDataMigration_Example 3"),
    ])
  func store(_ name: String, _ version: String) throws {
    let folder = try TemporaryFolder()
    let path = try SourceSamples.copy(SourceSamples.path(name), to: folder)
    let models = try ModelVersions(contentsOf: SourceSamples.models(of: name))
    let match = try models.match(CoreDataStore(path).entities(), of: path)
    #expect(match.version.name == version)
    #expect(match.comparison.matching == match.comparison.entityCount)
    #expect(match.notes == [])
  }

  @Test(
    "A binary store is of one version",
    arguments: [
      ("1.5.1", "DayMap 3"), ("1.5.3", "DayMap 4"), ("1.6.0", "DayMap 5"),
      ("1.9.0-lite", "DayMap 7"),
    ])
  func binaryStore(_ name: String, _ version: String) throws {
    let path = SourceSamples.path("daymap/stores/\(name).b_storedata")
    let hashes = try Self.hashes(ofBinaryStore: path)
    #expect(!hashes.isEmpty)
    let models = try ModelVersions(contentsOf: SourceSamples.path("daymap/models"))
    #expect(try models.match(.hashes(hashes), of: name).version.name == version)
  }

  /// The version hashes in a binary store, as Foundation reads its metadata.
  private static func hashes(ofBinaryStore path: String) throws -> [String: Data] {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    func number(_ offset: Int) -> Int {
      bytes[offset..<offset + 8].reduce(0) { $0 << 8 | Int($1) }
    }
    let archive = Data(bytes[number(16)..<number(16) + number(24)])
    let reader = try NSKeyedUnarchiver(forReadingFrom: archive)
    reader.requiresSecureCoding = false
    let metadata = reader.decodeObject(forKey: "metadata") as? [String: Any]
    return metadata?["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
  }
}

extension ModelMatch {
  /// The names of versions with the same entities.
  fileprivate var equals: [String] {
    notes.flatMap { note -> [String] in
      guard case .equalVersions(let versions) = note else { return [] }
      return versions.map { $0.trimmingCharacters(in: ["'"]) }
    }
  }
}
