import DataModel

extension ExactNumber {
  /// The number with at most so many digits after the decimal separator.
  ///
  /// - Parameters:
  ///   - scale: The number of digits; a negative number rounds to tens, hundreds and so on.
  ///   - rounding: The choice between the two neighbours.
  /// - Returns: The rounded number.
  func rounded(toScale scale: Int, _ rounding: ValueConversion.Rounding) -> ExactNumber {
    let dropped = -power - scale
    guard dropped > 0 else { return self }
    var kept = Array(digits.dropLast(dropped))
    if goesAwayFromZero(dropping: dropped, lastKept: kept.last ?? 0, rounding) {
      Self.increment(&kept)
    }
    return ExactNumber(kept, power: -scale, isNegative: isNegative)
  }

  /// The number with as many digits as every decimal has, rounded half away from zero.
  var limited: ExactNumber {
    guard digits.count > Self.maxDigits else { return self }
    return rounded(toScale: Self.maxDigits - digits.count - power, .halfUp)
  }

  /// True if the neighbour that is farther from zero is taken.
  private func goesAwayFromZero(
    dropping count: Int, lastKept: UInt8, _ rounding: ValueConversion.Rounding
  ) -> Bool {
    // Something is dropped, since the last digit is not zero.
    switch rounding {
    case .up: return !digits.isEmpty
    case .down: return false
    case .ceiling: return !isNegative && !digits.isEmpty
    case .floor: return isNegative
    case .halfUp, .halfDown, .halfEven: break
    }
    // With more places dropped than there are digits, the first of them holds a zero.
    guard count <= digits.count else { return false }
    let first = digits[digits.count - count]
    guard first == 5, count == 1 else { return first >= 5 }
    return switch rounding {
    case .halfUp: true
    case .halfEven: lastKept % 2 == 1
    default: false
    }
  }

  /// Adds one to the last digit.
  private static func increment(_ digits: inout [UInt8]) {
    var place = digits.count - 1
    while place >= 0, digits[place] == 9 {
      digits[place] = 0
      place -= 1
    }
    if place >= 0 { digits[place] += 1 } else { digits.insert(1, at: 0) }
  }
}

extension ValueConversion.Rounding {
  /// The same rule as Swift's for floating-point numbers.
  init(_ rule: FloatingPointRoundingRule) {
    switch rule {
    case .up: self = .ceiling
    case .down: self = .floor
    case .towardZero: self = .down
    case .awayFromZero: self = .up
    case .toNearestOrAwayFromZero: self = .halfUp
    case .toNearestOrEven: self = .halfEven
    @unknown default: self = .halfEven
    }
  }
}
