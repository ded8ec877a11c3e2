import ArchiveReader
import ArchiveWriter
import Foundation
import Testing

@Suite("Objects of known classes that do not hold what such objects hold")
struct MisfitTests {
  private static let decimal: [KeyValue] = [
    KeyValue("NS.exponent", 0), KeyValue("NS.length", 1), KeyValue("NS.negative", false),
    KeyValue("NS.mantissa", .data(Data(count: 16))),
  ]

  /// A decimal number with one key replaced, or taken out with nil.
  private static func decimal(_ key: String, _ value: PropertyListValue?) -> ArchivedForm {
    ArchivedForm("a decimal whose \(key) is \(String(describing: value))", "NSDecimalNumber#1") {
      var pairs = decimal.filter { $0.key != key }
      if let value { pairs.append(KeyValue(key, value)) }
      return $0.instance(of: "NSDecimalNumber", pairs)
    }
  }

  static let values = [
    ArchivedForm("NSString#1", "NSString", [:]),
    ArchivedForm("NSString#1", "NSString", ["NS.string": 1]),
    ArchivedForm("NSMutableString#1", "NSMutableString", ["NS.string": "a", "extra": 1]),
    ArchivedForm("NSString#1", "NSString", ["extra": .none]),
    ArchivedForm("a text that is its own content", "NSString#1") {
      let slot = $0.reserve()
      return $0.fill(slot, className: "NSString", ["NS.string": slot.reference])
    },
    ArchivedForm("a text that holds a number", "NSString#3") {
      let number = $0.instance(of: "NSNumber", ["NS.number": 1])
      return $0.instance(of: "NSString", ["NS.string": number])
    },
    ArchivedForm("NSString#1", "NSString", ["NS.string": "a", "NS.bytes": .data(Data())]),
    ArchivedForm("NSString#1", "NSString", ["NS.bytes": .data(Data([0xC3]))]),
    ArchivedForm("NSString#1", "NSString", ["NS.string": .none]),
    ArchivedForm("a key that stands twice", "NSString#1") {
      $0.instance(of: "NSString", [KeyValue("NS.string", "a"), KeyValue("NS.string", "b")])
    },
    ArchivedForm("NSNumber#1", "NSNumber", ["NS.number": "7"]),
    ArchivedForm("NSNumber#1", "NSNumber", ["NS.value": 7]),
    ArchivedForm("NSData#1", "NSData", ["NS.data": "text"]),
    ArchivedForm("NSDate#1", "NSDate", ["NS.time": "noon"]),
    ArchivedForm("NSDate#1", "NSDate", ["NS.time": true]),
    ArchivedForm("NSDate#1", "NSDate", ["NS.time": 9_007_199_254_740_993]),
    ArchivedForm("NSUUID#1", "NSUUID", ["NS.uuidbytes": .data(Data([1, 2, 3]))]),
    ArchivedForm("NSUUID#1", "NSUUID", ["NS.uuidbytes": .data(Data(count: 17))]),
    ArchivedForm("NSNull#1", "NSNull", ["extra": 1]),
    ArchivedForm("NSURL#1", "NSURL", ["NS.relative": "a"]),
    ArchivedForm("NSURL#1", "NSURL", ["NS.relative": 1, "NS.base": .none]),
    ArchivedForm("NSURL#1", "NSURL", ["NS.relative": "a", "NS.base": "https://example.org"]),
    ArchivedForm("NSURL#1", "NSURL", ["NS.relative": "a", "NS.base": .none, "minor": 1]),
    ArchivedForm("a URL whose base is a text", "NSURL#3") {
      let base = $0.string("https://example.org")
      return $0.url("a", base: base)
    },
    ArchivedForm("a URL with a base that is only a path", "NSURL#5") {
      $0.url("c", base: $0.url("a/b", base: .none))
    },
    ArchivedForm("a URL with characters that others would replace", "NSURL#5") {
      $0.url("a b", base: $0.url("https://example.org/", base: .none))
    },
    ArchivedForm("a URL with such characters in its base", "NSURL#5") {
      $0.url("a", base: $0.url("https://example.org/é/", base: .none))
    },
    ArchivedForm("a URL that is its own base", "NSURL#1") {
      let slot = $0.reserve()
      return $0.fill(slot, className: "NSURL", ["NS.relative": "a", "NS.base": slot.reference])
    },
    ArchivedForm("a URL with more bases than the limit", "NSURL#66") { archive in
      // Each URL stands behind its base; the class record is the second entry.
      (0..<65).reduce(PropertyListValue.none) { base, _ in
        archive.instance(of: "NSURL", hierarchy: [], ["NS.relative": "a", "NS.base": base])
      }
    },
    decimal("NS.exponent", nil), decimal("NS.length", nil), decimal("NS.negative", nil),
    decimal("NS.mantissa", nil), decimal("NS.exponent", 0.5), decimal("NS.exponent", 128),
    decimal("NS.exponent", -129), decimal("NS.length", 9), decimal("NS.length", -1),
    decimal("NS.negative", 1), decimal("NS.mantissa", "text"),
    decimal("NS.mantissa", .data(Data(count: 17))), decimal("NS.mantissa", .data(Data(count: 18))),
    decimal("NS.mantissa", .data(Data(count: 3))), decimal("NS.mantissa.bo", "1"),
    decimal("NS.mantissa.bo", 3), decimal("NS.compact", "text"), decimal("NS.compact", 2),
    decimal("extra", 1),
  ]

