/// The numbers that columns declared as `REAL` change: they keep neither NaN nor the sign of zero.
enum RealColumn {
  /// True if a number is not kept as it is.
  static func changes(_ number: Double) -> Bool {
    number.isNaN || number == 0 && number.sign == .minus
  }

  /// The value that is kept of a number that is not kept as it is, and the loss, in words.
  static func kept(of number: Double) -> (value: ImportValue, reason: String) {
    number.isNaN
      ? (.null, "NaN became NULL, since the column is for numbers")
      : (.real(0), ConvertedValue.Loss.negativeZero.reason)
  }
}
