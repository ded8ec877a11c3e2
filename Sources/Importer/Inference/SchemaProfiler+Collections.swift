import ArchiveReader
import DataModel
import Support

/// The profiling of collections.
extension SchemaProfiler {
  // MARK: Under keys

  /// The findings in a collection that an object holds under a key, as its elements come by.
  struct CollectionVisit {
    /// The object.
    fileprivate var owner = 0
    /// The index of its class in the profile, and that of the key among the properties.
    fileprivate var classIndex = 0
    fileprivate var property = 0
    fileprivate var found = SchemaProfile.ElementProfile()
    /// The class of the member met last, and of the first; -1 if there is none.
    fileprivate var lastTarget = -1
    fileprivate var firstTarget = -1
    /// The number of members left out of a sample since one was not.
    fileprivate var leftOut = 0
  }

  mutating func visitElements(
    _ collection: OpenCollection, of owner: GraphObject, _ tally: Int,
    _ graph: any ObjectGraph
  ) throws(ArchiveError) {
    let elements = try graph.elements(of: collection.id, collection.kind)
    try begin(elements, of: owner, at: collection.position, tally)
    for position in positions(in: elements) {
      try note(try graph.element(of: elements, at: position), graph)
      // There is hardly more to find in it.
      if current.leftOut > ProfileSample.maxLeftOut { break }
    }
    endElements()
  }

  /// Begins to look into a collection under a key of an object.
  package mutating func begin(
    _ elements: GraphElements, of owner: GraphObject, at position: Int, _ tally: Int
  ) throws(ArchiveError) {
    let (index, property) = (tallies.class(of: tally), tallies.property(position, tally))
    try budget.spend(elements: elements.count)
    if profile.classes[index].properties[property].elements.collectionKinds.isEmpty {
      collectionKeys += 1
      guard collectionKeys <= limits.collectionKeys else {
        throw limits.exceeded(.collectionKeys)
      }
    }
    members.removeAll()
    inversePositions = nil
    current = CollectionVisit(owner: owner.uid, classIndex: index, property: property)
    current.found.holdsEmpty = elements.count == 0
    current.found.inverseKeys = profile.classes[index].properties[property].elements.inverseKeys
    profile.update(index) {
      $0.update(property) { _ = $0.elements.collectionKinds.insert(elements.kind) }
    }
  }

  /// Notes an element of the collection that is looked into.
  package mutating func note(
    _ element: ArchivedElement, _ graph: any ObjectGraph
  ) throws(ArchiveError) {
    if let key = element.key {
      current.found.keyKinds.formUnion(ValueKinds(key, graph))
      if case .object(_, let id) = key {
        current.found.keyTargets.insert(profileIndex(of: id, graph))
      }
      try visitUnowned(key, at: .object(current.owner, key: nil), graph)
    }
    current.found.kinds.formUnion(ValueKinds(element.value, graph))
    guard case .object(let uid, let memberClass) = element.value else {
      return try visitUnowned(element.value, at: .object(current.owner, key: nil), graph)
    }
    let target = profileIndex(of: memberClass, graph)
    if target != current.lastTarget {
      current.lastTarget = target
      if current.firstTarget < 0 {
        current.firstTarget = target
      } else {
        current.found.targets.insert(target)
      }
    }
    guard admit(uid, target) else {
      current.leftOut += 1
      return
    }
    current.leftOut = 0
    current.found.links += 1
    if !members.insert(uid) { current.found.holdsTwice = true }
    current.found.forwardDigest &+= digest(current.owner, uid)
    current.found.backwardDigest &+= digest(uid, current.owner)
    if current.found.holdsTwice || element.key != nil { current.found.inverseKeys = [] }
    try narrowInverse(member: uid, graph)
  }

  /// Notes what was found in the collection that was looked into.
  package mutating func endElements() {
    profile.update(current.classIndex) { [current] in
      $0.update(current.property) {
        $0.elements.add(current.found)
        if current.firstTarget >= 0 { $0.elements.targets.insert(current.firstTarget) }
        $0.elements.inverseKeys = current.found.inverseKeys
      }
    }
  }

  /// Keeps those keys under which a member holds the owner of its collection.
  private mutating func narrowInverse(
    member: Int, _ graph: any ObjectGraph
  ) throws(ArchiveError) {
    if current.found.inverseKeys?.isEmpty == true { return }
    let owner = current.owner
    let object = try graph.object(member)
    func holdsOwner(_ position: Int) -> Bool {
      graph.reference(of: object, at: position) == owner
    }
    // Mostly the next member has the same keys, and holds the owner under the same of them.
    if let known = inversePositions, known.shape == object.shape,
      known.positions.allSatisfy(holdsOwner)
    {
      return
    }
    let all = graph.keys(ofShape: object.shape)
    let positions: [Int]
    if let known = current.found.inverseKeys {
      positions = known.compactMap { all.firstIndex(of: $0) }.filter(holdsOwner)
    } else {
      let found = all.indices.filter { all[$0] != "$class" && holdsOwner($0) }
      positions = Array(found.prefix(Self.maxInverseKeys))
    }
    current.found.inverseKeys = positions.map { all[$0] }
    inversePositions = (object.shape, positions)
  }

