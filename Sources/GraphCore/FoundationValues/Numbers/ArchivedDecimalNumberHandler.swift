/// An NSDecimalNumberHandler: how decimal numbers are rounded.
public struct ArchivedDecimalNumberHandler: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// How numbers are rounded: 0 plain, 1 down, 2 up, 3 to even.
  public let roundingMode: Int?
  /// How many digits stand after the point.
  public let scale: Int?
  /// Whether an inexact result is an error.
  public let raisesOnExactness: Bool?
  /// Whether a number that is too large is an error.
  public let raisesOnOverflow: Bool?
  /// Whether a number that is too small is an error.
  public let raisesOnUnderflow: Bool?
  /// Whether a division by zero is an error.
  public let raisesOnDivideByZero: Bool?

  static let classNames = ["NSDecimalNumberHandler"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    // swift-corelibs-foundation reads another spelling than it writes (NSDecimalNumber.swift).
    roundingMode = parts.integer("NS.roundingmode", "NS.roundingMode")
    scale = parts.integer("NS.scale")
    raisesOnExactness = parts.bool("NS.raise.exactness")
    raisesOnOverflow = parts.bool("NS.raise.overflow")
    raisesOnUnderflow = parts.bool("NS.raise.underflow")
    raisesOnDivideByZero = parts.bool("NS.raise.dividebyzero")
  }
}
