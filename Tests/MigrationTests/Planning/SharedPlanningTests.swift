import CoreDataStores
import DataModel
import Foundation
import Migration
import TestSupport
import Testing

/// Real models with their mapping models, which stand beside the repository on some machines.
enum SharedSources {
  /// Their folder; nil where it is absent.
  static let folder: String? = {
    let path = URL(fileURLWithPath: Repository.root).deletingLastPathComponent()
      .appendingPathComponent("shared/sources").path
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  /// A project: the folder of its versions, and their names in the order in which they were
  /// released.
  struct Project: Sendable {
    var name: String
    var models: String
    var versions: [String]

    func planner(to version: Int) throws -> MigrationPlanner {
      let folder = try #require(SharedSources.folder)
      let mappings = "\(folder)/\(name)/mappings"
      let names = try FileManager.default.contentsOfDirectory(atPath: mappings).sorted()
      return try MigrationPlanner(
        modelPaths: [path(of: version)], versionPaths: ["\(folder)/\(name)/\(models)"],
        mappingModelPaths: names.map { "\(mappings)/\($0)" })
    }

    func path(of version: Int) throws -> String {
      let folder = try #require(SharedSources.folder)
      return "\(folder)/\(name)/\(models)/\(versions[version]).xcdatamodel"
    }
  }

  private static let example = "CoreDataMigration_Example"
  static let projects: [String: Project] = Dictionary(
    uniqueKeysWithValues: [
      Project(
        name: "moody", models: "Moody.xcdatamodeld",
        versions: ["Moody", "Moody 2", "Moody 3", "Moody 4", "Moody 5", "Moody 6"]),
      Project(
        name: "daymap", models: "models",
        versions: [
          "DayMap", "DayMap 2", "DayMap 3", "DayMap 4", "DayMap 5", "DayMap 6", "DayMap 7",
          "DayMap 9", "DayMap2.11", "DayMap3.0",
        ]),
      Project(
        name: "wibosco-example", models: "\(example).xcdatamodeld",
        versions: [example, "\(example) 2", "\(example) 3", "\(example) 4"]),
      Project(
        name: "wibosco-revised", models: "\(example).xcdatamodeld",
        versions: [example, "\(example) 2", "\(example) 3", "\(example) 4"]),
      Project(
        name: "bookmigration", models: "Model.xcdatamodeld",
        versions: ["Model1", "Model2", "Model3"]),
      Project(
        name: "money-mom", models: "Model.xcdatamodeld",
        versions: ["Model", "Model 2", "Model 3", "Model 4", "Model 5"]),
    ].map { ($0.name, $0) })
}

@Suite(
  "Real versions of models",
  .enabled(if: SharedSources.folder != nil, "there is no ../shared/sources beside the repository"))
struct SharedPlanningTests {
  /// What is inferred from a version to the next: the kinds of the entity mappings, how many
  /// changes there are, and the conditions; or the reasons why nothing is.
  static let inferences: [(project: String, from: Int, result: [String])] = [
    ("moody", 0, ["2 copy, 1 transform; 2 changes"]),
    ("moody", 1, ["1 copy, 2 transform; 2 changes"]),
    (
      "moody", 2,
      [
        "1 copy, 2 transform; 3 changes",
        "Continent: no two objects may have the same values of numericISO3166Code, uniquenessDummy",
        "Country: no two objects may have the same values of numericISO3166Code, uniquenessDummy",
      ]
    ),
    ("moody", 3, ["1 remove, 2 transform; 12 changes"]),
    ("moody", 4, ["1 add, 1 copy, 1 transform; 5 changes"]),
    ("daymap", 0, ["1 copy, 3 transform; 8 changes"]),
    (
      "daymap", 1,
      [
        "AbstractTask: cannot merge multiple root entity source tables into one destination entity "
          + "root table: Project, Task"
      ]
    ),
    (
      "daymap", 8,
      [
        "10 transform, 1 add, 2 remove; 42 changes",
        "DayMap.inbox: links to objects of Project are left behind: it cannot hold them",
      ]
    ),
    ("wibosco-example", 0, ["1 transform; 2 changes"]),
    (
      "wibosco-example", 1,
      [
        "1 add, 1 transform; 6 changes",
        "Post.color: is new and mandatory: every object has to get one through the inverse",
      ]
    ),
    ("wibosco-example", 2, ["1 copy, 1 transform; 1 changes"]),
    ("wibosco-revised", 0, ["1 transform; 1 changes"]),
    ("wibosco-revised", 2, ["1 copy, 1 transform; 1 changes"]),
    ("bookmigration", 0, ["1 add, 2 transform; 8 changes"]),
    ("bookmigration", 1, ["1 add, 1 copy, 2 transform; 9 changes"]),
    (
      "money-mom", 0,
      [
        "QuickRecord.amount: source and destination attribute types are incompatible: string and "
          + "decimal"
      ]
    ),
    ("money-mom", 1, ["1 add, 2 copy; 4 changes"]),
    (
      "money-mom", 2,
      [
        "QuickRecord.tags: is a relationship, but was an attribute",
        "Transaction.tags: is a relationship, but was an attribute",
      ]
    ),
    (
      "money-mom", 3,
      [
        "Transaction.type: source and destination attribute types are incompatible: transformable "
          + "and integer16"
      ]
    ),
  ]

