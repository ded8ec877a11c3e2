import ArchiveReader
import Testing

@Suite("Points, rectangles and places")
struct GeometryValueTests {
  static let values = [
    FoundationForm(
      "of a point", "NSValue",
      ["NS.special": 1, "NS.pointval": "{146.33333333333337, -1e-05}"],
      #"{CLASS,"point":{"x":146.33333333333337,"y":-1e-05}}"#),
    FoundationForm(
      "of a size", "NSValue", ["NS.special": 2, "NS.sizeval": "{64, 32.5}"],
      #"{CLASS,"size":{"height":32.5,"width":64}}"#),
    FoundationForm(
      "of a rectangle", "NSValue", ["NS.special": 3, "NS.rectval": "{{1, 2}, {3, inf}}"],
      #"{CLASS,"rect":{"height":"Infinity","width":3,"x":1,"y":2}}"#),
    FoundationForm(
      "of a range", "NSValue",
      [
        "NS.special": 4, "NS.rangeval.location": .number(.max),
        "NS.rangeval.length": .number(0),
      ], #"{CLASS,"range":{"length":0,"location":9223372036854775807}}"#),
    FoundationForm(
      "of insets", "NSValue",
      [
        "NS.special": 12, "NS.edgeval.top": 1.0, "NS.edgeval.left": 2.0,
        "NS.edgeval.bottom": 3.0, "NS.edgeval.right": 4.5,
      ], #"{CLASS,"edgeInsets":{"bottom":3,"left":2,"right":4.5,"top":1}}"#),
    FoundationForm(
      "of a C array", "NSValue", [:],
      unkeyed: [
        "[3i]",
        .object(
          "_NSKeyedCoderOldStyleArray", ["NS.count": 3, "NS.type": 105, "NS.size": 4],
          unkeyed: [1, 2, -3]),
      ],
      #"{CLASS,"type":"[3i]","values":[{"class":"_NSKeyedCoderOldStyleArray","#
        + #""elements":[1,2,-3],"size":4,"type":"i"}]}"#),
    FoundationForm(
      "of a C number", "NSValue", [:], unkeyed: ["d", 0.1], #"{CLASS,"type":"d","values":[0.1]}"#),
    .misfit("of an unknown kind", "NSValue", ["NS.special": 5]),
    .misfit("of half a point", "NSValue", ["NS.special": 1, "NS.pointval": "{1}"]),
    .misfit("of a point and more", "NSValue", ["NS.special": 1, "NS.pointval": "{1, 2} 3"]),
    .misfit("of a type alone", "NSValue", [:], unkeyed: ["i"]),
    .misfit(
      "of a hostile count", "_NSKeyedCoderOldStyleArray",
      ["NS.count": .inline(.integer(.max)), "NS.type": 105, "NS.size": 4], unkeyed: [1]),
    FoundationForm(
      "NSAffineTransform",
      [
        "NSTransformStruct": .bytes([
          0x3F, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xBF, 0x80, 0, 0, 0x41, 0x20, 0, 0, 0x3F, 0, 0,
          0,
        ])
      ], #"{CLASS,"transform":{"a":1,"b":0,"c":0,"d":-1,"tx":10,"ty":0.5}}"#),
    FoundationForm(
      "as a C array", "NSAffineTransform", [:],
      unkeyed: [
        .object(
          "_NSKeyedCoderOldStyleArray", ["NS.count": 6, "NS.type": 102, "NS.size": 4],
          unkeyed: [1.0, 0.0, 0.0, 1.0, 2.0, 3.0])
      ], #"{CLASS,"transform":{"a":1,"b":0,"c":0,"d":1,"tx":2,"ty":3}}"#),
    .misfit("of two values", "NSAffineTransform", [:], unkeyed: [1, 2]),
    .misfit("that is cut off", "NSAffineTransform", ["NSTransformStruct": .bytes([1, 2, 3])]),
  ]

  static let records = [
    FoundationForm(
      "CLLocation",
      [
        "kCLLocationCodingKeyTimestamp": 86_400.0, "kCLLocationCodingKeyCoordinateLatitude": 48.2,
        "kCLLocationCodingKeyCoordinateLongitude": 16.37, "kCLLocationCodingKeyAltitude": 171.0,
        "kCLLocationCodingKeyHorizontalAccuracy": 5.0,
        "kCLLocationCodingKeyVerticalAccuracy": -1.0, "kCLLocationCodingKeySpeed": -1.0,
        "kCLLocationCodingKeyCourse": 90.0, "kCLLocationCodingKeyRawCourse": 91.5,
      ],
      #"{"altitude":171,CLASS,"course":90,"horizontalAccuracy":5,"latitude":48.2,"#
        + #""longitude":16.37,"other":{"RawCourse":91.5},"speed":-1,"#
        + #""timestamp":"2001-01-02T00:00:00.000Z","verticalAccuracy":-1}"#),
    .misfit("with another key", "CLLocation", ["latitude": 48.2]),
    FoundationForm(
      "CKRecordID",
      [
        "RecordName": "r",
        "ZoneID": .object(
          "CKRecordZoneID", ["ZoneName": "z", "ownerName": "o", "databaseScopeKey": 2]),
      ],
      #"{CLASS,"recordName":"r","zoneID":{"class":"CKRecordZoneID","databaseScope":2,"#
        + #""ownerName":"o","zoneName":"z"}}"#),
    .misfit("with a zone's name", "CKRecordID", ["RecordName": "r", "ZoneID": "z"]),
    FoundationForm(
      "CNPostalAddress",
      [
        "_street": "Cherry Cove", "_city": "Avalon", "_state": "CA", "_postalCode": "90704",
        "_country": "United States", "_ISOCountryCode": "US", "_formattedAddress": .none,
        "_subAdministrativeArea": "Los Angeles County", "_subLocality": "Santa Catalina Island",
      ],
      #"{"city":"Avalon",CLASS,"country":"United States","isoCountryCode":"US","#
        + #""postalCode":"90704","state":"CA","street":"Cherry Cove","#
        + #""subAdministrativeArea":"Los Angeles County","subLocality":"Santa Catalina Island"}"#),
    .misfit("with a number", "CNPostalAddress", ["_postalCode": 90704]),
    FoundationForm(
      "NSError",
      [
        "NSDomain": "NSCocoaErrorDomain", "NSCode": 4,
        "NSUserInfo": ["NSURL": .url("file:///a"), "when": .date(0), "n": .object("NSNull", [:])],
      ],
      #"{CLASS,"code":4,"domain":"NSCocoaErrorDomain","userInfo":{"#
        + #""NSURL":{"class":"NSURL","url":"file:///a"},"n":{"class":"NSNull"},"#
        + #""when":{"class":"NSDate","date":"2001-01-01T00:00:00.000Z"}}}"#),
    .misfit("of an app's object", "NSError", ["NSUserInfo": ["a": .object("Note", [:])]]),
    FoundationForm(
      "NSNotification",
      ["NS.name": "n", "NS.object": "o", "NS.userinfo": .dictionary([(.number(1), "a")])],
      #"{CLASS,"name":"n","object":"o","userInfo":{"class":"NSDictionary","pairs":[[1,"a"]]}}"#),
    FoundationForm("NSFileWrapper", ["NSFileWrapperData": .data([1])], #"{CLASS,"data":"AQ=="}"#),
    .misfit("without data", "NSFileWrapper", ["NSFileWrapperData": .none]),
    FoundationForm(
      "LPLinkMetadata",
      [
        "URL": .url("https://example.org/a"), "originalURL": .url("https://example.org"),
        "title": "A", "summary": "B", "siteName": "C", "version": 1, "itemType": "article",
        "creatorFacebookProfile": "D", "usesActivityPub": false,
        "image": .object(
          "LPImage", ["data": .data([1]), "MIMEType": "image/png", "imageType": 0]),
        "imageMetadata": .object(
          "LPImageMetadata",
          ["URL": .url("https://example.org/i"), "size": "{1, 2}", "version": 1]),
        "icons": [],
      ],
      #"{CLASS,"creatorFacebookProfile":"D","icons":[],"#
        + #""image":{"class":"LPImage","data":"AQ==","imageType":0,"mimeType":"image/png"},"#
        + #""imageMetadata":{"class":"LPImageMetadata","size":{"height":2,"width":1},"#
        + #""url":"https://example.org/i","version":1},"itemType":"article","#
        + #""originalURL":"https://example.org","siteName":"C","summary":"B","title":"A","#
        + #""url":"https://example.org/a","usesActivityPub":false,"version":1}"#),
    .misfit(
      "with a picture of another class", "LPLinkMetadata",
      ["title": "A", "image": .object("RichLinkImageAttachmentSubstitute", [:])]),
  ]

  @Test("are read in all their forms", arguments: values + records)
  func areRead(form: FoundationForm) throws {
    try form.check()
  }

  @Test(
    "are read from texts of their forms and of no others",
    arguments: [
      ("{1, 2}", [1, 2]), ("{ 1 ,2 }", [1, 2]), ("{-1.5e+300, nan}", nil), ("{0x1p3, 1}", nil),
      ("{infinity, 1}", nil), ("{1e999, 1}", nil), ("{1,}", nil), ("{, 1}", nil), ("", nil),
      ("{1, 2}}", nil), ("[1, 2]", nil), ("{1, 2, 3}", nil), ("{1 2}", nil), ("{+1, 2.}", [1, 2]),
    ] as [(String, [Double]?)])
  func pointsAreRead(text: String, numbers: [Double]?) {
    let point = ArchivedPoint(text: text)
    // NaN is read, but is equal to nothing.
    if text.contains("nan") {
      #expect(point?.x == -1.5e300)
      #expect(point?.y.isNaN == true)
    } else {
      #expect(point.map { [$0.x, $0.y] } == numbers)
    }
  }

  @Test("are read from texts of rectangles and transforms")
  func othersAreRead() {
    #expect(
      ArchivedRect(text: "{{1, 2}, {3, 4}}") == ArchivedRect(x: 1, y: 2, width: 3, height: 4))
    #expect(ArchivedRect(text: "{{1, 2}, {3}}") == nil)
    #expect(ArchivedSize(text: "{3, 4}") == ArchivedSize(width: 3, height: 4))
    let transform = ArchivedTransform(text: "[1, 0, 0, -1, 10, 0.5]")
    #expect(transform.map { [$0.a, $0.b, $0.c, $0.d, $0.tx, $0.ty] } == [1, 0, 0, -1, 10, 0.5])
    #expect(ArchivedTransform(text: "[1, 0, 0, 1, 10]") == nil)
  }
}
