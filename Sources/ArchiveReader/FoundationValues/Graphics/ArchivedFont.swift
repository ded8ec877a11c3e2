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

  var foundationValue: FoundationValue { .font(self) }
}

/// A UIFont.
public struct ArchivedUIFont: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The PostScript name of the font.
  public let name: String?
  /// The name of the family.
  public let familyName: String?
  /// The size in points.
  public let pointSize: Double?
  /// Whether it is the font of the system.
  public let isSystemFont: Bool?
  /// The descriptor.
  public let descriptor: FoundationValue?

  static let classNames = ["UIFont"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    name = parts.text("UIFontName")
    familyName = parts.text("UIFontFamilyName")
    pointSize = parts.real("UIFontPointSize")
    isSystemFont = parts.bool("UISystemFont")
    descriptor = parts.foundation("UIFontDescriptor")
  }

  var foundationValue: FoundationValue { .uiFont(self) }
}

/// An NSFontDescriptor.
public struct ArchivedFontDescriptor: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// What is asked of the font, by name.
  public let attributes: UnarchivedValue?
  /// AppKit's options.
  public let options: Int?

  static let classNames = ["NSFontDescriptor"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    attributes = parts.any("NSFontDescriptorAttributes")
    options = parts.integer("NSFontDescriptorOptions")
  }

  var foundationValue: FoundationValue { .fontDescriptor(self) }
}
