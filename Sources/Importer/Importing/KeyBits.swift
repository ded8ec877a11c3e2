/// A set of positions of keys.
struct KeyBits {
  private(set) var words: [UInt64]

  init(_ count: Int) {
    words = Array(repeating: 0, count: (count + 63) / 64)
  }

  mutating func insert(_ position: Int) {
    words[position >> 6] |= 1 << UInt64(position & 63)
  }

  /// Adds the positions of another set over the same keys.
  mutating func formUnion(_ other: KeyBits) {
    for (place, word) in zip(words.indices, other.words) { words[place] |= word }
  }
}
