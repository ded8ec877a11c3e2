import ArchiveReader
import DataModel

extension MappingDrafter {
  typealias Pairs = [(key: String, value: String)]

  static func pairs(_ attribute: Attribute) -> Pairs {
    var pairs = source(attribute.key, name: attribute.name)
    pairs.append(("type", attribute.type.rawValue))
    if !attribute.isOptional { pairs.append(("optional", "false")) }
    if attribute.holdsNegativeZero { pairs.append(("keepNegativeZero", "true")) }
    return pairs
  }

  static func pairs(_ relationship: Relationship) -> Pairs {
    var pairs = source(relationship.key, name: relationship.name)
    switch relationship.destinations.count {
    case 0: break
    case 1: pairs.append(("to", MappingDraft.YAML.scalar(relationship.destinations[0])))
    default: pairs.append(("to", MappingDraft.YAML.list(relationship.destinations)))
    }
    pairs.append(("toMany", "\(relationship.isToMany)"))
    if relationship.isToMany { pairs.append(("ordered", "\(relationship.isOrdered)")) }
    if let inverse = relationship.inverse {
      pairs.append(("inverse", MappingDraft.YAML.scalar(inverse)))
    }
    if !relationship.isOptional { pairs.append(("optional", "false")) }
    if relationship.distinguishesEmpty { pairs.append(("keepCount", "true")) }
    return pairs
  }

  static func pairs(_ collection: ValueCollection) -> Pairs {
    // The key of a collection is no path: dots in it mean nothing.
    var pairs: Pairs =
      collection.key == ArchivedName.text(collection.name)
      ? [] : [("from", MappingDraft.YAML.scalar(ArchivedName.plain(collection.key)))]
    pairs.append(("ordered", "\(collection.isOrdered)"))
    if let type = collection.keyType { pairs.append(("keys", type.rawValue)) }
    if collection.hasReferencesAsKeys { pairs.append(("keyReferences", "true")) }
    if let type = collection.valueType { pairs.append(("values", type.rawValue)) }
    if collection.hasReferencesAsValues { pairs.append(("valueReferences", "true")) }
    if collection.holdsNegativeZero { pairs.append(("keepNegativeZero", "true")) }
    if collection.distinguishesEmpty { pairs.append(("keepCount", "true")) }
    return pairs
  }

  /// The source of a value, unless that is the key of its name.
  ///
  /// A text would be cut at its dots: a key that has some stands in a list.
  private static func source(_ key: String, name: String) -> Pairs {
    let plain = ArchivedName.plain(key)
    if plain.isEmpty || plain.unicodeScalars.contains(".") {
      return [("from", MappingDraft.YAML.list([plain]))]
    }
    return key == ArchivedName.text(name) ? [] : [("from", MappingDraft.YAML.scalar(plain))]
  }
}
