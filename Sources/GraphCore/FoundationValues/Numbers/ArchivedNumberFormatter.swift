/// An NSNumberFormatter.
public struct ArchivedNumberFormatter: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The format of positive numbers.
  public let positiveFormat: String?
  /// The format of negative numbers.
  public let negativeFormat: String?
  /// The decimal separator.
  public let decimalSeparator: String?
  /// What separates the thousands.
  public let thousandSeparator: String?
  /// Whether the thousands are separated.
  public let hasThousandSeparators: Bool?
  /// Whether numbers may have a fraction.
  public let allowsFloats: Bool?
  /// Whether the format follows the user's locale.
  public let localizesFormat: Bool?
  /// The smallest number, decimal or not.
  public let minimum: UnarchivedValue?
  /// The largest number, decimal or not.
  public let maximum: UnarchivedValue?
  /// What is shown for nil.
  public let textForNil: UnarchivedValue?
  /// What is shown for what is no number.
  public let textForNotANumber: UnarchivedValue?
  /// What is shown for zero.
  public let textForZero: UnarchivedValue?
  /// The attributes of positive numbers.
  public let positiveAttributes: UnarchivedValue?
  /// The attributes of negative numbers.
  public let negativeAttributes: UnarchivedValue?
  /// How numbers are rounded.
  public let roundingBehavior: ArchivedDecimalNumberHandler?
  /// The settings by name.
  public let attributes: UnarchivedValue?

  static let classNames = ["NSNumberFormatter"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    positiveFormat = parts.text("NS.positiveformat")
    negativeFormat = parts.text("NS.negativeformat")
    decimalSeparator = parts.text("NS.decimal")
    thousandSeparator = parts.text("NS.thousand")
    hasThousandSeparators = parts.bool("NS.hasthousands")
    allowsFloats = parts.bool("NS.allowsfloats")
    localizesFormat = parts.bool("NS.localized")
    minimum = parts.any("NS.min")
    maximum = parts.any("NS.max")
    textForNil = parts.any("NS.nil")
    textForNotANumber = parts.any("NS.nan")
    textForZero = parts.any("NS.zero")
    positiveAttributes = parts.any("NS.positiveattrs")
    negativeAttributes = parts.any("NS.negativeattrs")
    roundingBehavior = parts.part(ArchivedDecimalNumberHandler.self, "NS.rounding")
    attributes = parts.any("NS.attributes")
  }
}

/// An NSByteCountFormatter.
///
/// GNUstep has other names for the first two (NSByteCountFormatter.m).
public struct ArchivedByteCountFormatter: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The units that are used: NSByteCountFormatterUnits.
  public let allowedUnits: Int?
  /// Whether a kilobyte has 1,000 or 1,024 bytes: NSByteCountFormatterCountStyle.
  public let countStyle: Int?
  /// Where in a sentence the text stands: NSFormattingContext.
  public let formattingContext: Int?
  /// Whether fractions are filled up with zeros.
  public let zeroPadsFractionDigits: Bool?
  /// Whether the exact count follows.
  public let includesActualByteCount: Bool?
  /// Whether words such as "Zero" are avoided.
  public let avoidsNonnumericFormatting: Bool?
  /// Whether the unit is left out.
  public let omitsUnit: Bool?
  /// Whether the count is left out.
  public let omitsCount: Bool?
  /// Whether the number of digits is always the same.
  public let avoidsAdaptiveFormatting: Bool?

  static let classNames = ["NSByteCountFormatter"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    allowedUnits = parts.integer("NSUnits", "NSAllowedUnits")
    countStyle = parts.integer("NSKBSize", "NSCountStyle")
    formattingContext = parts.integer("NSFormattingContext")
    zeroPadsFractionDigits = parts.bool("NSZeroPad")
    includesActualByteCount = parts.bool("NSActual")
    avoidsNonnumericFormatting = parts.bool("NSNoNonnumeric")
    omitsUnit = parts.bool("NSNoUnit")
    omitsCount = parts.bool("NSNoCount")
    avoidsAdaptiveFormatting = parts.bool("NSNoAdaptive")
  }
}
