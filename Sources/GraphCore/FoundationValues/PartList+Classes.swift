/// The classes whose values are lists of parts.
///
/// Documentation/values.md says what each part means. What needs more to be read, such as a colour,
/// has a type of its own.
extension PartList {
  static let all = texts + numbers + dates + graphics + records

  // MARK: Texts

  private static let texts: [PartList] = [
    // The keys are those of swift-corelibs-foundation, NSCharacterSet.swift.
    PartList(
      ["NSCharacterSet", "NSMutableCharacterSet"],
      needs: [["builtinID", "range", "characters", "bitmap"]],
      [
        Part("builtinID", .integer, "NSBuiltinID", "NSBuiltinID2"),
        Part("range", .packedRange, "NSRange"),
        Part("characters", .text, "NSString", "NSStringObject"),
        Part("bitmap", .data, "NSBitmap", "NSBitmapObject"),
        Part("isInverted", .bool, "NSIsInverted"),
        Part("isBuiltinInverted", .bool, "NSIsInverted2"),
      ]),
    PartList(
      ["NSLocalizableString"],
      [
        Part("text", .text, "NS.string"), Part("developmentText", .text, "NSDev"),
        Part("key", .text, "NSKey"),
      ]),
    PartList(
      ["NSURLQueryItem"], [Part("name", .text, "NS.name"), Part("value", .text, "NS.value")]),
    // Apple archives them in an object of its own; swift-corelibs-foundation directly
    // (NSPersonNameComponents.swift).
    PartList(
      ["NSPersonNameComponents", "_NSPersonNameComponentsData"],
      [
        Part("components", .inlined("NSPersonNameComponents"), "NS.nameComponentsPrivate"),
        Part("namePrefix", .text, "NS.namePrefix"), Part("givenName", .text, "NS.givenName"),
        Part("middleName", .text, "NS.middleName"), Part("familyName", .text, "NS.familyName"),
        Part("nameSuffix", .text, "NS.nameSuffix"), Part("nickname", .text, "NS.nickname"),
      ]),
    // The settings are archived in an object of their own (public descriptions of Foundation; not seen
    // in an archive).
    PartList(
      ["NSPersonNameComponentsFormatter"], needs: [["settings"]],
      [
        Part(
          "settings", .inlined("_NSPersonNameComponentsFormatterData"),
          "NS.nameComponentsFormatterPrivate")
      ]),
    PartList(
      ["_NSPersonNameComponentsFormatterData"],
      [
        Part("style", .integer, "NS.nameFormatterStyle"),
        Part("isPhonetic", .bool, "NS.nameFormatterIsPhonetic"),
        Part("forcesFamilyNameFirst", .bool, "NS.nameFormatterForceFamilyNameFirst"),
        Part("forcesGivenNameFirst", .bool, "NS.nameFormatterForceGivenNameFirst"),
        Part("ignoresFallbacks", .bool, "NS.nameFormatterIgnoresFallbacks"),
        Part("locale", .value("NSLocale"), "NS.nameFormatterLocale"),
      ]),
    // GNUstep spells the keys in lower case and without the prefix (NSRegularExpression.m).
    PartList(
      ["NSRegularExpression"], needs: [["pattern"]],
      [
        Part("pattern", .text, "NSPattern", "pattern"),
        Part("options", .integer, "NSOptions", "options"),
      ]),
    // A part that is absent has its default.
    PartList(
      ["NSParagraphStyle", "NSMutableParagraphStyle"],
      [
        Part("alignment", .integer, "NSAlignment"),
        Part("lineBreakMode", .integer, "NSLineBreakMode"),
        Part("baseWritingDirection", .integer, "NSWritingDirection"),
        Part("lineSpacing", .real, "NSLineSpacing"),
        Part("paragraphSpacing", .real, "NSParagraphSpacing"),
        Part("paragraphSpacingBefore", .real, "NSParagraphSpacingBefore"),
        Part("headIndent", .real, "NSHeadIndent"), Part("tailIndent", .real, "NSTailIndent"),
        Part("firstLineHeadIndent", .real, "NSFirstLineHeadIndent"),
        Part("minimumLineHeight", .real, "NSMinLineHeight"),
        Part("maximumLineHeight", .real, "NSMaxLineHeight"),
        Part("lineHeightMultiple", .real, "NSLineHeightMultiple"),
        Part("hyphenationFactor", .real, "NSHyphenationFactor"),
        Part("defaultTabInterval", .real, "NSDefaultTabInterval"),
        Part("allowsTighteningForTruncation", .integer, "NSAllowsTighteningForTruncation"),
        Part("tighteningFactorForTruncation", .real, "NSTighteningFactorForTruncation"),
        Part("headerLevel", .integer, "NSHeaderLevel"),
        Part("tabStops", .values("NSTextTab"), "NSTabStops"),
        Part("textLists", .values("NSTextList"), "NSTextLists"),
        Part("textBlocks", .any, "NSTextBlocks"),
      ]),
    PartList(
      ["NSTextTab"],
      [
        Part("location", .real, "NSLocation"), Part("alignment", .integer, "NSTextAlignment"),
        Part("options", .any, "NSTabOptions"),
      ]),
    PartList(
      ["NSTextList"],
      [Part("markerFormat", .text, "NSMarkerFormat"), Part("options", .integer, "NSOptions")]),
    PartList(
      ["NSTextAttachment", "NSTokenAttachment"],
      [Part("fileWrapper", .value("NSFileWrapper"), "NSFileWrapper"), Part("cell", .any, "NSCell")]),
  ]

