import ArchiveWriter
import DataModel
import Foundation
import Support

/// Writes a model in compiled form: the content of a `.mom` file, and what stores carry.
///
/// It is a keyed archive of an `NSManagedObjectModel`, with the objects, keys and values that
/// Apple's compiler writes; the collections that have no order are sorted by name. Entities repeat
/// the properties that they inherit.
///
/// The limits and patterns of values, user info but that of drafted models, fetch requests and
/// fetched properties are left out, and so are indexes that the store does not have: none of them
/// says what is stored, or enters a version hash. Stores that Core Data has migrated carry a model
/// without rules and classes, too.
struct CompiledModelWriter {
  /// A property of an entity, inherited or its own.
  enum Property {
    case attribute(Attribute)
    case relationship(Relationship)

    var name: String {
      switch self {
      case .attribute(let attribute): attribute.name
      case .relationship(let relationship): relationship.name
      }
    }
  }

  /// An entity and the entries of the archive that wait for it and its properties.
  struct Description {
    let entity: Entity
    let slot: KeyedArchiveBuilder.Slot
    /// All properties, sorted by name, with the attributes among them that are sorted alone by an
    /// index.
    var properties: [(property: Property, slot: KeyedArchiveBuilder.Slot)] = []
    var indexedAttributes: Set<String> = []
  }

  var archive = KeyedArchiveBuilder()
  private(set) var descriptions: [String: Description] = [:]
  private let model: Model
  private let root: KeyedArchiveBuilder.Slot
  private let noEntries: PropertyListValue

  /// The compiled form of a model.
  ///
  /// - Parameter model: The model.
  /// - Returns: The bytes of the archive; nil if the form of something in the model is not known
  ///   for sure: derived and composite attributes, configurations, default values in words.
  static func bytes(of model: Model) -> Data? {
    guard model.entitiesWithUncertainHash.isEmpty, !model.hasConfigurations,
      model.numberedEntities.count == model.entities.count
    else { return nil }
    do {
      var writer = CompiledModelWriter(model)
      return try writer.write()
    } catch {
      return nil
    }
  }

  /// The error of content that has no known form.
  struct Unknown: Error {}

  private init(_ model: Model) {
    self.model = model
    root = archive.reserve()
    archive.setTop("root", root.reference)
    noEntries = archive.dictionary([:])
    for entity in model.numberedEntities.map(\.entity) {
      let parent = entity.parent.flatMap { descriptions[$0] }
      var description = Description(entity: entity, slot: archive.reserve())
      description.indexedAttributes = (parent?.indexedAttributes ?? [])
        .union(entity.storedIndexes.compactMap(\.onlyAscendingProperty))
      let properties =
        (parent?.properties.map(\.property) ?? [])
        + entity.attributes.map { .attribute($0) } + entity.relationships.map { .relationship($0) }
      description.properties = properties.sorted { $0.name.precedesInBytes($1.name) }
        .map { ($0, archive.reserve()) }
      descriptions[entity.name] = description
    }
  }

  private mutating func write() throws(Unknown) -> Data {
    let sorted = descriptions.values.sorted { $0.entity.name.precedesInBytes($1.entity.name) }
    for description in sorted {
      for (property, slot) in description.properties {
        switch property {
        case .attribute(let attribute): try fill(slot, with: attribute, of: description)
        case .relationship(let relationship): try fill(slot, with: relationship, of: description)
        }
      }
      fill(description, subentities: sorted.filter { $0.entity.parent == description.entity.name })
    }
    let mapping = archive.instance(
      of: "NSKnownKeysMappingStrategy1",
      hierarchy: ["NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy", "NSObject"],
      [
        "keys": archive.array(sorted.map { .string($0.entity.name) }),
        "length": .integer(Int64(sorted.count)), "version": 1,
      ])
    let entities = archive.instance(
      of: "NSKnownKeysDictionary1",
      hierarchy: [
        "NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary",
        "NSObject",
      ],
      [
        "emptyToken": archive.string("__empty_slot_token_4c24_98dc_ac1e_b773__"),
        "searchMapping": mapping, "values": archive.array(sorted.map(\.slot.reference)),
        "version": 1,
      ])
    archive.fill(
      root, className: "NSManagedObjectModel",
      [
        "NSEntities": entities, "NSFetchRequestTemplates": .none,
        "NSVersionIdentifiers": archive.set(model.versionIdentifiers.map { .string($0) }),
      ])
    return archive.binary()
  }

