import ArchiveReader

/// The settings of attributes and relationships.
///
/// A setting that is missing, nil or empty says nothing.
extension ArchivedModel.XDPMReader {
  /// The attribute that settings describe, and what Xcode compiles in a way of its own.
  mutating func attribute(
    _ name: String, _ settings: [String: GraphValue]
  ) throws(ModelError) -> (Attribute, notes: [ModelError.Code]) {
    let code = integer(settings["XD_PAttK_attributeType"]) ?? 0
    guard let type = AttributeType(coreDataCode: code) else {
      throw ModelError(.unknownAttributeType, property: name, name: "\(code)")
    }
    let texts = Attribute.DeclarationText(
      type: type, defaultValue: try anyText(settings["XD_PAttK_defaultValueAsString"]),
      minimum: try anyText(settings["XD_PAttK_minValueString"]),
      maximum: try anyText(settings["XD_PAttK_maxValueString"]))
    let attribute = Attribute(
      name: name, type: type, isOptional: flag(settings["XD_PPSK_isOptional"]),
      isTransient: flag(settings["XD_PPSK_isTransient"]), defaultValue: texts.defaultValue,
      minimum: texts.minimum, maximum: texts.maximum,
      pattern: try text(settings["XD_PAttK_regularExpressionString"]),
      allowsExternalBinaryDataStorage: flag(settings["XD_PAttK_allowsExternalBinaryDataStorage"]),
      valueTransformerName: try text(settings["XD_PAttK_valueTransformerName"]),
      renamingIdentifier: try renamingIdentifier(settings["XD_PPSK_elementID"], name),
      versionHashModifier: try text(settings["XD_PPSK_versionHashModifier"]))
    return (attribute, texts.notes)
  }

  /// The relationship that settings describe.
  ///
  /// As in the XML of later versions, a to-many relationship without a greatest count has no limit,
  /// which is 0; a to-one has 1.
  mutating func relationship(
    _ name: String, _ settings: [String: GraphValue]
  ) throws(ModelError) -> Relationship {
    let isToMany = flag(settings["XD_PRK_isToMany"])
    let code = integer(settings["XD_PRK_deleteRule"]) ?? 1
    guard let rule = Relationship.DeleteRule(coreDataCode: code) else {
      throw ModelError(.unknownDeleteRule, property: name, name: "\(code)")
    }
    let destination = try elementName(settings["XD_PRK_destination"])
    return Relationship(
      name: name, destinations: destination.map { [$0] } ?? [], isToMany: isToMany,
      isOrdered: flag(settings["XD_PRK_ordered"]),
      inverse: try elementName(settings["XD_PRK_inverseRelationship"]),
      isOptional: flag(settings["XD_PPSK_isOptional"]),
      isTransient: flag(settings["XD_PPSK_isTransient"]),
      minimumCount: try count(settings["XD_PRK_minCount"], name, "minCount") ?? 0,
      maximumCount: try count(settings["XD_PRK_maxCount"], name, "maxCount") ?? (isToMany ? 0 : 1),
      deleteRule: rule,
      renamingIdentifier: try renamingIdentifier(settings["XD_PPSK_elementID"], name),
      versionHashModifier: try text(settings["XD_PPSK_versionHashModifier"]))
  }

  /// The former name; one that is the name itself says nothing.
  mutating func renamingIdentifier(
    _ value: GraphValue?, _ name: String
  ) throws(ModelError) -> String? {
    let identifier = try text(value)
    return identifier == name ? nil : identifier
  }

  // MARK: Values

  /// A text that is not empty.
  mutating func text(_ value: GraphValue?) throws(ModelError) -> String? {
    try anyText(value).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A text, which may be empty.
  private mutating func anyText(_ value: GraphValue?) throws(ModelError) -> String? {
    try archive.text(value ?? .null)
  }

  func flag(_ value: GraphValue?) -> Bool {
    switch value {
    case .bool(let flag): flag
    case .integer(let number): number != 0
    default: false
    }
  }

  private func integer(_ value: GraphValue?) -> Int64? {
    guard case .integer(let number) = value else { return nil }
    return number
  }

  private func count(
    _ value: GraphValue?, _ name: String, _ key: String
  ) throws(ModelError) -> Int? {
    guard let number = integer(value) else { return nil }
    guard let count = Int32(exactly: number), count >= -1 else {
      throw ModelError(.badValue, property: name, name: key)
    }
    return Int(count)
  }

  /// The name of the element that a value refers to.
  private mutating func elementName(_ value: GraphValue?) throws(ModelError) -> String? {
    guard let element = try archive.object(value ?? .null) else { return nil }
    return try archive.text(of: element, "_name")
  }
}
