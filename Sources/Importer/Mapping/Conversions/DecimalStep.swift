import Foundation

/// Number or text to an exact decimal, rounded to a scale.
struct DecimalStep: ConversionStep {
  private let scale: Int?
  private let rounding: ValueConversion.Rounding
  private let notFinite: ValueConversion.Fallback

  init(
    scale: Int?, rounding: ValueConversion.Rounding, notFinite: ValueConversion.Fallback
  ) throws(ConversionRuleError) {
    if let scale, !(-128...128).contains(scale) {
      throw ConversionRuleError(.badScale, name: "\(scale)")
    }
    self.scale = scale
    self.rounding = rounding
    self.notFinite = notFinite
  }

  /// The step that takes numbers as they are.
  static let exact = DecimalStep()

  private init() {
    scale = nil
    rounding = .halfUp
    notFinite = .error
  }

  func convert(_ value: ImportValue) throws(ConversionFailure) -> ConvertedValue {
    switch value {
    case .integer(let number):
      return try decimal(ExactNumber(number), of: value)
    case .decimal(let number):
      guard let digits = ExactNumber(number) else { return try replacement(of: value, .nan) }
      return try decimal(digits, of: value)
    case .real(let number):
      guard let digits = ExactNumber(number) else {
        return try replacement(of: value, number.isNaN ? .nan : .infinite)
      }
      let isNegativeZero = number == 0 && number.sign == .minus
      return try decimal(digits, of: value, loss: isNegativeZero ? .negativeZero : nil)
    case .text(let text):
      let number = try NumberText.plain.number(text)
      let isLoose = number.isLoose || number.isNegativeZero
      return try decimal(number.digits, of: value, loss: isLoose ? .looseText : nil)
    default:
      throw ConversionFailure(.wrongKind, name: "a decimal number", kind: value.kind)
    }
  }

  private func decimal(
    _ digits: ExactNumber, of value: ImportValue, loss: ConvertedValue.Loss? = nil
  ) throws(ConversionFailure) -> ConvertedValue {
    let rounded = scale.map { digits.rounded(toScale: $0, rounding) } ?? digits
    if case .decimal = value, rounded == digits { return ConvertedValue(value) }
    return ConvertedValue(
      try NumberConversion.decimal(rounded, kind: value.kind),
      losses: loss, rounded == digits ? nil : scale.map { .rounded(toScale: $0) })
  }

  private func replacement(
    of value: ImportValue, _ code: ConversionFailure.Code
  ) throws(ConversionFailure) -> ConvertedValue {
    switch notFinite {
    case .error: throw ConversionFailure(code, name: "a decimal number", kind: value.kind)
    case .null: ConvertedValue(.null, loss: .notFinite)
    case .keep: ConvertedValue(value)
    }
  }
}
