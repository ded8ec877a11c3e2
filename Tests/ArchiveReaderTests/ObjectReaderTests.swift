import ArchiveReader
import ArchiveWriter
import Foundation
import Testing

@Suite("Archived values")
struct ObjectReaderTests {
  private static let uuidBytes = Data([
    0x6B, 0xA7, 0xB8, 0x10, 0x9D, 0xAD, 0x11, 0xD1, 0x80, 0xB4, 0x00, 0xC0, 0x4F, 0xD4, 0x30, 0xC8,
  ])

  static let plain = [
    ArchivedForm("an entry that is a text", "'text'") { $0.string("text") },
    ArchivedForm("an entry that is a number", "7") { $0.number(7) },
    ArchivedForm("an entry that is a real", "real 0.5") { $0.number(0.5) },
    ArchivedForm("an entry that is a boolean", "true") { $0.number(true) },
    ArchivedForm("an entry that is data", "<0aff>") { $0.data(Data([0x0A, 0xFF])) },
    ArchivedForm("an entry that is a date", "date -0.5") { $0.add(.date(-0.5)) },
    ArchivedForm("an entry that is a wide integer", "wide 18446744073709551615") {
      $0.add(.unsigned(.max))
    },
    ArchivedForm("an entry that is null", "nil") { $0.add(.null) },
    ArchivedForm("a value in its place", "'inline'") { _ in "inline" },
    ArchivedForm("the entry for nil", "nil") { _ in .none },
    ArchivedForm("another entry for nil", "nil") { $0.add("$null") },
    ArchivedForm("a text that only begins like nil", "'$null '") { $0.add("$null ") },
    ArchivedForm("a class", "class Note") { $0.classRecord("Note") },
    ArchivedForm("a reference to a reference", "'text'") { $0.add($0.add($0.string("text"))) },
    ArchivedForm("a reference to a reference to nil", "nil") { $0.add($0.add(.none)) },
    ArchivedForm("an object", "Note#1") { $0.instance(of: "Note", ["a": 1]) },
    ArchivedForm("an object without keys", "Note#1") { $0.instance(of: "Note") },
    ArchivedForm("an object of an unknown subclass", "MyDate#1") {
      $0.instance(of: "MyDate", hierarchy: ["MyDate", "NSDate", "NSObject"], ["NS.time": 1.0])
    },
  ]

  static let strings = [
    ArchivedForm("'a'", "NSString", ["NS.string": "a"]),
    ArchivedForm("'é😀'", "NSMutableString", ["NS.string": "é😀"]),
    ArchivedForm("'$null'", "NSMutableString", ["NS.string": "$null"]),
    ArchivedForm("'é'", "NSMutableString", ["NS.bytes": .data(Data([0xC3, 0xA9]))]),
    ArchivedForm("''", "NSString", ["NS.bytes": .data(Data())]),
    ArchivedForm("a string by reference", "'apart'") {
      $0.instance(of: "NSMutableString", ["NS.string": $0.string("apart")])
    },
  ]

  static let numbers = [
    ArchivedForm("7", "NSNumber", ["NS.number": 7]),
    ArchivedForm("true", "NSNumber", ["NS.boolval": true]),
    ArchivedForm("-7", "NSNumber", ["NS.intval": -7]),
    ArchivedForm("real 0.5", "NSNumber", ["NS.dblval": 0.5]),
    ArchivedForm("wide 18446744073709551615", "NSNumber", ["NS.number": .unsigned(.max)]),
    ArchivedForm("a number by reference", "7") {
      $0.instance(of: "NSNumber", ["NS.number": $0.number(7)])
    },
  ]

