import ArchiveReader
import DataModel
import Support

/// Writes one draft.
struct MappingDrafter {
  let model: Model
  let options: MappingDraft.Options
  let evidence: MappingDraft.Evidence
  let profile: SchemaProfile
  /// The superclasses that could be parents of entities that have none.
  let superclasses: [SharedSuperclasses.Group]

  init(_ profile: SchemaProfile, _ model: Model, _ options: MappingDraft.Options) {
    self.profile = profile
    self.model = model
    self.options = options
    evidence = MappingDraft.Evidence(profile, model)
    superclasses =
      options.isDeclared || model.entities.contains { $0.parent != nil }
      ? [] : Self.superclasses(profile, model)
  }

  private static func superclasses(
    _ profile: SchemaProfile, _ model: Model
  ) -> [SharedSuperclasses.Group] {
    let hierarchies = Dictionary(
      profile.classes.map { ($0.name, $0.hierarchy) }, uniquingKeysWith: { one, _ in one })
    let classes = model.entities.flatMap { entity in
      entity.archivedClasses.map {
        SharedSuperclasses.ArchivedClass(
          name: $0, superclasses: Array((hierarchies[$0] ?? []).dropFirst()), entity: entity.name)
      }
    }
    var names = NameAllocator(reserved: model.entities.map(\.name))
    return SharedSuperclasses(classes).groups.filter {
      names.allocate($0.name).hasSameBytes(as: $0.name)
    }
  }

  func text() -> String {
    [head(), settings(), classes(), entities()].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  // MARK: What comes first

  private func head() -> String {
    let names = options.archiveNames
    let noun = options.isDeclared ? "store" : "archive"
    let shown = names.prefix(5) + (names.count > 5 ? ["\(names.count - 5) more"] : [])
    let archives =
      names.isEmpty
      ? "\(noun)s" : "\(Words.count(names.count, noun)): \(shown.joined(separator: ", "))"
    let meaning =
      options.model.map { "It fills the entities of \($0)." }
      ?? "Unchanged, it yields the same store as a run without it."
    return MappingDraft.YAML.comment(
      "How archived objects become rows of a store: a mapping for archive-convert.")
      + "#\n"
      + MappingDraft.YAML.comment(
        options.isDeclared
          ? "Drafted from the model of \(archives)." : "Drafted from \(archives).")
      + MappingDraft.YAML.comment("\(meaning) Edit it as needed, then run")
      + "#\n"
      + MappingDraft.YAML.line(
        "  archive-convert INPUT... --mapping \(Self.shellWord(options.fileName)) -o STORE")
      + (options.isDeclared
        ? ""
        : "#\n"
          + MappingDraft.YAML.comment(
            "The comments say what was found: \"in 3 of 4 objects\" means that 3 of them have the key."
          ))
  }

  /// A name as a shell takes it.
  private static func shellWord(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "-")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return isPlain ? name : "'\(name.replacing("'", with: "'\\''"))'"
  }

  private func settings() -> String {
    let settings = [
      ("model", options.model), ("modelDigest", options.modelDigest),
      ("stripPrefix", options.nameRules.stripPrefix),
    ]
    var text = settings.map { key, value in
      guard let value, !value.isEmpty else { return "" }
      return MappingDraft.YAML.entry(key, MappingDraft.YAML.scalar(value), indentation: 0)
    }.joined()
    if options.nameRules.isPlain {
      text += MappingDraft.YAML.entry("plainNames", "true", indentation: 0)
    }
    if !options.seeThrough.isEmpty {
      text += MappingDraft.YAML.entry("seeThrough", indentation: 0)
      for name in options.seeThrough {
        text += MappingDraft.YAML.item(MappingDraft.YAML.scalar(name), indentation: 1)
      }
    }
    guard !options.records.isEmpty else { return text }
    return text
      + MappingDraft.YAML.comment(
        "Dictionaries at these paths are rows of an entity with their keys; others are pairs.")
      + MappingDraft.YAML.entry("records", indentation: 0)
      + options.records.map { MappingDraft.YAML.item(MappingDraft.YAML.scalar($0), indentation: 1) }
      .joined()
  }

  private func classes() -> String {
    let entries = model.entities.flatMap { entity in
      entity.archivedClasses.map {
        MappingDraft.YAML.entry(
          ArchivedName.plain($0), MappingDraft.YAML.scalar(entity.name), indentation: 1)
      }
    }
    let lists = options.lists.sorted { $0.key.precedesInBytes($1.key) }.map { name, positions in
      let list = positions.sorted().map(String.init).joined(separator: ", ")
      return MappingDraft.YAML.entry(name, "{lists: [\(list)]}", indentation: 1)
    }
    let all = (entries + lists).joined()
    var text = all.isEmpty ? "classes: {}\n" : "classes:\n\(all)"
    // An entity of a store is one without objects, too.
    let others = profile.classes.filter { $0.count == 0 && !$0.isEntity }.map(\.name)
    if !others.isEmpty {
      let names = others.map(ArchivedName.plain).sorted { $0.precedesInBytes($1) }.joined(
        separator: ", ")
      text += MappingDraft.YAML.comment(
        "Read as values and collections, which need no entity: \(names).", indentation: 1)
    }
    return text
  }
}

