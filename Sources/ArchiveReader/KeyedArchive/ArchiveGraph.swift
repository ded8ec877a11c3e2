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
