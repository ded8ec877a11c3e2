/// 32 characters in a row that stand for the control characters in an XML document.
struct XMLStandIns {
  /// The first of them; its last six bits, and those of the others, fit into the last byte.
  private let first: Int

  /// The characters that text never holds: U+FDD0…U+FDEF.
  static let noncharacters = XMLStandIns(first: 0xFDD0)
  /// The characters for private use, in rows of 32.
  private static let privateRows = stride(from: 0xE000, to: 0xF900, by: 32)

  private init(first: Int) { self.first = first }

  /// Finds characters that a document holds neither in UTF-8 nor as character references; nil if it
  /// holds some of every row.
  init?<Document: RandomAccessCollection<UInt8>>(
    notIn document: Document
  ) where Document.Index == Int {
    var held: Set<Int> = []
    for offset in document.indices {
      switch document[offset] {
      case 0xEE, 0xEF:
        let bytes = Array(document[offset...].prefix(3))
        guard bytes.count == 3 else { continue }
        let bits = Int(bytes[0] & 0xF) << 12 | Int(bytes[1] & 0x3F) << 6 | Int(bytes[2] & 0x3F)
        held.insert(Self.row(of: bits))
      case 0x26:
        guard let scalar = Self.reference(document[(offset + 1)...]) else { continue }
        held.insert(Self.row(of: scalar))
      default: break
      }
    }
    let rows = [Self.noncharacters.first] + Self.privateRows
    guard let first = rows.first(where: { !held.contains($0) }) else { return nil }
    self.first = first
  }

  /// The first byte of each of them in UTF-8.
  var lead: UInt8 { 0xE0 | UInt8(first >> 12) }
  private var middle: UInt8 { 0x80 | UInt8(first >> 6 & 0x3F) }
  private var last: UInt8 { 0x80 | UInt8(first & 0x3F) }

  /// The character for a control character, in UTF-8.
  func bytes(for character: UInt8) -> [UInt8] { [lead, middle, last + character] }

  /// The character for a control character, as a character reference.
  func reference(for character: UInt8) -> [UInt8] {
    Array("&#\(first + Int(character));".utf8)
  }

  /// The control character that the beginning of a text in UTF-8 stands for; nil if it is another.
  func character(at text: some Collection<UInt8>) -> UInt8? {
    let bytes = Array(text.prefix(3))
    guard bytes.count == 3, bytes[0] == lead, bytes[1] == middle, bytes[2] >= last,
      bytes[2] - last < 32
    else { return nil }
    return bytes[2] - last
  }

  /// The first character of the row that a character belongs to.
  private static func row(of scalar: Int) -> Int {
    (0xFDD0...0xFDEF).contains(scalar) ? noncharacters.first : scalar & ~31
  }

  /// The number of a character reference, after its "&"; nil for what is none.
  private static func reference(_ text: some Collection<UInt8>) -> Int? {
    guard text.first == 0x23 else { return nil }
    let rest = text.dropFirst()
    let isHexadecimal = rest.first == 0x78
    var number = 0
    for byte in rest.dropFirst(isHexadecimal ? 1 : 0) {
      guard byte != 0x3B else { return number }
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, digit < 10 || isHexadecimal
      else { return nil }
      // Beyond all characters it stays so.
      number = min(number * (isHexadecimal ? 16 : 10) + digit, 0x11_0000)
    }
    return nil
  }
}
