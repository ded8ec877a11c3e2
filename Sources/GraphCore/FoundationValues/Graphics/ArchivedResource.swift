/// An image or a sound that a nib names instead of holding it: an NSCustomResource, or an
/// NSButtonImageSource, as check boxes and radio buttons have it.
///
/// The keys are those of real nibs, those with the prefix `IB` of newer ones.
public struct ArchivedResource: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The name of the resource.
  public let name: String
  /// The class of the resource: "NSImage".
  public let resourceClass: String?
  /// Where the name belongs: "system".
  public let namespace: String?
  /// The size of the image in the editor.
  public let designSize: FoundationValue?
  /// The configuration of the image in the editor.
  public let designConfiguration: UnarchivedValue?

  static let classNames = ["NSCustomResource", "NSButtonImageSource"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    guard let name = parts.text("NSResourceName", "NSImageName") else { return nil }
    self.name = name
    resourceClass = parts.text("NSClassName")
    namespace = parts.text("IBNamespaceID")
    designSize = parts.foundation("IBDesignSize")
    designConfiguration = parts.any("IBDesignImageConfiguration")
  }
}