  // MARK: Numbers

  private static let numbers: [PartList] = [
    // swift-corelibs-foundation reads another spelling of the first than it writes
    // (NSDecimalNumber.swift).
    PartList(
      ["NSDecimalNumberHandler"],
      [
        Part("roundingMode", .integer, "NS.roundingmode", "NS.roundingMode"),
        Part("scale", .integer, "NS.scale"), Part("raisesOnExactness", .bool, "NS.raise.exactness"),
        Part("raisesOnOverflow", .bool, "NS.raise.overflow"),
        Part("raisesOnUnderflow", .bool, "NS.raise.underflow"),
        Part("raisesOnDivideByZero", .bool, "NS.raise.dividebyzero"),
      ]),
    PartList(
      ["NSMeasurement"], needs: [["value"], ["unit"]],
      [Part("value", .real, "NS.value"), Part("unit", .value("NSUnit"), "NS.unit")]),
    // Each dimension has a class of its own, which begins with "NSUnit": see `FoundationClass`.
    PartList(
      ["NSUnit", "NSDimension"],
      [
        Part("symbol", .text, "NS.symbol"),
        Part("converter", .value("NSUnitConverterLinear"), "NS.converter"),
        Part("specifier", .integer, "NS.specifier"),
      ]),
    PartList(
      ["NSUnitConverterLinear", "NSUnitConverterReciprocal", "NSUnitConverter"],
      [
        Part("coefficient", .real, "NS.coefficient"), Part("constant", .real, "NS.constant"),
        Part("reciprocal", .real, "NS.reciprocal"),
      ]),
    PartList(
      ["NSNumberFormatter"],
      [
        Part("positiveFormat", .text, "NS.positiveformat"),
        Part("negativeFormat", .text, "NS.negativeformat"),
        Part("decimalSeparator", .text, "NS.decimal"),
        Part("thousandSeparator", .text, "NS.thousand"),
        Part("hasThousandSeparators", .bool, "NS.hasthousands"),
        Part("allowsFloats", .bool, "NS.allowsfloats"),
        Part("localizesFormat", .bool, "NS.localized"), Part("minimum", .any, "NS.min"),
        Part("maximum", .any, "NS.max"), Part("textForNil", .any, "NS.nil"),
        Part("textForNotANumber", .any, "NS.nan"), Part("textForZero", .any, "NS.zero"),
        Part("positiveAttributes", .any, "NS.positiveattrs"),
        Part("negativeAttributes", .any, "NS.negativeattrs"),
        Part("roundingBehavior", .value("NSDecimalNumberHandler"), "NS.rounding"),
        Part("attributes", .any, "NS.attributes"),
      ]),
    // GNUstep has other names for the first two (NSByteCountFormatter.m).
    PartList(
      ["NSByteCountFormatter"],
      [
        Part("allowedUnits", .integer, "NSUnits", "NSAllowedUnits"),
        Part("countStyle", .integer, "NSKBSize", "NSCountStyle"),
        Part("formattingContext", .integer, "NSFormattingContext"),
        Part("zeroPadsFractionDigits", .bool, "NSZeroPad"),
        Part("includesActualByteCount", .bool, "NSActual"),
        Part("avoidsNonnumericFormatting", .bool, "NSNoNonnumeric"),
        Part("omitsUnit", .bool, "NSNoUnit"), Part("omitsCount", .bool, "NSNoCount"),
        Part("avoidsAdaptiveFormatting", .bool, "NSNoAdaptive"),
      ]),
    // The first three archive the settings that they share, and one of their own; GNUstep does the
    // same, but puts the style of an energy under the key of the options (NSLengthFormatter.m,
    // NSMassFormatter.m, NSEnergyFormatter.m). An NSMeasurementFormatter archives them in an object of
    // Foundation's own class NSUnitFormatter (public descriptions of Foundation; not seen in an
    // archive).
    PartList(
      ["NSLengthFormatter"],
      unitSettings + [Part("isForPersonHeightUse", .bool, "NS.forPersonHeightUse")]),
    PartList(
      ["NSMassFormatter"], unitSettings + [Part("isForPersonMassUse", .bool, "NS.forPersonMassUse")]
    ),
    PartList(
      ["NSEnergyFormatter"],
      unitSettings + [Part("isForFoodEnergyUse", .bool, "NS.forFoodEnergyUse")]),
    PartList(["NSUnitFormatter"], unitSettings),
    PartList(
      ["NSMeasurementFormatter"], needs: [["settings"]],
      [Part("settings", .inlined("NSUnitFormatter"), "NS.unitFormatter")]),
  ]

