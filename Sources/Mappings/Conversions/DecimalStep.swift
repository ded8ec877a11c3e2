import ArchiveReader
import DataModel
import Foundation

extension ValueConversion {
  /// Number or text to an exact decimal, rounded to a scale.
  struct DecimalStep: ConversionStep {
    private let scale: Int?
    private let rounding: ValueConversion.Rounding
    private let notFinite: ValueConversion.Fallback
    /// The loss from a number with more digits.
    private let roundingLoss: ConvertedValue.Loss?

    init(
      scale: Int?, rounding: ValueConversion.Rounding, notFinite: ValueConversion.Fallback
    ) throws(ConversionRuleError) {
      if let scale, !(-128...128).contains(scale) {
        throw ConversionRuleError(.badScale, name: "\(scale)")
      }
      self.scale = scale
      self.rounding = rounding
      self.notFinite = notFinite
      roundingLoss = scale.map { .rounded(toScale: $0) }
    }

    /// The step that takes numbers as they are.
    static let exact = DecimalStep()

    private init() {
      scale = nil
      rounding = .halfUp
      notFinite = .error
      roundingLoss = nil
    }

    func resultType(from type: AttributeType) -> AttributeType {
      // A NaN that is kept is no decimal.
      notFinite == .keep
        && [.float, .double, .transformable, .undefined, .mixed].contains(type) ? .mixed : .decimal
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
        losses: loss, rounded == digits ? nil : roundingLoss)
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
}

extension ValueConversion.DecimalStep: TextWritingStep {
  var writtenType: AttributeType { .decimal }

  /// Writes numbers of up to 15 digits, of which up to 6 stand after the decimal point.
  ///
  /// No two such numbers have the same double, so if one gives a double back it has its shortest
  /// digits.
  func write(_ value: GraphValue, into span: inout OutputSpan<UInt8>) -> WrittenText? {
    var digits: Int
    var places = 0
    var loss: ConvertedValue.Loss?
    switch value {
    case .integer(let number):
      guard number.magnitude < 1_000_000_000_000_000 else { return nil }
      digits = Int(number)
    case .real(let number):
      guard abs(number) < 1e9 else { return nil }
      if number == 0, number.sign == .minus { loss = .negativeZero }
      let millionths = (number * 1e6).rounded()
      guard millionths / 1e6 == number else { return nil }
      digits = Int(millionths)
      places = 6
    default:
      return nil
    }
    while places > 0, digits % 10 == 0 {
      digits /= 10
      places -= 1
    }
    if let scale, scale < places {
      guard scale >= 0 else { return nil }
      (digits, places) = (rounded(digits, dropping: places - scale), scale)
      loss = roundingLoss
      while places > 0, digits % 10 == 0 {
        digits /= 10
        places -= 1
      }
    }
    if digits < 0 { span.append(UInt8(ascii: "-")) }
    let unit = Self.powers[places]
    let (whole, fraction) = Int(digits.magnitude).quotientAndRemainder(dividingBy: unit)
    span.append(whole, least: 1)
    if places > 0 {
      span.append(UInt8(ascii: "."))
      span.append(fraction, least: places)
    }
    return WrittenText(loss: loss)
  }

  /// The powers of ten that numbers of 15 digits are below.
  private static let powers = (0...15).map { power in
    (0..<power).reduce(1) { product, _ in product * 10 }
  }

  /// A number without some of its last digits, which are not all zero.
  private func rounded(_ digits: Int, dropping count: Int) -> Int {
    let unit = Self.powers[count]
    let (kept, rest) = Int(digits.magnitude).quotientAndRemainder(dividingBy: unit)
    let isNegative = digits < 0
    let isAway =
      switch rounding {
      case .up: true
      case .down: false
      case .ceiling: !isNegative
      case .floor: isNegative
      case .halfUp: rest * 2 >= unit
      case .halfDown: rest * 2 > unit
      case .halfEven: rest * 2 > unit || rest * 2 == unit && kept % 2 == 1
      }
    let size = isAway ? kept + 1 : kept
    return isNegative ? -size : size
  }
}

extension ValueConversion {
  /// Number or text to a text with a fixed number of digits after the decimal separator.
  struct DecimalTextStep: ConversionStep {
    private let scale: Int
    private let separator: String
    private let decimal: DecimalStep

    init(
      scale: Int, rounding: ValueConversion.Rounding, decimalSeparator: String
    ) throws(ConversionRuleError) {
      guard scale >= 0 else { throw ConversionRuleError(.badScale, name: "\(scale)") }
      self.scale = scale
      separator = String(try NumberStep.separator(decimalSeparator))
      decimal = try DecimalStep(scale: scale, rounding: rounding, notFinite: .error)
    }

    func resultType(from _: AttributeType) -> AttributeType { .string }

    func convert(_ value: ImportValue) throws(ConversionFailure) -> ConvertedValue {
      let rounded = try decimal.convert(value)
      guard case .decimal(let number) = rounded.value, let digits = ExactNumber(number) else {
        throw ConversionFailure(.wrongKind, name: "a decimal number", kind: value.kind)
      }
      let parts = digits.text.split(separator: ".")
      let fraction = parts.count == 2 ? String(parts[1]) : ""
      let padding = String(repeating: "0", count: max(0, scale - fraction.count))
      let text = scale == 0 ? "\(parts[0])" : "\(parts[0])\(separator)\(fraction)\(padding)"
      return ConvertedValue(.text(text), loss: rounded.loss)
    }
  }
}
