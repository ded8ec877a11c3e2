/// An NSDateComponentsFormatter, which writes spans of time.
///
/// Settings that are as they were from the start are not archived, but for the units, the calendar
/// and the style (public descriptions of Foundation; not seen in an archive).
public struct ArchivedDateComponentsFormatter: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The units that are used: NSCalendarUnit.
  public let allowedUnits: Int?
  /// Whether the smallest unit may have a fraction.
  public let allowsFractionalUnits: Bool?
  /// The calendar.
  public let calendar: ArchivedCalendar?
  /// Whether a largest unit of less than two is written in the next smaller one.
  public let collapsesLargestUnit: Bool?
  /// Whether the text says that it is about so much.
  public let includesApproximationPhrase: Bool?
  /// Whether the text says that so much remains.
  public let includesTimeRemainingPhrase: Bool?
  /// How many units are written at most; all if it is zero.
  public let maximumUnitCount: Int?
  /// How long the units are written: NSDateComponentsFormatterUnitsStyle.
  public let unitsStyle: Int?
  /// Where zeros are left out: NSDateComponentsFormatterZeroFormattingBehavior.
  public let zeroFormattingBehavior: Int?

  static let classNames = ["NSDateComponentsFormatter"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    allowedUnits = parts.integer("NS.allowedUnits")
    allowsFractionalUnits = parts.bool("NS.allowsFractionalUnits")
    calendar = parts.part(ArchivedCalendar.self, "NS.calendar")
    collapsesLargestUnit = parts.bool("NS.collapsesLargestUnit")
    includesApproximationPhrase = parts.bool("NS.includesApproximationPhrase")
    includesTimeRemainingPhrase = parts.bool("NS.includesTimeRemainingPhrase")
    maximumUnitCount = parts.integer("NS.maximumUnitCount")
    unitsStyle = parts.integer("NS.unitsStyle")
    zeroFormattingBehavior = parts.integer("NS.zeroFormattingBehavior")
  }
}
