import Foundation

/// An NSImage: its representations, or its name.
public struct ArchivedImage: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The name of an image that the program brings along.
  public let name: String?
  /// The size in points.
  public let size: ArchivedSize?
  /// AppKit's flags.
  public let flags: Int?
  /// The colour after it.
  public let backgroundColor: FoundationValue?
  /// The representations: arrays of a number and the representation.
  public let representations: UnarchivedValue?

  static let classNames = ["NSImage"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    name = parts.text("NSName")
    size = parts.size("NSSize")
    flags = parts.integer("NSImageFlags")
    backgroundColor = parts.foundation("NSColor")
    representations = parts.any("NSReps")
  }
}

/// A representation of an image: an NSBitmapImageRep, NSCachedImageRep or NSCGImageSnapshotRep.
public struct ArchivedImageRepresentation: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The pixels, as a file of type TIFF.
  public let tiff: Data
  /// The rectangle that is drawn, of a snapshot.
  public let drawingRect: ArchivedRect?
  /// The rectangle that counts for the layout, of a snapshot.
  public let logicalRect: ArchivedRect?

  static let classNames = ["NSBitmapImageRep", "NSCachedImageRep", "NSCGImageSnapshotRep"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    guard let tiff = parts.data("NSTIFFRepresentation") else { return nil }
    self.tiff = tiff
    drawingRect = parts.rect("NSModelPixelDrawingRect")
    logicalRect = parts.rect("NSModelPixelLogicalRect")
  }
}

/// An NSCursor.
public struct ArchivedCursor: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The number of one of AppKit's cursors.
  public let type: Int?
  /// The point of the image that points.
  public let hotSpot: ArchivedPoint?
  /// The image.
  public let image: FoundationValue?

  static let classNames = ["NSCursor"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    type = parts.integer("NSCursorType")
    hotSpot = parts.point("NSHotSpot")
    image = parts.foundation("NSImage")
  }
}
