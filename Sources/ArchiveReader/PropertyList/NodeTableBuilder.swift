/// Makes a node table in memory, for property lists whose file cannot be read in place.
///
/// Children are added before their container. A node's index is its place in the table, so there
/// are no offsets; UIDs, which are most of an archive, are no nodes but indices beyond all places:
/// see `NodeTable`. Dictionaries with equal keys share the run of their keys.
struct NodeTableBuilder: ~Copyable {
  private let limits: ReadingLimits
  private var bytes: NodeTableBytes
  /// How many values there are, UIDs and those that share a node included.
  private var count = 0
  private var keys = InternTable()
  private var keyRuns = InternTable()

  private static let falseNode: UInt32 = 0
  private static let trueNode: UInt32 = 1
  /// A text up to this size takes no more memory than a reference to it.
  private static let shortText = 5

  init(limits: ReadingLimits) throws(ArchiveError) {
    self.limits = limits
    bytes = NodeTableBytes(limits: limits)
    // Booleans are nodes that all of them share.
    let (_, place) = try bytes.begin(2)
    place.storeBigEndian(0x0809 as UInt16)
  }

  // MARK: Values

  /// Adds the node that stands for a value that is lost.
  mutating func addNull() throws(ArchiveError) -> UInt32 {
    try countValue()
    let (node, place) = try bytes.begin(1)
    place.storeBigEndian(0x00 as UInt8)
    return node
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
  mutating func add(text: UnsafeRawBufferPointer) throws(ArchiveError) -> UInt32 {
    try add(NodeTable.Marker.text, size: text.count) { $0.copyMemory(from: text) }
  }

  /// Adds a text of valid UTF-8 that stands in the file, and stays there.
  mutating func add(
    text: UnsafeRawBufferPointer, inFileAt offset: Int
  ) throws(ArchiveError) -> UInt32 {
    guard text.count > Self.shortText else { return try add(text: text) }
    try countValue()
    if let offset = UInt32(exactly: offset), let size = UInt8(exactly: text.count) {
      let (node, place) = try bytes.begin(6)
      place.storeBigEndian(NodeTable.Marker.nearText)
      (place + 1).storeBigEndian(offset)
      (place + 5).storeBigEndian(size)
      return node
    }
    let (node, place) = try bytes.begin(17)
    place.storeBigEndian(NodeTable.Marker.farText)
    (place + 1).storeBigEndian(UInt64(offset))
    (place + 9).storeBigEndian(UInt64(text.count))
    return node
  }

  /// Adds a dictionary key: equal keys are one node.
  mutating func add(key: UnsafeRawBufferPointer) throws(ArchiveError) -> UInt32 {
    let hash = InternTable.hash(key)
    let written = bytes.bytes
    let known = keys.index(hash) { node in
      let (start, count) = NodeTableBytes.payload(written, at: node)
      guard count == key.count else { return false }
      return UnsafeRawBufferPointer(rebasing: written[start..<(start + count)]).isEqual(to: key)
    }
    if let known { return known }
    let node = try add(text: key)
    keys.insert(hash, node)
    return node
  }

  /// Adds data, which the caller writes.
  ///
  /// - Parameters:
  ///   - size: Its size.
  ///   - write: Writes it, every byte.
  /// - Returns: The node.
  /// - Throws: `ArchiveError` if a limit is exceeded.
  mutating func add(
    dataOf size: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void
  ) throws(ArchiveError) -> UInt32 {
    try add(0x40, size: size, write)
  }

  private mutating func add(
    _ marker: UInt8, size: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void
  ) throws(ArchiveError) -> UInt32 {
    try countValue()
    let (node, place) = try bytes.begin(marker, count: size, unit: 1)
    write(UnsafeMutableRawBufferPointer(start: place, count: size))
    return node
  }

  private mutating func countValue() throws(ArchiveError) {
    guard count < limits.values, count < Int(UInt32.max) else { throw limits.exceeded(.values) }
    count += 1
  }

  // MARK: Containers

  mutating func add(array elements: ArraySlice<UInt32>) throws(ArchiveError) -> UInt32 {
    try countValue()
    var (node, place) = try bytes.begin(0xA0, count: elements.count, unit: 4)
    for element in elements {
      place.storeBigEndian(element)
      place += 4
    }
    return node
  }

  /// Adds a dictionary from keys and values in turn.
  mutating func add(dictionary pairs: ArraySlice<UInt32>) throws(ArchiveError) -> UInt32 {
    try countValue()
    let keys = try keyRun(pairs)
    var (node, place) = try bytes.begin(5 + pairs.count / 2 * 4)
    place.storeBigEndian(NodeTable.Marker.sharedKeys)
    (place + 1).storeBigEndian(keys)
    place += 5
    for position in stride(from: pairs.startIndex + 1, to: pairs.endIndex, by: 2) {
      place.storeBigEndian(pairs[position])
      place += 4
    }
    return node
  }

  /// The keys of a dictionary, as an array that no node refers to; equal ones are one.
  private mutating func keyRun(_ pairs: ArraySlice<UInt32>) throws(ArchiveError) -> UInt32 {
    let places = stride(from: pairs.startIndex, to: pairs.endIndex, by: 2)
    let count = pairs.count / 2
    let hash = places.reduce(UInt64(count)) { InternTable.combine($0, UInt64(pairs[$1])) }
    let written = bytes.bytes
    let known = keyRuns.index(hash) { node in
      var (start, keyCount) = NodeTableBytes.payload(written, at: node)
      guard keyCount == count else { return false }
      for place in places {
        let key = written.loadUnaligned(fromByteOffset: start, as: UInt32.self)
        guard UInt32(bigEndian: key) == pairs[place] else { return false }
        start += 4
      }
      return true
    }
    if let known { return known }
    var (node, place) = try bytes.begin(0xA0, count: count, unit: 4)
    for position in places {
      place.storeBigEndian(pairs[position])
      place += 4
    }
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
    _ file: UnsafeRawBufferPointer
  ) throws(ArchiveError) -> (storage: ByteStorage, table: NodeTable) {
    let storage = try bytes.finish()
    guard let base = storage.bytes.baseAddress, let fileBase = file.baseAddress else {
      throw ArchiveError(.outOfMemory)
    }
    return (storage, NodeTable(objects: base, file: fileBase, count: count))
  }
}
