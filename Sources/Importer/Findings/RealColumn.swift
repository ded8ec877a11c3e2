/// What columns declared as `REAL` keep of a number: neither NaN nor the sign of zero.
enum RealColumn {
  /// Whether a number is not kept as it is.
  static func changes(_ number: Double) -> Bool {
    number.isNaN || number == 0 && number.sign == .minus
  }

  /// What is kept of a number that is not kept as it is, and what was lost, in words.
  static func kept(of number: Double) -> (value: ImportValue, reason: String) {
    number.isNaN
      ? (.null, "NaN became NULL, since the column is for numbers")
      : (.real(0), ConvertedValue.Loss.negativeZero.reason)
  }
}
