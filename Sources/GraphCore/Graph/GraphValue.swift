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
