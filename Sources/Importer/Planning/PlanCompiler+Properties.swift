import ArchiveReader
import Support

extension PlanCompiler {
  /// Adds the properties that a draft fills: those that are written down, and those that follow
  /// from names.
  mutating func addProperties(to draft: inout EntityDraft) {
    guard let index = entityIndex(draft.entity) else { return }
    let block = draft.mapping
    for attribute in block.attributes {
      declare(attribute, of: draft, in: index)
      checkPath(attribute.source, attribute.name, draft)
      draft.add(attribute)
    }
    for relationship in block.relationships {
      declare(relationship, of: draft, in: index)
      checkPath(relationship.source, relationship.name, draft)
      draft.add(relationship)
    }
    for collection in block.collections {
      declare(collection, of: draft, in: index)
      draft.add(collection)
    }
    putInOrder(block, index)
    guard !block.isComplete else { return }
    var used = Set(block.unread.map(\.value))
    // What an expression makes of a value is not the value.
    used.formUnion(
      (block.attributes.map(\.source) + block.relationships.map(\.source)).compactMap {
        $0.value.wholeKey
      })
    let names = Set(
      block.attributes.map(\.name.value) + block.relationships.map(\.name.value))
    if given == nil {
      addInferred(to: &draft, index, except: used, names)
    } else {
      used.formUnion(block.collections.map(\.key.value))
      addNamed(
        to: &draft, index, except: used, names.union(block.collections.map(\.name.value)))
    }
  }

