// Values in Swift code can be written as literals: `note["rank"] = 1`. There is none for nothing,
// which is `.null`: next to an optional, nil would have two meanings.

extension ImportValue: ExpressibleByBooleanLiteral {
  /// True or false.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension ImportValue: ExpressibleByIntegerLiteral {
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension ImportValue: ExpressibleByFloatLiteral {
  /// A real number.
  public init(floatLiteral value: Double) { self = .real(value) }
}

extension ImportValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// Text.
  public init(stringLiteral value: String) { self = .text(value) }
}

extension ImportValue: ExpressibleByArrayLiteral {
  /// Several values in an order.
  public init(arrayLiteral elements: ImportValue...) { self = .list(elements) }
}
