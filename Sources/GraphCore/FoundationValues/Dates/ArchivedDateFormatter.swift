/// An NSDateFormatter in the form of Mac OS X 10.0.
public struct ArchivedDateFormatter: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The format, as that of strftime.
  public let format: String?
  /// Whether words such as "tomorrow" are understood.
  public let allowsNaturalLanguage: Bool?
  /// The settings by name.
  public let attributes: UnarchivedValue?

  static let classNames = ["NSDateFormatter"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    format = parts.text("NS.format")
    allowsNaturalLanguage = parts.bool("NS.natural")
    attributes = parts.any("NS.attributes")
  }
}

/// An NSISO8601DateFormatter.
public struct ArchivedISO8601DateFormatter: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// Which parts of a date are written: NSISO8601DateFormatOptions.
  public let formatOptions: Int?
  /// The time zone.
  public let timeZone: ArchivedTimeZone?

  static let classNames = ["NSISO8601DateFormatter"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    formatOptions = parts.integer("NS.formatOptions")
    timeZone = parts.part(ArchivedTimeZone.self, "NS.timeZone")
  }
}

/// An NSDateIntervalFormatter.
public struct ArchivedDateIntervalFormatter: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The locale.
  public let locale: ArchivedLocale?
  /// The calendar.
  public let calendar: ArchivedCalendar?
  /// The time zone.
  public let timeZone: ArchivedTimeZone?
  /// The template of the format.
  public let dateTemplate: String?
  /// The template that follows from the styles.
  public let dateTemplateFromStyles: String?
  /// The style of the date: NSDateIntervalFormatterStyle.
  public let dateStyle: Int?
  /// The style of the time.
  public let timeStyle: Int?
  /// Whether settings were changed.
  public let isModified: Bool?
  /// Whether the template counts rather than the styles.
  public let usesTemplate: Bool?

  static let classNames = ["NSDateIntervalFormatter"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    locale = parts.part(ArchivedLocale.self, "NS.locale")
    calendar = parts.part(ArchivedCalendar.self, "NS.calendar")
    timeZone = parts.part(ArchivedTimeZone.self, "NS.timeZone")
    dateTemplate = parts.text("NS.dateTemplate")
    dateTemplateFromStyles = parts.text("NS.dateTemplateFromStyles")
    dateStyle = parts.integer("NS.dateStyle")
    timeStyle = parts.integer("NS.timeStyle")
    isModified = parts.bool("NS.modified")
    usesTemplate = parts.bool("NS.useTemplate")
  }
}
