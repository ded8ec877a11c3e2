/// A formatter of lengths, masses, energies or measurements.
///
/// The first three archive the settings that they share, and one of their own; GNUstep does the
/// same, but puts the style of an energy under the key of the options (NSLengthFormatter.m,
/// NSMassFormatter.m, NSEnergyFormatter.m). An NSMeasurementFormatter archives them in an object of
/// Foundation's own class NSUnitFormatter (public descriptions of Foundation; not seen in an
/// archive).
public struct ArchivedUnitFormatter: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// How long the unit is written: NSFormattingUnitStyle.
  public let unitStyle: Int?
  /// Which unit is used: NSMeasurementFormatterUnitOptions.
  public let unitOptions: Int?
  /// The locale.
  public let locale: ArchivedLocale?
  /// What writes the number.
  public let numberFormatter: ArchivedNumberFormatter?
  /// Whether lengths are heights of people.
  public let isForPersonHeightUse: Bool?
  /// Whether masses are those of people.
  public let isForPersonMassUse: Bool?
  /// Whether energies are those of food.
  public let isForFoodEnergyUse: Bool?

  private static let innerName = "NSUnitFormatter"
  static let classNames = [
    "NSLengthFormatter", "NSMassFormatter", "NSEnergyFormatter", "NSMeasurementFormatter",
    innerName,
  ]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    if parts.className == "NSMeasurementFormatter" {
      guard let inner = parts.part(Self.self, "NS.unitFormatter"), inner.class == Self.innerName
      else { return nil }
      unitStyle = inner.unitStyle
      unitOptions = inner.unitOptions
      locale = inner.locale
      numberFormatter = inner.numberFormatter
    } else {
      unitStyle = parts.integer("NS.unitStyle")
      unitOptions = parts.integer("NS.unitOptions")
      locale = parts.part(ArchivedLocale.self, "NS.locale")
      numberFormatter = parts.part(ArchivedNumberFormatter.self, "NS.numberFormatter")
    }
    isForPersonHeightUse = Self.flag("NS.forPersonHeightUse", of: "NSLengthFormatter", &parts)
    isForPersonMassUse = Self.flag("NS.forPersonMassUse", of: "NSMassFormatter", &parts)
    isForFoodEnergyUse = Self.flag("NS.forFoodEnergyUse", of: "NSEnergyFormatter", &parts)
  }

  /// The flag that only one of the classes has.
  private static func flag(
    _ key: String, of className: String, _ parts: inout PartReader
  ) -> Bool? {
    parts.className == className ? parts.bool(key) : nil
  }
}
