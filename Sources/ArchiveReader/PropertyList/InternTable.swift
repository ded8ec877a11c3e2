/// Finds things that are known by their bytes, and were met before: keys, runs of keys, texts.
///
/// A hash table with open addressing, which holds an index for each thing and a piece of its hash.
/// What the indices stand for is up to its owner.
package struct InternTable: Sendable {
  /// Hashes differ from run to run, so that no file can be made to collide.
  ///
  /// On Linux, each use costs a call.
  private static let seed = UInt64.random(in: .min ... .max) | 1
  /// The hash, cut to 32 bits, above the index.
  private var slots: [UInt64] = Array(repeating: Self.empty, count: 64)
  private var count = 0

  private static let empty = UInt64.max

  package init() {}

  /// Mixes a number into a hash.
  @inline(__always)
  private static func combine(_ hash: UInt64, _ value: UInt64, _ seed: UInt64) -> UInt64 {
    let product = (hash ^ value ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15 ^ seed)
    return product.high ^ product.low
  }

  /// The hash of bytes.
  package static func hash(_ bytes: BorrowedBytes) -> UInt64 {
    let seed = seed
    var hash = UInt64(truncatingIfNeeded: bytes.count)
    var offset = 0
    while offset + 8 <= bytes.count {
      hash = combine(hash, bytes.word(at: offset), seed)
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    return combine(hash, rest, seed)
  }

  /// The hash of numbers and their count, or another number.
  static func hash(_ values: some Sequence<UInt64>, count: Int) -> UInt64 {
    let seed = seed
    return values.reduce(UInt64(truncatingIfNeeded: count)) { combine($0, $1, seed) }
  }

  /// The index of a thing with a hash that is found to be equal.
  package func index(_ hash: UInt64, where isEqual: (UInt32) -> Bool) -> UInt32? {
    let cut = UInt32(truncatingIfNeeded: hash)
    var slot = Int(cut) & (slots.count - 1)
    while slots[slot] != Self.empty {
      let index = UInt32(truncatingIfNeeded: slots[slot])
      if UInt32(truncatingIfNeeded: slots[slot] >> 32) == cut, isEqual(index) { return index }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Adds the index of a thing that was not found.
  package mutating func insert(_ hash: UInt64, _ index: UInt32) {
    if 2 * (count + 1) > slots.count {
      let old = slots
      slots = Array(repeating: Self.empty, count: 2 * old.count)
      for entry in old where entry != Self.empty { place(entry) }
    }
    place(UInt64(UInt32(truncatingIfNeeded: hash)) << 32 | UInt64(index))
    count += 1
  }

  /// Forgets everything.
  package mutating func removeAll() {
    guard count > 0 else { return }
    count = 0
    guard slots.count <= 1_024 else {
      slots = Array(repeating: Self.empty, count: 64)
      return
    }
    for slot in slots.indices { slots[slot] = Self.empty }
  }

  private mutating func place(_ entry: UInt64) {
    var slot = Int(entry >> 32) & (slots.count - 1)
    while slots[slot] != Self.empty { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = entry
  }
}
