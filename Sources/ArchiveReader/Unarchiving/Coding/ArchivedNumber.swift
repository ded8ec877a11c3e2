/// A value as those see it who ask for a number.
package enum ArchivedNumber: Hashable, Sendable {
  /// Nil, or an NSNull.
  case nothing
  case bool(Bool)
  case integer(Int64)
  /// An integer beyond `Int64`.
  case wide(Int128)
  case real(Double)
  /// The digits of a decimal number.
  case decimal(String)
  /// No number at all.
  case none

  /// The number that a value is.
  package init(_ value: GraphValue) {
    switch value {
    case .null, .nsNull: self = .nothing
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .wideInteger(let wide): self = .wide(wide.value)
    case .real(let value): self = .real(value)
    case .decimal(let value): self = .decimal(value.text)
    default: self = .none
    }
  }
}