extension MappingDrafter {
  func entities() -> String {
    guard !model.entities.isEmpty else { return "entities: {}\n" }
    return "entities:\n"
      + (superclasses.map(suggestion) + model.entities.map(block))
      .joined(separator: "\n")
  }

  /// The block of a superclass, as a comment.
  private func suggestion(of group: SharedSuperclasses.Group) -> String {
    var lines = MappingDraft.YAML.entry(group.name, indentation: 0)
    if let parent = parent(of: Set(group.entities), besides: group) {
      lines += MappingDraft.YAML.entry("parent", MappingDraft.YAML.scalar(parent), indentation: 1)
    }
    lines += MappingDraft.YAML.entry("abstract", "true", indentation: 1)
    return MappingDraft.YAML.comment(
      "\(ArchivedName.plain(group.superclass)) is a superclass of "
        + "\(Words.list(group.entities, "and")). For one table with the rows of all of them, uncomment "
        + "its lines and theirs with it as parent:", indentation: 1)
      + MappingDraft.YAML.commentedOut(lines, indentation: 1)
  }

  /// The closest shared superclass of some entities.
  private func parent(
    of entities: Set<String>, besides group: SharedSuperclasses.Group? = nil
  ) -> String? {
    superclasses.filter { $0 != group && entities.isSubset(of: $0.entities) }
      .min { $0.entities.count < $1.entities.count }?.name
  }

  private func block(_ entity: Entity) -> String {
    var text = evidence.comments(on: entity).map { MappingDraft.YAML.comment($0, indentation: 1) }
      .joined()
    text += MappingDraft.YAML.entry(entity.name, indentation: 1)
    if let parent = entity.parent {
      text += MappingDraft.YAML.entry("parent", MappingDraft.YAML.scalar(parent), indentation: 2)
    } else if let parent = parent(of: [entity.name]) {
      text += MappingDraft.YAML.commentedOut(
        MappingDraft.YAML.entry("parent", MappingDraft.YAML.scalar(parent), indentation: 0),
        indentation: 2)
    }
    if entity.isAbstract { text += MappingDraft.YAML.entry("abstract", "true", indentation: 2) }
    text += MappingDraft.YAML.entry("complete", "true", indentation: 2)
    if entity.archivedClasses.contains(where: { KnownClass.isFoundationValue($0) }) {
      text += MappingDraft.YAML.entry("keepValues", "true", indentation: 2)
    }
    text += section("attributes", entity.attributes) { attribute in
      MappingDraft.YAML.entry(
        attribute.name, MappingDraft.YAML.flow(Self.pairs(attribute)),
        comment: comment { evidence.comment(on: attribute, of: entity) }, indentation: 3)
    }
    text += section("relationships", Self.byName(entity.relationships)) { relationships in
      let inverses = relationships.compactMap { relationship in
        comment { evidence.inverse(of: relationship, of: entity) }
      }
      .map { MappingDraft.YAML.comment($0, indentation: 3) }.joined()
      if relationships.count == 1 {
        return inverses
          + MappingDraft.YAML.entry(
            relationships[0].name, MappingDraft.YAML.flow(Self.pairs(relationships[0])),
            comment: comment { evidence.comment(on: relationships[0], of: entity) },
            indentation: 3)
      }
      return inverses + MappingDraft.YAML.entry(relationships[0].name, indentation: 3)
        + relationships.map { relationship in
          MappingDraft.YAML.item(
            MappingDraft.YAML.flow(Self.pairs(relationship)),
            comment: comment { evidence.comment(on: relationship, of: entity) }, indentation: 4)
        }.joined()
    }
    text += section("collections", entity.collections) { collection in
      MappingDraft.YAML.entry(
        collection.name, MappingDraft.YAML.flow(Self.pairs(collection)),
        comment: evidence.comment(on: collection, of: entity), indentation: 3)
    }
    return text
  }

  /// The evidence of the archives for a property; nil where a model declares it.
  private func comment(_ text: () -> String?) -> String? { options.isDeclared ? nil : text() }

  /// The relationships of each name: two where a key holds one row here and several there.
  private static func byName(_ relationships: [Relationship]) -> [[Relationship]] {
    relationships.map(\.name).uniqued().map { name in relationships.filter { $0.name == name } }
  }

  private func section<Property>(
    _ name: String, _ properties: [Property], _ entry: (Property) -> String
  ) -> String {
    guard !properties.isEmpty else { return "" }
    return MappingDraft.YAML.entry(name, indentation: 2) + properties.map(entry).joined()
  }
}

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
