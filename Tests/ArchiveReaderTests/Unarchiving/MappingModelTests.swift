import ArchiveReader
import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("Core Data's mapping models")
struct MappingModelTests {
  @Test("are read with their entity mappings, property mappings and expressions")
  func whole() throws {
    let folder = try TemporaryFolder()
    let model = try ArchivedMappingModel(
      contentsOf: try folder.write(Self.model.binary(), to: "M.cdm"))
    let mapping = try #require(model.entityMappings.first)
    #expect(model.entityMappings.count == 2)
    #expect(mapping.name == "CarToCar")
    #expect(mapping.kind == .transform)
    #expect(mapping.sourceEntity == "Car")
    #expect(mapping.destinationEntity == "Car")
    #expect(mapping.sourceVersionHash == Data(repeating: 1, count: 32))
    #expect(mapping.destinationVersionHash == Data(repeating: 2, count: 32))
    #expect(mapping.source?.class == "NSFetchRequestExpression")
    #expect(mapping.policyClass == "Garage.CarPolicy")
    #expect(mapping.userInfo?.isNull == false)
    #expect(mapping.attributes.map(\.property) == ["maker", "seats"])
    #expect(mapping.attributes.map(\.value?.format) == ["$source.brand", nil])
    #expect(mapping.relationships.map(\.property) == ["owner"])
    #expect(mapping.relationships[0].value?.class == "NSFunctionExpression")
    #expect(mapping.relationships[0].value?.arguments?.count == 2)

    let removed = model.entityMappings[1]
    #expect(removed.kind == .remove)
    #expect(removed.destinationEntity == nil)
    #expect(removed.source == nil)
    #expect(removed.attributes.isEmpty)
  }

  #if os(Linux)
    @Test("let the file go that they were read from")
    func release() throws {
      /// Whether the process has a copy of a file mapped into its memory: a file without a name, of
      /// the size that only this test has.
      func isMapped(_ path: String) throws -> Bool {
        let page = Int(getpagesize())
        let size = (try Data(contentsOf: URL(fileURLWithPath: path)).count + page - 1) / page * page
        let maps = try #require(FileHandle(forReadingAtPath: "/proc/self/maps"))
        let lines = try #require(String(data: maps.readDataToEndOfFile(), encoding: .utf8))
          .split(separator: "\n").filter { $0.hasSuffix("(deleted)") }
        return lines.contains { line in
          let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap {
            Int($0, radix: 16)
          }
          return ends.count == 2 && ends[1] - ends[0] == size
        }
      }
      // Small files are not mapped.
      var archive = Self.model
      archive.setTop("filler", archive.data(Data(count: 2_345_678)))
      let folder = try TemporaryFolder()
      let path = try folder.write(archive.binary(), to: "M.cdm")
      do {
        let open = try KeyedArchive(contentsOf: path)
        #expect(try isMapped(path))
        #expect(open.objectCount > 0)
      }
      let model = try ArchivedMappingModel(contentsOf: path)
      #expect(model.entityMappings.count == 2)
      #expect(try !isMapped(path))
    }
  #endif

