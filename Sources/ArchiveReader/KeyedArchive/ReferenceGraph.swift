extension ArchiveInspection {
  /// The references between the entries of `$objects`, as two flat lists.
  struct ReferenceGraph {
    /// All references, those of an entry after those of the entry before it.
    private(set) var references: [UInt32] = []
    /// The start of each entry's references; one more at the end.
    private var starts: [Int] = [0]
    /// The class record of each entry, or `none`; a class record's is its own.
    private var classRecords: [UInt32] = []
    private(set) var topReferences: [UInt32] = []
    private(set) var danglingReferences: [ArchiveError] = []

    private static let none = UInt32.max
    private static let maxDangling = 20

    init(_ archive: KeyedArchive, limits: ReadingLimits) throws(ArchiveError) {
      let table = archive.table
      // A file can share inline containers so that they multiply; a sound one never does.
      let (most, overflow) = max(1, limits.expansion / 4)
        .multipliedReportingOverflow(by: table.count)
      var budget = (overflow ? Int.max / 2 : min(most, Int.max / 2)) + 1_000_000
      starts.reserveCapacity(archive.objectCount + 1)
      classRecords.reserveCapacity(archive.objectCount)
      var keysCache = KeysCache()
      var open: [Entry] = []
      for uid in 0..<archive.objectCount {
        let node = table[archive.objects, uid]
        var record = Self.none
        switch table.value(of: node) {
        case .dictionary(let keys, let values):
          let known = keysCache.keys(of: keys, in: table)
          if let position = known.classPosition, let uid = table.uid(of: table[values, position]) {
            record = UInt32(truncatingIfNeeded: uid)
          }
          // The chain of a class record holds names, no references to objects.
          guard !known.isClassRecord else {
            record = UInt32(truncatingIfNeeded: uid)
            break
          }
          for position in (0..<keys.count).reversed() where position != known.classPosition {
            if known.repeatsClass, table.string(at: table[keys, position]) == "$class" { continue }
            open.append((table[values, position], 0))
          }
        case .array, .uid: open.append((node, 0))
        default: break
        }
        let before = references.count
        try Self.collect(&open, table, limits, &budget, into: &references)
        for reference in references[before...] where reference >= archive.objectCount {
          note(dangling: reference, at: .object(uid, key: nil))
        }
        classRecords.append(record)
        starts.append(references.count)
      }
      open = archive.topLevel.map { ($0.node, 0) }
      try Self.collect(&open, table, limits, &budget, into: &topReferences)
      for reference in topReferences where reference >= archive.objectCount {
        note(dangling: reference, at: .topLevelKey("$top"))
      }
    }

    private mutating func note(dangling uid: UInt32, at position: ArchiveError.Position) {
      guard danglingReferences.count < Self.maxDangling else { return }
      danglingReferences.append(ArchiveError(.danglingReference, at: position, name: "\(uid)"))
    }

    /// A node whose references are to be collected, and how deep it stands.
    private typealias Entry = (node: Node, depth: Int)

    /// Appends the references inside of nodes, in no special order; none of the nodes are left.
    private static func collect(
      _ open: inout [Entry], _ table: NodeTable, _ limits: ReadingLimits, _ budget: inout Int,
      into references: inout [UInt32]
    ) throws(ArchiveError) {
      while let (node, depth) = open.popLast() {
        budget -= 1
        guard budget > 0 else { throw limits.exceeded(.expansion) }
        let elements: Node.Run
        switch table.value(of: node) {
        case .uid(let uid):
          references.append(UInt32(truncatingIfNeeded: uid))
          continue
        case .array(let run), .set(let run): elements = run
        case .dictionary(_, let values): elements = values
        default: continue
        }
        guard depth < limits.depth else { throw limits.exceeded(.depth) }
        for position in 0..<elements.count { open.append((table[elements, position], depth + 1)) }
      }
    }

    /// Walks the references from some entries; returns how many entries are reached, class records
    /// included, how many objects are not, and whether there is a cycle among the references.
    func walk(from roots: [UInt32]) -> (reached: Int, unreached: Int, isCyclic: Bool) {
      let count = classRecords.count
      // 0: not reached, 1: on the path, 2: done, 3: a class record reached as such.
      var state = [UInt8](repeating: 0, count: count)
      var isCyclic = false
      var path: [(entry: Int, next: Int)] = []
      for root in roots where root < count && state[Int(root)] != 1 && state[Int(root)] != 2 {
        state[Int(root)] = 1
        path.append((Int(root), starts[Int(root)]))
        while let (entry, next) = path.last {
          guard next < starts[entry + 1] else {
            state[entry] = 2
            path.removeLast()
            let record = classRecords[entry]
            if record < count, state[Int(record)] == 0 { state[Int(record)] = 3 }
            continue
          }
          path[path.count - 1].next += 1
          let target = Int(references[next])
          guard target < count else { continue }
          if state[target] == 1, target != 0 { isCyclic = true }
          if state[target] == 0 || state[target] == 3 {
            state[target] = 1
            path.append((target, starts[target]))
          }
        }
      }
      let reached = state.count { $0 != 0 }
      // The first entry stands for nil.
      let unreached = state.indices.dropFirst().count { state[$0] == 0 && classRecords[$0] != $0 }
      return (reached, unreached, isCyclic)
    }
  }
}

