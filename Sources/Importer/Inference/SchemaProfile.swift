import ArchiveReader

/// The findings in archives, class by class and key by key: the ground of inference.
///
/// Each archive has a profile of its own, so that one that turns out to be damaged leaves no trace;
/// `merge` adds them up.
package struct SchemaProfile: Sendable {
  package private(set) var classes: [ClassProfile] = []
  private var names = NameIndex()
  /// Names of known classes with objects that cannot be read as values.
  package var nonconformingClasses: Set<String> = []
  /// The classes of the rows that top-level keys and nested collections hold, by their indices, and
  /// of those that are keys in such collections.
  package internal(set) var looseTargets: Set<Int> = []
  var unownedKeyTargets: Set<Int> = []
  /// True if there are collections that no object holds under a key.
  var holdsLooseCollections = false
  /// The model of the sources, where they have one.
  package var declared = DeclaredModel.none
  /// The evidence of dictionaries, from which it follows which are records.
  package var records = RecordEvidence()
  /// Entries of `$objects` that no key of `$top` leads to, class records left out.
  package var unreachedObjects = 0
  /// The numbers of values in the sources that belong to none of their objects, by their keys.
  package private(set) var unreadKeys: [UnreadKey: Int] = [:]

  package init() {}

  /// The index of a class; it is added if it is new.
  mutating func index(of name: String) -> Int {
    if let index = names.index(of: name, in: classes, \.name) { return index }
    classes.append(ClassProfile(name: name))
    names.add(name)
    return classes.count - 1
  }

  /// The index of a class, if it was found.
  package func knownIndex(of name: String) -> Int? {
    names.knownIndex(of: name, in: classes, \.name)
  }

  mutating func update<R>(_ index: Int, _ body: (inout ClassProfile) -> R) -> R {
    body(&classes[index])
  }

  /// Notes the class of a row that stands under a key.
  mutating func note(target: Int, class index: Int, property: Int) {
    classes[index].update(property) { _ = $0.targets.insert(target) }
  }

  /// Adds what was found under a key of many objects.
  mutating func add(
    _ kinds: ValueKinds, references: Int, objects: Int, class index: Int, property: Int
  ) {
    classes[index].update(property) { found in
      found.count += objects
      found.kinds.formUnion(kinds)
      found.references += references
    }
  }

  /// Notes what a source holds that nothing reads.
  mutating func addUnreadKeys(of source: any GraphSource) {
    unreadKeys.merge(source.unreadKeys) { [$0, $1].boundedSum }
  }

  /// Adds what another profile found.
  package mutating func merge(_ other: SchemaProfile) {
    let indices = other.classes.map { index(of: $0.name) }
    for (index, found) in zip(indices, other.classes) {
      classes[index].merge(found) { indices[$0] }
    }
    nonconformingClasses.formUnion(other.nonconformingClasses)
    unreachedObjects += other.unreachedObjects
    unreadKeys.merge(other.unreadKeys) { [$0, $1].boundedSum }
    records.merge(other.records)
    declared.merge(other.declared)
    if !other.looseTargets.isEmpty {
      looseTargets.formUnion(other.looseTargets.map { indices[$0] })
    }
    if !other.unownedKeyTargets.isEmpty {
      unownedKeyTargets.formUnion(other.unownedKeyTargets.map { indices[$0] })
    }
    holdsLooseCollections = holdsLooseCollections || other.holdsLooseCollections
  }
}

extension SchemaProfile {
  /// The findings on the objects of a class.
  package struct ClassProfile: Sendable, Codable {
    private enum CodingKeys: CodingKey { case name, hierarchy, hints, count, isOwn, properties }

    package var name: String
    package var hierarchy: [String] = []
    /// Names of classes to use where nothing is known of this one (`$classhints`).
    package var hints: [String] = []
    /// The number of its objects that were reached.
    package var count = 0
    /// True if some of its objects belong to their source by themselves, as rows do.
    package var isOwn = false
    package private(set) var properties: [PropertyProfile] = []
    private var keys = NameIndex()

    init(name: String) {
      self.name = name
    }

    /// Finds the keys of a class that was decoded.
    fileprivate mutating func indexKeys() {
      for property in properties { keys.add(property.key) }
    }

    /// The index of a key; it is added if it is new.
    mutating func index(of key: String) -> Int {
      if let index = keys.index(of: key, in: properties, \.key) { return index }
      properties.append(PropertyProfile(key: key))
      keys.add(key)
      return properties.count - 1
    }

    /// The index of a key, if the class has it.
    package func knownIndex(of key: String) -> Int? {
      keys.knownIndex(of: key, in: properties, \.key)
    }

    mutating func update<R>(_ index: Int, _ body: (inout PropertyProfile) -> R) -> R {
      body(&properties[index])
    }

    fileprivate mutating func merge(_ other: ClassProfile, _ translate: (Int) -> Int) {
      if hierarchy.isEmpty { hierarchy = other.hierarchy }
      if hints.isEmpty { hints = other.hints }
      count += other.count
      isOwn = isOwn || other.isOwn
      for found in other.properties {
        properties[index(of: found.key)].merge(found, translate)
      }
    }
  }
}

