import Foundation

extension ArchivedDecimal {
  /// The number as Foundation's type, digit by digit; nil for one that the type cannot hold.
  ///
  /// It is put together from halves: a text is rounded to 38 digits, and a mantissa may have 39.
  var decimal: Decimal? {
    guard !isNaN else { return .nan }
    let high = Decimal(UInt64(truncatingIfNeeded: mantissa >> 64))
    let low = Decimal(UInt64(truncatingIfNeeded: mantissa))
    let significand = high * (Decimal(UInt64.max) + 1) + low
    let decimal = Decimal(
      sign: isNegative ? .minus : .plus, exponent: Int(exponent), significand: significand)
    // The exponent of the shortest form can be out of range where that of the archive is not.
    return decimal.isNaN ? nil : decimal
  }
}
