import Support

/// Finds the data values of an archive that hold archives and other property lists.
///
/// The walk is that of an import: what the top-level keys reach, owners before members. A value
/// that several objects hold is found once, where it is met first; the data of a wrapper
/// (`NSMutableData`) or of a bare entry of `$objects` belongs to the key that leads there.
///
/// - Complexity: Linear in the values reached. Takes about five bytes for each archived object, and
///   some for each collection.
package struct NestedDataFinder {
  private let source: any NestingSource
  private let graph: any ObjectGraph
  private var workList: WorkList
  private var collections: [(id: CollectionID, kind: CollectionKind, place: Place)] = []
  private var seenCollections: Set<CollectionID> = []
  private var seen: Set<ByteRange> = []
  private var found: [NestedData] = []
  private let recognizes: (BorrowedBytes) -> Bool
  private let most: Int
  /// For each shape that was met, the positions that are looked at.
  private var positions: [Int: [Int]] = [:]

  /// The most collections inside of each other in a place: no file can make places long.
  private static let maxPositions = 16

  /// The place of a value.
  private struct Place {
    var uid: Int?
    var key: String
    var positions: [Int] = []
  }

  /// Finds the data values of an archive that begin as archives and other property lists do.
  ///
  /// - Parameters:
  ///   - source: The archive, or another source that can hold some.
  ///   - classesReadAsObjects: Names of classes whose objects are read as objects even if they are
  ///     known.
  ///   - limits: The limits on following chains of references.
  ///   - recognizes: Tells whether a value is looked for.
  ///   - most: The number of values to look for, at most.
  /// - Returns: The values, in the order in which they are met.
  /// - Throws: `ArchiveError` if the archive is damaged.
  package static func find(
    in source: any GraphSource, classesReadAsObjects: Set<String> = [],
    limits: ReadingLimits = .standard,
    _ recognizes: @escaping (BorrowedBytes) -> Bool = FileKind.isPropertyList, most: Int = .max
  ) throws(ArchiveError) -> [NestedData] {
    guard let source = source.underlying as? any NestingSource else { return [] }
    var finder = NestedDataFinder(source, classesReadAsObjects, limits, recognizes, most: most)
    try finder.walk()
    return finder.found
  }

  private init(
    _ source: any NestingSource, _ classesReadAsObjects: Set<String>, _ limits: ReadingLimits,
    _ recognizes: @escaping (BorrowedBytes) -> Bool, most: Int
  ) {
    (self.source, self.recognizes) = (source, recognizes)
    graph = source.makeGraph(
      GraphOptions(
        limits: limits, classesReadAsObjects: classesReadAsObjects, readsFoundationValues: false))
    workList = WorkList(objectCount: source.objectCount)
    self.most = most
  }

  // MARK: The walk

  private mutating func walk() throws(ArchiveError) {
    for entry in source.roots {
      visit(try graph.value(of: entry), at: Place(uid: nil, key: entry.key))
      try visitCollections()
    }
    if source.holdsEveryObject {
      for uid in 0..<source.objectCount {
        if case .object = try graph.value(ofObject: uid) { workList.add(uid) }
      }
    }
    while found.count < most, let uid = workList.takeNext() {
      let object = try graph.object(uid)
      for position in dataPositions(of: object) {
        let key = graph.keys(ofShape: object.shape)[position]
        visit(try graph.value(of: object, at: position), at: Place(uid: uid, key: key))
        try visitCollections()
      }
    }
  }

  private mutating func dataPositions(of object: GraphObject) -> [Int] {
    if let known = positions[object.shape] { return known }
    let keys = graph.keys(ofShape: object.shape)
    let wanted = source.dataPositions(ofShape: object.shape) ?? Array(keys.indices)
    let found = wanted.filter { $0 < keys.count && keys[$0] != "$class" }
    positions[object.shape] = found
    return found
  }

  /// Visits the elements of the collections that wait, those in them included.
  private mutating func visitCollections() throws(ArchiveError) {
    var next = 0
    while next < collections.count {
      let (id, kind, place) = collections[next]
      next += 1
      let elements = try graph.elements(of: id, kind)
      for position in 0..<elements.count {
        var inner = place
        if inner.positions.count < Self.maxPositions { inner.positions.append(position) }
        if kind.isKeyed { visit(try graph.key(of: elements, at: position), at: inner) }
        visit(try graph.value(of: elements, at: position), at: inner)
      }
    }
    collections.removeAll(keepingCapacity: true)
  }

  private mutating func visit(_ value: GraphValue, at place: Place) {
    switch value {
    case .object(let uid, _):
      workList.add(uid)
    case .collection(let id, let kind):
      guard seenCollections.insert(id).inserted else { return }
      collections.append((id, kind, place))
    case .data(let bytes):
      guard found.count < most, recognizes(bytes) else { return }
      let range = source.place(of: bytes)
      if let range, !seen.insert(range).inserted { return }
      var data = NestedData(
        uid: place.uid, key: place.key, positions: place.positions,
        bytes: range ?? ByteRange(offset: 0, count: bytes.count))
      data.number = place.uid.map(source.number)
      if source.holdsEveryObject, let uid = place.uid, let object = try? graph.object(uid) {
        data.className = graph.classRecord(of: object).name
      }
      found.append(data)
    default:
      break
    }
  }
}

/// A data value of a source that begins as a property list does, and who holds it.
package struct NestedData: Hashable, Sendable {
  /// The object that holds it; nil if a top-level key does.
  package var uid: Int?
  /// The number by which people know this object: see `GraphSource.number(ofObject:)`.
  package var number: Int64?
  /// The class of the object, where numbers are those of a class: in a Core Data store.
  package var className: String?
  /// The key as archived, of the object or the top level.
  package var key: String
  /// Its positions in the collection under the key and in those inside of that, at most 16 of them;
  /// empty if the key holds the data itself.
  package var positions: [Int]
  /// The range of its bytes; from its own first byte where each value has memory of its own.
  package var bytes: ByteRange

  /// The number of its bytes.
  package var byteCount: Int { bytes.count }

  package init(uid: Int?, key: String, positions: [Int], bytes: ByteRange) {
    (self.uid, self.key, self.positions, self.bytes) = (uid, key, positions, bytes)
    number = uid.map(Int64.init)
  }
}

/// A source whose data values can be found again, so that those that hold archives can be opened.
package protocol NestingSource: GraphSource {
  /// The range of bytes that the source has given, by which a value that several objects hold is
  /// known; nil where each object has values of its own.
  func place(of bytes: BorrowedBytes) -> ByteRange?
  /// The positions of the keys under which objects of a shape may hold data; nil for all keys.
  func dataPositions(ofShape shape: Int) -> [Int]?
  /// The reader of data values that were found: for one thread, as long as it likes.
  func makeDataReader() -> NestedDataReader
}

/// Gives the bytes of a data value, which stay as long as the storage lives.
///
/// It throws `ArchiveError` if the value is not there any more.
package typealias NestedDataReader = (NestedData) throws(ArchiveError) -> ByteStorage

extension NestingSource {
  package func dataPositions(ofShape shape: Int) -> [Int]? { nil }
}

extension KeyedArchive: NestingSource {
  package func place(of bytes: BorrowedBytes) -> ByteRange? { table.range(of: bytes) }

  package func makeDataReader() -> NestedDataReader {
    { [self] data throws(ArchiveError) in try part(data.bytes) }
  }

  /// The bytes at a place, which keep the archive open.
  ///
  /// - Throws: `ArchiveError` if there are none.
  package func part(_ place: ByteRange) throws(ArchiveError) -> ByteStorage {
    try propertyList.part(place)
  }
}
