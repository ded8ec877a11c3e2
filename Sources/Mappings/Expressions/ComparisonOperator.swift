import DataModel
import Foundation
import Support

/// The operators that compare two values, as Foundation numbers them.
package enum ComparisonOperator: Int, Sendable, CaseIterable {
  case less
  case lessOrEqual
  case greater
  case greaterOrEqual
  case equal
  case notEqual
  case matches
  case like
  case beginsWith
  case endsWith
  case isIn
  case contains = 99
  case between

  /// The operator in the format.
  var word: String {
    switch self {
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .equal: "=="
    case .notEqual: "!="
    case .matches: "MATCHES"
    case .like: "LIKE"
    case .beginsWith: "BEGINSWITH"
    case .endsWith: "ENDSWITH"
    case .isIn: "IN"
    case .contains: "CONTAINS"
    case .between: "BETWEEN"
    }
  }

  func callAsFunction(
    _ left: ImportValue, _ right: ImportValue, options: TextOptions
  ) throws(ExpressionFailure) -> Bool {
    switch self {
    case .equal: Self.areEqual(left, right, options)
    case .notEqual: !Self.areEqual(left, right, options)
    case .less: try Self.order(left, right, options) == .ascending
    case .greater: try Self.order(left, right, options) == .descending
    case .lessOrEqual: try Self.order(left, right, options).map { $0 != .descending } ?? false
    case .greaterOrEqual: try Self.order(left, right, options).map { $0 != .ascending } ?? false
    case .between: try Self.isBetween(left, right, options)
    case .isIn: try Self.contains(right, left, options)
    case .contains: try Self.contains(left, right, options)
    case .beginsWith: try Self.compare(left, right, options, TextSearch.begins)
    case .endsWith: try Self.compare(left, right, options, TextSearch.ends)
    case .like:
      try Self.compare(left, right, options) { (text, pattern) throws(ExpressionFailure) in
        try Wildcard(pattern).matches(text)
      }
    case .matches:
      try Self.compare(left, right, []) { (text, pattern) throws(ExpressionFailure) in
        try TextPattern(pattern, options: options).matches(text)
      }
    }
  }

  private static func compare(
    _ left: ImportValue, _ right: ImportValue, _ options: TextOptions,
    _ holds: (String, String) throws(ExpressionFailure) -> Bool
  ) throws(ExpressionFailure) -> Bool {
    guard let text = try text(left), let part = try self.text(right) else { return false }
    return try holds(options.folded(text), options.folded(part))
  }

  /// The text that a value is; nil if it is nothing.
  static func text(_ value: ImportValue) throws(ExpressionFailure) -> String? {
    switch value {
    case .null: nil
    case .text(let text): text
    default: throw ExpressionFailure(.notText, name: value.kind)
    }
  }

  private static func isBetween(
    _ value: ImportValue, _ bounds: ImportValue, _ options: TextOptions
  ) throws(ExpressionFailure) -> Bool {
    if bounds.isNull { return false }
    guard case .list(let bounds) = bounds, bounds.count == 2 else {
      throw ExpressionFailure(.badBounds)
    }
    guard let lower = try order(value, bounds[0], options),
      let upper = try order(value, bounds[1], options)
    else { return false }
    return lower != .ascending && upper != .descending
  }

  private static func contains(
    _ whole: ImportValue, _ part: ImportValue, _ options: TextOptions
  ) throws(ExpressionFailure) -> Bool {
    switch whole {
    case .null: false
    case .list(let elements), .set(let elements):
      elements.contains { areEqual($0, part, options) }
    case .text: try compare(whole, part, options, TextSearch.contains)
    case .foundation: throw ExpressionFailure(.notText, name: whole.kind)
    default: throw ExpressionFailure(.notACollection, name: whole.kind)
    }
  }
}

extension ComparisonOperator {
  /// The order of two values.
  enum ValueOrder {
    case ascending
    case same
    case descending

    init<Value: Comparable>(_ first: Value, _ second: Value) {
      self = first < second ? .ascending : first == second ? .same : .descending
    }
  }
}

// MARK: - Equality and order

extension ComparisonOperator {
  /// True if two values are equal.
  ///
  /// Numbers are compared whatever their kinds. Otherwise values of different kinds are not equal,
  /// and NaN is equal to nothing.
  static func areEqual(
    _ first: ImportValue, _ second: ImportValue, _ options: TextOptions = []
  ) -> Bool {
    switch (first, second) {
    case (.text(let one), .text(let other)):
      return options.folded(one).hasSameBytes(as: options.folded(other))
    case (.url(let one), .url(let other)): return one.hasSameBytes(as: other)
    case (.list, .list), (.set, .set), (.dictionary, .dictionary):
      return ComparisonKey(first, options: options) == ComparisonKey(second, options: options)
    default:
      if let one = NumericValue(first), let other = NumericValue(second) {
        return NumericValue.order(one, other) == .same
      }
      return first == second
    }
  }

