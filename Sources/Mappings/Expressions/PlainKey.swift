import DataModel
import Foundation

/// The keys that plain values have, as the objects of Foundation have them.
///
/// They stand after key paths and collection operators: `name.length`, `prices.@max.doubleValue`.
enum PlainKey {
  /// The value of a plain value's key; nil if it has no such key.
  static func value(
    forKey key: String, of value: ImportValue
  ) throws(ExpressionFailure) -> ImportValue? {
    switch (key, value) {
    case ("self", _): value
    case ("length", .text(let text)): .integer(Int64(text.utf16.count))
    case ("length", .data(let data)): .integer(Int64(data.count))
    case ("lowercaseString", .text(let text)): .text(text.lowercased())
    case ("uppercaseString", .text(let text)): .text(text.uppercased())
    case ("absoluteString", .url(let text)): .text(text)
    case ("UUIDString", .uuid(let uuid)): .text(uuid.uuidString)
    case ("timeIntervalSinceReferenceDate", .date(let date)):
      .real(date.timeIntervalSinceReferenceDate)
    case ("timeIntervalSince1970", .date(let date)): .real(date.timeIntervalSince1970)
    default: try number(forKey: key, of: value)
    }
  }

  private static func number(
    forKey key: String, of value: ImportValue
  ) throws(ExpressionFailure) -> ImportValue? {
    guard let number = NumericValue(value) else { return nil }
    return switch key {
    case "doubleValue", "floatValue": .real(number.real)
    case "intValue", "integerValue", "longLongValue", "shortValue":
      number.exact?.rounded(toScale: 0, .down).integerOrDecimal ?? value
    case "boolValue": .bool(number.real != 0)
    case "decimalValue": try ValueCast.decimal.cast(value)
    case "stringValue": try ValueCast.text.cast(value)
    default: nil
    }
  }
}
