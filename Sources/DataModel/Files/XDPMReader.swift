import ArchiveReader
import Foundation
import Support

extension ArchivedModel {
  /// Reads a model in the form of Xcode 3: a keyed archive of an `XDPMModel`.
  ///
  /// The file `elements` of an `.xcdatamodel` folder is one, and a mapping model embeds two: see
  /// `EmbeddedModels`. The root package holds the entities, an entity its properties. What the
  /// editor lets its user set of each hangs on stereotypes, as properties whose default is the
  /// value; see `XDPMReader+Properties`. The form was found by comparing such archives with the
  /// hashes of stores and with later versions of the same models.
  package struct XDPMReader {
    /// The class of the root.
    static let rootClass = "XDPMModel"

    var archive: ModelArchive
    private(set) var declarations = ModelDeclarations()
    private var propertyCount = 0

    /// Prepares to read an archive.
    ///
    /// - Parameter archive: The archive, whose root is of the class `rootClass`.
    init(_ archive: ModelArchive) { self.archive = archive }

    /// Reads the model.
    ///
    /// - Parameter root: The root of the archive.
    /// - Returns: The model.
    /// - Throws: `ModelError` with the entity and property where it can.
    mutating func model(_ root: GraphObject) throws(ModelError) -> Model {
      guard let package = try object(root, "_xd_rootPackage") else {
        throw ModelError(.notAModel, name: "it has no root package")
      }
      for (name, entity) in try members(of: package, "XDBucketForClassesstorage", "XDPMEntity") {
        try declarations.add(try declaration(of: entity, name))
      }
      var identifiers: [String] = []
      // An empty identifier is one, as in the XML of later versions.
      let identifier = try archive.value(of: root, "_modelVersionIdentifier")
      if let text = try archive.text(identifier) { identifiers.append(text) }
      var model = try declarations.model(versionIdentifiers: identifiers)
      model.hasConfigurations = try archive.isSomething(of: root, "_configurationsByName")
      return model
    }

    private mutating func declaration(
      of object: GraphObject, _ name: String
    ) throws(ModelError) -> ModelDeclarations.EntityDeclaration {
      guard !name.isEmpty else { throw ModelError(.missingName, name: "XDPMEntity") }
      let settings = try settings(of: object)
      var declaration = ModelDeclarations.EntityDeclaration(Entity(name: name))
      if let className = try text(settings["XD_PSK_entityClassName"]), !className.isEmpty,
        className != "NSManagedObject"
      {
        declaration.entity.setClass(className)
      }
      declaration.entity.parent = try parent(of: object)
      let isAbstract = try archive.flag(of: object, "_isAbstract") ?? false
      declaration.entity.isAbstract = isAbstract || flag(settings["XD_PSK_isAbstract"])
      declaration.entity.renamingIdentifier = try renamingIdentifier(
        settings["XD_PSK_elementID"], name)
      declaration.entity.versionHashModifier = try text(settings["XD_PSK_versionHashModifier"])
      for (key, text) in try texts(settings["XD_PSK_userInfo"]) {
        declaration.add(userInfo: key, text, to: "entity")
      }
      for (name, property) in try members(of: object, "XDBucketForOwnedAttributesstorage") {
        propertyCount += 1
        guard propertyCount <= ModelDeclarations.Limit.properties else {
          throw ModelError(.tooMany, name: "properties")
        }
        do throws(ModelError) {
          try add(property, name, to: &declaration)
        } catch {
          var error = error
          (error.entity, error.property) = (declaration.entity.name, error.property ?? name)
          throw error
        }
      }
      declaration.entity.uniquenessConstraints = try nameLists(
        settings["XDPMUniquenessConstraints"])
      declaration.indexHints.compounds = try nameLists(settings["XDPMCompoundIndexes"])
      return declaration
    }

    /// Adds an attribute or a relationship; fetched properties are left out.
    private mutating func add(
      _ property: GraphObject, _ name: String,
      to declaration: inout ModelDeclarations.EntityDeclaration
    ) throws(ModelError) {
      let settings = try settings(of: property)
      let userInfo = try texts(settings["XD_PPSK_userInfo"])
      if archive.isA("XDPMAttribute", property) {
        let (attribute, notes) = try attribute(name, settings)
        try declaration.add(attribute)
        for (key, text) in userInfo { declaration.add(userInfo: key, text, to: "attribute") }
        if flag(settings["XD_PPSK_isIndexed"]) { declaration.indexHints.attributes.append(name) }
        declarations.notes += notes.map { code in
          ModelError(
            code, entity: declaration.entity.name, property: name, name: attribute.type.rawValue)
        }
      } else if archive.isA("XDPMRelationship", property) {
        try declaration.add(try relationship(name, settings))
        for (key, text) in userInfo { declaration.add(userInfo: key, text, to: "relationship") }
      }
    }

    /// The name of the entity that one inherits from: what its only generalization leads to.
    private mutating func parent(of entity: GraphObject) throws(ModelError) -> String? {
      let generalizations = try archive.value(of: entity, "XDBucketForGeneralizationsstorage")
      for value in try archive.list(generalizations) {
        guard let generalization = try archive.object(value),
          let general = try object(generalization, "_general")
        else { continue }
        return try archive.text(of: general, "_name") ?? ""
      }
      return nil
    }
  }
}

// MARK: Elements

extension ArchivedModel.XDPMReader {
  /// The object under a key.
  private mutating func object(
    _ object: GraphObject, _ key: String
  ) throws(ModelError) -> GraphObject? {
    try archive.object(try archive.value(of: object, key))
  }

  /// The named elements that an element holds: their names, and the elements themselves.
  private mutating func members(
    of element: GraphObject, _ key: String, _ className: String? = nil
  ) throws(ModelError) -> [(name: String, object: GraphObject)] {
    var members: [(name: String, object: GraphObject)] = []
    for (key, value) in try archive.pairs(of: try archive.value(of: element, key)) {
      guard let object = try archive.object(value),
        className.map({ archive.isA($0, object) }) ?? true
      else { continue }
      members.append((try archive.text(of: object, "_name") ?? key, object))
    }
    return members
  }

  /// The values that hang on the stereotypes of an element, by their keys.
  private mutating func settings(
    of element: GraphObject
  ) throws(ModelError) -> [String: GraphValue] {
    var settings: [String: GraphValue] = [:]
    for (_, stereotype) in try members(of: element, "XDBucketForStereotypesstorage") {
      for (key, property) in try members(of: stereotype, "XDBucketForOwnedAttributesstorage") {
        settings[key] = try archive.value(of: property, "_default")
      }
    }
    return settings
  }

  /// Lists of the names of properties.
  private mutating func nameLists(_ value: GraphValue?) throws(ModelError) -> [[String]] {
    var lists: [[String]] = []
    for list in try archive.list(value ?? .null) {
      var names: [String] = []
      for value in try archive.list(list) {
        if let name = try archive.text(value) { names.append(name) }
      }
      if !names.isEmpty { lists.append(names) }
    }
    return lists
  }

  /// The pairs of a user info whose values are texts.
  private mutating func texts(
    _ value: GraphValue?
  ) throws(ModelError) -> [(key: String, text: String)] {
    var texts: [(key: String, text: String)] = []
    for (key, value) in try archive.pairs(of: value ?? .null) {
      if let text = try archive.text(value) { texts.append((key, text)) }
    }
    return texts
  }
}

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
