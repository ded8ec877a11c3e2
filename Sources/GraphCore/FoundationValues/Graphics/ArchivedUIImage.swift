import Foundation

/// A UIImage: its pixels as a file, or its name.
///
/// The keys are those that public descriptions of real archives tell (of AUM sessions, and of
/// thumbnails of iPad apps), and those that public descriptions of UIKit name besides. Symbols from
/// catalogs, and images with insets or a baseline, have more keys; they stay objects.
public struct ArchivedUIImage: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The pixels, as a file: PNG.
  public let data: Data?
  /// The name of an image that the program or the system brings along.
  public let name: String?
  /// Whether the name is one of the system's symbols.
  public let isSystemImage: Bool?
  /// The identifier of the bundle with the named image.
  public let bundleIdentifier: String?
  /// The name of the library of that bundle.
  public let bundleLibraryName: String?
  /// How many pixels a point is wide.
  public let scale: Double?
  /// The size in pixels.
  public let sizeInPixels: ArchivedSize?
  /// How the image is turned: UIImageOrientation.
  public let orientation: Int?
  /// Whether the image is a pattern.
  public let hasPattern: Bool?
  /// Whether only its opacity counts: UIImageRenderingMode.
  public let renderingMode: Int?
  /// Whether it is mirrored where text runs from right to left.
  public let isFlippedInRightToLeft: Bool?
  /// How far a variable symbol is filled; infinity if it is none.
  public let variableValue: Double?
  /// The configuration.
  public let configuration: ArchivedImageConfiguration?
  /// What it was chosen for.
  public let traits: ArchivedTraitCollection?
  /// What is read out for it.
  public let accessibilityLabel: String?
  /// The language of that.
  public let accessibilityLanguage: String?

  static let classNames = ["UIImage"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    data = parts.data("UIImageData")
    name = parts.text("UIImageName")
    guard data != nil || name != nil else { return nil }
    isSystemImage = parts.bool("UIIsSystemImage")
    bundleIdentifier = parts.text("UIImageBundleIdentifier")
    bundleLibraryName = parts.text("UIImageBundleLibraryName")
    scale = parts.real("UIScale")
    sizeInPixels = parts.size("UIImageSizeInPixels")
    orientation = parts.integer("UIImageOrientation")
    hasPattern = parts.bool("UIHasPattern")
    renderingMode = parts.integer("UIRenderingMode")
    isFlippedInRightToLeft = parts.bool("UIImageIsFlippedInRightToLeft")
    variableValue = parts.real("UIImageVariableValue")
    configuration = parts.part(ArchivedImageConfiguration.self, "UIImageConfiguration")
    traits = parts.part(ArchivedTraitCollection.self, "UIImageTraitCollection")
    accessibilityLabel = parts.text("UIImageAccessibilityLabel")
    accessibilityLanguage = parts.text("UIImageAccessibilityLanguage")
    // UIKit marks what it wrote itself; the marks are true or not there.
    for mark in ["UIKitDidEncode", "UIKitWantsProperties"] where parts.bool(mark) == false {
      parts.refuse()
    }
  }
}

/// A UIImageConfiguration (public descriptions of UIKit; not seen in an archive).
public struct ArchivedImageConfiguration: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// What the image is chosen for.
  public let traits: ArchivedTraitCollection?
  /// The locale.
  public let locale: ArchivedLocale?
  /// Whether the size of texts does not matter.
  public let ignoresDynamicType: Bool?

  static let classNames = ["UIImageConfiguration"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    traits = parts.part(ArchivedTraitCollection.self, "UITraitCollection")
    locale = parts.part(ArchivedLocale.self, "NSLocale")
    ignoresDynamicType = parts.bool("UIIgnoresDynamicType")
  }
}

/// A UITraitCollection: what is known of a screen and its surroundings.
///
/// Each trait of UIKit has a key with one beginning; traits that an app defines have others, and
/// then the collection stays an object.
public struct ArchivedTraitCollection: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The traits, by the ends of the keys: "_UITraitNameDisplayScale".
  public let traits: [String: UnarchivedValue]?
  /// The tint.
  public let tintColor: ArchivedUIColor?

  static let classNames = ["UITraitCollection"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    traits = parts.rest(withPrefix: "UITraitCollectionBuiltinTrait-")
    tintColor = parts.part(ArchivedUIColor.self, "UITraitCollectionTintColor")
  }
}
