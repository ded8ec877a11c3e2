extension UnwrappedSource {
  /// The wrappers of a source, and the values they hold.
  ///
  /// A wrapper is an object of one of some classes in which one key holds something that is not
  /// nil. Those that lead to each other in a circle are none.
  struct WrapperIndex: Sendable {
    /// A wrapper.
    struct Wrapper: Sendable {
      /// The position in its shape of the key that is not nil.
      var position: Int
      /// The wrapper that this one refers to, if any.
      var next: Int?
      /// The last wrapper of the chain that begins with it.
      var last: Int
    }

    private var wrappers: [Int: Wrapper] = [:]

    /// Finds the wrappers that the roots of a source reach.
    ///
    /// - Throws: `ArchiveError` if it is damaged.
    init(
      _ source: any GraphSource, _ classNames: Set<String>, _ options: GraphOptions
    ) throws(ArchiveError) {
      var walk = WrapperWalk(source.makeGraph(options), classNames)
      try walk.walk()
      wrappers = walk.wrappers
      followChains()
    }

    /// The number of wrappers.
    var count: Int { wrappers.count }

    /// About how much memory it takes.
    var byteCount: Int { 64 * wrappers.count }

    /// The wrapper with a number; nil for other objects.
    @inline(__always)
    subscript(uid: Int) -> Wrapper? { wrappers[uid] }

    /// Finds the last wrapper of each chain, and removes those that are in a circle.
    ///
    /// - Complexity: Linear in the number of wrappers.
    private mutating func followChains() {
      var isDone: Set<Int> = []
      var circular: Set<Int> = []
      for start in wrappers.keys where !isDone.contains(start) {
        var chain: [Int] = []
        var places: [Int: Int] = [:]
        var next: Int? = start
        while let uid = next, wrappers[uid] != nil, !isDone.contains(uid), places[uid] == nil {
          places[uid] = chain.count
          chain.append(uid)
          next = wrappers[uid]?.next
        }
        if let uid = next, let place = places[uid] {
          circular.formUnion(chain[place...])
          isDone.formUnion(chain[place...])
          chain.removeSubrange(place...)
        }
        var last: Int?
        if let uid = next, isDone.contains(uid), !circular.contains(uid) {
          last = wrappers[uid]?.last
        }
        for uid in chain.reversed() {
          if last == nil {
            // What it refers to stays where it is.
            wrappers[uid]?.next = nil
            last = uid
          }
          wrappers[uid]?.last = last ?? uid
          isDone.insert(uid)
        }
      }
      for uid in circular { wrappers[uid] = nil }
    }
  }
}

/// Walks everything that the roots of a source reach, and notes the wrappers.
private struct WrapperWalk {
  private let graph: any ObjectGraph
  private let classNames: Set<String>
  private var objects: WorkList
  private var collections: [(id: CollectionID, kind: CollectionKind)] = []
  private var seenCollections: Set<CollectionID> = []
  private var values: [GraphValue] = []
  /// For each class that was met, whether its objects may be wrappers.
  private var areWrappers: [Int: Bool] = [:]
  private(set) var wrappers: [Int: UnwrappedSource.WrapperIndex.Wrapper] = [:]

  init(_ graph: any ObjectGraph, _ classNames: Set<String>) {
    (self.graph, self.classNames) = (graph, classNames)
    objects = WorkList(objectCount: graph.source.objectCount)
  }

  mutating func walk() throws(ArchiveError) {
    for root in graph.source.roots { admit(try graph.value(of: root)) }
    while true {
      if let uid = objects.takeNext() {
        try visit(uid)
      } else if let (id, kind) = collections.popLast() {
        let elements = try graph.elements(of: id, kind)
        for position in 0..<elements.count {
          if kind.isKeyed { admit(try graph.key(of: elements, at: position)) }
          admit(try graph.value(of: elements, at: position))
        }
      } else {
        return
      }
    }
  }

  private mutating func admit(_ value: GraphValue) {
    switch value {
    case .object(let uid, _): objects.add(uid)
    case .collection(let id, let kind):
      if seenCollections.insert(id).inserted { collections.append((id, kind)) }
    default: break
    }
  }

  private mutating func visit(_ uid: Int) throws(ArchiveError) {
    let object = try graph.object(uid)
    try graph.read(object, into: &values)
    var filled: [Int] = []
    for position in 0..<object.keyCount {
      admit(values[position])
      if case .null = values[position] { continue }
      if filled.count < 2 { filled.append(position) }
    }
    guard filled.count == 1, isWrapper(object.class) else { return }
    var wrapper = UnwrappedSource.WrapperIndex.Wrapper(position: filled[0], next: nil, last: uid)
    if case .object(let held, let id) = values[filled[0]], isWrapper(id) { wrapper.next = held }
    wrappers[uid] = wrapper
  }

  private mutating func isWrapper(_ id: ClassID) -> Bool {
    if let known = areWrappers[id.index] { return known }
    let name = graph.classes[id.index].name
    let isNamed =
      classNames.contains(name) || classNames.contains(ArchivedName.plain(name))
      || classNames.contains(SwiftName.readable(name))
    areWrappers[id.index] = isNamed
    return isNamed
  }
}
