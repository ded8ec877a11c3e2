/// Makes a node table in memory, for property lists whose file cannot be read in place.
///
/// Children are added before their container. A node's number is its place in the table, so there
/// are no offsets; UIDs, which are most of an archive, are no nodes but numbers beyond all places:
/// see `NodeTable`. Dictionaries with equal keys share the run of their keys.
struct NodeTableBuilder: ~Copyable {
  private let limits: ReadingLimits
  private let mostBytes: Int
  private var objects = GrowingBytes()
  /// How many values there are, UIDs and those that share a node included.
  private var count = 0
  private var lastNode = 0
  private var keys = InternTable()
  private var keyRuns = InternTable()

  private static let falseNode: UInt32 = 0
  private static let trueNode: UInt32 = 1
  /// A text up to this size takes no more memory than a reference to it.
  private static let shortText = 5

  init(limits: ReadingLimits) throws(ArchiveError) {
    self.limits = limits
    mostBytes = min(limits.xmlBytes, NodeTable.firstUID - 1)
    let place = try objects.extend(by: 2)
    place.storeBytes(of: 0x08, as: UInt8.self)
    place.storeBytes(of: 0x09, toByteOffset: 1, as: UInt8.self)
  }

  // MARK: Values

  /// Adds the node that stands for a value that is lost.
  mutating func addNull() throws(ArchiveError) -> UInt32 {
    let (node, place) = try begin(1)
    place.storeBytes(of: 0x00, as: UInt8.self)
    return node
  }

  mutating func add(_ value: Bool) throws(ArchiveError) -> UInt32 {
    try countValue()
    return value ? Self.trueNode : Self.falseNode
  }

  mutating func add(_ value: Int64) throws(ArchiveError) -> UInt32 {
    // Integers of up to four bytes are unsigned, those of eight are signed.
    if let small = UInt8(exactly: value) { return try add(0x10, small) }
    if let small = UInt32(exactly: value) { return try add(0x12, small) }
    return try add(0x13, value)
  }

  mutating func add(wide value: Int128) throws(ArchiveError) -> UInt32 {
    let (node, place) = try begin(17)
    place.storeBytes(of: 0x14, as: UInt8.self)
    Self.store(UInt64(truncatingIfNeeded: value >> 64), at: place + 1)
    Self.store(UInt64(truncatingIfNeeded: value), at: place + 9)
    return node
  }

  mutating func add(_ value: Double) throws(ArchiveError) -> UInt32 {
    try add(0x23, value.bitPattern)
  }

  mutating func add(date seconds: Double) throws(ArchiveError) -> UInt32 {
    try add(0x33, seconds.bitPattern)
  }

  mutating func add(uid: UInt32) throws(ArchiveError) -> UInt32 {
    if Int(uid) <= Int(UInt32.max) - NodeTable.firstUID {
      try countValue()
      return UInt32(NodeTable.firstUID) + uid
    }
    return try add(0x83, uid)
  }

  /// Adds a text of valid UTF-8.
  mutating func add(text: UnsafeRawBufferPointer) throws(ArchiveError) -> UInt32 {
    let (node, place) = try begin(NodeTable.Marker.text, count: text.count, unit: 1)
    UnsafeMutableRawBufferPointer(start: place, count: text.count).copyMemory(from: text)
    return node
  }

  /// Adds a text of valid UTF-8 that stands in the file, and stays there.
  mutating func add(
    text: UnsafeRawBufferPointer, inFileAt offset: Int
  ) throws(ArchiveError) -> UInt32 {
    guard text.count > Self.shortText else { return try add(text: text) }
    if let offset = UInt32(exactly: offset), let size = UInt8(exactly: text.count) {
      let (node, place) = try begin(6)
      place.storeBytes(of: NodeTable.Marker.nearText, as: UInt8.self)
      Self.store(offset, at: place + 1)
      place.storeBytes(of: size, toByteOffset: 5, as: UInt8.self)
      return node
    }
    let (node, place) = try begin(17)
    place.storeBytes(of: NodeTable.Marker.farText, as: UInt8.self)
    Self.store(UInt64(offset), at: place + 1)
    Self.store(UInt64(text.count), at: place + 9)
    return node
  }

