import Foundation

/// The decoded value under a key: a value of Foundation, a collection, or an object of one's own.
public enum DecodedValue {
  /// Nil, as an element of a collection.
  case null
  /// An `NSNull`, which is not nil.
  case nsNull
  /// True or false.
  case bool(Bool)
  /// A whole number.
  case integer(Int64)
  /// A whole number beyond 64 bits with a sign.
  case wideInteger(Int128)
  /// A real number.
  case real(Double)
  /// An exact decimal number.
  case decimal(Decimal)
  /// Text.
  case text(String)
  /// An instant.
  case date(Date)
  /// Bytes.
  case data(Data)
  /// A UUID.
  case uuid(UUID)
  /// A URL, as its absolute text.
  case url(String)
  /// A class that was archived as a value, by its name.
  case className(String)
  /// The elements of an array.
  case array([DecodedValue])
  /// The elements of an ordered set.
  case orderedSet([DecodedValue])
  /// The elements of a set, in the order of the archive.
  case set([DecodedValue])
  /// The pairs of a dictionary, in the order of the archive; for a counted set, the elements and
  /// their counts.
  case dictionary([Pair])
  /// A value of one of Foundation's other classes: a colour, an attributed text.
  indirect case foundation(FoundationValue)
  /// An object of a class that the unarchiver knows.
  case object(any KeyedDecodable)

  /// A key and the value that a dictionary has for it.
  public struct Pair {
    /// The key.
    public var key: DecodedValue
    /// The value.
    public var value: DecodedValue

    /// Creates a pair.
    public init(_ key: DecodedValue, _ value: DecodedValue) {
      self.key = key
      self.value = value
    }
  }

  /// The collection of a kind.
  init(_ kind: CollectionKind, keys: [DecodedValue], values: [DecodedValue]) {
    self =
      kind.isKeyed
      ? .dictionary(zip(keys, values).map { Pair($0, $1) })
      : kind == .array ? .array(values) : kind == .set ? .set(values) : .orderedSet(values)
  }

  /// True if the value is nil.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

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

extension ArchivedDecimal {
  /// The number as Foundation's type, digit by digit.
  ///
  /// The type holds every mantissa of 128 bits with every power that is archived. Arithmetic does
  /// not always get there: a product is brought to its shortest form, whose power can be out of
  /// range where that of the archive is not.
  package var decimal: Decimal {
    guard !isNaN else { return .nan }
    // Here nothing can be out of range, and no text has to be read.
    if let mantissa = shortMantissa, mantissa > 0, abs(exponent) < 64 {
      return Decimal(
        sign: isNegative ? .minus : .plus, exponent: Int(exponent), significand: Decimal(mantissa))
    }
    return Decimal(string: "\(isNegative ? "-" : "")\(mantissa)e\(exponent)") ?? .nan
  }
}
