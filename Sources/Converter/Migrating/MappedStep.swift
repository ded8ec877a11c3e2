import ArchiveWriter
import DataModel
import Foundation
import Importer
import Mappings
import Migration

/// A step of a migration, as an import runs it over a store.
struct MappedStep {
  /// The way from source objects to rows in the walk over the store.
  private(set) var mapping = Mapping()
  /// The destination model with what rows are given, and without what is merely counted.
  private(set) var model: Model
  /// The rules that a mapping has no words for.
  private(set) var traits = MigrationTraits { $0.archive }
  private let program: MigrationProgram

  /// Compiles a program.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - policies: Its policies.
  init(_ program: MigrationProgram, _ policies: MigrationProgram.PolicyMakers) {
    self.program = program
    model = Self.storable(program.destination.model).withoutRules.withoutDraftedParts
    for entity in model.entities.indices {
      for place in model.entities[entity].attributes.indices {
        model.entities[entity].attributes[place].holdsNegativeZero = true
      }
    }
    let walked = program.destination.pairs.indices.map(isWalked)
    let defaults = giveDefaults()
    for (index, entity) in program.source.entities.enumerated()
    where program.mappingsOfEntity[index].isEmpty {
      mapping.classes.append(ClassMapping(className: Marked(entity.name), kind: .ignored))
    }
    for index in program.mappings.indices {
      mapping.entities.append(block(index, walked, defaults))
      traits.entities.append(
        MigrationTraits.EntityTraits(
          info: program.mappings[index].info, model: program.mappings[index].pass,
          makePolicy: policies.makers[index], links: links(index, walked),
          userInfo: program.mappings[index].propertyUserInfo.mapValues {
            $0.compactMapValues(\.importValue)
          }))
    }
    for entity in program.destination.entities {
      var values: [String: ImportValue] = [:]
      for property in entity.properties {
        guard case .attribute(let attribute) = property.content else { continue }
        let value = attribute.stored(attribute.initialValue)
        if !value.isNull || defaults.contains(property.name) { values[property.name] = value }
      }
      traits.initialValues[entity.name] = values
    }
    for (index, entity) in program.source.entities.enumerated() {
      let whole = program.sourceHierarchy.withInherited(index, in: program.source)
      let unstored = whole.attributes.filter { !$0.isStored }.map(\.name)
      if !unstored.isEmpty { traits.unstoredKeys[entity.name] = Set(unstored) }
    }
  }

  /// A model as a store is made of it, in which nothing is asked for its hashes.
  func source(of destination: ModelSource) -> ModelSource {
    var source = destination
    source.model = Self.storable(source.model)
    source.versionHashes = destination.hashes()
    return source
  }

  /// A model without composite attributes, of which no entity mapping makes anything.
  private static func storable(_ model: Model) -> Model {
    var model = model
    for entity in model.entities.indices {
      model.entities[entity].attributes.removeAll { $0.type == .composite }
    }
    return model
  }

  // MARK: Attributes

  /// Lets the model have the defaults and the demands of copied attributes; returns the names of
  /// attributes with a default.
  private mutating func giveDefaults() -> Set<String> {
    var names: Set<String> = []
    for mapping in program.mappings {
      guard let made = mapping.destinationEntity else { continue }
      let properties = program.destination.entities[made].properties
      for (position, property) in properties.enumerated() {
        guard case .attribute(let attribute) = property.content,
          case .copy(_, _, let value) = mapping.values[position],
          let holder = program.destination.hierarchy.ancestors(of: made).first(where: { entity in
            model.entities[entity].attributes.contains { $0.name == property.name }
          }),
          let place = model.entities[holder].attributes.firstIndex(where: {
            $0.name == property.name
          })
        else { continue }
        if !value.isNull, value == attribute.initialValue {
          model.entities[holder].attributes[place].defaultValue = attribute.defaultValue
          names.insert(property.name)
        }
        if mapping.requiredAttributes.contains(position) {
          model.entities[holder].attributes[place].isOptional = false
        }
      }
    }
    return names
  }

  private func attributes(_ index: Int, _ defaults: Set<String>) -> [AttributeMapping] {
    let mapping = program.mappings[index]
    guard let made = mapping.destinationEntity else { return [] }
    var found: [AttributeMapping] = []
    var stored: [AttributeMapping] = []
    for (position, property) in program.destination.entities[made].properties.enumerated() {
      guard case .attribute(let attribute) = property.content else { continue }
      let name = Marked(property.name)
      func add(_ source: ValueSource) {
        found.append(AttributeMapping(name: name, source: Marked(source)))
      }
      switch mapping.values[position] {
      case .constant(let value):
        if !value.isNull || defaults.contains(property.name) {
          add(.constant(attribute.stored(value)))
        }
      case .copy(let key, _, let value):
        let hasDefault = defaults.contains(property.name)
        let isDefault = value == attribute.initialValue || value.isNull && !hasDefault
        add(isDefault ? .keyPath([key]) : .expression(Self.value(of: key, orElse: value)))
      case .computed(let expression): add(.expression(expression))
      case .stored(let expression):
        stored.append(AttributeMapping(name: name, source: Marked(.expression(expression))))
      case .none, .links, .objects: break
      }
    }
    return found + stored
  }

