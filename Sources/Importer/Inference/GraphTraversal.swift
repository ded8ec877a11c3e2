import ArchiveReader
import Support

extension SchemaProfiler {
  /// The pending objects and collections of a walk that takes a profile.
  struct GraphTraversal {
    private var workList: WorkList
    /// The collections that no object holds under a key, with the place where each was met.
    private var collections:
      [(id: CollectionID, kind: CollectionKind, place: ArchiveError.Position)] =
        []
    private var nextCollection = 0
    private var seenCollections: Set<CollectionID> = []
    /// The sample of objects that are visited; nil if all are.
    var sample: ProfileSample?
    /// Counts the objects.
    var ticker: ObjectTicker

    /// The next object or collection of a walk.
    enum Stop {
      case object(Int)
      case collection(CollectionID, CollectionKind, ArchiveError.Position)
    }

    init(objectCount: Int, _ ticker: ObjectTicker) {
      workList = WorkList(objectCount: objectCount)
      self.ticker = ticker
    }

    /// The next object, or the next collection after all objects.
    mutating func takeNext() -> Stop? {
      if let uid = workList.takeNext() { return .object(uid) }
      guard nextCollection < collections.count else { return nil }
      let next = collections[nextCollection]
      nextCollection += 1
      return .collection(next.id, next.kind, next.place)
    }

    /// Counts an object that had its turn.
    mutating func tick(_ graph: any ObjectGraph) {
      if ticker.isDue { ticker.share = workList.share(of: graph) }
      ticker.tick()
    }

    /// Adds an object of a class; returns whether it is visited.
    @inline(__always)
    mutating func admit(_ uid: Int, _ place: Int) -> Bool {
      guard sample != nil else {
        workList.add(uid)
        return true
      }
      if workList.contains(uid) { return true }
      guard sample?.admit(class: place) == true else { return false }
      return workList.add(uid)
    }

    /// Adds a collection that was met at a place.
    mutating func add(_ id: CollectionID, _ kind: CollectionKind, at place: ArchiveError.Position) {
      guard seenCollections.insert(id).inserted else { return }
      var place = place
      if case .object(let uid) = id { place = .object(uid, key: nil) }
      collections.append((id, kind, place))
    }
  }
}

extension SchemaProfiler {
  /// Some of the entries of an archive, to be emptied often.
  ///
  /// Takes a bit for each entry, and four bytes for each that is marked.
  struct MarkedEntries {
    private var bits: [UInt64]
    private var marked: [UInt32] = []

    /// - Parameter count: The number of entries.
    init(count: Int) {
      bits = Array(repeating: 0, count: Self.words(count))
    }

    private static func words(_ count: Int) -> Int { (count + 63) / 64 }

    /// Marks none of `count` entries.
    mutating func reset(count: Int) {
      removeAll()
      let missing = Self.words(count) - bits.count
      if missing > 0 { bits += repeatElement(0, count: missing) }
    }

    /// Marks an entry; returns whether it was not marked.
    mutating func insert(_ entry: Int) -> Bool {
      let mask: UInt64 = 1 << UInt64(entry & 63)
      guard bits[entry >> 6] & mask == 0 else { return false }
      bits[entry >> 6] |= mask
      marked.append(UInt32(truncatingIfNeeded: entry))
      return true
    }

    /// Marks none.
    ///
    /// - Complexity: Linear in those that are marked.
    mutating func removeAll() {
      for entry in marked { bits[Int(entry) >> 6] = 0 }
      marked.removeAll(keepingCapacity: true)
    }
  }
}
