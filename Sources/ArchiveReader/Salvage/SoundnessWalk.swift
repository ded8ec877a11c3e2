extension KeyedArchive {
  /// Tells whether all that the top-level keys of an archive lead to can be read.
  ///
  /// A run reads no more than that. So an archive that passes is converted as it is, whatever is
  /// wrong with entries that nothing leads to.
  struct SoundnessWalk {
    private var reader: ObjectReader
    private var objects: WorkList
    /// The collections that were met, each of which is read once.
    private var metCollections: Set<CollectionID> = []
    private var collections: [(id: CollectionID, kind: CollectionKind)] = []

    /// Whether everything that the top-level keys lead to can be read.
    static func isSound(_ archive: KeyedArchive, limits: ReadingLimits) -> Bool {
      guard archive.propertyList.losses.isEmpty, archive.propertyList.damagedNodes.isEmpty else {
        return false
      }
      var walk = SoundnessWalk(archive, limits)
      return (try? walk.readAll()) != nil
    }

    private init(_ archive: KeyedArchive, _ limits: ReadingLimits) {
      reader = ObjectReader(archive, limits: limits)
      objects = WorkList(objectCount: archive.objectCount)
    }

    private mutating func readAll() throws(ArchiveError) {
      for entry in reader.archive.topLevel { note(try reader.value(of: entry)) }
      while true {
        if let (id, kind) = collections.popLast() {
          let elements = try reader.elements(of: id, kind)
          for position in 0..<elements.count {
            if kind.isKeyed { note(try reader.key(of: elements, at: position)) }
            note(try reader.value(of: elements, at: position))
          }
        } else if let uid = objects.takeNext() {
          let object = try reader.object(uid)
          for position in 0..<object.keyCount {
            note(try reader.value(of: object, at: position))
          }
        } else {
          return
        }
      }
    }

    private mutating func note(_ value: GraphValue) {
      switch value {
      case .object(let uid, _): objects.add(uid)
      case .collection(let id, let kind):
        if metCollections.insert(id).inserted { collections.append((id, kind)) }
      default: break
      }
    }
  }
}
