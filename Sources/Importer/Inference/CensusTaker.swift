import ArchiveReader

/// Walks everything that the top-level keys of an archive reach and takes the census.
///
/// The walk checks whatever an import touches: an archive that passes does not fail later on.
///
/// - Complexity: Linear in the values reached. Takes about nine bytes for each archived object.
struct CensusTaker {
  private var reader: ObjectReader
  private var census = Census()
  private var workList: WorkList
  /// The collections that no object holds under a key, with the place where each was met.
  private var collections:
    [(id: CollectionID, kind: CollectionKind, place: ArchiveError.Position)] =
      []
  private var seenCollections: Set<CollectionID> = []
  /// For each class of the reader, its place in the census; -1 where it was not met.
  private var classPlaces: [Int] = []
  /// How many of the classes that were met have a place.
  private var registeredCount = 0
  private var tallies = ShapeTallies()
  private let limits: ReadingLimits
  private var budget: ExpansionBudget
  private var collectionKeys = 0
  private let seed = Self.processSeed
  private static let processSeed = UInt64.random(in: .min ... .max)
  /// For each entry, the collection in which it was met last: tells a member that stands in one
  /// twice.
  private var lastCollection: [UInt32]
  private var collectionNumber: UInt32 = 0
  /// Where the keys that may be those of the inverse stand in a shape, as long as a collection is
  /// visited.
  private var inversePlaces: (shape: Int, positions: [Int])?
  /// Counts the objects.
  private var ticker = ObjectTicker(nil)
  /// What is being visited, for errors that do not say so themselves.
  private var visited = ArchiveError.Position.topLevel

  /// How many keys of a member are looked at for its owner: one is the rule.
  private static let mostInverseKeys = 16

  /// Takes the census of an archive, which may be one inside of another.
  static func take(
    of archive: KeyedArchive, opaqueClasses: Set<String>, limits: ReadingLimits,
    isNested: Bool = false, ticker: ObjectTicker = ObjectTicker(nil),
    library: ReaderLibrary? = nil
  ) throws(ArchiveError) -> Census {
    var taker = CensusTaker(archive, opaqueClasses, limits, isNested: isNested, library)
    taker.ticker = ticker
    defer { taker.ticker.end() }
    try taker.walk()
    return taker.census
  }

  /// Takes the census of one archive after the other.
  ///
  /// - Parameters:
  ///   - archive: The archive, which is in a file of its own.
  ///   - opaqueClasses: The same for all archives.
  ///   - limits: The same for all archives.
  ///   - ticker: Counts the objects.
  ///   - last: What has taken the census of the archive before; nil for the first one.
  /// - Returns: The census of the archive alone.
  /// - Throws: `ArchiveError` if it is damaged.
  static func take(
    of archive: KeyedArchive, opaqueClasses: Set<String>, limits: ReadingLimits,
    ticker: ObjectTicker, after last: inout CensusTaker?
  ) throws(ArchiveError) -> Census {
    let goesOn = last?.reader.isFull == false
    if !goesOn { last = nil }
    var taker =
      last.take()
      ?? CensusTaker(archive, opaqueClasses, limits, isNested: false, nil, goesOn: true)
    if goesOn { taker.goOn(with: archive) }
    taker.ticker = ticker
    defer { taker.ticker.end() }
    try taker.walk()
    let census = taker.census
    taker.census = Census()
    last = taker
    return census
  }

  private init(
    _ archive: KeyedArchive, _ opaqueClasses: Set<String>, _ limits: ReadingLimits, isNested: Bool,
    _ library: ReaderLibrary?, goesOn: Bool = false
  ) {
    reader = ObjectReader(
      archive, limits: limits, opaqueClasses: opaqueClasses, foundationValues: true,
      library: library, goesOn: goesOn)
    reader.noteReachedEntries()
    workList = WorkList(objectCount: archive.objectCount)
    self.limits = limits
    budget = ExpansionBudget(archive, limits, isNested: isNested)
    lastCollection = Array(repeating: 0, count: archive.objectCount)
  }

