/// A UIColor.
///
/// Newer archives hold each component twice, as a float and as a double: the double is taken where
/// both agree.
public struct ArchivedUIColor: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The number of components, alpha included.
  public let componentCount: Int?
  /// Red.
  public let red: Double?
  /// Green.
  public let green: Double?
  /// Blue.
  public let blue: Double?
  /// White, of a grey.
  public let white: Double?
  /// The opacity of the colour.
  public let alpha: Double?
  /// The kind of colour, as AppKit numbers them: NSColorSpace.
  public let colorSpace: Int?
  /// The components as AppKit archives them.
  public let components: [Double]?
  /// The name of a colour of the system.
  public let systemColorName: String?
  /// The name of the method that gives a pattern.
  public let patternSelector: String?

  static let classNames = [
    "UIColor", "UIDeviceRGBColor", "UIDeviceWhiteColor", "UICachedDeviceRGBColor",
    "UICachedDeviceWhiteColor",
  ]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    componentCount = parts.integer("UIColorComponentCount")
    red = Self.component("UIRed", &parts)
    green = Self.component("UIGreen", &parts)
    blue = Self.component("UIBlue", &parts)
    white = Self.component("UIWhite", &parts)
    alpha = Self.component("UIAlpha", &parts)
    colorSpace = parts.integer("NSColorSpace")
    components = parts.components(parts.has("NSWhite") ? "NSWhite" : "NSRGB")
    systemColorName = parts.text("UISystemColorName")
    patternSelector = parts.text("UIPatternSelector")
  }

  private static func component(_ key: String, _ parts: inout PartReader) -> Double? {
    let single = parts.real(key)
    guard let double = parts.real("\(key)-Double") else { return single }
    if let single, Float(single) != Float(double) { parts.refuse() }
    return double
  }
}
