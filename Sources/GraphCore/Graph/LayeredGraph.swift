import Foundation

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
