/// Why a rule of a conversion cannot be used.
public struct ConversionRuleError: Error, Hashable, Sendable {
  /// The kinds of error.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    // Dates
    /// There is no such locale.
    case unknownLocale
    /// There is no such time zone.
    case unknownTimeZone
    /// A pattern is empty, has an open quote or a letter without a meaning.
    case badPattern
    /// Neither a date nor a time would be written.
    case noStyle
    /// ISO 8601 is written in UTC only.
    case zoneOfISO8601

    // Numbers
    /// A separator is not one character, or is part of numbers.
    case badSeparator
    /// Both separators are the same.
    case sameSeparators
    /// More digits are asked for than a decimal holds.
    case badScale

    // Enumerations
    /// There are no cases.
    case noCases
    /// A case is for a value that is no number, text or boolean.
    case badCase
    /// Two cases are for the same value.
    case sameCase

    // Order
    /// An archive is made of what the key holds, not of what other steps made.
    case archiveNotAlone
  }

  /// The kind of error.
  public var code: Code
  /// The number of the rule, from 0.
  public var rule: Int
  /// A name that the code alone does not tell.
  public var name: String?

  /// Creates an error.
  public init(_ code: Code, rule: Int = 0, name: String? = nil) {
    self.code = code
    self.rule = rule
    self.name = name
  }
}

extension ConversionRuleError: CustomStringConvertible {
  /// The error in words.
  public var description: String {
    let name = name ?? "?"
    return switch code {
    case .unknownLocale: "unknown locale '\(name)'"
    case .unknownTimeZone: "unknown time zone '\(name)'"
    case .badPattern: "'\(name)' is not a pattern for dates"
    case .noStyle: "a date or time style is required"
    case .zoneOfISO8601: "ISO 8601 is written in UTC: omit the time zone, or give a pattern"

    case .badSeparator:
      "a separator must be one character other than a digit, sign or letter, not '\(name)'"
    case .sameSeparators: "both separators are '\(name)'"
    case .badScale: "a scale counts digits after the point, at most 128, not \(name)"

    case .noCases: "there are no cases"
    case .badCase: "a case must be a number, a text or a boolean, not \(name)"
    case .sameCase: "two cases are for the same \(name)"

    case .archiveNotAlone: "an archive must be the only step"
    }
  }
}
