import DataModel
import Mappings
import Support

// Properties: which belong together, and what becomes of attributes.
extension MappingInference {
  /// The mappings of all properties of a destination entity.
  mutating func propertyMappings(
    from old: Entity, to new: Entity
  ) -> (attributes: [MigrationPropertyMapping], relationships: [MigrationPropertyMapping]) {
    let before = properties(ofSource: old)
    let after = properties(ofDestination: new)
    findings += before.shared.map {
      InferenceFinding(
        .sharedPropertyIdentifier, sourceEntity: old.name, property: $0.name, name: $0.other)
    }
    findings += after.shared.map {
      InferenceFinding(
        .sharedPropertyIdentifier, entity: new.name, property: $0.name, name: $0.other)
    }
    changeCount += before.attributes.keys.count { after.attributes[$0] == nil }
    changeCount += before.relationships.keys.count { after.relationships[$0] == nil }
    let place = Place(source: old.name, destination: new.name)
    let attributes = after.attributes.sorted { $0.value.name.precedesInBytes($1.value.name) }.map {
      identifier, attribute in
      if before.relationships[identifier] != nil {
        find(.otherKindOfProperty, place, attribute.name, "an attribute, but was a relationship")
      }
      return mapping(of: attribute, from: before.attributes[identifier], place)
    }
    let relationships = after.relationships
      .sorted { $0.value.name.precedesInBytes($1.value.name) }.map { identifier, relationship in
        if before.attributes[identifier] != nil {
          find(
            .otherKindOfProperty, place, relationship.name,
            "a relationship, but was an attribute")
        }
        return mapping(of: relationship, from: before.relationships[identifier], place)
      }
    return (attributes, relationships)
  }

  /// The two entities whose properties are compared.
  struct Place {
    let source: String
    let destination: String
  }

  mutating func find(
    _ code: InferenceFinding.Code, _ place: Place, _ property: String, _ name: String? = nil
  ) {
    findings.append(
      InferenceFinding(
        code, sourceEntity: place.source, entity: place.destination, property: property,
        name: name))
  }

  // MARK: Attributes

  private mutating func mapping(
    of attribute: Attribute, from old: Attribute?, _ place: Place
  ) -> MigrationPropertyMapping {
    // Core Data computes a derived attribute again when it saves the object.
    let needsValue = !attribute.isOptional && !attribute.isDerived
    guard let old else {
      changeCount += 1
      if needsValue, attribute.defaultConstant == nil {
        find(.newMandatoryAttribute, place, attribute.name)
      }
      return MigrationPropertyMapping(name: attribute.name)
    }
    if old.differs(from: attribute) { changeCount += 1 }
    let value = ExpressionNode.sourceValue(old.name)
    checkType(of: attribute, old, place)
    guard needsValue, old.isOptional else {
      return MigrationPropertyMapping(name: attribute.name, valueExpression: value)
    }
    guard let constant = attribute.defaultConstant else {
      find(.mandatoryAttribute, place, attribute.name)
      return MigrationPropertyMapping(name: attribute.name, valueExpression: value)
    }
    return MigrationPropertyMapping(
      name: attribute.name, valueExpression: .ternary(.isNil(value), .constant(constant), value))
  }

  private mutating func checkType(of attribute: Attribute, _ old: Attribute, _ place: Place) {
    guard old.type != attribute.type else { return }
    let types = "\(old.type.rawValue) and \(attribute.type.rawValue)"
    guard let from = old.type.numberRange, let to = attribute.type.numberRange else {
      var finding = InferenceFinding(
        .incompatibleTypes, sourceEntity: place.source, entity: place.destination,
        property: attribute.name, name: types)
      if let conversion = old.type.conversion(to: attribute.type) {
        let from = old.name == attribute.name ? "" : "from: \(old.name), "
        finding.conversion = "{\(from)convert: \(conversion)}"
      }
      findings.append(finding)
      return
    }
    if !from.fits(into: to) { find(.narrowerNumber, place, attribute.name, types) }
  }
}

extension Attribute {
  /// Whether it has another name, or one of the traits that version hashes have of attributes.
  fileprivate func differs(from other: Attribute) -> Bool {
    name != other.name || type != other.type || isOptional != other.isOptional
      || allowsExternalBinaryDataStorage != other.allowsExternalBinaryDataStorage
      || preservesAfterDeletion != other.preservesAfterDeletion
      || versionHashModifier != other.versionHashModifier
  }
}
