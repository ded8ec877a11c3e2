import ArchiveReader
import DataModel
import Support

extension MappingDraft {
  /// Tells in words what a profile found of the entities and properties of a model.
  struct Evidence {
    private let classes: [String: SchemaProfile.ClassProfile]
    private let entities: [String: Entity]
    private let nonconformingClasses: Set<String>

    init(_ profile: SchemaProfile, _ model: Model) {
      classes = Dictionary(
        profile.classes.map { ($0.name, $0) }, uniquingKeysWith: { one, _ in one })
      entities = Dictionary(
        model.entities.map { ($0.name, $0) }, uniquingKeysWith: { one, _ in one })
      nonconformingClasses = profile.nonconformingClasses
    }

    // MARK: Entities

    /// A sentence for each class of an entity; in a store, its classes are entities.
    func comments(on entity: Entity) -> [String] {
      entity.archivedClasses.compactMap { classes[$0] }.map { found in
        var text =
          "\(Words.count(found.count, "object")) of \(found.isEntity ? "the entity" : "class") "
          + ArchivedName.plain(found.name)
        if nonconformingClasses.contains(found.name) {
          let verb = found.count == 1 ? "has" : "have"
          text += " that \(verb) unexpected keys or values"
        } else if !found.isEntity, found.hierarchy.count > 1, found.hierarchy[1] != "NSObject" {
          text += ", a subclass of \(ArchivedName.plain(found.hierarchy[1]))"
        }
        return text
      }
    }

    // MARK: Properties

    /// "text or nil, in 9 of 12 objects".
    func comment(on attribute: Attribute, of entity: Entity) -> String? {
      guard let (found, property) = find(attribute.key, of: entity) else { return nil }
      return kinds(of: property, found)
    }

    /// "Note, in 9 of 12 objects" for one row, "array, in 3 of 3 objects; 12 members" for several.
    func comment(on relationship: Relationship, of entity: Entity) -> String? {
      guard let (found, property) = find(relationship.key, of: entity) else { return nil }
      guard !relationship.isToMany else {
        let members = Words.count(property.elements.links, "member")
        return "\(kinds(of: property, found)); \(members)\(emptiness(of: property))"
      }
      guard property.kinds.subtracting([.object, .null]).isEmpty else {
        return "\(kinds(of: property, found)); \(Words.count(property.references, "object"))"
      }
      return "object, in \(property.references) of \(Words.count(found.count, "object"))"
    }

    /// "dictionary, in 3 of 3 objects; text to whole number or nil".
    func comment(on collection: ValueCollection, of entity: Entity) -> String? {
      guard let (found, property) = find(collection.key, of: entity) else { return nil }
      let elements = property.elements
      let values = Words.list(elements.kinds.words)
      let keys = Words.list(elements.keyKinds.words)
      let contents =
        elements.kinds.isEmpty
        ? "" : keys.isEmpty ? "; of \(values)" : "; from \(keys) to \(values)"
      return "\(kinds(of: property, found))\(contents)\(emptiness(of: property))"
    }

    /// The evidence that a relationship is the inverse of another.
    func inverse(of relationship: Relationship, of entity: Entity) -> String? {
      guard let name = relationship.inverse,
        let destination = relationship.destinations.first.flatMap({ entities[$0] }),
        let other = destination.relationships.first(where: { $0.name == name }),
        let own = find(relationship.key, of: entity)?.property,
        let found = find(other.key, of: destination)?.property
      else { return nil }
      let start = "inverse of \(destination.name).\(name)"
      switch (relationship.isToMany, other.isToMany) {
      case (true, true):
        return "\(start): both hold the same \(Words.count(own.elements.links, "link"))"
      case (false, true):
        return "\(start): \(evidence(toOne: own, toMany: found))"
      default:
        // The other side tells it.
        return start
      }
    }

    /// "all 12 members of 3 arrays hold their owner under 'container'".
    private func evidence(
      toOne: SchemaProfile.PropertyProfile, toMany: SchemaProfile.PropertyProfile
    ) -> String {
      let links = toMany.elements.links
      let kinds = toMany.elements.collectionKinds
      let noun = kinds.count == 1 ? kinds.first?.word ?? "collection" : "collection"
      // Where nil was found too, the number of collections was not counted.
      let owners =
        toMany.kinds.contains(.null) ? "the \(noun)s" : Words.count(toMany.count, noun)
      let members =
        links == 1
        ? "the only member of \(owners) holds its owner"
        : "all \(links) members of \(owners) hold their owner"
      let others = toOne.references - links
      guard others > 0 else { return "\(members) under '\(ArchivedName.plain(toOne.key))'" }
      let rest = others == 1 ? "1 more object holds" : "\(others) more objects hold"
      return
        "\(members) under '\(ArchivedName.plain(toOne.key))'; \(rest) one whose \(noun) it is not in"
    }

    // MARK: Words

    private func find(
      _ key: String, of entity: Entity
    ) -> (class: SchemaProfile.ClassProfile, property: SchemaProfile.PropertyProfile)? {
      for name in entity.archivedClasses {
        guard let found = classes[name], let index = found.knownIndex(of: key) else { continue }
        return (found, found.properties[index])
      }
      return nil
    }

    private func kinds(
      of property: SchemaProfile.PropertyProfile, _ found: SchemaProfile.ClassProfile
    ) -> String {
      var words = property.kinds.subtracting([.collection, .null]).words
      words += CollectionKind.allCases.filter(property.elements.collectionKinds.contains)
        .map(\.word)
      if property.kinds.contains(.null) { words.append("nil") }
      return "\(Words.list(words)), in \(property.count) of \(Words.count(found.count, "object"))"
    }

    private func emptiness(of property: SchemaProfile.PropertyProfile) -> String {
      guard property.elements.holdsEmpty else { return "" }
      return property.elements.kinds.isEmpty ? "; all are empty" : "; some are empty"
    }
  }
}

extension CollectionKind {
  fileprivate var word: String {
    switch self {
    case .array: "array"
    case .set: "set"
    case .orderedSet: "ordered set"
    case .dictionary: "dictionary"
    case .countedSet: "counted set"
    }
  }
}

extension ValueKinds {
  /// A word for each kind, nil last.
  fileprivate var words: [String] {
    let all: [(kind: ValueKinds, word: String)] = [
      (.bool, "boolean"), (.integer, "whole number"),
      (.wideInteger, "whole number beyond 64 bits"), (.real, "real number"),
      (.notANumber, "NaN"), (.negativeZero, "-0.0"), (.text, "text"), (.date, "date"),
      (.data, "data"), (.uuid, "UUID"), (.decimal, "decimal number"), (.url, "URL"),
      (.attributedText, "text with attributes"), (.foundation, "value of a Foundation class"),
      (.object, "object"), (.collection, "collection"), (.null, "nil"),
    ]
    return all.filter { contains($0.kind) }.map(\.word)
  }
}
