import ArchiveReader

/// What is found in collections.
extension CensusTaker {
  // MARK: Under keys

  mutating func visitElements(
    _ collection: OpenCollection, of owner: ArchivedObject, _ place: Int, _ property: Int,
    _ reader: inout ObjectReader
  ) throws(ArchiveError) {
    let kind = collection.kind
    let elements = try reader.elements(of: collection.id, kind)
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
    members.removeAll()
    inversePlaces = nil
    let key = ArchiveError.Position.object(owner.uid, key: nil)
    var lastTarget = -1
    var leftOut = 0
    for position in positions(in: elements) {
      if kind.isKeyed {
        let elementKey = try reader.key(of: elements, at: position)
        found.keyKinds.formUnion(ValueKinds(elementKey, &reader))
        try visitLoose(elementKey, at: key, &reader)
      }
      let value = try reader.value(of: elements, at: position)
      found.kinds.formUnion(ValueKinds(value, &reader))
      guard case .object(let uid, let memberClass) = value else {
        try visitLoose(value, at: key, &reader)
        continue
      }
      let target = censusPlace(of: memberClass, reader)
      if target != lastTarget { found.targets.insert(target) }
      lastTarget = target
      guard admit(uid, target) else {
        leftOut += 1
        // There is hardly more to find in it.
        if leftOut > CensusSample.mostLeftOut { break }
        continue
      }
      leftOut = 0
      found.links += 1
      if !members.insert(uid) { found.holdsTwice = true }
      found.forwardDigest &+= digest(owner.uid, uid)
      found.backwardDigest &+= digest(uid, owner.uid)
      if found.holdsTwice || kind.isKeyed { found.inverseKeys = [] }
      try narrowInverse(&found.inverseKeys, owner: owner.uid, member: uid, &reader)
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
    _ keys: inout [String]?, owner: Int, member: Int, _ reader: inout ObjectReader
  ) throws(ArchiveError) {
    if let keys, keys.isEmpty { return }
    let object = try reader.object(member)
    let table = reader.table
    func holdsOwner(_ position: Int) -> Bool {
      table.uid(of: table[object.values, position]) == owner
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

  /// Visits a value of a top-level key or of a collection.
  mutating func visitLoose(
    _ value: ArchivedValue, at place: ArchiveError.Position, _ reader: inout ObjectReader
  ) throws(ArchiveError) {
    try budget.spend(on: value, &reader)
    switch value {
    case .object(let uid, let id):
      _ = admit(uid, censusPlace(of: id, reader))
    case .collection(let id, let kind):
      route?.add(id, kind, at: place)
    default:
      break
    }
  }

  /// Visits the elements of a collection that no object holds under a key.
  mutating func visitLooseElements(
    _ id: CollectionID, _ kind: CollectionKind, at place: ArchiveError.Position,
    _ reader: inout ObjectReader
  ) throws(ArchiveError) {
    let elements = try reader.elements(of: id, kind)
    try budget.spend(elements: elements.count)
    for position in positions(in: elements) {
      if kind.isKeyed {
        try visitLoose(try reader.key(of: elements, at: position), at: place, &reader)
      }
      try visitLoose(try reader.value(of: elements, at: position), at: place, &reader)
    }
  }
}
