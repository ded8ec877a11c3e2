import ArchiveWriter
import DataModel
import Foundation

/// Makes models in the form of Xcode 3 from models.
package struct XDPMArchive {
  /// A value of `settings` that takes another's place; nil takes it out.
  package typealias Overrides = [String: PropertyListValue?]

  private var archive = KeyedArchiveBuilder()
  private let model: Model
  private let overrides: Overrides
  private let parents: [String: String]
  private var entities: [String: KeyedArchiveBuilder.Slot] = [:]
  private var properties: [String: KeyedArchiveBuilder.Slot] = [:]

  /// The archive of a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - overrides: Settings of entities and properties, as `Entity.KEY` and `Entity.property.KEY`.
  ///   - parents: The parents of entities, in place of those of the model.
  /// - Returns: The archive.
  package static func make(
    _ model: Model, overrides: Overrides = [:], parents: [String: String] = [:]
  ) -> KeyedArchiveBuilder {
    var maker = XDPMArchive(model: model, overrides: overrides, parents: parents)
    maker.add()
    return maker.archive
  }

  private init(model: Model, overrides: Overrides, parents: [String: String]) {
    (self.model, self.overrides, self.parents) = (model, overrides, parents)
  }

  private mutating func add() {
    for entity in model.entities {
      entities[entity.name] = archive.reserve()
      for name in entity.attributes.map(\.name) + entity.relationships.map(\.name) {
        properties["\(entity.name).\(name)"] = archive.reserve()
      }
    }
    for entity in model.entities { add(entity) }
    let package = archive.instance(
      of: "XDModelPackage",
      [
        "_name": archive.string(""),
        "XDBucketForClassesstorage": dictionary(
          model.entities.map { ($0.name, entities[$0.name]?.reference ?? .none) }),
      ])
    let identifier = model.versionIdentifiers.first.map { archive.string($0) } ?? .none
    archive.setTop(
      "root",
      archive.instance(
        of: "XDPMModel",
        ["_xd_rootPackage": package, "_modelVersionIdentifier": identifier]))
  }

  // MARK: Elements

  private mutating func add(_ entity: Entity) {
    let constraints = lists(entity.uniquenessConstraints)
    let compounds = lists(
      entity.fetchIndexes.filter { $0.elements.count > 1 }.map {
        $0.elements.compactMap(\.property)
      })
    var generalizations: [PropertyListValue] = []
    if let parent = (parents[entity.name] ?? entity.parent).flatMap({ entities[$0] }) {
      generalizations.append(
        archive.instance(of: "XDUMLGeneralizationImp", ["_general": parent.reference]))
    }
    let stereotypes = stereotypes(
      entity.name,
      [
        "XD_PSK_entityClassName": text(entity.compiledClassName ?? "NSManagedObject"),
        "XD_PSK_elementID": text(entity.renamingIdentifier),
        "XD_PSK_versionHashModifier": text(entity.versionHashModifier),
        "XD_PSK_isAbstract": archive.number(entity.isAbstract),
        "XDPMUniquenessConstraints": constraints, "XDPMCompoundIndexes": compounds,
      ])
    var members: [(String, PropertyListValue)] = []
    for attribute in entity.attributes { members.append(add(attribute, entity)) }
    for relationship in entity.relationships { members.append(add(relationship, entity)) }
    // A fetched property, which a model does not hold.
    members.append(("found", archive.instance(of: "XDPMFetchedProperty", ["_name": "found"])))
    guard let slot = entities[entity.name] else { return }
    archive.fill(
      slot, className: "XDPMEntity",
      [
        "_name": archive.string(entity.name), "_isAbstract": .bool(entity.isAbstract),
        "XDBucketForGeneralizationsstorage": archive.mutableArray(generalizations),
        "XDBucketForStereotypesstorage": stereotypes,
        "XDBucketForOwnedAttributesstorage": dictionary(members),
      ])
  }

  private mutating func add(
    _ attribute: Attribute, _ entity: Entity
  ) -> (String, PropertyListValue) {
    let isIndexed = entity.fetchIndexes.contains {
      $0.name == attribute.name && $0.elements.count == 1
    }
    return fill(
      "XDPMAttribute", attribute.name, entity,
      [
        "XD_PPSK_isOptional": archive.number(attribute.isOptional),
        "XD_PPSK_isTransient": archive.number(attribute.isTransient),
        "XD_PPSK_isIndexed": archive.number(isIndexed),
        "XD_PPSK_elementID": text(attribute.renamingIdentifier),
        "XD_PPSK_versionHashModifier": text(attribute.versionHashModifier),
        "XD_PAttK_attributeType": archive.number(Int(attribute.type.coreDataCode ?? 0)),
        "XD_PAttK_defaultValueAsString": text(attribute.defaultValue.flatMap(Self.text)),
        "XD_PAttK_minValueString": text(attribute.minimum.map { "\($0)" }),
        "XD_PAttK_maxValueString": text(attribute.maximum.map { "\($0)" }),
        "XD_PAttK_regularExpressionString": text(attribute.pattern),
        "XD_PAttK_valueTransformerName": text(attribute.valueTransformerName),
        "XD_PAttK_allowsExternalBinaryDataStorage": archive.number(
          attribute.allowsExternalBinaryDataStorage),
      ])
  }

  private mutating func add(
    _ relationship: Relationship, _ entity: Entity
  ) -> (String, PropertyListValue) {
    let destination = relationship.destinations.first ?? ""
    let inverse = relationship.inverse.flatMap { properties["\(destination).\($0)"]?.reference }
    let rules: [Relationship.DeleteRule] = [.noAction, .nullify, .cascade, .deny]
    return fill(
      "XDPMRelationship", relationship.name, entity,
      [
        "XD_PPSK_isOptional": archive.number(relationship.isOptional),
        "XD_PPSK_isTransient": archive.number(relationship.isTransient),
        "XD_PPSK_elementID": text(relationship.renamingIdentifier),
        "XD_PPSK_versionHashModifier": text(relationship.versionHashModifier),
        "XD_PRK_destination": entities[destination]?.reference ?? .none,
        "XD_PRK_inverseRelationship": inverse ?? .none,
        "XD_PRK_isToMany": archive.number(relationship.isToMany),
        "XD_PRK_minCount": archive.number(relationship.minimumCount),
        "XD_PRK_maxCount": archive.number(relationship.maximumCount),
        "XD_PRK_deleteRule": archive.number(rules.firstIndex(of: relationship.deleteRule) ?? 0),
        "XD_PRK_ordered": archive.number(relationship.isOrdered),
      ])
  }

  private mutating func fill(
    _ className: String, _ name: String, _ entity: Entity, _ settings: [String: PropertyListValue]
  ) -> (String, PropertyListValue) {
    let stereotypes = stereotypes("\(entity.name).\(name)", settings)
    guard let slot = properties["\(entity.name).\(name)"] else { return (name, .none) }
    archive.fill(
      slot, className: className,
      ["_name": archive.string(name), "XDBucketForStereotypesstorage": stereotypes])
    return (name, slot.reference)
  }

  /// Two stereotypes that hold the settings of an element.
  private mutating func stereotypes(
    _ element: String, _ settings: [String: PropertyListValue]
  ) -> PropertyListValue {
    var all = settings.mapValues { Optional($0) }
    for (key, value) in overrides where key.hasPrefix("\(element).") {
      let name = String(key.dropFirst(element.count + 1))
      if !name.contains(".") { all[name] = value }
    }
    let keys = all.compactMap { $0.value == nil ? nil : $0.key }.sorted()
    let halves = [keys.prefix(keys.count / 2), keys.suffix(keys.count - keys.count / 2)]
    var stereotypes: [(String, PropertyListValue)] = []
    for (index, half) in halves.enumerated() {
      var members: [(String, PropertyListValue)] = []
      for key in half {
        let value = all[key].flatMap { $0 } ?? .none
        let property = archive.instance(
          of: "XDUMLPropertyImp", ["_name": archive.string(key), "_default": value])
        members.append((key, property))
      }
      let stereotype = archive.instance(
        of: "XDUMLStereotypeImp",
        [
          "_name": archive.string("S\(index)"),
          "XDBucketForOwnedAttributesstorage": dictionary(members),
        ])
      stereotypes.append(("S\(index)", stereotype))
    }
    return dictionary(stereotypes)
  }

  // MARK: Values

  private mutating func text(_ text: String?) -> PropertyListValue {
    text.map { archive.string($0) } ?? .none
  }

  private mutating func lists(_ lists: [[String]]) -> PropertyListValue {
    archive.mutableArray(
      lists.map { list in archive.mutableArray(list.map { archive.string($0) }) })
  }

  private mutating func dictionary(
    _ pairs: [(String, PropertyListValue)]
  ) -> PropertyListValue {
    archive.dictionary(
      keys: pairs.map { archive.string($0.0) }, values: pairs.map(\.1),
      className: "NSMutableDictionary")
  }

  private static func text(_ value: AttributeDefault) -> String? {
    switch value {
    case .boolean(let flag): flag ? "YES" : "NO"
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal(let text), .string(let text): text
    case .date, .other: nil
    }
  }
}