extension SchemaProfile {
  /// The findings under a key.
  package struct PropertyProfile: Sendable, Codable {
    package var key: String
    /// The number of objects that have the key.
    var count = 0
    /// The number of those that hold an object that is a row.
    var references = 0
    package var kinds: ValueKinds = []
    /// The classes of the objects under the key, by their index in the profile.
    package var targets: Set<Int> = []
    package var elements = ElementProfile()

    init(key: String) {
      self.key = key
    }

    /// The classes of the objects under the key, alone or in collections, if there is nothing else.
    package var objectTargets: Set<Int> {
      let others: ValueKinds = [.null, .object, .collection]
      guard kinds.isSubset(of: others), elements.kinds.isSubset(of: [.null, .object]),
        elements.keyKinds.isEmpty
      else { return [] }
      return targets.union(elements.targets)
    }

    fileprivate mutating func merge(_ other: PropertyProfile, _ translate: (Int) -> Int) {
      count += other.count
      references += other.references
      kinds.formUnion(other.kinds)
      if !other.targets.isEmpty { targets.formUnion(other.targets.map(translate)) }
      elements.merge(other.elements, translate)
    }
  }
}

extension SchemaProfile {
  /// The findings in the collections under a key.
  package struct ElementProfile: Sendable, Codable {
    package var collectionKinds: Set<CollectionKind> = []
    package var kinds: ValueKinds = []
    package var targets: Set<Int> = []
    var keyKinds: ValueKinds = []
    /// The classes of rows that are keys.
    var keyTargets: Set<Int> = []
    /// The classes of all objects in them.
    package var allTargets: Set<Int> { targets.union(keyTargets) }
    /// The number of elements that are rows.
    var links = 0
    var holdsEmpty = false
    /// Keys of the members under which every member of every collection holds the owner.
    ///
    /// Nil as long as no member was met; empty if there is no such key.
    var inverseKeys: [String]?
    /// True if a collection holds a row twice.
    var holdsTwice = false
    /// Sums of digests of all pairs of owner and member, and of member and owner: two relationships
    /// hold the same links the other way round if the one's is the other's.
    var forwardDigest: UInt64 = 0
    var backwardDigest: UInt64 = 0

    /// Adds what was found in further collections, but for `inverseKeys`.
    mutating func add(_ other: ElementProfile) {
      if !other.collectionKinds.isEmpty { collectionKinds.formUnion(other.collectionKinds) }
      kinds.formUnion(other.kinds)
      if !other.targets.isEmpty { targets.formUnion(other.targets) }
      keyKinds.formUnion(other.keyKinds)
      if !other.keyTargets.isEmpty { keyTargets.formUnion(other.keyTargets) }
      links += other.links
      holdsEmpty = holdsEmpty || other.holdsEmpty
      holdsTwice = holdsTwice || other.holdsTwice
      forwardDigest &+= other.forwardDigest
      backwardDigest &+= other.backwardDigest
    }

    fileprivate mutating func merge(_ other: ElementProfile, _ translate: (Int) -> Int) {
      // Of a key that holds no collections, there is nothing to add.
      guard !other.collectionKinds.isEmpty else { return }
      var other = other
      other.targets = Set(other.targets.map(translate))
      other.keyTargets = Set(other.keyTargets.map(translate))
      add(other)
      if let keys = inverseKeys, let otherKeys = other.inverseKeys {
        inverseKeys = keys.filter(otherKeys.contains)
      } else {
        inverseKeys = inverseKeys ?? other.inverseKeys
      }
    }
  }
}

/// The coded form, in which profiles of parts of the archives travel: those of archives only, since
/// the model of a store travels by itself.
extension SchemaProfile: Codable {
  private enum CodingKeys: CodingKey {
    case classes, nonconformingClasses, looseTargets, unownedKeyTargets, holdsLooseCollections
    case isNested, records, unreachedObjects, unreadKeys
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    classes = try values.decode([ClassProfile].self, forKey: .classes)
    nonconformingClasses = try values.decode(Set<String>.self, forKey: .nonconformingClasses)
    looseTargets = try values.decode(Set<Int>.self, forKey: .looseTargets)
    unownedKeyTargets = try values.decode(Set<Int>.self, forKey: .unownedKeyTargets)
    holdsLooseCollections = try values.decode(Bool.self, forKey: .holdsLooseCollections)
    records = try values.decode(RecordEvidence.self, forKey: .records)
    unreachedObjects = try values.decode(Int.self, forKey: .unreachedObjects)
    unreadKeys = try values.decode([UnreadKey: Int].self, forKey: .unreadKeys)
    declared = try values.decode(Bool.self, forKey: .isNested) ? .nested : .various
    var targets = looseTargets.union(unownedKeyTargets)
    for place in classes.indices {
      names.add(classes[place].name)
      classes[place].indexKeys()
      for property in classes[place].properties {
        targets.formUnion(property.targets)
        targets.formUnion(property.elements.allTargets)
      }
    }
    guard targets.allSatisfy(classes.indices.contains) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: values.codingPath, debugDescription: "a class is not there"))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(classes, forKey: .classes)
    try values.encode(nonconformingClasses, forKey: .nonconformingClasses)
    try values.encode(looseTargets, forKey: .looseTargets)
    try values.encode(unownedKeyTargets, forKey: .unownedKeyTargets)
    try values.encode(holdsLooseCollections, forKey: .holdsLooseCollections)
    try values.encode(records, forKey: .records)
    try values.encode(unreachedObjects, forKey: .unreachedObjects)
    try values.encode(unreadKeys, forKey: .unreadKeys)
    let isNested = if case .nested = declared { true } else { false }
    try values.encode(isNested, forKey: .isNested)
  }
}
