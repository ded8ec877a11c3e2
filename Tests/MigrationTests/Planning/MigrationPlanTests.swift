import CoreDataStores
import DataModel
import Foundation
import MappingModelTesting
import Migration
import TestSupport
import Testing

@Suite("The steps of a migration")
struct MigrationPlanTests {
  /// Versions of a model, each with an attribute more than the one before it.
  private static let versions = (1...6).map { number in
    version("V\(number)", attributes: number)
  }

  /// A version of the model with some attributes.
  private static func version(
    _ name: String, attributes: Int, type: AttributeType = .string, others: [String] = []
  ) -> ModelVersion {
    var entities = [
      Entity(
        name: "Car",
        attributes: (0..<attributes).map {
          Attribute(name: "a\($0)", type: $0 == 0 ? type : .string)
        }
      )
    ]
    entities += others.map { Entity(name: $0) }
    return ModelVersion(
      name: name, path: "M.xcdatamodeld/\(name).xcdatamodel",
      source: ModelSource(Model(entities: entities)))
  }

  /// A compiled mapping model between two versions.
  private static func mapping(
    _ source: ModelVersion, _ destination: ModelVersion, name: String? = nil,
    _ change: (inout MappingModel) -> Void = { _ in }
  ) throws -> AvailableMappingModel {
    var model = try InferredMapping(
      from: source.source.model, to: destination.source.model
    ).model
    change(&model)
    return try AvailableMappingModel(
      .compiled(model), path: name ?? "maps/\(source.name)to\(destination.name).cdm")
  }

  private static func mappings(_ pairs: [(Int, Int)]) throws -> [AvailableMappingModel] {
    try pairs.map { try mapping(versions[$0 - 1], versions[$1 - 1]) }
  }

  /// From where to where, with which mapping models, and the steps.
  static let plans: [(name: String, from: Int, to: Int, mappings: [(Int, Int)], steps: [String])] =
    [
      ("none where the store is of the version", 3, 3, [(1, 2)], []),
      ("one inferred without mapping models", 1, 4, [], ["1 to 4: inferred"]),
      ("one by a mapping model", 1, 2, [(1, 2)], ["1 to 2: V1toV2.cdm"]),
      (
        "a chain of mapping models before inference", 1, 4, [(3, 4), (1, 2), (2, 3)],
        ["1 to 2: V1toV2.cdm", "2 to 3: V2toV3.cdm", "3 to 4: V3toV4.cdm"]
      ),
      (
        "the shortest chain of mapping models", 1, 4, [(1, 2), (2, 3), (3, 4), (2, 4)],
        ["1 to 2: V1toV2.cdm", "2 to 4: V2toV4.cdm"]
      ),
      (
        "the chain through the first version among equal ones", 1, 4,
        [(1, 3), (3, 4), (2, 4), (1, 2)], ["1 to 2: V1toV2.cdm", "2 to 4: V2toV4.cdm"]
      ),
      (
        "inference before and after a mapping model", 1, 4, [(2, 3)],
        ["1 to 2: inferred", "2 to 3: V2toV3.cdm", "3 to 4: inferred"]
      ),
      (
        "inference between two mapping models", 1, 6, [(1, 2), (5, 6)],
        ["1 to 2: V1toV2.cdm", "2 to 5: inferred", "5 to 6: V5toV6.cdm"]
      ),
      (
        "one inferred past mapping models that lead elsewhere", 2, 3, [(1, 2), (4, 5)],
        ["2 to 3: inferred"]
      ),
      ("back, but not by a newer version", 4, 2, [(2, 3), (3, 4), (4, 5)], ["4 to 2: inferred"]),
      (
        "back by mapping models", 3, 1, [(1, 2), (2, 3), (3, 2), (2, 1)],
        ["3 to 2: V3toV2.cdm", "2 to 1: V2toV1.cdm"]
      ),
    ]

