import ArchiveReader
import Foundation
import Testing

/// What Foundation's own archiver writes on this system.
@Suite("Values that Foundation archives")
struct FoundationRoundTripTests {
  /// The value that is read from what Foundation archives.
  private func archived(_ object: Any) throws -> String {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: object, requiringSecureCoding: false)
    let archive = try KeyedArchive(bytes: data)
    let reader = archive.makeGraph(GraphOptions())
    let root = try #require(archive.roots.first)
    let text = try reader.text(of: try reader.value(of: root))
    #expect(reader.misfitNames == [])
    return text
  }

  @Test("collections of indexes are read back")
  func indexes() throws {
    let many = NSMutableIndexSet(indexesIn: NSRange(location: 3, length: 2))
    many.add(in: NSRange(location: 300, length: 70_000))
    #expect(
      try archived(many)
        == #"{"class":"NSMutableIndexSet","ranges":[{"length":2,"location":3},"#
        + #"{"length":70000,"location":300}]}"#)
    #expect(
      try archived(NSIndexSet(index: 7))
        == #"{"class":"NSIndexSet","ranges":[{"length":1,"location":7}]}"#)
    #expect(try archived(NSIndexSet()) == #"{"class":"NSIndexSet","ranges":[]}"#)
    #expect(
      try archived(NSIndexPath(indexes: [1, 200, 3], length: 3))
        == #"{"class":"NSIndexPath","indexes":[1,200,3]}"#)
    #expect(
      try archived(NSIndexPath(index: 9)) == #"{"class":"NSIndexPath","indexes":[9]}"#)
  }

  @Test("attributed texts are read back")
  func attributedTexts() throws {
    let text = NSMutableAttributedString(string: "aé😀z")
    text.addAttribute(
      NSAttributedString.Key("k"), value: NSNumber(value: 1), range: NSRange(location: 1, length: 3)
    )
    #expect(
      try archived(text)
        == #"{"class":"NSMutableAttributedString","runs":["#
        + #"{"attributes":{},"length":1,"location":0},"#
        + #"{"attributes":{"k":1},"length":3,"location":1},"#
        + #"{"attributes":{},"length":1,"location":4}],"text":"aé😀z"}"#)
  }

  @Test("texts and names are read back")
  func texts() throws {
    #expect(
      try archived(NSRegularExpression(pattern: "a+", options: [.caseInsensitive]))
        == #"{"class":"NSRegularExpression","options":1,"pattern":"a+"}"#)
    #expect(
      try archived(NSURLQueryItem(name: "q", value: "1"))
        == #"{"class":"NSURLQueryItem","name":"q","value":"1"}"#)
    #expect(
      try archived(NSURLQueryItem(name: "q", value: nil))
        == #"{"class":"NSURLQueryItem","name":"q"}"#)
    let name = NSPersonNameComponents()
    name.givenName = "Ada"
    name.familyName = "Lovelace"
    #expect(
      try archived(name)
        == #"{"class":"NSPersonNameComponents","familyName":"Lovelace","givenName":"Ada"}"#)
  }

  @Test("sets of characters are read back")
  func characterSets() throws {
    #expect(
      try archived(NSCharacterSet(charactersIn: "xyz"))
        == #"{"characters":"xyz","class":"NSCharacterSet"}"#)
    #expect(
      try archived(NSCharacterSet(range: NSRange(location: 65, length: 26)))
        == #"{"class":"NSCharacterSet","range":{"length":26,"location":65}}"#)
    #expect(
      try archived(CharacterSet.letters as NSCharacterSet)
        == #"{"builtinID":5,"class":"NSCharacterSet"}"#)
  }

  @Test("notifications are read back")
  func notifications() throws {
    // Foundation cannot archive an NSError here: it ends the process.
    #expect(
      try archived(
        NSNotification(
          name: Notification.Name("n"), object: nil, userInfo: ["a": NSNumber(value: 1)]))
        == #"{"class":"NSNotification","name":"n","userInfo":{"a":1}}"#)
  }

  @Test("measurements are read back")
  func measurements() throws {
    #expect(
      try archived(NSMeasurement(doubleValue: 1.5, unit: UnitLength.kilometers))
        == #"{"class":"NSMeasurement","unit":{"class":"NSUnitLength","#
        + #""converter":{"class":"NSUnitConverterLinear","coefficient":1000,"constant":0},"#
        + #""symbol":"km"},"value":1.5}"#)
    #expect(try archived(Unit(symbol: "x")) == #"{"class":"NSUnit","symbol":"x"}"#)
  }

  @Test("dates and places of calendars are read back")
  func dates() throws {
    #expect(
      try archived(NSLocale(localeIdentifier: "de_AT"))
        == #"{"class":"NSLocale","identifier":"de_AT"}"#)
    let components = NSDateComponents()
    components.year = 2011
    components.month = 5
    #expect(
      try archived(components)
        == #"{"class":"NSDateComponents","isLeapMonth":false,"month":5,"year":2011}"#)
    let interval = NSDateInterval(
      start: Date(timeIntervalSinceReferenceDate: 0),
      end: Date(timeIntervalSinceReferenceDate: 60))
    #expect(
      try archived(interval)
        == #"{"class":"NSDateInterval","end":"2001-01-01T00:01:00.000Z","#
        + #""start":"2001-01-01T00:00:00.000Z"}"#)
  }

  /// The JSON of a time zone, whose rules are those that this system has.
  private func json(_ zone: TimeZone) -> String {
    let data = (zone as NSTimeZone).data.base64EncodedString()
    return #"{"class":"NSTimeZone","data":"\#(data)","name":"\#(zone.identifier)"}"#
  }

  /// An Austrian calendar.
  private func calendar(_ zone: TimeZone) -> Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    calendar.locale = Locale(identifier: "de_AT")
    calendar.firstWeekday = 2
    calendar.minimumDaysInFirstWeek = 4
    return calendar
  }

  /// The JSON of the Austrian calendar.
  private func calendarJSON(_ zone: TimeZone, locale: String = "de_AT") -> String {
    #"{"class":"NSCalendar","firstWeekday":2,"gregorianStart":"1582-10-15T00:00:00.000Z","#
      + #""identifier":"gregorian","locale":{"class":"NSLocale","identifier":"\#(locale)"},"#
      + #""minimumDaysInFirstWeek":4,"timeZone":\#(json(zone))}"#
  }

  @Test("time zones and calendars are read back", arguments: ["GMT", "Europe/Vienna"])
  func calendars(zoneName: String) throws {
    let zone = try #require(TimeZone(identifier: zoneName))
    #expect(try archived(zone as NSTimeZone) == json(zone))
    #expect(try archived(calendar(zone) as NSCalendar) == calendarJSON(zone))
  }

  @Test("formatters of dates are read back")
  func dateFormatters() throws {
    let zone = try #require(TimeZone(identifier: "GMT"))
    let internet = ISO8601DateFormatter()
    internet.formatOptions = [.withYear, .withMonth]
    internet.timeZone = zone
    #expect(
      try archived(internet)
        == #"{"class":"NSISO8601DateFormatter","formatOptions":3,"timeZone":\#(json(zone))}"#)
    let interval = DateIntervalFormatter()
    interval.locale = Locale(identifier: "de_AT")
    interval.timeZone = zone
    interval.calendar = calendar(zone)
    interval.dateStyle = .none
    interval.timeStyle = .none
    interval.dateTemplate = "yMd"
    // Foundation archives the formatter's calendar without its locale here.
    let calendarText = calendarJSON(zone, locale: "")
    #expect(
      try archived(interval)
        == #"{"calendar":\#(calendarText),"class":"NSDateIntervalFormatter","dateStyle":0,"#
        + #""dateTemplate":"yMd","dateTemplateFromStyles":"","isModified":true,"#
        + #""locale":{"class":"NSLocale","identifier":"de_AT"},"timeStyle":0,"#
        + #""timeZone":\#(json(zone)),"usesTemplate":true}"#)
  }

  @Test("formatters are read back")
  func formatters() throws {
    let count = ByteCountFormatter()
    count.allowedUnits = .useKB
    count.zeroPadsFractionDigits = true
    #expect(
      try archived(count)
        == #"{"allowedUnits":2,"class":"NSByteCountFormatter","zeroPadsFractionDigits":true}"#)
    #expect(
      try archived(NSDecimalNumberHandler.default)
        == #"{"class":"NSDecimalNumberHandler","raisesOnDivideByZero":true,"#
        + #""raisesOnOverflow":true,"raisesOnUnderflow":true}"#)
  }

  @Test("points, insets, ranges and transforms are read back")
  func values() throws {
    let transform = NSAffineTransform()
    transform.translateX(by: 2, yBy: 3)
    #expect(
      try archived(transform)
        == #"{"class":"NSAffineTransform","transform":{"a":1,"b":0,"c":0,"d":1,"tx":2,"ty":3}}"#)
    #expect(
      try archived(NSValue(point: NSPoint(x: 0.1, y: -2)))
        == #"{"class":"NSValue","point":{"x":0.1,"y":-2}}"#)
    #expect(
      try archived(NSValue(edgeInsets: NSEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)))
        == #"{"class":"NSValue","edgeInsets":{"bottom":3,"left":2,"right":4,"top":1}}"#)
    #expect(
      try archived(NSValue(range: NSRange(location: 1, length: 2)))
        == #"{"class":"NSValue","range":{"length":2,"location":1}}"#)
    #expect(
      try archived(NSValue(rect: NSRect(x: 1, y: 2, width: 3, height: 0.1)))
        == #"{"class":"NSValue","rect":{"height":0.1,"width":3,"x":1,"y":2}}"#)
  }

  @Test("results of searches are read back")
  func searchResults() throws {
    let expression = try NSRegularExpression(pattern: "a(b)")
    let result = try #require(
      expression.firstMatch(in: "xab", range: NSRange(location: 0, length: 3)))
    #expect(
      try archived(result)
        == #"{"class":"NSSimpleRegularExpressionCheckingResult","#
        + #""range":{"length":2,"location":1},"ranges":[{"length":2,"location":1},"#
        + #"{"length":1,"location":2}],"regularExpression":{"class":"NSRegularExpression","#
        + #""options":0,"pattern":"a(b)"}}"#)
  }
}
