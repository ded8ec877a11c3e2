extension PropertyList {
  /// The bytes of a compiled nib, read from one place on; each number is checked before it is used.
  ///
  /// All integers are little-endian. After "NIBArchive" stand ten of 32 bits: 1 (the format), the
  /// version of the coder, and for objects, keys, values and classes the count and the place. These
  /// four sections follow each other. A varint has seven bits in a byte, the lowest first, and the
  /// high bit set on its last byte.
  ///
  /// | section | an entry |
  /// | --- | --- |
  /// | objects | varints: its class, its first value, how many values |
  /// | keys | a varint, as many bytes of UTF-8 |
  /// | values | a varint, its key; a byte, its type; then what the type asks for |
  /// | classes | varints: the length of its name, how many fallbacks; as many indices of classes in 32 bits; the name, with a zero at its end |
  struct NibBytes {
    enum Section: Int { case objects, keys, values, classes }

    enum Value {
      case integer(Int64)
      case bool(Bool)
      case real(Double)
      /// Bytes, and where they begin.
      case bytes(BorrowedBytes, at: Int)
      case null
      /// The number of an object.
      case object(Int)
    }

    static let signature = "NIBArchive"
    private static let headerSize = 50
    /// The size of the smallest entry of each section.
    private static let smallest = [3, 1, 2, 3]

    /// The version of the coder.
    private(set) var version = 0
    /// The place of the next read.
    private(set) var offset = signature.utf8.count
    private let bytes: BorrowedBytes
    /// The end of the section that is read.
    private var end: Int
    private var sections: [(count: Int, start: Int, end: Int)] = []

    /// Reads the header.
    init(_ bytes: BorrowedBytes) throws(ArchiveError) {
      self.bytes = bytes
      end = bytes.count
      guard end >= Self.headerSize else { throw damage("its header is cut off", at: end) }
      let format = try readNumber(4)
      version = Int(try readNumber(4))
      guard format == 1, (9...10).contains(version) else {
        throw ArchiveError(
          .unsupportedVersion, at: .byte(offset - (format == 1 ? 4 : 8)),
          name: format == 1 ? "\(version) of a nib" : "\(format) of the format of nibs")
      }
      for index in Self.smallest.indices {
        let (count, start) = (Int(try readNumber(4)), Int(try readNumber(4)))
        let first = sections.last?.start ?? Self.headerSize
        guard start == first || start > first && index > 0 && start <= bytes.count else {
          throw damage("a section begins at the wrong place", at: offset - 4)
        }
        if index > 0 { sections[index - 1].end = start }
        sections.append((count, start, bytes.count))
      }
      for (index, section) in sections.enumerated()
      where section.count > (section.end - section.start) / Self.smallest[index] {
        throw damage(
          "a section is too small for its entries",
          at: Self.place(of: Section(rawValue: index) ?? .objects))
      }
    }

    // MARK: Sections

    /// The place in the header of the count of a section.
    static func place(of section: Section) -> Int { 18 + 8 * section.rawValue }

    /// The number of entries of a section.
    func count(of section: Section) -> Int { sections[section.rawValue].count }

    /// Goes to the beginning of a section; returns how many entries it has.
    mutating func begin(_ section: Section) -> Int {
      (offset, end) = (sections[section.rawValue].start, sections[section.rawValue].end)
      return count(of: section)
    }

    /// The number of bytes left in the section.
    var rest: Int { end - offset }

    /// Checks that nothing is left in the section.
    func finish() throws(ArchiveError) {
      guard rest == 0 else { throw damage("bytes follow the last entry of a section", at: offset) }
    }

    func damage(_ what: String, at place: Int) -> ArchiveError {
      ArchiveError(.damagedNib, at: .byte(place), name: what)
    }

    // MARK: Entries

    /// Reads a varint.
    mutating func readCount() throws(ArchiveError) -> Int {
      let start = offset
      var value = 0
      for shift in stride(from: 0, to: 35, by: 7) {
        let byte = Int(try readNumber(1))
        value |= (byte & 0x7F) << shift
        if byte & 0x80 != 0 { return value }
      }
      throw damage("a number does not end", at: start)
    }

    /// Reads a number of up to eight bytes.
    mutating func readNumber(_ size: Int) throws(ArchiveError) -> UInt64 {
      guard size <= rest else { throw damage("an entry is cut off", at: offset) }
      var value: UInt64 = 0
      for index in 0..<size { value |= UInt64(bytes[offset + index]) << (8 * UInt64(index)) }
      offset += size
      return value
    }

    /// Reads bytes; returns them, and where they begin.
    mutating func readBytes(_ size: Int) throws(ArchiveError) -> (BorrowedBytes, at: Int) {
      guard size <= rest else { throw damage("an entry is cut off", at: offset) }
      defer { offset += size }
      return (bytes.part(offset..<offset + size), offset)
    }

    /// Reads the type of a value, and the value.
    mutating func readValue() throws(ArchiveError) -> Value {
      let start = offset
      switch try readNumber(1) {
      case 0: return .integer(Int64(Int8(truncatingIfNeeded: try readNumber(1))))
      case 1: return .integer(Int64(Int16(truncatingIfNeeded: try readNumber(2))))
      case 2: return .integer(Int64(Int32(truncatingIfNeeded: try readNumber(4))))
      case 3: return .integer(Int64(bitPattern: try readNumber(8)))
      case 4: return .bool(false)
      case 5: return .bool(true)
      case 6:
        return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: try readNumber(4)))))
      case 7: return .real(Double(bitPattern: try readNumber(8)))
      case 8:
        let (bytes, place) = try readBytes(try readCount())
        return .bytes(bytes, at: place)
      case 9: return .null
      case 10:
        let object = Int(try readNumber(4))
        guard object < count(of: .objects) else {
          throw damage("a value refers to object \(object), which does not exist", at: start)
        }
        return .object(object)
      default: throw damage("a value has an unknown type", at: start)
      }
    }
  }
}
