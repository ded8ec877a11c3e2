/// A value of a property list, by its number in the list's table.
package struct Node: Hashable, Sendable {
  package let index: Int

  package init(index: Int) {
    self.index = index
  }
}

/// A run of bytes in a property list.
package struct ByteRange: Hashable, Sendable {
  package var offset: Int
  package var count: Int

  package init(offset: Int, count: Int) {
    (self.offset, self.count) = (offset, count)
  }
}

/// A text in a property list, left where it stands.
package struct Text: Hashable, Sendable {
  package var bytes: ByteRange
  package var encoding: BorrowedText.Encoding
}

extension Node {
  /// Consecutive references to nodes: the elements of an array, or the keys or values of a
  /// dictionary.
  package struct Run: Hashable, Sendable {
    package var offset: Int
    package var count: Int
  }

  /// The value of a node of a property list.
  ///
  /// Texts, data and elements stay where they are.
  package enum Value: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// An integer of 16 bytes whose value fits no `Int64`, by its place.
    case wideInteger(offset: Int)
    case real(Double)
    /// Seconds since 2001-01-01 UTC.
    case date(Double)
    case data(ByteRange)
    case text(Text)
    case uid(Int)
    case array(Run)
    case set(Run)
    case dictionary(keys: Run, values: Run)
  }
}
