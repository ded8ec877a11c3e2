import Testing

@Suite("Index sets, texts and names")
struct CollectionAndTextValueTests {
  private static let range: Sketch = .object(
    "NSValue",
    ["NS.special": 4, "NS.rangeval.location": .number(2), "NS.rangeval.length": .number(3)])
  private static let expression: Sketch = .object(
    "NSRegularExpression", ["NSPattern": "a(b)", "NSOptions": 1])

  static let indexes = [
    FoundationForm("of none", "NSIndexSet", ["NSRangeCount": 0], #"{CLASS,"ranges":[]}"#),
    FoundationForm(
      "of one range", "NSMutableIndexSet", ["NSRangeCount": 1, "NSLocation": 7, "NSLength": 2],
      #"{CLASS,"ranges":[{"length":2,"location":7}]}"#),
    FoundationForm(
      "of two ranges", "NSIndexSet",
      ["NSRangeCount": 2, "NSRangeData": .data([0, 1, 0x80, 0x01, 0xFF, 0x7F])],
      #"{CLASS,"ranges":[{"length":1,"location":0},{"length":16383,"location":128}]}"#),
    .misfit("without a range", "NSIndexSet", ["NSRangeCount": 1]),
    .misfit(
      "of too few ranges", "NSIndexSet", ["NSRangeCount": 2, "NSRangeData": .data([0, 1])]),
    .misfit(
      "whose number is cut off", "NSIndexSet",
      ["NSRangeCount": 1, "NSRangeData": .data([0, 0x80])]),
    .misfit(
      "whose number is too large", "NSIndexSet",
      [
        "NSRangeCount": 1,
        "NSRangeData": .data([0] + Array(repeating: 0xFF, count: 9) + [0x7F]),
      ]),
    .misfit(
      "of a hostile count", "NSIndexSet",
      ["NSRangeCount": .inline(.integer(.max)), "NSRangeData": .data([0, 1])]),
    .misfit("with another key", "NSIndexSet", ["NSRangeCount": 0, "extra": 1]),
    .misfit("with no number", "NSIndexSet", ["NSRangeCount": "0"]),
    FoundationForm("of none", "NSIndexPath", ["NSIndexPathLength": 0], #"{CLASS,"indexes":[]}"#),
    FoundationForm(
      "of one", "NSIndexPath", ["NSIndexPathLength": 1, "NSIndexPathValue": 5],
      #"{CLASS,"indexes":[5]}"#),
    FoundationForm(
      "of several", "NSIndexPath", ["NSIndexPathLength": 3, "NSIndexPathData": .data([1, 2, 3])],
      #"{CLASS,"indexes":[1,2,3]}"#),
    .misfit(
      "of another length", "NSIndexPath",
      ["NSIndexPathLength": 2, "NSIndexPathData": .data([1, 2, 3])]),
    .misfit("of a negative length", "NSIndexPath", ["NSIndexPathLength": -1]),
  ]

  static let attributed = [
    FoundationForm(
      "that is empty", "NSAttributedString", ["NSString": ""], #"{CLASS,"runs":[],"text":""}"#),
    FoundationForm("of nil", "NSAttributedString", ["NSString": .none], #"{CLASS,"runs":[]}"#),
    FoundationForm(
      "of one run", "NSMutableAttributedString",
      [
        "NSString": .object("NSMutableString", ["NS.string": .inline("a😀")]),
        "NSAttributes": ["NSUnderline": .number(1)],
      ],
      #"{CLASS,"runs":[{"attributes":{"NSUnderline":1},"length":3,"location":0}],"text":"a😀"}"#),
    FoundationForm(
      "of three runs", "NSTextStorage",
      [
        "NSString": "abcd", "NSDelegate": .none,
        "NSAttributes": [["k": "v"], [:]], "NSAttributeInfo": .data([1, 0, 2, 1, 1, 0]),
      ],
      #"{CLASS,"runs":[{"attributes":{"k":"v"},"length":1,"location":0},"#
        + #"{"attributes":{},"length":2,"location":1},"#
        + #"{"attributes":{"k":"v"},"length":1,"location":3}],"text":"abcd"}"#),
    .misfit(
      "whose runs are too short", "NSAttributedString",
      ["NSString": "abcd", "NSAttributes": [[:]], "NSAttributeInfo": .data([3, 0])]),
    .misfit(
      "whose runs are too long", "NSAttributedString",
      ["NSString": "abcd", "NSAttributes": [[:]], "NSAttributeInfo": .data([5, 0])]),
    .misfit(
      "with attributes that no run has", "NSAttributedString",
      ["NSString": "ab", "NSAttributes": [[:], [:]], "NSAttributeInfo": .data([2, 0])]),
    .misfit(
      "with a run beyond the attributes", "NSAttributedString",
      ["NSString": "ab", "NSAttributes": [[:]], "NSAttributeInfo": .data([2, 1])]),
    .misfit(
      "with a run of a hostile length", "NSAttributedString",
      [
        "NSString": "ab", "NSAttributes": [[:]],
        "NSAttributeInfo": .data([1, 0] + Array(repeating: 0xFF, count: 8) + [0x7F, 0]),
      ]),
    .misfit(
      "with an attribute of an unknown class", "NSAttributedString",
      ["NSString": "a", "NSAttributes": ["k": .object("Note", [:])]]),
    .misfit(
      "with a delegate", "NSTextStorage", ["NSString": "a", "NSDelegate": "somebody"]),
  ]

  static let texts = [
    FoundationForm(
      "NSLocalizableString", ["NS.string": .inline("Hallo"), "NSDev": "Hello", "NSKey": "5.title"],
      #"{CLASS,"developmentText":"Hello","key":"5.title","text":"Hallo"}"#),
    FoundationForm(
      "NSURLQueryItem", ["NS.name": "q", "NS.value": .none], #"{CLASS,"name":"q"}"#),
    FoundationForm(
      "with a value", "NSURLQueryItem", ["NS.name": "q", "NS.value": "a b"],
      #"{CLASS,"name":"q","value":"a b"}"#),
    .misfit("with a number", "NSURLQueryItem", ["NS.name": 1]),
    FoundationForm(
      "of Foundation's own", "NSCharacterSet", ["NSBuiltinID": 4], #"{"builtinID":4,CLASS}"#),
    FoundationForm(
      "of a range", "NSMutableCharacterSet", ["NSRange": 0x41_0000_001A, "NSIsInverted": true],
      #"{CLASS,"isInverted":true,"range":{"length":26,"location":65}}"#),
    FoundationForm(
      "of characters", "NSCharacterSet", ["NSString": .inline("xyz")],
      #"{"characters":"xyz",CLASS}"#),
    FoundationForm(
      "of characters by another coder", "NSCharacterSet", ["NSStringObject": "xyz"],
      #"{"characters":"xyz",CLASS}"#),
    FoundationForm(
      "as a bitmap", "NSCharacterSet",
      ["NSBuiltinID2": 15, "NSIsInverted2": true, "NSBitmap": .bytes([0, 255])],
      #"{"bitmap":"AP8=","builtinID":15,CLASS,"isBuiltinInverted":true}"#),
    FoundationForm(
      "as a bitmap by another coder", "NSCharacterSet", ["NSBitmapObject": .data([1])],
      #"{"bitmap":"AQ==",CLASS}"#),
    .misfit("of nothing", "NSCharacterSet", [:]),
    .misfit("of two sets", "NSCharacterSet", ["NSBuiltinID": 1, "NSBuiltinID2": 2]),
    FoundationForm(
      "NSRegularExpression", ["NSPattern": "a/b", "NSOptions": 1],
      #"{CLASS,"options":1,"pattern":"a/b"}"#),
    FoundationForm(
      "by GNUstep", "NSRegularExpression", ["pattern": "a", "options": 0],
      #"{CLASS,"options":0,"pattern":"a"}"#),
    .misfit("without a pattern", "NSRegularExpression", ["NSOptions": 0]),
    FoundationForm(
      "NSSimpleRegularExpressionCheckingResult",
      [
        "NSRangeArray": [range], "NSRegularExpression": expression, "NSRangeLocation": 2,
        "NSRangeLength": 3,
      ],
      #"{CLASS,"range":{"length":3,"location":2},"ranges":[{"length":3,"location":2}],"#
        + #""regularExpression":{"class":"NSRegularExpression","options":1,"pattern":"a(b)"}}"#),
    .misfit(
      "with texts for ranges", "NSComplexRegularExpressionCheckingResult",
      ["NSRangeArray": ["2"], "NSRangeLocation": 2, "NSRangeLength": 3]),
    FoundationForm(
      "by Apple", "NSPersonNameComponents",
      [
        "NS.nameComponentsPrivate": .object(
          "_NSPersonNameComponentsData",
          [
            "NS.givenName": "Ada", "NS.familyName": "Lovelace", "NS.middleName": .none,
            "NS.namePrefix": .none, "NS.nameSuffix": .none, "NS.nickname": .none,
          ])
      ], #"{CLASS,"familyName":"Lovelace","givenName":"Ada"}"#),
    FoundationForm(
      "by swift-corelibs-foundation", "NSPersonNameComponents",
      [
        "NS.namePrefix": "Dr.", "NS.givenName": "A", "NS.middleName": "B", "NS.familyName": "C",
        "NS.nameSuffix": "Jr.", "NS.nickname": "D",
      ],
      #"{CLASS,"familyName":"C","givenName":"A","middleName":"B","namePrefix":"Dr.","#
        + #""nameSuffix":"Jr.","nickname":"D"}"#),
    .misfit(
      "in both forms", "NSPersonNameComponents",
      [
        "NS.nameComponentsPrivate": .object("_NSPersonNameComponentsData", [:]),
        "NS.givenName": "A",
      ]),
  ]

  @Test("are read in all their forms", arguments: indexes + attributed + texts)
  func areRead(form: FoundationForm) throws {
    try form.check()
  }
}
