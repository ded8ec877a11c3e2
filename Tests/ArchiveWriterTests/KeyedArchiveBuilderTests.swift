import ArchiveWriter
import Foundation
import Testing

@Suite("The builder of keyed archives")
struct KeyedArchiveBuilderTests {
  @Test("makes Apple's frame")
  func makesTheFrame() {
    var archive = KeyedArchiveBuilder()
    let note = archive.instance(of: "Note", ["title": archive.string("Milk"), "rank": 3])
    archive.setTop("root", note)
    archive.setTop("count", 1)
    archive.archiver = "MSArchiver"
    let expected: PropertyListValue = [
      "$version": 100_000, "$archiver": "MSArchiver",
      "$top": ["root": .uid(2), "count": 1],
      "$objects": [
        "$null", "Milk", ["title": .uid(1), "rank": 3, "$class": .uid(3)],
        ["$classname": "Note", "$classes": ["Note", "NSObject"]],
      ],
    ]
    #expect(archive.propertyList() == expected)
  }

  @Test("escapes keys that begin with a dollar sign, but not positional ones")
  func escapesKeys() {
    var archive = KeyedArchiveBuilder()
    _ = archive.instance(of: "X", [KeyValue("$class", 1)], unkeyed: [2, 3])
    archive.setTop("$x", 4)
    #expect(archive.objects[1] == ["$$class": 1, "$0": 2, "$1": 3, "$class": .uid(2)])
    #expect(archive.top == [KeyValue("$$x", 4)])
  }

  @Test("makes cycles with reserved entries")
  func makesCycles() {
    var archive = KeyedArchiveBuilder()
    let folder = archive.reserve()
    let note = archive.instance(of: "Note", ["container": folder.reference])
    archive.fill(folder, className: "Folder", ["notes": archive.array([note])])
    #expect(archive.objects[2] == ["container": .uid(1), "$class": .uid(3)])
    #expect(archive.objects[1] == ["notes": .uid(4), "$class": .uid(6)])
    #expect(archive.objects[4] == ["NS.objects": [.uid(2)], "$class": .uid(5)])
  }

  @Test("writes class records and strings once, with the chains of Foundation")
  func sharesRecords() {
    var archive = KeyedArchiveBuilder()
    #expect(archive.string("a") == archive.string("a"))
    #expect(archive.add("a") != archive.add("a"))
    #expect(archive.mutableString("x") != archive.mutableString("x"))
    let record: PropertyListValue = [
      "$classname": "NSMutableString", "$classes": ["NSMutableString", "NSString", "NSObject"],
    ]
    #expect(archive.objects.filter { $0 == record }.count == 1)
  }

  @Test("fills numbered and counted collections")
  func fillsCollections() {
    var archive = KeyedArchiveBuilder()
    _ = archive.orderedSet(["a", 2])
    #expect(
      archive.objects[3] == ["NS.object.0": .uid(1), "NS.object.1": .uid(2), "$class": .uid(4)])
    _ = archive.countedSet([("a", 5)])
    #expect(
      archive.objects[5]
        == ["NS.count": 1, "NS.object0": .uid(1), "NS.count0": 5, "$class": .uid(6)])
  }

  @Test(
    "takes decimal numbers apart",
    arguments: [
      ("-12.30", [123], -1, true), ("0", [], 0, false), ("-0.00", [], 0, false),
      ("1e3", [1], 3, false), ("65536", [0, 1], 0, false), ("NaN", [], 0, true),
      ("340282366920938463463374607431768211455", Array(repeating: 65_535, count: 8), 0, false),
    ] as [(String, [UInt16], Int64, Bool)])
  func makesDecimals(text: String, words: [UInt16], exponent: Int64, isNegative: Bool) throws {
    var archive = KeyedArchiveBuilder()
    _ = try archive.decimal(text)
    let padded = words + Array(repeating: 0, count: 8 - words.count)
    let mantissa = Data(padded.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    #expect(
      archive.objects[1] == [
        "NS.mantissa": .data(mantissa), "NS.mantissa.bo": 1,
        "NS.length": .integer(Int64(words.count)), "NS.exponent": .integer(exponent),
        "NS.negative": .bool(isNegative), "NS.compact": true, "$class": .uid(2),
      ])
  }

  @Test(
    "refuses texts that are no decimal number",
    arguments: [
      "", "-", ".", "1,5", " 1", "1e", "1e999", "340282366920938463463374607431768211457",
    ])
  func refusesDecimals(text: String) {
    var archive = KeyedArchiveBuilder()
    #expect(throws: PropertyListWritingError.notADecimal(text)) { try archive.decimal(text) }
  }
}
