import Testing

@Suite("Measurements, dates and formatters")
struct NumberAndDateValueTests {
  private static let locale: Sketch = .object("NSLocale", ["NS.identifier": "de_AT"])
  private static let zone: Sketch = .object("NSTimeZone", ["NS.name": "GMT", "NS.data": .none])
  private static let calendar: Sketch = .object("NSCalendar", ["NS.identifier": "gregorian"])
  private static let linear: Sketch = .object(
    "NSUnitConverterLinear", ["NS.coefficient": 0.1, "NS.constant": 0.0])

  static let numbers = [
    FoundationForm(
      "NSDecimalNumberHandler",
      [
        "NS.roundingmode": 3, "NS.scale": 2, "NS.raise.exactness": false,
        "NS.raise.overflow": true, "NS.raise.underflow": true, "NS.raise.dividebyzero": true,
      ],
      #"{CLASS,"raisesOnDivideByZero":true,"raisesOnExactness":false,"raisesOnOverflow":true,"#
        + #""raisesOnUnderflow":true,"roundingMode":3,"scale":2}"#),
    FoundationForm(
      "in the spelling that is read", "NSDecimalNumberHandler", ["NS.roundingMode": 1],
      #"{CLASS,"roundingMode":1}"#),
    .misfit(
      "of two minds", "NSDecimalNumberHandler", ["NS.roundingmode": 1, "NS.roundingMode": 2]),
    FoundationForm(
      "NSMeasurement",
      [
        "NS.value": 0.1,
        "NS.unit": .object(
          "NSUnitLength", ["NS.symbol": "mm", "NS.converter": linear, "NS.specifier": 1282]),
      ],
      #"{CLASS,"unit":{"class":"NSUnitLength","converter":{"class":"NSUnitConverterLinear","#
        + #""coefficient":0.1,"constant":0},"specifier":1282,"symbol":"mm"},"value":0.1}"#),
    FoundationForm(
      "of a whole number", "NSMeasurement",
      ["NS.value": 3, "NS.unit": .object("NSUnit", ["NS.symbol": "pcs"])],
      #"{CLASS,"unit":{"class":"NSUnit","symbol":"pcs"},"value":3}"#),
    .misfit("without a unit", "NSMeasurement", ["NS.value": 3.5]),
    .misfit("with a text for a unit", "NSMeasurement", ["NS.value": 3.5, "NS.unit": "m"]),
    FoundationForm(
      "of an app's own dimension", "NSUnitSmoots",
      [
        "NS.symbol": "sm",
        "NS.converter": .object("NSUnitConverterReciprocal", ["NS.reciprocal": 100]),
      ],
      #"{CLASS,"converter":{"class":"NSUnitConverterReciprocal","reciprocal":100},"symbol":"sm"}"#),
    FoundationForm(
      "NSNumberFormatter",
      [
        "NS.positiveformat": "0.00", "NS.negativeformat": "-0.00", "NS.decimal": ".",
        "NS.thousand": ",", "NS.hasthousands": false, "NS.allowsfloats": true,
        "NS.localized": true, "NS.nil": .object("NSAttributedString", ["NSString": ""]),
        "NS.min": .made { $0.decimal(words: [5]) }, "NS.max": .entry(100.5),
        "NS.rounding": .object("NSDecimalNumberHandler", ["NS.roundingmode": 0]),
        "NS.positiveattrs": .none, "NS.attributes": ["numberStyle": .number(3)],
      ],
      #"{"allowsFloats":true,"attributes":{"numberStyle":3},CLASS,"decimalSeparator":".","#
        + #""hasThousandSeparators":false,"localizesFormat":true,"maximum":100.5,"#
        + #""minimum":{"class":"NSDecimalNumber","value":"5"},"negativeFormat":"-0.00","#
        + #""positiveFormat":"0.00","roundingBehavior":{"class":"NSDecimalNumberHandler","#
        + #""roundingMode":0},"textForNil":{"class":"NSAttributedString","runs":[],"text":""},"#
        + #""thousandSeparator":","}"#),
    .misfit("with another key", "NSNumberFormatter", ["NS.decimal": ".", "NS.extra": "?"]),
    FoundationForm(
      "NSByteCountFormatter",
      [
        "NSUnits": 3, "NSKBSize": 2, "NSFormattingContext": 4, "NSZeroPad": true,
        "NSActual": true, "NSNoNonnumeric": true, "NSNoUnit": true, "NSNoCount": true,
        "NSNoAdaptive": true,
      ],
      #"{"allowedUnits":3,"avoidsAdaptiveFormatting":true,"avoidsNonnumericFormatting":true,"#
        + #"CLASS,"countStyle":2,"formattingContext":4,"includesActualByteCount":true,"#
        + #""omitsCount":true,"omitsUnit":true,"zeroPadsFractionDigits":true}"#),
    FoundationForm(
      "by GNUstep", "NSByteCountFormatter", ["NSAllowedUnits": 1, "NSCountStyle": 0],
      #"{"allowedUnits":1,CLASS,"countStyle":0}"#),
  ]

  static let dates = [
    FoundationForm(
      "NSCalendarDate", ["NS.time": 0.5, "NS.timezone": zone, "NS.format": "%Y"],
      #"{CLASS,"date":"2001-01-01T00:00:00.500Z","format":"%Y","#
        + #""timeZone":{"class":"NSTimeZone","name":"GMT"}}"#),
    .misfit("without a time", "NSCalendarDate", ["NS.format": "%Y"]),
    FoundationForm(
      "NSDateInterval", ["NS.startDate": .date(0), "NS.endDate": .date(86_400)],
      #"{CLASS,"end":"2001-01-02T00:00:00.000Z","start":"2001-01-01T00:00:00.000Z"}"#),
    .misfit("without an end", "NSDateInterval", ["NS.startDate": .date(0)]),
    FoundationForm(
      "with parts that are undefined", "NSDateComponents",
      [
        "NS.era": .inline(.integer(.max)), "NS.year": 2011, "NS.month": 2_147_483_647,
        "NS.isLeapMonth": false, "NS.calendar": calendar, "NS.timezone": zone,
      ],
      #"{"calendar":{"class":"NSCalendar","identifier":"gregorian"},CLASS,"isLeapMonth":false,"#
        + #""timeZone":{"class":"NSTimeZone","name":"GMT"},"year":2011}"#),
    FoundationForm(
      "with all parts", "NSDateComponents",
      [
        "NS.era": 1, "NS.year": 2, "NS.quarter": 3, "NS.month": 4, "NS.day": 5, "NS.hour": 6,
        "NS.minute": 7, "NS.second": 8, "NS.nanosec": 9, "NS.weekOfYear": 10,
        "NS.weekOfMonth": 11, "NS.yearForWOY": 12, "NS.weekday": 13, "NS.weekdayOrdinal": 14,
      ],
      #"{CLASS,"day":5,"era":1,"hour":6,"minute":7,"month":4,"nanosecond":9,"quarter":3,"#
        + #""second":8,"weekOfMonth":11,"weekOfYear":10,"weekday":13,"weekdayOrdinal":14,"#
        + #""year":2,"yearForWeekOfYear":12}"#),
    .misfit("with half a day", "NSDateComponents", ["NS.day": 0.5]),
    FoundationForm(
      "NSCalendar",
      [
        "NS.identifier": "gregorian", "NS.timezone": zone, "NS.locale": locale,
        "NS.firstwkdy": 2, "NS.mindays": 4, "NS.gstartdate": .date(-13_197_600_000),
      ],
      #"{CLASS,"firstWeekday":2,"gregorianStart":"1582-10-15T00:00:00.000Z","identifier":"gregorian","#
        + #""locale":{"class":"NSLocale","identifier":"de_AT"},"minimumDaysInFirstWeek":4,"#
        + #""timeZone":{"class":"NSTimeZone","name":"GMT"}}"#),
    FoundationForm(
      "with rules", "NSTimeZone", ["NS.name": "Europe/Berlin", "NS.data": .data([0x54, 0x5A])],
      #"{CLASS,"data":"VFo=","name":"Europe/Berlin"}"#),
    FoundationForm("NSLocale", ["NS.identifier": "en_US"], #"{CLASS,"identifier":"en_US"}"#),
    .misfit("without an identifier", "NSLocale", ["NS.identifier": .none]),
    FoundationForm(
      "NSDateFormatter", ["NS.format": "%d", "NS.natural": true, "NS.attributes": ["a": "b"]],
      #"{"allowsNaturalLanguage":true,"attributes":{"a":"b"},CLASS,"format":"%d"}"#),
    FoundationForm(
      "NSISO8601DateFormatter", ["NS.formatOptions": 1366, "NS.timeZone": zone],
      #"{CLASS,"formatOptions":1366,"timeZone":{"class":"NSTimeZone","name":"GMT"}}"#),
    FoundationForm(
      "NSDateIntervalFormatter",
      [
        "NS.locale": locale, "NS.calendar": calendar, "NS.timeZone": zone,
        "NS.dateTemplate": "dd", "NS.dateTemplateFromStyles": "y", "NS.dateStyle": 1,
        "NS.timeStyle": 2, "NS.modified": true, "NS.useTemplate": true,
      ],
      #"{"calendar":{"class":"NSCalendar","identifier":"gregorian"},CLASS,"dateStyle":1,"#
        + #""dateTemplate":"dd","dateTemplateFromStyles":"y","isModified":true,"#
        + #""locale":{"class":"NSLocale","identifier":"de_AT"},"timeStyle":2,"#
        + #""timeZone":{"class":"NSTimeZone","name":"GMT"},"usesTemplate":true}"#),
    .misfit(
      "with a calendar's name", "NSDateIntervalFormatter", ["NS.calendar": "gregorian"]),
  ]

  @Test("are read in all their forms", arguments: numbers + dates)
  func areRead(form: FoundationForm) throws {
    try form.check()
  }
}
