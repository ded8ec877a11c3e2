extension PropertyList {
  /// Checks a binary property list once, so that everything above can read it in place.
  ///
  /// The format is that of CFBinaryPList.c: "bplist00", the objects, the offset table, and a
  /// trailer of 32 bytes (5 unused, sort version, offset size, reference size, and as 8-byte
  /// integers the number of objects, the top object and the place of the offset table).
  /// Objects are those of version 00. The markers 0x0C, 0x0D and 0x0E (a URL, a URL with a base, a
  /// UUID) are reserved for versions 1x, which have another frame; they are refused, as
  /// CoreFoundation refuses them.
  /// The objects are checked by `BinaryChecker`.
  struct BinaryReader {
    static let signature: [UInt8] = Array("bplist".utf8)

    private let bytes: BinaryBytes
    private let limits: ReadingLimits
    private var offsetSize = 0
    private var referenceSize = 0
    private var count = 0
    private var tableStart = 0

    /// Checks a list; returns its table and its top node.
    static func read(
      _ storage: ByteStorage, limits: ReadingLimits
    ) throws(ArchiveError) -> (NodeTable, Node) {
      var reader = unsafe BinaryReader(
        bytes: BinaryBytes(storage.bytes), limits: limits)
      do throws(ArchiveError) {
        let top = try reader.readTrailer()
        try reader.checkObjects()
        return (try reader.makeTable(), top)
      } catch {
        throw LineEndDamage.explain(error, in: storage)
      }
    }

    private init(bytes: BinaryBytes, limits: ReadingLimits) {
      self.bytes = bytes
      self.limits = limits
    }

    private func makeTable() throws(ArchiveError) -> NodeTable {
      let table = unsafe bytes.table(
        offsets: tableStart, offsetSize: offsetSize, referenceSize: referenceSize, count: count)
      guard let table else { throw ArchiveError(.empty) }
      return table
    }

    // MARK: Trailer

    private mutating func readTrailer() throws(ArchiveError) -> Node {
      // The shortest list has a signature, one object, one offset and the trailer.
      guard bytes.count >= 8 + 2 + BinaryBytes.trailerSize else {
        throw cutOff
      }
      let trailer = bytes.count - BinaryBytes.trailerSize
      offsetSize = Int(bytes.byte(at: trailer + 6))
      referenceSize = Int(bytes.byte(at: trailer + 7))
      let declaredCount = bytes.load(trailer + 8, size: 8)
      let top = bytes.load(trailer + 16, size: 8)
      let declaredStart = bytes.load(trailer + 24, size: 8)

      func damaged(_ what: String, at offset: Int) -> ArchiveError {
        // Nobody uses the first six bytes. Where they are not zero, there is no trailer.
        guard (trailer..<trailer + 6).allSatisfy({ bytes.byte(at: $0) == 0 }) else { return cutOff }
        return ArchiveError(.damagedTrailer, at: .byte(trailer + offset), name: what)
      }
      // Sizes that are no power of two occur in sound files.
      guard (1...8).contains(offsetSize) else { throw damaged("offset size", at: 6) }
      guard (1...8).contains(referenceSize) else { throw damaged("reference size", at: 7) }
      // The offset table lies between the objects and the trailer.
      guard declaredStart >= 9, declaredStart <= UInt64(trailer) else {
        throw damaged("position of the offset table", at: 24)
      }
      tableStart = Int(declaredStart)
      // Every entry of the offset table lies before the trailer.
      guard declaredCount >= 1, declaredCount <= UInt64((trailer - tableStart) / offsetSize) else {
        throw damaged("number of objects", at: 8)
      }
      count = Int(declaredCount)
      // The table numbers nodes with 32 bits.
      guard count <= limits.values, count < Int(UInt32.max) else { throw limits.exceeded(.values) }
      guard top < declaredCount else { throw damaged("top object", at: 16) }
      return Node(index: Int(top))
    }

    /// That the end of the file is missing.
    private var cutOff: ArchiveError {
      ArchiveError(.truncated, name: "after \(bytes.count) bytes")
    }

    // MARK: Objects

    private func checkObjects() throws(ArchiveError) {
      let checker = BinaryChecker(
        bytes: bytes, tableStart: tableStart, offsetSize: offsetSize, referenceSize: referenceSize,
        count: count)
      try checker.check()
    }
  }
}
