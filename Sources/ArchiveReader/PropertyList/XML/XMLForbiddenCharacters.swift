extension PropertyList {
  /// The control characters of a document that XML 1.0 forbids.
  ///
  /// Apple's archivers write them into XML as they are (seen: 0x01, 0x1B), and no XML parser takes
  /// them. Each is handed to the parser as one of 32 characters that the document does not hold, and
  /// is turned back afterwards: of the noncharacters U+FDD0…U+FDEF, which text never holds, or else
  /// of those for private use. Where that cannot be done, they stay as they are, and the parser
  /// refuses the document.
  struct XMLForbiddenCharacters {
    /// The form of the characters that stand for others.
    private enum Form {
      case utf8
      /// As character references, in an encoding that has nothing else for them.
      case reference
    }

    /// The number of control characters that others stand for.
    let count: Int
    private let form: Form
    private let standIns: XMLStandIns

    init<Document: RandomAccessCollection<UInt8>>(
      _ document: Document, _ head: XMLDocumentHead
    ) where Document.Index == Int {
      form = head.isUTF8 ? .utf8 : .reference
      let found = Self.count(document, head)
      // References mean nothing in a CDATA section, and some encodings have any character.
      let standIns =
        found > 0 && (head.isUTF8 || Self.takesReferences(document, head))
        ? XMLStandIns(notIn: document) : nil
      count = standIns == nil ? 0 : found
      self.standIns = standIns ?? .noncharacters
    }

    private static func count<Document: RandomAccessCollection<UInt8>>(
      _ document: Document, _ head: XMLDocumentHead
    ) -> Int where Document.Index == Int {
      // In UTF-16, every other byte is a NUL: nothing to find there.
      guard document.count >= 4, !document.prefix(4).contains(0),
        !(document[0] >= 0xFE && document[1] >= 0xFE), !head.usesControlCharacters
      else { return 0 }
      // Counted without a branch, so that the compiler can take many bytes at a time.
      var found = 0
      for byte in document { found &+= isForbidden(byte) ? 1 : 0 }
      return found
    }

    /// A piece of the document in which every forbidden character is replaced; nil if it has none.
    func allowed(_ piece: some Collection<UInt8>) -> [UInt8]? {
      guard count > 0, piece.contains(where: Self.isForbidden) else { return nil }
      var copy: [UInt8] = []
      copy.reserveCapacity(piece.count + 64)
      for byte in piece {
        guard Self.isForbidden(byte) else {
          copy.append(byte)
          continue
        }
        switch form {
        case .utf8: copy.append(contentsOf: standIns.bytes(for: byte))
        case .reference: copy.append(contentsOf: standIns.reference(for: byte))
        }
      }
      return copy
    }

    /// Turns what stands for others in a text back into the characters that they stand for.
    func restore(_ text: inout [UInt8]) {
      guard count > 0, text.contains(standIns.lead) else { return }
      var restored: [UInt8] = []
      restored.reserveCapacity(text.count)
      var offset = 0
      while offset < text.count {
        if let byte = standIns.character(at: text[offset...]) {
          restored.append(byte)
          offset += 3
        } else {
          restored.append(text[offset])
          offset += 1
        }
      }
      text = restored
    }

    private static func isForbidden(_ byte: UInt8) -> Bool {
      // A bit for each control character; tab, line feed and carriage return are allowed.
      byte < 0x20 && (0xFFFF_D9FF as UInt32) >> UInt32(byte & 0x1F) & 1 == 1
    }

    /// True if character references can stand for something in a document that is not in UTF-8.
    private static func takesReferences<Document: RandomAccessCollection<UInt8>>(
      _ document: Document, _ head: XMLDocumentHead
    ) -> Bool where Document.Index == Int {
      guard !head.holdsAnyCharacter else { return false }
      let section = Array("<![CDATA[".utf8)
      return !document.indices.contains {
        document[$0] == section[0] && document[$0...].starts(with: section)
      }
    }
  }
}

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
