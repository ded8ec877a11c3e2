import DataModel

/// Converts values on their way into the store.
///
/// A conversion is made ready once for all values: it holds formatters and patterns.
public struct ValueConversion: Sendable {
  /// The steps, as a mapping file says them.
  public let rules: [Rule]
  private let steps: [any ConversionStep]

  /// Makes rules ready, to be used one after the other.
  public init(_ rules: [Rule]) throws(ConversionRuleError) {
    self.rules = rules
    var steps: [any ConversionStep] = []
    for (number, rule) in rules.enumerated() {
      do throws(ConversionRuleError) {
        guard rule != .archive || rules.count == 1 else {
          throw ConversionRuleError(.archiveNotAlone)
        }
        steps.append(try rule.step())
      } catch {
        throw ConversionRuleError(error.code, rule: number, name: error.name)
      }
    }
    self.steps = steps
  }

  /// True if the conversion makes archives: they need the archive of the value, which `convert`
  /// lacks.
  public var needsArchive: Bool { rules.contains(.archive) }

  /// True if archived objects become values, and not rows.
  package var takesObjects: Bool { rules.first?.takesObjects ?? false }

  /// True if nil may become something else.
  package var convertsNull: Bool { steps.contains(where: \.convertsNull) }

  /// The only step, if it writes texts straight from archived values.
  package var textWriter: (any TextWritingStep)? {
    steps.count == 1 ? steps[0] as? any TextWritingStep : nil
  }

  /// The type of attribute that holds what the conversion makes.
  ///
  /// - Parameter type: The type of an attribute that holds the values before.
  /// - Returns: The type; nil if the values stay as they are.
  public func resultType(from type: AttributeType) -> AttributeType? {
    steps.isEmpty ? nil : steps.reduce(type) { $1.resultType(from: $0) }
  }

  /// Converts a value, step by step.
  ///
  /// Nil stays nil, unless an enumeration has a case for it.
  public func convert(_ value: ImportValue) throws(ConversionFailure) -> ConvertedValue {
    var result = ConvertedValue(value)
    for step in steps where !result.value.isNull || step.convertsNull {
      let converted = try step.convert(result.value)
      result = ConvertedValue(converted.value, losses: result.loss, converted.loss)
    }
    return result
  }

  /// The ways to round a number to a scale.
  public enum Rounding: String, Sendable, CaseIterable {
    /// To the nearest; halves away from zero.
    case halfUp
    /// To the nearest; halves towards zero.
    case halfDown
    /// To the nearest; halves to the even digit.
    case halfEven
    /// Away from zero.
    case up
    /// Towards zero.
    case down
    /// Towards positive infinity.
    case ceiling
    /// Towards negative infinity.
    case floor
  }

  /// The treatment of a value that a rule has no answer for.
  public enum Fallback: String, Sendable, CaseIterable {
    /// The conversion fails.
    case error
    /// Nothing takes its place, and it is listed as lossy.
    case null
    /// It stays as it is.
    case keep
  }

  /// The style of a date in words.
  public enum DateStyle: String, Sendable, CaseIterable {
    /// Not at all.
    case none
    /// As Foundation's style of the same name.
    case short
    /// As Foundation's style of the same name.
    case medium
    /// As Foundation's style of the same name.
    case long
    /// As Foundation's style of the same name.
    case full
  }

  /// The form of a date in a text.
  public enum DateForm: Sendable, Equatable {
    /// Styles, as the language of the locale has them.
    case styles(date: DateStyle, time: DateStyle)
    /// A pattern of Unicode's Technical Standard 35: "yyyy-MM-dd HH:mm".
    case pattern(String)
    /// ISO 8601.
    case iso8601
  }

  /// The instant that seconds are counted from.
  public enum Epoch: Int, Sendable, CaseIterable {
    /// 1970-01-01 UTC.
    case unix = 1970
    /// 2001-01-01 UTC, as Foundation counts.
    case reference = 2001
  }

  /// The unit of a number that is a date.
  public enum DateUnit: String, Sendable, CaseIterable {
    case seconds
    case milliseconds
    case microseconds
    case nanoseconds
    /// For each number the one that its size tells: seconds below 10^11, milliseconds below 10^14,
    /// microseconds below 10^17, else nanoseconds.
    case bySize
  }

  /// The kind of number that a text is read as.
  public enum NumberKind: String, Sendable, CaseIterable {
    /// Whole numbers of 64 bits.
    case integer
    /// Doubles.
    case double
    /// Exact decimal numbers.
    case decimal
  }

