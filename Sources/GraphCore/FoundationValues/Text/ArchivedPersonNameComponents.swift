/// NSPersonNameComponents: the parts of a name.
///
/// Apple archives them in an object of its own; swift-corelibs-foundation directly
/// (NSPersonNameComponents.swift).
public struct ArchivedPersonNameComponents: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// A title before the name: "Dr.".
  public let namePrefix: String?
  /// The given name.
  public let givenName: String?
  /// A second given name.
  public let middleName: String?
  /// The family name.
  public let familyName: String?
  /// What follows the name: "Jr.".
  public let nameSuffix: String?
  /// The name among friends.
  public let nickname: String?

  static let classNames = ["NSPersonNameComponents", "_NSPersonNameComponentsData"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    if let inner = parts.part(Self.self, "NS.nameComponentsPrivate") {
      namePrefix = inner.namePrefix
      givenName = inner.givenName
      middleName = inner.middleName
      familyName = inner.familyName
      nameSuffix = inner.nameSuffix
      nickname = inner.nickname
    } else {
      namePrefix = parts.text("NS.namePrefix")
      givenName = parts.text("NS.givenName")
      middleName = parts.text("NS.middleName")
      familyName = parts.text("NS.familyName")
      nameSuffix = parts.text("NS.nameSuffix")
      nickname = parts.text("NS.nickname")
    }
  }
}
