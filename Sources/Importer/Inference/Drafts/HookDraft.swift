import ArchiveReader
import DataModel
import Support

/// A hook in Swift for an archived class, which makes the rows that its objects become without it.
package struct HookDraft: Sendable {
  /// The name of the hook's type, and of its file.
  package let typeName: String
  /// The archived name of the class.
  package let className: String
  /// The entity of its rows.
  package let entity: String
  /// The number of objects of the class that were found.
  package let objects: Int
  /// The source code.
  package let source: String
  /// True if it reads all keys: not those that no coder can ask for.
  package let readsEverything: Bool
}

extension HookDraft {
  /// A model that was given.
  package struct Target {
    let model: Model
    /// Gives the name of the entity of an archived class.
    let entity: (_ className: String) -> String?
    /// Tells whether values of a type can be those of another.
    let fits: (_ found: AttributeType, _ type: AttributeType) -> Bool

    package init(
      _ model: Model, entity: @escaping (_ className: String) -> String?,
      fits: @escaping (_ found: AttributeType, _ type: AttributeType) -> Bool
    ) {
      (self.model, self.entity, self.fits) = (model, entity, fits)
    }
  }

  /// Drafts a hook for each class that becomes rows by itself.
  ///
  /// - Parameters:
  ///   - profile: The profile of the archives.
  ///   - inferred: The model that was drawn from it.
  ///   - target: The model whose names the rows have, if one was given.
  ///   - reserved: Words that no type of a hook can have as its name.
  /// - Returns: The hooks, in the order of the archives.
  package static func hooks(
    for profile: SchemaProfile, _ inferred: Model,
    model target: Target?, reserved: Set<String>
  ) -> [HookDraft] {
    let evidence = MappingDraft.Evidence(profile, inferred)
    let hierarchy = target.map { EntityHierarchy($0.model) }
    let skeleton = SwiftSource.words(Drafter.head("", "x", [""])).union(SwiftSource.reservedWords)
    let reserved = reserved.union(skeleton)
    var names = NameAllocator(reserved: Array(reserved))
    return inferred.entities.compactMap { entity in
      guard let className = entity.archivedClasses.first,
        let found = profile.knownIndex(of: className).map({ profile.classes[$0] }),
        !KnownClass.isFoundationValue(className)
      else { return nil }
      var entities: [Entity]?
      if let target, let hierarchy {
        guard let name = target.entity(className), let index = hierarchy.index(of: name) else {
          return nil
        }
        entities = hierarchy.ancestors(of: index).map { target.model.entities[$0] }
      }
      let drafter = Drafter(
        found, entity, target: entities, evidence,
        fits: target?.fits ?? { _, _ in true })
      let wanted = typeName(of: className)
      // With a suffix, it is no word of anything.
      let typeName = names.allocate(reserved.contains(wanted) ? "\(wanted)Hook" : wanted)
      return HookDraft(
        typeName: typeName, className: className, entity: entities?[0].name ?? entity.name,
        objects: found.count, source: drafter.source(typeName),
        readsEverything: drafter.readsEverything)
    }
  }

  /// The last part of a class's name in Swift, without the arguments of a generic class.
  private static func typeName(of className: String) -> String {
    let name = ArchivedName.plain(SwiftName.readable(className))
    let plain = name.split(separator: "<", omittingEmptySubsequences: false).first ?? ""
    return SwiftSource.identifier(plain.split(separator: ".").last.map(String.init) ?? "")
  }
}

/// Writes one hook.
private struct Drafter {
  let found: SchemaProfile.ClassProfile
  /// The entity that was inferred.
  let entity: Entity
  /// The entity of a given model and those that it inherits from, the nearest first.
  let target: [Entity]?
  let evidence: MappingDraft.Evidence
  let fits: (_ found: AttributeType, _ type: AttributeType) -> Bool
  private let attributes: [String: [Attribute]]
  private let relationships: [String: [Relationship]]
  private let collections: [String: [ValueCollection]]

  init(
    _ found: SchemaProfile.ClassProfile, _ entity: Entity, target: [Entity]?,
    _ evidence: MappingDraft.Evidence,
    fits: @escaping (_ found: AttributeType, _ type: AttributeType) -> Bool
  ) {
    (self.found, self.entity, self.target) = (found, entity, target)
    (self.evidence, self.fits) = (evidence, fits)
    attributes = Dictionary(grouping: entity.attributes, by: \.key)
    relationships = Dictionary(grouping: entity.relationships, by: \.key)
    collections = Dictionary(grouping: entity.collections, by: \.key)
  }

  /// The source code before the keys.
  static func head(_ typeName: String, _ className: String, _ comments: [String]) -> String {
    let name =
      className == typeName
      ? ""
      : """
        override class var archivedClassNames: [String] { [\(SwiftSource.literal(className))] }


      """
    return """
      import Importer

      \(comments.map { "/// \(PrintableText.printable($0)).\n" }.joined())\
      final class \(typeName): ImportedObject {
      \(name)\
        required init(coder: ImportCoder) throws {
          try super.init(coder: coder)

      """
  }

  func source(_ typeName: String) -> String {
    let name = ArchivedName.plain(found.name)
    return Self.head(typeName, name, evidence.comments(on: entity))
      + lines().map { "    \($0)\n" }.joined() + "  }\n}\n"
  }