  static let others = [
    ArchivedForm("<0102>", "NSData", ["NS.data": .data(Data([1, 2]))]),
    ArchivedForm("<0102>", "NSMutableData", ["NS.bytes": .data(Data([1, 2]))]),
    ArchivedForm("data by reference", "<03>") {
      $0.instance(of: "NSMutableData", ["NS.data": $0.data(Data([3]))])
    },
    ArchivedForm("date 326671920.25", "NSDate", ["NS.time": 326_671_920.25]),
    ArchivedForm("date -1.0", "NSDate", ["NS.time": -1]),
    ArchivedForm("date 2.0", "NSDate", ["NS.time": .date(2)]),
    ArchivedForm("date nan", "NSDate", ["NS.time": .real(.nan)]),
    ArchivedForm(
      "6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "NSUUID", ["NS.uuidbytes": .data(uuidBytes)]),
    ArchivedForm("NSNull", "NSNull", [:]),
    ArchivedForm("a URL", "url https://example.org/a b") { $0.url("https://example.org/a b") },
    ArchivedForm("a URL with a base", "url https://example.org/a/b?c#d") {
      $0.url("b?c#d", base: $0.url("https://example.org/a/x"))
    },
    ArchivedForm("a URL with bases", "url https://example.org/b/c") {
      $0.url("c", base: $0.url("/b/", base: $0.url("https://example.org/a/")))
    },
    ArchivedForm("a URL whose text is a wrapped string in its place", "url mailto:a") {
      $0.instance(of: "NSURL", ["NS.relative": "mailto:a", "NS.base": .none])
    },
  ]

  @Test("are read in every form", arguments: plain + strings + numbers + others)
  func reads(form: ArchivedForm) throws {
    let (text, reader) = try form.read()
    #expect(text == form.text)
    #expect(reader.misfitNames == [])
  }

  /// A decimal number as it is archived, some of its keys replaced.
  private static func decimal(
    _ text: String, _ mantissa: [UInt8], length: Int64 = 8, exponent: Int64 = 0,
    isNegative: Bool = false, order: PropertyListValue? = 1, className: String = "NSDecimalNumber"
  ) -> ArchivedForm {
    ArchivedForm("a decimal of \(mantissa.count) bytes, \(text)", text) {
      var pairs: [KeyValue] = [
        KeyValue("NS.exponent", .integer(exponent)), KeyValue("NS.length", .integer(length)),
        KeyValue("NS.negative", .bool(isNegative)), KeyValue("NS.compact", true),
        KeyValue("NS.mantissa", .data(Data(mantissa))),
      ]
      if let order { pairs.append(KeyValue("NS.mantissa.bo", order)) }
      return $0.instance(of: className, pairs)
    }
  }

  private static func padded(_ bytes: UInt8...) -> [UInt8] {
    bytes + Array(repeating: 0, count: 16 - bytes.count)
  }

  @Test(
    "are read from decimal numbers, whatever wrote them",
    arguments: [
      ArchivedForm("the usual form", "decimal -12.3") { try $0.decimal("-12.30") },
      ArchivedForm("NaN", "decimal NaN") { try $0.decimal("NaN") },
      ArchivedForm("zero", "decimal 0") { try $0.decimal("0") },
      ArchivedForm("38 digits", "decimal 0.\(String(repeating: "9", count: 38))") {
        try $0.decimal("0.\(String(repeating: "9", count: 38))")
      },
      decimal("decimal 258", padded(2, 1), length: 1),
      decimal("decimal 513", padded(2, 1), length: 1, order: 2),
      decimal("decimal 258", padded(2, 1), length: 1, order: nil),
      decimal("decimal 25800", padded(2, 1), length: 1, exponent: 2),
      decimal("decimal -0.000258", padded(2, 1), length: 1, exponent: -6, isNegative: true),
      decimal("decimal 2", padded(2, 0, 1, 0), length: 1),
      decimal("decimal 65538", padded(2, 0, 1, 0), length: 2),
      decimal("decimal 258", [2, 1]), decimal("decimal 0", []),
      decimal("decimal NaN", [], length: 0, isNegative: true),
      decimal(
        "decimal 340282366920938463463374607431768211455", Array(repeating: 255, count: 16)),
    ])
  func readsDecimals(form: ArchivedForm) throws {
    let (text, reader) = try form.read()
    #expect(text == form.text)
    #expect(reader.misfitNames == [])
  }

  @Test("of hundreds of classes and shapes are kept apart")
  func readsManyShapes() throws {
    var builder = KeyedArchiveBuilder()
    for number in 0..<600 {
      let pairs = [KeyValue("a", .integer(Int64(number))), KeyValue("b\(number % 300)", true)]
      builder.setTop("\(number)", builder.instance(of: "C\(number % 200)", pairs))
    }
    let archive = try KeyedArchive(bytes: builder.binary())
    let reader = archive.makeGraph(GraphOptions(readsFoundationValues: false))
    var shapes: Set<Int> = []
    for (number, entry) in archive.roots.enumerated() {
      guard case .object(let uid, _) = try reader.value(of: entry) else {
        Issue.record("\(number) is no object")
        continue
      }
      shapes.insert(try reader.object(uid).shape)
      #expect(
        try reader.text(ofObject: uid) == "C\(number % 200)(a: \(number), b\(number % 300): true)")
    }
    #expect(reader.classes.count == 200)
    #expect(shapes.count == 300)
  }

  @Test("with unpaired surrogates are read with a replacement")
  func readsLoneSurrogates() throws {
    let form = ArchivedForm("a lone surrogate", "'a\u{FFFD}'") {
      $0.instance(of: "NSMutableString", ["NS.string": .utf16([0x61, 0xD83D])])
    }
    #expect(try form.read().text == form.text)
  }

  @Test("are noted as they are read, so that what was never reached can be counted")
  func countsUnreachedEntries() throws {
    var builder = KeyedArchiveBuilder()
    builder.setTop("root", builder.array(["a", "b"]))
    _ = builder.instance(of: "Lost", ["a": builder.string("lost")])
    let archive = try KeyedArchive(bytes: builder.binary())
    let reader = archive.makeGraph(GraphOptions(countsUnreached: true))
    let other = archive.makeGraph(GraphOptions())
    let root = try #require(archive.roots.first)
    #expect(try reader.text(of: try reader.value(of: root)) == "array('a', 'b')")
    // The lost object and its text; class records are left out.
    #expect(reader.countUnreachedObjects() == 2)
    #expect(other.countUnreachedObjects() == 0, "one that does not count")
  }
}
