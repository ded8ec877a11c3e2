import DataModel
import Foundation

/// The coercion of values to the type of an attribute, without a conversion.
///
/// Only what is plain: a number to another type of number that holds it, a number to text, a text
/// to a URL or UUID. No number and no date is read from a text.
package enum ValueCoercion {
  /// The result for a value.
  package enum Result: Sendable, Hashable {
    /// A value of the type.
    case value(ImportValue)
    /// A value of the type from which the old one cannot be got back, and why.
    case lossy(ImportValue, reason: String)
    /// The type does not hold the value.
    case refused
  }

  /// Turns a value into one of an attribute's type.
  package static func coerce(_ value: ImportValue, to type: AttributeType) -> Result {
    guard !value.isNull else { return .value(.null) }
    do {
      guard let converted = try convert(value, to: type) else { return .refused }
      guard let loss = converted.loss else { return .value(converted.value) }
      return .lossy(converted.value, reason: loss.reason)
    } catch {
      return .refused
    }
  }

  private static func convert(
    _ value: ImportValue, to type: AttributeType
  ) throws(ConversionFailure) -> ConvertedValue? {
    switch type {
    case .integer16:
      return try NumberConversion.integer(value, in: Int64(Int16.min)...Int64(Int16.max))
    case .integer32:
      return try NumberConversion.integer(value, in: Int64(Int32.min)...Int64(Int32.max))
    case .integer:
      return try NumberConversion.integer(value)
    case .double:
      return try NumberConversion.double(value)
    case .float:
      return try NumberConversion.single(value)
    case .boolean:
      guard let truth = try NumberConversion.truth(of: value) else { return nil }
      return ConvertedValue(.bool(truth), loss: NumberConversion.lossOfSign(value))
    case .decimal:
      return try decimal(value)
    case .string:
      return text(value)
    case .date:
      guard case .date = value else { return nil }
    case .binary:
      guard case .data = value else { return nil }
    case .uuid:
      return try IdentifierText.uuid(value)
    case .uri:
      return try IdentifierText.url(value)
    case .transformable, .undefined, .mixed, .unknown:
      return try anything(value)
    case .json:
      switch value {
      case .foundation, .list, .set, .dictionary: return try anything(value)
      case .text(let text) where JSONGrammar.accepts(text): return ConvertedValue(value)
      default: return nil
      }
    case .attributedText:
      switch value {
      case .foundation where value.attributedText != nil: return ConvertedValue(value)
      default: return text(value)
      }
    case .composite:
      guard case .dictionary = value else { return nil }
      return try anything(value)
    case .objectID:
      return nil
    }
    return ConvertedValue(value)
  }

  /// A value as an attribute of a type holds it; as it is where the type cannot hold it.
  package static func coerced(_ value: ImportValue, to type: AttributeType) -> ImportValue {
    switch coerce(value, to: type) {
    case .value(let coerced), .lossy(let coerced, _): coerced
    case .refused: value
    }
  }

  private static func decimal(
    _ value: ImportValue
  ) throws(ConversionFailure) -> ConvertedValue? {
    switch value {
    // Archives and stores hold decimals that are NaN.
    case .decimal: ConvertedValue(value)
    case .real(let number) where number.isNaN: ConvertedValue(value)
    case .bool(let bool): ConvertedValue(.decimal(bool ? 1 : 0))
    case .integer, .real: try ValueConversion.DecimalStep.exact.convert(value)
    default: nil
    }
  }

  private static func text(_ value: ImportValue) -> ConvertedValue? {
    switch value {
    case .text: return ConvertedValue(value)
    case .real(let real) where !real.isFinite: return nil
    case .decimal(let decimal) where decimal.isNaN: return nil
    case .foundation:
      guard let attributed = value.attributedText else { return nil }
      let isPlain = attributed.runs.allSatisfy(\.attributes.isEmpty)
      return ConvertedValue(
        .text(attributed.text ?? ""), loss: isPlain ? nil : .attributesDropped)
    case .integer, .real, .decimal:
      return ValueText.text(of: value).map { ConvertedValue(.text($0)) }
    default: return nil
    }
  }

  /// Plain values as they are, collections as JSON.
  private static func anything(
    _ value: ImportValue
  ) throws(ConversionFailure) -> ConvertedValue? {
    switch value {
    case .row: nil
    case .list, .set, .dictionary: ConvertedValue(.text(try JSONText.text(of: value)))
    case .foundation(let found): ConvertedValue(.text(found.json))
    default: ConvertedValue(value)
    }
  }

  /// True if an attribute of one type can take the values of one of another.
  ///
  /// If false, no value but nil gets through `coerce`; if true, it depends on the values.
  package static func canCoerce(kindsFrom source: AttributeType, to type: AttributeType) -> Bool {
    if source == .unknown { return true }
    switch type {
    case .transformable, .undefined, .mixed, .unknown: return source != .objectID
    case .objectID: return false
    default: break
    }
    switch source {
    case .transformable, .undefined, .mixed: return true
    case .objectID: return false
    case .boolean: return type.isNumber
    case .integer16, .integer32, .integer, .float, .double, .decimal:
      return type.isNumber || type == .string || type == .attributedText
    case .string: return [.string, .uuid, .uri, .json, .attributedText].contains(type)
    case .attributedText: return [.string, .json, .attributedText].contains(type)
    case .binary: return [.binary, .uuid].contains(type)
    default: return source == type
    }
  }
}

extension AttributeType {
  /// True if its values are numbers, booleans included.
  fileprivate var isNumber: Bool {
    switch self {
    case .boolean, .integer16, .integer32, .integer, .float, .double, .decimal: true
    default: false
    }
  }
}
