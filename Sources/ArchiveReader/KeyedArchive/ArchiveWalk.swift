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
