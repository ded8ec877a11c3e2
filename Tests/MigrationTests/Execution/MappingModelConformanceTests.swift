import ArchiveReader
import Converter
import CoreDataStores
import DataModel
import Foundation
import GraphCore
import GraphTesting
import Mappings
import Migration
import Testing

/// Runs each of the real mapping models between the versions that it leads between.
@Suite(
  "Real mapping models",
  .enabled(if: SharedFolder.path("sources") != nil, "needs the folder of real stores"))
struct MappingModelConformanceTests {
  /// Does what Core Data does, and has the functions that the mapping models call: they give
  /// nothing.
  private final class AnyPolicy: MigrationPolicy {
    private static let selectors = [
      "createUUID", "dataModelVersion", "migrateDetails:", "modifiedDate",
    ]

    var functions: [String: PolicyFunction] {
      Dictionary(
        uniqueKeysWithValues: Self.selectors.map { selector in
          (selector, { _, _ in .null })
        })
    }
  }

  static func paths() -> [String] {
    guard let folder = SharedFolder.path("sources") else { return [] }
    return (FileManager.default.subpaths(atPath: folder) ?? [])
      .filter { $0.hasSuffix(".xcmappingmodel") || $0.hasSuffix(".cdm") }.sorted()
  }

  /// The step that a mapping model leads, between the versions at hand or else those that it
  /// embeds.
  private static func step(_ path: String) throws -> MigrationStep {
    let folder = try #require(SharedFolder.path("sources"))
    let mapping = try AvailableMappingModel(contentsOf: "\(folder)/\(path)")
    let project = String(path.prefix { $0 != "/" })
    var versions = mapping.embeddedVersions
    if let known = SharedSources.projects[project] {
      versions = try ModelVersions(contentsOf: "\(folder)/\(project)/\(known.models)").versions
    } else if versions.isEmpty {
      versions = try AvailableMappingModel(
        contentsOf: "\(folder)/\(project)/V2toV3.xcmappingmodel"
      ).embeddedVersions
    }
    let placement = try #require(mapping.placement(among: versions))
    let plan = try MigrationPlan(
      from: placement.source, to: placement.destination, versions: versions,
      mappingModels: [mapping], acceptsDrift: true)
    return try #require(plan.steps.first)
  }

  /// What is missing for a step without policies; "nothing" if it runs.
  private static func missing(_ step: MigrationStep) -> String {
    do throws(MigrationError) {
      try MigrationProgram.check(step)
      return "nothing"
    } catch {
      return ([error] + error.others).map { error in
        [error.code.rawValue, error.entityMapping, error.property].compactMap { $0 }
          .joined(separator: " ")
      }.joined(separator: ", ")
    }
  }

  @Test("say what is missing, and run with it", arguments: paths())
  func run(path: String) throws {
    let step = try Self.step(path)
    let names = Set(step.mappingModels.flatMap(\.entityMappings).compactMap(\.policyClassName))
    let policies = Dictionary(uniqueKeysWithValues: names.map { ($0, AnyPolicy.self) })
    try MigrationProgram.check(step, policies: policies)
    let migrated = try MigratedSource(
      SampleObjects(step.source.source.model).open(), running: step,
      MigratedSource.Setting(policies: policies))
    #expect(checkGraph(migrated) == [])
    let outcome = "missing: \(Self.missing(step))\n\(migrated.summary)"
    #expect(outcome == MappingModelOutcomes.all[path])
  }

  @Test("are all known")
  func knownPaths() {
    #expect(Set(Self.paths()) == Set(MappingModelOutcomes.all.keys))
  }
}
