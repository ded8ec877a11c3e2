/// Text in UTF-16, high byte first, as binary property lists hold it.
package enum UTF16Text {
  /// Writes the text as UTF-8.
  ///
  /// An unpaired surrogate, which UTF-8 cannot hold, becomes U+FFFD.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - span: The output, with room for three bytes for each two of the text.
  /// - Returns: True if no surrogate was replaced.
  package static func transcode(
    _ bytes: BorrowedBytes, into span: inout OutputSpan<UInt8>
  ) -> Bool {
    var isExact = true
    func unit(_ offset: Int) -> UInt32 {
      UInt32(bytes[offset]) << 8 | UInt32(bytes[offset + 1])
    }
    func put(_ byte: UInt32) { span.append(UInt8(truncatingIfNeeded: byte)) }
    var offset = 0
    while offset + 1 < bytes.count {
      // Where there are letters of others, most are ASCII still: four at once.
      while offset + 8 <= bytes.count {
        let units = UInt64(bigEndian: bytes.word(at: offset))
        guard units & 0xFF80_FF80_FF80_FF80 == 0 else { break }
        put(UInt32(truncatingIfNeeded: units >> 48))
        put(UInt32(truncatingIfNeeded: units >> 32))
        put(UInt32(truncatingIfNeeded: units >> 16))
        put(UInt32(truncatingIfNeeded: units))
        offset += 8
      }
      guard offset + 1 < bytes.count else { break }
      var scalar = unit(offset)
      offset += 2
      if scalar & 0xF800 == 0xD800 {
        if scalar < 0xDC00, offset + 1 < bytes.count, unit(offset) & 0xFC00 == 0xDC00 {
          scalar = 0x10000 + ((scalar & 0x3FF) << 10 | unit(offset) & 0x3FF)
          offset += 2
        } else {
          scalar = 0xFFFD
          isExact = false
        }
      }
      switch scalar {
      case ..<0x80:
        put(scalar)
      case ..<0x800:
        put(0xC0 | scalar >> 6)
        put(0x80 | scalar & 0x3F)
      case ..<0x10000:
        put(0xE0 | scalar >> 12)
        put(0x80 | scalar >> 6 & 0x3F)
        put(0x80 | scalar & 0x3F)
      default:
        put(0xF0 | scalar >> 18)
        put(0x80 | scalar >> 12 & 0x3F)
        put(0x80 | scalar >> 6 & 0x3F)
        put(0x80 | scalar & 0x3F)
      }
    }
    return isExact
  }

  /// True if it has surrogates that are no pair.
  package static func hasUnpairedSurrogates(_ bytes: BorrowedBytes) -> Bool {
    var offset = 0
    while offset + 1 < bytes.count {
      // The high byte of a unit says which half it is.
      let high = bytes[offset]
      offset += 2
      guard high & 0xF8 == 0xD8 else { continue }
      guard high < 0xDC, offset + 1 < bytes.count, bytes[offset] & 0xFC == 0xDC else {
        return true
      }
      offset += 2
    }
    return false
  }

  /// The text with unpaired surrogates written out, as "\\u{D83D}".
  package static func escaped(_ bytes: BorrowedBytes) -> String {
    let units = bytes.units
    var text = ""
    var offset = 0
    while offset < units.count {
      let isPair =
        UTF16.isLeadSurrogate(units[offset]) && offset + 1 < units.count
        && UTF16.isTrailSurrogate(units[offset + 1])
      if UTF16.isSurrogate(units[offset]), !isPair {
        text += "\\u{\(String(units[offset], radix: 16, uppercase: true))}"
        offset += 1
      } else {
        text += String(decoding: units[offset..<offset + (isPair ? 2 : 1)], as: UTF16.self)
        offset += isPair ? 2 : 1
      }
    }
    return text
  }
}
