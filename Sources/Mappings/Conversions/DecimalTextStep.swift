import DataModel

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