  /// A number for an ordered pair of entries.
  ///
  /// No file can foresee it.
  private func digest(_ first: Int, _ second: Int) -> UInt64 {
    var hash = (seed ^ UInt64(first)) &* 0x9E37_79B9_7F4A_7C15
    hash = (hash ^ hash >> 29 ^ UInt64(second)) &* (seed | 1)
    return (hash ^ hash >> 32) &* 0xBF58_476D_1CE4_E5B9
  }

  // MARK: Values that no key of an object holds

  /// Visits a value of a top-level key or of a collection.
  package mutating func visitUnowned(
    _ value: GraphValue, at place: ArchiveError.Position, _ graph: any ObjectGraph
  ) throws(ArchiveError) {
    try budget.spend(on: value, graph)
    switch value {
    case .object(let uid, let id):
      let target = profileIndex(of: id, graph)
      if target != lastUnownedTarget {
        lastUnownedTarget = target
        profile.looseTargets.insert(target)
      }
      _ = admit(uid, target)
    case .collection(let id, let kind):
      profile.holdsLooseCollections = true
      route?.add(id, kind, at: place)
    default:
      break
    }
  }

  /// Visits the elements of a collection that no object holds under a key.
  package mutating func visitUnownedElements(
    _ id: CollectionID, _ kind: CollectionKind, at place: ArchiveError.Position,
    _ graph: any ObjectGraph
  ) throws(ArchiveError) {
    let elements = try graph.elements(of: id, kind)
    try budget.spend(elements: elements.count)
    for position in positions(in: elements) {
      if kind.isKeyed {
        let key = try graph.key(of: elements, at: position)
        if case .object(_, let id) = key {
          profile.unownedKeyTargets.insert(profileIndex(of: id, graph))
        }
        try visitUnowned(key, at: place, graph)
      }
      try visitUnowned(try graph.value(of: elements, at: position), at: place, graph)
    }
  }
}

/// Profiles that are taken by a walk of their own.
extension SchemaProfiler {
  /// Takes the profile of an archive, which may be one inside of another.
  package static func take(
    of archive: any GraphSource, classesReadAsObjects: Set<String>, limits: ReadingLimits,
    isNested: Bool = false, ticker: ObjectTicker = ObjectTicker(nil),
    library: GraphLibrary? = nil
  ) throws(ArchiveError) -> SchemaProfile {
    let graph = archive.makeGraph(
      GraphOptions(
        limits: limits, classesReadAsObjects: classesReadAsObjects, library: library,
        countsUnreached: true))
    return try take(of: archive, graph, limits, isNested: isNested, ticker)
  }

  /// Takes the profile of one archive after the other.
  ///
  /// - Parameters:
  ///   - archive: The archive, which is in a file of its own.
  ///   - classesReadAsObjects: The same for all archives.
  ///   - limits: The same for all archives.
  ///   - ticker: Counts the objects.
  ///   - last: The graph that has read the archive before; nil for the first one.
  /// - Returns: The profile of the archive alone.
  /// - Throws: `ArchiveError` if it is damaged.
  package static func take(
    of archive: any GraphSource, classesReadAsObjects: Set<String>, limits: ReadingLimits,
    ticker: ObjectTicker, after last: inout (any ObjectGraph)?
  ) throws(ArchiveError) -> SchemaProfile {
    // One that fails is not used again.
    let earlier = last.take().flatMap { $0.reset(to: archive) ? $0 : nil }
    let graph =
      earlier
      ?? archive.makeGraph(
        GraphOptions(
          limits: limits, classesReadAsObjects: classesReadAsObjects, isReused: true,
          countsUnreached: true))
    let profile = try take(of: archive, graph, limits, isNested: false, ticker)
    last = graph
    return profile
  }

  private static func take(
    of archive: any GraphSource, _ graph: any ObjectGraph, _ limits: ReadingLimits, isNested: Bool,
    _ ticker: ObjectTicker
  ) throws(ArchiveError) -> SchemaProfile {
    // What a model says need not be looked for. A store that is read whole may have other objects in
    // its values.
    if let store = archive as? any ModelledSource, !store.keepsBytes, !store.holdsObjectsInValues {
      var ticker = ticker
      defer { ticker.end() }
      var profile = try SchemaProfile(declaredBy: store, graph, &ticker)
      profile.addUnreadKeys(of: store)
      return profile
    }
    var taker = SchemaProfiler(
      archive, limits, isNested: isNested, GraphTraversal(objectCount: archive.objectCount, ticker))
    var profile = try taker.walk(graph)
    if isNested {
      profile.declared = profile.classes.contains { $0.count > 0 } ? .nested : .none
    }
    return profile
  }

  /// Takes the profile of some of the objects of an archive: see `ProfileSample`.
  package static func takeSample(
    of archive: any GraphSource, classesReadAsObjects: Set<String>, limits: ReadingLimits,
    size: ProfileSample.Size, library: GraphLibrary
  ) throws(ArchiveError) -> SchemaProfile {
    let graph = archive.makeGraph(
      GraphOptions(limits: limits, classesReadAsObjects: classesReadAsObjects, library: library))
    var route = GraphTraversal(objectCount: archive.objectCount, ObjectTicker(nil))
    route.sample = ProfileSample(size)
    var taker = SchemaProfiler(archive, limits, isNested: false, route)
    return try taker.walk(graph)
  }
}