  /// The order of two values; nil if one is nothing or NaN, so that none is greater.
  static func order(
    _ first: ImportValue, _ second: ImportValue, _ options: TextOptions = []
  ) throws(ExpressionFailure) -> ValueOrder? {
    switch (first, second) {
    case (.null, _), (_, .null): return nil
    case (.text(let one), .text(let other)):
      let (one, other) = (options.folded(one), options.folded(other))
      return one.hasSameBytes(as: other)
        ? .same : one.utf8.lexicographicallyPrecedes(other.utf8) ? .ascending : .descending
    case (.date(let one), .date(let other)): return ValueOrder(one, other)
    default:
      guard let one = NumericValue(first), let other = NumericValue(second) else {
        throw ExpressionFailure(.notComparable, first, second)
      }
      return NumericValue.order(one, other)
    }
  }
}

extension ComparisonOperator {
  /// The pattern of a `LIKE`, for whole texts: `?` is any scalar, `*` any number of them.
  ///
  /// A backslash takes their meaning from the two, and from another backslash.
  struct Wildcard {
    /// The longest text and the longest pattern, in bytes.
    static let maxBytes = 65_536
    private static let maxSteps = 10_000_000

    private enum Part: Equatable {
      case scalar(Unicode.Scalar)
      case one
      case any
    }

    private var parts: [Part] = []

    init(_ text: String) {
      var isEscaped = false
      for scalar in text.unicodeScalars {
        switch scalar {
        case "\\" where !isEscaped:
          isEscaped = true
          continue
        case "?" where !isEscaped: parts.append(.one)
        case "*" where !isEscaped: if parts.last != .any { parts.append(.any) }
        default:
          // Before any other character a backslash is one.
          if isEscaped, !["\\", "?", "*"].contains(scalar) { parts.append(.scalar("\\")) }
          parts.append(.scalar(scalar))
        }
        isEscaped = false
      }
      if isEscaped { parts.append(.scalar("\\")) }
    }

    /// True if the whole text matches.
    func matches(_ text: String) throws(ExpressionFailure) -> Bool {
      guard text.utf8.count <= Self.maxBytes, parts.count <= Self.maxBytes else {
        throw ExpressionFailure(.tooLong, name: "\(Self.maxBytes)")
      }
      let scalars = Array(text.unicodeScalars)
      var place = 0
      var part = 0
      // The latest `*`, and how far it reaches so far.
      var star: (part: Int, end: Int)?
      var steps = 0
      while place < scalars.count {
        steps += 1
        guard steps < Self.maxSteps else {
          throw ExpressionFailure(.tooComplex)
        }
        if part < parts.count, parts[part] == .any {
          star = (part, place)
          part += 1
        } else if part < parts.count, parts[part] == .one || parts[part] == .scalar(scalars[place])
        {
          place += 1
          part += 1
        } else if let latest = star {
          star = (latest.part, latest.end + 1)
          part = latest.part + 1
          place = latest.end + 1
        } else {
          return false
        }
      }
      return parts[part...].allSatisfy { $0 == .any }
    }
  }
}

/// A value in a form that is equal for values that a predicate takes as equal.
enum ComparisonKey: Hashable {
  case null
  case number(ExactNumber)
  /// An infinity or NaN, which is equal to itself here.
  case special(String)
  case text([UInt8])
  case url([UInt8])
  case other(ImportValue)
  case list([ComparisonKey])
  case set(Set<ComparisonKey>)
  case dictionary([ComparisonKey: ComparisonKey])

  init(_ value: ImportValue, options: TextOptions = []) {
    switch value {
    case .null: self = .null
    case .bool, .integer, .real, .decimal:
      let number = NumericValue(value)
      self = number?.exact.map { .number($0) } ?? .special("\(number?.real ?? .nan)")
    case .text(let text): self = .text(Array(options.folded(text).utf8))
    case .date, .data, .uuid, .row, .foundation: self = .other(value)
    case .url(let text): self = .url(Array(text.utf8))
    case .list(let elements): self = .list(elements.map { ComparisonKey($0, options: options) })
    case .set(let elements): self = .set(Set(elements.map { ComparisonKey($0, options: options) }))
    case .dictionary(let pairs):
      self = .dictionary(
        Dictionary(
          pairs.map { (ComparisonKey($0.key), ComparisonKey($0.value, options: options)) },
          uniquingKeysWith: { first, _ in first }))
    }
  }

  /// The values without those that are equal to an earlier one.
  static func distinct(_ values: [ImportValue]) -> [ImportValue] {
    var seen: Set<ComparisonKey> = []
    return values.filter { seen.insert(ComparisonKey($0)).inserted }
  }
}
