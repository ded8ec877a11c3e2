extension ExactNumber {
  /// Calculation with whole numbers written as decimal digits, the most significant first.
  ///
  /// Foundation's own arithmetic of decimal numbers ends the program where a result is too large.
  enum DigitArithmetic {
    static func sum(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
      var result = [UInt8](repeating: 0, count: max(first.count, second.count) + 1)
      var carry: UInt8 = 0
      for place in 1...result.count {
        let digit = self.digit(first, place) + self.digit(second, place) + carry
        result[result.count - place] = digit % 10
        carry = digit / 10
      }
      return result
    }

    /// The difference of a number and one that is not larger.
    static func difference(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
      var result = first
      var borrow: UInt8 = 0
      for place in stride(from: 1, through: first.count, by: 1) {
        let subtrahend = digit(second, place) + borrow
        let index = first.count - place
        borrow = first[index] < subtrahend ? 1 : 0
        result[index] = first[index] + 10 * borrow - subtrahend
      }
      return result
    }

    static func product(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
      var sums = [Int](repeating: 0, count: first.count + second.count)
      for (i, one) in first.enumerated() {
        for (j, other) in second.enumerated() { sums[i + j + 1] += Int(one) * Int(other) }
      }
      var carry = 0
      for place in sums.indices.reversed() {
        carry += sums[place]
        sums[place] = carry % 10
        carry /= 10
      }
      return sums.map { UInt8(truncatingIfNeeded: $0) }
    }

    /// The whole quotient by a divisor that is not zero, and what is left over.
    static func quotient(
      _ dividend: [UInt8], _ divisor: [UInt8]
    ) -> (quotient: [UInt8], remainder: [UInt8]) {
      var quotient: [UInt8] = []
      var remainder: [UInt8] = []
      for digit in dividend {
        remainder.append(digit)
        var count: UInt8 = 0
        while !isSmaller(remainder, divisor) {
          remainder = Array(difference(remainder, divisor).drop { $0 == 0 })
          count += 1
        }
        if remainder == [0] { remainder = [] }
        quotient.append(count)
      }
      return (quotient, remainder)
    }

    static func isSmaller(_ first: [UInt8], _ second: [UInt8]) -> Bool {
      let one = first.drop { $0 == 0 }
      let other = second.drop { $0 == 0 }
      return one.count != other.count
        ? one.count < other.count : one.lexicographicallyPrecedes(other)
    }

    private static func digit(_ digits: [UInt8], _ place: Int) -> UInt8 {
      place <= digits.count ? digits[digits.count - place] : 0
    }
  }
}
