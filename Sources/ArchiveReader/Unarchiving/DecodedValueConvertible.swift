import Foundation

/// A Swift type whose values stand in archives as values of Foundation.
public protocol DecodedValueConvertible {
  /// The expected kind of value, in words for messages, such as "text".
  static var expectedKind: String { get }

  /// The value as one of the type.
  ///
  /// - Parameter value: The value.
  /// - Returns: Nil if it is of a kind that the type does not hold.
  static func value(of value: DecodedValue) -> Self?
}

extension Bool: DecodedValueConvertible {
  /// The expected kind of value.
  public static var expectedKind: String { "a boolean" }

  /// True or false.
  public static func value(of value: DecodedValue) -> Bool? {
    if case .bool(let value) = value { value } else { nil }
  }
}

extension Int: DecodedValueConvertible {
  /// The expected kind of value.
  public static var expectedKind: String { "an integer" }

  /// A whole number.
  public static func value(of value: DecodedValue) -> Int? {
    if case .integer(let value) = value { Int(exactly: value) } else { nil }
  }
}

extension Double: DecodedValueConvertible {
  /// The expected kind of value.
  public static var expectedKind: String { "a real number" }

  /// A number; whole ones are numbers too, as long as no digit is lost.
  public static func value(of value: DecodedValue) -> Double? {
    switch value {
    case .real(let value): value
    case .integer(let value): Double(exactly: value)
    default: nil
    }
  }
}

extension Decimal: DecodedValueConvertible {
  /// The expected kind of value.
  public static var expectedKind: String { "a decimal number" }

  /// An exact decimal number; whole ones are exact too.
  public static func value(of value: DecodedValue) -> Decimal? {
    switch value {
    case .decimal(let value): value
    case .integer(let value): Decimal(value)
    default: nil
    }
  }
}

extension String: DecodedValueConvertible {
  /// The expected kind of value.
  public static var expectedKind: String { "text" }

  /// Text.
  public static func value(of value: DecodedValue) -> String? {
    if case .text(let text) = value { text } else { nil }
  }
}

extension Date: DecodedValueConvertible {
  /// The expected kind of value.
  public static var expectedKind: String { "a date" }

  /// An instant.
  public static func value(of value: DecodedValue) -> Date? {
    if case .date(let date) = value { date } else { nil }
  }
}

extension Data: DecodedValueConvertible {
  /// The expected kind of value.
  public static var expectedKind: String { "data" }

  /// Bytes.
  public static func value(of value: DecodedValue) -> Data? {
    if case .data(let data) = value { data } else { nil }
  }
}

extension UUID: DecodedValueConvertible {
  /// The expected kind of value.
  public static var expectedKind: String { "a UUID" }

  /// A UUID.
  public static func value(of value: DecodedValue) -> UUID? {
    if case .uuid(let uuid) = value { uuid } else { nil }
  }
}

extension URL: DecodedValueConvertible {
  /// The expected kind of value.
  public static var expectedKind: String { "a URL" }

  /// A URL; nil for a text that is none.
  public static func value(of value: DecodedValue) -> URL? {
    if case .url(let text) = value { URL(string: text) } else { nil }
  }
}