  private static func value(of key: String, orElse value: ImportValue) -> ValueExpression {
    let source = ExpressionNode.sourceValue(key)
    return ValueExpression(.ternary(.isNil(source), .constant(value), source))
  }

  // MARK: Entity mappings

  private func block(_ index: Int, _ walked: [Bool], _ defaults: Set<String>) -> EntityMapping {
    let planned = program.mappings[index]
    let entities = program.destination.model.entities
    let entity = planned.destinationEntity ?? entities.firstIndex { !$0.isAbstract } ?? 0
    var block = EntityMapping(entity: Marked(entities[entity].name))
    block.name = Marked("\(index)")
    block.sources = program.source.entities.indices
      .filter { program.mappingsOfEntity[$0].contains(index) }
      .map { Marked(program.source.entities[$0].name) }
    // Without any, it would be for the entity of its name.
    if block.sources.isEmpty { block.sources = [Marked("\u{1}")] }
    block.filter = planned.filter.map { Marked($0) }
    block.isComplete = true
    block.attributes = attributes(index, defaults)
    guard !planned.isEager, let made = planned.destinationEntity else { return block }
    for (position, property) in program.destination.entities[made].properties.enumerated() {
      guard case .relationship(_, let pair, _) = property.content, walked[pair],
        case .links(let links) = planned.values[position],
        case .relationship(let key) = links.sources
      else { continue }
      block.relationships.append(
        RelationshipMapping(name: Marked(property.name), source: Marked(.keyPath([key]))))
    }
    return block
  }

  // MARK: Relationships

  /// The relationships of an entity mapping that are set when all objects are there.
  private func links(_ index: Int, _ walked: [Bool]) -> [MigrationTraits.StagedLinks] {
    let planned = program.mappings[index]
    guard let made = planned.destinationEntity else { return [] }
    return zip(program.destination.entities[made].properties, planned.values).compactMap {
      property, value in
      guard case .relationship(_, let pair, _) = property.content, !walked[pair] else {
        return nil
      }
      switch value {
      case .objects(let expression):
        return MigrationTraits.StagedLinks(property.name, .objects(expression))
      case .links(let links):
        let origin: MigrationTraits.StagedLinks.Origin =
          switch links.sources {
          case .itself: .itself
          case .relationship(let key): .key(key)
          case .expression(let expression): .expression(expression)
          }
        return MigrationTraits.StagedLinks(property.name, origin, links.mappings)
      case .none, .constant, .copy, .computed, .stored: return nil
      }
    }
  }

  /// True if the walk over the store finds the links of a pair by itself: its sides agree, and
  /// lead to all that becomes of an object.
  private func isWalked(_ pair: Int) -> Bool {
    guard program.isLazy[pair] else { return false }
    return program.mappings.allSatisfy { mapping in
      guard let made = mapping.destinationEntity else { return true }
      return zip(program.destination.entities[made].properties, mapping.values).allSatisfy {
        property, value in
        guard case .relationship(_, pair, _) = property.content else { return true }
        switch value {
        case .links(let links): return isWalked(links, of: mapping, property)
        default: return true
        }
      }
    }
  }

  private func isWalked(
    _ links: PlannedMapping.Links, of mapping: PlannedMapping,
    _ property: DestinationSchema.Property
  ) -> Bool {
    guard case .relationship(let key) = links.sources, let from = mapping.sourceEntity,
      let relationship = program.sourceHierarchy.relationship(key, of: from, in: program.source)
    else { return false }
    let risk = MigrationProgram.LinkRisk(program)
    return relationship.destinations.compactMap(program.sourceHierarchy.index)
      .flatMap(program.sourceHierarchy.withDescendants)
      .allSatisfy { entity in
        let makers = program.mappingsOfEntity[entity].filter {
          program.mappings[$0].destinationEntity != nil
        }
        return makers.allSatisfy { maker in
          links.mappings.contains(maker) && !program.mappings[maker].isEager
            && risk.holds(property, maker)
        }
      }
  }
}

extension Attribute {
  /// A value as a store keeps it in the attribute.
  fileprivate func stored(_ value: ImportValue) -> ImportValue {
    type == .transformable ? value.archive.map { .data($0) } ?? value : value
  }
}

extension ImportValue {
  /// The form of a value in a transformable attribute of a Core Data store: data as it is, an
  /// archive of any other plain value; nil for nil, and for what is no plain value.
  fileprivate var archive: Data? {
    var archive = KeyedArchiveBuilder()
    let root: PropertyListValue
    switch self {
    case .data(let data): return data
    case .bool(let value): root = archive.add(.bool(value))
    case .integer(let value): root = archive.add(.integer(value))
    case .real(let value): root = archive.add(.real(value))
    case .date(let date):
      root = archive.date(secondsSince2001: date.timeIntervalSinceReferenceDate)
    case .text(let text): root = archive.string(text)
    case .url(let text): root = archive.url(text)
    case .uuid(let uuid):
      root = archive.instance(of: "NSUUID", ["NS.uuidbytes": .data(Data(uuid.bytes))])
    case .decimal(let decimal):
      guard let value = try? archive.decimal("\(decimal)") else { return nil }
      root = value
    case .null, .foundation, .row, .list, .set, .dictionary: return nil
    }
    archive.setTop("root", root)
    return archive.binary()
  }
}
