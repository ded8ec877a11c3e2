import DataModel
import Foundation
import GraphCore
import Mappings
import Migration
import TestSupport
import Testing

@Suite(
  "Real mapping models",
  .enabled(if: SharedMappings.folder != nil, "there is no folder of real mapping models"))
struct SharedMappingModelTests {
  @Test(
    "are read, compiled and listed, with no expression left unknown", arguments: SharedMappings.all)
  func whole(path: String) throws {
    let folder = try #require(SharedMappings.folder)
    let model: MappingModel
    let listing: String
    switch try MappingModelFile(contentsOf: "\(folder)/\(path)") {
    case .compiled(let compiled):
      model = compiled
      listing = MappingModelListing.text(of: model)
    case .document(let document):
      let source = try #require(try document.embeddedSourceModel())
      let destination = try #require(try document.embeddedDestinationModel())
      model = document.compiled(from: source, to: destination)
      listing = MappingModelListing.text(of: document, compiled: model)
      let check = try MappingModelCheck(document, from: source, to: destination)
      #expect(check.isUsable, "\(check.findings)")
    }
    #expect(!model.entityMappings.isEmpty)
    for mapping in model.entityMappings {
      let properties = mapping.attributeMappings + mapping.relationshipMappings
      let expressions = [mapping.sourceExpression] + properties.map(\.valueExpression)
      for case let expression? in expressions {
        #expect(expression.unknownParts.isEmpty)
        // What the listing shows can be read again.
        #expect(ExpressionNode(format: expression.format) == expression)
      }
      for name in [mapping.name] + properties.map(\.name) { #expect(listing.contains(name)) }
    }
  }

  @Test("lead from a version of the model that lies beside them", arguments: SharedMappings.all)
  func versions(path: String) throws {
    let folder = try #require(SharedMappings.folder)
    guard case .document(let document) = try MappingModelFile(contentsOf: "\(folder)/\(path)"),
      let source = try document.embeddedSourceModel()
    else { return }
    let project = path.split(separator: "/").first.map { "\($0)/" } ?? ""
    let models = SharedMappings.models.filter { $0.hasPrefix(project) }
    // CoreDataPlus has no models beside its mapping model.
    guard !models.isEmpty else { return }
    let expected = source.versionHashes()
    let matches = try models.filter { model in
      try Self.model("\(folder)/\(model)").versionHashes() == expected
    }
    #expect(!matches.isEmpty)
  }

  /// The entities and properties that differ from the embedded destination model, in versions that
  /// were edited after the mapping model was made.
  static let drifts: [(mapping: String, model: String, differences: [String])] = [
    (
      "money-mom/mappings/Model1-2.xcmappingmodel",
      "money-mom/Model.xcdatamodeld/Model 2.xcdatamodel",
      ["Transaction.quickRecord"]
    ),
    (
      "daymap/mappings/Data4to5MappingModel.xcmappingmodel", "daymap/models/DayMap 5.xcdatamodel",
      ["RecurrenceRule", "Reminder.task", "RepeatDefinition", "Task.reminders", "Task.repeat"]
    ),
  ]

  /// A version of a model.
  private static func model(_ path: String) throws -> Model {
    let contents = "\(path)/contents"
    if FileManager.default.fileExists(atPath: contents) {
      return try ModelSource.XMLReader.model(in: try ModelFile.bytes(of: contents))
    }
    return try ArchivedModel(contentsOf: "\(path)/elements", .standard).model
  }

  @Test("say how the destination was edited later", arguments: drifts)
  func drift(mapping: String, model: String, differences: [String]) throws {
    let folder = try #require(SharedMappings.folder)
    guard case .document(let document) = try MappingModelFile(contentsOf: "\(folder)/\(mapping)")
    else { return }
    let source = try #require(try document.embeddedSourceModel())
    let check = try MappingModelCheck(
      document, from: source, to: Self.model("\(folder)/\(model)"))
    let found = check.findings.filter { $0.code == .embeddedDestinationDiffers }.map {
      [$0.entity, $0.property].compactMap { $0 }.joined(separator: ".")
    }
    #expect(found == differences)
  }
}
