import DataModel
import Importer

/// Classes for SwiftData, which repeat the model.
extension ManagedObjectCode {
  func swiftDataLines(_ form: Class) -> [String] {
    let parent = parent(form)
    let isFinal = !model.entities.contains { $0.parent == form.entity.name }
    var lines = ["/// A row of the entity \(SwiftCode.quoted(form.entity.name))."]
    if form.name != form.entity.name {
      lines.append("/// SwiftData calls its entity \(SwiftCode.quoted(form.name)).")
    }
    if form.entity.isAbstract {
      lines.append("/// It is abstract, which no class of SwiftData is.")
    }
    if parent != nil {
      lines.append("@available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *)")
    }
    lines += [
      "@Model",
      "\(isFinal ? "final " : "")class \(form.name)\(parent.map { ": \($0.name)" } ?? "") {",
    ]
    lines += constraints(form)
    lines += form.attributes.flatMap { declaration($0, of: form) }
    lines += form.relationships.flatMap { declaration($0, of: form) }
    return lines + [""] + initializer(form, parent) + ["}"]
  }

  // MARK: Properties

  /// Members of `PersistentModel`, and names that SwiftData cannot have for a column.
  private static let taken: Set<String> = [
    "debugDescription", "description", "hasChanges", "hashValue", "isDeleted", "modelContext",
    "persistentBackingData", "persistentModelID", "schemaMetadata",
  ]

  private static func swiftDataMember(_ name: String) -> String? {
    taken.contains(name) ? "\(name)_" : member(name)
  }

  /// The option with the name that a property has in the store, if that is another one.
  private static func formerName(_ name: String, _ renamingIdentifier: String?) -> [String] {
    (taken.contains(name) ? name : renamingIdentifier).map {
      ["originalName: \(SwiftSource.literal($0))"]
    } ?? []
  }

  private func declaration(_ attribute: Attribute, of form: Class) -> [String] {
    guard let member = Self.swiftDataMember(attribute.name), let type = swiftDataType(attribute)
    else {
      return ["  // \(SwiftCode.quoted(attribute.name)) has no form in SwiftData."]
    }
    var options: [String] = []
    if form.entity.uniquenessConstraints.contains([attribute.name]) { options.append(".unique") }
    if attribute.allowsExternalBinaryDataStorage { options.append(".externalStorage") }
    if attribute.preservesAfterDeletion { options.append(".preserveValueOnDeletion") }
    if attribute.type == .transformable {
      let name = attribute.valueTransformerName ?? "NSSecureUnarchiveFromData"
      options.append(".transformable(by: \(SwiftSource.literal(name)))")
    }
    options += Self.formerName(attribute.name, attribute.renamingIdentifier)
    if let modifier = attribute.versionHashModifier {
      options.append("hashModifier: \(SwiftSource.literal(modifier))")
    }
    let lines =
      attribute.isTransient
      ? ["  @Transient"]
      : options.isEmpty ? [] : ["  @Attribute(\(options.joined(separator: ", ")))"]
    let value = defaultValue(attribute).map { " = \($0)" } ?? ""
    return lines + ["  var \(member): \(type)\(value)"]
  }

  private func swiftDataType(_ attribute: Attribute) -> String? {
    guard !attribute.isDerived, let type = type(of: attribute) else { return nil }
    return attribute.isOptional || attribute.isTransient ? "\(type)?" : type
  }

  private func defaultValue(_ attribute: Attribute) -> String? {
    switch (attribute.type, attribute.defaultValue) {
    case (.boolean, .boolean(let flag)): "\(flag)"
    case (.integer16, .integer(let number)), (.integer32, .integer(let number)),
      (.integer, .integer(let number)):
      "\(number)"
    case (.float, .double(let number)) where number.isFinite,
      (.double, .double(let number)) where number.isFinite:
      "\(number)"
    case (.string, .string(let text)): SwiftSource.literal(text)
    case (.date, .date(let seconds)) where seconds.isFinite:
      "Date(timeIntervalSinceReferenceDate: \(seconds))"
    default: nil
    }
  }