  @Test("are", arguments: plans.indices)
  func steps(index: Int) throws {
    let (_, from, to, mappings, steps) = Self.plans[index]
    let plan = try MigrationPlan(
      from: Self.versions[from - 1], to: Self.versions[to - 1], versions: Self.versions,
      mappingModels: Self.mappings(mappings))
    #expect(plan.steps.map(\.outline) == steps)
    // What is planned does not depend on the order in which the mapping models were given.
    let other = try MigrationPlan(
      from: Self.versions[from - 1], to: Self.versions[to - 1], versions: Self.versions,
      mappingModels: Self.mappings(mappings.reversed()))
    #expect(other.steps.map(\.outline) == steps)
  }

  @Test("are by a mapping model where inference would leave an entity behind")
  func renamedEntity() throws {
    func version(_ name: String, _ entity: String, attributes: Int) -> ModelVersion {
      let names = (0..<attributes).map { "a\($0)" }
      return ModelVersion(
        name: name, path: "M.xcdatamodeld/\(name).xcdatamodel",
        source: ModelSource(
          Model(entities: [
            Entity(name: entity, attributes: names.map { Attribute(name: $0, type: .string) })
          ])))
    }
    // The entity is called otherwise, without a renaming identifier, and then has more attributes.
    let versions = [
      version("V1", "Car", attributes: 3), version("V2", "Vehicle", attributes: 3),
      version("V3", "Vehicle", attributes: 8),
    ]
    let plan = try MigrationPlan(
      from: versions[0], to: versions[2], versions: versions,
      mappingModels: [Self.mapping(versions[0], versions[1])])
    #expect(plan.steps.map(\.outline) == ["1 to 2: V1toV2.cdm", "2 to 3: inferred"])
  }