  /// URLs that would lose something if they were their absolute text.
  static let urls = [
    ArchivedForm("a URL whose base has another key", "NSURL#4") {
      let base = $0.instance(
        of: "NSURL", ["NS.relative": "https://example.org", "NS.base": .none, "extra": 1])
      return $0.url("a", base: base)
    },
    ArchivedForm("a URL whose base is of an app's class", "NSURL#4") {
      let base = $0.instance(
        of: "AppURL", ["NS.relative": "https://example.org", "NS.base": .none])
      return $0.url("a", base: base)
    },
    ArchivedForm("a URL whose base has no class", "NSURL#3") {
      let base = $0.add(["NS.relative": "https://example.org", "NS.base": .none])
      return $0.url("a", base: base)
    },
    ArchivedForm("a URL with half a surrogate pair", "NSURL#1") {
      $0.instance(of: "NSURL", ["NS.relative": .utf16([0x61, 0xD83D]), "NS.base": .none])
    },
    ArchivedForm("a URL whose base has half a surrogate pair", "NSURL#4") {
      let base = $0.instance(
        of: "NSURL", ["NS.relative": .utf16([0x61, 0xD83D]), "NS.base": .none])
      return $0.url("a", base: base)
    },
  ]

  static let collections = [
    ArchivedForm("NSArray#1", "NSArray", ["NS.objects": "text"]),
    ArchivedForm("NSArray#1", "NSArray", ["NS.objects": [], "extra": 1]),
    ArchivedForm("NSArray#1", "NSArray", ["NS.objects": .set([])]),
    ArchivedForm("NSArray#1", "NSArray", ["NS.object.0": 1, "NS.object.2": 2]),
    ArchivedForm("NSArray#1", "NSArray", ["NS.object.1": 1]),
    ArchivedForm("NSArray#1", "NSArray", ["NS.object.00": 1]),
    ArchivedForm("NSArray#1", "NSArray", ["NS.object0": 1]),
    ArchivedForm("NSSet#1", "NSSet", ["NS.key.0": 1, "NS.object.0": 1]),
    ArchivedForm("NSOrderedSet#1", "NSOrderedSet", ["NS.objects": [], "NS.object.0": 1]),
    ArchivedForm("NSDictionary#1", "NSDictionary", ["NS.objects": []]),
    ArchivedForm("NSDictionary#1", "NSDictionary", ["NS.keys": ["a"], "NS.objects": []]),
    ArchivedForm("NSDictionary#1", "NSDictionary", ["NS.keys": [], "NS.objects": ["a"]]),
    ArchivedForm("NSDictionary#1", "NSDictionary", ["NS.keys": 1, "NS.objects": []]),
    ArchivedForm("NSDictionary#1", "NSDictionary", ["NS.key.0": "a"]),
    ArchivedForm(
      "NSDictionary#1", "NSDictionary",
      ["NS.key.0": "a", "NS.object.0": 1, "NS.key.1": "b", "NS.object.2": 2]),
    ArchivedForm("NSCountedSet#1", "NSCountedSet", ["NS.count": 1, "NS.object0": "a"]),
    ArchivedForm("NSCountedSet#1", "NSCountedSet", ["NS.objects": ["a"]]),
    ArchivedForm(
      "NSCountedSet#1", "NSCountedSet", ["NS.count": 2, "NS.object0": "a", "NS.count0": 1]),
    ArchivedForm(
      "NSCountedSet#1", "NSCountedSet", ["NS.count": "1", "NS.object0": "a", "NS.count0": 1]),
  ]

