import Foundation

extension EntityShape {
  /// Checks values against what the model says of an attribute.
  struct Validator: Sendable {
    private let attribute: Attribute
    private let pattern: String?
    /// The pattern, made ready; nil if it is none that can be matched.
    private let expression: NSRegularExpression?

    init(_ attribute: Attribute) {
      self.attribute = attribute
      pattern = attribute.pattern
      expression = pattern.flatMap(Attribute.expression)
    }

    /// True if every value of the attribute's type, and nothing as well, passes.
    var acceptsEverything: Bool {
      (attribute.isOptional || attribute.defaultValue != nil) && acceptsAllValues
    }

    /// True if every value of the attribute's type passes.
    var acceptsAllValues: Bool {
      attribute.minimum == nil && attribute.maximum == nil && pattern == nil
    }

    /// The error of a value that has the attribute's type; nil if there is none.
    func error(for value: ImportValue) -> (code: ValidationError.Code, detail: String?)? {
      if value.isNull {
        return attribute.isOptional ? nil : (.missingValue, nil)
      }
      switch value {
      case .text(let text):
        // Lengths are counted as Foundation does: in UTF-16 units.
        let length = Double(text.utf16.count)
        if let minimum = attribute.minimum, length < minimum {
          return (.tooShort, "at least \(Self.text(minimum))")
        }
        if let maximum = attribute.maximum, length > maximum {
          return (.tooLong, "at most \(Self.text(maximum))")
        }
        if pattern != nil, !matches(text) { return (.patternMismatch, nil) }
        return nil
      default:
        guard let number = number(value) else { return nil }
        if let minimum = attribute.minimum, number < minimum {
          return (.tooSmall, limit(minimum))
        }
        if let maximum = attribute.maximum, number > maximum {
          return (.tooLarge, limit(maximum))
        }
        return nil
      }
    }

    private func number(_ value: ImportValue) -> Double? {
      switch value {
      case .integer(let value): Double(value)
      case .real(let value): value
      case .decimal(let value): NSDecimalNumber(decimal: value).doubleValue
      case .date(let value): value.timeIntervalSinceReferenceDate
      default: nil
      }
    }

    private func limit(_ limit: Double) -> String? {
      attribute.type == .date ? nil : "the limit is \(Self.text(limit))"
    }

    private static func text(_ number: Double) -> String {
      Int64(exactly: number).map(String.init) ?? "\(number)"
    }

    /// True if the whole of a text matches, as Core Data's predicate `SELF MATCHES` has it.
    ///
    /// Of several alternatives, the one that matches to the end counts.
    private func matches(_ text: String) -> Bool {
      guard let expression else { return false }
      let range = NSRange(location: 0, length: (text as NSString).length)
      return expression.firstMatch(in: text, options: .anchored, range: range)?.range == range
    }
  }
}
