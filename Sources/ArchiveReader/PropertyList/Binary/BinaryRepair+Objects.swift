// What the objects of a damaged list still hold.
extension PropertyList.BinaryRepair {
  /// The indices of the two nodes that are added: null, and the key that is lost.
  var null: Int { offsets.count }
  var key: Int { offsets.count + 1 }

  /// Marks damaged objects as such, and lets references to what is not there lead to null.
  ///
  /// Throws an error if the objects share more bytes than those of a sound file could: each of
  /// them is read once, so that takes no longer than the file is long.
  mutating func checkObjects() throws(ArchiveError) {
    var total = 0
    for index in offsets.indices {
      guard let offset = offsets[index] else {
        damaged[index] = ArchiveError(.offsetOutOfBounds)
        continue
      }
      do throws(ArchiveError) {
        let payload = try payload(at: offset)
        total += payload.count
        try check(payload, at: offset)
      } catch {
        damaged[index] = error
        offsets[index] = nil
      }
      guard total <= PropertyList.BinaryChecker.maxShared * bytes.count else {
        throw ArchiveError(.overlappingObjects, at: .byte(offset))
      }
    }
    for index in offsets.indices {
      guard let offset = offsets[index], let repaired = repairedReferences(at: offset) else {
        continue
      }
      guard !repaired.isEmpty else {
        damaged[index] = ArchiveError(.referenceOutOfBounds, at: .byte(offset))
        offsets[index] = nil
        continue
      }
      offsets[index] = end + added.count
      added += repaired
    }
  }

  /// A container with references to null in place of those to what is not there, and with the key
  /// that stands for lost ones in place of keys that are no texts; nil if all are sound, empty if
  /// the size of references leaves no room for that.
  ///
  /// It is a copy: the bytes may be those of another object, too.
  private func repairedReferences(at offset: Int) -> [UInt8]? {
    let locations = referenceLocations(at: offset)
    guard let last = locations.last else { return nil }
    let keys = bytes[offset] >> 4 == 0xD ? locations.count / 2 : 0
    var copy: [UInt8]?
    for (position, location) in locations.enumerated() {
      let target = Int(clamping: load(location, size: referenceSize))
      let isThere = offsets.indices.contains(target)
      let isSound =
        position < keys
        ? isThere && offsets[target].map { isText(at: $0) } == true : isThere
      if isSound { continue }
      var repaired = copy ?? Array(bytes[offset..<last + referenceSize])
      guard setReference(location - offset, to: position < keys ? key : null, in: &repaired)
      else {
        return []
      }
      copy = repaired
    }
    return copy
  }

  private func isText(at offset: Int) -> Bool {
    // What was added are containers.
    offset < end && [5, 6].contains(bytes[offset] >> 4)
  }

  /// Checks an object as a reader does, but for its references.
  private func check(_ payload: ByteRange, at offset: Int) throws(ArchiveError) {
    switch bytes[offset] >> 4 {
    case 0x5:
      guard bytes[payload.offset..<payload.end].allSatisfy({ $0 < 0x80 }) else {
        throw ArchiveError(.stringNotASCII, at: .byte(offset))
      }
    case 0x8:
      guard bytes[payload.offset..<payload.end].dropLast(4).allSatisfy({ $0 == 0 }) else {
        throw ArchiveError(.oversizedUID, at: .byte(offset))
      }
    default: break
    }
  }

  private func setReference(_ location: Int, to index: Int, in bytes: inout [UInt8]) -> Bool {
    guard referenceSize >= 8 || index >> (8 * referenceSize) == 0 else { return false }
    var rest = index
    for byte in (location..<location + referenceSize).reversed() {
      bytes[byte] = UInt8(truncatingIfNeeded: rest)
      rest >>= 8
    }
    return true
  }
}