  @Test("are inferred from each other, or not", arguments: inferences.indices)
  func inference(index: Int) throws {
    let (name, from, expected) = Self.inferences[index]
    let project = try #require(SharedSources.projects[name])
    let source = try Model(contentsOf: project.path(of: from))
    let destination = try Model(contentsOf: project.path(of: from + 1))
    var result: [String]
    do throws(InferenceError) {
      let mapping = try InferredMapping(from: source, to: destination)
      let kinds = Dictionary(grouping: mapping.model.entityMappings, by: \.kind.word)
      let counts = kinds.map { "\($1.count) \($0)" }.sorted { $0.dropFirst(2) < $1.dropFirst(2) }
      result = ["\(counts.joined(separator: ", ")); \(mapping.changeCount) changes"]
      result += mapping.conditions.map(\.description)
    } catch {
      result = error.reasons.map(\.description)
    }
    #expect(result == expected)
  }

  /// The properties that Core Data found under their old names when it migrated published stores.
  static let renamed: [(project: String, entity: String, property: String, source: String)] = [
    ("moody", "Mood", "remoteID", "$source.remoteIdentifier"),
    ("wibosco-revised", "Post", "hexColor", "$source.color"),
  ]

  @Test("are found again under their old names", arguments: renamed.indices)
  func renaming(index: Int) throws {
    let (name, entity, property, expected) = Self.renamed[index]
    let project = try #require(SharedSources.projects[name])
    let mapping = try InferredMapping(
      from: Model(contentsOf: project.path(of: 0)), to: Model(contentsOf: project.path(of: 1)))
    let mapped = mapping.model.entityMappings.first { $0.name == "IEM_Transform_\(entity)" }?
      .attributeMappings.first { $0.name == property }
    #expect(mapped?.valueExpression?.format == expected)
  }

