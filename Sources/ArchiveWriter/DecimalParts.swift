extension KeyedArchiveBuilder {
  /// A decimal number taken apart as `NSDecimal` holds it, without trailing zeros.
  struct DecimalParts {
    /// The digits as a number to the base 65,536, the least significant word first.
    private(set) var words: [UInt16] = []
    private(set) var exponent = 0
    private(set) var isNegative = false

    init(_ text: String) throws(PropertyListWritingError) {
      if text == "NaN" {
        isNegative = true
        return
      }
      let halves = text.lowercased().split(
        separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
      var mantissa = Substring(halves[0])
      if let sign = mantissa.first, "+-".contains(sign) {
        isNegative = sign == "-"
        mantissa.removeFirst()
      }
      let parts = mantissa.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      var digits = parts.joined()
      guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let power = halves.count == 2 ? Int(halves[1]) : 0
      else { throw .notADecimal(text) }
      exponent = power - (parts.count == 2 ? parts[1].count : 0)
      while digits.last == "0" {
        digits.removeLast()
        exponent += 1
      }
      for digit in digits.utf8 {
        appendDigit(UInt32(digit - 0x30))
      }
      if words.isEmpty {
        exponent = 0
        isNegative = false
      }
      guard words.count <= 8, (-128...127).contains(exponent) else { throw .notADecimal(text) }
    }

    private mutating func appendDigit(_ digit: UInt32) {
      var carry = digit
      for place in words.indices {
        let sum = UInt32(words[place]) * 10 + carry
        words[place] = UInt16(sum & 0xFFFF)
        carry = sum >> 16
      }
      if carry > 0 { words.append(UInt16(carry)) }
    }
  }
}