  private static let unitSettings: [Part] = [
    Part("unitStyle", .integer, "NS.unitStyle"), Part("unitOptions", .integer, "NS.unitOptions"),
    Part("locale", .value("NSLocale"), "NS.locale"),
    Part("numberFormatter", .value("NSNumberFormatter"), "NS.numberFormatter"),
  ]

  // MARK: Dates

  private static let dates: [PartList] = [
    PartList(
      ["NSCalendar"],
      [
        Part("identifier", .text, "NS.identifier"), Part("locale", .value("NSLocale"), "NS.locale"),
        Part("timeZone", .value("NSTimeZone"), "NS.timezone"),
        Part("firstWeekday", .integer, "NS.firstwkdy"),
        Part("minimumDaysInFirstWeek", .integer, "NS.mindays"),
        Part("gregorianStart", .date, "NS.gstartdate"),
      ]),
    PartList(["NSTimeZone"], [Part("name", .text, "NS.name"), Part("data", .data, "NS.data")]),
    PartList(["NSLocale"], needs: [["identifier"]], [Part("identifier", .text, "NS.identifier")]),
    PartList(
      ["NSCalendarDate"], needs: [["date"]],
      [
        Part("date", .seconds, "NS.time"), Part("timeZone", .value("NSTimeZone"), "NS.timezone"),
        Part("format", .text, "NS.format"),
      ]),
    PartList(
      ["NSDateInterval"], needs: [["start"], ["end"]],
      [Part("start", .date, "NS.startDate"), Part("end", .date, "NS.endDate")]),
    // The keys are those of swift-corelibs-foundation, NSDateComponents.swift. The largest integer of
    // 64 or of 32 bits is NSDateComponentUndefined, and no part.
    PartList(
      ["NSDateComponents"],
      [
        Part("era", .definedInteger, "NS.era"), Part("year", .definedInteger, "NS.year"),
        Part("quarter", .definedInteger, "NS.quarter"), Part("month", .definedInteger, "NS.month"),
        Part("day", .definedInteger, "NS.day"), Part("hour", .definedInteger, "NS.hour"),
        Part("minute", .definedInteger, "NS.minute"), Part("second", .definedInteger, "NS.second"),
        Part("nanosecond", .definedInteger, "NS.nanosec"),
        Part("weekOfYear", .definedInteger, "NS.weekOfYear"),
        Part("weekOfMonth", .definedInteger, "NS.weekOfMonth"),
        Part("yearForWeekOfYear", .definedInteger, "NS.yearForWOY"),
        Part("weekday", .definedInteger, "NS.weekday"),
        Part("weekdayOrdinal", .definedInteger, "NS.weekdayOrdinal"),
        Part("isLeapMonth", .bool, "NS.isLeapMonth"),
        Part("calendar", .value("NSCalendar"), "NS.calendar"),
        Part("timeZone", .value("NSTimeZone"), "NS.timezone"),
      ]),
    // Settings that are as they were from the start are not archived, but for the units, the calendar
    // and the style (public descriptions of Foundation; not seen in an archive).
    PartList(
      ["NSDateComponentsFormatter"],
      [
        Part("allowedUnits", .integer, "NS.allowedUnits"),
        Part("allowsFractionalUnits", .bool, "NS.allowsFractionalUnits"),
        Part("calendar", .value("NSCalendar"), "NS.calendar"),
        Part("collapsesLargestUnit", .bool, "NS.collapsesLargestUnit"),
        Part("includesApproximationPhrase", .bool, "NS.includesApproximationPhrase"),
        Part("includesTimeRemainingPhrase", .bool, "NS.includesTimeRemainingPhrase"),
        Part("maximumUnitCount", .integer, "NS.maximumUnitCount"),
        Part("unitsStyle", .integer, "NS.unitsStyle"),
        Part("zeroFormattingBehavior", .integer, "NS.zeroFormattingBehavior"),
      ]),
    PartList(
      ["NSDateFormatter"],
      [
        Part("format", .text, "NS.format"), Part("allowsNaturalLanguage", .bool, "NS.natural"),
        Part("attributes", .any, "NS.attributes"),
      ]),
    PartList(
      ["NSISO8601DateFormatter"],
      [
        Part("formatOptions", .integer, "NS.formatOptions"),
        Part("timeZone", .value("NSTimeZone"), "NS.timeZone"),
      ]),
    PartList(
      ["NSDateIntervalFormatter"],
      [
        Part("locale", .value("NSLocale"), "NS.locale"),
        Part("calendar", .value("NSCalendar"), "NS.calendar"),
        Part("timeZone", .value("NSTimeZone"), "NS.timeZone"),
        Part("dateTemplate", .text, "NS.dateTemplate"),
        Part("dateTemplateFromStyles", .text, "NS.dateTemplateFromStyles"),
        Part("dateStyle", .integer, "NS.dateStyle"), Part("timeStyle", .integer, "NS.timeStyle"),
        Part("isModified", .bool, "NS.modified"), Part("usesTemplate", .bool, "NS.useTemplate"),
      ]),
  ]

