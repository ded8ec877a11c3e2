/// Exact decimal numbers as text.
package enum DecimalText {
  /// A number without an exponent and with no zeros that do not count: "-12.3", "1000", "0".
  ///
  /// - Parameters:
  ///   - digits: Its digits, the first of which is not zero; none for zero.
  ///   - power: The power of ten that they are multiplied by.
  ///   - isNegative: True if the number is below zero.
  /// - Returns: The text. Its length grows with the power, which the caller has to limit.
  package static func canonical(
    digits: some StringProtocol, power: Int, isNegative: Bool
  ) -> String {
    var digits = Substring(digits)
    var power = power
    while digits.last == "0" {
      digits.removeLast()
      power += 1
    }
    guard !digits.isEmpty else { return "0" }
    let body: String
    if power >= 0 {
      body = digits + String(repeating: "0", count: power)
    } else if digits.count > -power {
      body = "\(digits.dropLast(-power)).\(digits.suffix(-power))"
    } else {
      body = "0." + String(repeating: "0", count: -power - digits.count) + digits
    }
    return isNegative ? "-" + body : body
  }
  /// The shortest decimal form of a finite double, in the same way.
  package static func canonical(_ number: Double) -> String {
    // Swift writes these digits: "12.5", "1e+20", "1.5e-07".
    let parts = "\(number.magnitude)".split(separator: "e")
    let numbers = parts[0].split(separator: ".")
    let fraction = numbers.count > 1 ? numbers[1] : ""
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    return canonical(
      digits: (numbers[0] + fraction).drop { $0 == "0" }, power: exponent - fraction.count,
      isNegative: number < 0)
  }
}