  @Test("are listed with the kinds of their entity mappings, and the conditions")
  func listing() throws {
    let last = Self.version("V7", attributes: 6, others: ["Wheel", "Tyre"])
    var changed = last
    changed.name = "V8"
    changed.source.model.edit("Car", attribute: "a1") { $0.isOptional = false }
    let plan = try MigrationPlan(
      from: Self.versions[4], to: changed, versions: Self.versions + [last],
      mappingModels: [Self.mapping(Self.versions[5], last)])
    #expect(
      "\(plan)" == """
        1. 'V5' to 'V6': inferred (1 transform)
        2. 'V6' to 'V7': V6toV7.cdm (2 add, 1 copy)
        3. 'V7' to 'V8': inferred (2 copy, 1 transform)
           Car.a1: becomes mandatory and has no default value: every object must have a value
        """)
    let none = try MigrationPlan(from: last, to: last)
    #expect("\(none)" == "no steps: the store is of this version already")
  }

  @Test("tell which mapping model fits the versions and leads elsewhere, as it misses an entity")
  func passedOver() throws {
    // The last version has no wheels any more.
    let versions = [
      Self.version("V1", attributes: 1), Self.version("V2", attributes: 2, others: ["Wheel"]),
      Self.version("V3", attributes: 2),
    ]
    let plan = try MigrationPlan(
      from: versions[0], to: versions[1], versions: versions,
      mappingModels: [
        Self.mapping(versions[0], versions[2], name: "a.cdm"),
        Self.mapping(versions[1], versions[2], name: "b.cdm"),
      ])
    #expect(
      "\(plan)" == """
        1. 'V1' to 'V2': inferred (1 add, 1 transform)
           a.cdm leads from 'V1' to 'V3': it does not map Wheel of 'V2'
        """)
  }

  // MARK: Mapping models

  @Test("take two forms of one mapping model for one")
  func twoForms() throws {
    let pair = (Self.versions[0], Self.versions[1])
    let plan = try MigrationPlan(
      from: pair.0, to: pair.1,
      mappingModels: [
        Self.mapping(pair.0, pair.1), Self.mapping(pair.0, pair.1, name: "other.cdm"),
      ])
    #expect(plan.steps.map(\.outline) == ["1 to 2: V1toV2.cdm"])
  }

  @Test("use mapping models together that divide the entities among them")
  func passes() throws {
    let source = Self.version("V1", attributes: 1, others: ["Wheel"])
    let target = Self.version("V2", attributes: 2, others: ["Wheel"])
    let plan = try MigrationPlan(
      from: source, to: target,
      mappingModels: [
        Self.mapping(source, target, name: "b.cdm") { $0.entityMappings.removeFirst() },
        Self.mapping(source, target, name: "a.cdm") { $0.entityMappings.removeLast() },
      ])
    #expect(plan.steps.map(\.outline) == ["1 to 2: a.cdm, b.cdm"])
    #expect(
      plan.steps[0].mappingModels.map { $0.entityMappings.map(\.name) } == [
        ["IEM_Transform_Car"], ["IEM_Copy_Wheel"],
      ])
  }

  @Test("are not guessed where different mapping models map the same entities")
  func ambiguity() throws {
    let pair = (Self.versions[0], Self.versions[1])
    let error = #expect(throws: MigrationPlanError.self) {
      try MigrationPlan(
        from: pair.0, to: pair.1,
        mappingModels: [
          Self.mapping(pair.0, pair.1, name: "b.cdm"),
          Self.mapping(pair.0, pair.1, name: "a.cdm") { $0.entityMappings[0].name = "other" },
        ])
    }
    #expect(
      error.map { "\($0)" }
        == "several mapping models lead from 'V1' to 'V2' and map the same entities: a.cdm, b.cdm")
  }

  @Test("are missing where nothing leads to the target, with what was looked at")
  func missing() throws {
    let target = Self.version("V7", attributes: 1, type: .date)
    let error = #expect(throws: MigrationPlanError.self) {
      try MigrationPlan(
        from: Self.versions[0], to: target, versions: Self.versions,
        mappingModels: Self.mappings([(1, 2)])
          + [
            AvailableMappingModel(
              Self.document(from: "Old", ["A"], to: "New", ["B"]),
              path: "Old.xcmappingmodel/xcmapping.xml")
          ])
    }
    #expect(
      error.map { "\($0)" } == """
        no mapping model leads from 'V1' to 'V7', and none can be inferred:
          Car.a0: source and destination attribute types are incompatible: string and date
          V1toV2.cdm leads from 'V1' to 'V2'
          Old.xcmappingmodel leads from 'Old', which is not at hand to 'New', which is not at hand
          a mapping file converts such values, with 'run' in place of 'migrate' (and --layout coredata):
            entities:
              Car:
                attributes:
                  a0: {convert: date}
        """)
  }

  @Test("are missing where only several runs lead to the target, by way of versions that are named")
  func waypoints() throws {
    let target = Self.version("V9", attributes: 1, type: .integer16)
    let error = #expect(throws: MigrationPlanError.self) {
      try MigrationPlan(
        from: Self.versions[0], to: target,
        versions: [Self.version("V8", attributes: 0), Self.versions[3]])
    }
    #expect(
      error.map { "\($0)" } == """
        no mapping model leads from 'V1' to 'V9', and none can be inferred:
          Car.a0: source and destination attribute types are incompatible: string and integer16
          no mapping models were given
          inferred steps lead there by way of 'V8': migrate to 'V8' first, in a run of its own
          a mapping file converts such values, with 'run' in place of 'migrate' (and --layout coredata):
            entities:
              Car:
                attributes:
                  a0: {convert: {number: {type: integer}}}
        """)
  }

  @Test("have a limit for mapping models")
  func limit() throws {
    let mapping = try Self.mapping(Self.versions[0], Self.versions[1])
    #expect(throws: MigrationPlanError.tooMany(limit: 500)) {
      try MigrationPlan(
        from: Self.versions[0], to: Self.versions[1],
        mappingModels: Array(repeating: mapping, count: 501))
    }
  }

  /// A mapping model in source form that embeds models with entities without properties.
  private static func document(
    from source: String, _ sourceEntities: [String]?, to destination: String,
    _ destinationEntities: [String]?
  ) throws -> MappingModelFile {
    let text = MappingDocument.text(
      from: source, sourceEntities, to: destination, destinationEntities)
    return try MappingModelFile(Data(text.utf8))
  }

  // MARK: Drift

  private static let drifting = [
    version("V1", attributes: 0), version("V2", attributes: 0, others: ["Wheel"]),
  ]

  @Test("need consent where a version was edited after its mapping model was made")
  func drift() throws {
    let (source, target) = (Self.drifting[0], Self.drifting[1])
    let mapping = try AvailableMappingModel(
      Self.document(from: "V1", ["Car"], to: "V2", ["Car", "Tyre"]),
      path: "V1toV2.xcmappingmodel")
    let words =
      "V1toV2.xcmappingmodel was made for another version of 'V2', which differs in Tyre, Wheel"
    let error = #expect(throws: MigrationPlanError.self) {
      try MigrationPlan(from: source, to: target, mappingModels: [mapping])
    }
    #expect(
      error.map { "\($0)" }
        == "versions of the model were edited after the mapping model was made:\n  \(words)")
    let plan = try MigrationPlan(
      from: source, to: target, mappingModels: [mapping], acceptsDrift: true)
    #expect(
      "\(plan)" == "1. 'V1' to 'V2': V1toV2.xcmappingmodel (1 copy)\n   \(words)")
  }

  @Test("prefer a mapping model that was made for the very versions")
  func noDrift() throws {
    let (source, target) = (Self.drifting[0], Self.drifting[1])
    let plan = try MigrationPlan(
      from: source, to: target,
      mappingModels: [
        AvailableMappingModel(
          Self.document(from: "V1", ["Car"], to: "V2", ["Car"]),
          path: "draft.xcmappingmodel"),
        AvailableMappingModel(
          Self.document(from: "V1", ["Car"], to: "V2", ["Car", "Wheel"]),
          path: "final.xcmappingmodel"),
      ])
    #expect(plan.steps.map(\.outline) == ["1 to 2: final.xcmappingmodel"])
  }

  @Test("need consent where a mapping model does not tell its versions but by name")
  func onlyNames() throws {
    let (source, target) = (Self.drifting[0], Self.drifting[1])
    let mapping = try AvailableMappingModel(
      Self.document(from: "V1", nil, to: "V2", nil), path: "a.xcmappingmodel")
    let error = #expect(throws: MigrationPlanError.self) {
      try MigrationPlan(from: source, to: target, mappingModels: [mapping])
    }
    #expect(
      error.map { "\($0)" } == """
        versions of the model were edited after the mapping model was made:
          a.xcmappingmodel does not tell for which version it was made; 'V1' has its name
          a.xcmappingmodel does not tell for which version it was made; 'V2' has its name
        """)
  }

  @Test("name what a compiled mapping model knows otherwise, of the nearest version")
  func compiledDrift() throws {
    let source = Self.version("V1", attributes: 1, others: ["Wheel"])
    let target = Self.version("V2", attributes: 2, others: ["Wheel"])
    let draft = Self.version("draft", attributes: 3, others: ["Wheel"])
    let mapping = try Self.mapping(source, draft, name: "a.cdm")
    let error = #expect(throws: MigrationPlanError.self) {
      try MigrationPlan(
        from: source, to: target, versions: [Self.versions[5]], mappingModels: [mapping])
    }
    #expect(
      error.map { "\($0)" } == """
        versions of the model were edited after the mapping model was made:
          a.cdm was made for another version of 'V2', which differs in Car
        """)
  }
}

extension MigrationStep {
  /// The numbers of the versions, and how they are connected.
  fileprivate var outline: String {
    let names = "\(self)".split(separator: " (")[0]
    return String(names.replacing("'V", with: "").replacing("'", with: ""))
  }
}
