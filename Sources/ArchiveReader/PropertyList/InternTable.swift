/// Finds what stands in a node table already: keys, and runs of keys.
///
/// A hash table with open addressing, which holds the numbers of nodes and pieces of their hashes.
struct InternTable {
  /// Hashes differ from table to table, so that no file can be made to collide.
  private let seed = UInt64.random(in: .min ... .max) | 1
  /// The hash, cut to 32 bits, above the number of the node.
  private var slots: [UInt64] = Array(repeating: Self.empty, count: 64)
  private var count = 0

  private static let empty = UInt64.max

  /// Mixes a number into a hash.
  func combine(_ hash: UInt64, _ value: UInt64) -> UInt64 {
    let product = (hash ^ value ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15 ^ seed)
    return product.high ^ product.low
  }

  /// The hash of bytes.
  func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: bytes.count)
    var place = 0
    while place + 8 <= bytes.count {
      hash = combine(hash, bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place += 8
    }
    var rest: UInt64 = 0
    while place < bytes.count {
      rest = rest << 8 | UInt64(bytes[place])
      place += 1
    }
    return combine(hash, rest)
  }

  /// The node with a hash that is found to be equal.
  func node(_ hash: UInt64, where isEqual: (UInt32) -> Bool) -> UInt32? {
    let cut = UInt32(truncatingIfNeeded: hash)
    var slot = Int(cut) & (slots.count - 1)
    while slots[slot] != Self.empty {
      let node = UInt32(truncatingIfNeeded: slots[slot])
      if UInt32(truncatingIfNeeded: slots[slot] >> 32) == cut, isEqual(node) { return node }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Adds a node that was not found.
  mutating func insert(_ hash: UInt64, _ node: UInt32) {
    if 2 * (count + 1) > slots.count {
      let old = slots
      slots = Array(repeating: Self.empty, count: 2 * old.count)
      for entry in old where entry != Self.empty { place(entry) }
    }
    place(UInt64(UInt32(truncatingIfNeeded: hash)) << 32 | UInt64(node))
    count += 1
  }

  private mutating func place(_ entry: UInt64) {
    var slot = Int(entry >> 32) & (slots.count - 1)
    while slots[slot] != Self.empty { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = entry
  }
}
