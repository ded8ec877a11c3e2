/// The values of a property list, by number, read in place.
///
/// The table has the form of a binary property list (CFBinaryPList.c: a marker byte, a count, a
/// payload; containers hold references of a fixed size; an offset table leads to each object),
/// whichever form the file has: XML is parsed into it.
///
/// In both, a UID may be a dictionary with the one key `CF$UID`, as it is in XML: programs that
/// know no UIDs save archives so. `Builder` makes UIDs of those in XML; those of a binary list are
/// read as UIDs.
///
/// A table made from XML has no offset table: the number of a node is its place. A number from
/// `firstUID` on is no place but a UID, which takes no memory of its own. It has markers that no
/// file has: see `Marker`.
///
/// Reads are unchecked. They are safe since a table is made only by `PropertyList.BinaryReader`,
/// which checks every object and reference of a file beforehand, and by `NodeTable.Builder`,
/// which writes its own. Both leave eight readable bytes behind the last object and the offset
/// table, so that an integer of any width is one load and a shift. A table holds no reference to
/// its storage: whoever owns the `PropertyList` keeps it alive.
@safe package struct NodeTable: @unchecked Sendable {
  // Unchecked: the memory never changes.
  private let objects: UnsafeRawPointer
  private let offsets: UnsafeRawPointer
  private let offsetSize: Int
  package let referenceSize: Int
  /// The number of values.
  package let count: Int
  /// The distance from the objects to the file, where texts are left in it.
  private let fileDistance: Int

  /// The first number that is a UID rather than a place, in a table made from XML.
  ///
  /// UIDs from 2^28 on do not fit; they are nodes.
  static var firstUID: Int { ReadingLimits.firstXMLUID }

  /// The markers that only tables made from XML have, and those of a UID that is a dictionary.
  enum Marker {
    /// A dictionary with one key.
    static let oneKey: UInt8 = 0xD1
    /// An ASCII text as long as the key of a UID.
    static let uidKey: UInt8 = 0x50 | UInt8(uidKeyText.count)
    /// The key of a UID, and its bytes as a number.
    static let uidKeyText = Array("CF$UID".utf8)
    static let uidKeyNumber = uidKeyText.reduce(0) { $0 << 8 | UInt64($1) }
    /// UTF-8 text: a count in the lower half, as of other texts.
    static let text: UInt8 = 0x70
    /// A dictionary whose keys stand elsewhere, as an array: its place in four bytes, the values.
    static let sharedKeys: UInt8 = 0xE0
    /// UTF-8 text in the file: its place in four bytes, its size in one.
    static let nearText: UInt8 = 0xF0
    /// UTF-8 text in the file: its place and its size in eight bytes each.
    static let farText: UInt8 = 0xF1
  }

  /// A table in the form of a binary property list.
  init(
    objects: UnsafeRawPointer, offsets: UnsafeRawPointer, offsetSize: Int, referenceSize: Int,
    count: Int
  ) {
    unsafe self.objects = objects
    unsafe self.offsets = offsets
    self.offsetSize = offsetSize
    self.referenceSize = referenceSize
    self.count = count
    fileDistance = 0
  }

  /// A table that `Builder` made, over a file with texts.
  init(objects: UnsafeRawPointer, file: UnsafeRawPointer, count: Int) {
    unsafe self.objects = objects
    unsafe offsets = objects
    offsetSize = 0
    referenceSize = 4
    self.count = count
    fileDistance = Int(bitPattern: file) &- Int(bitPattern: objects)
  }

  // MARK: Nodes

  /// The offset of a node's marker; below zero if the node is a UID without one.
  @inline(__always)
  package func offset(of node: Node) -> Int {
    guard offsetSize > 0 else {
      return node.index < Self.firstUID ? node.index : Self.firstUID - 1 - node.index
    }
    return unsafe Int(
      truncatingIfNeeded: Self.load(offsets + node.index * offsetSize, size: offsetSize))
  }

  package func value(of node: Node) -> Node.Value {
    value(at: offset(of: node))
  }

  package func value(at offset: Int) -> Node.Value {
    guard offset >= 0 else { return .uid(-1 - offset) }
    let marker = byte(at: offset)
    switch marker >> 4 {
    case 0x0:
      switch marker {
      case 0x08: return .bool(false)
      case 0x09: return .bool(true)
      default: return .null
      }
    case 0x1: return integerValue(at: offset + 1, size: 1 << Int(marker & 0xF))
    case 0x2:
      if marker == 0x22 {
        let bits = UInt32(truncatingIfNeeded: integer(at: offset + 1, size: 4))
        return .real(Double(Float(bitPattern: bits)))
      }
      return .real(Double(bitPattern: integer(at: offset + 1, size: 8)))
    case 0x3: return .date(Double(bitPattern: integer(at: offset + 1, size: 8)))
    case 0x4: return .data(payload(at: offset, marker))
    case 0x5, 0x6, 0x7, 0xF: return text(at: offset).map { .text($0) } ?? .null
    case 0x8:
      return .uid(uid(at: offset, marker))
    case 0xA:
      let elements = payload(at: offset, marker)
      return .array(Node.Run(offset: elements.offset, count: elements.count))
    case 0xB, 0xC:
      let elements = payload(at: offset, marker)
      return .set(Node.Run(offset: elements.offset, count: elements.count))
    default:
      guard let (keys, values) = dictionary(at: offset) else {
        return uidOfDictionary(at: offset, marker).map { .uid($0) } ?? .null
      }
      return .dictionary(keys: keys, values: values)
    }
  }

  /// The UID that a node holds, or nil if it holds something else.
  package func uid(of node: Node) -> Int? {
    uid(at: offset(of: node))
  }

  /// The UID whose marker stands at a place, or nil if it is another marker.
  @inline(__always)
  func uid(at offset: Int) -> Int? {
    guard offset >= 0 else { return -1 - offset }
    let marker = byte(at: offset)
    if marker >> 4 == 0x8 { return uid(at: offset, marker) }
    return marker == Marker.oneKey ? uidOfDictionary(at: offset, marker) : nil
  }

  /// The UID that a dictionary with the one key `CF$UID` is; nil for anything else.
  private func uidOfDictionary(at offset: Int, _ marker: UInt8) -> Int? {
    guard marker == Marker.oneKey else { return nil }
    let run = Node.Run(offset: offset + 1, count: 2)
    let key = self.offset(of: self[run, 0])
    guard key >= 0, byte(at: key) == Marker.uidKey,
      integer(at: key + 1, size: Marker.uidKeyText.count) == Marker.uidKeyNumber,
      case let value = self.offset(of: self[run, 1]), value >= 0, byte(at: value) >> 4 == 0x1,
      case .integer(let number) = self.value(at: value), let uid = UInt32(exactly: number)
    else { return nil }
    return Int(uid)
  }

  /// The dictionary whose marker stands at a place, or nil if it is another marker.
  @inline(__always)
  func dictionary(at offset: Int) -> (keys: Node.Run, values: Node.Run)? {
    guard offset >= 0 else { return nil }
    let marker = byte(at: offset)
    guard marker >> 4 == 0xD else { return dictionaryWithSharedKeys(at: offset, marker) }
    if marker == Marker.oneKey, uidOfDictionary(at: offset, marker) != nil { return nil }
    let keys = payload(at: offset, marker)
    return (
      Node.Run(offset: keys.offset, count: keys.count),
      Node.Run(offset: keys.offset + keys.count * referenceSize, count: keys.count)
    )
  }

  private func dictionaryWithSharedKeys(
    at offset: Int, _ marker: UInt8
  ) -> (keys: Node.Run, values: Node.Run)? {
    guard marker == Marker.sharedKeys else { return nil }
    let run = Int(truncatingIfNeeded: integer(at: offset + 1, size: 4))
    let keys = payload(at: run, byte(at: run))
    return (
      Node.Run(offset: keys.offset, count: keys.count),
      Node.Run(offset: offset + 5, count: keys.count)
    )
  }

  /// The entry of an array, or the key or value of a dictionary, at a place in its run.
  @inline(__always)
  package subscript(run: Node.Run, position: Int) -> Node {
    let place = unsafe objects + (run.offset + position * referenceSize)
    return unsafe Node(index: Int(truncatingIfNeeded: Self.load(place, size: referenceSize)))
  }

  /// The text whose marker stands at a place, or nil if it is another marker.
  @inline(__always)
  func text(at offset: Int) -> Text? {
    guard offset >= 0 else { return nil }
    let marker = byte(at: offset)
    switch marker >> 4 {
    case 0x5, 0x7: return Text(bytes: payload(at: offset, marker), encoding: .utf8)
    case 0x6:
      var bytes = payload(at: offset, marker)
      bytes.count *= 2
      return Text(bytes: bytes, encoding: .utf16)
    case 0xF: return Text(bytes: textInFile(at: offset, marker), encoding: .utf8)
    default: return nil
    }
  }

  // MARK: Bytes

  /// The bytes of a text or a data value, valid as long as the property list.
  package func bytes(_ range: ByteRange) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: objects + range.offset, count: range.count)
  }

  /// The same bytes as a value of an object graph.
  @inline(__always)
  func borrowed(_ range: ByteRange) -> BorrowedBytes {
    unsafe BorrowedBytes(start: objects + range.offset, count: range.count)
  }

  /// The bytes of a run of references: equal runs have equal bytes.
  @inline(__always)
  func view(_ run: Node.Run) -> BorrowedBytes {
    let start = unsafe objects + run.offset
    return unsafe BorrowedBytes(
      UnsafeRawBufferPointer(start: start, count: run.count * referenceSize))
  }

  @inline(__always)
  func borrowed(_ text: Text) -> BorrowedText {
    BorrowedText(bytes: borrowed(text.bytes), encoding: text.encoding)
  }

  /// The place of bytes that were borrowed from the table.
  func range(of bytes: BorrowedBytes) -> ByteRange {
    unsafe ByteRange(offset: bytes.start - objects, count: bytes.count)
  }

  /// A signed integer of 16 bytes.
  package func wideInteger(at offset: Int) -> Int128 {
    let high = integer(at: offset, size: 8)
    let low = integer(at: offset + 8, size: 8)
    return Int128(Int64(bitPattern: high)) << 64 | Int128(low)
  }

  @inline(__always)
  func byte(at offset: Int) -> UInt8 {
    unsafe objects.load(fromByteOffset: offset, as: UInt8.self)
  }

  @inline(__always)
  private func uid(at offset: Int, _ marker: UInt8) -> Int {
    let size = Int(marker & 0xF) + 1
    // Leading bytes beyond the eighth are zero: checked by the reader.
    let start = offset + 1 + max(0, size - 8)
    return Int(truncatingIfNeeded: integer(at: start, size: min(size, 8)))
  }

  /// The payload after a marker with a count; the count is in units of the marker's own.
  @inline(__always)
  private func payload(at offset: Int, _ marker: UInt8) -> ByteRange {
    let short = Int(marker & 0xF)
    guard short == 0xF else { return ByteRange(offset: offset + 1, count: short) }
    return longPayload(at: offset)
  }

  /// The payload where the count stands after the marker.
  private func longPayload(at offset: Int) -> ByteRange {
    let size = 1 << Int(byte(at: offset + 1) & 0xF)
    // Of a count of 16 bytes, the first eight are zero: checked by the reader.
    let count = integer(at: offset + 2 + max(0, size - 8), size: min(size, 8))
    return ByteRange(offset: offset + 2 + size, count: Int(truncatingIfNeeded: count))
  }

  /// The bytes of a text that stands in the file, by their distance from the objects.
  private func textInFile(at offset: Int, _ marker: UInt8) -> ByteRange {
    let size = marker == Marker.nearText ? 4 : 8
    let place = Int(truncatingIfNeeded: integer(at: offset + 1, size: size))
    let count = integer(at: offset + 1 + size, size: marker == Marker.nearText ? 1 : 8)
    return ByteRange(offset: fileDistance &+ place, count: Int(truncatingIfNeeded: count))
  }

  private func integerValue(at offset: Int, size: Int) -> Node.Value {
    guard size == 16 else {
      // One, two and four bytes are unsigned, eight are signed.
      return .integer(Int64(bitPattern: integer(at: offset, size: size)))
    }
    let high = integer(at: offset, size: 8)
    let low = integer(at: offset + 8, size: 8)
    let isSmall = high == 0 && low >> 63 == 0 || high == .max && low >> 63 == 1
    return isSmall ? .integer(Int64(bitPattern: low)) : .wideInteger(offset: offset)
  }

  @inline(__always)
  func integer(at offset: Int, size: Int) -> UInt64 {
    unsafe Self.load(objects + offset, size: size)
  }

  @inline(__always)
  private static func load(_ place: UnsafeRawPointer, size: Int) -> UInt64 {
    unsafe UInt64(bigEndian: place.loadUnaligned(as: UInt64.self))
      &>> UInt64(truncatingIfNeeded: 64 - 8 * size)
  }
}
