/// An NSPersonNameComponentsFormatter, which writes names of people.
///
/// The settings are archived in an object of their own (public descriptions of Foundation; not seen
/// in an archive).
public struct ArchivedPersonNameComponentsFormatter: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// How much of the name is written: NSPersonNameComponentsFormatterStyle.
  public let style: Int?
  /// Whether the name is written as it is spoken.
  public let isPhonetic: Bool?
  /// Whether the family name always comes first.
  public let forcesFamilyNameFirst: Bool?
  /// Whether the given name always comes first.
  public let forcesGivenNameFirst: Bool?
  /// Whether no other style takes the place of one that a name does not allow.
  public let ignoresFallbacks: Bool?
  /// The locale.
  public let locale: ArchivedLocale?

  private static let innerName = "_NSPersonNameComponentsFormatterData"
  static let classNames = ["NSPersonNameComponentsFormatter", innerName]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    guard parts.className == Self.innerName else {
      guard let inner = parts.part(Self.self, "NS.nameComponentsFormatterPrivate"),
        inner.class == Self.innerName
      else { return nil }
      style = inner.style
      isPhonetic = inner.isPhonetic
      forcesFamilyNameFirst = inner.forcesFamilyNameFirst
      forcesGivenNameFirst = inner.forcesGivenNameFirst
      ignoresFallbacks = inner.ignoresFallbacks
      locale = inner.locale
      return
    }
    style = parts.integer("NS.nameFormatterStyle")
    isPhonetic = parts.bool("NS.nameFormatterIsPhonetic")
    forcesFamilyNameFirst = parts.bool("NS.nameFormatterForceFamilyNameFirst")
    forcesGivenNameFirst = parts.bool("NS.nameFormatterForceGivenNameFirst")
    ignoresFallbacks = parts.bool("NS.nameFormatterIgnoresFallbacks")
    locale = parts.part(ArchivedLocale.self, "NS.nameFormatterLocale")
  }
}
