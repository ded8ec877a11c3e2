import ArchiveReader
import Foundation
import TestSupport
import Testing

/// The values are those that swift-corelibs-foundation's tests expect of the same files.
@Suite(
  "The fixtures of swift-corelibs-foundation",
  .enabled(if: Repository.corpus != nil, "there is no folder of real archives"))
struct CorelibsFixtureTests {
  static let fixtures: [(file: String, text: String)] = [
    (
      "keyed-binary/archive-corelibs-bytecountformatter-allfieldsset.archive",
      #"{"allowedUnits":3,"avoidsAdaptiveFormatting":true,"avoidsNonnumericFormatting":tru"#
        + #"e,"class":"NSByteCountFormatter","countStyle":2,"formattingContext":4,"omitsCount""#
        + #":true,"omitsUnit":true,"zeroPadsFractionDigits":true}"#
    ),
    (
      "keyed-binary/archive-corelibs-dateintervalformatter-valuessetwithtemplate.archive",
      #"{"calendar":{"class":"NSCalendar","firstWeekday":1,"gregorianStart":"1582-10-15T00"#
        + #":00:00.000Z","identifier":"gregorian","locale":{"class":"NSLocale","identifier":"ja-JP"#
        + #""},"minimumDaysInFirstWeek":1,"timeZone":{"class":"NSTimeZone","data":"VFppZjIAAAA"#
        + #"AAAAAAAAAAAAAAAAAAAABAAAAAQAAAAAAAAAAAAAAAQAAAAQAAAAAAABHTVQAAABUWmlmMgAAAAAAAAAAA"#
        + #"AAAAAAAAAAAAAEAAAABAAAAAAAAAAAAAAABAAAABAAAAAAAAEdNVAAAAApHTVQwCg==","name":"GMT"}"#
        + #"},"class":"NSDateIntervalFormatter","dateStyle":1,"dateTemplate":"dd mm yyyy HH:MM"#
        + #"","dateTemplateFromStyles":"y/MM/dd H:mm","isModified":true,"locale":{"class":"NSL"#
        + #"ocale","identifier":"ja-JP"},"timeStyle":1,"timeZone":{"class":"NSTimeZone","name""#
        + #":"GMT+0100"},"usesTemplate":true}"#
    ),
    (
      "keyed-binary/archive-corelibs-iso8601dateformatter-optionsset.archive",
      #"{"class":"NSISO8601DateFormatter","formatOptions":1366,"timeZone":{"class":"NSTime"#
        + #"Zone","data":"VFppZjIAAAAAAAAAAAAAAAAAAAAAAAABAAAAAQAAAAAAAAAAAAAAAQAAAAQAAAAAAABH"#
        + #"TVQAAABUWmlmMgAAAAAAAAAAAAAAAAAAAAAAAAEAAAABAAAAAAAAAAAAAAABAAAABAAAAAAAAEdNVAAAAA"#
        + #"pHTVQwCg==","name":"GMT"}}"#
    ),
    (
      "keyed-binary/archive-corelibs-nsattributedstring.archive",
      #"{"class":"NSAttributedString","runs":[{"attributes":{},"length":1,"location":0},{""#
        + #"attributes":{"Font":"Helvetica","Size":123},"length":1,"location":1},{"attributes""#
        + #":{"Font":"Times","Size":456},"length":4,"location":2},{"attributes":{"Font":"Helve"#
        + #"tica","Size":123},"length":2,"location":6},{"attributes":{"Font":"Times","Size":45"#
        + #"6},"length":1,"location":8},{"attributes":{},"length":1,"location":9}],"text":"012"#
        + #"3456789"}"#
    ),
    (
      "keyed-binary/archive-corelibs-nscountedset-numbersappearingseveraltimes.archive",
      #"countedSet(3: 5, 2: 5, 5: 5, 1: 5, 4: 5)"#
    ),
    (
      "keyed-binary/archive-corelibs-nsindexpath-manyindices.archive",
      #"{"class":"NSIndexPath","indexes":[4,8,15,16,23,42]}"#
    ),
    (
      "keyed-binary/archive-corelibs-nsindexset-manyranges.archive",
      #"{"class":"NSIndexSet","ranges":[{"length":50,"location":0},{"length":50,"location""#
        + #":100},{"length":50,"location":1000},{"length":50,"location":9223372036854775757}]}"#
    ),
    (
      "keyed-binary/archive-corelibs-nsmeasurement-angle.archive",
      #"{"class":"NSMeasurement","unit":{"class":"NSUnitAngle","converter":{"class":"NSUni"#
        + #"tConverterLinear","coefficient":1,"constant":0},"specifier":256,"symbol":"°"},"val"#
        + #"ue":90}"#
    ),
    (
      "keyed-binary/archive-corelibs-nsmeasurement-frequency.archive",
      #"{"class":"NSMeasurement","unit":{"class":"NSUnitFrequency","converter":{"class":"N"#
        + #"SUnitConverterLinear","coefficient":1000000,"constant":0},"specifier":4098,"symbol"#
        + #"":"MHz"},"value":1400}"#
    ),
    (
      "keyed-binary/archive-corelibs-nsmeasurement-length.archive",
      #"{"class":"NSMeasurement","unit":{"class":"NSUnitLength","converter":{"class":"NSUn"#
        + #"itConverterLinear","coefficient":1609.34,"constant":0},"specifier":1287,"symbol":""#
        + #"mi"},"value":45}"#
    ),
    (
      "keyed-binary/archive-corelibs-nsmeasurement-zero.archive",
      #"{"class":"NSMeasurement","unit":{"class":"NSUnit","symbol":""},"value":0}"#
    ),
    (
      "keyed-binary/archive-corelibs-nsmutableattributedstring.archive",
      #"{"class":"NSMutableAttributedString","runs":[{"attributes":{},"length":1,"location"#
        + #"":0},{"attributes":{"Font":"Helvetica","Size":123},"length":1,"location":1},{"attr"#
        + #"ibutes":{"Font":"Times","Size":456},"length":4,"location":2},{"attributes":{"Font""#
        + #":"Helvetica","Size":123},"length":2,"location":6},{"attributes":{"Font":"Times","S"#
        + #"ize":456},"length":1,"location":8},{"attributes":{},"length":1,"location":9}],"tex"#
        + #"t":"0123456789"}"#
    ),
    (
      "keyed-binary/archive-corelibs-nsmutableindexset-manyranges.archive",
      #"{"class":"NSMutableIndexSet","ranges":[{"length":50,"location":0},{"length":50,"lo"#
        + #"cation":100},{"length":50,"location":1000},{"length":50,"location":922337203685477"#
        + #"5757}]}"#
    ),
    (
      "keyed-binary/archive-corelibs-nsmutableorderedset-numbers.archive",
      #"orderedSet(1, 2, 3, 4, 5)"#
    ),
    (
      "keyed-binary/archive-corelibs-nsmutableset-numbers.archive",
      #"set(3, 2, 5, 1, 4)"#
    ),
    (
      "keyed-binary/archive-corelibs-nsorderedset-numbers.archive",
      #"orderedSet(1, 2, 3, 4, 5)"#
    ),
    (
      "keyed-binary/archive-corelibs-nsset-empty.archive",
      #"set()"#
    ),
    (
      "keyed-binary/archive-corelibs-nstextcheckingresult-complexregex.archive",
      #"{"class":"NSComplexRegularExpressionCheckingResult","range":{"length":9,"location""#
        + #":0},"ranges":[{"length":9,"location":0},{"length":8,"location":1},{"length":7,"loc"#
        + #"ation":2},{"length":6,"location":3},{"length":5,"location":4},{"length":4,"locatio"#
        + #"n":5},{"length":3,"location":6},{"length":2,"location":7},{"length":1,"location":8"#
        + #"}],"regularExpression":{"class":"NSRegularExpression","options":0,"pattern":"a(a(a"#
        + #"(a(a(a(a(a(a))))))))"}}"#
    ),
    (
      "keyed-binary/archive-corelibs-nstextcheckingresult-extendedregex.archive",
      #"{"class":"NSExtendedRegularExpressionCheckingResult","range":{"length":6,"location"#
        + #"":0},"ranges":[{"length":6,"location":0},{"length":5,"location":1},{"length":4,"lo"#
        + #"cation":2},{"length":3,"location":3},{"length":2,"location":4},{"length":1,"locati"#
        + #"on":5}],"regularExpression":{"class":"NSRegularExpression","options":0,"pattern":""#
        + #"a(a(a(a(a(a)))))"}}"#
    ),
    (
      "keyed-binary/archive-corelibs-nstextcheckingresult-simpleregex.archive",
      #"{"class":"NSSimpleRegularExpressionCheckingResult","range":{"length":3,"location":"#
        + #"0},"ranges":[{"length":3,"location":0}],"regularExpression":{"class":"NSRegularExp"#
        + #"ression","options":0,"pattern":"aaa"}}"#
    ),
    (
      "keyed-binary/corelibs-nskeyedunarchiver-complextest.plist",
      #"dictionary('array': array(NSNull, 'hello', 34545, dictionary('key': 'val')), 'stri"#
        + #"ng': 'hello', 'url': url https://www.swift.org/index.xml, 'uuid': 71DC068E-3420-45"#
        + #"FF-919E-3A267D55EC22)"#
    ),
    (
      "keyed-xml/corelibs-nskeyedunarchiver-arraytest.plist",
      #"array('baa', 'baa', 'black', 'sheep')"#
    ),
    (
      "keyed-xml/corelibs-nskeyedunarchiver-concretevaluetest.plist",
      #"{"class":"NSValue","type":"[3i]","values":[{"class":"_NSKeyedCoderOldStyleArray",""#
        + #"elements":[1,2,3],"size":4,"type":"i"}]}"#
    ),
    (
      "keyed-xml/corelibs-nskeyedunarchiver-edgeinsetstest.plist",
      #"{"class":"NSValue","edgeInsets":{"bottom":3,"left":2,"right":4,"top":1}}"#
    ),
    (
      "keyed-xml/corelibs-nskeyedunarchiver-notificationtest.plist",
      #"{"class":"NSNotification","name":"notification-name","object":"notification-object"#
        + #"","userInfo":{"notification-key":"notification-val"}}"#
    ),
    (
      "keyed-xml/corelibs-nskeyedunarchiver-orderedsettest.plist",
      #"orderedSet('valgeir', 'nico', 'puzzle')"#
    ),
    (
      "keyed-xml/corelibs-nskeyedunarchiver-rangetest.plist",
      #"{"class":"NSValue","range":{"length":98345,"location":97345}}"#
    ),
    (
      "keyed-xml/corelibs-nskeyedunarchiver-recttest.plist",
      #"{"class":"NSValue","rect":{"height":300,"width":200,"x":400,"y":300}}"#
    ),
    (
      "keyed-xml/corelibs-nskeyedunarchiver-urltest.plist",
      #"url https://www.example.com/foo.xml"#
    ),
    (
      "keyed-xml/corelibs-nskeyedunarchiver-uuidtest.plist",
      #"0AD863BA-7584-40CF-8896-BD87B3280C34"#
    ),
  ]

  @Test("are read as the values that they were made from", arguments: fixtures)
  func areRead(file: String, text: String) throws {
    let corpus = try #require(Repository.corpus)
    let archive = try KeyedArchive(contentsOf: "\(corpus)/\(file)")
    let reader = archive.makeGraph(GraphOptions())
    let root = try #require(archive.roots.first)
    #expect(try reader.text(of: try reader.value(of: root)) == text)
  }

  @Test("are all in the table")
  func areComplete() throws {
    let names = ["keyed-binary", "keyed-xml"].flatMap { folder in
      Repository.corpusFiles(in: folder).map {
        "\(folder)/\(URL(fileURLWithPath: $0).lastPathComponent)"
      }.filter { $0.contains("/archive-corelibs-") || $0.contains("/corelibs-") }
    }
    #expect(Self.fixtures.map(\.file) == names)
  }
}
