import Foundation

extension ArchivedDecimal {
  /// The number as Foundation's type, digit by digit.
  ///
  /// The type holds every mantissa of 128 bits with every power that is archived. Arithmetic does
  /// not always get there: a product is brought to its shortest form, whose power can be out of
  /// range where that of the archive is not.
  package var decimal: Decimal {
    guard !isNaN else { return .nan }
    return Decimal(string: "\(isNegative ? "-" : "")\(mantissa)e\(exponent)") ?? .nan
  }
}
