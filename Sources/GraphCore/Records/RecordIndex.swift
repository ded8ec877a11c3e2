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

extension RecordEvidence {
  /// The kinds of value that dictionaries hold, as far as they tell fields from data: numbers are
  /// of one kind, whatever their type.
  package struct RecordValueKinds: OptionSet, Sendable, Hashable, Codable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    private init(bit: UInt16) { rawValue = 1 << bit }

    /// The kind of a value; none for nil.
    init(_ value: GraphValue) {
      switch value {
      case .null, .nsNull: self = []
      case .bool: self.init(bit: 0)
      case .integer, .wideInteger, .real, .decimal: self.init(bit: 1)
      case .date: self.init(bit: 2)
      case .text: self.init(bit: 3)
      case .data: self.init(bit: 4)
      case .uuid: self.init(bit: 5)
      case .url, .relativeURL: self.init(bit: 6)
      case .className: self.init(bit: 7)
      case .foundation: self.init(bit: 8)
      case .object: self.init(bit: 9)
      case .collection(_, let kind): self.init(bit: kind.isKeyed ? 10 : 11)
      }
    }

    /// The number of kinds.
    var count: Int { rawValue.nonzeroBitCount }
  }
}

/// The known dictionaries of some sources: their paths and their keys.
///
/// `RecordRules` follow from it.
/// It is the same in whatever order the sources are merged.
package struct RecordEvidence: Sendable, Equatable, Codable {
  /// The findings under a path.
  package struct Node: Sendable, Equatable, Codable {
    /// The number of dictionaries there, and that of the empty ones.
    var dictionaries = 0
    var emptyDictionaries = 0
    /// The number of dictionaries that cannot be records, whatever the others are.
    var unfitDictionaries = 0
    /// The number of values in the dictionaries that can.
    var values = 0
    /// In how many dictionaries each key occurs; none if there are too many keys.
    var keys: [String: Int] = [:]
    var hasTooManyKeys = false
    var kinds: RecordValueKinds = []
    /// The findings in the values under each key.
    var children: [String: Node] = [:]

    /// True if nothing was found here or further down.
    var isEmpty: Bool { dictionaries == 0 && children.isEmpty }

    /// Adds what was found under the same path elsewhere.
    ///
    /// Recursive: paths are no longer than `RecordRules.maxDepth`.
    mutating func merge(_ other: Node) {
      dictionaries += other.dictionaries
      emptyDictionaries += other.emptyDictionaries
      unfitDictionaries += other.unfitDictionaries
      values += other.values
      kinds.formUnion(other.kinds)
      keys.merge(other.keys, uniquingKeysWith: +)
      hasTooManyKeys = hasTooManyKeys || other.hasTooManyKeys
      for (key, child) in other.children { children[key, default: Node()].merge(child) }
      checkKeys()
    }

    /// Forgets the keys if there are too many for a record.
    mutating func checkKeys() {
      hasTooManyKeys = hasTooManyKeys || keys.count > RecordRules.maxKeys
      guard hasTooManyKeys else { return }
      keys = [:]
      mergeChildren()
    }

    /// Puts together what was found under all keys, which turned out to be data.
    mutating func mergeChildren() {
      guard children.count > 1 || children.first.map({ $0.key != RecordPath.anyKey }) == true
      else { return }
      var all = Node()
      for child in children.values { all.merge(child) }
      children = [RecordPath.anyKey: all]
    }
  }

  /// The findings under top-level keys, and under the keys of objects, by their class.
  var roots: [String: Node] = [:]
  var classes: [String: [String: Node]] = [:]
  /// The names of all classes with objects: no record is named like one of them.
  var classNames: Set<String> = []

  package init() {}

  /// Adds what was found in another source.
  package mutating func merge(_ other: RecordEvidence) {
    for (key, node) in other.roots { roots[key, default: Node()].merge(node) }
    for (name, nodes) in other.classes {
      for (key, node) in nodes { classes[name, default: [:]][key, default: Node()].merge(node) }
    }
    classNames.formUnion(other.classNames)
  }
}
