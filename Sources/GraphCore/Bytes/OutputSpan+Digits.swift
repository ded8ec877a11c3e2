extension OutputSpan<UInt8> {
  /// Appends the last digits of a number, zeros before it included.
  ///
  /// - Parameters:
  ///   - number: The number.
  ///   - digits: The number of digits to write.
  @inlinable
  package mutating func append(_ number: UInt64, digits: Int) {
    let start = count
    append(repeating: 0x30, count: digits)
    var rest = number
    var place = start + digits
    while rest > 0, place > start {
      place -= 1
      self[place] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }

  /// Appends the digits of a number that is not negative, with zeros before it where it has too
  /// few.
  @inlinable
  package mutating func append(_ number: Int, least digits: Int) {
    var count = digits
    var bound = 1
    for _ in 0..<digits { bound *= 10 }
    while number >= bound {
      count += 1
      bound *= 10
    }
    append(UInt64(truncatingIfNeeded: number), digits: count)
  }

  /// Appends bytes.
  @inlinable
  package mutating func append(bytes: some Collection<UInt8>) {
    for byte in bytes { append(byte) }
  }
}
