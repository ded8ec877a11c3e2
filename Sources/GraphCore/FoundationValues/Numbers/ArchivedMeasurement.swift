/// An NSMeasurement: a number and its unit.
public struct ArchivedMeasurement: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The number.
  public let value: Double
  /// The unit.
  public let unit: ArchivedUnit

  static let classNames = ["NSMeasurement"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    guard let value = parts.real("NS.value"), let unit = parts.part(ArchivedUnit.self, "NS.unit")
    else { return nil }
    self.value = value
    self.unit = unit
  }
}

/// An NSUnit, or a unit of a dimension: an NSUnitLength, NSUnitAngle and so on.
public struct ArchivedUnit: FoundationObject {
  /// The name of the class, as archived: it tells the dimension.
  public let `class`: String
  /// The symbol of the unit.
  public let symbol: String?
  /// How it is converted to the base unit of its dimension.
  public let converter: ArchivedUnitConverter?
  /// The number by which Foundation knows the unit.
  public let specifier: Int?

  /// The others begin with "NSUnit".
  static let classNames = ["NSUnit", "NSDimension"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    symbol = parts.text("NS.symbol")
    converter = parts.part(ArchivedUnitConverter.self, "NS.converter")
    specifier = parts.integer("NS.specifier")
  }
}

/// An NSUnitConverterLinear or NSUnitConverterReciprocal: how a unit is converted to the base unit.
public struct ArchivedUnitConverter: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// What a value is multiplied by.
  public let coefficient: Double?
  /// What is added then.
  public let constant: Double?
  /// What is divided by the value.
  public let reciprocal: Double?

  static let classNames = ["NSUnitConverterLinear", "NSUnitConverterReciprocal", "NSUnitConverter"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    coefficient = parts.real("NS.coefficient")
    constant = parts.real("NS.constant")
    reciprocal = parts.real("NS.reciprocal")
  }
}
