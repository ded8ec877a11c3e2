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
