import DataModel
import Importer
import Support

/// Classes for the entities of a model, whose rows Core Data or SwiftData keeps in its own layout.
struct ManagedObjectCode {
  /// A class with the properties that it does not inherit.
  struct Class {
    let name: String
    /// The name in the model.
    let modelName: String
    /// The entity, or the first of those that share the class.
    let entity: Entity
    var attributes: [Attribute]
    var relationships: [Relationship]
  }

  /// False for Core Data, which keeps the order of rows, and numbers as objects.
  let isForSwiftData: Bool
  let model: Model
  private(set) var classes: [Class] = []
  /// The places of classes, by the names of their entities.
  private var places: [String: Int] = [:]

  /// Takes the entities of a model.
  init(_ model: Model, isForSwiftData: Bool) {
    (self.model, self.isForSwiftData) = (model, isForSwiftData)
    // Each class has a file of its name, in whatever letters.
    var taken = Set(Self.reservedWords.map { $0.lowercased() })
    var shared: [String: Int] = [:]
    for entity in model.entities {
      // Entities of SwiftData have the names of their classes. A dot is that of the current module.
      let className = isForSwiftData ? nil : entity.className?.drop { $0 == "." }
      let wanted = className.map(String.init) ?? entity.name
      if let place = shared[wanted] {
        places[entity.name] = place
        classes[place].add(entity)
        continue
      }
      var name = SwiftSource.identifier(wanted)
      while !taken.insert(name.lowercased()).inserted { name += "_" }
      (shared[wanted], places[entity.name]) = (classes.count, classes.count)
      classes.append(
        Class(
          name: name, modelName: wanted, entity: entity, attributes: entity.attributes,
          relationships: entity.relationships))
    }
  }

  /// The words that classes may not be called.
  private static let reservedWords = SwiftCode.reservedWords.union(
    SwiftSource.words(
      """
      Attribute Float Int16 Int32 Model NSDecimalNumber NSFetchRequest NSManaged NSManagedObject
      NSManagedObjectID NSNumber NSObject NSOrderedSet Relationship Set Transient Unique
      """))

  func files() -> [CodeFile] {
    var code = SwiftCode(
      importing: isForSwiftData ? ["Foundation", "SwiftData"] : ["CoreData", "Foundation"],
      for: isForSwiftData
        ? "For SwiftData and a store in Core Data's layout, whose model these classes repeat."
        : "For Core Data and a model that names these classes, with manual code generation.")
    if classes.contains(where: { $0.attributes.contains(where: \.holdsJSON) }) {
      code.add("StoreValues", SwiftCode.json)
    }
    for form in classes {
      let views = views(of: form)
      code.add(
        form.name,
        (isForSwiftData ? swiftDataLines(form) : coreDataLines(form))
          + (views.isEmpty ? [] : ["", "extension \(form.name) {"] + views.dropFirst() + ["}"]),
        own: isForSwiftData ? "\nextension \(form.name)" : coreDataClass(form))
    }
    return code.files
  }

  // MARK: Names and types

  /// The class of an entity, by its name.
  func form(_ entity: String) -> Class? { places[entity].map { classes[$0] } }

  /// The class of the entity that another inherits from.
  func parent(_ form: Class) -> Class? { form.entity.parent.flatMap(self.form) }

  /// The class that a relationship leads to.
  func destination(_ relationship: Relationship) -> Class? {
    relationship.destinations.first.flatMap(form)
  }

  /// A property as a member; nil if its name is no identifier.
  static func member(_ name: String) -> String? {
    guard SwiftSource.identifier(name) == name else { return nil }
    return SwiftSource.reservedWords.contains(name) ? "`\(name)`" : name
  }

  /// The type of an attribute that is not optional; nil if the library has none for it.
  func type(of attribute: Attribute) -> String? {
    switch attribute.type {
    case .boolean: "Bool"
    case .integer16: "Int16"
    case .integer32: "Int32"
    case .integer: "Int64"
    case .float: "Float"
    case .double: "Double"
    case .decimal: isForSwiftData ? "Decimal" : "NSDecimalNumber"
    case .string: "String"
    case .date: "Date"
    case .binary: "Data"
    case .uuid: "UUID"
    case .uri: "URL"
    case .transformable: "NSObject"
    case .objectID: isForSwiftData ? nil : "NSManagedObjectID"
    case .composite: isForSwiftData ? nil : "[String: Any]"
    case .undefined, .json, .attributedText, .mixed, .unknown: nil
    }
  }

  // MARK: Other forms of values

  /// The members that show JSON by its fields, and rows in their order.
  private func views(of form: Class) -> [String] {
    var lines: [String] = []
    var taken = Set(form.attributes.map(\.name) + form.relationships.map(\.name))
    func add(_ name: String, _ type: String, _ value: String, _ comment: String) {
      guard taken.insert(name).inserted else { return }
      lines += ["", "  /// \(comment)", "  var \(name): \(type) {", "    \(value)", "  }"]
    }
    for attribute in form.attributes where attribute.holdsJSON {
      guard let member = Self.member(attribute.name) else { continue }
      add(
        "\(attribute.name)Value", "JSONValue?",
        attribute.isOptional
          ? "\(member).flatMap(JSONValue.init(storeText:))" : "JSONValue(storeText: \(member))",
        "The JSON of \(SwiftCode.quoted(attribute.name)): see values.md for the fields.")
    }
    for relationship in form.relationships {
      guard let member = Self.member(relationship.name), let target = destination(relationship),
        let value = inOrder(relationship, member, target.name)
      else { continue }
      add(
        "\(relationship.name)InOrder", "[\(target.name)]", value,
        "The rows of \(SwiftCode.quoted(relationship.name)), in their order.")
    }
    return lines
  }

  /// The rows of a relationship as an array; nil if they are in no order.
  private func inOrder(
    _ relationship: Relationship, _ member: String, _ target: String
  ) -> String? {
    if relationship.isOrdered, !isForSwiftData {
      return "\(member).compactMap { $0 as? \(target) }"
    }
    guard let attribute = position(in: relationship), let position = Self.member(attribute.name)
    else { return nil }
    let rows = isForSwiftData && relationship.isOptional ? "(\(member) ?? [])" : member
    let number =
      attribute.isOptional
      ? "\(position)\(isForSwiftData ? "" : "?.int64Value") ?? 0" : position
    return "\(rows).sorted { ($0.\(number)) < ($1.\(number)) }"
  }

  /// The attribute by which a draft keeps the order of elements.
  private func position(in relationship: Relationship) -> Attribute? {
    guard relationship.isToMany, let members = destination(relationship),
      members.relationships.contains(where: {
        $0.name == relationship.inverse && $0.draftedPart == .owner
      })
    else { return nil }
    return members.attributes.first { $0.draftedPart == .position }
  }
}

extension ManagedObjectCode.Class {
  /// Adds the properties of another entity of the class.
  fileprivate mutating func add(_ entity: Entity) {
    attributes += entity.attributes.filter { new in
      !attributes.contains { $0.name == new.name }
    }
    relationships += entity.relationships.filter { new in
      !relationships.contains { $0.name == new.name }
    }
  }
}

extension Attribute {
  /// True if the text of the attribute is JSON in a drafted model.
  fileprivate var holdsJSON: Bool {
    guard type == .string else { return false }
    if case .runs = draftedPart { return true }
    return archivedType == .json
  }
}
