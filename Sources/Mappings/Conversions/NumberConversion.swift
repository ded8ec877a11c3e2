import DataModel
import Foundation

/// Numbers and booleans from one type of number to another, without rules of their own.
enum NumberConversion {
  /// A whole number, where nothing is lost but the sign of -0.0.
  static func integer(
    _ value: ImportValue, in range: ClosedRange<Int64> = Int64.min...Int64.max
  ) throws(ConversionFailure) -> ConvertedValue {
    let number: Int64?
    switch value {
    case .bool(let bool): return ConvertedValue(.integer(bool ? 1 : 0))
    case .integer(let integer): number = integer
    case .real(let real):
      try checkFinite(real, "a whole number")
      // Such numbers have digits only before the decimal separator.
      guard real.rounded(.towardZero) == real else {
        throw ConversionFailure(.notWhole, kind: value.kind)
      }
      number = Int64(exactly: real)
    case .decimal(let decimal):
      guard let digits = ExactNumber(decimal) else {
        throw ConversionFailure(.nan, name: "a whole number", kind: value.kind)
      }
      guard digits.isWhole else { throw ConversionFailure(.notWhole, kind: value.kind) }
      number = digits.integer
    default:
      throw ConversionFailure(.wrongKind, name: "a whole number", kind: value.kind)
    }
    guard let number, range.contains(number) else {
      let bits = Int64.bitWidth - range.upperBound.leadingZeroBitCount + 1
      throw ConversionFailure(
        .outOfRange, name: "whole numbers of \(bits) bits", kind: value.kind)
    }
    return ConvertedValue(.integer(number), loss: lossOfSign(value))
  }

  /// The nearest double.
  static func double(_ value: ImportValue) throws(ConversionFailure) -> ConvertedValue {
    switch value {
    case .bool(let bool): return ConvertedValue(.real(bool ? 1 : 0))
    case .real: return ConvertedValue(value)
    case .integer(let integer):
      let double = Double(integer)
      return ConvertedValue(
        .real(double), loss: Int64(exactly: double) == integer ? nil : .nearestDouble)
    case .decimal(let decimal):
      guard let digits = ExactNumber(decimal) else { return ConvertedValue(.real(.nan)) }
      return try double(digits, kind: value.kind)
    default:
      throw ConversionFailure(.wrongKind, name: "a double", kind: value.kind)
    }
  }

  /// The double that is nearest to a decimal number; it is lost if it is not among the double's
  /// own forms, the shortest and the exact one of whole numbers.
  static func double(
    _ digits: ExactNumber, kind: String
  ) throws(ConversionFailure) -> ConvertedValue {
    let double = digits.real
    guard double.isFinite else {
      throw ConversionFailure(.outOfRange, name: "doubles", kind: kind)
    }
    let isExact =
      ExactNumber(double) == digits || digits.integer.map { Int64(exactly: double) == $0 } == true
    return ConvertedValue(.real(double), loss: isExact ? nil : .nearestDouble)
  }

  /// The decimal that is the same number.
  static func decimal(
    _ digits: ExactNumber, kind: String
  ) throws(ConversionFailure) -> ImportValue {
    guard digits.hasDigitsOfDecimal else { throw ConversionFailure(.tooManyDigits, kind: kind) }
    guard let decimal = digits.decimal else {
      throw ConversionFailure(.outOfRange, name: "decimal numbers", kind: kind)
    }
    return .decimal(decimal)
  }

  /// The nearest single-precision number, as a double.
  static func single(_ value: ImportValue) throws(ConversionFailure) -> ConvertedValue {
    let double = try double(value)
    guard case .real(let number) = double.value, number.isFinite else { return double }
    let single = Double(Float(number))
    guard single.isFinite else {
      throw ConversionFailure(.outOfRange, name: "single-precision numbers", kind: value.kind)
    }
    return ConvertedValue(
      .real(single), losses: double.loss, single == number ? nil : .nearestFloat)
  }

  /// False for zero, true for one; nil for other finite numbers.
  static func truth(of value: ImportValue) throws(ConversionFailure) -> Bool? {
    let digits: ExactNumber?
    switch value {
    case .bool(let bool): return bool
    case .integer(let integer): digits = ExactNumber(integer)
    case .real(let real):
      try checkFinite(real, "a boolean")
      digits = ExactNumber(real)
    case .decimal(let decimal): digits = ExactNumber(decimal)
    default: throw ConversionFailure(.wrongKind, name: "a boolean", kind: value.kind)
    }
    guard let digits else { throw ConversionFailure(.nan, name: "a boolean", kind: value.kind) }
    return switch digits {
    case ExactNumber(0): false
    case ExactNumber(1): true
    default: nil
    }
  }

  /// The loss of the sign of -0.0 where there is only one zero.
  static func lossOfSign(_ value: ImportValue) -> ConvertedValue.Loss? {
    guard case .real(let real) = value, real == 0, real.sign == .minus else { return nil }
    return .negativeZero
  }

  /// Throws for NaN and the infinities.
  static func checkFinite(_ number: Double, _ name: String) throws(ConversionFailure) {
    guard number.isFinite else {
      throw ConversionFailure(
        number.isNaN ? .nan : .infinite, name: name, kind: ImportValue.real(number).kind)
    }
  }
}
