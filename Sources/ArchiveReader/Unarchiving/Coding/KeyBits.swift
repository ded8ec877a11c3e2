/// A set of positions of keys.
package struct KeyBits: Hashable, Sendable {
  /// The first 64; most objects have fewer keys.
  private var first: UInt64 = 0
  /// The others, 64 to a word.
  private var rest: [UInt64] = []

  package init(_ count: Int) {
    if count > 64 { rest = Array(repeating: 0, count: (count - 1) / 64) }
  }

  /// True if the set is empty.
  package var isEmpty: Bool { first == 0 && (rest.isEmpty || rest.allSatisfy { $0 == 0 }) }

  package static func == (one: KeyBits, other: KeyBits) -> Bool {
    // Mostly there are no others.
    one.first == other.first && (one.rest.isEmpty && other.rest.isEmpty || one.rest == other.rest)
  }

  @inline(__always)
  package mutating func insert(_ position: Int) {
    if position < 64 {
      first |= 1 << UInt64(position)
    } else {
      rest[(position >> 6) - 1] |= 1 << UInt64(position & 63)
    }
  }

  package func contains(_ position: Int) -> Bool {
    if position < 64 { return first & 1 << UInt64(position) != 0 }
    return position >> 6 <= rest.count
      && rest[(position >> 6) - 1] & 1 << UInt64(position & 63) != 0
  }

  /// Adds the positions of another set over the same keys.
  package mutating func formUnion(_ other: KeyBits) {
    first |= other.first
    for (place, word) in zip(rest.indices, other.rest) { rest[place] |= word }
  }
}
