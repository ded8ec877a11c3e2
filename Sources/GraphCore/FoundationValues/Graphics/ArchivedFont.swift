/// An NSFont.
public struct ArchivedFont: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The PostScript name of the font.
  public let name: String
  /// The size in points.
  public let size: Double?
  /// AppKit's flags.
  public let flags: Int?
  /// Whether a width was set.
  public let hasWidth: Bool?
  /// Whether the size is that of the system's appearance.
  public let usesAppearanceFontSize: Bool?
  /// The text style.
  public let textStyleDescriptor: ArchivedFontDescriptor?

  static let classNames = ["NSFont"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    guard let name = parts.text("NSName") else { return nil }
    self.name = name
    size = parts.real("NSSize")
    flags = parts.integer("NSfFlags")
    hasWidth = parts.bool("NSHasWidth")
    usesAppearanceFontSize = parts.bool("NSFontUsesAppearanceFontSize")
    textStyleDescriptor = parts.part(ArchivedFontDescriptor.self, "NSTextStyleDescriptor")
  }
}

/// A UIFont.
///
/// The name and the size stand under AppKit's keys as well, and must be the same there.
public struct ArchivedUIFont: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The PostScript name of the font.
  public let name: String?
  /// The name of the family.
  public let familyName: String?
  /// The size in points.
  public let pointSize: Double?
  /// Whether it is bold, italic and so on: UIFontDescriptorSymbolicTraits.
  public let traits: Int?
  /// The text style by which it grows with the user's settings.
  public let textStyleForScaling: String?
  /// The size that grows.
  public let pointSizeForScaling: Double?
  /// The size up to which it grows.
  public let maximumPointSizeAfterScaling: Double?
  /// Whether it is the font of the system.
  public let isSystemFont: Bool?
  /// The descriptor.
  public let descriptor: ArchivedFontDescriptor?

  static let classNames = ["UIFont"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    name = parts.text("UIFontName", "NSName")
    familyName = parts.text("UIFontFamilyName")
    pointSize = parts.real("UIFontPointSize", "NSSize")
    traits = parts.integer("UIFontTraits")
    textStyleForScaling = parts.text("UIFontTextStyleForScaling")
    pointSizeForScaling = parts.real("UIFontPointSizeForScaling")
    maximumPointSizeAfterScaling = parts.real("UIFontMaximumPointSizeAfterScaling")
    isSystemFont = parts.bool("UISystemFont")
    descriptor = parts.part(ArchivedFontDescriptor.self, "UIFontDescriptor")
  }
}

/// An NSFontDescriptor or a UIFontDescriptor.
public struct ArchivedFontDescriptor: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// What is asked of the font, by name.
  public let attributes: UnarchivedValue?
  /// The options of AppKit or UIKit.
  public let options: Int?

  static let classNames = ["NSFontDescriptor", "UIFontDescriptor"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    attributes = parts.any("NSFontDescriptorAttributes", "UIFontDescriptorAttributes")
    options = parts.integer("NSFontDescriptorOptions", "UIFontDescriptorOptions")
  }
}
