import Foundation
import TestSupport

@testable import GraphCore

/// The table in Documentation/values.md of the classes that are lists of parts.
///
/// `CONVERT_RECORD=1 swift test --filter ValuesPageTests` writes it.
enum ValuesPage {
  static let path = "\(Repository.root)/Documentation/values.md"

  /// The page with the table as it has to be.
  static func updated(_ page: String) -> String {
    page.replacing(/(<!-- parts -->\n)(?s:.*)(<!-- \/parts -->)/) { match in
      match.output.1 + table + match.output.2
    }
  }

  private static var table: String {
    let rows = PartList.all.map { list in
      let classes = list.classNames.map { $0 + (classNotes[$0] ?? "") }.joined(separator: ", ")
      return "| \(classes) | \(parts(of: list).joined(separator: ", ")) |\n"
    }
    return "| class | parts |\n| --- | --- |\n" + rows.sorted().joined()
  }

  private static func parts(of list: PartList) -> [String] {
    list.parts.flatMap { part -> [String] in
      switch part.kind {
      case .mark: return []
      case .inlined(let name) where list.classNames.contains(name): return []
      case .inlined(let name):
        return PartList.all.first { $0.classNames.contains(name) }.map { parts(of: $0) } ?? []
      default:
        let note =
          notes["\(list.classNames[0]).\(part.name)"] ?? notes[part.name]
          ?? className(of: part.kind)
        return ["`\(part.name)`" + (note.map { " (\($0))" } ?? "")]
      }
    }
  }

  private static func className(of kind: PartList.Kind) -> String? {
    switch kind {
    case .value(let name), .values(let name): name
    default: nil
    }
  }

  /// The parts that have a note, by name, or behind the first name of their class.
  static var noted: Set<String> { Set(notes.keys) }

  private static let classNotes = ["NSDimension": ", and all others that begin with NSUnit"]

