/// What stands under a key of an archived object, or in a collection, with references followed
/// until they reach a value, a collection or an object with keys of its own.
///
/// Bytes stay in the archive: a value is small, copied freely and valid as long as the archive.
package enum ArchivedValue: Hashable, Sendable {
  /// Nil: entry 0 of `$objects`, or any other entry that is the string "$null".
  case null
  case bool(Bool)
  case integer(Int64)
  /// An integer beyond `Int64`, by its place.
  case wideInteger(offset: Int)
  case real(Double)
  /// Seconds since 2001-01-01 UTC.
  case date(Double)
  case text(Text)
  case data(ByteRange)
  /// Sixteen bytes.
  case uuid(ByteRange)
  case decimal(ArchivedDecimal)
  /// An NSURL, by its UID: see `ObjectReader.urlText`.
  case url(uid: Int)
  /// An NSNull, which is not nil.
  case nsNull
  /// A class that was encoded as a value.
  case className(ClassID)
  /// A value of another class of Foundation, by its UID: see `ObjectReader.foundationValue`.
  case foundation(uid: Int, class: ClassID)
  /// An object that is neither a known value nor a collection.
  case object(uid: Int, class: ClassID)
  case collection(CollectionID, CollectionKind)
}

/// Which collection it is: an entry of `$objects`, or an array or dictionary that stands inside
/// of one.
package enum CollectionID: Hashable, Sendable {
  case object(Int)
  case inline(Node)
}

/// The kinds of collection that Foundation archives.
package enum CollectionKind: String, Hashable, Sendable, CaseIterable {
  case array
  case set
  case orderedSet
  case dictionary
  /// A set in which each element has a count: read as a dictionary from elements to counts.
  case countedSet

  /// Whether the order of the elements means something.
  package var isOrdered: Bool { self == .array || self == .orderedSet }

  /// Whether the elements are pairs.
  package var isKeyed: Bool { self == .dictionary || self == .countedSet }
}

/// The elements of a collection, unread.
package struct CollectionElements: Sendable {
  package var kind: CollectionKind
  package var count: Int
  var keys: ElementSource
  var values: ElementSource
}

/// Where the elements of a collection stand.
enum ElementSource: Sendable {
  /// There are none: only pairs have keys.
  case none
  case run(NodeRun)
  /// Under numbered keys of an object: its values, and the place among the positions of its shape.
  case numbered(values: NodeRun, shape: Int, part: NumberedPart)
}

/// Which of the numbered keys: "NS.key.3" or "NS.object.3".
enum NumberedPart: Sendable {
  case keys
  case values
}

/// An archived object, its values unread.
package struct ArchivedObject: Sendable {
  package var uid: Int
  package var `class`: ClassID
  /// The place of its `Shape` in `ObjectReader.shapes`.
  package var shape: Int
  /// The values, in the order of the shape's keys.
  package var values: NodeRun
}
