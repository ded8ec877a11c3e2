import Foundation

/// An NSCharacterSet: one of Foundation's own, a range, some characters, or a bitmap.
///
/// The keys are those of swift-corelibs-foundation, NSCharacterSet.swift.
public struct ArchivedCharacterSet: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The number of one of Foundation's sets: CFCharacterSetPredefinedSet.
  public let builtinID: Int?
  /// The range of code points.
  public let range: ArchivedRange?
  /// The characters.
  public let characters: String?
  /// A bit for each code point: 8,192 bytes for the first 65,536, then planes of one byte more.
  public let bitmap: Data?
  /// Whether it is all characters but these.
  public let isInverted: Bool?
  /// Whether the set that `builtinID` names, and the bitmap holds, is an inverted one.
  public let isBuiltinInverted: Bool?

  static let classNames = ["NSCharacterSet", "NSMutableCharacterSet"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    builtinID = parts.integer("NSBuiltinID", "NSBuiltinID2")
    // The location is in the upper half of 64 bits, the length in the lower.
    range = parts.integer("NSRange").map {
      ArchivedRange(location: Int(UInt64(bitPattern: Int64($0)) >> 32), length: $0 & 0xFFFF_FFFF)
    }
    characters = parts.text("NSString", "NSStringObject")
    bitmap = parts.data("NSBitmap", "NSBitmapObject")
    isInverted = parts.bool("NSIsInverted")
    isBuiltinInverted = parts.bool("NSIsInverted2")
    guard builtinID != nil || range != nil || characters != nil || bitmap != nil else { return nil }
  }
}
