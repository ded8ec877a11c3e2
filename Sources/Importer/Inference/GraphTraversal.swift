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
