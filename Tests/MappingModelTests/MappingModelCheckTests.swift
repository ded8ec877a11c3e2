import DataModel
import Foundation
import MappingModelTesting
import Mappings
import Migration
import TestSupport
import Testing

@Suite("The check of a mapping model")
struct MappingModelCheckTests {
  @Test("tells what its user should know, and what is needed of the app's code")
  func document() throws {
    let document = try MappingModelDocument(xml: Garage.store.bytes)
    let check = try MappingModelCheck(document, from: Garage.source, to: Garage.destination)
    #expect(
      check.findings.map { "\($0.severity): \($0)" } == [
        "note: WheelToTyre: belongs to no mapping model and is not used",
        "note: colour: the attribute mapping belongs to no entity mapping and is not used",
        "note: (unnamed): the relationship mapping belongs to no entity mapping and is not used",
        "warning: SportCarToSportCar.maker: no mapping reads this property of the source; its values "
          + "are left behind",
        "warning: SportCarToSportCar.seats: no mapping reads this property of the source; its values "
          + "are left behind",
      ])
    #expect(check.isUsable)
    #expect(
      check.policies.map { "\($0)" } == [
        "App.CarPolicy migrates CarToCar (Car to Car, with the functions today for since)"
      ])
  }

  /// The findings about a mapping from Car to Car, and what is changed in it.
  static let findings:
    [(finding: String, change: @Sendable (inout MigrationEntityMapping) -> Void)] =
      [
        ("error: CarToCar: the source model has no entity Bus", { $0.sourceEntityName = "Bus" }),
        (
          "error: CarToCar: the destination model has no entity Bus",
          { $0.destinationEntityName = "Bus" }
        ),
        (
          "warning: CarToCar: was made for another version of the source entity Car",
          { $0.sourceVersionHash = Data(count: 32) }
        ),
        (
          "warning: CarToCar: was made for another version of the destination entity Car",
          { $0.destinationVersionHash = Data(count: 32) }
        ),
        (
          "warning: CarToCar: has no source expression: no objects are migrated",
          { $0.sourceExpression = nil }
        ),
        (
          "warning: CarToCar: fetches objects of Person, which is not its source entity",
          { $0.sourceExpression = .objects(of: "Person") }
        ),
        (
          "error: CarToCar: the source has no property wings",
          {
            $0.sourceExpression = .objects(
              of: "Car", where: ExpressionNode(predicate: "wings > 1 OR seats > 1"))
          }
        ),
        (
          "error: CarToCar.wings: the destination entity has no such attribute",
          { $0.attributeMappings.append(MigrationPropertyMapping(name: "wings")) }
        ),
        (
          "error: CarToCar.plate: the destination entity has no such relationship",
          {
            $0.relationshipMappings.append(MigrationPropertyMapping(name: "plate"))
            $0.attributeMappings.removeAll { $0.name == "plate" }
          }
        ),
        (
          "error: CarToCar.plate: is mapped more than once",
          { $0.attributeMappings.append($0.attributeMappings[0]) }
        ),
        (
          "error: CarToCar.plate: is mandatory, but gets no value and has no default",
          { $0.attributeMappings[0].valueExpression = .constant(.null) }
        ),
        (
          "error: CarToCar.plate: the source has no property owner.colour",
          { $0.set("$source.owner.colour") }
        ),
        ("error: CarToCar.plate: the source has no property wings", { $0.set("$source.wings") }),
        (
          "error: CarToCar.plate: refers to the entity mapping BusToBus, which does not exist",
          {
            $0.set(
              "FUNCTION($manager, \"\(MigrationFormatTests.instances)\", \"BusToBus\", $source)")
          }
        ),
        (
          "error: CarToCar.plate: calls plateFor:, which only the app's own migration manager has",
          { $0.set("FUNCTION($manager, \"plateFor:\", $source)") }
        ),
        (
          "error: CarToCar.plate: calls uppercaseString, a method of another object than manager and "
            + "policy",
          { $0.set("FUNCTION($source.plate, \"uppercaseString\")") }
        ),
        (
          "error: CarToCar.plate: calls plate of the policy, but names no policy class",
          { $0.set("FUNCTION($entityPolicy, \"plate\")") }
        ),
        (
          "error: CarToCar.plate: the expression is not understood: the function frobnicate:",
          {
            $0.attributeMappings[0].valueExpression = .aggregate([
              .unknown(UnknownExpression(.unknownFunction, "frobnicate:"))
            ])
          }
        ),
        (
          "note: CarToCar.owner: is filled from the source's relationship driver",
          {
            $0.relationshipMappings[0].valueExpression = ExpressionNode(
              format: "FUNCTION($manager, \"\(MigrationFormatTests.instances)\", \"CarToCar\", "
                + "$source.driver)")
          }
        ),
        (
          "warning: CarToCar.seats: no mapping reads this property of the source; its values are left "
            + "behind", { $0.attributeMappings.removeAll { $0.name == "seats" } }
        ),
      ]

  @Test("finds", arguments: findings.indices)
  func finding(index: Int) {
    let (finding, change) = Self.findings[index]
    var mapping = Self.mapping
    change(&mapping)
    let check = MappingModelCheck(
      MappingModel(entityMappings: [mapping]), from: Self.model, to: Self.model)
    #expect(check.findings.map { "\($0.severity): \($0)" }.contains(finding))
  }

  @Test("finds nothing in a mapping model that is as it should be")
  func sound() {
    let model = MappingModel(entityMappings: [Self.mapping])
    #expect(MappingModelCheck(model, from: Self.model, to: Self.model).findings.isEmpty)
  }

  @Test("finds what several entity mappings do, or none does")
  func severalMappings() {
    var model = MappingModel(entityMappings: [Self.mapping, Self.mapping])
    #expect(
      MappingModelCheck(model, from: Self.model, to: Self.model).findings.map(\.code) == [
        .duplicateEntityMapping, .sourceMappedTwice, .sourceMappedTwice,
      ])
    model.entityMappings = []
    #expect(
      MappingModelCheck(model, from: Self.model, to: Self.model).findings.map(\.code) == [
        .unmappedSourceEntity
      ])
  }

  @Test("finds entities and properties that differ from the embedded models")
  func drift() throws {
    // The embedded model has a Car without properties.
    var store = XMLMappingStore(source: MappingDocument.embeddedModel(entities: ["Car", "Bus"]))
    store.add(from: "Car", to: "Car")
    let document = try MappingModelDocument(xml: store.bytes)
    let check = try MappingModelCheck(document, from: Self.model, to: Self.model)
    #expect(
      check.findings.filter { $0.code == .embeddedSourceDiffers }.map {
        [$0.entity, $0.property].compactMap { $0 }.joined(separator: ".")
      } == ["Bus", "Car.driver", "Car.owner", "Car.plate", "Car.seats"])
  }

  @Test("has words for everything that it finds")
  func words() {
    for code in MappingModelFinding.Code.allCases {
      #expect(!"\(MappingModelFinding(code))".isEmpty)
    }
    for reason in UnknownExpression.Reason.allCases {
      #expect("\(UnknownExpression(reason, "x"))".contains("x"))
    }
  }

  /// A model of one entity, whose plate is mandatory.
  private static let model = Model(entities: [
    Entity(
      name: "Car",
      attributes: [
        Attribute(name: "plate", type: .string, isOptional: false),
        Attribute(name: "seats", type: .integer16),
      ],
      relationships: [
        Relationship(name: "owner", destinations: ["Car"], isToMany: false),
        Relationship(name: "driver", destinations: ["Car"], isToMany: false),
      ])
  ])

  /// A mapping of all its properties.
  private static let mapping: MigrationEntityMapping = {
    var mapping = MigrationEntityMapping(
      name: "CarToCar", kind: .copy, sourceEntityName: "Car", destinationEntityName: "Car",
      sourceExpression: .objects(of: "Car"))
    mapping.attributeMappings = ["plate", "seats"].map {
      MigrationPropertyMapping(
        name: $0, valueExpression: ExpressionNode(format: "$source.\($0)"))
    }
    mapping.relationshipMappings = ["owner", "driver"].map {
      MigrationPropertyMapping(
        name: $0,
        valueExpression: ExpressionNode(
          format: "FUNCTION($manager, \"\(MigrationFormatTests.instances)\", \"CarToCar\", "
            + "$source.\($0))"))
    }
    return mapping
  }()
}

extension MigrationEntityMapping {
  /// Gives the first attribute another value.
  fileprivate mutating func set(_ format: String) {
    attributeMappings[0].valueExpression = ExpressionNode(format: format)
  }
}
