/// The bytes of a node table that is being made: markers, counts, and what stands after them.
///
/// All numbers have their high byte first.
struct NodeTableBytes: ~Copyable {
  private let limits: ReadingLimits
  private let most: Int
  private var memory = GrowingBytes()
  /// Where what was added last begins.
  private var last = 0

  init(limits: ReadingLimits) {
    self.limits = limits
    most = min(limits.xmlBytes, NodeTable.firstUID - 1)
  }

  /// What has been written, until more is.
  var bytes: UnsafeRawBufferPointer { memory.bytes }

  // MARK: Adding

  /// Adds bytes, which the caller writes at once.
  ///
  /// - Parameter size: How many.
  /// - Returns: The number of the node that begins there, and the place of the bytes.
  /// - Throws: `ArchiveError` if a limit is exceeded.
  mutating func begin(
    _ size: Int
  ) throws(ArchiveError) -> (node: UInt32, place: UnsafeMutableRawPointer) {
    guard size <= most - memory.count else { throw limits.exceeded(.xmlBytes) }
    last = memory.count
    return (UInt32(truncatingIfNeeded: last), try memory.extend(by: size))
  }

  /// Adds a marker with a count; the caller writes what stands after it, at the place returned.
  ///
  /// - Parameters:
  ///   - marker: The marker.
  ///   - count: The count.
  ///   - unit: The size of what is counted.
  /// - Returns: The number of the node, and the place after the count.
  /// - Throws: `ArchiveError` if a limit is exceeded.
  mutating func begin(
    _ marker: UInt8, count: Int, unit: Int
  ) throws(ArchiveError) -> (node: UInt32, place: UnsafeMutableRawPointer) {
    guard count <= most / unit else { throw limits.exceeded(.xmlBytes) }
    guard count >= 0xF else {
      let (node, place) = try begin(1 + count * unit)
      place.storeBigEndian(marker | UInt8(count))
      return (node, place + 1)
    }
    let isByte = count <= 0xFF
    let size = isByte ? 3 : 6
    let (node, place) = try begin(size + count * unit)
    place.storeBigEndian(marker | 0xF)
    (place + 1).storeBigEndian(isByte ? 0x10 : 0x12 as UInt8)
    if isByte {
      (place + 2).storeBigEndian(UInt8(count))
    } else {
      (place + 2).storeBigEndian(UInt32(truncatingIfNeeded: count))
    }
    return (node, place + size)
  }

  /// Adds a marker and a number; returns the number of the node.
  mutating func add(
    _ marker: UInt8, _ value: some FixedWidthInteger
  ) throws(ArchiveError) -> UInt32 {
    let (node, place) = try begin(1 + value.bitWidth / 8)
    place.storeBigEndian(marker)
    (place + 1).storeBigEndian(value)
    return node
  }

  /// Takes back a node if it is the one that was added last; returns whether it is.
  mutating func removeLast(_ node: UInt32) -> Bool {
    guard Int(node) == last, memory.count > last else { return false }
    memory.shrink(to: last)
    return true
  }

  /// Ends the table and gives it away.
  mutating func finish() throws(ArchiveError) -> ByteStorage {
    // Eight readable bytes follow the last object: see NodeTable.
    try memory.extend(by: 8).storeBigEndian(0 as UInt64)
    return memory.take()
  }

  // MARK: Reading

  /// Where the payload of a node with a count begins, and the count: in the marker, or after it in
  /// one byte or in four.
  static func payload(
    _ bytes: UnsafeRawBufferPointer, at node: UInt32
  ) -> (start: Int, count: Int) {
    let place = Int(node)
    let short = Int(bytes[place] & 0xF)
    guard short == 0xF else { return (place + 1, short) }
    if bytes[place + 1] == 0x10 { return (place + 3, Int(bytes[place + 2])) }
    let count = bytes.loadUnaligned(fromByteOffset: place + 2, as: UInt32.self)
    return (place + 6, Int(UInt32(bigEndian: count)))
  }
}

extension UnsafeMutableRawPointer {
  /// Writes an integer with its high byte first.
  func storeBigEndian<Value: FixedWidthInteger>(_ value: Value) {
    storeBytes(of: value.bigEndian, as: Value.self)
  }
}
