/// A CLLocation: a place on earth, and when and how exactly it was found.
///
/// All keys begin with `kCLLocationCodingKey`.
public struct ArchivedLocation: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// When the place was found.
  public let timestamp: ArchivedDate?
  /// Degrees north.
  public let latitude: Double?
  /// Degrees east.
  public let longitude: Double?
  /// Metres above the sea.
  public let altitude: Double?
  /// How far off the place may be, in metres; negative if it is not known.
  public let horizontalAccuracy: Double?
  /// How far off the altitude may be, in metres.
  public let verticalAccuracy: Double?
  /// Metres in a second.
  public let speed: Double?
  /// The direction, in degrees from north.
  public let course: Double?
  /// What else is known of the place, by the ends of the keys.
  public let other: [String: UnarchivedValue]?

  static let classNames = ["CLLocation"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    timestamp = parts.real("kCLLocationCodingKeyTimestamp").map {
      ArchivedDate(secondsSinceReferenceDate: $0)
    }
    latitude = parts.real("kCLLocationCodingKeyCoordinateLatitude")
    longitude = parts.real("kCLLocationCodingKeyCoordinateLongitude")
    altitude = parts.real("kCLLocationCodingKeyAltitude")
    horizontalAccuracy = parts.real("kCLLocationCodingKeyHorizontalAccuracy")
    verticalAccuracy = parts.real("kCLLocationCodingKeyVerticalAccuracy")
    speed = parts.real("kCLLocationCodingKeySpeed")
    course = parts.real("kCLLocationCodingKeyCourse")
    other = parts.rest(withPrefix: "kCLLocationCodingKey")
  }
}
