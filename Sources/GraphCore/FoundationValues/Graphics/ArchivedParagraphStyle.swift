/// An NSParagraphStyle.
///
/// A part that is absent has its default.
public struct ArchivedParagraphStyle: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// How lines are aligned: NSTextAlignment.
  public let alignment: Int?
  /// How lines are broken: NSLineBreakMode.
  public let lineBreakMode: Int?
  /// In which direction is written: NSWritingDirection.
  public let baseWritingDirection: Int?
  /// The space between lines.
  public let lineSpacing: Double?
  /// The space after the paragraph.
  public let paragraphSpacing: Double?
  /// The space before the paragraph.
  public let paragraphSpacingBefore: Double?
  /// The indent of all lines but the first.
  public let headIndent: Double?
  /// The indent at the other end.
  public let tailIndent: Double?
  /// The indent of the first line.
  public let firstLineHeadIndent: Double?
  /// The least height of a line.
  public let minimumLineHeight: Double?
  /// The greatest height of a line.
  public let maximumLineHeight: Double?
  /// What the height of a line is multiplied by.
  public let lineHeightMultiple: Double?
  /// When words are hyphenated.
  public let hyphenationFactor: Double?
  /// How far apart tab stops are after the last one given.
  public let defaultTabInterval: Double?
  /// Whether letters may move closer so that a line need not be cut.
  public let allowsTighteningForTruncation: Int?
  /// How much closer.
  public let tighteningFactorForTruncation: Double?
  /// The level of a header.
  public let headerLevel: Int?
  /// The tab stops.
  public let tabStops: [ArchivedTextTab]?
  /// The lists that the paragraph is in, the outermost first.
  public let textLists: [ArchivedTextList]?
  /// The blocks that the paragraph is in.
  public let textBlocks: UnarchivedValue?

  static let classNames = ["NSParagraphStyle", "NSMutableParagraphStyle"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    alignment = parts.integer("NSAlignment")
    lineBreakMode = parts.integer("NSLineBreakMode")
    baseWritingDirection = parts.integer("NSWritingDirection")
    lineSpacing = parts.real("NSLineSpacing")
    paragraphSpacing = parts.real("NSParagraphSpacing")
    paragraphSpacingBefore = parts.real("NSParagraphSpacingBefore")
    headIndent = parts.real("NSHeadIndent")
    tailIndent = parts.real("NSTailIndent")
    firstLineHeadIndent = parts.real("NSFirstLineHeadIndent")
    minimumLineHeight = parts.real("NSMinLineHeight")
    maximumLineHeight = parts.real("NSMaxLineHeight")
    lineHeightMultiple = parts.real("NSLineHeightMultiple")
    hyphenationFactor = parts.real("NSHyphenationFactor")
    defaultTabInterval = parts.real("NSDefaultTabInterval")
    allowsTighteningForTruncation = parts.integer("NSAllowsTighteningForTruncation")
    tighteningFactorForTruncation = parts.real("NSTighteningFactorForTruncation")
    headerLevel = parts.integer("NSHeaderLevel")
    tabStops = parts.parts(ArchivedTextTab.self, "NSTabStops")
    textLists = parts.parts(ArchivedTextList.self, "NSTextLists")
    textBlocks = parts.any("NSTextBlocks")
  }
}

/// An NSTextTab: a tab stop.
public struct ArchivedTextTab: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// Where the stop is, in points.
  public let location: Double?
  /// How text is aligned at it: NSTextAlignment.
  public let alignment: Int?
  /// Further options.
  public let options: UnarchivedValue?

  static let classNames = ["NSTextTab"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    location = parts.real("NSLocation")
    alignment = parts.integer("NSTextAlignment")
    options = parts.any("NSTabOptions")
  }
}

/// An NSTextList: the numbers or bullets of a list.
public struct ArchivedTextList: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The form of the markers: "{decimal}.".
  public let markerFormat: String?
  /// The options: NSTextListOptions.
  public let options: Int?

  static let classNames = ["NSTextList"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    markerFormat = parts.text("NSMarkerFormat")
    options = parts.integer("NSOptions")
  }
}

/// An NSTextAttachment: a file in a text.
public struct ArchivedTextAttachment: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The file.
  public let fileWrapper: ArchivedFileWrapper?
  /// What draws it, where that is a value.
  public let cell: UnarchivedValue?

  static let classNames = ["NSTextAttachment", "NSTokenAttachment"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    fileWrapper = parts.part(ArchivedFileWrapper.self, "NSFileWrapper")
    cell = parts.any("NSCell")
  }
}