  /// Puts what a mapping names of a model's entity in the mapping's order, before the rest.
  private mutating func putInOrder(_ block: EntityMapping, _ index: Int) {
    guard given != nil else { return }
    func rank(_ names: [String]) -> (String) -> Int {
      let places = Dictionary(
        names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
      return { places[$0] ?? .max }
    }
    let attribute = rank(block.attributes.map(\.name.value))
    let relationship = rank(block.relationships.map(\.name.value))
    let entity = model.entities[index]
    // Sorting is not promised to keep the order of equals.
    model.entities[index].attributes = entity.attributes.enumerated().sorted {
      (attribute($0.element.name), $0.offset) < (attribute($1.element.name), $1.offset)
    }.map(\.element)
    model.entities[index].relationships = entity.relationships.enumerated().sorted {
      (relationship($0.element.name), $0.offset) < (relationship($1.element.name), $1.offset)
    }.map(\.element)
    lookup.forgetProperties()
  }

  // MARK: From the archives

  /// Adds what the archives show of the classes of a draft.
  ///
  /// A collection that the mapping names takes what is a collection under its key; what else stands
  /// there is added.
  private mutating func addInferred(
    to draft: inout EntityDraft, _ index: Int, except used: Set<String>, _ names: Set<String>
  ) {
    let collected = Set(draft.mapping.collections.map(\.key.value))
    let collections = Set(draft.mapping.collections.map(\.name.value))
    func isFree(_ key: String, _ name: String, isCollection: Bool) -> Bool {
      guard !used.contains(key), !names.contains(name) else { return false }
      return isCollection
        ? !collected.contains(key) && !collections.contains(name)
        : collected.contains(key) || !collections.contains(name)
    }
    for className in draft.sources {
      guard let found = foundEntity(of: className).map({ seenThrough($0, className) }) else {
        continue
      }
      for attribute in found.attributes
      where isFree(attribute.key, attribute.name, isCollection: false)
        && !(attribute.type == .unknown && collected.contains(attribute.key))
      {
        merge(attribute, into: index)
        draft.add(attribute.name, from: attribute.key)
      }
      for relationship in found.relationships
      where isFree(relationship.key, relationship.name, isCollection: relationship.isToMany) {
        merge(relationship, of: className, into: index)
        draft.addRelationship(
          relationship.name, from: relationship.key, isToMany: relationship.isToMany)
      }
      for collection in found.collections
      where isFree(collection.key, collection.name, isCollection: true) {
        merge(collection, into: index)
        draft.addCollection(collection.name, from: collection.key)
      }
    }
  }

  mutating func merge(_ attribute: Attribute, into index: Int) {
    guard let holder = holder(ofAttribute: attribute.name, index),
      let known = lookup.attribute(attribute.name, of: holder, in: model)
    else {
      model.entities[index].attributes.append(attribute)
      return
    }
    // Several classes feed the entity, or subentities do.
    var merged = model.entities[holder].attributes[known]
    merged.type = merged.type.common(with: attribute.type)
    merged.holdsNegativeZero = merged.holdsNegativeZero || attribute.holdsNegativeZero
    model.entities[holder].attributes[known] = merged
  }

  mutating func merge(
    _ relationship: Relationship, of className: String, into index: Int
  ) {
    let holder = holder(ofRelationship: relationship.name, index) ?? index
    origins[PropertyOrigin(className: className, key: relationship.key), default: []].append(
      PropertyName(entity: model.entities[holder].name, name: relationship.name))
    let destinations = relationship.destinations.flatMap(finalEntities).uniqued()
    // What leads to values or to nothing is no relationship.
    guard !destinations.isEmpty else { return }
    let index = holder
    // Of a name, there are few.
    if let first = lookup.relationship(relationship.name, of: index, in: model),
      let known = model.entities[index].relationships[first...].firstIndex(where: {
        $0.name == relationship.name && $0.isToMany == relationship.isToMany
      })
    {
      let all = model.entities[index].relationships[known].destinations + destinations
      model.entities[index].relationships[known].destinations = all.uniqued()
      return
    }
    var copy = relationship
    copy.inverse = nil
    copy.destinations = destinations
    model.entities[index].relationships.append(copy)
  }

  mutating func merge(_ collection: ValueCollection, into index: Int) {
    guard let holder = holder(ofCollection: collection.name, index),
      let known = lookup.collection(collection.name, of: holder, in: model)
    else {
      model.entities[index].collections.append(collection)
      return
    }
    model.entities[holder].collections[known].merge(collection)
  }

  /// The entities that the objects of a found entity become: see `foundEntity(of:)`.
  func finalEntities(_ foundName: String) -> [String] {
    guard let className = foundEntity(named: foundName)?.archivedClasses.first else { return [] }
    return lookup.entitiesOfClasses[className] ?? []
  }

  /// The entities that the objects of each class become, by the drafts.
  func entitiesOfClasses() -> [String: [String]] {
    var found: [String: [String]] = [:]
    for draft in drafts.joined() {
      for source in draft.sources { found[source, default: []].append(draft.entity) }
    }
    return found.mapValues { $0.uniqued() }
  }

  // MARK: From the names of a model

  /// Adds the model's properties for which the classes of a draft have a key of their name.
  ///
  /// Where no key has it exactly, one serves that differs in case or by the prefix of classes, if its
  /// values fit.
  private mutating func addNamed(
    to draft: inout EntityDraft, _ index: Int, except used: Set<String>, _ names: Set<String>
  ) {
    let keys = Set(
      draft.sources.flatMap { name in
        profile.knownIndex(of: name).map { profile.classes[$0].properties.map(\.key) } ?? []
      }
    ).subtracting(used)
    let hierarchy = self.hierarchy
    let known = Set(
      hierarchy.ancestors(of: index).flatMap { index in
        let entity = model.entities[index]
        return entity.attributes.map(\.name) + entity.relationships.map(\.name)
      }.map(ArchivedName.text))
    let similar = Dictionary(
      grouping: keys.subtracting(known), by: { nameRules.foldedKey($0) }
    ).compactMapValues { $0.count == 1 ? $0[0] : nil }
    func key(_ name: String, _ identifier: String?, fits: (String) -> Bool) -> String? {
      let names = [name, identifier].compactMap { $0.map(ArchivedName.text) }
      return names.first(where: keys.contains)
        ?? names.lazy.compactMap { similar[$0.lowercased()] }.first(where: fits)
    }
    for ancestor in hierarchy.ancestors(of: index).reversed() {
      let entity = model.entities[ancestor]
      for attribute in entity.attributes where attribute.isStored && !names.contains(attribute.name)
      {
        let found = key(attribute.name, attribute.renamingIdentifier) { key in
          holdsLinks(key, draft.sources) == false
            && misfitTypes(of: key, attribute, draft.sources).isEmpty
        }
        guard let key = found else { continue }
        draft.add(attribute.name, from: key)
        checkCoercion(attribute, key, draft)
      }
      for relationship in entity.relationships
      where !relationship.isTransient && !names.contains(relationship.name) {
        let found = key(relationship.name, relationship.renamingIdentifier) { key in
          holdsLinks(key, draft.sources) == true
        }
        guard let key = found else { continue }
        draft.addRelationship(relationship.name, from: key, isToMany: relationship.isToMany)
        for source in draft.sources {
          origins[PropertyOrigin(className: source, key: key), default: []].append(
            PropertyName(entity: entity.name, name: relationship.name))
        }
      }
    }
  }

  /// Refuses an attribute whose type the archived values cannot become by themselves.
  ///
  /// A policy may convert them in its own way.
  private mutating func checkCoercion(_ attribute: Attribute, _ key: String, _ draft: EntityDraft) {
    guard draft.mapping.policy == nil else { return }
    let mark = draft.mapping.entity.mark
    let hooked = Set(
      extensions.hooks.flatMap { $0.archivedNames.flatMap { names.archived($0) } })
    let sources = draft.sources.filter { !hooked.contains($0) }
    for type in misfitTypes(of: key, attribute, sources) {
      note(
        .noConversion, mark, "\(draft.entity).\(attribute.name)",
        expected: "\(type.rawValue) to \(attribute.type.rawValue)")
    }
  }

  /// True if a key leads to objects, or holds values, in those of some classes that have it; nil if
  /// it does both, or holds collections of values.
  private func holdsLinks(_ key: String, _ classNames: [String]) -> Bool? {
    let found = classNames.compactMap { inferredEntity(of: $0) }
    let links = found.contains { $0.relationships.contains { $0.key == key } }
    let values = found.contains { $0.attributes.contains { $0.key == key } }
    let collections = found.contains { $0.collections.contains { $0.key == key } }
    return links == values || collections ? nil : links
  }

  /// The types that a key has in classes and that cannot become that of an attribute.
  private func misfitTypes(
    of key: String, _ attribute: Attribute, _ classNames: [String]
  ) -> [AttributeType] {
    classNames.compactMap { className in
      inferredEntity(of: className)?.attributes.first { $0.key == key }?.type
    }.filter { !ValueCoercion.canCoerce(kindsFrom: $0, to: attribute.type) }
  }
}
