import ArchiveWriter
import Foundation

/// The objects of a keyed archive.
package final class ArchiveGraph: ObjectGraph {
  // Unchecked: the reader is touched for each value, by one thread, and calls nothing that leads
  // back here.
  @exclusivity(unchecked) private var reader: ObjectReader

  package init(_ archive: KeyedArchive, _ options: GraphOptions) {
    unsafe reader = ObjectReader(
      archive, limits: options.limits, classesReadAsObjects: options.classesReadAsObjects,
      foundationValues: options.readsFoundationValues,
      library: options.library.map { $0.object { ObjectReader.SharedShapes() } },
      isReused: options.isReused)
    if options.countsUnreached { unsafe reader.noteReachedEntries() }
  }

  private init(_ reader: ObjectReader) { unsafe self.reader = reader }

  package var source: any GraphSource { unsafe reader.archive }

  /// Reads the objects of a class as those of a known one, whatever name the archive gives it.
  func read(_ id: ClassID, as known: KnownClass) { unsafe reader.read(id, as: known) }

  package var classes: [ClassRecord] { unsafe reader.classes }
  package var metClasses: [ClassID] { unsafe reader.metClasses }
  package var nonconformingClasses: Set<ClassID> { unsafe reader.nonconformingClasses }
  package func keys(ofShape shape: Int) -> [String] { unsafe reader.shapes[shape].keys }

  package func value(of root: GraphRoot) throws(ArchiveError) -> GraphValue {
    try unsafe reader.value(of: reader.archive.topLevel[root.index])
  }

  package func value(ofObject uid: Int) throws(ArchiveError) -> GraphValue {
    try unsafe reader.value(ofObject: uid)
  }

  package func object(_ uid: Int) throws(ArchiveError) -> GraphObject {
    try unsafe reader.object(uid)
  }

  package func value(
    of object: GraphObject, at position: Int
  ) throws(ArchiveError) -> GraphValue {
    try unsafe reader.value(of: object, at: position)
  }

  package func values(
    of object: GraphObject, into values: inout MutableSpan<GraphValue>
  ) throws(ArchiveError) {
    try unsafe reader.values(of: object, into: &values)
  }

  package func reference(of object: GraphObject, at position: Int) -> Int? {
    unsafe reader.reference(of: object, at: position)
  }

  package func elements(
    of collection: CollectionID, _ kind: CollectionKind
  ) throws(ArchiveError) -> GraphElements {
    try unsafe reader.elements(of: collection, kind)
  }

  package func value(
    of elements: GraphElements, at position: Int
  ) throws(ArchiveError) -> GraphValue {
    try unsafe reader.value(of: elements, at: position)
  }

  package func key(
    of elements: GraphElements, at position: Int
  ) throws(ArchiveError) -> GraphValue {
    try unsafe reader.key(of: elements, at: position)
  }

  /// The UID of the element at a place, or of the value of a pair; nil where it stands inline.
  package func reference(of elements: GraphElements, at position: Int) -> Int? {
    let node = unsafe reader.node(of: elements.values, at: position)
    return node.flatMap { unsafe reader.table.uid(of: $0) }
  }

  /// The UID of the key of a pair; nil where it stands inline.
  package func reference(ofKeyIn elements: GraphElements, at position: Int) -> Int? {
    let node = unsafe reader.node(of: elements.keys, at: position)
    return node.flatMap { unsafe reader.table.uid(of: $0) }
  }

  package func foundationValue(_ uid: Int) throws(ArchiveError) -> FoundationValue? {
    try unsafe reader.foundationValue(uid)
  }

  package func foundationByteCount(_ uid: Int) throws(ArchiveError) -> Int {
    try unsafe reader.foundationByteCount(uid)
  }

  package func urlText(_ uid: Int) -> String? { unsafe reader.urlText(uid) }

  package func countUnreachedObjects() -> Int { unsafe reader.countUnreachedEntries() }
  package func countReachedObjects() -> Int? { unsafe reader.reachedEntries?.count }

  package func archivedData(
    of object: GraphObject, at position: Int, limits: ReadingLimits
  ) throws(ArchiveError) -> Data? {
    var copy = unsafe PartCopy(reader, limits: limits)
    return try unsafe copy.data(of: reader.node(of: object, at: position))
  }

  package func archivedData(
    of elements: GraphElements, at position: Int, limits: ReadingLimits
  ) throws(ArchiveError) -> Data? {
    guard let node = unsafe reader.node(of: elements.values, at: position) else { return nil }
    var copy = unsafe PartCopy(reader, limits: limits)
    return try copy.data(of: node)
  }

  package func archivedData(
    of root: GraphRoot, limits: ReadingLimits
  ) throws(ArchiveError) -> Data? {
    var copy = unsafe PartCopy(reader, limits: limits)
    return try unsafe copy.data(of: reader.archive.topLevel[root.index].node)
  }

  /// An object with everything that it reaches, as a keyed archive of its own.
  ///
  /// - Complexity: Linear in what is reached.
  package func archivedData(
    ofObject uid: Int, limits: ReadingLimits
  ) throws(ArchiveError) -> Data {
    var copy = unsafe PartCopy(reader, limits: limits)
    return try copy.data(ofObject: uid)
  }

  package func copy() -> any ObjectGraph { archiveCopy() }

  /// A graph of the same archive for another thread, which does not count what is reached.
  package func archiveCopy() -> ArchiveGraph {
    var reader = unsafe reader
    reader.reachedEntries = nil
    return ArchiveGraph(reader)
  }

  package func reset(to source: any GraphSource) -> Bool {
    guard let archive = source as? KeyedArchive, unsafe !reader.isFull else { return false }
    goOn(with: archive)
    return true
  }

  /// Goes on with another archive, however many shapes and classes were met.
  package func goOn(with archive: KeyedArchive) { unsafe reader.reset(to: archive) }
}

