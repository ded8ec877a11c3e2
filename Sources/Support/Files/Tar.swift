import Foundation

/// Tar files: headers of 512 bytes, each before the bytes of its file, which fill whole blocks.
///
/// After POSIX.1-1988 (ustar), POSIX.1-2001 (pax records), and GNU tar's long names and numbers.
extension MemberList {
  private static var blockSize: Int { 512 }
  /// The most bytes of a long name, or of the records before a file.
  private static var maxExtra: Int { 1 << 20 }

  /// Adds the members of a tar file; returns false if it is none.
  mutating func readTar(_ file: borrowing ContainerFile) throws(Container.Refusal) -> Bool {
    var (offset, records): (Int, [String: [UInt8]]) = (0, [:])
    var emptyBlocks = 0
    while emptyBlocks < 2, offset < file.size {
      guard file.size - offset >= Self.blockSize else { throw .damaged(offset) }
      let block = try file.bytes(offset, Self.blockSize)
      guard block.contains(where: { $0 != 0 }) else {
        guard offset > 0 else { return false }
        emptyBlocks += 1
        offset += Self.blockSize
        continue
      }
      guard emptyBlocks == 0, let header = TarHeader(block) else {
        if offset == 0 { return false }
        throw .damaged(offset)
      }
      let start = offset + Self.blockSize
      var size = header.size
      if header.isFile, let text = records["size"] {
        guard let number = Int(String(decoding: text, as: UTF8.self)) else {
          throw .damaged(offset)
        }
        size = number
      }
      guard size >= 0, size <= file.size - start else { throw .damaged(offset) }
      let (blocks, rest) = size.quotientAndRemainder(dividingBy: Self.blockSize)
      switch header.kind {
      case "x", "L":
        guard size <= Self.maxExtra else { throw .damaged(offset) }
        let bytes = try file.bytes(start, size)
        if header.kind == "L" {
          records["path"] = Array(bytes.prefix { $0 != 0 })
        } else {
          guard let found = Self.records(bytes) else { throw .damaged(offset) }
          records.merge(found) { $1 }
        }
      case _ where header.isFile:
        var member = Container.Member(offset: start, packedSize: size, size: size)
        if header.kind == "S" || records.keys.contains(where: { $0.hasPrefix("GNU.sparse") }) {
          member.refusal = .sparse
        }
        try add(records["path"] ?? header.name, member)
        records = [:]
      case "g", "K": break
      default: records = [:]
      }
      offset = start + (blocks + (rest > 0 ? 1 : 0)) * Self.blockSize
    }
    return offset > 0
  }

  /// The records of pax: `LENGTH KEY=VALUE` and a line feed, the length being that of all of it.
  private static func records(_ bytes: [UInt8]) -> [String: [UInt8]]? {
    var records: [String: [UInt8]] = [:]
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let space = rest.firstIndex(of: UInt8(ascii: " ")),
        let length = Int(String(decoding: rest[..<space], as: UTF8.self)),
        length > space - rest.startIndex, length <= rest.count
      else { return nil }
      let record = rest[(space + 1)..<(rest.startIndex + length)]
      guard record.last == UInt8(ascii: "\n"), let sign = record.firstIndex(of: UInt8(ascii: "="))
      else { return nil }
      records[String(decoding: record[..<sign], as: UTF8.self)] =
        Array(record[(sign + 1)...].dropLast())
      rest = rest.dropFirst(length)
    }
    return records
  }
}

/// A header of a tar file.
private struct TarHeader {
  var name: [UInt8]
  var size: Int
  var kind: Character

  var isFile: Bool { ["0", "\0", "7", "S"].contains(kind) }

  /// Reads a header; nil if its checksum is wrong, or a number none.
  init?(_ block: [UInt8]) {
    let sum = (148..<156).reduce(block.reduce(0) { $0 + Int($1) }) { $0 - Int(block[$1]) + 32 }
    guard Self.number(block[148..<156]) == sum, let size = Self.number(block[124..<136]) else {
      return nil
    }
    self.size = size
    kind = Character(Unicode.Scalar(block[156]))
    name = Self.text(block[0..<100])
    // GNU tar has other things in place of the prefix.
    if block[257..<263].elementsEqual("ustar\0".utf8) {
      let prefix = Self.text(block[345..<500])
      if !prefix.isEmpty { name = prefix + "/".utf8 + name }
    }
  }

  private static func text(_ field: ArraySlice<UInt8>) -> [UInt8] {
    Array(field.prefix { $0 != 0 })
  }

  /// A number: octal, or binary if its first bit is set.
  private static func number(_ field: ArraySlice<UInt8>) -> Int? {
    if let first = field.first, first & 0x80 != 0 {
      return field.dropFirst().reduce(Int(first & 0x7F)) { number, byte in
        guard let number, number <= Int.max >> 8 else { return nil }
        return number << 8 | Int(byte)
      }
    }
    let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0 && $0 != 0x20 }
    return digits.isEmpty ? 0 : Int(String(decoding: digits, as: UTF8.self), radix: 8)
  }
}