  /// Goes on with another archive: what the reader has learned holds for it too.
  private mutating func goOn(with archive: KeyedArchive) {
    reader.goOn(with: archive)
    workList.beginAnew(objectCount: archive.objectCount)
    budget = ExpansionBudget(archive, limits, isNested: false)
    collections.removeAll(keepingCapacity: true)
    if !seenCollections.isEmpty { seenCollections.removeAll(keepingCapacity: true) }
    for id in classPlaces.indices { classPlaces[id] = -1 }
    registeredCount = 0
    tallies.removeAll()
    collectionKeys = 0
    collectionNumber = 0
    lastCollection.removeAll(keepingCapacity: true)
    lastCollection.append(contentsOf: repeatElement(0, count: archive.objectCount))
    visited = .topLevel
  }

  // MARK: The walk

  private mutating func walk() throws(ArchiveError) {
    do throws(ArchiveError) {
      for entry in reader.archive.topLevel {
        visited = .topLevelKey(entry.key)
        try visitLoose(try reader.value(of: entry))
      }
      var nextCollection = 0
      while true {
        if let uid = workList.takeNext() {
          visited = .object(uid, key: nil)
          try visit(try reader.object(uid))
          ticker.tick()
        } else if nextCollection < collections.count {
          let collection = collections[nextCollection]
          nextCollection += 1
          visited = collection.place
          try visitLooseElements(collection.id, collection.kind)
        } else {
          break
        }
      }
    } catch {
      throw error.placed(at: visited)
    }
    registerClasses()
    tallies.add(to: &census)
    census.looseCollections = collections.count
    census.unreachedObjects = reader.countUnreachedEntries()
    if !reader.misfits.isEmpty {
      census.misfits = Set(reader.misfits.map { reader.classes[$0.index].name })
    }
  }

  private mutating func visit(_ object: ArchivedObject) throws(ArchiveError) {
    let place = censusPlace(of: object.class)
    guard census.classes.count <= limits.classes else {
      throw limits.exceeded(.classes, at: .object(object.uid, key: "$class"))
    }
    let tally = self.tally(of: object, in: place)
    for position in 0..<object.values.count {
      let property = tallies.property(position, tally)
      guard property >= 0 else { continue }
      let value = try reader.value(of: object, at: position)
      try budget.spend(on: value, &reader)
      tallies.note(ValueKinds(value, &reader), position, tally)
      if case .object(let uid, let id) = value {
        workList.add(uid)
        let target = censusPlace(of: id)
        if tallies.noteReference(to: target, position, tally) {
          census.note(target: target, class: place, property: property)
        }
        continue
      }
      guard case .collection(let id, let kind) = value else { continue }
      do throws(ArchiveError) {
        try visitElements(id, kind, of: object, place, property)
      } catch {
        let key = reader.shapes[object.shape].keys[position]
        throw error.placed(at: .object(object.uid, key: key))
      }
    }
  }

  // MARK: Collections under keys

  private mutating func visitElements(
    _ id: CollectionID, _ kind: CollectionKind, of owner: ArchivedObject, _ place: Int,
    _ property: Int
  ) throws(ArchiveError) {
    let elements = try reader.elements(of: id, kind)
    try budget.spend(elements: elements.count)
    if census.classes[place].properties[property].elements.collectionKinds.isEmpty {
      collectionKeys += 1
      guard collectionKeys <= limits.collectionKeys else {
        throw limits.exceeded(.collectionKeys)
      }
    }
    var found = ElementCensus()
    found.collectionKinds = [kind]
    found.holdsEmpty = elements.count == 0
    found.inverseKeys = census.classes[place].properties[property].elements.inverseKeys
    collectionNumber &+= 1
    inversePlaces = nil
    var lastTarget = -1
    for position in 0..<elements.count {
      if kind.isKeyed {
        let key = try reader.key(of: elements, at: position)
        found.keyKinds.formUnion(ValueKinds(key, &reader))
        try visitLoose(key)
      }
      let value = try reader.value(of: elements, at: position)
      found.kinds.formUnion(ValueKinds(value, &reader))
      guard case .object(let uid, let memberClass) = value else {
        try visitLoose(value)
        continue
      }
      workList.add(uid)
      found.links += 1
      let target = censusPlace(of: memberClass)
      if target != lastTarget { found.targets.insert(target) }
      lastTarget = target
      if lastCollection[uid] == collectionNumber { found.holdsTwice = true }
      lastCollection[uid] = collectionNumber
      found.forwardDigest &+= digest(owner.uid, uid)
      found.backwardDigest &+= digest(uid, owner.uid)
      if found.holdsTwice || kind.isKeyed { found.inverseKeys = [] }
      try narrowInverse(&found.inverseKeys, owner: owner.uid, member: uid)
    }
    census.update(place) {
      $0.update(property) {
        $0.elements.add(found)
        $0.elements.inverseKeys = found.inverseKeys
      }
    }
  }

