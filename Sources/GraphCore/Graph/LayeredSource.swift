import Foundation

/// A source that reads another one, with something of it changed.
///
/// What is not changed is as the other has it.
protocol LayeredSource: GraphSource {
  /// The source that is read.
  var base: any GraphSource { get }
}

extension LayeredSource {
  package var format: SourceFormat { base.format }
  package var archiver: String { base.archiver }
  package var version: Int64 { base.version }
  package var byteCount: Int { base.byteCount }
  package var forbiddenCharacters: Int { base.forbiddenCharacters }
  package var unreadKeys: [UnreadKey: Int] { base.unreadKeys }
  package var losses: [ArchiveError] { base.losses }
  package var lossCount: Int { base.lossCount }

  /// The place in the source that is read; none for an object that only this one has.
  package func place(ofObject uid: Int) -> ObjectPlace {
    uid < base.objectCount ? base.place(ofObject: uid) : ObjectPlace()
  }

  package func check() throws(ArchiveError) { try base.check() }
  package func explained(_ error: ArchiveError) -> ArchiveError { base.explained(error) }
}

/// The objects of a `LayeredSource`, read through the graph of the source below it.
protocol LayeredGraph: ObjectGraph {
  /// The graph of the source that is read.
  var inner: any ObjectGraph { get }
}

extension LayeredGraph {
  package func elements(
    of collection: CollectionID, _ kind: CollectionKind
  ) throws(ArchiveError) -> GraphElements {
    try inner.elements(of: collection, kind)
  }

  package func foundationValue(_ uid: Int) throws(ArchiveError) -> FoundationValue? {
    try inner.foundationValue(uid)
  }
  package func foundationByteCount(_ uid: Int) throws(ArchiveError) -> Int {
    try inner.foundationByteCount(uid)
  }
  package func urlText(_ uid: Int) -> String? { inner.urlText(uid) }
  package func countUnreachedObjects() -> Int { inner.countUnreachedObjects() }
  package func countReachedObjects() -> Int? { inner.countReachedObjects() }

  package func archivedData(
    of elements: GraphElements, at position: Int, limits: ReadingLimits
  ) throws(ArchiveError) -> Data? {
    try inner.archivedData(of: elements, at: position, limits: limits)
  }
  package func archivedData(
    of root: GraphRoot, limits: ReadingLimits
  ) throws(ArchiveError) -> Data? {
    try inner.archivedData(of: root, limits: limits)
  }
}
