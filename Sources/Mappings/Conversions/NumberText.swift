import DataModel

/// Reads numbers from texts, strictly: the whole text has to be one number.
///
/// Naive readers stop at the first character that they do not know, so that "1,234.5" becomes 1.
struct NumberText: Sendable {
  /// A number with a point and without grouping, as programs write it.
  static let plain = NumberText(decimalSeparator: ".", groupingSeparator: nil)

  let decimalSeparator: Unicode.Scalar
  let groupingSeparator: Unicode.Scalar?

  /// A number that was read.
  struct Number {
    /// Its digits.
    var digits: ExactNumber
    /// True if the number is a zero with a minus sign.
    var isNegativeZero = false
    /// True if the number is written in an unusual way: " 5 ", "+5", "05", ".5", "12." or "1e3".
    var isLoose = false
  }

  /// Exponents beyond are as good as this one: no type holds such numbers.
  private static let maxExponent = 1_000_000_000

  /// Reads a text.
  func number(_ text: String) throws(ConversionFailure) -> Number {
    var rest = Array(text.unicodeScalars)[...]
    let length = rest.count
    while rest.first?.properties.isWhitespace == true { rest.removeFirst() }
    while rest.last?.properties.isWhitespace == true { rest.removeLast() }
    var isLoose = rest.count < length

    var isNegative = false
    if let sign = rest.first, sign == "-" || sign == "+" {
      isNegative = sign == "-"
      if !isNegative { isLoose = true }
      rest.removeFirst()
    }
    var digits = try wholeDigits(&rest)
    let wholeCount = digits.count
    if wholeCount == 0 || wholeCount > 1 && digits[0] == 0 { isLoose = true }
    if rest.first == decimalSeparator {
      rest.removeFirst()
      digits += Self.digits(&rest)
      if digits.count == wholeCount { isLoose = true }
    }
    guard !digits.isEmpty else { throw ConversionFailure(.notANumber, kind: "text") }
    var power = wholeCount - digits.count
    if let letter = rest.first, letter == "e" || letter == "E" {
      rest.removeFirst()
      power += try exponent(&rest)
      isLoose = true
    }
    guard rest.isEmpty else { throw ConversionFailure(.strayCharacters, kind: "text") }
    let number = ExactNumber(digits, power: power, isNegative: isNegative)
    return Number(
      digits: number, isNegativeZero: isNegative && number.digits.isEmpty, isLoose: isLoose)
  }

  /// The digits before the decimal separator: in groups of three, or not in groups at all.
  private func wholeDigits(
    _ rest: inout ArraySlice<Unicode.Scalar>
  ) throws(ConversionFailure) -> [UInt8] {
    var digits = Self.digits(&rest)
    guard let groupingSeparator, rest.first == groupingSeparator else { return digits }
    guard (1...3).contains(digits.count) else {
      throw ConversionFailure(digits.isEmpty ? .notANumber : .strayCharacters, kind: "text")
    }
    while rest.first == groupingSeparator {
      rest.removeFirst()
      let group = Self.digits(&rest)
      guard group.count == 3 else { throw ConversionFailure(.strayCharacters, kind: "text") }
      digits += group
    }
    return digits
  }

  private func exponent(
    _ rest: inout ArraySlice<Unicode.Scalar>
  ) throws(ConversionFailure) -> Int {
    var isNegative = false
    if let sign = rest.first, sign == "-" || sign == "+" {
      isNegative = sign == "-"
      rest.removeFirst()
    }
    let digits = Self.digits(&rest)
    guard !digits.isEmpty else { throw ConversionFailure(.strayCharacters, kind: "text") }
    let exponent = digits.reduce(0) { min($0 * 10 + Int($1), Self.maxExponent) }
    return isNegative ? -exponent : exponent
  }

  /// Takes ASCII digits from the start.
  private static func digits(_ rest: inout ArraySlice<Unicode.Scalar>) -> [UInt8] {
    let digits = rest.prefix { ("0"..."9").contains($0) }
    rest = rest[digits.endIndex...]
    return digits.map { UInt8($0.value - 0x30) }
  }
}
