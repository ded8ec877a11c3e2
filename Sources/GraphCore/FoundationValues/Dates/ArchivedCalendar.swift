import Foundation

/// An NSCalendar.
public struct ArchivedCalendar: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// Which calendar it is: "gregorian".
  public let identifier: String?
  /// The locale.
  public let locale: ArchivedLocale?
  /// The time zone.
  public let timeZone: ArchivedTimeZone?
  /// The first day of the week, 1 for Sunday.
  public let firstWeekday: Int?
  /// How many days of the new year its first week has at least.
  public let minimumDaysInFirstWeek: Int?
  /// When the Gregorian calendar begins.
  public let gregorianStart: ArchivedDate?

  static let classNames = ["NSCalendar"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    identifier = parts.text("NS.identifier")
    locale = parts.part(ArchivedLocale.self, "NS.locale")
    timeZone = parts.part(ArchivedTimeZone.self, "NS.timezone")
    firstWeekday = parts.integer("NS.firstwkdy")
    minimumDaysInFirstWeek = parts.integer("NS.mindays")
    gregorianStart = parts.date("NS.gstartdate")
  }
}

/// An NSTimeZone.
public struct ArchivedTimeZone: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The name of the zone: "Europe/Berlin".
  public let name: String?
  /// The rules of the zone: a file of the time zone database (TZif).
  public let data: Data?

  static let classNames = ["NSTimeZone"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    name = parts.text("NS.name")
    data = parts.data("NS.data")
  }
}

/// An NSLocale.
public struct ArchivedLocale: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The identifier of the locale: "de_AT".
  public let identifier: String

  static let classNames = ["NSLocale"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    guard let identifier = parts.text("NS.identifier") else { return nil }
    self.identifier = identifier
  }
}