  @Test("of another root are refused")
  func otherRoot() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      KeyedArchiveBuilder.archive { $0.instance(of: "Car") }.binary(), to: "M.cdm")
    #expect {
      try ArchivedMappingModel(contentsOf: path)
    } throws: { error in
      (error as? ArchiveError)?.code == .unknownClass
    }
  }

  @Test("with a value of another kind under a key are refused, with the place")
  func wrongKind() throws {
    let folder = try TemporaryFolder()
    let archive = KeyedArchiveBuilder.archive { archive in
      let mapping = archive.instance(
        of: "NSEntityMapping", ["NSSourceExpression": archive.string("Car")])
      return archive.instance(
        of: "NSMappingModel", ["NSEntityMappings": archive.array([mapping])])
    }
    let path = try folder.write(archive.binary(), to: "M.cdm")
    let error = try #require(
      throws: ArchiveError.self, performing: { try ArchivedMappingModel(contentsOf: path) })
    #expect(
      "\(error)"
        == "the value is not an expression (object 2, key NSSourceExpression)")
  }

  /// A model with an entity that is changed and one that is removed, as Xcode compiles them.
  private static let model = KeyedArchiveBuilder.archive { archive in
    let changed = changedEntity(&archive)
    let removed = archive.instance(
      of: "NSEntityMapping",
      [
        "NSMappingName": archive.string("Wheel"), "NSMappingType": 3,
        "NSSourceEntityName": archive.string("Wheel"),
        "NSDestinationEntityName": PropertyListValue.uid(0),
        "NSSourceExpression": PropertyListValue.uid(0),
        "NSAttributeMappings": archive.array([]), "NSRelationshipMappings": archive.array([]),
      ])
    let byName = archive.dictionary(
      [archive.string("CarToCar"): changed], className: "NSMutableDictionary")
    return archive.instance(
      of: "NSMappingModel",
      ["NSEntityMappings": archive.array([changed, removed]), "NSEntityMappingsByName": byName])
  }

  private static func changedEntity(_ archive: inout KeyedArchiveBuilder) -> PropertyListValue {
    let maker = archive.instance(
      of: "NSPropertyMapping",
      [
        "NSDestinationPropertyName": archive.string("maker"),
        "NSValueExpression": keyPath("source", "brand", &archive),
      ])
    let seats = archive.instance(
      of: "NSPropertyMapping",
      [
        "NSDestinationPropertyName": archive.string("seats"),
        "NSValueExpression": PropertyListValue.uid(0),
      ])
    let instances = call(
      "destinationInstancesForEntityMappingNamed:sourceInstances:",
      [constant("OwnerToOwner", &archive), keyPath("source", "owner", &archive)], &archive)
    let owner = archive.instance(
      of: "NSPropertyMapping",
      [
        "NSDestinationPropertyName": archive.string("owner"), "NSValueExpression": instances,
      ])
    let request = call(
      "fetchRequestForSourceEntityNamed:predicateString:",
      [constant("Car", &archive), constant("TRUEPREDICATE", &archive)], &archive)
    let fetch = archive.instance(
      of: "NSFetchRequestExpression",
      [
        "NSExpressionType": 50, "NSFRExpression": request,
        "NSMOCExpression": keyPath("manager", "sourceContext", &archive),
        "NSCountOnlyFlag": false,
      ])
    return archive.instance(
      of: "NSEntityMapping",
      [
        "NSMappingName": archive.string("CarToCar"), "NSMappingType": 5,
        "NSSourceEntityName": archive.string("Car"),
        "NSDestinationEntityName": archive.string("Car"),
        "NSSourceEntityVersionHash": archive.data(Data(repeating: 1, count: 32)),
        "NSDestinationEntityVersionHash": archive.data(Data(repeating: 2, count: 32)),
        "NSSourceExpression": fetch,
        "NSEntityMigrationPolicyClassName": archive.string("Garage.CarPolicy"),
        "NSAttributeMappings": archive.array([maker, seats]),
        "NSRelationshipMappings": archive.array([owner]),
        "NSUserInfo": archive.dictionary([archive.string("since"): archive.string("2")]),
      ])
  }

  // MARK: Expressions

  private static func variable(
    _ name: String, _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    archive.instance(
      of: "NSVariableExpression",
      ["NSExpressionType": 2, "NSVariable": archive.string(name)])
  }

  private static func constant(
    _ text: String, _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    archive.instance(
      of: "NSConstantValueExpression",
      ["NSExpressionType": 0, "NSConstantValue": archive.string(text)])
  }

  private static func keyPath(
    _ name: String, _ path: String, _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    let key = archive.instance(
      of: "NSKeyPathSpecifierExpression",
      ["NSExpressionType": 10, "NSKeyPath": archive.string(path)])
    return archive.instance(
      of: "NSKeyPathExpression",
      [
        "NSExpressionType": 4, "NSOperand": variable(name, &archive),
        "NSSelectorName": archive.string("valueForKeyPath:"),
        "NSArguments": archive.array([key]),
      ])
  }

  private static func call(
    _ selector: String, _ arguments: [PropertyListValue], _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    archive.instance(
      of: "NSFunctionExpression",
      [
        "NSExpressionType": 4, "NSOperand": variable("manager", &archive),
        "NSSelectorName": archive.string(selector), "NSArguments": archive.array(arguments),
      ])
  }
}
