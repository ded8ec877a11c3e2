import DataModel
import Foundation

extension ValueConversion {
  /// Text to number.
  ///
  /// Numbers are taken too, where they fit.
  struct NumberStep: ConversionStep {
    private let kind: ValueConversion.NumberKind
    private let form: NumberText

    init(
      kind: ValueConversion.NumberKind, decimalSeparator: String, groupingSeparator: String?
    ) throws(ConversionRuleError) {
      self.kind = kind
      let decimal = try Self.separator(decimalSeparator)
      guard !decimal.properties.isWhitespace else {
        throw ConversionRuleError(.badSeparator, name: decimalSeparator)
      }
      var grouping: Unicode.Scalar?
      if let groupingSeparator { grouping = try Self.separator(groupingSeparator) }
      guard grouping != decimal else {
        throw ConversionRuleError(.sameSeparators, name: decimalSeparator)
      }
      form = NumberText(decimalSeparator: decimal, groupingSeparator: grouping)
    }

    /// The one character of a separator.
    static func separator(_ text: String) throws(ConversionRuleError) -> Unicode.Scalar {
      let scalars = text.unicodeScalars
      guard scalars.count == 1, let scalar = scalars.first, scalar != "-", scalar != "+",
        !scalar.properties.isAlphabetic, scalar.properties.numericType == nil
      else { throw ConversionRuleError(.badSeparator, name: text) }
      return scalar
    }

    func resultType(from _: AttributeType) -> AttributeType {
      switch kind {
      case .integer: .integer
      case .double: .double
      case .decimal: .decimal
      }
    }

    func convert(_ value: ImportValue) throws(ConversionFailure) -> ConvertedValue {
      switch value {
      case .text(let text): return try convert(text)
      case .integer, .real, .decimal: break
      default: throw ConversionFailure(.wrongKind, name: "a number", kind: value.kind)
      }
      return switch kind {
      case .integer: try NumberConversion.integer(value)
      case .double: try NumberConversion.double(value)
      case .decimal: try DecimalStep.exact.convert(value)
      }
    }

    private func convert(_ text: String) throws(ConversionFailure) -> ConvertedValue {
      let number = try form.number(text)
      let digits = number.digits
      let loose = number.isLoose ? ConvertedValue.Loss.looseText : nil
      let looseZero = number.isNegativeZero ? .looseText : loose
      switch kind {
      case .integer:
        guard digits.isWhole else { throw ConversionFailure(.notWhole, kind: "text") }
        guard let integer = digits.integer else {
          throw ConversionFailure(.outOfRange, name: "whole numbers of 64 bits", kind: "text")
        }
        return ConvertedValue(.integer(integer), loss: looseZero)
      case .decimal:
        return ConvertedValue(try NumberConversion.decimal(digits, kind: "text"), loss: looseZero)
      case .double:
        if number.isNegativeZero { return ConvertedValue(.real(-0.0), loss: loose) }
        let double = try NumberConversion.double(digits, kind: "text")
        // Large and small doubles are usually written with an exponent: "1e+21".
        let isUsual = ValueText.text(of: double.value) == text
        return ConvertedValue(double.value, losses: isUsual ? nil : loose, double.loss)
      }
    }
  }
}
