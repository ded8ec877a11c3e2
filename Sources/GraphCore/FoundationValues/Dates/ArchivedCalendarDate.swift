/// An NSCalendarDate: an instant, with the time zone and the format to show it in.
public struct ArchivedCalendarDate: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The instant.
  public let date: ArchivedDate
  /// The time zone.
  public let timeZone: ArchivedTimeZone?
  /// The format, as that of strftime.
  public let format: String?

  static let classNames = ["NSCalendarDate"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    guard let seconds = parts.real("NS.time") else { return nil }
    date = ArchivedDate(secondsSinceReferenceDate: seconds)
    timeZone = parts.part(ArchivedTimeZone.self, "NS.timezone")
    format = parts.text("NS.format")
  }
}

/// An NSDateInterval: the time between two instants.
public struct ArchivedDateInterval: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// When it begins.
  public let start: ArchivedDate
  /// When it ends.
  public let end: ArchivedDate

  static let classNames = ["NSDateInterval"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    guard let start = parts.date("NS.startDate"), let end = parts.date("NS.endDate") else {
      return nil
    }
    self.start = start
    self.end = end
  }
}