extension ArchiveInspection.ReferenceGraph {
  /// The role of a dictionary in an archive, by its keys.
  struct Keys {
    /// The position of `$class` among the keys; nil if the dictionary is no object.
    var classPosition: Int?
    /// True if `$class` occurs more than once: the archive is damaged.
    var repeatsClass = false
    /// True if the keys are those of a class record.
    var isClassRecord: Bool
  }
}

extension ArchiveInspection.ReferenceGraph {
  /// Tells what dictionaries are by their keys.
  ///
  /// The runs of keys of like objects are equal byte for byte. Those met last are remembered, a
  /// fixed number of them, so that strings are made and compared only now and then.
  struct KeysCache {
    private var known: [(run: Node.Run, keys: Keys)?] = Array(repeating: nil, count: 64)

    /// The role that the keys of a dictionary give it.
    mutating func keys(of run: Node.Run, in table: NodeTable) -> Keys {
      guard run.count > 0 else { return Keys(classPosition: nil, isClassRecord: false) }
      let ends = table[run, 0].index &* 5 &+ table[run, run.count - 1].index
      let slot = (ends &+ run.count) & (known.count - 1)
      if let (other, keys) = known[slot], table.view(run).hasSameBytes(as: table.view(other)) {
        return keys
      }
      let names = (0..<run.count).lazy.map { table.string(at: table[run, $0]) }
      let position = names.firstIndex(of: "$class")
      let keys = Keys(
        classPosition: position,
        repeatsClass: position.map { names.dropFirst($0 + 1).contains("$class") } ?? false,
        isClassRecord: position == nil && names.contains("$classname"))
      known[slot] = (run, keys)
      return keys
    }
  }
}

/// Reads all that the top-level keys of an archive lead to, each object once.
///
/// A run reads no more than that: an archive that is read to the end is converted as it is, whatever
/// is wrong with entries that nothing leads to.
package struct ArchiveWalk {
  private let archive: KeyedArchive
  private let graph: ArchiveGraph
  private var objects: WorkList
  private var collections: [(id: CollectionID, kind: CollectionKind)] = []
  private var metCollections: Set<CollectionID> = []
  private var values: [GraphValue] = []
  private var metData: Set<ByteRange> = []
  /// The data values that begin as archives, in the order in which they are met.
  package private(set) var data: [ByteRange] = []

  /// Prepares to read an archive.
  ///
  /// - Parameters:
  ///   - archive: The archive.
  ///   - graph: Its graph, which notes what was reached.
  package init(_ archive: KeyedArchive, _ graph: ArchiveGraph) {
    (self.archive, self.graph) = (archive, graph)
    objects = WorkList(objectCount: archive.objectCount)
  }

  /// Reads everything.
  ///
  /// - Throws: `ArchiveError` if something cannot be read.
  /// - Complexity: Linear in what is reached.
  package mutating func readAll() throws(ArchiveError) {
    for root in archive.roots { try note(try graph.value(of: root)) }
    while true {
      if let (id, kind) = collections.popLast() {
        let elements = try graph.elements(of: id, kind)
        for position in 0..<elements.count {
          if kind.isKeyed { try note(try graph.key(of: elements, at: position)) }
          try note(try graph.value(of: elements, at: position))
        }
      } else if let uid = objects.takeNext() {
        let object = try graph.object(uid)
        try graph.read(object, into: &values)
        for position in 0..<object.keyCount { try note(values[position]) }
      } else {
        return
      }
    }
  }

  private mutating func note(_ value: GraphValue) throws(ArchiveError) {
    switch value {
    case .object(let uid, _): objects.add(uid)
    case .collection(let id, let kind):
      if metCollections.insert(id).inserted { collections.append((id, kind)) }
    case .foundation(let uid, _): _ = try graph.foundationValue(uid)
    case .data(let bytes) where FileKind.isPropertyList(bytes):
      if let place = archive.place(of: bytes), metData.insert(place).inserted { data.append(place) }
    default: break
    }
  }
}
