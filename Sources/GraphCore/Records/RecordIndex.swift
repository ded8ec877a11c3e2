extension RecordSource {
  /// The dictionaries of a source that are records, with their classes.
  struct RecordIndex: Sendable {
    /// The number of the class of each object's record, counted from 1; 0 for other objects.
    ///
    /// Empty if no object is a record.
    private var classIndices: [UInt8] = []
    /// Dictionaries that are no objects: they have indices after those of the objects.
    private var inline: [(id: Int, class: Int)] = []
    private var inlinePlaces: [Int: Int] = [:]
    /// The number of objects in the source.
    private let objectCount: Int
    /// The class of the record that its top-level keys make; nil if they make none.
    private(set) var document: ClassID?

    /// Finds the records of a source.
    ///
    /// - Throws: `ArchiveError` if it is damaged.
    init(_ source: any GraphSource, _ rules: RecordRules, _ options: GraphOptions)
      throws(ArchiveError)
    {
      objectCount = source.objectCount
      let graph = source.makeGraph(options)
      if rules.hasDictionaries, source.mayHoldDictionaries {
        var walk = Walk(graph, rules)
        try walk.walk()
        for (id, index) in walk.records { add(id, index) }
      }
      var shapes = Shapes()
      guard let index = rules.classIndex(of: .topLevel),
        shapes.variant(ofOrdered: source.roots.map(\.key)) != nil, try isDocument(source, graph)
      else { return }
      document = ClassID(index: index)
    }

    /// True if the top-level keys make a record: one of them holds a plain value, or none of them
    /// leads to an object, which would have a row.
    private func isDocument(
      _ source: any GraphSource, _ graph: any ObjectGraph
    ) throws(ArchiveError) -> Bool {
      var collections: [(CollectionID, CollectionKind)] = []
      var hasObject = false
      for root in source.roots {
        switch try graph.value(of: root) {
        case .object: hasObject = true
        case .collection(let id, let kind): collections.append((id, kind))
        case .null: break
        default: return true
        }
      }
      guard !hasObject, !source.roots.isEmpty else { return false }
      var seen: Set<CollectionID> = []
      while let (id, kind) = collections.popLast() {
        guard seen.insert(id).inserted else { continue }
        if kind == .dictionary, record(id) != nil { return false }
        let elements = try graph.elements(of: id, kind)
        for position in 0..<elements.count {
          var values = [try graph.value(of: elements, at: position)]
          if kind.isKeyed { values.append(try graph.key(of: elements, at: position)) }
          for value in values {
            switch value {
            case .object: return false
            case .collection(let id, let kind): collections.append((id, kind))
            default: break
            }
          }
        }
      }
      return true
    }

    private mutating func add(_ id: CollectionID, _ index: Int) {
      switch id {
      case .object(let uid):
        if classIndices.isEmpty { classIndices = Array(repeating: 0, count: objectCount) }
        guard classIndices.indices.contains(uid) else { return }
        classIndices[uid] = UInt8(truncatingIfNeeded: index + 1)
      case .inline(let place):
        inlinePlaces[place] = inline.count
        inline.append((place, index))
      }
    }

    /// True if nothing is a record.
    var isEmpty: Bool { classIndices.isEmpty && inline.isEmpty && document == nil }

    /// The number of objects, records included.
    var count: Int { objectCount + inline.count + (document == nil ? 0 : 1) }

    /// About how much memory it takes.
    var byteCount: Int { classIndices.count + 64 * inline.count }

    /// The index of the object that the top-level keys make.
    var documentNumber: Int? { document == nil ? nil : objectCount + inline.count }

    /// The record that a collection is.
    @inline(__always)
    func record(_ id: CollectionID) -> (uid: Int, class: ClassID)? {
      switch id {
      case .object(let uid):
        guard uid < classIndices.count, uid >= 0, classIndices[uid] > 0 else { return nil }
        return (uid, ClassID(index: Int(classIndices[uid]) - 1))
      case .inline(let place):
        guard !inlinePlaces.isEmpty, let index = inlinePlaces[place] else { return nil }
        return (objectCount + index, ClassID(index: inline[index].class))
      }
    }

    /// The dictionary that a record with an index is; nil for other objects.
    func dictionary(_ uid: Int) -> CollectionID? {
      if uid >= 0, uid < objectCount { return record(.object(uid)) == nil ? nil : .object(uid) }
      guard uid >= objectCount, uid - objectCount < inline.count else { return nil }
      return .inline(inline[uid - objectCount].id)
    }
  }
}