  private static let notes = [
    "NSCharacterSet.builtinID": "CFCharacterSetPredefinedSet",
    "NSCharacterSet.bitmap":
      "a bit for each code point: 8,192 bytes for the first 65,536, then planes of one byte more",
    "NSCharacterSet.isInverted": "all characters but these",
    "NSCharacterSet.isBuiltinInverted": "the set in `builtinID` and the bitmap is inverted",
    "NSLocalizableString.developmentText": "in the development language",
    "NSLocalizableString.key": "of its translations",
    "NSPersonNameComponents.namePrefix": #""Dr.""#,
    "NSPersonNameComponents.nameSuffix": #""Jr.""#,
    "_NSPersonNameComponentsFormatterData.style": "NSPersonNameComponentsFormatterStyle",
    "_NSPersonNameComponentsFormatterData.isPhonetic": "writes the phonetic form",
    "_NSPersonNameComponentsFormatterData.ignoresFallbacks": "never writes another style",
    "NSRegularExpression.options": "NSRegularExpressionOptions",
    "NSParagraphStyle.alignment": "NSTextAlignment",
    "NSParagraphStyle.lineBreakMode": "NSLineBreakMode",
    "NSParagraphStyle.baseWritingDirection": "NSWritingDirection",
    "NSParagraphStyle.headIndent": "of all lines but the first",
    "NSParagraphStyle.tailIndent": "at the end of lines",
    "NSParagraphStyle.hyphenationFactor": "the threshold",
    "NSParagraphStyle.defaultTabInterval": "after the last tab stop",
    "NSParagraphStyle.textLists": "NSTextList, outermost first",
    "NSParagraphStyle.textBlocks": "outermost first",
    "NSTextTab.location": "in points",
    "NSTextTab.alignment": "NSTextAlignment",
    "NSTextList.markerFormat": #""{decimal}.""#,
    "NSTextList.options": "NSTextListOptions",
    "NSTextAttachment.cell": "what draws it, if that is a value",
    "NSDecimalNumberHandler.roundingMode": "0 plain, 1 down, 2 up, 3 half to even",
    "NSDecimalNumberHandler.scale": "digits after the point",
    "NSDecimalNumberHandler.raisesOnExactness": "on an inexact result",
    "NSUnit.converter": "to the base unit of the dimension: NSUnitConverter",
    "NSUnit.specifier": "Foundation's number of the unit",
    "NSUnitConverterLinear.coefficient": "factor",
    "NSUnitConverterLinear.constant": "added afterwards",
    "NSUnitConverterLinear.reciprocal": "dividend; the value is the divisor",
    "NSNumberFormatter.localizesFormat": "follows the user's locale",
    "NSNumberFormatter.attributes": "settings by name",
    "NSByteCountFormatter.allowedUnits": "NSByteCountFormatterUnits",
    "NSByteCountFormatter.countStyle": "NSByteCountFormatterCountStyle",
    "NSByteCountFormatter.formattingContext": "NSFormattingContext",
    "NSByteCountFormatter.includesActualByteCount": "appends the exact count",
    "NSByteCountFormatter.avoidsNonnumericFormatting": #"such as "Zero""#,
    "NSByteCountFormatter.avoidsAdaptiveFormatting": "a constant number of digits",
    "unitStyle": "NSFormattingUnitStyle",
    "unitOptions": "NSMeasurementFormatterUnitOptions",
    "NSEnergyFormatter.unitOptions":
      "NSMeasurementFormatterUnitOptions; the style in archives of GNUstep",
    "NSCalendar.identifier": #""gregorian""#,
    "NSCalendar.firstWeekday": "1 for Sunday",
    "NSCalendar.gregorianStart": "start of the Gregorian calendar",
    "NSTimeZone.name": #""Europe/Berlin""#,
    "NSTimeZone.data": "rules as a TZif file",
    "NSLocale.identifier": #""de_AT""#,
    "NSCalendarDate.format": "as for strftime",
    "NSDateComponents.weekday": "1 for Sunday",
    "NSDateComponents.weekdayOrdinal": "which one in the month",
    "NSDateComponentsFormatter.allowedUnits": "NSCalendarUnit",
    "NSDateComponentsFormatter.allowsFractionalUnits": "of the smallest unit",
    "NSDateComponentsFormatter.collapsesLargestUnit": "if it is less than two",
    "NSDateComponentsFormatter.maximumUnitCount": "0 for all",
    "NSDateComponentsFormatter.unitsStyle": "NSDateComponentsFormatterUnitsStyle",
    "NSDateComponentsFormatter.zeroFormattingBehavior":
      "NSDateComponentsFormatterZeroFormattingBehavior",
    "NSDateFormatter.format": "as for strftime",
    "NSDateFormatter.allowsNaturalLanguage": #"words such as "tomorrow""#,
    "NSDateFormatter.attributes": "settings by name",
    "NSISO8601DateFormatter.formatOptions": "NSISO8601DateFormatOptions",
    "NSDateIntervalFormatter.dateStyle": "NSDateIntervalFormatterStyle",
    "NSDateIntervalFormatter.timeStyle": "NSDateIntervalFormatterStyle",
    "NSDateIntervalFormatter.usesTemplate": "instead of styles",
    "NSShadow.horizontalOffset": "to the right",
    "NSShadow.color": "NSColor or UIColor",
    "NSPrintInfo.attributes": "settings by name",
    "NSColorSpace.id": "AppKit's number",
    "NSColorSpace.model": "NSColorSpaceModel",
    "NSColorSpace.spaceID": "number among the kinds of colour",
    "NSColorSpace.profile": "ICC",
    "NSFont.name": "PostScript",
    "NSFont.size": "in points",
    "NSFont.flags": "AppKit's",
    "NSFont.flagBytes": "four flags of typedstreams",
    "NSFont.usesAppearanceFontSize": "that of the system appearance",
    "UIFont.name": "PostScript",
    "UIFont.traits": "UIFontDescriptorSymbolicTraits",
    "NSFontDescriptor.attributes": "by name",
    "NSFontDescriptor.options": "AppKit's or UIKit's",
    "NSImage.name": "of an image that comes with the program",
    "NSImage.size": "in points",
    "NSImage.flags": "AppKit's",
    "NSImage.representations": "each an array of a number and the representation",
    "NSBitmapImageRep.tiff": "pixels as a TIFF file",
    "NSBitmapImageRep.drawingRect": "of a snapshot",
    "NSBitmapImageRep.logicalRect": "of a snapshot, for layout",
    "NSCursor.type": "AppKit's number",
    "NSCursor.hotSpot": "the point of the image that points",
    "NSCustomResource.name": "in most cases of an image",
    "NSCustomResource.resourceClass": #""NSImage""#,
    "NSCustomResource.namespace": #""system""#,
    "NSCustomResource.designSize": "in the editor",
    "NSCustomResource.designConfiguration": "in the editor, if that is a value",
    "UIImage.data": "pixels as a PNG file",
    "UIImage.isSystemImage": "the name is that of a symbol",
    "UIImage.bundleIdentifier": "of the bundle with the named image",
    "UIImage.bundleLibraryName": "the bundle's library",
    "UIImage.scale": "pixels per point",
    "UIImage.orientation": "UIImageOrientation",
    "UIImage.hasPattern": "is a pattern",
    "UIImage.renderingMode": "UIImageRenderingMode",
    "UIImage.variableValue": "how far a variable symbol is filled; else infinity",
    "UIImage.traits": "UITraitCollection that it was chosen for",
    "UITraitCollection.traits": "by the last part of the key",
    "NSError.domain": "which gives the code its meaning",
    "NSNotification.object": "the sender",
    "NSFileWrapper.data": "serialized",
    "LPLinkMetadata.version": "of the format",
    "LPLinkMetadata.originalURL": "before it was followed",
    "LPLinkMetadata.creatorFacebookProfile": "of the author",
    "LPImage.version": "of the format",
    "LPImage.data": "the file",
    "CLLocation.latitude": "degrees north",
    "CLLocation.longitude": "degrees east",
    "CLLocation.altitude": "metres above sea level",
    "CLLocation.horizontalAccuracy": "metres; negative if unknown",
    "CLLocation.verticalAccuracy": "metres",
    "CLLocation.speed": "metres per second",
    "CLLocation.course": "degrees from north",
    "CLLocation.other": "by the last part of the key",
    "CNPostalAddress.subLocality": "part of the city",
    "CNPostalAddress.subAdministrativeArea": "part of the state",
    "CNPostalAddress.isoCountryCode": "ISO 3166",
    "CNPostalAddress.formattedAddress": "as on an envelope",
    "CKRecordZoneID.databaseScope": "CKDatabaseScope",
    "NSSortDescriptor.selector": "the comparison method",
  ]

  /// The names of all parts, as those that have a note.
  static var parts: Set<String> {
    PartList.all.reduce(into: []) { names, list in
      for part in list.parts { names.formUnion([part.name, "\(list.classNames[0]).\(part.name)"]) }
    }
  }

  /// The names of classes that are lists of parts.
  static var classNames: [String] { PartList.all.flatMap(\.classNames) }
}