  /// One step of a conversion, as a mapping file says it.
  public enum Rule: Sendable, Equatable {
    /// Number or text to an exact decimal, rounded to a scale where one is given.
    ///
    /// A double is taken as its shortest decimal form, as it was written once. The fallback is for
    /// NaN and the infinities.
    case decimal(scale: Int?, rounding: Rounding, notFinite: Fallback)
    /// Number or text to text, with so many digits after the decimal separator, zeros included:
    /// "1234.50".
    ///
    /// Doubles are taken as their shortest decimal form.
    case decimalText(scale: Int, rounding: Rounding, decimalSeparator: String)
    /// Text to number: with one decimal separator and, where given, a grouping separator.
    case number(kind: NumberKind, decimalSeparator: String, groupingSeparator: String?)
    /// Date to text.
    case dateText(form: DateForm, locale: String, timeZone: String)
    /// Date to seconds.
    case dateNumber(since: Epoch)
    /// Text to date.
    case dateFromText(form: DateForm, locale: String, timeZone: String)
    /// Seconds to date, or another unit; with what becomes of 0, which may stand for no date.
    case dateFromNumber(since: Epoch, unit: DateUnit = .seconds, zero: Fallback = .keep)
    /// One value to another, as listed: numbers, texts and booleans.
    case enumeration([Case], otherwise: Fallback)
    /// Text or sixteen bytes to UUID.
    case uuid
    /// Text to URL.
    case url
    /// Colour to text: "#FF8000", or "#FF800080" if it is not opaque.
    case colorText
    /// Any value to JSON text, and objects with all that they hold.
    case json
    /// Text to a JSON array of its runs, each with its part of the text and its attributes; nil for
    /// anything else.
    case runs
    /// Any plain value to text: numbers in their shortest form, dates in ISO 8601.
    case text
    /// Numbers, and texts such as "YES", "true" or "0", to true or false.
    case boolean
    /// Numbers and booleans to a whole number, where nothing is lost.
    case integer
    /// Numbers and booleans to a double.
    case double
    /// The value of the key, with everything that it reaches, to a keyed archive of its own.
    case archive
    /// Data that is a keyed archive of one value, to the value; anything else stays as it is.
    case unarchive

    /// A value and what takes its place.
    public struct Case: Sendable, Equatable {
      /// The archived value.
      public var from: ImportValue
      /// The value that takes its place.
      public var to: ImportValue

      /// Creates a case.
      public init(from: ImportValue, to: ImportValue) {
        self.from = from
        self.to = to
      }
    }
  }
}

extension ValueConversion.Rule {
  /// True if archived objects are a part of its result.
  package var takesObjects: Bool {
    switch self {
    case .json, .runs: true
    default: false
    }
  }

  /// The rules that have no parameters, by their names in mapping files.
  static let plain: [String: Self] = [
    "archive": .archive, "boolean": .boolean, "colorText": .colorText, "double": .double,
    "integer": .integer, "json": .json, "runs": .runs, "text": .text, "unarchive": .unarchive,
    "url": .url, "uuid": .uuid,
  ]

  /// Makes the rule ready.
  func step() throws(ConversionRuleError) -> any ConversionStep {
    switch self {
    case .decimal(let scale, let rounding, let notFinite):
      try ValueConversion.DecimalStep(scale: scale, rounding: rounding, notFinite: notFinite)
    case .decimalText(let scale, let rounding, let separator):
      try ValueConversion.DecimalTextStep(
        scale: scale, rounding: rounding, decimalSeparator: separator)
    case .number(let kind, let decimalSeparator, let groupingSeparator):
      try ValueConversion.NumberStep(
        kind: kind, decimalSeparator: decimalSeparator, groupingSeparator: groupingSeparator)
    case .dateText(let form, let locale, let timeZone):
      try ValueConversion.DateTextStep(form: form, locale: locale, timeZone: timeZone)
    case .dateFromText(let form, let locale, let timeZone):
      try ValueConversion.DateReadingStep(form: form, locale: locale, timeZone: timeZone)
    case .dateNumber(let epoch): ValueConversion.DateNumberStep(since: epoch)
    case .dateFromNumber(let epoch, let unit, let zero):
      ValueConversion.DateFromNumberStep(since: epoch, unit, zero: zero)
    case .enumeration(let cases, let otherwise):
      try ValueConversion.EnumerationStep(cases, otherwise: otherwise)
    case .uuid: ValueConversion.PlainStep(.uuid, IdentifierText.uuid)
    case .url: ValueConversion.PlainStep(.uri, IdentifierText.url)
    case .colorText: ColorText.step
    case .json: ValueConversion.PlainStep.json
    case .runs: ValueConversion.PlainStep.runs
    case .text: ValueConversion.PlainStep.text
    case .boolean: ValueConversion.PlainStep.boolean
    case .integer:
      ValueConversion.PlainStep(.integer) { (value) throws(ConversionFailure) in
        try NumberConversion.integer(value)
      }
    case .double:
      ValueConversion.PlainStep(.double) { (value) throws(ConversionFailure) in
        try NumberConversion.double(value)
      }
    case .archive: ValueConversion.PlainStep.archive
    case .unarchive: ValueConversion.UnarchivingStep()
    }
  }
}
