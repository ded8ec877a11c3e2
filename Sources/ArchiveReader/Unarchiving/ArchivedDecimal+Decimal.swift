import Foundation

extension ArchivedDecimal {
  /// The number as Foundation's type, digit by digit.
  ///
  /// The type holds every mantissa of 128 bits with every power that is archived. Arithmetic does
  /// not always get there: a product is brought to its shortest form, whose power can be out of
  /// range where that of the archive is not.
  package var decimal: Decimal {
    guard !isNaN else { return .nan }
    // Here nothing can be out of range, and no text has to be read.
    if let mantissa = shortMantissa, mantissa > 0, abs(exponent) < 64 {
      return Decimal(
        sign: isNegative ? .minus : .plus, exponent: Int(exponent), significand: Decimal(mantissa))
    }
    return Decimal(string: "\(isNegative ? "-" : "")\(mantissa)e\(exponent)") ?? .nan
  }
}
