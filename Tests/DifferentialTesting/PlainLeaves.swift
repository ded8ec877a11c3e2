/// The plain values in a binary property list, read without any of the project's readers.
enum PlainLeaves {
  /// All values of a list; none where the bytes are no list.
  static func of(_ bytes: [UInt8]) -> Set<Cell> {
    guard bytes.count > 40, bytes.starts(with: Array("bplist00".utf8)) else { return [] }
    let trailer = bytes.suffix(32)
    func number(_ place: Int, _ size: Int) -> Int {
      guard place >= 0, size > 0, size <= 8, place + size <= bytes.count else { return 0 }
      return bytes[place..<(place + size)].reduce(0) { $0 << 8 | Int($1) }
    }
    let offsetSize = Int(trailer[trailer.startIndex + 6])
    let count = number(bytes.count - 24, 8)
    let table = number(bytes.count - 8, 8)
    var found: Set<Cell> = []
    for place in 0..<min(count, bytes.count) {
      var start = number(table + place * offsetSize, offsetSize)
      guard start < bytes.count else { continue }
      let marker = bytes[start]
      start += 1
      var length = Int(marker & 0xF)
      if marker >> 4 > 3, length == 0xF, start < bytes.count {
        let size = 1 << Int(bytes[start] & 0xF)
        length = number(start + 1, size)
        start += 1 + size
      }
      switch marker >> 4 {
      case 0 where marker == 8 || marker == 9: found.insert(.integer(marker == 9 ? 1 : 0))
      case 1:
        let size = 1 << length
        if size == 16, let value = UInt64(exactly: wide(bytes, start + 8)) {
          found.insert(value > UInt64(Int64.max) ? .text("\(value)") : .integer(Int64(value)))
        } else {
          found.insert(
            .integer(size == 8 ? Int64(bitPattern: wide(bytes, start)) : Int64(number(start, size)))
          )
        }
      case 2: found.insert(.realBits(wide(bytes, start)))
      case 4 where start + length <= bytes.count:
        found.insert(.blob(Array(bytes[start..<(start + length)])))
      case 5 where start + length <= bytes.count:
        found.insert(.text(String(decoding: bytes[start..<(start + length)], as: UTF8.self)))
      case 6 where start + 2 * length <= bytes.count:
        let units = (0..<length).map { UInt16(number(start + 2 * $0, 2)) }
        found.insert(.text(String(decoding: units, as: UTF16.self)))
      default: break
      }
    }
    return found
  }

  private static func wide(_ bytes: [UInt8], _ start: Int) -> UInt64 {
    guard start + 8 <= bytes.count else { return 0 }
    return bytes[start..<(start + 8)].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
