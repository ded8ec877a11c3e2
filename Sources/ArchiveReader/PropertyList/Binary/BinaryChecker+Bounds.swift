extension PropertyList.BinaryChecker {
  /// The bounds of the objects of a binary property list, told by their markers.
  ///
  /// The format is that of CFBinaryPList.c.
  struct Bounds {
    let bytes: PropertyList.BinaryBytes
    /// The first byte after the objects.
    var end: Int
    var referenceSize: Int

    /// The bytes of the object at an offset before `end`, after its marker and its count.
    ///
    /// - Throws: `ArchiveError` if the marker is none, or the object reaches past the end.
    func payload(at offset: Int) throws(ArchiveError) -> ByteRange {
      let marker = bytes.byte(at: offset)
      let low = Int(marker & 0xF)
      let payload: ByteRange
      switch marker >> 4 {
      case 0x0 where low == 0x0 || low == 0x8 || low == 0x9 || low == 0xF:
        // Null, false, true and fill.
        payload = ByteRange(offset: offset + 1, count: 0)
      case 0x1 where low <= 4, 0x2 where low == 2 || low == 3, 0x3 where low == 3:
        payload = ByteRange(offset: offset + 1, count: 1 << low)
      case 0x4, 0x5: payload = try counted(at: offset, unit: 1)
      case 0x6: payload = try counted(at: offset, unit: 2)
      case 0x8: payload = ByteRange(offset: offset + 1, count: low + 1)
      case 0xA, 0xB, 0xC: payload = try counted(at: offset, unit: referenceSize)
      case 0xD: payload = try counted(at: offset, unit: 2 * referenceSize)
      default: throw ArchiveError(.unknownMarker, at: .byte(offset))
      }
      guard payload.offset <= end, payload.count <= end - payload.offset else {
        throw ArchiveError(.objectOutOfBounds, at: .byte(offset))
      }
      return payload
    }

    /// The payload of an object with a count, in bytes: the count stands in the marker or, from 15
    /// on, in an integer after it.
    private func counted(at offset: Int, unit: Int) throws(ArchiveError) -> ByteRange {
      var count = Int(bytes.byte(at: offset) & 0xF)
      var start = offset + 1
      if count == 0xF {
        guard start < end else { throw ArchiveError(.objectOutOfBounds, at: .byte(offset)) }
        let marker = bytes.byte(at: start)
        guard marker >> 4 == 0x1, marker & 0xF <= 4 else {
          throw ArchiveError(.unknownMarker, at: .byte(start))
        }
        let size = 1 << Int(marker & 0xF)
        guard size < end - start else {
          throw ArchiveError(.objectOutOfBounds, at: .byte(offset))
        }
        // Counts of 16 bytes are no archiver's, but CoreFoundation takes them.
        guard size <= 8 || bytes.load(start + 1, size: 8) == 0 else {
          throw ArchiveError(.objectOutOfBounds, at: .byte(offset))
        }
        let declared = bytes.load(start + 1 + max(0, size - 8), size: min(size, 8))
        guard declared <= UInt64(bytes.count) else {
          throw ArchiveError(.objectOutOfBounds, at: .byte(offset))
        }
        count = Int(declared)
        start += 1 + size
      }
      // The count is at most the size of the file and the unit at most 16: no overflow below 2^59.
      return ByteRange(offset: start, count: count * unit)
    }
  }
}
