extension PropertyList {
  /// Makes a sound binary property list of what a damaged one still holds.
  ///
  /// Objects keep their places. One that is damaged becomes null; a reference that leads nowhere
  /// leads to null. Where the trailer or the offset table is lost, the objects are found by their
  /// markers: archivers write them one after the other, in the order of their indices. What comes
  /// out is checked like any other file, so nothing rests on the guesses made here.
  struct BinaryRepair {
    /// A sound list.
    struct Result {
      var bytes: [UInt8]
      /// The errors of the file as a whole.
      var losses: [ArchiveError]
      /// The nodes that became null, and why.
      var damagedNodes: [Int: ArchiveError]
    }

    /// The file, with eight bytes of zero after it.
    var bytes: [UInt8]
    /// The first byte after the objects.
    var end: Int
    var referenceSize = 0
    private var top = 0
    /// The offset of each object; nil for those that are damaged.
    var offsets: [Int?] = []
    /// Containers with repaired references, which stand after the objects of the file.
    var added: [UInt8] = []
    private var losses: [ArchiveError] = []
    var damaged: [Int: ArchiveError] = [:]

    private static let padding = 8
    /// The most offsets that lead nowhere that are listed.
    private static let maxLostOffsets = 1_000
    /// The object in the place of a key that is lost.
    private static let lostKey: [UInt8] = [0x51, UInt8(ascii: "?")]

    /// Repairs a list.
    ///
    /// - Complexity: Linear in the size of the file, which is held twice.
    static func repair(
      _ file: some Collection<UInt8>, after error: ArchiveError
    ) throws(ArchiveError) -> Result {
      var repair = BinaryRepair(file)
      if !repair.takeOffsetTable() {
        // Another property list may have something like an archive somewhere in it.
        guard error.code != .notAnArchive else { throw error }
        repair.offsets = []
        repair.losses = []
        guard repair.scan() else { throw error }
      }
      // What made the repair necessary comes first, and once.
      repair.losses.removeAll { $0 == error }
      if error.code != .notAnArchive { repair.losses.insert(error, at: 0) }
      try repair.checkObjects()
      return repair.result()
    }

    private init(_ file: some Collection<UInt8>) {
      end = file.count
      bytes = Array(file) + [UInt8](repeating: 0, count: Self.padding)
    }

    /// The bytes of the object at an offset, after its marker and its count.
    func payload(at offset: Int) throws(ArchiveError) -> ByteRange {
      guard offset < end else { throw ArchiveError(.objectOutOfBounds, at: .byte(offset)) }
      return try bytes.withBorrowedBytes { (all) throws(ArchiveError) in
        let bytes = unsafe BinaryBytes(all.buffer)
        return try BinaryChecker.Bounds(bytes: bytes, end: end, referenceSize: referenceSize)
          .payload(at: offset)
      }
    }

    func load(_ location: Int, size: Int) -> UInt64 {
      var value: UInt64 = 0
      for byte in bytes[location..<location + size] { value = value << 8 | UInt64(byte) }
      return value
    }

    // MARK: Where the objects stand

    /// Takes the offsets from the file, if its trailer makes sense.
    private mutating func takeOffsetTable() -> Bool {
      let trailer = end - BinaryBytes.trailerSize
      guard trailer > 8 else { return false }
      let offsetSize = Int(bytes[trailer + 6])
      let referenceSize = Int(bytes[trailer + 7])
      let count = load(trailer + 8, size: 8)
      let top = load(trailer + 16, size: 8)
      let start = load(trailer + 24, size: 8)
      guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), start >= 9,
        start < UInt64(trailer), count >= 1,
        count <= UInt64((trailer - Int(start)) / offsetSize), top < count
      else { return false }
      self.referenceSize = referenceSize
      self.top = Int(top)
      end = Int(start)
      var next: Int? = 8
      var lost = 0
      for index in 0..<Int(count) {
        let declared = load(Int(start) + index * offsetSize, size: offsetSize)
        var offset: Int?
        if declared >= 8, declared < start {
          offset = Int(declared)
        } else {
          // Objects mostly stand one after the other.
          offset = next
          lost += 1
          // A table that is mostly lost is no better than none.
          guard lost <= Self.maxLostOffsets || lost <= Int(count) / 2 else { return false }
          if lost <= Self.maxLostOffsets {
            losses.append(
              ArchiveError(.offsetOutOfBounds, at: .byte(Int(start) + index * offsetSize)))
          }
        }
        next = offset.flatMap { try? payload(at: $0).end }
        if next == end { next = nil }
        offsets.append(offset)
      }
      correctOffsets(Int(start), offsetSize)
      return hasFrame
    }