  /// The steps between versions: as printed, or the error.
  static let plans: [(project: String, from: Int, to: Int, steps: String)] = [
    (
      "moody", 0, 5,
      """
      1. 'Moody' to 'Moody 2': inferred (2 copy, 1 transform)
      2. 'Moody 2' to 'Moody 3': Moody 2-Moody 3.xcmappingmodel (3 copy)
      3. 'Moody 3' to 'Moody 4': Moody 3-Moody 4.xcmappingmodel (3 copy)
      4. 'Moody 4' to 'Moody 5': Moody 4-Moody 5.xcmappingmodel (1 copy, 1 transform)
      5. 'Moody 5' to 'Moody 6': Moody 5-Moody 6.xcmappingmodel (1 custom, 1 add, 1 copy)
      """
    ),
    ("moody", 4, 1, "1. 'Moody 5' to 'Moody 2': inferred (1 add, 1 copy, 1 transform)"),
    (
      "daymap", 0, 2,
      """
      1. 'DayMap' to 'DayMap 2': inferred (1 copy, 3 transform)
      2. 'DayMap 2' to 'DayMap 3': Data2To3MappingModel.xcmappingmodel (2 add, 2 copy, 2 transform)
      """
    ),
    (
      "daymap", 3, 5,
      """
      versions of the model were edited after the mapping model was made:
        Data4to5MappingModel.xcmappingmodel was made for another version of 'DayMap 5', which \
      differs in RecurrenceRule, Reminder.task, RepeatDefinition, Task.reminders, Task.repeat
      """
    ),
    (
      "wibosco-example", 0, 3,
      """
      1. 'CoreDataMigration_Example' to 'CoreDataMigration_Example 2': \
      Migration1to2.xcmappingmodel (1 transform)
      2. 'CoreDataMigration_Example 2' to 'CoreDataMigration_Example 3': \
      Migration2to3.xcmappingmodel (1 custom, 1 add)
      3. 'CoreDataMigration_Example 3' to 'CoreDataMigration_Example 4': inferred \
      (1 copy, 1 transform)
      """
    ),
    (
      "wibosco-revised", 0, 1,
      "1. 'CoreDataMigration_Example' to 'CoreDataMigration_Example 2': inferred (1 transform)"
    ),
    (
      "bookmigration", 0, 2,
      """
      1. 'Model1' to 'Model2': Model1_to_Model2.xcmappingmodel (1 custom, 1 add, 1 copy)
      2. 'Model2' to 'Model3': Model2_to_Model3.xcmappingmodel, \
      Model2_to_Model3_User.xcmappingmodel (1 custom, 1 add, 2 copy)
      """
    ),
    (
      "money-mom", 1, 4,
      """
      1. 'Model 2' to 'Model 3': Model2-3.xcmappingmodel (1 custom, 2 copy)
      2. 'Model 3' to 'Model 4': Model3-4.xcmappingmodel (4 custom)
      3. 'Model 4' to 'Model 5': Model4-5.xcmappingmodel (3 custom)
      """
    ),
    (
      "money-mom", 0, 1,
      """
      versions of the model were edited after the mapping model was made:
        Model1-2.xcmappingmodel was made for another version of 'Model 2', which differs in \
      Transaction.quickRecord
      """
    ),
  ]

  @Test("are connected by steps", arguments: plans.indices)
  func plan(index: Int) throws {
    let (name, from, to, expected) = Self.plans[index]
    let project = try #require(SharedSources.projects[name])
    let planner = try project.planner(to: to)
    #expect(planner.target.name == project.versions[to])
    let source = try #require(planner.versions.first { $0.name == project.versions[from] })
    let result: String
    do throws(MigrationPlanError) {
      result = "\(try planner.plan(from: source))"
    } catch {
      result = "\(error)"
    }
    #expect(result == expected)
  }

  @Test("have four mapping models that were made for other versions than were released")
  func drifts() throws {
    var drifting: [String] = []
    for project in SharedSources.projects.values {
      let planner = try project.planner(to: 0)
      for mapping in planner.mappingModels {
        let placement = mapping.placement(among: planner.versions)
        let drifts = try #require(placement?.drifts)
        if !drifts.isEmpty { drifting.append(mapping.name) }
      }
    }
    #expect(
      drifting.sorted() == [
        "Data3to4MappingModel.xcmappingmodel", "Data4to5MappingModel.xcmappingmodel",
        "Model1-2.xcmappingmodel", "Model_2.11_to_3.0.xcmappingmodel",
      ])
  }

  /// Published stores, and the versions that they are of.
  static let stores: [(store: String, version: Int)] = [
    ("moody/stores/Moody.moody", 0), ("moody/stores/Moody 4.moody", 3),
    ("daymap/stores/1.1.0.storedata", 1), ("daymap/stores/1.5.1.b_storedata", 2),
    ("daymap/stores/1.5.3.b_storedata", 3), ("daymap/stores/1.6.0.b_storedata", 4),
    ("wibosco-revised/stores/CoreDataMigration_Example_2.sqlite", 1),
    ("bookmigration/stores/Model1.sqlite", 0),
  ]

  @Test("are those of published stores", arguments: stores.indices)
  func store(index: Int) throws {
    let (path, version) = Self.stores[index]
    let folder = try #require(SharedSources.folder)
    let name = String(path.prefix { $0 != "/" })
    let project = try #require(SharedSources.projects[name])
    let planner = try project.planner(to: version)
    let match = try planner.sourceVersion(ofStoreAt: "\(folder)/\(path)")
    #expect(match.version.name == project.versions[version])
    #expect(try planner.plan(from: match.version).steps.isEmpty)
  }
}
