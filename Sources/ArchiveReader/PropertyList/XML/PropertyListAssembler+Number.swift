extension PropertyList.Assembler {
  /// The numbers and dates of XML property lists, as CoreFoundation reads them.
  enum Number {
    /// An integer: decimal or, after "0x", hexadecimal, with an optional sign.
    static func integer(
      _ text: some BidirectionalCollection<UInt8>
    ) throws(ArchiveError) -> Int128 {
      if let value = plainInteger(text) { return Int128(value) }
      var digits = trimmed(text)
      var isNegative = false
      if digits.first == 0x2D || digits.first == 0x2B { isNegative = digits.removeFirst() == 0x2D }
      var radix = 10
      if digits.count > 2, digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8) {
        radix = 16
        digits = digits.dropFirst(2)
      }
      guard let first = digits.first, first != 0x2D, first != 0x2B,
        let magnitude = UInt128(String(decoding: digits, as: UTF8.self), radix: radix),
        let value = signed(magnitude, isNegative: isNegative)
      else { throw ArchiveError(.badNumber, name: "integer") }
      return value
    }

    /// An integer of nothing but up to eighteen digits.
    private static func plainInteger(_ text: some Collection<UInt8>) -> Int64? {
      guard (1...18).contains(text.count) else { return nil }
      var value: Int64 = 0
      for byte in text {
        guard byte &- 0x30 < 10 else { return nil }
        value = 10 &* value &+ Int64(byte &- 0x30)
      }
      return value
    }

    private static func signed(_ magnitude: UInt128, isNegative: Bool) -> Int128? {
      if isNegative, magnitude == Int128.min.magnitude { return .min }
      return Int128(exactly: magnitude).map { isNegative ? -$0 : $0 }
    }

    /// A real number; "nan", "inf" and "infinity" too, with an optional sign.
    static func real(
      _ text: some BidirectionalCollection<UInt8>
    ) throws(ArchiveError) -> Double {
      if let value = plainReal(text) { return value }
      guard let value = Double(String(decoding: trimmed(text), as: UTF8.self)) else {
        throw ArchiveError(.badNumber, name: "real")
      }
      return value
    }

    /// A real number of digits and a point, if it is short enough to be the quotient of two numbers
    /// that a `Double` holds as they are: the division then rounds as it has to (Clinger 1990).
    private static func plainReal(_ text: some Collection<UInt8>) -> Double? {
      guard text.count <= 20, let first = text.first else { return nil }
      let isNegative = first == 0x2D
      var digits: UInt64 = 0
      var digitCount = 0
      var point: Int?
      for byte in text.dropFirst(isNegative ? 1 : 0) {
        if byte &- 0x30 < 10 {
          digits = 10 &* digits &+ UInt64(byte &- 0x30)
          digitCount += 1
        } else {
          guard byte == 0x2E, point == nil, digitCount > 0 else { return nil }
          point = digitCount
        }
      }
      // Eighteen digits fit an integer, and 2^53 is the last up to which a Double holds all.
      guard digitCount > 0, digitCount <= 18, point != digitCount, digits <= 1 << 53 else {
        return nil
      }
      let value = Double(digits) / powersOfTen[point.map { digitCount - $0 } ?? 0]
      return isNegative ? -value : value
    }

    private static let powersOfTen: [Double] = [
      1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
      1e17,
    ]

    /// A date such as 2011-05-22T21:52:00Z, in seconds since 2001-01-01 UTC.
    static func date(
      _ text: some BidirectionalCollection<UInt8>
    ) throws(ArchiveError) -> Double {
      var rest = trimmed(text)
      var isWellFormed = true
      func number(_ digits: ClosedRange<Int>, before separator: UInt8) -> Int {
        let run = rest.prefix { (0x30...0x39).contains($0) }
        rest = rest.dropFirst(run.count)
        if !digits.contains(run.count) || rest.first != separator { isWellFormed = false }
        rest = rest.dropFirst()
        return run.prefix(9).reduce(0) { 10 * $0 + Int($1) - 0x30 }
      }
      // CoreFoundation takes years of any length, and negative ones.
      let isNegative = rest.first == 0x2D
      if isNegative { rest.removeFirst() }
      let year = number(1...9, before: 0x2D)
      let fields = [
        isNegative ? -year : year, number(2...2, before: 0x2D), number(2...2, before: 0x54),
        number(2...2, before: 0x3A), number(2...2, before: 0x3A), number(2...2, before: 0x5A),
      ]
      guard isWellFormed, rest.isEmpty, (1...12).contains(fields[1]), (1...31).contains(fields[2]),
        (0...24).contains(fields[3]), (0...59).contains(fields[4]), (0...60).contains(fields[5])
      else { throw ArchiveError(.badDate) }
      let days = CivilDate(year: fields[0], month: fields[1], day: fields[2]).daysSince2001
      return Double(days * 86_400 + fields[3] * 3_600 + fields[4] * 60 + fields[5])
    }

    private static func trimmed<Text: BidirectionalCollection<UInt8>>(
      _ text: Text
    ) -> Text.SubSequence {
      let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
      guard let start = text.firstIndex(where: { !isSpace($0) }),
        let end = text.lastIndex(where: { !isSpace($0) })
      else { return text[text.startIndex..<text.startIndex] }
      return text[start...end]
    }
  }
}
