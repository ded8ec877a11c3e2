/// Why a conversion has no answer for a value.
///
/// A failure carries a code, a name (of a type or a limit) and the kind of the value, never the
/// value itself. Its words are made in one place: see `description`.
public struct ConversionFailure: Error, Hashable, Sendable {
  /// The kinds of failure.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    // Kinds of values
    /// The rule is not for values of this kind.
    case wrongKind
    /// No case is listed for the value.
    case noCase
    /// Only an archive's importer can do it.
    case needsArchive

    // Texts
    /// The text does not start like a number.
    case notANumber
    /// The text starts like a number, but goes on in another way.
    case strayCharacters
    /// The text has not the form of a date.
    case notADate
    /// The text is a local time that clocks skip when they are put forward.
    case skippedTime
    /// The text has not the form of a UUID.
    case notAUUID
    /// The text has not the form of a URL.
    case notAURL
    /// The text is none of those for true and false.
    case notABoolean

    // Sizes
    /// NaN, where a number is needed.
    case nan
    /// An infinity, where a finite number is needed.
    case infinite
    /// A fraction, where a whole number is needed.
    case notWhole
    /// The number or date is too large, or too small.
    case outOfRange
    /// The number has too many digits.
    case tooManyDigits
    /// The bytes are not sixteen.
    case wrongLength
    /// Collections are nested too deeply.
    case tooDeep
  }

  /// The kind of failure.
  public var code: Code
  /// A name that the code alone does not tell.
  public var name: String?
  /// The kind of the value: "text", "real number" and so on.
  public var kind: String?

  /// Creates a failure.
  public init(_ code: Code, name: String? = nil, kind: String? = nil) {
    self.code = code
    self.name = name
    self.kind = kind
  }
}

extension ConversionFailure: CustomStringConvertible {
  /// The failure in words.
  public var description: String {
    let name = name ?? "?"
    return switch code {
    case .wrongKind: "cannot make \(name) from this kind of value (\(kind ?? "?"))"
    case .noCase: "no case for the value"
    case .needsArchive: "an archive can be created only during an import"

    case .notANumber: "the text is not a number"
    case .strayCharacters:
      "the text has a grouping separator or characters that are not part of a number"
    case .notADate: "the text is not a date in the given form"
    case .skippedTime:
      "there was no such local time in \(name): clocks were put forward and skipped it"
    case .notAUUID: "the text is not a UUID"
    case .notAURL: "the text is not a URL"
    case .notABoolean: "the text is neither true nor false"

    case .nan: "NaN is not \(name)"
    case .infinite: "infinity is not \(name)"
    case .notWhole: "the number is not whole"
    case .outOfRange: "the \(kind ?? "value") is out of the range of \(name)"
    case .tooManyDigits: "the number has more digits than a decimal number holds"
    case .wrongLength: "the data is not \(name) bytes long"
    case .tooDeep: "collections are nested deeper than the limit of \(name) levels"
    }
  }
}

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
