import ArchiveWriter
import DataModel
import Foundation

/// Descriptions of properties.
extension CompiledModelWriter {
  private typealias Bits = ModelArchive.PropertyBits.Common

  mutating func fill(
    _ slot: KeyedArchiveBuilder.Slot, with attribute: Attribute, of owner: Description
  ) throws(Unknown) {
    guard let code = attribute.type.coreDataCode else { throw Unknown() }
    var flags: Int64 = 0
    if attribute.allowsExternalBinaryDataStorage {
      flags |= ModelArchive.PropertyBits.Attribute.externalStorage
    }
    if attribute.preservesAfterDeletion {
      flags |= ModelArchive.PropertyBits.Attribute.preservedAfterDeletion
    }
    var pairs = common(
      attribute.name, isOptional: attribute.isOptional, isTransient: attribute.isTransient,
      isOrdered: false, renamingIdentifier: attribute.renamingIdentifier,
      versionHashModifier: attribute.versionHashModifier, attribute.draftedUserInfo, owner)
    pairs += [
      KeyValue("NSAttributeType", .integer(Int64(code))),
      KeyValue("NSAttributeValueClassName", text(attribute.type.valueClassName)),
      KeyValue("NSDefaultValue", try defaultValue(of: attribute)),
      KeyValue("NSFlagsKey", .integer(flags)),
      KeyValue("NSValueTransformerName", text(attribute.valueTransformerName)),
    ]
    if owner.indexedAttributes.contains(attribute.name) {
      pairs.append(KeyValue("NSIsIndexed", true))
    }
    archive.fill(
      slot, className: "NSAttributeDescription",
      hierarchy: ["NSAttributeDescription", "NSPropertyDescription", "NSObject"], pairs)
  }

  mutating func fill(
    _ slot: KeyedArchiveBuilder.Slot, with relationship: Relationship, of owner: Description
  ) throws(Unknown) {
    guard relationship.destinations.count == 1,
      let destination = descriptions[relationship.destinations[0]]
    else { throw Unknown() }
    let inverse = relationship.inverse.flatMap { name in
      destination.properties.first { $0.property.name == name }?.slot
    }
    var pairs = common(
      relationship.name, isOptional: relationship.isOptional, isTransient: relationship.isTransient,
      isOrdered: relationship.isOrdered, renamingIdentifier: relationship.renamingIdentifier,
      versionHashModifier: relationship.versionHashModifier, relationship.draftedUserInfo, owner)
    pairs += [
      KeyValue("NSDeleteRule", .integer(relationship.deleteRule.coreDataCode)),
      KeyValue("NSDestinationEntity", destination.slot.reference),
      KeyValue("NSInverseRelationship", inverse.map(\.reference) ?? .none),
      KeyValue("NSMaxCount", .integer(Int64(relationship.maximumCount))),
      KeyValue("NSMinCount", .integer(Int64(relationship.minimumCount))),
      KeyValue("_NSDestinationEntityName", text(destination.entity.name)),
      KeyValue("_NSInverseRelationshipName", text(relationship.inverse)),
    ]
    if relationship.isOrdered { pairs.append(KeyValue("NSIsOrdered", true)) }
    archive.fill(
      slot, className: "NSRelationshipDescription",
      hierarchy: ["NSRelationshipDescription", "NSPropertyDescription", "NSObject"], pairs)
  }

  /// The keys and values that attributes and relationships have in common.
  private mutating func common(
    _ name: String, isOptional: Bool, isTransient: Bool, isOrdered: Bool,
    renamingIdentifier: String?, versionHashModifier: String?,
    _ entries: [(key: String, value: String)], _ owner: Description
  ) -> [KeyValue] {
    var bits = Bits.always
    if isOptional { bits |= Bits.optional }
    if isTransient { bits |= Bits.transient }
    if isOrdered { bits |= Bits.ordered }
    var pairs = [
      KeyValue("NSEntity", owner.slot.reference), KeyValue("NSPropertyName", text(name)),
      KeyValue("NSRenamingIdentifier", text(renamingIdentifier ?? name)),
    ]
    if isOptional { pairs.append(KeyValue("NSIsOptional", true)) }
    if isTransient { pairs.append(KeyValue("NSIsTransient", true)) }
    if let versionHashModifier {
      pairs.append(KeyValue("NSVersionHashModifier", text(versionHashModifier)))
    } else {
      bits |= Bits.withoutHashModifier
    }
    if let userInfo = userInfo(entries) {
      pairs.append(KeyValue("NSUserInfo", userInfo))
    } else {
      bits |= Bits.withoutUserInfo
    }
    pairs.append(KeyValue("_P", .integer(bits)))
    return pairs
  }

  /// The reference to the default value of an attribute, or to nothing.
  private mutating func defaultValue(of attribute: Attribute) throws(Unknown) -> PropertyListValue {
    switch (attribute.defaultValue, attribute.type) {
    case (nil, _): return .none
    case (.boolean(let flag), _): return archive.number(flag)
    case (.integer(let number), _): return archive.add(.integer(number))
    case (.double(let number), _): return archive.number(number)
    case (.date(let seconds), _): return archive.date(secondsSince2001: seconds)
    case (.decimal(let number), _):
      guard let value = try? archive.decimal(number) else { throw Unknown() }
      return value
    case (.string(let text), .string): return archive.string(text)
    case (.string(let text), .uri): return archive.url(text)
    case (.string(let text), .uuid):
      guard let uuid = UUID(uuidString: text) else { throw Unknown() }
      return archive.uuid(uuid)
    case (.string, _), (.other, _): throw Unknown()
    }
  }
}

extension AttributeType {
  /// The name of the class whose objects are the values of an attribute; nil where the model leaves
  /// it open.
  fileprivate var valueClassName: String? {
    switch self {
    case .boolean, .integer16, .integer32, .integer, .float, .double: "NSNumber"
    case .decimal: "NSDecimalNumber"
    case .string: "NSString"
    case .date: "NSDate"
    case .binary: "NSData"
    case .uuid: "NSUUID"
    case .uri: "NSURL"
    case .transformable, .objectID, .composite, .undefined: nil
    case .json, .attributedText, .mixed, .unknown: nil
    }
  }
}
