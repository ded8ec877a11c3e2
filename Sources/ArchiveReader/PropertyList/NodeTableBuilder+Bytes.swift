extension NodeTable.Builder {
  /// The bytes of a node table that is being made: markers, counts, and what stands after them.
  ///
  /// All numbers have their high byte first. Each method that adds something makes the room that it
  /// writes to, and nothing but nodes that were added before is read.
  struct Bytes: ~Copyable {
    private let limits: ReadingLimits
    private let most: Int
    private var memory = GrowingBytes()
    /// The offset of the node that was added last.
    private var last = 0

    init(limits: ReadingLimits) {
      self.limits = limits
      most = min(limits.xmlBytes, NodeTable.firstUID - 1)
    }

    // MARK: Adding

    /// Writes numbers one after the other, without checks: each method below tells `begin` how much
    /// it writes, and writes no more before anything else is added.
    @safe private struct Writer {
      private(set) var place: UnsafeMutableRawPointer

      init(_ place: UnsafeMutableRawPointer) { unsafe self.place = place }

      /// Writes a number with its high byte first.
      mutating func write<Value: FixedWidthInteger>(_ value: Value) {
        unsafe place.storeBytes(of: value.bigEndian, as: Value.self)
        unsafe place += value.bitWidth / 8
      }
    }

    /// Adds bytes, which the caller writes at once.
    ///
    /// - Parameter size: The number of bytes.
    /// - Returns: The number of the node that begins there, and what writes the bytes.
    /// - Throws: `ArchiveError` if a limit is exceeded.
    private mutating func begin(_ size: Int) throws(ArchiveError) -> (node: UInt32, writer: Writer)
    {
      guard size <= most - memory.count else { throw limits.exceeded(.xmlBytes) }
      last = memory.count
      return (UInt32(truncatingIfNeeded: last), unsafe Writer(try memory.extend(by: size)))
    }

    /// Adds a marker with a count; the caller writes what stands after it.
    ///
    /// - Parameters:
    ///   - marker: The marker.
    ///   - count: The count.
    ///   - unit: The size of what is counted.
    /// - Returns: The number of the node, and what writes after the count.
    /// - Throws: `ArchiveError` if a limit is exceeded.
    private mutating func begin(
      _ marker: UInt8, count: Int, unit: Int
    ) throws(ArchiveError) -> (node: UInt32, writer: Writer) {
      guard count <= most / unit else { throw limits.exceeded(.xmlBytes) }
      guard count >= 0xF else {
        var (node, writer) = try begin(1 + count * unit)
        writer.write(marker | UInt8(count))
        return (node, writer)
      }
      let isByte = count <= 0xFF
      var (node, writer) = try begin((isByte ? 3 : 6) + count * unit)
      writer.write(marker | 0xF)
      if isByte {
        writer.write(0x10 as UInt8)
        writer.write(UInt8(count))
      } else {
        writer.write(0x12 as UInt8)
        writer.write(UInt32(truncatingIfNeeded: count))
      }
      return (node, writer)
    }

    /// Adds a marker, or as many as there are bytes in a number; returns the number of the node.
    mutating func add(_ markers: some FixedWidthInteger) throws(ArchiveError) -> UInt32 {
      var (node, writer) = try begin(markers.bitWidth / 8)
      writer.write(markers)
      return node
    }

    /// Adds a marker and a number; returns the number of the node.
    mutating func add(
      _ marker: UInt8, _ value: some FixedWidthInteger
    ) throws(ArchiveError) -> UInt32 {
      var (node, writer) = try begin(1 + value.bitWidth / 8)
      writer.write(marker)
      writer.write(value)
      return node
    }

    /// Adds a marker and two numbers; returns the number of the node.
    mutating func add(
      _ marker: UInt8, _ first: some FixedWidthInteger, _ second: some FixedWidthInteger
    ) throws(ArchiveError) -> UInt32 {
      var (node, writer) = try begin(1 + first.bitWidth / 8 + second.bitWidth / 8)
      writer.write(marker)
      writer.write(first)
      writer.write(second)
      return node
    }

    /// Adds a marker with a count of bytes, and these, which another writes.
    ///
    /// - Parameters:
    ///   - marker: The marker.
    ///   - size: The number of bytes.
    ///   - write: Writes them; those that it leaves out are zero.
    /// - Returns: The number of the node.
    /// - Throws: `ArchiveError` if a limit is exceeded.
    mutating func add(
      _ marker: UInt8, size: Int, _ write: (inout OutputSpan<UInt8>) -> Void
    ) throws(ArchiveError) -> UInt32 {
      let (node, writer) = try begin(marker, count: size, unit: 1)
      let space = unsafe UnsafeMutableRawBufferPointer(start: writer.place, count: size)
        .assumingMemoryBound(to: UInt8.self)
      var span = unsafe OutputSpan(buffer: space, initializedCount: 0)
      write(&span)
      span.append(repeating: 0, count: span.freeCapacity)
      _ = unsafe span.finalize(for: space)
      return node
    }

    /// Adds a marker with a count of bytes, and these; returns the number of the node.
    mutating func add(
      _ marker: UInt8, bytes: BorrowedBytes
    ) throws(ArchiveError) -> UInt32 {
      let (node, writer) = try begin(marker, count: bytes.count, unit: 1)
      unsafe writer.place.copyMemory(from: bytes.start, byteCount: bytes.count)
      return node
    }

    /// Adds a marker with a count of references, and these; returns the number of the node.
    mutating func add(
      _ marker: UInt8, _ references: ArraySlice<UInt32>
    ) throws(ArchiveError) -> UInt32 {
      var (node, writer) = try begin(marker, count: references.count, unit: 4)
      for reference in references { writer.write(reference) }
      return node
    }

    /// Adds a marker with a count of pairs, and the first references of these; returns the number
    /// of the node.
    mutating func add(
      _ marker: UInt8, firstOf pairs: ArraySlice<UInt32>
    ) throws(ArchiveError) -> UInt32 {
      let count = pairs.count / 2
      var (node, writer) = try begin(marker, count: count, unit: 4)
      var position = pairs.startIndex
      for _ in 0..<count {
        writer.write(pairs[position])
        position += 2
      }
      return node
    }

    /// Adds a marker, a reference, and the second references of pairs; returns the number of the
    /// node.
    mutating func add(
      _ marker: UInt8, _ reference: UInt32, secondOf pairs: ArraySlice<UInt32>
    ) throws(ArchiveError) -> UInt32 {
      let count = pairs.count / 2
      var (node, writer) = try begin(5 + count * 4)
      writer.write(marker)
      writer.write(reference)
      var position = pairs.startIndex + 1
      for _ in 0..<count {
        writer.write(pairs[position])
        position += 2
      }
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
      var writer = unsafe Writer(try memory.extend(by: 8))
      writer.write(0 as UInt64)
      return memory.take()
    }

    // MARK: Reading

    /// True if the bytes of a node are the expected ones.
    ///
    /// - Parameters:
    ///   - node: The number of the node, which was added with a marker and a count.
    ///   - expected: The bytes.
    /// - Returns: True if they are.
    func hasBytes(_ node: UInt32, _ expected: BorrowedBytes) -> Bool {
      view(of: node).hasSameBytes(as: expected)
    }

    /// The bytes of a node with bytes, until more is added.
    func view(of node: UInt32) -> BorrowedBytes {
      let bytes = unsafe memory.bytes
      let (start, count) = unsafe Self.payload(bytes, at: node)
      return unsafe BorrowedBytes(UnsafeRawBufferPointer(rebasing: bytes[start..<(start + count)]))
    }

    /// True if the references of a node are the first ones of pairs.
    ///
    /// - Parameters:
    ///   - node: The number of the node, which was added with a marker and a count.
    ///   - pairs: The pairs.
    /// - Returns: True if they are.
    func hasReferences(_ node: UInt32, firstOf pairs: ArraySlice<UInt32>) -> Bool {
      let bytes = unsafe memory.bytes
      var (start, count) = unsafe Self.payload(bytes, at: node)
      guard count == pairs.count / 2 else { return false }
      var position = pairs.startIndex
      for _ in 0..<count {
        let reference = unsafe bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self)
        guard UInt32(bigEndian: reference) == pairs[position] else { return false }
        position += 2
        start += 4
      }
      return true
    }

    /// The start of the payload of a node with a count, and the count: in the marker, or after it
    /// in one byte or in four.
    static func payload(
      _ bytes: UnsafeRawBufferPointer, at node: UInt32
    ) -> (start: Int, count: Int) {
      let place = Int(node)
      let short = unsafe Int(bytes[place] & 0xF)
      guard short == 0xF else { return (place + 1, short) }
      if unsafe bytes[place + 1] == 0x10 { return unsafe (place + 3, Int(bytes[place + 2])) }
      let count = unsafe bytes.loadUnaligned(fromByteOffset: place + 2, as: UInt32.self)
      return (place + 6, Int(UInt32(bigEndian: count)))
    }
  }
}
