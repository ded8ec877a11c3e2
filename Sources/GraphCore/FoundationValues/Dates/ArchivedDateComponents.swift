/// NSDateComponents: parts of a date, or a length of time in calendar units.
///
/// The keys are those of swift-corelibs-foundation, NSDateComponents.swift. The largest integer of
/// 64 or of 32 bits is NSDateComponentUndefined, and no part.
public struct ArchivedDateComponents: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The era.
  public let era: Int?
  /// The year.
  public let year: Int?
  /// The quarter.
  public let quarter: Int?
  /// The month.
  public let month: Int?
  /// The day.
  public let day: Int?
  /// The hour.
  public let hour: Int?
  /// The minute.
  public let minute: Int?
  /// The second.
  public let second: Int?
  /// The nanosecond.
  public let nanosecond: Int?
  /// The week of the year.
  public let weekOfYear: Int?
  /// The week of the month.
  public let weekOfMonth: Int?
  /// The year that the week counts for.
  public let yearForWeekOfYear: Int?
  /// The day of the week, 1 for Sunday.
  public let weekday: Int?
  /// Which of the month's days of that name it is.
  public let weekdayOrdinal: Int?
  /// Whether the month is a leap month.
  public let isLeapMonth: Bool?
  /// The calendar.
  public let calendar: ArchivedCalendar?
  /// The time zone.
  public let timeZone: ArchivedTimeZone?

  static let classNames = ["NSDateComponents"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    func defined(_ number: Int?) -> Int? {
      number == Int.max || number == Int(Int32.max) ? nil : number
    }
    era = defined(parts.integer("NS.era"))
    year = defined(parts.integer("NS.year"))
    quarter = defined(parts.integer("NS.quarter"))
    month = defined(parts.integer("NS.month"))
    day = defined(parts.integer("NS.day"))
    hour = defined(parts.integer("NS.hour"))
    minute = defined(parts.integer("NS.minute"))
    second = defined(parts.integer("NS.second"))
    nanosecond = defined(parts.integer("NS.nanosec"))
    weekOfYear = defined(parts.integer("NS.weekOfYear"))
    weekOfMonth = defined(parts.integer("NS.weekOfMonth"))
    yearForWeekOfYear = defined(parts.integer("NS.yearForWOY"))
    weekday = defined(parts.integer("NS.weekday"))
    weekdayOrdinal = defined(parts.integer("NS.weekdayOrdinal"))
    isLeapMonth = parts.bool("NS.isLeapMonth")
    calendar = parts.part(ArchivedCalendar.self, "NS.calendar")
    timeZone = parts.part(ArchivedTimeZone.self, "NS.timezone")
  }
}
