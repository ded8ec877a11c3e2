/// Makes a node table in memory, for property lists whose file cannot be read in place.
///
/// Children are added before their container. Costs about the size of the values plus four bytes
/// for each node and each reference.
struct NodeTableBuilder {
  private let limits: ReadingLimits
  private(set) var objects: [UInt8] = []
  private var offsets: [UInt32] = []
  private var keys: [[UInt8]: UInt32] = [:]

  init(limits: ReadingLimits) {
    self.limits = limits
  }

  var count: Int { offsets.count }

  // MARK: Values

  /// Adds the node that stands for a value that is lost.
  mutating func addNull() throws(ArchiveError) -> UInt32 {
    let node = try begin()
    objects.append(0x00)
    return node
  }

  mutating func add(_ value: Bool) throws(ArchiveError) -> UInt32 {
    let node = try begin()
    objects.append(value ? 0x09 : 0x08)
    return node
  }

  mutating func add(_ value: Int64) throws(ArchiveError) -> UInt32 {
    let node = try begin()
    objects.append(0x13)
    append(UInt64(bitPattern: value), size: 8)
    return node
  }

  mutating func add(wide value: Int128) throws(ArchiveError) -> UInt32 {
    let node = try begin()
    objects.append(0x14)
    append(UInt64(truncatingIfNeeded: value >> 64), size: 8)
    append(UInt64(truncatingIfNeeded: value), size: 8)
    return node
  }

  mutating func add(_ value: Double) throws(ArchiveError) -> UInt32 {
    let node = try begin()
    objects.append(0x23)
    append(value.bitPattern, size: 8)
    return node
  }

  mutating func add(date seconds: Double) throws(ArchiveError) -> UInt32 {
    let node = try begin()
    objects.append(0x33)
    append(seconds.bitPattern, size: 8)
    return node
  }

  mutating func add(uid: UInt32) throws(ArchiveError) -> UInt32 {
    let node = try begin()
    objects.append(0x83)
    append(UInt64(uid), size: 4)
    return node
  }

  /// Adds a text of valid UTF-8.
  mutating func add(text: some Collection<UInt8>) throws(ArchiveError) -> UInt32 {
    let node = try begin()
    appendMarker(0x70, count: text.count)
    objects.append(contentsOf: text)
    return node
  }

  /// Adds a dictionary key: equal keys are one node, so that objects of one class have equal runs
  /// of keys.
  mutating func add(key: [UInt8]) throws(ArchiveError) -> UInt32 {
    if let node = keys[key] { return node }
    let node = try add(text: key)
    keys[key] = node
    return node
  }

  mutating func add(data: some Collection<UInt8>) throws(ArchiveError) -> UInt32 {
    let node = try begin()
    appendMarker(0x40, count: data.count)
    objects.append(contentsOf: data)
    return node
  }

  mutating func add(array elements: some Collection<UInt32>) throws(ArchiveError) -> UInt32 {
    let node = try begin()
    appendMarker(0xA0, count: elements.count)
    for element in elements { append(UInt64(element), size: 4) }
    return node
  }

  /// Adds a dictionary from keys and values in turn.
  mutating func add(dictionary pairs: ArraySlice<UInt32>) throws(ArchiveError) -> UInt32 {
    let node = try begin()
    appendMarker(0xD0, count: pairs.count / 2)
    for place in stride(from: pairs.startIndex, to: pairs.endIndex, by: 2) {
      append(UInt64(pairs[place]), size: 4)
    }
    for place in stride(from: pairs.startIndex + 1, to: pairs.endIndex, by: 2) {
      append(UInt64(pairs[place]), size: 4)
    }
    return node
  }

  /// Takes back the node that was added last; does nothing if another has been added since.
  mutating func removeLast(_ node: UInt32) {
    guard node + 1 == UInt32(offsets.count), let offset = offsets.popLast() else { return }
    objects.removeSubrange(Int(offset)...)
  }

  // MARK: Result

  /// Ends the table: the storage of the objects, that of the offsets, and the table over both.
  consuming func finish() throws(ArchiveError) -> (storage: [ByteStorage], table: NodeTable) {
    let count = offsets.count
    // Eight readable bytes follow the last object and the last offset: see NodeTable.
    objects.append(contentsOf: repeatElement(0, count: 8))
    let objectStorage = ByteStorage(objects)
    objects = []
    var bigEndian: [UInt8] = []
    bigEndian.reserveCapacity(count * 4 + 8)
    for offset in offsets {
      for shift in stride(from: 24, through: 0, by: -8) {
        bigEndian.append(UInt8(truncatingIfNeeded: offset >> UInt32(shift)))
      }
    }
    bigEndian.append(contentsOf: repeatElement(0, count: 8))
    let offsetStorage = ByteStorage(bigEndian)
    guard let objectBase = objectStorage.bytes.baseAddress,
      let offsetBase = offsetStorage.bytes.baseAddress
    else { throw ArchiveError(.outOfMemory) }
    let table = NodeTable(
      objects: objectBase, offsets: offsetBase, offsetSize: 4, referenceSize: 4, count: count)
    return ([objectStorage, offsetStorage], table)
  }

  // MARK: Bytes

  private mutating func begin() throws(ArchiveError) -> UInt32 {
    guard offsets.count < limits.values, offsets.count < Int(UInt32.max) else {
      throw limits.exceeded(.values)
    }
    guard objects.count <= limits.xmlBytes, let offset = UInt32(exactly: objects.count) else {
      throw limits.exceeded(.xmlBytes)
    }
    offsets.append(offset)
    return UInt32(offsets.count - 1)
  }

  private mutating func append(_ value: UInt64, size: Int) {
    withUnsafeBytes(of: value.bigEndian) { objects.append(contentsOf: $0.suffix(size)) }
  }

  private mutating func appendMarker(_ marker: UInt8, count: Int) {
    if count < 0xF {
      objects.append(marker | UInt8(count))
    } else {
      objects.append(marker | 0xF)
      objects.append(0x13)
      append(UInt64(count), size: 8)
    }
  }
}
