import Foundation

/// The form of a member of a zip file.
struct ZipPacking: Sendable {
  var isDeflated: Bool
  var checksum: UInt32
}

/// Zip files, after PKWARE's APPNOTE 6.3.10: a directory at the end tells where the members are.
extension MemberList {
  /// Adds the members of a zip file.
  ///
  /// - Returns: True.
  mutating func readZip(_ file: borrowing ContainerFile) throws(Container.Refusal) -> Bool {
    let directory = try Self.directory(file)
    let bytes = ZipBytes(
      try file.bytes(directory.lowerBound, directory.count), from: directory.lowerBound)
    var place = 0
    while place < bytes.count {
      guard try bytes.number(place, 4) == 0x0201_4B50 else { throw bytes.damage(place) }
      let (flags, method) = (try bytes.number(place + 8, 2), try bytes.number(place + 10, 2))
      let checksum = UInt32(truncatingIfNeeded: try bytes.number(place + 16, 4))
      var numbers = [
        try bytes.number(place + 24, 4), try bytes.number(place + 20, 4),
        try bytes.number(place + 42, 4),
      ]
      let nameStart = place + 46
      let extraStart = nameStart + (try bytes.number(place + 28, 2))
      let extraEnd = extraStart + (try bytes.number(place + 30, 2))
      let next = extraEnd + (try bytes.number(place + 32, 2))
      guard next <= bytes.count else { throw bytes.damage(place) }
      try Self.readLarge(bytes, extraStart..<extraEnd, &numbers)
      let name = bytes.part(nameStart..<extraStart)
      place = next
      guard name.last != UInt8(ascii: "/") else { continue }
      var member = Container.Member(
        offset: numbers[2], packedSize: numbers[1], size: numbers[0],
        packing: ZipPacking(isDeflated: method == 8, checksum: checksum))
      if flags & 1 != 0 {
        member.refusal = .encrypted
      } else if method != 0, method != 8 {
        member.refusal = .method
      } else if member.size > Container.limit(member.packedSize) {
        member.refusal = .tooLarge
      } else if method == 0, member.size != member.packedSize {
        member.refusal = .damaged(numbers[2])
      }
      try add(name, member)
    }
    return true
  }

  /// The place of the directory.
  private static func directory(
    _ file: borrowing ContainerFile
  ) throws(Container.Refusal) -> Range<Int> {
    let (endSize, mostComment, locatorSize) = (22, 0xFFFF, 20)
    let start = max(0, file.size - endSize - mostComment - locatorSize)
    let tail = ZipBytes(try file.bytes(start, file.size - start), from: start)
    var end = tail.count - endSize
    // The comment, of which only the length is known, may hold anything.
    while end >= 0 {
      if try tail.number(end, 4) == 0x0605_4B50,
        try tail.number(end + 20, 2) == tail.count - end - endSize
      {
        break
      }
      end -= 1
    }
    guard end >= 0 else { throw .damaged(file.size) }
    var (size, offset) = (try tail.number(end + 12, 4), try tail.number(end + 16, 4))
    if end >= locatorSize, try tail.number(end - locatorSize, 4) == 0x0706_4B50 {
      let place = try tail.number(end - locatorSize + 8, 8)
      let large = ZipBytes(try file.bytes(place, 56), from: place)
      guard try large.number(0, 4) == 0x0606_4B50 else { throw .damaged(place) }
      (size, offset) = (try large.number(40, 8), try large.number(48, 8))
    }
    guard offset <= file.size, size <= file.size - offset else { throw .damaged(start + end) }
    return offset..<offset + size
  }

  /// Reads the numbers of a member that do not fit into 32 bits: those that are all ones are in the
  /// extra field 1, in the order of `numbers`.
  private static func readLarge(
    _ bytes: ZipBytes, _ extra: Range<Int>, _ numbers: inout [Int]
  ) throws(Container.Refusal) {
    var place = extra.lowerBound
    while extra.upperBound - place >= 4 {
      let (kind, size) = (try bytes.number(place, 2), try bytes.number(place + 2, 2))
      let end = place + 4 + size
      guard end <= extra.upperBound else { throw bytes.damage(place) }
      if kind == 1 {
        var next = place + 4
        for index in numbers.indices where numbers[index] == 0xFFFF_FFFF {
          guard end - next >= 8 else { throw bytes.damage(place) }
          numbers[index] = try bytes.number(next, 8)
          next += 8
        }
      }
      place = end
    }
  }
}

extension ContainerFile {
  /// True if it begins as a zip file does.
  var isZip: Bool {
    let head = (try? bytes(0, min(4, size))) ?? []
    return head == [0x50, 0x4B, 3, 4] || head == [0x50, 0x4B, 5, 6]
  }

  /// The bytes of a member of a zip file, checked.
  func unpacked(
    _ member: Container.Member, _ packing: ZipPacking
  ) throws(Container.Refusal) -> [UInt8] {
    let header = ZipBytes(try bytes(member.offset, 30), from: member.offset)
    guard try header.number(0, 4) == 0x0403_4B50 else { throw header.damage(0) }
    let start = member.offset + 30 + (try header.number(26, 2)) + (try header.number(28, 2))
    var content = try bytes(start, member.packedSize)
    if packing.isDeflated {
      guard
        let inflated = try? Deflate.inflate(Data(content), limit: member.size).content
      else { throw .damaged(start) }
      content = Array(inflated)
    }
    guard content.count == member.size, Deflate.checksum(content) == packing.checksum else {
      throw .damaged(start)
    }
    return content
  }
}

/// Numbers in a part of a zip file.
private struct ZipBytes {
  private let bytes: [UInt8]
  private let origin: Int

  init(_ bytes: [UInt8], from origin: Int) { (self.bytes, self.origin) = (bytes, origin) }

  var count: Int { bytes.count }

  func part(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }

  func damage(_ place: Int) -> Container.Refusal { .damaged(origin + place) }

  /// A number, little-endian.
  func number(_ place: Int, _ size: Int) throws(Container.Refusal) -> Int {
    guard place >= 0, size <= bytes.count - place else { throw damage(place) }
    let number = bytes[place..<place + size].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard let number = Int(exactly: number) else { throw damage(place) }
    return number
  }
}
