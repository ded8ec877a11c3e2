/// A CNPostalAddress.
public struct ArchivedPostalAddress: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The street and the number.
  public let street: String?
  /// A part of the city.
  public let subLocality: String?
  /// The city.
  public let city: String?
  /// A part of the state: a county.
  public let subAdministrativeArea: String?
  /// The state.
  public let state: String?
  /// The postal code.
  public let postalCode: String?
  /// The country.
  public let country: String?
  /// The country as ISO 3166 code.
  public let isoCountryCode: String?
  /// The address as it is written on letters.
  public let formattedAddress: String?

  static let classNames = ["CNPostalAddress", "CNMutablePostalAddress"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    street = parts.text("_street")
    subLocality = parts.text("_subLocality")
    city = parts.text("_city")
    subAdministrativeArea = parts.text("_subAdministrativeArea")
    state = parts.text("_state")
    postalCode = parts.text("_postalCode")
    country = parts.text("_country")
    isoCountryCode = parts.text("_ISOCountryCode")
    formattedAddress = parts.text("_formattedAddress")
  }
}