  // MARK: Graphics

  private static let graphics: [PartList] = [
    PartList(
      ["NSShadow"],
      [
        Part("horizontalOffset", .real, "NSShadowHoriz"),
        Part("verticalOffset", .real, "NSShadowVert"),
        Part("blurRadius", .real, "NSShadowBlurRadius"),
        Part("color", .foundation, "NSShadowColor"),
      ]),
    PartList(["NSPrintInfo"], needs: [["attributes"]], [Part("attributes", .any, "NSAttributes")]),
    PartList(
      ["NSColorSpace"],
      [
        Part("id", .integer, "NSID"), Part("model", .integer, "NSModel"),
        Part("spaceID", .integer, "NSSpaceID"), Part("profile", .data, "NSICC"),
      ]),
    PartList(
      ["NSFont"], needs: [["name"]],
      [
        Part("name", .text, "NSName"), Part("size", .real, "NSSize"),
        Part("flags", .integer, "NSfFlags"), Part("flagBytes", .any, "NSFlagBytes"),
        Part("hasWidth", .bool, "NSHasWidth"),
        Part("usesAppearanceFontSize", .bool, "NSFontUsesAppearanceFontSize"),
        Part("textStyleDescriptor", .value("NSFontDescriptor"), "NSTextStyleDescriptor"),
      ]),
    // The name and the size stand under AppKit's keys as well, and must be the same there.
    PartList(
      ["UIFont"],
      [
        Part("name", .text, "UIFontName", "NSName"), Part("familyName", .text, "UIFontFamilyName"),
        Part("pointSize", .real, "UIFontPointSize", "NSSize"),
        Part("traits", .integer, "UIFontTraits"),
        Part("textStyleForScaling", .text, "UIFontTextStyleForScaling"),
        Part("pointSizeForScaling", .real, "UIFontPointSizeForScaling"),
        Part("maximumPointSizeAfterScaling", .real, "UIFontMaximumPointSizeAfterScaling"),
        Part("isSystemFont", .bool, "UISystemFont"),
        Part("descriptor", .value("NSFontDescriptor"), "UIFontDescriptor"),
      ]),
    PartList(
      ["NSFontDescriptor", "UIFontDescriptor"],
      [
        Part("attributes", .any, "NSFontDescriptorAttributes", "UIFontDescriptorAttributes"),
        Part("options", .integer, "NSFontDescriptorOptions", "UIFontDescriptorOptions"),
      ]),
    PartList(
      ["NSImage"],
      [
        Part("name", .text, "NSName"), Part("size", .size, "NSSize"),
        Part("flags", .integer, "NSImageFlags"), Part("backgroundColor", .foundation, "NSColor"),
        Part("representations", .any, "NSReps"),
      ]),
    PartList(
      ["NSBitmapImageRep", "NSCachedImageRep", "NSCGImageSnapshotRep"], needs: [["tiff"]],
      [
        Part("tiff", .data, "NSTIFFRepresentation"),
        Part("drawingRect", .rect, "NSModelPixelDrawingRect"),
        Part("logicalRect", .rect, "NSModelPixelLogicalRect"),
      ]),
    PartList(
      ["NSCursor"],
      [
        Part("type", .integer, "NSCursorType"), Part("hotSpot", .point, "NSHotSpot"),
        Part("image", .foundation, "NSImage"),
      ]),
    // The keys are those of real nibs, those with the prefix `IB` of newer ones.
    PartList(
      ["NSCustomResource", "NSButtonImageSource"], needs: [["name"]],
      [
        Part("name", .text, "NSResourceName", "NSImageName"),
        Part("resourceClass", .text, "NSClassName"), Part("namespace", .text, "IBNamespaceID"),
        Part("designSize", .foundation, "IBDesignSize"),
        Part("designConfiguration", .any, "IBDesignImageConfiguration"),
      ]),
    // The keys are those that public descriptions of real archives tell (of AUM sessions, and of
    // thumbnails of iPad apps), and those that public descriptions of UIKit name besides. Symbols from
    // catalogs, and images with insets or a baseline, have more keys; they stay objects. UIKit marks
    // what it wrote itself; the marks are true or not there.
    PartList(
      ["UIImage"], needs: [["data", "name"]],
      [
        Part("data", .data, "UIImageData"), Part("name", .text, "UIImageName"),
        Part("isSystemImage", .bool, "UIIsSystemImage"),
        Part("bundleIdentifier", .text, "UIImageBundleIdentifier"),
        Part("bundleLibraryName", .text, "UIImageBundleLibraryName"),
        Part("scale", .real, "UIScale"), Part("sizeInPixels", .size, "UIImageSizeInPixels"),
        Part("orientation", .integer, "UIImageOrientation"),
        Part("hasPattern", .bool, "UIHasPattern"),
        Part("renderingMode", .integer, "UIRenderingMode"),
        Part("isFlippedInRightToLeft", .bool, "UIImageIsFlippedInRightToLeft"),
        Part("variableValue", .real, "UIImageVariableValue"),
        Part("configuration", .value("UIImageConfiguration"), "UIImageConfiguration"),
        Part("traits", .value("UITraitCollection"), "UIImageTraitCollection"),
        Part("accessibilityLabel", .text, "UIImageAccessibilityLabel"),
        Part("accessibilityLanguage", .text, "UIImageAccessibilityLanguage"),
        Part("UIKitDidEncode", .mark, "UIKitDidEncode"),
        Part("UIKitWantsProperties", .mark, "UIKitWantsProperties"),
      ]),
    // Public descriptions of UIKit; not seen in an archive.
    PartList(
      ["UIImageConfiguration"],
      [
        Part("traits", .value("UITraitCollection"), "UITraitCollection"),
        Part("locale", .value("NSLocale"), "NSLocale"),
        Part("ignoresDynamicType", .bool, "UIIgnoresDynamicType"),
      ]),
    // Each trait of UIKit has a key with one beginning; traits that an app defines have others, and
    // then the collection stays an object.
    PartList(
      ["UITraitCollection"],
      [
        Part("traits", .rest, "UITraitCollectionBuiltinTrait-"),
        Part("tintColor", .value("UIColor"), "UITraitCollectionTintColor"),
      ]),
  ]

