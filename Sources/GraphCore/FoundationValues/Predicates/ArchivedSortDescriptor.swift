/// An NSSortDescriptor.
public struct ArchivedSortDescriptor: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The key by which is sorted.
  public let key: String?
  /// The method that compares.
  public let selector: String?
  /// Whether the smallest comes first.
  public let ascending: Bool?

  static let classNames = ["NSSortDescriptor"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    key = parts.text("NSKey")
    selector = parts.text("NSSelector")
    ascending = parts.bool("NSAscending")
  }
}
