import GraphCore

extension ModelSource.XMLReader {
  /// An element of the XML of a model, with the attributes that are written in it.
  struct Element {
    var name: String
    var attributes: [String: String]
    var line: Int
    /// The name of the entity that it stands in.
    var entityName: String?
    /// The settings that Xcode compiles in a way of its own.
    var notes: [ModelError] = []

    subscript(key: String) -> String? { attributes[key] }

    /// The text under a key; nil where it is empty.
    func text(_ key: String) -> String? {
      attributes[key].flatMap { $0.isEmpty ? nil : $0 }
    }

    func failure(_ code: ModelError.Code, _ name: String? = nil) -> ModelError {
      ModelError(
        code, entity: entityName ?? (self.name == "entity" ? text("name") : nil),
        property: entityName == nil ? nil : text("name"), line: line, name: name ?? self.name)
    }

    // MARK: Declarations

    func entity() throws(ModelError) -> Entity {
      let name = try requiredName()
      var entity = Entity(
        name: name, parent: text("parentEntity"), isAbstract: try flag("isAbstract"),
        renamingIdentifier: renamingIdentifier(of: name),
        versionHashModifier: text("versionHashModifier"))
      if let className = text("representedClassName") { entity.setClass(className) }
      return entity
    }

    mutating func attribute() throws(ModelError) -> Attribute {
      let name = try requiredName()
      let typeName = attributes["attributeType"] ?? ""
      guard let type = AttributeType(coreDataName: typeName) else {
        throw failure(.unknownAttributeType, typeName)
      }
      var texts = Attribute.DeclarationText(
        type: type, defaultValue: self["defaultValueString"], minimum: text("minValueString"),
        maximum: text("maxValueString"))
      if type == .date {
        texts.readDates(
          defaultValue: text("defaultDateTimeInterval"), minimum: text("minDateTimeInterval"),
          maximum: text("maxDateTimeInterval"))
      }
      notes += texts.notes.map { failure($0, type.rawValue) }
      return Attribute(
        name: name, type: type, isOptional: try flag("optional"),
        isTransient: try flag("transient"), defaultValue: texts.defaultValue,
        minimum: texts.minimum, maximum: texts.maximum, pattern: text("regularExpressionString"),
        allowsExternalBinaryDataStorage: try flag("allowsExternalBinaryDataStorage"),
        preservesAfterDeletion: try flag("preserveAfterDeletion"),
        valueTransformerName: text("valueTransformerName"), isDerived: try flag("derived"),
        renamingIdentifier: renamingIdentifier(of: name),
        versionHashModifier: text("versionHashModifier"))
    }

    /// A to-many relationship without `maxCount` has no limit, which is 0; a to-one has 1.
    func relationship() throws(ModelError) -> Relationship {
      let name = try requiredName()
      let isToMany = try flag("toMany")
      return Relationship(
        name: name, destinations: text("destinationEntity").map { [$0] } ?? [], isToMany: isToMany,
        isOrdered: try flag("ordered"), inverse: text("inverseName"),
        isOptional: try flag("optional"), isTransient: try flag("transient"),
        minimumCount: try count("minCount") ?? 0,
        maximumCount: try count("maxCount") ?? (isToMany ? 0 : 1), deleteRule: try deleteRule(),
        renamingIdentifier: renamingIdentifier(of: name),
        versionHashModifier: text("versionHashModifier"))
    }

    /// An index without its elements, which are elements of their own.
    func fetchIndex() throws(ModelError) -> FetchIndex {
      let predicate = text("partialIndexPredicate")
      return FetchIndex(
        name: try requiredName(), elements: [], isPartial: predicate != nil, predicate: predicate)
    }

    func fetchIndexElement() throws(ModelError) -> FetchIndex.Element {
      let (isDescending, isRTree) = (self["order"] == "descending", self["type"] == "RTree")
      guard isDescending || [nil, "", "ascending"].contains(self["order"]) else {
        throw failure(.badValue, "order")
      }
      guard isRTree || [nil, "", "Binary"].contains(self["type"]) else {
        throw failure(.badValue, "type")
      }
      return FetchIndex.Element(
        property: text("property"), expression: text("expression"), isAscending: !isDescending,
        form: isRTree ? .rTree : .binary)
    }

    // MARK: Values

    private func requiredName() throws(ModelError) -> String {
      guard let name = text("name") else { throw failure(.missingName) }
      return name
    }

    func flag(_ key: String) throws(ModelError) -> Bool {
      guard let value = text(key) else { return false }
      guard let flag = Attribute.ValueText.boolean(value) else { throw failure(.badValue, key) }
      return flag
    }

    private func count(_ key: String) throws(ModelError) -> Int? {
      guard let value = text(key) else { return nil }
      guard let count = Int32(value), count >= 0 else { throw failure(.badValue, key) }
      return Int(count)
    }

    private func deleteRule() throws(ModelError) -> Relationship.DeleteRule {
      switch attributes["deletionRule"] {
      case nil, "Nullify": return .nullify
      case "Cascade": return .cascade
      case "Deny": return .deny
      case "No Action": return .noAction
      case let name?: throw failure(.unknownDeleteRule, name)
      }
    }

    /// The former name, which Xcode writes as `elementID`; one that is the name itself says
    /// nothing.
    private func renamingIdentifier(of name: String) -> String? {
      let identifier = text("renamingIdentifier") ?? text("elementID")
      return identifier == name ? nil : identifier
    }
  }
}
