extension NodeTable {
  /// Makes a node table in memory, for property lists whose file cannot be read in place.
  ///
  /// Children are added before their container. A node's index is its place in the table, so there
  /// are no offsets; UIDs, which are most of an archive, are no nodes but indices beyond all
  /// places: see `NodeTable`. Dictionaries with equal keys share the run of their keys.
  struct Builder: ~Copyable {
    private let limits: ReadingLimits
    private var bytes: Bytes
    /// The number of values, UIDs and those that share a node included.
    private var count = 0
    private var keys = InternTable()
    private var keyRuns = InternTable()

    private static let falseNode: UInt32 = 0
    private static let trueNode: UInt32 = 1
    /// A text up to this size takes no more memory than a reference to it.
    private static let shortText = 5

    init(limits: ReadingLimits) throws(ArchiveError) {
      self.limits = limits
      bytes = Bytes(limits: limits)
      // Booleans are nodes that all of them share.
      _ = try bytes.add(0x0809 as UInt16)
    }

    // MARK: Values

    /// Adds the node that stands for a value that is lost.
    mutating func addNull() throws(ArchiveError) -> UInt32 {
      try countValue()
      return try bytes.add(0x00 as UInt8)
    }

    mutating func add(_ value: Bool) throws(ArchiveError) -> UInt32 {
      try countValue()
      return value ? Self.trueNode : Self.falseNode
    }

    mutating func add(_ value: Int64) throws(ArchiveError) -> UInt32 {
      try countValue()
      // Integers of up to four bytes are unsigned, those of eight are signed.
      if let small = UInt8(exactly: value) { return try bytes.add(0x10, small) }
      if let small = UInt32(exactly: value) { return try bytes.add(0x12, small) }
      return try bytes.add(0x13, value)
    }

    mutating func add(wide value: Int128) throws(ArchiveError) -> UInt32 {
      try countValue()
      return try bytes.add(0x14, value)
    }

    mutating func add(_ value: Double) throws(ArchiveError) -> UInt32 {
      try countValue()
      return try bytes.add(0x23, value.bitPattern)
    }

    mutating func add(date seconds: Double) throws(ArchiveError) -> UInt32 {
      try countValue()
      return try bytes.add(0x33, seconds.bitPattern)
    }

    mutating func add(uid: UInt32) throws(ArchiveError) -> UInt32 {
      try countValue()
      guard Int(uid) > Int(UInt32.max) - NodeTable.firstUID else {
        return UInt32(NodeTable.firstUID) + uid
      }
      return try bytes.add(0x83, uid)
    }

    /// Adds a text of valid UTF-8.
    mutating func add(text: BorrowedBytes) throws(ArchiveError) -> UInt32 {
      try countValue()
      return try bytes.add(NodeTable.Marker.text, bytes: text)
    }

    /// Adds a text of valid UTF-8 that stands in the file, and stays there.
    mutating func add(
      text: BorrowedBytes, inFileAt offset: Int
    ) throws(ArchiveError) -> UInt32 {
      guard text.count > Self.shortText else { return try add(text: text) }
      try countValue()
      if let offset = UInt32(exactly: offset), let size = UInt8(exactly: text.count) {
        return try bytes.add(NodeTable.Marker.nearText, offset, size)
      }
      return try bytes.add(NodeTable.Marker.farText, UInt64(offset), UInt64(text.count))
    }

    /// Adds a dictionary key: equal keys are one node.
    mutating func add(key: BorrowedBytes) throws(ArchiveError) -> UInt32 {
      let hash = InternTable.hash(key)
      if let known = keys.index(hash, where: { bytes.hasBytes($0, key) }) { return known }
      let node = try add(text: key)
      keys.insert(hash, node)
      return node
    }

    mutating func add(data: BorrowedBytes) throws(ArchiveError) -> UInt32 {
      try countValue()
      return try bytes.add(0x40, bytes: data)
    }

    /// Adds data, which the caller writes.
    ///
    /// - Parameters:
    ///   - size: Its size.
    ///   - write: Writes it, every byte.
    /// - Returns: The node.
    /// - Throws: `ArchiveError` if a limit is exceeded.
    mutating func add(
      dataOf size: Int, _ write: (inout OutputSpan<UInt8>) -> Void
    ) throws(ArchiveError) -> UInt32 {
      try countValue()
      return try bytes.add(0x40, size: size, write)
    }

    private mutating func countValue() throws(ArchiveError) {
      guard count < limits.values, count < Int(UInt32.max) else { throw limits.exceeded(.values) }
      count += 1
    }

    // MARK: Containers

    mutating func add(array elements: ArraySlice<UInt32>) throws(ArchiveError) -> UInt32 {
      try countValue()
      return try bytes.add(0xA0, elements)
    }

    /// Adds a dictionary from keys and values in turn.
    mutating func add(dictionary pairs: ArraySlice<UInt32>) throws(ArchiveError) -> UInt32 {
      try countValue()
      let keys = try keyRun(pairs)
      return try bytes.add(NodeTable.Marker.sharedKeys, keys, secondOf: pairs)
    }

    /// The keys of a dictionary, as an array that no node refers to; equal ones are one.
    private mutating func keyRun(_ pairs: ArraySlice<UInt32>) throws(ArchiveError) -> UInt32 {
      let places = stride(from: pairs.startIndex, to: pairs.endIndex, by: 2)
      let hash = InternTable.hash(places.lazy.map { UInt64(pairs[$0]) }, count: pairs.count / 2)
      let known = keyRuns.index(hash) { bytes.hasReferences($0, firstOf: pairs) }
      if let known { return known }
      let node = try bytes.add(0xA0, firstOf: pairs)
      keyRuns.insert(hash, node)
      return node
    }

    /// Takes back the node that was added last; does nothing if another has been added since.
    mutating func removeLast(_ node: UInt32) {
      if node > Self.trueNode, bytes.removeLast(node) { count -= 1 }
    }

    // MARK: Result

    /// Ends the table: its storage, and the table over it and the file.
    mutating func finish(
      _ file: BorrowedBytes
    ) throws(ArchiveError) -> (storage: ByteStorage, table: NodeTable) {
      let storage = try bytes.finish()
      guard storage.count > 0, file.count > 0 else { throw ArchiveError(.outOfMemory) }
      let objects = unsafe storage.borrowed.start
      return unsafe (storage, NodeTable(objects: objects, file: file.start, count: count))
    }
  }
}

/// Finds things that are known by their bytes, and were met before: keys, runs of keys, texts.
///
/// A hash table with open addressing, which holds an index for each thing and a piece of its hash.
/// The meaning of the indices is up to its owner.
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
