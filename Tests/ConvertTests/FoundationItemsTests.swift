import GraphCore
import Testing

@testable import Converter

@Suite("Objects of Foundation's classes, made of their JSON")
struct FoundationItemsTests {
  private static let values = [
    #"{"alpha":0.5,"class":"NSColor","colorSpace":1,"components":[0.1,0,1],"kind":"calibratedRGB"}"#,
    #"{"class":"NSColor","colorSpace":4,"components":[1e-07],"kind":"deviceWhite"}"#,
    #"{"class":"NSColor","colorSpace":5,"components":[0.1,0.2,0.3,0.4],"kind":"deviceCMYK"}"#,
    #"{"catalog":"System","class":"NSColor","color":{"class":"NSColor","colorSpace":3,"components":[1],"kind":"calibratedWhite"},"colorSpace":6,"kind":"named","name":"textColor"}"#,
    #"{"class":"NSColor","colorSpace":1,"components":[0,0,0],"customColorSpace":{"class":"NSColorSpace","id":7,"profile":"AQI="},"customComponents":[0,0.25,0,1],"kind":"calibratedRGB"}"#,
    #"{"class":"NSColor","colorSpace":10,"kind":"pattern","pattern":{"class":"NSImage","name":"stripes"}}"#,
    #"{"alpha":1,"class":"UIColor","colorSpace":2,"componentCount":4,"components":[1,0,0.5],"green":0,"red":1}"#,
    #"{"class":"UIDeviceWhiteColor","colorSpace":4,"components":[0.5,1],"white":0.5}"#,
    #"{"class":"NSColorList","colors":[{"class":"NSColor","colorSpace":3,"components":[1],"kind":"calibratedWhite"}],"keys":["white"],"name":"own"}"#,
    #"{"class":"NSFont","flagBytes":{"base64":"AQ==","class":"NSData"},"flags":16,"hasWidth":true,"name":"Helvetica","size":12.5}"#,
    #"{"class":"UIFont","descriptor":{"attributes":{"NSFontSizeAttribute":12},"class":"UIFontDescriptor"},"name":"Avenir","pointSize":12}"#,
    #"{"class":"NSFontDescriptor","options":3}"#,
    #"{"class":"NSValue","point":{"x":1.5,"y":-2}}"#,
    #"{"class":"NSValue","size":{"height":1e+20,"width":0.1}}"#,
    #"{"class":"NSValue","rect":{"height":4,"width":3,"x":1,"y":2}}"#,
    #"{"class":"NSValue","range":{"length":9223372036854775807,"location":0}}"#,
    #"{"class":"NSValue","edgeInsets":{"bottom":3,"left":2,"right":4,"top":1}}"#,
    #"{"class":"NSValue","type":"i","values":[7]}"#,
    #"{"class":"_NSKeyedCoderOldStyleArray","elements":[1,2],"size":4,"type":"i"}"#,
    #"{"class":"NSAttributedString","runs":[{"attributes":{},"length":2,"location":0}],"text":"ab"}"#,
    #"{"class":"NSMutableAttributedString","runs":[{"attributes":{"a":1},"length":1,"location":0},{"attributes":{"b":{"class":"NSURL","url":"https://example.org/"}},"length":300,"location":1},{"attributes":{"a":1},"length":1,"location":301}],"text":"\#(String(repeating: "x", count: 302))"}"#,
    #"{"class":"NSTextStorage","runs":[],"text":"é"}"#,
    #"{"class":"NSIndexSet","ranges":[]}"#,
    #"{"class":"NSIndexSet","ranges":[{"length":3,"location":1}]}"#,
    #"{"class":"NSMutableIndexSet","ranges":[{"length":3,"location":1},{"length":1,"location":70000}]}"#,
    #"{"class":"NSIndexPath","indexes":[]}"#,
    #"{"class":"NSIndexPath","indexes":[4]}"#,
    #"{"class":"NSIndexPath","indexes":[4,300]}"#,
    #"{"class":"NSBezierPath","flatness":0.6,"lineWidth":1,"segments":[{"operation":"moveTo","points":[{"x":0,"y":0.5}]},{"operation":"curveTo","points":[{"x":1,"y":1},{"x":2,"y":2},{"x":3,"y":3}]},{"operation":"close","points":[{"x":0,"y":0}]}]}"#,
    #"{"class":"NSAffineTransform","transform":{"a":1,"b":0,"c":0,"d":1,"tx":10,"ty":-0.5}}"#,
    #"{"class":"NSSimpleRegularExpressionCheckingResult","range":{"length":2,"location":1},"ranges":[{"length":2,"location":1}],"regularExpression":{"class":"NSRegularExpression","options":1,"pattern":"a+"}}"#,
    #"{"class":"NSHashTable","elements":["a",null],"options":5}"#,
    #"{"class":"NSMapTable","keyOptions":5,"pairs":[["a",1],["b",null]],"valueOptions":0}"#,
    #"{"class":"NSTruePredicate","format":"TRUEPREDICATE","value":true}"#,
    #"{"class":"NSCompoundPredicate","format":"NOT (TRUEPREDICATE)","subpredicates":[{"class":"NSTruePredicate","format":"TRUEPREDICATE","value":true}],"type":0}"#,
    #"{"class":"NSComparisonPredicate","format":"$name LIKE[c] \"a\"","left":{"class":"NSVariableExpression","format":"$name","type":2,"variable":"name"},"operator":{"class":"NSLikePredicateOperator","modifier":0,"options":1,"type":7},"right":{"class":"NSConstantValueExpression","constant":"a","format":"\"a\"","type":0}}"#,
    #"{"class":"NSPredicateOperator","isNegated":false,"modifier":1,"type":4}"#,
    #"{"class":"NSConstantValueExpression","constant":{"class":"NSDecimalNumber","value":"-12.3"},"format":"-12.3","type":0}"#,
    #"{"class":"NSCharacterSet","isInverted":true,"range":{"length":10,"location":48}}"#,
    #"{"class":"NSLocalizableString","developmentText":"a","key":"k","text":"b"}"#,
    #"{"class":"NSURLQueryItem","name":"q","value":""}"#,
    #"{"class":"NSPersonNameComponents","familyName":"Doe","givenName":"Jo"}"#,
    #"{"class":"NSPersonNameComponentsFormatter","isPhonetic":false,"style":2}"#,
    #"{"class":"_NSPersonNameComponentsFormatterData","style":2}"#,
    #"{"class":"NSRegularExpression","options":0,"pattern":"\\d"}"#,
    #"{"alignment":2,"class":"NSParagraphStyle","lineSpacing":1.5,"tabStops":[{"class":"NSTextTab","location":28}],"textLists":[{"class":"NSTextList","markerFormat":"{disc}"}]}"#,
    #"{"alignment":0,"class":"NSTextTab","location":28}"#,
    #"{"class":"NSTextList","markerFormat":"{disc}","options":1}"#,
    #"{"class":"NSTextAttachment","fileWrapper":{"class":"NSFileWrapper","data":"AQID"}}"#,
    #"{"class":"NSDecimalNumberHandler","raisesOnOverflow":true,"roundingMode":1,"scale":2}"#,
    #"{"class":"NSMeasurement","unit":{"class":"NSUnitLength","converter":{"class":"NSUnitConverterLinear","coefficient":0.3048,"constant":0},"specifier":3,"symbol":"ft"},"value":6}"#,
    #"{"class":"NSUnit","symbol":"points"}"#,
    #"{"class":"NSUnitConverterReciprocal","reciprocal":100}"#,
    #"{"allowsFloats":true,"attributes":{"minimum":{"class":"NSNull"},"numberStyle":1},"class":"NSNumberFormatter","maximum":{"class":"NSDecimalNumber","value":"100.5"},"positiveFormat":"0.00"}"#,
    #"{"allowedUnits":65535,"class":"NSByteCountFormatter","countStyle":0}"#,
    #"{"class":"NSLengthFormatter","isForPersonHeightUse":true,"unitStyle":2}"#,
    #"{"class":"NSMassFormatter","unitStyle":2}"#,
    #"{"class":"NSEnergyFormatter","isForFoodEnergyUse":false}"#,
    #"{"class":"NSUnitFormatter","unitOptions":1}"#,
    #"{"class":"NSMeasurementFormatter","unitOptions":1,"unitStyle":2}"#,
    #"{"class":"NSCalendar","firstWeekday":2,"gregorianStart":"1582-10-15T00:00:00.000Z","identifier":"gregorian","locale":{"class":"NSLocale","identifier":"de"},"timeZone":{"class":"NSTimeZone","data":"VFppZg==","name":"Europe/Berlin"}}"#,
    #"{"class":"NSTimeZone","name":"GMT"}"#,
    #"{"class":"NSLocale","identifier":"en_US"}"#,
    #"{"class":"NSCalendarDate","date":"2001-01-01T00:00:00.500Z","format":"%Y"}"#,
    #"{"class":"NSDateInterval","end":"2001-01-02T00:00:00.000Z","start":"2001-01-01T00:00:00.000Z"}"#,
    #"{"class":"NSDateComponents","day":31,"isLeapMonth":false,"year":2009}"#,
    #"{"allowedUnits":4,"class":"NSDateComponentsFormatter","unitsStyle":1}"#,
    #"{"allowsNaturalLanguage":false,"class":"NSDateFormatter","format":"yyyy"}"#,
    #"{"class":"NSISO8601DateFormatter","formatOptions":1907,"timeZone":{"class":"NSTimeZone","name":"GMT"}}"#,
    #"{"class":"NSDateIntervalFormatter","dateStyle":1,"usesTemplate":true}"#,
    #"{"blurRadius":2,"class":"NSShadow","color":{"class":"NSColor","colorSpace":3,"components":[0],"kind":"calibratedWhite"},"verticalOffset":-1}"#,
    #"{"attributes":{"NSCopies":1},"class":"NSPrintInfo"}"#,
    #"{"class":"NSColorSpace","model":1,"spaceID":2}"#,
    #"{"class":"NSImage","flags":12582912,"representations":[[{"class":"NSBitmapImageRep","tiff":"TU0="}]],"size":{"height":16,"width":16.5}}"#,
    #"{"class":"NSCGImageSnapshotRep","drawingRect":{"height":1,"width":1,"x":0,"y":0},"tiff":"TU0="}"#,
    #"{"class":"NSCursor","hotSpot":{"x":4,"y":5},"image":{"class":"NSImage","name":"arrow"},"type":1}"#,
    #"{"class":"NSCustomResource","name":"NSApplicationIcon","resourceClass":"NSImage"}"#,
    #"{"class":"UIImage","configuration":{"class":"UIImageConfiguration","traits":{"class":"UITraitCollection","traits":{"_UITraitNameDisplayScale":2}}},"data":"iVBO","scale":2,"sizeInPixels":{"height":1,"width":2}}"#,
    #"{"class":"UIImageConfiguration","ignoresDynamicType":true}"#,
    #"{"class":"UITraitCollection","tintColor":{"class":"UIColor","systemColorName":"blueColor"}}"#,
    #"{"class":"NSError","code":-1,"domain":"NSCocoaErrorDomain","userInfo":{"a":[1,2.5,true,"NaN"],"at":{"class":"NSDate","date":"2001-01-01T00:00:00.000Z"},"id":{"class":"NSUUID","uuid":"6BA7B810-9DAD-11D1-80B4-00C04FD430C8"}}}"#,
    #"{"class":"NSNotification","name":"n","object":{"class":"Class","name":"NSString"},"userInfo":{"class":"NSDictionary","pairs":[[1,{"class":"NSSet","elements":["a"]}],["b",{"class":"NSOrderedSet","elements":[]}],["c",{"class":"NSCountedSet","pairs":[["a",2]]}],["d",{"class":"NSNumber","value":"18446744073709551615"}]]}}"#,
    #"{"class":"NSFileWrapper","data":""}"#,
    #"{"class":"LPLinkMetadata","icon":{"class":"LPImage","data":"AQ==","mimeType":"image/png"},"originalURL":"https://example.org/","version":1}"#,
    #"{"class":"LPImageMetadata","size":{"height":2,"width":1},"version":1}"#,
    #"{"altitude":"NaN","class":"CLLocation","latitude":47.5,"longitude":8.5,"other":{"Floor":1},"timestamp":"2001-01-01T00:00:00.000Z"}"#,
    #"{"city":"Bern","class":"CNPostalAddress","street":"a\nb"}"#,
    #"{"class":"CKRecordID","recordName":"r","zoneID":{"class":"CKRecordZoneID","databaseScope":0,"ownerName":"o","zoneName":"z"}}"#,
    #"{"class":"CKRecordZoneID","zoneName":"z"}"#,
    #"{"ascending":true,"class":"NSSortDescriptor","key":"name","selector":"compare:"}"#,
  ]

