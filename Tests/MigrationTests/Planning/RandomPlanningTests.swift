import CoreDataStores
import DataModel
import Foundation
import MappingModelTesting
import Migration
import TestSupport
import Testing

@Suite("Random versions and damaged mapping models")
struct RandomPlanningTests {
  @Test(
    "have an inferred mapping model without mistakes, or a reason why not",
    arguments: 1...4 as ClosedRange<UInt64>)
  func inference(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<MutationCount.perFile(usual: 250) {
      let (source, destination) = (Self.model(&random), Self.model(&random))
      do throws(InferenceError) {
        let mapping = try InferredMapping(from: source, to: destination)
        let again = try InferredMapping(from: source, to: destination)
        #expect(mapping == again)
        expectSound(mapping, source, destination)
      } catch {
        #expect(!error.reasons.isEmpty)
        #expect(error.reasons.allSatisfy { !$0.code.isCondition })
      }
    }
  }

  private func expectSound(_ mapping: InferredMapping, _ source: Model, _ destination: Model) {
    let mappings = mapping.model.entityMappings
    #expect(Set(mappings.map(\.name)).count == mappings.count)
    // Each entity that can have objects is mapped, and once.
    let sources = mappings.compactMap(\.sourceEntityName)
    #expect(Set(sources).count == sources.count)
    #expect(Set(Self.concrete(source)).isSubset(of: Set(sources)))
    #expect(mappings.compactMap(\.destinationEntityName).sorted() == Self.concrete(destination))
    // What the check of mapping models takes for an error, a condition tells of.
    let known: Set<MappingModelFinding.Code> = [.missingValue, .missingObject]
    let errors = MappingModelCheck(mapping.model, from: source, to: destination).findings
      .filter { $0.severity == .error && !known.contains($0.code) }
    #expect(errors.isEmpty, "\(errors)")
  }

  @Test("copy all objects where nothing has changed", arguments: 1...4 as ClosedRange<UInt64>)
  func sameModel(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<MutationCount.perFile(usual: 100) {
      let model = Self.model(&random)
      guard let mapping = try? InferredMapping(from: model, to: model) else { continue }
      #expect(mapping.model.entityMappings.allSatisfy { $0.kind == .copy })
      #expect(mapping.changeCount == 0)
      #expect(mapping.conditions.isEmpty)
    }
  }

  @Test(
    "end in steps or in an error, whatever has become of a mapping model",
    arguments: 1...4 as ClosedRange<UInt64>)
  func damagedMappings(seed: UInt64) {
    let text = MappingDocument.text(from: "V1", ["Car"], to: "V2", ["Car", "Wheel"])
    let source = version("V1", ["Car"])
    let target = version("V2", ["Car", "Wheel"])
    var mutator = XMLMutator(text.utf8, seed: seed)
    for _ in 0..<MutationCount.perFile(usual: 200) {
      guard
        let mapping = try? AvailableMappingModel(
          MappingModelFile(Data(mutator.next())), path: "a.xcmappingmodel")
      else { continue }
      do throws(MigrationPlanError) {
        let plan = try MigrationPlan(from: source, to: target, mappingModels: [mapping])
        #expect(plan.steps.count == 1)
      } catch {
        #expect(!"\(error)".isEmpty)
      }
    }
  }

  private func version(_ name: String, _ entities: [String]) -> ModelVersion {
    ModelVersion(
      name: name, path: name,
      source: ModelSource(Model(entities: entities.map { Entity(name: $0) })))
  }

  // MARK: Models

  private static func concrete(_ model: Model) -> [String] {
    model.entities.filter { !$0.isAbstract }.map(\.name).sorted()
  }

  /// A model of a few entities, the names and identifiers of which are often the same.
  private static func model(_ random: inout SeededGenerator) -> Model {
    let names = ["A", "B", "C", "D", "E"].filter { _ in Bool.random(using: &random) }
    return Model(
      entities: names.enumerated().map { number, name in
        let parent =
          number > 0 && Int.random(in: 0..<4, using: &random) == 0
          ? names[Int.random(in: 0..<number, using: &random)] : nil
        return Entity(
          name: name, parent: parent, isAbstract: Int.random(in: 0..<6, using: &random) == 0,
          attributes: ["\(name)x", "\(name)y"].compactMap { attribute($0, &random) },
          relationships: [relationship("\(name)r", names, &random)].compactMap(\.self),
          renamingIdentifier: identifier(["A", "B", "F"], &random))
      })
  }

  private static func identifier(
    _ names: [String], _ random: inout SeededGenerator
  ) -> String? {
    Int.random(in: 0..<10, using: &random) == 0 ? names.randomElement(using: &random) : nil
  }

  private static func attribute(_ name: String, _ random: inout SeededGenerator) -> Attribute? {
    let types: [AttributeType] = [.string, .string, .string, .integer, .integer16, .double]
    guard let type = types.randomElement(using: &random), Bool.random(using: &random) else {
      return nil
    }
    return Attribute(
      name: name, type: type, isOptional: Bool.random(using: &random),
      isTransient: Int.random(in: 0..<8, using: &random) == 0,
      defaultValue: Bool.random(using: &random)
        ? (type == .string ? .string("a") : .integer(1)) : nil,
      renamingIdentifier: identifier(["Ax", "By", "old"], &random))
  }

  private static func relationship(
    _ name: String, _ destinations: [String], _ random: inout SeededGenerator
  ) -> Relationship? {
    guard let destination = destinations.randomElement(using: &random) else { return nil }
    return Relationship(
      name: name, destinations: [destination], isToMany: Bool.random(using: &random),
      isOrdered: Bool.random(using: &random), isOptional: Bool.random(using: &random),
      renamingIdentifier: identifier(["Ar", "Ax"], &random))
  }
}
