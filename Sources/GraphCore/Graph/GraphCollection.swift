/// The identity of a collection, which is an object or stands inside of an object or of another
/// collection.
package enum CollectionID: BitwiseCopyable, Hashable, Sendable {
  case object(Int)
  /// A number that only the source understands; no other collection of the source has it.
  case inline(Int)
}

/// The elements of a collection, unread.
package struct GraphElements: BitwiseCopyable, Sendable {
  /// The location of elements in a source: numbers that only the source understands.
  package struct Location: BitwiseCopyable, Sendable {
    package var start: Int
    package var form: Int

    package init(start: Int, form: Int) {
      (self.start, self.form) = (start, form)
    }
  }

  package let kind: CollectionKind
  package let count: Int
  package let keys: Location
  package let values: Location

  package init(kind: CollectionKind, count: Int, keys: Location, values: Location) {
    (self.kind, self.count, self.keys, self.values) = (kind, count, keys, values)
  }
}