    /// Corrects offsets that lead to a wrong place among the objects.
    ///
    /// Where one object exactly fills the room between those before and after an entry, and no
    /// other entry leads to it, it is the entry's.
    private mutating func correctOffsets(_ table: Int, _ offsetSize: Int) {
      let taken = Set(offsets.compactMap { $0 })
      var corrected = 0
      var previousEnd = 8
      for index in offsets.indices {
        let following = index + 1 < offsets.count ? offsets[index + 1] : end
        if let offset = offsets[index], offset != previousEnd, !taken.contains(previousEnd),
          let ownEnd = try? payload(at: previousEnd).end, ownEnd == following
        {
          offsets[index] = previousEnd
          corrected += 1
          if corrected <= Self.maxLostOffsets {
            losses.append(ArchiveError(.wrongOffset, at: .byte(table + index * offsetSize)))
          }
        }
        previousEnd = offsets[index].flatMap { try? payload(at: $0).end } ?? end
      }
    }

    /// Finds the objects by their markers; the size of references is the one that makes an archive.
    private mutating func scan() -> Bool {
      end = bytes.count - Self.padding
      var best: (size: Int, offsets: [Int?], top: Int)?
      for size in 1...8 {
        referenceSize = size
        offsets = []
        var offset = 8
        while let payload = try? payload(at: offset) {
          offsets.append(offset)
          offset = payload.end
        }
        guard let frame = offsets.indices.first(where: isFrame) else { continue }
        if offsets.count > best?.offsets.count ?? 0 { best = (size, offsets, frame) }
      }
      guard let best else { return false }
      (referenceSize, offsets, top) = best
      return true
    }

    /// True if the top object is the frame of an archive.
    private var hasFrame: Bool { offsets.indices.contains(top) && isFrame(top) }

    private func isFrame(_ index: Int) -> Bool {
      guard let offset = offsets[index], bytes[offset] >> 4 == 0xD else { return false }
      let references = references(at: offset)
      let keys = references.prefix(references.count / 2)
      guard let position = keys.firstIndex(where: { isKey("$objects", $0) }) else { return false }
      let value = references[position + keys.count]
      guard offsets.indices.contains(value), let objects = offsets[value] else { return false }
      return bytes[objects] >> 4 == 0xA
    }

    private func isKey(_ text: String, _ index: Int) -> Bool {
      guard offsets.indices.contains(index), let offset = offsets[index],
        bytes[offset] == 0x50 | UInt8(text.utf8.count)
      else { return false }
      return bytes[(offset + 1)...].starts(with: text.utf8)
    }

    /// The references that the object at an offset holds: none unless it is a container.
    private func references(at offset: Int) -> [Int] {
      referenceLocations(at: offset).map { Int(clamping: load($0, size: referenceSize)) }
    }

    func referenceLocations(at offset: Int) -> [Int] {
      guard [0xA, 0xB, 0xC, 0xD].contains(bytes[offset] >> 4),
        let payload = try? payload(at: offset)
      else { return [] }
      return Array(stride(from: payload.offset, to: payload.end, by: referenceSize))
    }

    // MARK: The result

    private consuming func result() -> Result {
      // Damaged references to null have to be told from nil, which no archiver writes.
      damaged[null] = ArchiveError(.referenceOutOfBounds)
      bytes.removeSubrange(end...)
      bytes += added
      let nullOffset = bytes.count
      bytes.append(0x00)
      let keyOffset = bytes.count
      bytes += Self.lostKey
      let table = bytes.count
      func append(_ value: Int) {
        unsafe withUnsafeBytes(of: UInt64(value).bigEndian) { unsafe bytes.append(contentsOf: $0) }
      }
      for offset in offsets { append(offset ?? nullOffset) }
      append(nullOffset)
      append(keyOffset)
      bytes += [0, 0, 0, 0, 0, 0, 8, UInt8(truncatingIfNeeded: referenceSize)]
      append(offsets.count + 2)
      append(top)
      append(table)
      return Result(bytes: bytes, losses: losses, damagedNodes: damaged)
    }
  }
}

extension ByteRange {
  /// The first byte after it.
  var end: Int { offset + count }
}
