import ArchiveWriter
import DataModel
import Foundation
import GraphCore
import MappingModelTesting
import Mappings
import Migration
import TestSupport
import Testing

@Suite("A damaged or hostile mapping model")
struct HostileMappingModelTests {
  /// Reads a file, compiles it and checks it; whether it could be read.
  @discardableResult
  private func read(_ bytes: Data) -> Bool {
    do throws(ModelError) {
      switch try MappingModelFile(bytes) {
      case .compiled(let model):
        _ = MappingModelCheck(model, from: Garage.source, to: Garage.destination).findings
          .map { "\($0)" }
        _ = MappingModelListing.text(of: model)
      case .document(let document):
        let model = document.compiled(from: Garage.source, to: Garage.destination)
        _ = try MappingModelCheck(document, from: Garage.source, to: Garage.destination)
        _ = MappingModelListing.text(of: document, compiled: model)
      }
      return true
    } catch {
      // Whatever is wrong, it is told.
      #expect(!"\(error)".isEmpty)
      return false
    }
  }

  @Test(
    "is read or refused, whatever has become of its XML", arguments: 1...4 as ClosedRange<UInt64>)
  func xmlMutations(seed: UInt64) {
    var mutator = XMLMutator(Garage.store.bytes, seed: seed)
    for _ in 0..<MutationCount.perFile(usual: 100) { read(Data(mutator.next())) }
  }

  @Test(
    "is read or refused, whatever has become of its archive",
    arguments: 1...4 as ClosedRange<UInt64>)
  func archiveMutations(seed: UInt64) throws {
    let model = try MappingModelDocument(xml: Garage.store.bytes)
      .compiled(from: Garage.source, to: Garage.destination)
    var mutator = ArchiveMutator(MappingModelArchiver.bytes(model), seed: seed)
    for _ in 0..<MutationCount.perFile(usual: 100) { read(Data(mutator.next())) }
  }

  @Test("is refused wherever it has been cut off")
  func truncations() throws {
    let xml = Garage.store.bytes
    for count in stride(from: 0, to: xml.count - 20, by: 97) {
      #expect(!read(xml.prefix(count)))
    }
    let archive = MappingModelArchiver.bytes(MappingModel())
    for count in archive.indices { #expect(!read(archive.prefix(count))) }
  }

  @Test("whose expression contains itself has an unknown one")
  func cycle() throws {
    let bytes = MappingModelArchiver.bytes { archive in
      let slot = archive.reserve()
      let arguments = archive.array([slot.reference])
      return archive.fill(
        slot, className: "NSFunctionExpression",
        [
          "NSExpressionType": 4, "NSOperand": slot.reference,
          "NSSelectorName": archive.string("a:"), "NSArguments": arguments,
        ])
    }
    #expect(
      try value(bytes) == .unknown(UnknownExpression(.misshapen, "NSFunctionExpression")))
  }

  @Test("whose expression is nested too deep has an unknown one")
  func nesting() throws {
    let bytes = MappingModelArchiver.bytes { archive in
      var nested = ExpressionArchiver.add(.source, to: &archive)
      for _ in 0..<1_000 {
        nested = archive.instance(
          of: "NSAggregateExpression",
          ["NSExpressionType": 14, "NSCollection": archive.array([nested])])
      }
      return nested
    }
    #expect(
      try value(bytes) == .unknown(UnknownExpression(.misshapen, "NSAggregateExpression")))
  }

  /// Values in the place of expressions, and what they are read as.
  static let strangers: [(className: String, reason: UnknownExpression.Reason)] = [
    ("NSBlockExpression", .unknownClass), ("Car", .unknownClass),
    ("NSTruePredicate", .unknownClass), ("NSSetExpression", .misshapen),
    ("NSAnyKeyExpression", .unknownClass), ("NSVariableExpression", .misshapen),
  ]

  @Test("has unknown expressions of other classes, by name", arguments: strangers)
  func unknownClass(className: String, reason: UnknownExpression.Reason) throws {
    let bytes = MappingModelArchiver.bytes { archive in
      className == "NSTruePredicate"
        ? archive.instance(of: className)
        : archive.instance(of: className, ["NSExpressionType": 5])
    }
    #expect(try value(bytes) == .unknown(UnknownExpression(reason, className)))
  }

  @Test("with another kind of value in the place of an expression is refused")
  func noObject() {
    let bytes = MappingModelArchiver.bytes { $0.string("$source.name") }
    let error = #expect(throws: ModelError.self) { try MappingModelFile(bytes) }
    #expect(error.map { "\($0)" } == "CarToCar: invalid value of NSValueExpression")
  }

  @Test("whose parts are shared without end is refused")
  func expansion() {
    let bytes = KeyedArchiveBuilder.archive { archive in
      let property = archive.instance(
        of: "NSPropertyMapping", ["NSDestinationPropertyName": archive.string("a")])
      let properties = archive.array(Array(repeating: property, count: 2_000))
      let mapping = archive.instance(
        of: "NSEntityMapping", ["NSAttributeMappings": properties])
      return archive.instance(
        of: "NSMappingModel",
        ["NSEntityMappings": archive.array(Array(repeating: mapping, count: 2_000))])
    }.binary()
    let error = #expect(throws: ModelError.self) { try MappingModelFile(bytes) }
    #expect(error?.code == .tooMany)
  }

  @Test("with entity mappings in great number is refused")
  func manyEntityMappings() {
    let mapping = MigrationEntityMapping(name: "A", kind: .add)
    let model = MappingModel(entityMappings: Array(repeating: mapping, count: 2_001))
    var store = XMLMappingStore()
    for _ in 0...2_000 { store.add(from: "Car", to: "Car") }
    for bytes in [MappingModelArchiver.bytes(model), store.bytes] {
      let error = #expect(throws: ModelError.self) { try MappingModelFile(bytes) }
      #expect(error?.code == .tooMany)
    }
  }

  @Test("whose user info doubles at each level is refused")
  func userInfo() {
    let bytes = KeyedArchiveBuilder.archive { archive in
      var value = archive.string("a")
      for _ in 0..<30 { value = archive.array([value, value]) }
      let info = archive.dictionary([archive.string("a"): value])
      let mapping = archive.instance(of: "NSEntityMapping", ["NSUserInfo": info])
      return archive.instance(
        of: "NSMappingModel", ["NSEntityMappings": archive.array([mapping])])
    }.binary()
    let error = #expect(throws: ModelError.self) { try MappingModelFile(bytes) }
    #expect(error?.code == .tooMany)
  }

  @Test("of another kind is refused")
  func otherKinds() {
    for bytes in [
      Data(), Data("text".utf8), Data("<html/>".utf8), Data("<?xml version='1.0'?><model/>".utf8),
      KeyedArchiveBuilder.archive { $0.instance(of: "Car") }.binary(),
      KeyedArchiveBuilder.archive { $0.string("a") }.binary(),
      Data("<database>\(String(repeating: "<a>", count: 100_000))".utf8),
    ] {
      #expect(!read(bytes))
    }
  }

  /// The expression of the only attribute mapping.
  private func value(_ bytes: Data) throws -> ExpressionNode? {
    guard case .compiled(let model) = try MappingModelFile(bytes) else { return nil }
    return model.entityMappings.first?.attributeMappings.first?.valueExpression
  }
}
