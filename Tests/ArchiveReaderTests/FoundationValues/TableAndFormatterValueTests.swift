import Testing

@Suite("Tables of pointers, formatters of units and names, UIKit's images")
struct TableAndFormatterValueTests {
  private static let locale: Sketch = .object("NSLocale", ["NS.identifier": "de_AT"])
  private static let localeJSON = #"{"class":"NSLocale","identifier":"de_AT"}"#

  static let tables = [
    FoundationForm(
      "of weak elements", "NSHashTable", ["NS.count": 2], unkeyed: [517, "a", .number(1), .none],
      #"{CLASS,"elements":["a",1],"options":517}"#),
    FoundationForm(
      "of an older system", "NSHashTable", [:], unkeyed: [0, .date(0), .none],
      #"{CLASS,"elements":[{"class":"NSDate","date":"2001-01-01T00:00:00.000Z"}],"options":0}"#),
    FoundationForm(
      "of none", "NSHashTable", ["NS.count": 0], unkeyed: [0, .none],
      #"{CLASS,"elements":[],"options":0}"#),
    FoundationForm(
      "whose element is gone", "NSHashTable", ["NS.count": 2], unkeyed: [5, .none, "a", .none],
      #"{CLASS,"elements":[null,"a"],"options":5}"#),
    .misfit("without an end", "NSHashTable", ["NS.count": 1], unkeyed: [0, "a"]),
    .misfit("of nothing", "NSHashTable", [:]),
    .misfit("without options", "NSHashTable", [:], unkeyed: ["a", .none]),
    .misfit("of options alone", "NSHashTable", [:], unkeyed: [0]),
    .misfit("with values behind the end", "NSHashTable", [:], unkeyed: [0, .none, "a", .none]),
    .misfit("of another count", "NSHashTable", ["NS.count": 2], unkeyed: [0, "a", .none]),
    .misfit(
      "of a hostile count", "NSHashTable", ["NS.count": .inline(.integer(.max))],
      unkeyed: [0, "a", .none]),
    .misfit("of no count", "NSHashTable", ["NS.count": "1"], unkeyed: [0, "a", .none]),
    .misfit(
      "of an app's objects", "NSHashTable", [:], unkeyed: [0, .object("Note", [:]), .none]),
    FoundationForm(
      "of weak values", "NSMapTable", ["NS.count": 2],
      unkeyed: [0, 5, "a", .number(1), "b", .none, .none],
      #"{CLASS,"keyOptions":0,"pairs":[["a",1],["b",null]],"valueOptions":5}"#),
    FoundationForm(
      "of an older system", "NSMapTable", [:], unkeyed: [0, 0, .number(1), "a", .none],
      #"{CLASS,"keyOptions":0,"pairs":[[1,"a"]],"valueOptions":0}"#),
    .misfit("with a key alone", "NSMapTable", [:], unkeyed: [0, 0, "a", .none]),
    .misfit("with one option", "NSMapTable", [:], unkeyed: [0, .none]),
    .misfit(
      "of another count", "NSMapTable", ["NS.count": -1], unkeyed: [0, 0, "a", "b", .none]),
    .misfit("with another key", "NSMapTable", ["extra": 1], unkeyed: [0, 0, .none]),
  ]

  static let formatters = [
    FoundationForm(
      "NSLengthFormatter",
      [
        "NS.unitOptions": 0, "NS.unitStyle": 3, "NS.locale": locale,
        "NS.numberFormatter": .object("NSNumberFormatter", ["NS.decimal": ","]),
        "NS.forPersonHeightUse": true,
      ],
      #"{CLASS,"isForPersonHeightUse":true,"locale":\#(localeJSON),"#
        + #""numberFormatter":{"class":"NSNumberFormatter","decimalSeparator":","},"#
        + #""unitOptions":0,"unitStyle":3}"#),
    FoundationForm(
      "by GNUstep", "NSMassFormatter",
      ["NS.numberFormatter": .none, "NS.forPersonMassUse": false, "NS.unitStyle": 2],
      #"{CLASS,"isForPersonMassUse":false,"unitStyle":2}"#),
    FoundationForm(
      "NSEnergyFormatter", ["NS.unitOptions": 0, "NS.forFoodEnergyUse": true],
      #"{CLASS,"isForFoodEnergyUse":true,"unitOptions":0}"#),
    .misfit("for heights", "NSMassFormatter", ["NS.forPersonHeightUse": true]),
    .misfit("with the name of a locale", "NSLengthFormatter", ["NS.locale": "de_AT"]),
    .misfit("with half a style", "NSEnergyFormatter", ["NS.unitStyle": 0.5]),
    FoundationForm(
      "NSMeasurementFormatter",
      [
        "NS.unitFormatter": .object(
          "NSUnitFormatter", ["NS.unitOptions": 2, "NS.unitStyle": 1, "NS.locale": locale])
      ],
      #"{CLASS,"locale":\#(localeJSON),"unitOptions":2,"unitStyle":1}"#),
    .misfit(
      "of a length", "NSMeasurementFormatter",
      ["NS.unitFormatter": .object("NSLengthFormatter", ["NS.unitStyle": 1])]),
    .misfit("of nothing", "NSMeasurementFormatter", [:]),
    .misfit(
      "in itself", "NSUnitFormatter",
      ["NS.unitFormatter": .object("NSUnitFormatter", ["NS.unitStyle": 1])]),
    FoundationForm(
      "NSDateComponentsFormatter",
      [
        "NS.allowedUnits": 252, "NS.allowsFractionalUnits": true,
        "NS.calendar": .object("NSCalendar", ["NS.identifier": "gregorian"]),
        "NS.collapsesLargestUnit": true, "NS.includesApproximationPhrase": true,
        "NS.includesTimeRemainingPhrase": true, "NS.maximumUnitCount": 2, "NS.unitsStyle": 3,
        "NS.zeroFormattingBehavior": 14,
      ],
      #"{"allowedUnits":252,"allowsFractionalUnits":true,"#
        + #""calendar":{"class":"NSCalendar","identifier":"gregorian"},CLASS,"#
        + #""collapsesLargestUnit":true,"includesApproximationPhrase":true,"#
        + #""includesTimeRemainingPhrase":true,"maximumUnitCount":2,"unitsStyle":3,"#
        + #""zeroFormattingBehavior":14}"#),
    FoundationForm(
      "by default", "NSDateComponentsFormatter",
      ["NS.allowedUnits": 252, "NS.calendar": .none, "NS.unitsStyle": 0],
      #"{"allowedUnits":252,CLASS,"unitsStyle":0}"#),
    .misfit("with a calendar's name", "NSDateComponentsFormatter", ["NS.calendar": "gregorian"]),
    FoundationForm(
      "NSPersonNameComponentsFormatter",
      [
        "NS.nameComponentsFormatterPrivate": .object(
          "_NSPersonNameComponentsFormatterData",
          [
            "NS.nameFormatterStyle": 2, "NS.nameFormatterIsPhonetic": false,
            "NS.nameFormatterForceFamilyNameFirst": true,
            "NS.nameFormatterForceGivenNameFirst": false,
            "NS.nameFormatterIgnoresFallbacks": false, "NS.nameFormatterLocale": locale,
          ])
      ],
      #"{CLASS,"forcesFamilyNameFirst":true,"forcesGivenNameFirst":false,"#
        + #""ignoresFallbacks":false,"isPhonetic":false,"locale":\#(localeJSON),"style":2}"#),
    .misfit("without settings", "NSPersonNameComponentsFormatter", [:]),
    .misfit(
      "in itself", "NSPersonNameComponentsFormatter",
      [
        "NS.nameComponentsFormatterPrivate": .object(
          "NSPersonNameComponentsFormatter",
          [
            "NS.nameComponentsFormatterPrivate": .object(
              "_NSPersonNameComponentsFormatterData", [:])
          ])
      ]),
  ]

  private static let traits: Sketch = .object(
    "UITraitCollection",
    ["UITraitCollectionBuiltinTrait-_UITraitNameDisplayScale": .inline(.float(2))])
  private static let traitsJSON =
    #"{"class":"UITraitCollection","traits":{"_UITraitNameDisplayScale":2}}"#

  static let images = [
    FoundationForm(
      "UIImage",
      [
        "UIKitDidEncode": true, "UIKitWantsProperties": true, "UIImageData": .data([0x89, 0x50]),
        "UIScale": .inline(.float(2)), "UIImageSizeInPixels": "{120, 60}",
        "UIImageOrientation": 0, "UIHasPattern": false, "UIRenderingMode": 0,
        "UIImageConfiguration": .object(
          "UIImageConfiguration",
          ["UITraitCollection": traits, "NSLocale": locale, "UIIgnoresDynamicType": true]),
        "UIImageTraitCollection": traits, "UIImageVariableValue": .inline(.real(.infinity)),
        "UIImageIsFlippedInRightToLeft": false, "UIImageAccessibilityLabel": "A photo",
        "UIImageAccessibilityLanguage": .none,
      ],
      #"{"accessibilityLabel":"A photo",CLASS,"configuration":{"class":"UIImageConfiguration","#
        + #""ignoresDynamicType":true,"locale":\#(localeJSON),"traits":\#(traitsJSON)},"#
        + #""data":"iVA=","hasPattern":false,"isFlippedInRightToLeft":false,"orientation":0,"#
        + #""renderingMode":0,"scale":2,"sizeInPixels":{"height":60,"width":120},"#
        + #""traits":\#(traitsJSON),"variableValue":"Infinity"}"#),
    FoundationForm(
      "by name", "UIImage",
      ["UIKitDidEncode": true, "UIIsSystemImage": true, "UIImageName": "star"],
      #"{CLASS,"isSystemImage":true,"name":"star"}"#),
    FoundationForm(
      "of an app", "UIImage",
      [
        "UIImageName": "Logo", "UIImageBundleIdentifier": "org.example.app",
        "UIImageBundleLibraryName": "App",
      ],
      #"{"bundleIdentifier":"org.example.app","bundleLibraryName":"App",CLASS,"name":"Logo"}"#),
    .misfit("of nothing", "UIImage", ["UIKitDidEncode": true]),
    .misfit("that UIKit did not write", "UIImage", ["UIKitDidEncode": false, "UIImageName": "a"]),
    .misfit(
      "from a catalog", "UIImage", ["UIImageName": "a", "UIImageCatalogData": .data([1])]),
    .misfit("of half a size", "UIImage", ["UIImageName": "a", "UIImageSizeInPixels": "{1}"]),
    FoundationForm(
      "of none", "UITraitCollection", [:], "{CLASS}"),
    FoundationForm(
      "with a tint", "UITraitCollection",
      ["UITraitCollectionTintColor": .object("UIColor", ["UISystemColorName": "tintColor"])],
      #"{CLASS,"tintColor":{"class":"UIColor","systemColorName":"tintColor"}}"#),
    .misfit(
      "with an app's traits", "UITraitCollection",
      ["UITraitCollectionClientDefinedTraits": ["a": .number(1)]]),
    .misfit(
      "with the name of a locale", "UIImageConfiguration", ["NSLocale": "de_AT"]),
  ]

  @Test("are read in all their forms", arguments: tables + formatters + images)
  func areRead(form: FoundationForm) throws {
    try form.check()
  }
}