  @Test("are read as the same JSON again", arguments: values)
  func sameJSON(json: String) {
    #expect(throws: Never.self) { try FoundationItems().value(json) }
  }

  @Test("are made for every class")
  func classes() {
    let names = Self.values.compactMap { JSONTree($0)?.record?["class"]?.text }
    let made = Set(names.compactMap(Self.kind))
    #expect(Set(FoundationClass.classNames.compactMap(Self.kind)).subtracting(made) == [])
  }

  private static func kind(_ name: String) -> String? { FoundationClass(archivedName: name)?.name }

  @Test(
    "are not made of what would be read as something else",
    arguments: [
      ("{", "no JSON"), ("[1]", "no JSON"), ("1", "no JSON"), (#"{"a":1}"#, "no JSON"),
      (#"{"class":"Note"}"#, "no JSON"), (#"{"class":"NSDate","date":"x"}"#, "no JSON"),
      (#"{"class":"NSFont","nmae":"a"}"#, "no object"),
      (#"{"class":"NSFont","name":"a","other":1}"#, "no object"),
      (#"{"class":"NSFont","name":7}"#, "no object"),
      (#"{"class":"NSFont","name":"$null"}"#, "no object"),
      (#"{"class":"NSFont","name":"a","size":"12"}"#, "no object"),
      (#"{"class":"NSLocale"}"#, "no object"),
      (
        #"{"class":"NSColor","colorSpace":3,"components":[],"kind":"calibratedWhite"}"#, "no object"
      ),
      (
        #"{"class":"NSColor","colorSpace":4,"components":[1],"kind":"calibratedWhite"}"#,
        "no object"
      ),
      (#"{"class":"NSIndexPath","indexes":[-1,2]}"#, "no object"),
      (#"{"class":"NSFileWrapper","data":"%"}"#, "no object"),
      (
        #"{"class":"NSAttributedString","text":"ab","runs":"#
          + #"[{"attributes":{},"length":3,"location":0}]}"#, "no object"
      ),
      (
        #"{"class":"NSAttributedString","text":"ab","runs":[{"attributes":{},"length":1,"#
          + #""location":1},{"attributes":{},"length":1,"location":1}]}"#, "no object"
      ),
    ])
  func refused(json: String, words: String) {
    #expect { try FoundationItems().value(json) } throws: { error in
      (error as? FoundationItems.Obstacle)?.words.contains(words) == true
    }
  }

  @Test("are not made of values in values beyond the limit of reading")
  func deep() {
    let json = String(repeating: #"{"class":"NSError","code":1,"userInfo":"#, count: 400)
    #expect(throws: FoundationItems.Obstacle.self) {
      try FoundationItems().value(json + "1" + String(repeating: "}", count: 400))
    }
    let deeper = String(repeating: "[", count: 100_000)
    #expect(throws: FoundationItems.Obstacle.self) { try FoundationItems().value(deeper) }
  }
}
