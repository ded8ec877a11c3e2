/// Checks a binary property list once, so that everything above can read it in place.
///
/// The format is that of CFBinaryPList.c: "bplist00", the objects, the offset table, and a
/// trailer of 32 bytes (5 unused, sort version, offset size, reference size, and as 8-byte
/// integers the number of objects, the top object and the place of the offset table).
/// Objects are those of version 00. The markers 0x0C, 0x0D and 0x0E (a URL, a URL with a base, a
/// UUID) are reserved for versions 1x, which have another frame; they are refused, as
/// CoreFoundation refuses them.
/// The pass is linear in the size of the file and holds nothing in memory.
struct BinaryPropertyListReader {
  static let signature: [UInt8] = Array("bplist".utf8)
  static let trailerSize = 32

  private let bytes: UnsafeRawBufferPointer
  private let limits: ReadingLimits
  private var offsetSize = 0
  private var referenceSize = 0
  private var count = 0
  private var tableStart = 0

  /// Checks a list; returns its table and its top node.
  static func read(
    _ storage: ByteStorage, limits: ReadingLimits
  ) throws(ArchiveError) -> (NodeTable, Node) {
    var reader = BinaryPropertyListReader(bytes: storage.bytes, limits: limits)
    do throws(ArchiveError) {
      let top = try reader.readTrailer()
      try reader.checkObjects()
      return (try reader.makeTable(), top)
    } catch {
      throw LineEndDamage.explain(error, in: storage.bytes)
    }
  }

  private init(bytes: UnsafeRawBufferPointer, limits: ReadingLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  private func makeTable() throws(ArchiveError) -> NodeTable {
    guard let base = bytes.baseAddress else { throw ArchiveError(.empty) }
    return NodeTable(
      objects: base, offsets: base + tableStart, offsetSize: offsetSize,
      referenceSize: referenceSize, count: count)
  }

  // MARK: Trailer

  private mutating func readTrailer() throws(ArchiveError) -> Node {
    // The shortest list has a signature, one object, one offset and the trailer.
    guard bytes.count >= 8 + 2 + Self.trailerSize else {
      throw ArchiveError(.truncated, at: .byte(bytes.count))
    }
    let trailer = bytes.count - Self.trailerSize
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    let declaredCount = load(trailer + 8, size: 8)
    let top = load(trailer + 16, size: 8)
    let declaredStart = load(trailer + 24, size: 8)

    func damaged(_ what: String, at offset: Int) -> ArchiveError {
      ArchiveError(.damagedTrailer, at: .byte(trailer + offset), name: what)
    }
    // Sizes that are no power of two occur in sound files.
    guard (1...8).contains(offsetSize) else { throw damaged("offset size", at: 6) }
    guard (1...8).contains(referenceSize) else { throw damaged("reference size", at: 7) }
    // The offset table lies between the objects and the trailer.
    guard declaredStart >= 9, declaredStart <= UInt64(trailer) else {
      throw damaged("place of the offset table", at: 24)
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

  // MARK: Objects

  /// How many times the bytes of a file its objects may take, where entries share them.
  static let mostShared = 4

  private func checkObjects() throws(ArchiveError) {
    var total = 0
    for index in 0..<count {
      let entry = tableStart + index * offsetSize
      let declared = load(entry, size: offsetSize)
      guard declared >= 8, declared < UInt64(tableStart) else {
        throw ArchiveError(.offsetOutOfBounds, at: .byte(entry))
      }
      let offset = Int(declared)
      let size = try checkObject(at: offset)
      // Entries may share an object, but a file whose objects add up to several times its size
      // would grow without bounds when it is written out.
      (total, _) = total.addingReportingOverflow(size)
      guard total <= Self.mostShared * bytes.count else {
        throw ArchiveError(.overlappingObjects, at: .byte(offset))
      }
    }
  }

  /// Checks one object; returns its size in bytes.
  private func checkObject(at offset: Int) throws(ArchiveError) -> Int {
    let payload = try bounds.payload(at: offset)
    switch bytes[offset] >> 4 {
    case 0x5:
      guard isASCII(payload) else { throw ArchiveError(.stringNotASCII, at: .byte(offset)) }
    case 0x8:
      try checkUID(payload, at: offset)
    case 0xA, 0xB, 0xC:
      try checkReferences(payload)
    case 0xD:
      try checkReferences(payload)
      try checkKeys(ByteRange(offset: payload.offset, count: payload.count / 2))
    default:
      break
    }
    return payload.offset + payload.count - offset
  }

  private var bounds: BinaryObjectBounds {
    BinaryObjectBounds(bytes: bytes, end: tableStart, referenceSize: referenceSize)
  }

  private func checkReferences(_ payload: ByteRange) throws(ArchiveError) {
    var place = payload.offset
    let end = payload.offset + payload.count
    while place < end {
      guard load(place, size: referenceSize) < UInt64(count) else {
        throw ArchiveError(.referenceOutOfBounds, at: .byte(place))
      }
      place += referenceSize
    }
  }

  /// The keys of a dictionary are strings.
  ///
  /// Their offsets may not be checked yet.
  private func checkKeys(_ keys: ByteRange) throws(ArchiveError) {
    var place = keys.offset
    while place < keys.offset + keys.count {
      let index = Int(load(place, size: referenceSize))
      let offset = load(tableStart + index * offsetSize, size: offsetSize)
      guard offset < UInt64(tableStart), case let kind = bytes[Int(offset)] >> 4,
        kind == 0x5 || kind == 0x6
      else { throw ArchiveError(.keyNotAString, at: .byte(place)) }
      place += referenceSize
    }
  }

  private func checkUID(_ payload: ByteRange, at offset: Int) throws(ArchiveError) {
    // Archivers write up to four bytes; wider ones must hold a small number all the same.
    let tail = min(payload.count, 8)
    for place in payload.offset..<(payload.offset + payload.count - tail) where bytes[place] != 0 {
      throw ArchiveError(.oversizedUID, at: .byte(offset))
    }
    guard load(payload.offset + payload.count - tail, size: tail) <= UInt64(UInt32.max) else {
      throw ArchiveError(.oversizedUID, at: .byte(offset))
    }
  }

  private func isASCII(_ range: ByteRange) -> Bool {
    var place = range.offset
    let end = range.offset + range.count
    while place + 8 <= end {
      let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { return false }
      place += 8
    }
    while place < end {
      if bytes[place] >= 0x80 { return false }
      place += 1
    }
    return true
  }

  private func load(_ place: Int, size: Int) -> UInt64 {
    bounds.load(place, size: size)
  }
}
