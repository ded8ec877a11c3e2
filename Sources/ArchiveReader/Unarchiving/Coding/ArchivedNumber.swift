/// A value as those see it who ask for a number.
package enum ArchivedNumber: Hashable, Sendable {
  /// Nil, or an NSNull.
  case nothing
  case bool(Bool)
  case integer(Int128)
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
    case .integer(let value): self = .integer(Int128(value))
    case .wideInteger(let wide): self = .integer(wide.value)
    case .real(let value): self = .real(value)
    case .decimal(let value): self = .decimal(value.text)
    default: self = .none
    }
  }

  /// True for a number of any kind.
  package var isNumber: Bool { self != .nothing && self != .none }

  /// The number as a boolean, and whether it is one; nil for no number.
  var bool: (value: Bool, isOwn: Bool)? {
    switch self {
    case .nothing: (false, true)
    case .bool(let value): (value, true)
    case .integer(let value): (value != 0, false)
    case .real(let value): (value != 0, false)
    case .decimal(let digits): (digits != "0", false)
    case .none: nil
    }
  }

  /// The number as a whole one, and whether it is one; nil for no number, and one with a fraction.
  ///
  /// The value is nil beyond 128 bits: a real number may be as large as it likes.
  var whole: (value: Int128?, isOwn: Bool)? {
    switch self {
    case .nothing: (0, true)
    case .bool(let value): (value ? 1 : 0, false)
    case .integer(let value): (value, true)
    case .real(let value): value.rounded() == value ? (Int128(exactly: value), false) : nil
    case .decimal(let digits):
      digits.contains(".") || digits == "NaN" ? nil : (Int128(digits), false)
    case .none: nil
    }
  }

  /// The number as a real one, whether it is one, and whether it has all its digits.
  var real: (value: Double, isOwn: Bool, isExact: Bool)? {
    switch self {
    case .nothing: (0, true, true)
    case .bool(let value): (value ? 1 : 0, false, true)
    case .integer(let value): (Double(value), false, Int128(exactly: Double(value)) == value)
    case .real(let value): (value, true, true)
    case .decimal(let digits):
      Double(digits).map { ($0, false, $0.isNaN || DecimalText.canonical($0) == digits) }
    case .none: nil
    }
  }
}

/// The value under a key of an object, or of `$top`.
package struct ArchivedField: Sendable {
  /// The key, as archived.
  package var key: String
  /// Its place, for errors.
  package var place: ArchiveError.Position
  /// True if the source has a reference to an object under the key.
  package var isReference: Bool
  /// The value that it stands for.
  package var value: GraphValue

  /// The error for a value of another kind than the one asked for.
  package func wrongKind(expected: String) -> ArchiveError {
    ArchiveError(.wrongKind, at: place, name: expected)
  }
}

/// Type codes of Objective-C.
package enum ObjCTypes {
  /// The codes of the single values in a text of several; nil if a bracket is open.
  package static func split(_ codes: String) -> [String]? {
    var parts: [String] = []
    var part = ""
    var depth = 0
    for code in codes.unicodeScalars {
      part.unicodeScalars.append(code)
      switch code {
      case "{", "[", "(": depth += 1
      case "}", "]", ")": depth -= 1
      default: break
      }
      guard depth >= 0 else { return nil }
      if depth == 0 {
        parts.append(part)
        part = ""
      }
    }
    return depth == 0 ? parts : nil
  }
}
