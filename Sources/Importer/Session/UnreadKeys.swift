import ArchiveReader

extension ImportSession {
  /// The keys of the objects of an archive that nothing read, as far as they are known in a turn.
  struct UnreadKeys {
    private struct ShapeOfClass: Hashable {
      var `class`: Int
      var shape: Int

      init(_ object: GraphObject) {
        self.class = object.class.index
        shape = object.shape
      }
    }

    private struct KeySet: Hashable {
      var kind: ShapeOfClass
      var positions: KeyBits
    }

    /// Counts of sets of keys; that of the set met last is kept apart, since mostly it is the next
    /// one too.
    private struct Counts {
      private var counts: [KeySet: Int] = [:]
      private var last: KeySet?
      private var lastCount = 0

      @inline(__always)
      mutating func add(_ set: KeySet) {
        if last != set {
          store()
          last = set
        }
        lastCount += 1
      }

      private mutating func store() {
        guard let set = last, lastCount > 0 else { return }
        counts[set, default: 0] += lastCount
        lastCount = 0
      }

      mutating func take() -> [KeySet: Int] {
        store()
        defer { self = Counts() }
        return counts
      }
    }

    /// For each set of keys that was read, of how many objects.
    private var counts = Counts()
    /// The same of keys that hooks left behind on purpose.
    private var ignored = Counts()
    /// The keys that entity mappings read, for each class and shape.
    private var mapped: [ShapeOfClass: KeyBits] = [:]
    /// The keys among them whose own values have no place in the store.
    private var derived: [ShapeOfClass: KeyBits] = [:]
    /// The objects of value classes with a hook, and the keys that it has read of them.
    private var valueObjects: [ShapeOfClass: Int] = [:]
    private var valueReads: [ShapeOfClass: KeyBits] = [:]

    /// Counts an object of which some keys were read.
    mutating func add(_ object: GraphObject, read: KeyBits) {
      counts.add(KeySet(kind: ShapeOfClass(object), positions: read))
    }

    /// Counts an object of which a hook left some keys behind on purpose.
    mutating func addIgnored(_ object: GraphObject, _ keys: KeyBits) {
      guard !keys.isEmpty else { return }
      ignored.add(KeySet(kind: ShapeOfClass(object), positions: keys))
    }

    /// Counts an object of which entity mappings read some keys.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - read: Finds the keys, and those of them whose own values have no place in the store; it
    ///   is
    ///     called once for each class and shape.
    mutating func addMapped(
      _ object: GraphObject, read: () -> (read: KeyBits, derived: KeyBits)
    ) {
      let kind = ShapeOfClass(object)
      if let known = mapped[kind] { return add(object, read: known) }
      let found = read()
      mapped[kind] = found.read
      if !found.derived.isEmpty { derived[kind] = found.derived }
      add(object, read: found.read)
    }

    /// Counts an object of a value class with a hook.
    mutating func addValueObject(_ object: GraphObject) {
      valueObjects[ShapeOfClass(object), default: 0] += 1
    }

    /// Notes which keys a hook read of an object of a value class, which it may see several times.
    mutating func addValueRead(_ object: GraphObject, _ read: KeyBits) {
      valueReads[ShapeOfClass(object), default: read].formUnion(read)
    }

    /// Hands over the keys that nothing read, and those whose own values have no place in the
    /// store, with the number of objects, and forgets them.
    ///
    /// A key comes several times if different sets of keys were read.
    mutating func take(_ graph: any ObjectGraph) -> (unread: KeyCounts, derived: KeyCounts) {
      var counts = counts.take()
      var derivedCounts: [KeySet: Int] = [:]
      for (set, count) in counts {
        guard let keys = derived[set.kind] else { continue }
        derivedCounts[KeySet(kind: set.kind, positions: keys), default: 0] += count
      }
      for (kind, count) in valueObjects {
        let positions = valueReads[kind] ?? KeyBits(graph.keys(ofShape: kind.shape).count)
        counts[KeySet(kind: kind, positions: positions), default: 0] += count
      }
      valueObjects = [:]
      return (
        Self.keys(in: counts, graph) { key, isRead in key != "$class" && !isRead },
        Self.keys(in: derivedCounts, graph) { _, isDerived in isDerived }
      )
    }

    /// Keys with the number of objects.
    typealias KeyCounts = [(key: ImportFindings.ClassKey, count: Int)]

    /// Hands over the keys that hooks left behind on purpose, with the number of objects.
    mutating func takeIgnored(
      _ graph: any ObjectGraph
    ) -> [(key: ImportFindings.ClassKey, count: Int)] {
      Self.keys(in: ignored.take(), graph) { _, isIgnored in isIgnored }
    }

    private static func keys(
      in counts: [KeySet: Int], _ graph: any ObjectGraph,
      where isMeant: (_ key: String, _ isInSet: Bool) -> Bool
    ) -> [(key: ImportFindings.ClassKey, count: Int)] {
      var found: [(key: ImportFindings.ClassKey, count: Int)] = []
      for (set, count) in counts {
        let name = graph.classes[set.kind.class].name
        for (position, key) in graph.keys(ofShape: set.kind.shape).enumerated()
        where isMeant(key, set.positions.contains(position)) {
          found.append((ImportFindings.ClassKey(className: name, key: key), count))
        }
      }
      return found
    }
  }
}