  /// Keeps those keys under which a member holds the owner of its collection.
  private mutating func narrowInverse(
    _ keys: inout [String]?, owner: Int, member: Int
  ) throws(ArchiveError) {
    if let keys, keys.isEmpty { return }
    let object = try reader.object(member)
    func holdsOwner(_ position: Int) -> Bool {
      reader.table.uid(of: reader.table[object.values, position]) == owner
    }
    // Mostly the next member has the same keys, and holds the owner under the same of them.
    if let places = inversePlaces, places.shape == object.shape,
      places.positions.allSatisfy(holdsOwner)
    {
      return
    }
    let all = reader.shapes[object.shape].keys
    let positions: [Int]
    if let known = keys {
      positions = known.compactMap { all.firstIndex(of: $0) }.filter(holdsOwner)
    } else {
      let found = all.indices.filter { all[$0] != "$class" && holdsOwner($0) }
      positions = Array(found.prefix(Self.mostInverseKeys))
    }
    keys = positions.map { all[$0] }
    inversePlaces = (object.shape, positions)
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

  /// Visits a value of a top-level key or of a collection inside a collection.
  private mutating func visitLoose(_ value: ArchivedValue) throws(ArchiveError) {
    try budget.spend(on: value, &reader)
    switch value {
    case .object(let uid, let id):
      workList.add(uid)
      _ = censusPlace(of: id)
    case .collection(let id, let kind):
      guard seenCollections.insert(id).inserted else { return }
      var place = visited
      if case .object(let uid) = id { place = .object(uid, key: nil) }
      collections.append((id, kind, place))
    default:
      break
    }
  }

  private mutating func visitLooseElements(
    _ id: CollectionID, _ kind: CollectionKind
  ) throws(ArchiveError) {
    let elements = try reader.elements(of: id, kind)
    try budget.spend(elements: elements.count)
    for position in 0..<elements.count {
      if kind.isKeyed { try visitLoose(try reader.key(of: elements, at: position)) }
      try visitLoose(try reader.value(of: elements, at: position))
    }
  }

  // MARK: Places in the census

  private mutating func censusPlace(of id: ClassID) -> Int {
    if id.index >= classPlaces.count || classPlaces[id.index] < 0 { registerClasses() }
    return classPlaces[id.index]
  }

  /// Gives all classes that the reader has met a place in the census.
  private mutating func registerClasses() {
    while classPlaces.count < reader.classes.count { classPlaces.append(-1) }
    while registeredCount < reader.metClasses.count {
      let id = reader.metClasses[registeredCount]
      registeredCount += 1
      let record = reader.classes[id.index]
      let place = census.index(of: record.name)
      census.update(place) { found in
        if found.hierarchy.isEmpty { found.hierarchy = record.hierarchy }
        if found.hints.isEmpty { found.hints = record.hints }
      }
      classPlaces[id.index] = place
    }
  }

  /// Where what is found of an object is counted, which has its turn.
  private mutating func tally(of object: ArchivedObject, in place: Int) -> Int {
    if let known = tallies.begin(shape: object.shape, class: place) { return known }
    let properties = reader.shapes[object.shape].keys.map { key in
      key == "$class" ? -1 : census.update(place) { $0.index(of: key) }
    }
    return tallies.begin(shape: object.shape, class: place, properties: properties)
  }
}
