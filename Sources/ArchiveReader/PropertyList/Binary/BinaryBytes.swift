extension PropertyList {
  /// The bytes of a binary property list that is not checked yet.
  ///
  /// Reads are unchecked: each of those who check a list compares a place with the bounds of the
  /// bytes, or of the objects, before it reads there. Whoever checks a list keeps its bytes alive.
  @safe struct BinaryBytes: BitwiseCopyable, @unchecked Sendable {
    /// The size of the trailer, with which every list ends.
    static let trailerSize = 32

    // Unchecked: the memory never changes.
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

    var count: Int { unsafe bytes.count }

    /// The byte at a place.
    @inline(__always)
    func byte(at place: Int) -> UInt8 { unsafe bytes[place] }

    /// Eight bytes at a place, in the order of the machine.
    @inline(__always)
    func word(at place: Int) -> UInt64 {
      unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
    }

    /// A big-endian integer of one to eight bytes.
    ///
    /// Every place that is loaded from lies before the last eight bytes, or is a field that ends
    /// with them, so that eight bytes can always be read.
    @inline(__always)
    func load(_ place: Int, size: Int) -> UInt64 {
      UInt64(bigEndian: word(at: place)) &>> UInt64(truncatingIfNeeded: 64 &- 8 &* size)
    }

    /// True if the bytes of two ranges are equal.
    func areEqual(_ one: ByteRange, _ other: ByteRange) -> Bool {
      part(one).hasSameBytes(as: part(other))
    }

    private func part(_ range: ByteRange) -> BorrowedBytes {
      unsafe BorrowedBytes(
        UnsafeRawBufferPointer(rebasing: bytes[range.offset..<range.offset + range.count]))
    }

    /// A table over the bytes, whose reads are safe only if all objects have been found to be
    /// sound.
    ///
    /// - Parameters:
    ///   - offsets: The start of the offset table.
    ///   - offsetSize: The size of an offset.
    ///   - referenceSize: The size of a reference.
    ///   - count: The number of objects.
    /// - Returns: The table; nil if there are no bytes.
    @unsafe func table(offsets: Int, offsetSize: Int, referenceSize: Int, count: Int) -> NodeTable?
    {
      guard let base = unsafe bytes.baseAddress else { return nil }
      return unsafe NodeTable(
        objects: base, offsets: base + offsets, offsetSize: offsetSize,
        referenceSize: referenceSize, count: count)
    }
  }
}
