/// An object of a graph, its values unread.
package struct GraphObject: BitwiseCopyable, Sendable {
  /// Its number in the source, from 0 up to the number of objects; in an archive, its UID.
  package let uid: Int
  package let `class`: ClassID
  /// The number of its shape: see `ObjectGraph.keys(ofShape:)`.
  package let shape: Int
  /// The number of its keys.
  package let keyCount: Int
  /// The location of its values in the source: a number that only the source understands.
  package let location: Int

  package init(uid: Int, class: ClassID, shape: Int, keyCount: Int, location: Int) {
    self.uid = uid
    self.class = `class`
    self.shape = shape
    self.keyCount = keyCount
    self.location = location
  }
}

/// A name under which a source holds a value: a top-level key of an archive.
package struct GraphRoot: Sendable {
  package let key: String
  /// Its place among the roots.
  package let index: Int
  /// True if the source refers to the value, rather than holding it in the root itself.
  package let isReference: Bool

  package init(key: String, index: Int, isReference: Bool) {
    (self.key, self.index, self.isReference) = (key, index, isReference)
  }
}
