/// A value of an object graph: what an object has under a key, or an element of a collection.
///
/// References are followed until they reach a value, a collection or an object with keys of its
/// own. A value is small and copied freely; its bytes stay in the source, and are valid as long as
/// that is.
package enum GraphValue: BitwiseCopyable, Sendable {
  /// Nil.
  case null
  case bool(Bool)
  case integer(Int64)
  /// An integer beyond `Int64`.
  case wideInteger(WideInteger)
  case real(Double)
  /// Seconds since 2001-01-01 UTC.
  case date(Double)
  case text(BorrowedText)
  case data(BorrowedBytes)
  /// Sixteen bytes.
  case uuid(BorrowedBytes)
  case decimal(ArchivedDecimal)
  /// A URL whose absolute text lies in the source, in UTF-8.
  case url(BorrowedText)
  /// Any other URL, by its object: see `ObjectGraph.urlText`.
  case relativeURL(uid: Int)
  /// An NSNull, which is not nil.
  case nsNull
  /// A class that was encoded as a value.
  case className(ClassID)
  /// A value of another class of Foundation, by its object: see `ObjectGraph.foundationValue`.
  case foundation(uid: Int, class: ClassID)
  /// An object that is neither a known value nor a collection.
  case object(uid: Int, class: ClassID)
  case collection(CollectionID, CollectionKind)

  /// The number of objects after which the bytes of a value are gone, where the source does not
  /// keep them: see `GraphSource.keepsBytes`.
  package static let objectsAtHand = 1024
}

extension GraphValue {
  /// True if it is a text that a string does not hold.
  package var hasUnpairedSurrogates: Bool {
    if case .text(let text) = self { text.hasUnpairedSurrogates } else { false }
  }

  /// An integer of 128 bits, with the alignment of its halves: a value with one stays small.
  package struct WideInteger: BitwiseCopyable, Hashable, Sendable {
    private let high: Int64
    private let low: UInt64

    package init(_ value: Int128) {
      high = Int64(truncatingIfNeeded: value >> 64)
      low = UInt64(truncatingIfNeeded: value)
    }

    package var value: Int128 { Int128(high) << 64 | Int128(low) }
  }
}

extension GraphValue {
  /// The class of Foundation that the value is of; nil for nil, classes and objects, and for values
  /// that more than one class has, which their class record tells.
  package var knownClass: KnownClass? {
    switch self {
    case .null, .className, .object, .foundation: nil
    case .bool, .integer, .wideInteger, .real: .number
    case .date: .date
    case .text: .string
    case .data: .data
    case .uuid: .uuid
    case .decimal: .decimal
    case .url, .relativeURL: .url
    case .nsNull: .null
    case .collection(_, .array): .array
    case .collection(_, .set): .set
    case .collection(_, .orderedSet): .orderedSet
    case .collection(_, .countedSet): .countedSet
    case .collection(_, .dictionary): .dictionary
    }
  }
}

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

/// An element of a collection as the archive has it.
package struct ArchivedElement {
  /// Its place; nil where there is no order.
  package var position: Int?
  /// Its key; nil where there are none.
  package var key: GraphValue?
  /// The value of the element.
  package var value: GraphValue

  @inlinable
  package init(position: Int?, key: GraphValue?, value: GraphValue) {
    (self.position, self.key, self.value) = (position, key, value)
  }
}

extension ObjectGraph {
  /// An element of a collection.
  @inlinable
  package func element(
    of elements: GraphElements, at position: Int
  ) throws(ArchiveError) -> ArchivedElement {
    ArchivedElement(
      position: elements.kind.isOrdered ? position : nil,
      key: elements.kind.isKeyed ? try key(of: elements, at: position) : nil,
      value: try value(of: elements, at: position))
  }
}