  private func lines() -> [String] {
    askable.flatMap { property in
      lines(of: property, isUnkeyed(property.key) ? "" : "forKey: \(literal(property.key))")
    }
  }

  /// True if a coder can ask for all keys.
  var readsEverything: Bool { askable.count == found.properties.count }

  /// The keys that a coder can ask for: not those that only the format itself has.
  ///
  /// Values without a key are asked for one after the other, so the first that is missing is the last
  /// of them.
  private var askable: [SchemaProfile.PropertyProfile] {
    let numbered = Dictionary(
      found.properties.filter { isUnkeyed($0.key) }.map { ($0.key, $0) },
      uniquingKeysWith: { one, _ in one })
    let unkeyed = (0..<numbered.count).map { numbered["$\($0)"] }.prefix { $0 != nil }
    return found.properties.filter { !ArchivedKey.isReserved($0.key) }
      + unkeyed.compactMap(\.self)
  }

  private func isUnkeyed(_ key: String) -> Bool {
    ArchivedKey.isReserved(key) && key.utf8.count > 1
      && key.utf8.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  private func literal(_ key: String) -> String {
    SwiftSource.literal(ArchivedKey.plain(key))
  }

  // MARK: Properties

  private func lines(of property: SchemaProfile.PropertyProfile, _ key: String) -> [String] {
    let attribute = attributes[property.key]?.first
    let relationships = relationships[property.key] ?? []
    let collection = collections[property.key]?.first
    let words =
      [attribute.flatMap { evidence.comment(on: $0, of: entity) }]
      + relationships.map { evidence.comment(on: $0, of: entity) }
      + [collection.flatMap { evidence.comment(on: $0, of: entity) }]
    let comment = words.compactMap(\.self).first ?? ""
    let names = [attribute?.name, relationships.first?.name, collection?.name]
    guard let name = names.compactMap(\.self).first else { return [] }
    let isOne =
      [attribute?.name, collection?.name].compactMap(\.self).count + relationships.count == 1
    let value =
      isOne
      ? decoding(attribute, relationships.first, key) : "try coder.decodeObject(\(key))"
    guard let target else {
      guard collection != nil else { return ["// \(comment)", assignment(of: value, to: name)] }
      let place = "to: \(SwiftSource.literal(name)), of: instance)"
      let call =
        key.isEmpty ? "copyNext(\(place)" : "copy(\(literal(property.key)), \(place)"
      return ["// \(comment)", "try coder.\(call)"]
    }
    let plain = ArchivedKey.plain(property.key)
    guard let meant = target.lazy.compactMap({ Self.property(of: plain, in: $0) }).first else {
      return Self.leftOut(comment, "no property has this name", value, plain)
    }
    switch meant {
    case .attribute(let found):
      guard isOne, let attribute, fits(attribute.type, found.type) else {
        return Self.leftOut(comment, "the attribute is \(found.type.rawValue)", value, found.name)
      }
      let line = assignment(of: value, to: found.name)
      // What is not set gets the model's default.
      guard found.defaultValue != nil || !found.isOptional, !key.isEmpty else {
        return ["// \(comment)", line]
      }
      return ["// \(comment)", "if coder.containsValue(\(key)) {", "  \(line)", "}"]
    case .relationship(let found):
      guard !property.objectTargets.isEmpty || property.kinds == .null else {
        return Self.leftOut(comment, "the relationship holds rows", value, found.name)
      }
      return ["// \(comment)", assignment(of: value, to: found.name)]
    }
  }

  private func assignment(of value: String, to name: String) -> String {
    "self[\(SwiftSource.literal(name))] = \(value)"
  }

  /// A line for what the model has no room for, to be completed.
  private static func leftOut(
    _ comment: String, _ reason: String, _ value: String, _ name: String
  ) -> [String] {
    ["// \(comment); \(reason):", "// self[\(SwiftSource.literal(name))] = \(value)"]
  }

  /// A property of a given model.
  private enum Meant {
    case attribute(Attribute)
    case relationship(Relationship)
  }

  /// The property of an entity that a key is for.
  private static func property(of key: String, in entity: Entity) -> Meant? {
    func isMeant(_ name: String, _ identifier: String?) -> Bool {
      [name, identifier].contains { $0?.hasSameBytes(as: key) == true }
    }
    return entity.attributes.first {
      $0.isStored && isMeant($0.name, $0.renamingIdentifier)
    }.map(Meant.attribute)
      ?? entity.relationships.first {
        !$0.isTransient && isMeant($0.name, $0.renamingIdentifier)
      }.map(Meant.relationship)
  }

  /// The call that decodes what was found: absent keys and nil give nil.
  private func decoding(
    _ attribute: Attribute?, _ relationship: Relationship?, _ key: String
  ) -> String {
    if key.isEmpty { return "try coder.decodeObject()" }
    if let relationship, !relationship.isToMany { return "try coder.decodeRow(\(key))" }
    return switch attribute?.type {
    case .boolean: "try coder.decode(Bool.self, \(key))"
    case .integer: "try coder.decode(Int64.self, \(key))"
    case .double: "try coder.decode(Double.self, \(key))"
    case .string: "try coder.decodeString(\(key))"
    case .date: "try coder.decodeDate(\(key))"
    case .binary: "try coder.decodeData(\(key))"
    case .uuid: "try coder.decodeUUID(\(key))"
    case .decimal: "try coder.decodeDecimal(\(key))"
    default: "try coder.decodeObject(\(key))"
    }
  }
}
