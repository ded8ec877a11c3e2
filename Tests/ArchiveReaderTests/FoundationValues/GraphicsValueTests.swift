import Testing

@Suite("Colours, fonts, images and styles")
struct GraphicsValueTests {
  private static let grey: Sketch = .object(
    "NSColor", ["NSColorSpace": 3, "NSWhite": .ascii("0.6666666667\0")])
  private static let greyJSON =
    #"{"class":"NSColor","colorSpace":3,"components":[0.6666666667],"kind":"calibratedWhite"}"#

  static let colors = [
    FoundationForm(
      "of calibrated RGB", "NSColor", ["NSColorSpace": 1, "NSRGB": .ascii("0.1 0.2 1\0")],
      #"{CLASS,"colorSpace":1,"components":[0.1,0.2,1],"kind":"calibratedRGB"}"#),
    FoundationForm(
      "of device RGB with alpha", "NSColor", ["NSColorSpace": 2, "NSRGB": .ascii("0 0 1 0.5")],
      #"{"alpha":0.5,CLASS,"colorSpace":2,"components":[0,0,1],"kind":"deviceRGB"}"#),
    FoundationForm(
      "of calibrated white", "NSColor",
      ["NSColorSpace": 3, "NSWhite": .ascii("0 0.80000001\0")],
      #"{"alpha":0.80000001,CLASS,"colorSpace":3,"components":[0],"kind":"calibratedWhite"}"#),
    FoundationForm(
      "of device white", "NSColor", ["NSColorSpace": 4, "NSWhite": .ascii("1")],
      #"{CLASS,"colorSpace":4,"components":[1],"kind":"deviceWhite"}"#),
    FoundationForm(
      "of CMYK", "NSColor", ["NSColorSpace": 5, "NSCYMK": .ascii("0 0.1 0.2 0.3 1\0")],
      #"{"alpha":1,CLASS,"colorSpace":5,"components":[0,0.1,0.2,0.3],"kind":"deviceCMYK"}"#),
    FoundationForm(
      "of a catalogue", "NSColor",
      [
        "NSColorSpace": 6, "NSCatalogName": "System", "NSColorName": "controlColor",
        "NSColor": grey,
      ],
      #"{"catalog":"System",CLASS,"color":\#(greyJSON),"colorSpace":6,"kind":"named","#
        + #""name":"controlColor"}"#),
    FoundationForm(
      "of a pattern", "NSColor",
      ["NSColorSpace": 10, "NSImage": .object("NSImage", ["NSName": "dots"])],
      #"{CLASS,"colorSpace":10,"kind":"pattern","pattern":{"class":"NSImage","name":"dots"}}"#),
    FoundationForm(
      "of a space of its own", "NSColor",
      [
        "NSColorSpace": 1, "NSRGB": .ascii("0.5 0.5 0.5\0"),
        "NSComponents": .ascii("0.501 0.502 0.503 1"),
        "NSCustomColorSpace": .object(
          "NSColorSpace", ["NSID": 7, "NSModel": 1, "NSSpaceID": 4, "NSICC": .data([1, 2])]),
      ],
      #"{CLASS,"colorSpace":1,"components":[0.5,0.5,0.5],"#
        + #""customColorSpace":{"class":"NSColorSpace","id":7,"model":1,"profile":"AQI=","#
        + #""spaceID":4},"customComponents":[0.501,0.502,0.503,1],"kind":"calibratedRGB"}"#),
    .misfit(
      "of two components", "NSColor", ["NSColorSpace": 1, "NSRGB": .ascii("0.1 0.2\0")]),
    .misfit(
      "of words", "NSColor", ["NSColorSpace": 1, "NSRGB": .ascii("red green blue\0")]),
    .misfit("of no numbers", "NSColor", ["NSColorSpace": 3, "NSWhite": .ascii("")]),
    .misfit("of an unknown space", "NSColor", ["NSColorSpace": 99]),
    .misfit(
      "with another key", "NSColor", ["NSColorSpace": 3, "NSWhite": .ascii("1"), "NSNew": 1]),
    .misfit("without a name", "NSColor", ["NSColorSpace": 6, "NSCatalogName": "System"]),
    FoundationForm(
      "NSColorList", ["NSName": "L", "NSKeys": ["a"], "NSColors": [grey]],
      #"{CLASS,"colors":[\#(greyJSON)],"keys":["a"],"name":"L"}"#),
    .misfit("of too few colours", "NSColorList", ["NSKeys": ["a"], "NSColors": []]),
    FoundationForm(
      "in both precisions", "UIColor",
      [
        "UIColorComponentCount": 4, "UIRed": .inline(.float(0.1)), "UIRed-Double": 0.1,
        "UIGreen": .inline(.float(0.5)), "UIGreen-Double": 0.5, "UIBlue": 0.0,
        "UIAlpha": 1.0, "NSRGB": .ascii("0.1 0.5 0"), "NSColorSpace": 2,
      ],
      #"{"alpha":1,"blue":0,CLASS,"colorSpace":2,"componentCount":4,"components":[0.1,0.5,0],"#
        + #""green":0.5,"red":0.1}"#),
    FoundationForm(
      "of grey", "UIDeviceWhiteColor",
      ["UIWhite": 0.25, "UIAlpha": 1.0, "NSWhite": .ascii("0.25"), "NSColorSpace": 4],
      #"{"alpha":1,CLASS,"colorSpace":4,"components":[0.25],"white":0.25}"#),
    FoundationForm(
      "of the system", "UIColor", ["UISystemColorName": "darkTextColor"],
      #"{CLASS,"systemColorName":"darkTextColor"}"#),
    FoundationForm(
      "of a pattern", "UIColor", ["UIPatternSelector": "groupTableViewBackgroundColor"],
      #"{CLASS,"patternSelector":"groupTableViewBackgroundColor"}"#),
    .misfit(
      "whose precisions differ", "UIColor",
      ["UIRed": .inline(.float(0.1)), "UIRed-Double": 0.2]),
  ]

  static let fonts = [
    FoundationForm(
      "NSFont", ["NSName": "LucidaGrande-Bold", "NSSize": 11.0, "NSfFlags": 16],
      #"{CLASS,"flags":16,"name":"LucidaGrande-Bold","size":11}"#),
    FoundationForm(
      "of a newer system", "NSFont",
      [
        "NSName": "F", "NSSize": 13, "NSHasWidth": true, "NSFontUsesAppearanceFontSize": false,
        "NSTextStyleDescriptor": .object(
          "NSFontDescriptor",
          [
            "NSFontDescriptorAttributes": ["NSFontSizeAttribute": .number(13)],
            "NSFontDescriptorOptions": 2,
          ]),
      ],
      #"{CLASS,"hasWidth":true,"name":"F","size":13,"textStyleDescriptor":"#
        + #"{"attributes":{"NSFontSizeAttribute":13},"class":"NSFontDescriptor","options":2},"#
        + #""usesAppearanceFontSize":false}"#),
    .misfit("without a name", "NSFont", ["NSSize": 11.0]),
    .misfit("with a size in words", "NSFont", ["NSName": "F", "NSSize": "11"]),
    FoundationForm(
      "UIFont",
      [
        "UIFontName": "F-Bold", "UIFontFamilyName": "F", "UIFontPointSize": 17.0,
        "UISystemFont": true,
      ], #"{CLASS,"familyName":"F","isSystemFont":true,"name":"F-Bold","pointSize":17}"#),
    FoundationForm(
      "of a newer system", "UIFont",
      [
        "UIFontName": "F-Bold", "NSName": "F-Bold", "UIFontPointSize": 40.0, "NSSize": 40.0,
        "UIFontTraits": 2, "UIFontTextStyleForScaling": .none, "UIFontPointSizeForScaling": 0.0,
        "UIFontMaximumPointSizeAfterScaling": 0.0, "UISystemFont": false,
        "UIFontDescriptor": .object(
          "UIFontDescriptor",
          [
            "UIFontDescriptorAttributes": ["NSFontNameAttribute": "F-Bold"],
            "UIFontDescriptorOptions": 2_147_483_648,
          ]),
      ],
      #"{CLASS,"descriptor":{"attributes":{"NSFontNameAttribute":"F-Bold"},"#
        + #""class":"UIFontDescriptor","options":2147483648},"isSystemFont":false,"#
        + #""maximumPointSizeAfterScaling":0,"name":"F-Bold","pointSize":40,"#
        + #""pointSizeForScaling":0,"traits":2}"#),
    .misfit("of two names", "UIFont", ["UIFontName": "F", "NSName": "G"]),
  ]

  static let images = [
    FoundationForm(
      "NSImage",
      [
        "NSSize": "{16, 16}", "NSImageFlags": 683_671_552, "NSColor": grey,
        "NSReps": [
          [
            .number(0),
            .object("NSBitmapImageRep", ["NSTIFFRepresentation": .data([0x4D, 0x4D])]),
          ]
        ],
      ],
      #"{"backgroundColor":\#(greyJSON),CLASS,"flags":683671552,"#
        + #""representations":[[0,{"class":"NSBitmapImageRep","tiff":"TU0="}]],"#
        + #""size":{"height":16,"width":16}}"#),
    FoundationForm(
      "NSCGImageSnapshotRep",
      [
        "NSTIFFRepresentation": .data([1]), "NSModelPixelDrawingRect": "{{0, 0}, {38, 17}}",
        "NSModelPixelLogicalRect": "{{0, 0}, {38, 17}}",
      ],
      #"{CLASS,"drawingRect":{"height":17,"width":38,"x":0,"y":0},"#
        + #""logicalRect":{"height":17,"width":38,"x":0,"y":0},"tiff":"AQ=="}"#),
    .misfit("in a window", "NSCachedImageRep", ["NSTIFFRepresentation": .data([1]), "NSWin": 1]),
    FoundationForm(
      "NSCursor",
      [
        "NSHotSpot": "{4, 5}", "NSCursorType": 1, "NSImage": .object("NSImage", ["NSName": "i"]),
      ],
      #"{CLASS,"hotSpot":{"x":4,"y":5},"image":{"class":"NSImage","name":"i"},"type":1}"#),
    .misfit("with an app's image", "NSCursor", ["NSImage": .object("Image", [:])]),
    FoundationForm(
      "NSCustomResource", ["NSClassName": "NSSound", "NSResourceName": "Ping"],
      #"{CLASS,"name":"Ping","resourceClass":"NSSound"}"#),
    FoundationForm(
      "of a newer nib", "NSCustomResource",
      [
        "NSClassName": "NSImage", "NSResourceName": "NSAddTemplate", "IBNamespaceID": "system",
        "IBDesignSize": .object("NSValue", ["NS.special": 2, "NS.sizeval": "{32, 32}"]),
        "IBDesignImageConfiguration": .none,
      ],
      #"{CLASS,"designSize":{"class":"NSValue","size":{"height":32,"width":32}},"#
        + #""name":"NSAddTemplate","namespace":"system","resourceClass":"NSImage"}"#),
    FoundationForm(
      "NSButtonImageSource", ["NSImageName": "NSSwitch"], #"{CLASS,"name":"NSSwitch"}"#),
    .misfit("without a name", "NSCustomResource", ["NSClassName": "NSImage"]),
    .misfit(
      "with a configuration of the editor", "NSCustomResource",
      [
        "NSResourceName": "star",
        "IBDesignImageConfiguration": .object("IBImageConfiguration", [:]),
      ]),
    FoundationForm(
      "NSBezierPath",
      [
        "NSSegments": .bytes(
          point(0, 0) + point(1, 1) + point(2, 0) + point(2, 1) + point(2, 0) + point(3, 0)),
        "NSLineWidth": 2.0, "NSFlatness": 0.5, "NSMiterLimit": 10.0, "NSWindingRule": 0,
        "NSLineCapStyle": 1, "NSLineJoinStyle": 2,
      ],
      #"{CLASS,"flatness":0.5,"lineCapStyle":1,"lineJoinStyle":2,"lineWidth":2,"miterLimit":10,"#
        + #""segments":[{"operation":"moveTo","points":[{"x":0,"y":8}]},"#
        + #"{"operation":"lineTo","points":[{"x":1,"y":8}]},"#
        + #"{"operation":"curveTo","points":[{"x":0,"y":8},{"x":1,"y":8},{"x":0,"y":8}]},"#
        + #"{"operation":"close","points":[{"x":0,"y":8}]}],"windingRule":0}"#),
    .misfit("that is cut off", "NSBezierPath", ["NSSegments": .bytes([0, 0, 0])]),
    .misfit("with half a curve", "NSBezierPath", ["NSSegments": .bytes(point(2, 0))]),
    .misfit("of an unknown step", "NSBezierPath", ["NSSegments": .bytes(point(4, 0))]),
    FoundationForm(
      "NSShadow",
      [
        "NSShadowHoriz": 1.0, "NSShadowVert": -8.0, "NSShadowBlurRadius": 8.0,
        "NSShadowColor": grey,
      ],
      #"{"blurRadius":8,CLASS,"color":\#(greyJSON),"horizontalOffset":1,"verticalOffset":-8}"#),
    .misfit("with a colour's name", "NSShadow", ["NSShadowColor": "red"]),
    FoundationForm(
      "NSPrintInfo", ["NSAttributes": ["NSCopies": .number(2)]],
      #"{"attributes":{"NSCopies":2},CLASS}"#),
    .misfit("without attributes", "NSPrintInfo", [:]),
  ]

  static let styles = [
    FoundationForm(
      "NSMutableParagraphStyle",
      [
        "NSAlignment": 4, "NSLineBreakMode": 2, "NSWritingDirection": -1, "NSLineSpacing": 1.5,
        "NSParagraphSpacing": 1, "NSParagraphSpacingBefore": 2, "NSHeadIndent": 3,
        "NSTailIndent": -4, "NSFirstLineHeadIndent": 5, "NSMinLineHeight": 16,
        "NSMaxLineHeight": 17, "NSLineHeightMultiple": 1.25, "NSHyphenationFactor": 0.5,
        "NSDefaultTabInterval": 36, "NSAllowsTighteningForTruncation": 1,
        "NSTighteningFactorForTruncation": 0.05, "NSHeaderLevel": 1,
        "NSTabStops": [.object("NSTextTab", ["NSLocation": 28.0, "NSTextAlignment": 1])],
        "NSTextLists": [
          .object("NSTextList", ["NSMarkerFormat": "{decimal}.", "NSOptions": 0])
        ], "NSTextBlocks": [],
      ],
      #"{"alignment":4,"allowsTighteningForTruncation":1,"baseWritingDirection":-1,CLASS,"#
        + #""defaultTabInterval":36,"firstLineHeadIndent":5,"headIndent":3,"headerLevel":1,"#
        + #""hyphenationFactor":0.5,"lineBreakMode":2,"lineHeightMultiple":1.25,"#
        + #""lineSpacing":1.5,"maximumLineHeight":17,"minimumLineHeight":16,"#
        + #""paragraphSpacing":1,"paragraphSpacingBefore":2,"#
        + #""tabStops":[{"alignment":1,"class":"NSTextTab","location":28}],"tailIndent":-4,"#
        + #""textBlocks":[],"textLists":[{"class":"NSTextList","markerFormat":"{decimal}.","#
        + #""options":0}],"tighteningFactorForTruncation":0.05}"#),
    FoundationForm(
      "by default", "NSParagraphStyle", ["NSAlignment": 0, "NSTabStops": .none],
      #"{"alignment":0,CLASS}"#),
    .misfit("with a table", "NSParagraphStyle", ["NSTextBlocks": [.object("NSTextTable", [:])]]),
    .misfit("with a text for a tab", "NSParagraphStyle", ["NSTabStops": ["28"]]),
    FoundationForm(
      "with options", "NSTextTab", ["NSLocation": 28.0, "NSTabOptions": ["a": .number(1)]],
      #"{CLASS,"location":28,"options":{"a":1}}"#),
    FoundationForm(
      "NSTextAttachment",
      ["NSFileWrapper": .object("NSFileWrapper", ["NSFileWrapperData": .data([1])])],
      #"{CLASS,"fileWrapper":{"class":"NSFileWrapper","data":"AQ=="}}"#),
    .misfit("with a cell", "NSTextAttachment", ["NSCell": .object("NSCell", [:])]),
  ]

  /// A step of a path to a place at the height 8: four bytes for each number.
  private static func point(_ operation: UInt8, _ x: UInt8) -> [UInt8] {
    let bytes: [UInt8] = x == 0 ? [0, 0, 0, 0] : [0x3F, 0x80, 0, 0]
    return [operation] + bytes + [0x41, 0, 0, 0]
  }

  @Test("are read in all their forms", arguments: colors + fonts + images + styles)
  func areRead(form: FoundationForm) throws {
    try form.check()
  }
}
