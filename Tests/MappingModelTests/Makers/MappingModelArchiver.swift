import ArchiveWriter
import Foundation
import MappingModelTesting
import Mappings
import Migration

/// Archives mapping models as Xcode compiles them: the content of `.cdm` files.
enum MappingModelArchiver {
  /// The bytes of a compiled mapping model.
  static func bytes(_ model: MappingModel) -> Data {
    KeyedArchiveBuilder.archive { archive in
      let mappings = model.entityMappings.map { add($0, to: &archive) }
      return archive.instance(of: "NSMappingModel", ["NSEntityMappings": archive.array(mappings)])
    }.binary()
  }

  /// The bytes of one whose only attribute mapping has a value.
  static func bytes(
    value: (inout KeyedArchiveBuilder) -> PropertyListValue
  ) -> Data {
    KeyedArchiveBuilder.archive { archive in
      let property = archive.instance(
        of: "NSPropertyMapping",
        [
          "NSDestinationPropertyName": archive.string("name"), "NSValueExpression": value(&archive),
        ])
      let mapping = archive.instance(
        of: "NSEntityMapping",
        [
          "NSMappingName": archive.string("CarToCar"), "NSMappingType": 5,
          "NSSourceEntityName": archive.string("Car"),
          "NSDestinationEntityName": archive.string("Car"),
          "NSAttributeMappings": archive.array([property]),
        ])
      return archive.instance(of: "NSMappingModel", ["NSEntityMappings": archive.array([mapping])])
    }.binary()
  }

  private static func add(
    _ mapping: MigrationEntityMapping, to archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    archive.instance(
      of: "NSEntityMapping",
      [
        "NSMappingName": archive.string(mapping.name),
        "NSMappingType": .integer(Int64(mapping.kind.rawValue)),
        "NSSourceEntityName": text(mapping.sourceEntityName, &archive),
        "NSDestinationEntityName": text(mapping.destinationEntityName, &archive),
        "NSSourceEntityVersionHash": data(mapping.sourceVersionHash, &archive),
        "NSDestinationEntityVersionHash": data(mapping.destinationVersionHash, &archive),
        "NSSourceExpression": expression(mapping.sourceExpression, &archive),
        "NSEntityMigrationPolicyClassName": text(mapping.policyClassName, &archive),
        "NSAttributeMappings": properties(mapping.attributeMappings, &archive),
        "NSRelationshipMappings": properties(mapping.relationshipMappings, &archive),
        "NSUserInfo": .uid(0),
      ])
  }

  private static func properties(
    _ mappings: [MigrationPropertyMapping], _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    archive.array(
      mappings.map { mapping in
        archive.instance(
          of: "NSPropertyMapping",
          [
            "NSDestinationPropertyName": archive.string(mapping.name),
            "NSValueExpression": expression(mapping.valueExpression, &archive),
            "NSPropertyTransforms": .uid(0), "NSUserInfo": .uid(0),
          ])
      })
  }

  private static func expression(
    _ expression: ExpressionNode?, _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    expression.map { ExpressionArchiver.add($0, to: &archive) } ?? .uid(0)
  }

  private static func text(
    _ text: String?, _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue { text.map { archive.string($0) } ?? .uid(0) }

  private static func data(
    _ data: Data?, _ archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue { data.map { archive.data($0) } ?? .uid(0) }
}
