import Foundation

/// An NSFileWrapper: a file or a folder in an attachment.
///
/// The key is that of GNUstep (NSFileWrapper.m).
public struct ArchivedFileWrapper: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The wrapper in serialized form.
  public let data: Data

  static let classNames = ["NSFileWrapper"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    guard let data = parts.data("NSFileWrapperData") else { return nil }
    self.data = data
  }
}
