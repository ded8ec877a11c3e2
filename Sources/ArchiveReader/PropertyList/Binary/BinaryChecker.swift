import Support
import Synchronization

extension PropertyList {
  /// Checks the objects of a binary property list, so that they can be read without checks.
  ///
  /// The pass is linear in the size of the file and holds nothing in memory. Several threads share
  /// the objects of a large list.
  struct BinaryChecker: Sendable {
    let bytes: BinaryBytes
    /// The start of the offset table, at which the objects end.
    let tableStart: Int
    let offsetSize: Int
    let referenceSize: Int
    /// The number of objects.
    let count: Int

    /// The multiple of a file's bytes that its objects may take, where entries share them.
    static let maxShared = 4

    /// Threads take parts of this many objects; lists of fewer are checked by one.
    private static let partSize = 1 << 16

    private var maxBytes: Int { Self.maxShared * bytes.count }

    /// Checks all objects.
    ///
    /// - Throws: `ArchiveError` for the first object that is damaged, in the order of the table.
    func check() throws(ArchiveError) {
      if count > Self.partSize, isSoundInParts() { return }
      var keys = CheckedKeys()
      _ = try check(0..<count, &keys)
    }

    /// True if all objects are sound; where they are not, they are checked again, one after the
    /// other, which tells the first that is damaged.
    private func isSoundInParts() -> Bool {
      let total = Mutex<Int?>(0)
      let parts = (count + Self.partSize - 1) / Self.partSize
      WorkerThread.perform(iterations: parts) { part in
        guard total.withLock({ $0 != nil }) else { return }
        let start = part * Self.partSize
        var keys = CheckedKeys()
        let size = try? check(start..<min(count, start + Self.partSize), &keys)
        total.withLock { total in
          guard let sum = total, let size, sum <= maxBytes - size else { return total = nil }
          total = sum + size
        }
      }
      return total.withLock { $0 != nil }
    }

    /// Checks a part of the objects; returns how many bytes they take.
    private func check(_ part: Range<Int>, _ keys: inout CheckedKeys) throws(ArchiveError) -> Int {
      var total = 0
      let maxBytes = maxBytes
      // The table lies within the file: no overflow.
      var entry = tableStart + part.lowerBound * offsetSize
      let end = tableStart + part.upperBound * offsetSize
      while entry < end {
        let declared = bytes.load(entry, size: offsetSize)
        guard declared >= 8, declared < UInt64(tableStart) else {
          throw ArchiveError(.offsetOutOfBounds, at: .byte(entry))
        }
        let offset = Int(declared)
        let marker = bytes.byte(at: offset)
        let size =
          // References of up to four bytes, which most objects of an archive are, hold any number.
          marker & 0xFC == 0x80 && tableStart - offset > 4
          ? Int(marker & 0xF) + 2 : try checkObject(at: offset, &keys)
        // Entries may share an object, but a file whose objects add up to several times its size
        // would grow without bounds when it is written out.
        total += size
        guard total <= maxBytes else {
          throw ArchiveError(.overlappingObjects, at: .byte(offset))
        }
        entry &+= offsetSize
      }
      return total
    }

    /// Checks one object; returns its size in bytes, which is at most that of the file.
    @inline(__always)
    private func checkObject(at offset: Int, _ keys: inout CheckedKeys) throws(ArchiveError) -> Int
    {
      let payload = try bounds.payload(at: offset)
      switch bytes.byte(at: offset) >> 4 {
      case 0x5:
        guard isASCII(payload) else { throw ArchiveError(.stringNotASCII, at: .byte(offset)) }
      case 0x8:
        try checkUID(payload, at: offset)
      case 0xA, 0xB, 0xC:
        try checkReferences(payload)
      case 0xD:
        let run = ByteRange(offset: payload.offset, count: payload.count / 2)
        if keys.contains(run, bytes) {
          try checkReferences(ByteRange(offset: run.offset + run.count, count: run.count))
        } else {
          try checkReferences(payload)
          try checkKeys(run)
          keys.add(run)
        }
      default:
        break
      }
      return payload.offset + payload.count - offset
    }

    private var bounds: Bounds {
      Bounds(bytes: bytes, end: tableStart, referenceSize: referenceSize)
    }

    // MARK: References and keys

    private func checkReferences(_ payload: ByteRange) throws(ArchiveError) {
      var position = payload.offset
      let end = payload.offset + payload.count
      while position < end {
        guard bytes.load(position, size: referenceSize) < UInt64(count) else {
          throw ArchiveError(.referenceOutOfBounds, at: .byte(position))
        }
        position &+= referenceSize
      }
    }

    /// The keys of a dictionary are strings.
    ///
    /// Their offsets may not be checked yet.
    private func checkKeys(_ keys: ByteRange) throws(ArchiveError) {
      var position = keys.offset
      while position < keys.offset + keys.count {
        let index = Int(bytes.load(position, size: referenceSize))
        let offset = bytes.load(tableStart + index * offsetSize, size: offsetSize)
        guard offset < UInt64(tableStart), case let kind = bytes.byte(at: Int(offset)) >> 4,
          kind == 0x5 || kind == 0x6
        else { throw ArchiveError(.keyNotAString, at: .byte(position)) }
        position &+= referenceSize
      }
    }

    /// Runs of keys that were found to be sound: objects of one class have the same, byte for byte.
    private struct CheckedKeys {
      /// For each length of a run, the one met last.
      private var runs = Array(repeating: ByteRange(offset: 0, count: 0), count: 64)

      func contains(_ run: ByteRange, _ bytes: BinaryBytes) -> Bool {
        let known = runs[run.count & 63]
        return known.count == run.count && bytes.areEqual(known, run)
      }

      mutating func add(_ run: ByteRange) { runs[run.count & 63] = run }
    }

    // MARK: Values

    private func checkUID(_ payload: ByteRange, at offset: Int) throws(ArchiveError) {
      // Archivers write up to four bytes; wider ones must hold a small number all the same.
      let tail = min(payload.count, 8)
      for position in payload.offset..<(payload.offset + payload.count - tail)
      where bytes.byte(at: position) != 0 {
        throw ArchiveError(.oversizedUID, at: .byte(offset))
      }
      guard bytes.load(payload.offset + payload.count - tail, size: tail) <= UInt64(UInt32.max)
      else {
        throw ArchiveError(.oversizedUID, at: .byte(offset))
      }
    }

    @inline(__always)
    private func isASCII(_ range: ByteRange) -> Bool {
      var position = range.offset
      let end = range.offset + range.count
      while position + 8 <= end {
        if bytes.word(at: position) & 0x8080_8080_8080_8080 != 0 { return false }
        position += 8
      }
      while position < end {
        if bytes.byte(at: position) >= 0x80 { return false }
        position += 1
      }
      return true
    }
  }
}

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
