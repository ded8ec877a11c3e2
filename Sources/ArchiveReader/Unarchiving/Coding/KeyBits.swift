/// A set of positions of keys.
package struct KeyBits: Hashable, Sendable {
  /// The bits, 64 to a word.
  package private(set) var words: [UInt64]

  package init(_ count: Int) {
    words = Array(repeating: 0, count: (count + 63) / 64)
  }

  package mutating func insert(_ position: Int) {
    words[position >> 6] |= 1 << UInt64(position & 63)
  }

  package func contains(_ position: Int) -> Bool {
    position >> 6 < words.count && words[position >> 6] & 1 << UInt64(position & 63) != 0
  }

  /// Adds the positions of another set over the same keys.
  package mutating func formUnion(_ other: KeyBits) {
    for (place, word) in zip(words.indices, other.words) { words[place] |= word }
  }
}
