extension MappingModelFinding: CustomStringConvertible {
  /// The finding in words, after its place: `CarToCar.owner: what`.
  package var description: String {
    let place = [entity, property].compactMap { $0 }.joined(separator: ".")
    return place.isEmpty ? sentence : "\(place): \(sentence)"
  }

  /// The finding in words, without its place.
  package var sentence: String {
    let name = name ?? "?"
    return switch code {
    case .unknownSourceEntity: "the source model has no entity \(name)"
    case .unknownDestinationEntity: "the destination model has no entity \(name)"
    case .abstractDestination: "the destination entity \(name) is abstract and has no objects"
    case .differentSourceEntity: "was made for another version of the source entity \(name)"
    case .differentDestinationEntity:
      "was made for another version of the destination entity \(name)"
    case .unmappedSourceEntity: "no entity mapping migrates the objects of this source entity"
    case .sourceMappedTwice:
      "migrates all objects of \(name), and so does another entity mapping: each becomes two"
    case .sourceNotFetched: "has no source expression: no objects are migrated"
    case .otherEntityFetched: "fetches objects of \(name), which is not its source entity"
    case .duplicateEntityMapping: "several entity mappings have this name"
    case .unsupportedSource: "the source expression is not supported: \(name)"

    case .unknownAttribute: "the destination entity has no such attribute"
    case .unknownRelationship: "the destination entity has no such relationship"
    case .duplicateProperty: "is mapped more than once"
    case .missingValue: "is mandatory, but gets no value and has no default"
    case .missingObject: "is mandatory, but neither it nor its inverse gets an object"
    case .unreadProperty: "no mapping reads this property of the source; its values are left behind"
    case .renamedProperty:
      "gets no value, although its renaming identifier names the source's property \(name)"
    case .otherRelationship: "is filled from the source's relationship \(name)"
    case .otherDestination: name
    case .unsuitableConstant: "the attribute cannot hold the constant \(name)"

    case .unknownExpression: "the expression is not understood: \(name)"
    case .unsupportedExpression: "the expression is not supported: \(name)"
    case .unknownSourceProperty: "the source has no property \(name)"
    case .unknownEntityMapping: "refers to the entity mapping \(name), which does not exist"
    case .unknownManagerFunction: "calls \(name), which only the app's own migration manager has"
    case .objectFunction: "calls \(name), a method of another object than manager and policy"
    case .functionWithoutPolicy: "calls \(name) of the policy, but names no policy class"

    case .embeddedSourceDiffers:
      "differs between the given source model and the mapping model's copy of it"
    case .embeddedDestinationDiffers:
      "differs between the given destination model and the mapping model's copy of it"
    case .unusedEntityMapping: "belongs to no mapping model and is not used"
    case .unusedSourceExpression:
      "the source expression is not used: the objects of the source entity are fetched"
    case .unusedAttributeMapping:
      "the attribute mapping belongs to no entity mapping and is not used"
    case .unusedRelationshipMapping:
      "the relationship mapping belongs to no entity mapping and is not used"
    }
  }
}
