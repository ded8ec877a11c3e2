import DataModel
import Foundation
import GraphCore

/// A Swift type whose values can be set and got where the store has an `ImportValue`.
///
/// ```swift
/// note["title"] = try coder.decodeString(forKey: "title")
/// let rank: Int? = note["rank"]
/// ```
public protocol ImportValueConvertible {
  /// The value as the store takes it.
  var importValue: ImportValue { get }

  /// The value as one of the type.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - context: The store that it comes from.
  /// - Returns: Nil if it is nothing, or of a kind that the type does not hold.
  static func value(of value: ImportValue, in context: any DestinationContext) -> Self?

  /// Sets a property of a row: what the row's subscript does.
  ///
  /// Types of one's own have no need of it: they are set by their `importValue`.
  ///
  /// - Parameters:
  ///   - value: The value; nil for nothing.
  ///   - name: The name of the property.
  ///   - instance: The row.
  static func set(_ value: Self?, for name: String, in instance: DestinationInstance)
}

extension ImportValueConvertible {
  /// Sets a property of a row to the value as the store takes it.
  public static func set(_ value: Self?, for name: String, in instance: DestinationInstance) {
    instance[name] = ImportValue(value)
  }
}

extension ImportValue {
  /// A Swift value as the store takes it; nil is `.null`.
  ///
  /// - Parameter value: The value.
  public init(_ value: (some ImportValueConvertible)?) {
    self = value?.importValue ?? .null
  }
}

extension DestinationInstance: ImportValueConvertible {
  /// The row.
  public var importValue: ImportValue { value }

  /// The row that a value stands for.
  public static func value(
    of value: ImportValue, in context: any DestinationContext
  ) -> DestinationInstance? {
    if case .row(let reference) = value { context.instance(for: reference) } else { nil }
  }
}

extension Bool: ImportValueConvertible {
  /// True or false.
  @inlinable
  public var importValue: ImportValue { .bool(self) }

  /// True or false.
  public static func value(of value: ImportValue, in context: any DestinationContext) -> Bool? {
    switch value {
    case .bool(let value): value
    case .integer(let value): value != 0
    default: nil
    }
  }
}

extension Int: ImportValueConvertible {
  /// A whole number.
  @inlinable
  public var importValue: ImportValue { .integer(Int64(self)) }

  /// A whole number.
  public static func value(of value: ImportValue, in context: any DestinationContext) -> Int? {
    switch value {
    case .bool(let value): value ? 1 : 0
    case .integer(let value): Int(exactly: value)
    case .real(let value): Int(exactly: value)
    case .decimal(let value): Int("\(value)")
    default: nil
    }
  }
}

extension Int64: ImportValueConvertible {
  /// A whole number.
  @inlinable
  public var importValue: ImportValue { .integer(self) }

  /// A whole number.
  public static func value(of value: ImportValue, in context: any DestinationContext) -> Int64? {
    Int.value(of: value, in: context).map(Int64.init)
  }
}

extension Double: ImportValueConvertible {
  /// A real number.
  @inlinable
  public var importValue: ImportValue { .real(self) }

  /// A real number.
  public static func value(of value: ImportValue, in context: any DestinationContext) -> Double? {
    switch value {
    case .integer(let value): Double(value)
    case .real(let value): value
    case .decimal(let value): NSDecimalNumber(decimal: value).doubleValue
    default: nil
    }
  }
}

extension Float: ImportValueConvertible {
  /// A real number.
  @inlinable
  public var importValue: ImportValue { .real(Double(self)) }

  /// A real number.
  public static func value(of value: ImportValue, in context: any DestinationContext) -> Float? {
    Double.value(of: value, in: context).map(Float.init)
  }
}

extension Decimal: ImportValueConvertible {
  /// An exact decimal number.
  @inlinable
  public var importValue: ImportValue { .decimal(self) }

  /// An exact decimal number.
  public static func value(of value: ImportValue, in context: any DestinationContext) -> Decimal? {
    switch value {
    case .integer(let value): Decimal(value)
    case .decimal(let value): value
    default: nil
    }
  }
}

extension String: ImportValueConvertible {
  /// Text.
  @inlinable
  public var importValue: ImportValue { .text(self) }

  /// Text.
  public static func value(of value: ImportValue, in context: any DestinationContext) -> String? {
    if case .text(let text) = value { text } else { nil }
  }
}

extension Date: ImportValueConvertible {
  /// An instant.
  @inlinable
  public var importValue: ImportValue { .date(self) }

  /// An instant.
  public static func value(of value: ImportValue, in context: any DestinationContext) -> Date? {
    if case .date(let date) = value { date } else { nil }
  }
}

extension Data: ImportValueConvertible {
  /// Bytes.
  @inlinable
  public var importValue: ImportValue { .data(self) }

  /// Bytes.
  public static func value(of value: ImportValue, in context: any DestinationContext) -> Data? {
    if case .data(let data) = value { data } else { nil }
  }
}

extension UUID: ImportValueConvertible {
  /// A UUID.
  @inlinable
  public var importValue: ImportValue { .uuid(self) }

  /// A UUID.
  public static func value(of value: ImportValue, in context: any DestinationContext) -> UUID? {
    if case .uuid(let uuid) = value { uuid } else { nil }
  }
}

extension URL: ImportValueConvertible {
  /// A URL, as its absolute text.
  public var importValue: ImportValue { .url(absoluteString) }

  /// A URL; nil for a text that is none.
  public static func value(of value: ImportValue, in context: any DestinationContext) -> URL? {
    if case .url(let text) = value { URL(string: text) } else { nil }
  }
}

extension FoundationValue: ImportValueConvertible {
  /// A value of one of Foundation's classes, such as a colour.
  public var importValue: ImportValue { .foundation(self) }

  /// A value of one of Foundation's classes.
  public static func value(of value: ImportValue, in context: any DestinationContext)
    -> FoundationValue?
  {
    if case .foundation(let value) = value { value } else { nil }
  }
}

extension Array: ImportValueConvertible where Element: ImportValueConvertible {
  /// Several values in an order.
  public var importValue: ImportValue { .list(map(\.importValue)) }

  /// The values in a collection; nil if one is of a kind that the type does not hold.
  public static func value(of value: ImportValue, in context: any DestinationContext) -> [Element]?
  {
    switch value {
    case .list(let values), .set(let values):
      let found = values.filter { !$0.isNull }.map { Element.value(of: $0, in: context) }
      return found.contains { $0 == nil } ? nil : found.compactMap(\.self)
    default:
      return nil
    }
  }
}