  /// The constraints of several attributes together.
  private func constraints(_ form: Class) -> [String] {
    let keys = form.entity.uniquenessConstraints.filter { $0.count > 1 }.map { names in
      "[" + names.compactMap(Self.swiftDataMember).map { "\\.\($0)" }.joined(separator: ", ") + "]"
    }
    return keys.isEmpty ? [] : ["  #Unique<\(form.name)>(\(keys.joined(separator: ", ")))", ""]
  }

  // MARK: Relationships

  private func declaration(_ relationship: Relationship, of form: Class) -> [String] {
    guard let member = Self.swiftDataMember(relationship.name),
      let target = destination(relationship)
    else {
      return ["  // \(SwiftCode.quoted(relationship.name)) has no form in SwiftData."]
    }
    var options: [String] = []
    if relationship.deleteRule != .nullify {
      options.append("deleteRule: .\(relationship.deleteRule.rawValue)")
    }
    if relationship.isToMany {
      if relationship.minimumCount > 0 {
        options.append("minimumModelCount: \(relationship.minimumCount)")
      }
      if relationship.maximumCount > 0 {
        options.append("maximumModelCount: \(relationship.maximumCount)")
      }
    }
    options += Self.formerName(relationship.name, relationship.renamingIdentifier)
    if let inverse = inverse(of: relationship, in: form) {
      options.append("inverse: \\\(target.name).\(inverse)")
    }
    if let modifier = relationship.versionHashModifier {
      options.append("hashModifier: \(SwiftSource.literal(modifier))")
    }
    let comment =
      relationship.isOrdered
      ? ["  /// Ordered in the model, and without an order in SwiftData."] : []
    let type = relationship.isToMany ? "[\(target.name)]" : target.name
    let value = relationship.isToMany ? " = []" : ""
    return comment
      + (options.isEmpty ? [] : ["  @Relationship(\(options.joined(separator: ", ")))"])
      + ["  var \(member): \(type)\(relationship.isOptional ? "?" : "")\(value)"]
  }

  /// The inverse, where this side names it: SwiftData takes it from one of the two.
  private func inverse(of relationship: Relationship, in form: Class) -> String? {
    guard let name = relationship.inverse, let target = destination(relationship),
      let other = self.relationship(name, of: target)
    else { return nil }
    let isFirst =
      relationship.isToMany == other.isToMany
      ? (form.name, relationship.name) <= (target.name, name) : relationship.isToMany
    return isFirst ? Self.swiftDataMember(name) : nil
  }

  /// A relationship that a class has or inherits.
  private func relationship(_ name: String, of form: Class) -> Relationship? {
    var form: Class? = form
    for _ in model.entities {
      guard let current = form else { return nil }
      if let found = current.relationships.first(where: { $0.name == name }) { return found }
      form = parent(current)
    }
    return nil
  }

  // MARK: Initializer

  /// The initializer, with the properties that have no value by themselves.
  private func initializer(_ form: Class, _ parent: Class?) -> [String] {
    let own = required(form)
    var inherited: [(name: String, type: String)] = []
    var ancestor = parent
    for _ in model.entities {
      guard let current = ancestor else { break }
      inherited += required(current)
      ancestor = self.parent(current)
    }
    let parameters = (own + inherited).map { "\($0.name): \($0.type)" }.joined(separator: ", ")
    let arguments = inherited.map { "\($0.name): \($0.name)" }.joined(separator: ", ")
    let lines =
      own.map { "    self.\($0.name) = \($0.name)" }
      + (parent == nil ? [] : ["    super.init(\(arguments))"])
    let start = "  \(parent != nil && own.isEmpty ? "override " : "")init(\(parameters)) {"
    return lines.isEmpty ? ["\(start)}"] : [start] + lines + ["  }"]
  }

  private func required(_ form: Class) -> [(name: String, type: String)] {
    let attributes = form.attributes.compactMap { attribute -> (name: String, type: String)? in
      guard !attribute.isOptional, !attribute.isTransient, defaultValue(attribute) == nil,
        let name = Self.swiftDataMember(attribute.name), let type = swiftDataType(attribute)
      else { return nil }
      return (name, type)
    }
    let rows = form.relationships.compactMap { relationship -> (name: String, type: String)? in
      guard !relationship.isOptional, !relationship.isToMany,
        let name = Self.swiftDataMember(relationship.name), let target = destination(relationship)
      else { return nil }
      return (name, target.name)
    }
    return attributes + rows
  }
}