  @Test(
    "are reported and read as objects with keys of their own",
    arguments: values + urls + collections)
  func areReported(form: ArchivedForm) throws {
    let (text, reader) = try form.read()
    #expect(text == form.text)
    #expect(reader.misfitNames == [String(form.text.prefix { $0 != "#" })])
  }

  static let fits = [
    ArchivedForm("'a'", "NSString", ["NS.string": "a", "extra": .none]),
    ArchivedForm("7", "NSNumber", ["NS.number": 7, "extra": .none]),
    ArchivedForm("date 1.5", "NSDate", ["NS.time": 1.5, "NS.zone": .none]),
    ArchivedForm("NSNull", "NSNull", ["extra": .none]),
    ArchivedForm("url a", "NSURL", ["NS.relative": "a", "NS.base": .none, "minor": .none]),
    ArchivedForm("array('a')", "NSArray", ["NS.objects": ["a"], "extra": .none]),
    ArchivedForm(
      "array('a', nil)", "NSArray", ["NS.object.0": "a", "NS.object.1": .none, "x": .none]),
    ArchivedForm("set('a')", "NSSet", ["NS.objects": ["a"], "extra": .none]),
    ArchivedForm(
      "dictionary('a': 1)", "NSDictionary",
      ["NS.keys": ["a"], "NS.objects": [1], "extra": .none]),
    ArchivedForm("a URL whose text is a mutable string", "url a") {
      let inner = $0.instance(of: "NSString", ["NS.bytes": .data(Data("a".utf8))])
      let text = $0.instance(of: "NSMutableString", ["NS.string": inner, "extra": .none])
      return $0.instance(of: "NSURL", ["NS.base": .none, "NS.relative": text])
    },
    ArchivedForm("a date whose seconds are a number of its own", "date 1.5") {
      let seconds = $0.instance(of: "NSNumber", ["NS.number": 1.5])
      return $0.instance(of: "NSDate", ["NS.time": seconds])
    },
  ]

  @Test("are not those with nil under other keys, or with values in objects", arguments: fits)
  func areNone(form: ArchivedForm) throws {
    let (text, reader) = try form.read()
    #expect(text == form.text)
    #expect(reader.misfitNames == [])
  }

  @Test("keep all that they hold")
  func keepsTheKeys() throws {
    var builder = KeyedArchiveBuilder()
    builder.setTop(
      "root",
      builder.instance(of: "NSDictionary", ["NS.keys": ["a", "b"], "NS.objects": [1], "x": 2.5]))
    let reader = try KeyedArchive(bytes: builder.binary()).makeGraph(
      GraphOptions(readsFoundationValues: false))
    #expect(
      try reader.text(ofObject: 1)
        == "NSDictionary(NS.keys: array('a', 'b'), NS.objects: array(1), x: real 2.5)")
  }

  @Test("do not keep the others of their class from being read as values")
  func readsTheOthers() throws {
    var builder = KeyedArchiveBuilder()
    for (key, seconds) in [("a", 1.5), ("b", "noon"), ("c", 2)] as [(String, PropertyListValue)] {
      builder.setTop(key, builder.instance(of: "NSDate", ["NS.time": seconds]))
    }
    #expect(
      try KeyedArchive(bytes: builder.binary()).topTexts() == [
        "a: date 1.5", "b: NSDate#3", "c: date 2.0",
      ])
  }
}