extension ArchiveGraph {
  /// Writes what stands under a key, with everything that it reaches, as a keyed archive of its
  /// own.
  struct PartCopy {
    private let reader: ObjectReader
    private let limits: ReadingLimits
    /// For each entry of the old archive that is copied, its place in the new one.
    private var places: [Int: UInt32]
    private var queue: [Int] = []
    private var inlineRoots = 0
    /// A file can share inline containers so that they multiply.
    private var budget: ExpansionBudget

    init(_ reader: ObjectReader, limits: ReadingLimits) {
      self.reader = reader
      self.limits = limits
      places = reader.zeroIsNull ? [0: 0] : [:]
      budget = ExpansionBudget(reader.archive, limits, isNested: false)
    }

    /// The archive, whose root is a node of the old one; in the binary form.
    ///
    /// - Complexity: Linear in what the node reaches.
    mutating func data(of node: Node) throws(ArchiveError) -> Data {
      var objects: [PropertyListValue] = ["$null"]
      var root = PropertyListValue.uid(1)
      if case .uid(let uid) = reader.table.value(of: node) {
        root = .uid(place(of: uid))
      } else {
        // A value that stands inline gets the first entry.
        inlineRoots = 1
        objects.append(try value(of: node, depth: 0))
      }
      return try data(root: root, &objects)
    }

    /// The archive whose root is an object of the old one; in the binary form.
    ///
    /// - Complexity: Linear in what the object reaches.
    mutating func data(ofObject uid: Int) throws(ArchiveError) -> Data {
      var objects: [PropertyListValue] = ["$null"]
      return try data(root: .uid(place(of: uid)), &objects)
    }

    /// The archive, with the objects that wait.
    private mutating func data(
      root: PropertyListValue, _ objects: inout [PropertyListValue]
    ) throws(ArchiveError) -> Data {
      var next = 0
      while next < queue.count {
        objects.append(try value(of: try reader.entry(queue[next]), depth: 0))
        next += 1
      }
      let isNib = reader.archive.format == .nib
      let archive: PropertyListValue = .dictionary([
        KeyValue("$version", .integer(isNib ? 100_000 : reader.archive.version)),
        KeyValue("$archiver", .string(isNib ? "NSKeyedArchiver" : reader.archive.archiver)),
        KeyValue("$top", .dictionary([KeyValue("root", root)])),
        KeyValue("$objects", .array(objects)),
      ])
      return BinaryPropertyListWriter().data(for: archive)
    }

    private mutating func value(of node: Node, depth: Int) throws(ArchiveError) -> PropertyListValue
    {
      guard depth < limits.depth else { throw limits.exceeded(.depth) }
      try budget.spend(elements: 1)
      let table = reader.table
      func values(_ run: Node.Run) throws(ArchiveError) -> [PropertyListValue] {
        var values: [PropertyListValue] = []
        for position in 0..<run.count {
          values.append(try value(of: table[run, position], depth: depth + 1))
        }
        return values
      }
      switch table.value(of: node) {
      case .null: return .null
      case .bool(let value): return .bool(value)
      case .integer(let value): return .integer(value)
      case .wideInteger(let offset):
        let wide = table.wideInteger(at: offset)
        return UInt64(exactly: wide).map { .unsigned($0) } ?? .string(String(wide))
      case .real(let value): return .real(value)
      case .date(let seconds): return .date(seconds)
      case .data(let range):
        try budget.spend(bytes: range.count)
        return .data(table.borrowed(range).data)
      case .text(let text):
        try budget.spend(bytes: text.bytes.count)
        guard text.encoding == .utf16 else { return .string(table.string(text)) }
        let bytes = unsafe table.bytes(text.bytes)
        return .utf16(
          stride(from: 0, to: bytes.count - 1, by: 2).map {
            unsafe UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
          })
      case .uid(let uid): return .uid(place(of: uid))
      case .array(let run): return .array(try values(run))
      case .set(let run): return .set(try values(run))
      case .dictionary(let keys, let run):
        let names = (0..<keys.count).map { table.string(at: table[keys, $0]) ?? "" }
        return .dictionary(zip(names, try values(run)).map { KeyValue($0, $1) })
      }
    }

    private mutating func place(of uid: Int) -> UInt32 {
      if let known = places[uid] { return known }
      let place = UInt32(truncatingIfNeeded: queue.count + inlineRoots + 1)
      places[uid] = place
      queue.append(uid)
      return place
    }
  }
}