  /// Adds a dictionary key: equal keys are one node.
  mutating func add(key: UnsafeRawBufferPointer) throws(ArchiveError) -> UInt32 {
    let hash = keys.hash(key)
    let objects = objects.bytes
    let known = keys.node(hash) { node in
      let (start, count) = Self.payload(objects, at: node)
      guard count == key.count else { return false }
      return UnsafeRawBufferPointer(rebasing: objects[start..<(start + count)]).isEqual(to: key)
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
    let (node, place) = try begin(0x40, count: size, unit: 1)
    write(UnsafeMutableRawBufferPointer(start: place, count: size))
    return node
  }

  mutating func add(array elements: ArraySlice<UInt32>) throws(ArchiveError) -> UInt32 {
    var (node, place) = try begin(0xA0, count: elements.count, unit: 4)
    for element in elements {
      Self.store(element, at: place)
      place += 4
    }
    return node
  }

  /// Adds a dictionary from keys and values in turn.
  mutating func add(dictionary pairs: ArraySlice<UInt32>) throws(ArchiveError) -> UInt32 {
    let keys = try keyRun(pairs)
    let count = pairs.count / 2
    var (node, place) = try begin(5 + 4 * count)
    place.storeBytes(of: NodeTable.Marker.sharedKeys, as: UInt8.self)
    Self.store(keys, at: place + 1)
    var position = pairs.startIndex + 1
    while position < pairs.endIndex {
      place += 4
      Self.store(pairs[position], at: place + 1)
      position += 2
    }
    return node
  }

  /// Takes back the node that was added last; does nothing if another has been added since.
  mutating func removeLast(_ node: UInt32) {
    guard Int(node) == lastNode, lastNode > Int(Self.trueNode) else { return }
    objects.shrink(to: lastNode)
    count -= 1
    lastNode = 0
  }

  // MARK: Result

  /// Ends the table: its storage, and the table over it and the file.
  mutating func finish(
    _ file: UnsafeRawBufferPointer
  ) throws(ArchiveError) -> (storage: ByteStorage, table: NodeTable) {
    // Eight readable bytes follow the last object: see NodeTable.
    Self.store(0 as UInt64, at: try objects.extend(by: 8))
    let storage = objects.take()
    guard let base = storage.bytes.baseAddress, let fileBase = file.baseAddress else {
      throw ArchiveError(.outOfMemory)
    }
    return (storage, NodeTable(objects: base, file: fileBase, count: count))
  }

  // MARK: Bytes

  /// The keys of a dictionary, as an array that no node refers to; equal ones are one.
  private mutating func keyRun(_ pairs: ArraySlice<UInt32>) throws(ArchiveError) -> UInt32 {
    let count = pairs.count / 2
    var hash = UInt64(count)
    var position = pairs.startIndex
    while position < pairs.endIndex {
      hash = keyRuns.combine(hash, UInt64(pairs[position]))
      position += 2
    }
    let bytes = objects.bytes
    let known = keyRuns.node(hash) { node in
      var (start, keyCount) = Self.payload(bytes, at: node)
      guard keyCount == count else { return false }
      var position = pairs.startIndex
      while position < pairs.endIndex {
        let key = bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self)
        guard UInt32(bigEndian: key) == pairs[position] else { return false }
        start += 4
        position += 2
      }
      return true
    }
    if let known { return known }
    var (node, place) = try beginUncounted(0xA0, count: count, unit: 4)
    position = pairs.startIndex
    while position < pairs.endIndex {
      Self.store(pairs[position], at: place)
      place += 4
      position += 2
    }
    keyRuns.insert(hash, node)
    return node
  }

  private mutating func countValue() throws(ArchiveError) {
    guard count < limits.values, count < Int(UInt32.max) else { throw limits.exceeded(.values) }
    count += 1
  }

  /// Begins a node of a size.
  private mutating func begin(
    _ size: Int
  ) throws(ArchiveError) -> (node: UInt32, place: UnsafeMutableRawPointer) {
    try countValue()
    return try beginUncounted(size)
  }

  private mutating func beginUncounted(
    _ size: Int
  ) throws(ArchiveError) -> (node: UInt32, place: UnsafeMutableRawPointer) {
    guard size <= mostBytes - objects.count else { throw limits.exceeded(.xmlBytes) }
    lastNode = objects.count
    return (UInt32(truncatingIfNeeded: lastNode), try objects.extend(by: size))
  }

  /// Begins a node with a count; returns the place behind it.
  private mutating func begin(
    _ marker: UInt8, count: Int, unit: Int
  ) throws(ArchiveError) -> (node: UInt32, place: UnsafeMutableRawPointer) {
    try countValue()
    return try beginUncounted(marker, count: count, unit: unit)
  }

  private mutating func beginUncounted(
    _ marker: UInt8, count: Int, unit: Int
  ) throws(ArchiveError) -> (node: UInt32, place: UnsafeMutableRawPointer) {
    guard count <= mostBytes / unit else { throw limits.exceeded(.xmlBytes) }
    if count < 0xF {
      let (node, place) = try beginUncounted(1 + count * unit)
      place.storeBytes(of: marker | UInt8(count), as: UInt8.self)
      return (node, place + 1)
    }
    let isByte = count <= 0xFF
    let (node, place) = try beginUncounted((isByte ? 3 : 6) + count * unit)
    place.storeBytes(of: marker | 0xF, as: UInt8.self)
    place.storeBytes(of: isByte ? 0x10 : 0x12, toByteOffset: 1, as: UInt8.self)
    if isByte {
      place.storeBytes(of: UInt8(count), toByteOffset: 2, as: UInt8.self)
    } else {
      Self.store(UInt32(truncatingIfNeeded: count), at: place + 2)
    }
    return (node, place + (isByte ? 3 : 6))
  }

  /// Adds a marker and a number.
  private mutating func add(
    _ marker: UInt8, _ value: some FixedWidthInteger
  ) throws(ArchiveError) -> UInt32 {
    let (node, place) = try begin(1 + value.bitWidth / 8)
    place.storeBytes(of: marker, as: UInt8.self)
    Self.store(value, at: place + 1)
    return node
  }

  private static func store(_ value: some FixedWidthInteger, at place: UnsafeMutableRawPointer) {
    place.storeBytes(of: value.bigEndian, as: type(of: value))
  }

  /// Where the payload of a node with a count begins, and the count: in the marker, or behind it in
  /// one byte or in four.
  private static func payload(
    _ objects: UnsafeRawBufferPointer, at node: UInt32
  ) -> (start: Int, count: Int) {
    let place = Int(node)
    let short = Int(objects[place] & 0xF)
    guard short == 0xF else { return (place + 1, short) }
    if objects[place + 1] == 0x10 { return (place + 3, Int(objects[place + 2])) }
    let count = objects.loadUnaligned(fromByteOffset: place + 2, as: UInt32.self)
    return (place + 6, Int(UInt32(bigEndian: count)))
  }
}