  // MARK: Records

  private static let records: [PartList] = [
    PartList(
      ["NSError"],
      [
        Part("domain", .text, "NSDomain"), Part("code", .integer, "NSCode"),
        Part("userInfo", .any, "NSUserInfo"),
      ]),
    PartList(
      ["NSNotification"],
      [
        Part("name", .text, "NS.name"), Part("object", .any, "NS.object"),
        Part("userInfo", .any, "NS.userinfo"),
      ]),
    // The key is that of GNUstep (NSFileWrapper.m).
    PartList(["NSFileWrapper"], needs: [["data"]], [Part("data", .data, "NSFileWrapperData")]),
    PartList(
      ["LPLinkMetadata"],
      [
        Part("version", .integer, "version"), Part("url", .url, "URL"),
        Part("originalURL", .url, "originalURL"), Part("title", .text, "title"),
        Part("summary", .text, "summary"), Part("siteName", .text, "siteName"),
        Part("itemType", .text, "itemType"),
        Part("creatorFacebookProfile", .text, "creatorFacebookProfile"),
        Part("usesActivityPub", .bool, "usesActivityPub"), Part("icon", .any, "icon"),
        Part("iconMetadata", .any, "iconMetadata"), Part("icons", .any, "icons"),
        Part("image", .any, "image"), Part("imageMetadata", .any, "imageMetadata"),
        Part("images", .any, "images"), Part("alternateImages", .any, "alternateImages"),
      ]),
    PartList(
      ["LPImage", "LPImageMetadata", "LPIconMetadata"],
      [
        Part("version", .integer, "version"), Part("url", .url, "URL"), Part("size", .size, "size"),
        Part("mimeType", .text, "MIMEType"), Part("imageType", .integer, "imageType"),
        Part("data", .data, "data"),
      ]),
    PartList(
      ["CLLocation"],
      [
        Part("timestamp", .seconds, "kCLLocationCodingKeyTimestamp"),
        Part("latitude", .real, "kCLLocationCodingKeyCoordinateLatitude"),
        Part("longitude", .real, "kCLLocationCodingKeyCoordinateLongitude"),
        Part("altitude", .real, "kCLLocationCodingKeyAltitude"),
        Part("horizontalAccuracy", .real, "kCLLocationCodingKeyHorizontalAccuracy"),
        Part("verticalAccuracy", .real, "kCLLocationCodingKeyVerticalAccuracy"),
        Part("speed", .real, "kCLLocationCodingKeySpeed"),
        Part("course", .real, "kCLLocationCodingKeyCourse"),
        Part("other", .rest, "kCLLocationCodingKey"),
      ]),
    PartList(
      ["CNPostalAddress", "CNMutablePostalAddress"],
      [
        Part("street", .text, "_street"), Part("subLocality", .text, "_subLocality"),
        Part("city", .text, "_city"),
        Part("subAdministrativeArea", .text, "_subAdministrativeArea"),
        Part("state", .text, "_state"), Part("postalCode", .text, "_postalCode"),
        Part("country", .text, "_country"), Part("isoCountryCode", .text, "_ISOCountryCode"),
        Part("formattedAddress", .text, "_formattedAddress"),
      ]),
    PartList(
      ["CKRecordID"],
      [Part("recordName", .text, "RecordName"), Part("zoneID", .value("CKRecordZoneID"), "ZoneID")]),
    PartList(
      ["CKRecordZoneID"],
      [
        Part("zoneName", .text, "ZoneName"), Part("ownerName", .text, "ownerName"),
        Part("databaseScope", .integer, "databaseScopeKey"),
      ]),
    PartList(
      ["NSSortDescriptor"],
      [
        Part("key", .text, "NSKey"), Part("selector", .text, "NSSelector"),
        Part("ascending", .bool, "NSAscending"),
      ]),
  ]
}