  private mutating func fill(_ description: Description, subentities: [Description]) {
    let entity = description.entity
    var pairs: [KeyValue] = [
      KeyValue("NSEntityName", archive.string(entity.name)),
      KeyValue("NSClassNameForEntity", text(entity.compiledClassName)),
      KeyValue("NSManagedObjectModel", root.reference),
      KeyValue(
        "NSProperties",
        archive.dictionary(
          keys: description.properties.map { .string($0.property.name) },
          values: description.properties.map(\.slot.reference), className: "NSMutableDictionary")),
      KeyValue(
        "NSRenamingIdentifier", archive.string(entity.renamingIdentifier ?? entity.name)),
      KeyValue(
        "NSSubentities",
        archive.dictionary(
          keys: subentities.map { .string($0.entity.name) },
          values: subentities.map(\.slot.reference), className: "NSMutableDictionary")),
      KeyValue(
        "NSSuperentity",
        entity.parent.flatMap { descriptions[$0] }.map(\.slot.reference) ?? .none),
      KeyValue("NSUserInfo", userInfo(entity.draftedUserInfo) ?? noEntries),
      KeyValue("NSVersionHashModifier", text(entity.versionHashModifier)),
    ]
    if entity.isAbstract { pairs.append(KeyValue("NSIsAbstract", true)) }
    if !entity.uniquenessConstraints.isEmpty {
      pairs.append(KeyValue("NSUniqueTuples", lists(entity.uniquenessConstraints)))
    }
    let indexes = entity.storedIndexes
    if !indexes.isEmpty {
      let compounds = indexes.map { $0.elements.compactMap(\.property) }.filter { $0.count > 1 }
      let described = indexes.map { indexDescription($0, of: description) }
      pairs.append(KeyValue("NSCompoundIndexes", lists(compounds)))
      pairs.append(KeyValue("NSFetchIndexDescriptions", archive.mutableArray(described)))
    }
    archive.fill(description.slot, className: "NSEntityDescription", pairs)
  }

  private mutating func indexDescription(
    _ index: FetchIndex, of description: Description
  ) -> PropertyListValue {
    let slot = archive.reserve()
    var elements: [PropertyListValue] = []
    for element in index.elements {
      var pairs = [
        KeyValue("NSFetchIndexDescription", slot.reference),
        KeyValue("NSFetchIndexElementType", 0), KeyValue("NSPropertyName", text(element.property)),
      ]
      if element.isAscending { pairs.append(KeyValue("NSAscending", true)) }
      elements.append(archive.instance(of: "NSFetchIndexElementDescription", pairs))
    }
    return archive.fill(
      slot, className: "NSFetchIndexDescription",
      [
        "NSEntity": description.slot.reference, "NSIndexElements": archive.array(elements),
        "NSIndexName": archive.string(index.name), "NSPartialIndexPredicate": .none,
      ])
  }

  /// Lists of names.
  private mutating func lists(_ lists: [[String]]) -> PropertyListValue {
    var values: [PropertyListValue] = []
    for list in lists { values.append(archive.mutableArray(list.map { .string($0) })) }
    return archive.mutableArray(values)
  }

  /// The reference to a text, or to nothing.
  mutating func text(_ text: String?) -> PropertyListValue {
    text.map { archive.string($0) } ?? .none
  }

  /// The user info with some entries; nil where there are none.
  mutating func userInfo(_ entries: [(key: String, value: String)]) -> PropertyListValue? {
    guard !entries.isEmpty else { return nil }
    return archive.dictionary(
      keys: entries.map { .string($0.key) }, values: entries.map { .string($0.value) })
  }
}

extension Entity {
  /// The indexes that a store has: those whose form is known.
  fileprivate var storedIndexes: [FetchIndex] {
    fetchIndexes.filter { index in
      !index.isPartial && index.elements.allSatisfy { $0.property != nil && $0.form == .binary }
    }
  }
}
