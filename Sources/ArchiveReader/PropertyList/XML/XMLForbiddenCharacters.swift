extension PropertyList {
  /// The control characters of a document that XML 1.0 forbids.
  ///
  /// Apple's archivers write them into XML as they are (seen: 0x01, 0x1B), and no XML parser takes
  /// them. Each is handed to the parser as one of the 32 noncharacters U+FDD0…U+FDEF, which XML
  /// allows and text never holds, and is turned back afterwards. Where a document holds such a
  /// noncharacter of its own, or is not in UTF-8, forbidden characters become U+FFFD or "?".
  struct XMLForbiddenCharacters {
    private enum Substitute {
      case noncharacter
      case replacementCharacter
      case questionMark
    }

    /// How many there are.
    let count: Int
    private let substitute: Substitute

    init<Document: RandomAccessCollection<UInt8>>(
      _ document: Document, _ head: XMLDocumentHead
    ) where Document.Index == Int {
      // In UTF-16, every other byte is a NUL: nothing to find there.
      guard document.count >= 4, !document.prefix(4).contains(0),
        !(document[0] >= 0xFE && document[1] >= 0xFE), !head.usesControlCharacters
      else {
        count = 0
        substitute = .replacementCharacter
        return
      }
      // Counted without a branch, so that the compiler can take many bytes at a time.
      var found = 0
      for byte in document { found &+= Self.isForbidden(byte) ? 1 : 0 }
      count = found
      if found == 0 || !head.isUTF8 {
        substitute = .questionMark
      } else {
        substitute = Self.holdsNoncharacter(document) ? .replacementCharacter : .noncharacter
      }
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
        switch substitute {
        case .noncharacter: copy.append(contentsOf: [0xEF, 0xB7, 0x90 + byte])
        case .replacementCharacter: copy.append(contentsOf: [0xEF, 0xBF, 0xBD])
        case .questionMark: copy.append(0x3F)
        }
      }
      return copy
    }

    /// Turns the noncharacters in a text back into the characters that they stand for.
    func restore(_ text: inout [UInt8]) {
      guard count > 0, substitute == .noncharacter, text.contains(0xEF) else { return }
      var restored: [UInt8] = []
      restored.reserveCapacity(text.count)
      var offset = 0
      while offset < text.count {
        if Self.isNoncharacter(text[offset...]) {
          restored.append(text[offset + 2] - 0x90)
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

    private static func isNoncharacter(_ bytes: some Collection<UInt8>) -> Bool {
      let three = Array(bytes.prefix(3))
      return three.count == 3 && three[0] == 0xEF && three[1] == 0xB7 && three[2] >= 0x90
        && three[2] <= 0xAF
    }

    /// Whether the document holds such a noncharacter, as it is or as a character reference.
    private static func holdsNoncharacter<Document: RandomAccessCollection<UInt8>>(
      _ document: Document
    ) -> Bool where Document.Index == Int {
      guard document.count >= 3 else { return false }
      for offset in 0...(document.count - 3) {
        if document[offset] == 0xEF, document[offset + 1] == 0xB7,
          (0x90...0xAF).contains(document[offset + 2])
        {
          return true
        }
        if document[offset] == 0x26, document[offset + 1] == 0x23,
          let scalar = reference(document[(offset + 2)...]), (0xFDD0...0xFDEF).contains(scalar)
        {
          return true
        }
      }
      return false
    }

    /// The number of a character reference, after its "&#".
    private static func reference(_ text: some Collection<UInt8>) -> Int? {
      let isHexadecimal = text.first == 0x78
      let digits = text.dropFirst(isHexadecimal ? 1 : 0).prefix(64).prefix { $0 != 0x3B }
      return Int(String(decoding: digits, as: UTF8.self), radix: isHexadecimal ? 16 : 10)
    }
  }
}
