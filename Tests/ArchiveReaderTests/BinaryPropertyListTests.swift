import ArchiveReader
import ArchiveWriter
import Foundation
import Testing

@Suite("Binary property lists")
struct BinaryPropertyListTests {
  /// `{"a": ["a", 7]}`, byte by byte.
  static let sound: [UInt8] = [
    0x62, 0x70, 0x6C, 0x69, 0x73, 0x74, 0x30, 0x30,  // 0: "bplist00"
    0xD1, 0x01, 0x02,  // 8: a dictionary from object 1 to object 2
    0x51, 0x61,  // 11: "a"
    0xA2, 0x01, 0x03,  // 13: an array of the objects 1 and 3
    0x10, 0x07,  // 16: 7
    0x08, 0x0B, 0x0D, 0x10,  // 18: the offset table
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00,  // 22: unused, and the sort version
    0x01,  // 28: the offset size
    0x01,  // 29: the reference size
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04,  // 30: the number of objects
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,  // 38: the top object
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x12,  // 46: the position of the offset table
  ]

  /// A list whose top object is written out byte by byte, with others behind it.
  static func list(_ objects: [UInt8]...) -> Data {
    var table = BinaryPropertyListWriter.ObjectTable()
    for object in objects { table.add(.raw(Data(object))) }
    return table.data()
  }

  @Test("are read in place")
  func readsTheSoundList() throws {
    let list = try PropertyList(bytes: Self.sound)
    #expect(list.content == ["a": ["a", 7]])
    #expect(list.format == .binary)
    #expect(list.byteCount == 54)
    #expect(list.forbiddenCharacters == 0)
  }

  @Test(
    "read a dictionary of the one key CF$UID as a UID, as in XML",
    arguments: [
      (["CF$UID": 7], .uid(7)), (["CF$UID": 4_294_967_295], .uid(.max)),
      (["a": ["CF$UID": 1]], ["a": .uid(1)]),
      (["CF$UID": 4_294_967_296], ["CF$UID": 4_294_967_296]), (["CF$UID": -1], ["CF$UID": -1]),
      (["CF$UID": "1"], ["CF$UID": "1"]), (["CF$UID": 1.0], ["CF$UID": 1.0]),
      (["CF$UID": .uid(1)], ["CF$UID": .uid(1)]), (["CF$UIDs": 1], ["CF$UIDs": 1]),
      (["CF$UID": 1, "a": 2], ["CF$UID": 1, "a": 2]), (["UID": 1], ["UID": 1]),
    ] as [(PropertyListValue, PropertyListValue)])
  func readsDictionariesAsUIDs(list: PropertyListValue, content: PropertyListValue) throws {
    let bytes = BinaryPropertyListWriter().data(for: list)
    #expect(try PropertyList(bytes: bytes).content == content)
  }

  @Test(
    "hold integers of every width: up to 4 bytes unsigned, from 8 bytes on signed",
    arguments: [
      ([0x10, 0x00], 0), ([0x10, 0x7F], 127), ([0x10, 0xFF], 255),
      ([0x11, 0x00, 0x01], 1), ([0x11, 0xFF, 0xFF], 65_535),
      ([0x12, 0x00, 0x00, 0x00, 0x01], 1), ([0x12, 0xFF, 0xFF, 0xFF, 0xFF], 4_294_967_295),
      ([0x13, 0, 0, 0, 1, 0, 0, 0, 0], 4_294_967_296),
      ([0x13] + Array(repeating: 0xFF, count: 8), -1),
      ([0x13, 0x80, 0, 0, 0, 0, 0, 0, 0], .integer(.min)),
      ([0x13, 0x7F] + Array(repeating: 0xFF, count: 7), .integer(.max)),
      ([0x14] + Array(repeating: 0, count: 15) + [0x05], 5),
      ([0x14] + Array(repeating: 0xFF, count: 16), -1),
      ([0x14] + Array(repeating: 0, count: 8) + Array(repeating: 0xFF, count: 8), .unsigned(.max)),
      (
        [0x14] + Array(repeating: 0, count: 7) + [0x01] + Array(repeating: 0, count: 8),
        "wide 18446744073709551616"
      ),
      (
        [0x14, 0x80] + Array(repeating: 0, count: 15),
        "wide -170141183460469231731687303715884105728"
      ),
      (
        [0x14] + Array(repeating: 0xFF, count: 8) + [0x7F] + Array(repeating: 0xFF, count: 7),
        "wide -9223372036854775809"
      ),
    ] as [([UInt8], PropertyListValue)])
  func readsIntegers(object: [UInt8], value: PropertyListValue) throws {
    #expect(try PropertyList(bytes: Self.list(object)).content == value)
  }

  @Test(
    "hold reals of 4 and 8 bytes and dates, bit by bit",
    arguments: [
      ([0x22, 0x3F, 0xC0, 0, 0], 1.5), ([0x22, 0x3D, 0xCC, 0xCC, 0xCD], Double(Float(0.1))),
      ([0x22, 0x80, 0, 0, 0], -0.0), ([0x22, 0x7F, 0x80, 0, 0], .infinity),
      ([0x22, 0x7F, 0xC0, 0, 0], .nan),
      ([0x23, 0x3F, 0xB9, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9A], 0.1),
      ([0x23, 0x80, 0, 0, 0, 0, 0, 0, 0], -0.0),
      ([0x23, 0xFF, 0xF0, 0, 0, 0, 0, 0, 0], -.infinity),
      ([0x23, 0x7F, 0xF8, 0, 0, 0, 0, 0, 0], .nan),
      ([0x23, 0, 0, 0, 0, 0, 0, 0, 1], .leastNonzeroMagnitude),
      ([0x33, 0x41, 0xB3, 0x78, 0x9F, 0xF0, 0, 0, 0], 326_672_368),
      ([0x33, 0xBF, 0xD0, 0, 0, 0, 0, 0, 0], -0.25),
    ] as [([UInt8], Double)])
  func readsRealsAndDates(object: [UInt8], value: Double) throws {
    let double = try #require(try PropertyList(bytes: Self.list(object)).double)
    #expect(double.bitPattern == value.bitPattern)
  }

  @Test(
    "hold every other kind of object",
    arguments: [
      ([0x00], .null), ([0x0F], .null), ([0x08], false), ([0x09], true),
      ([0x40], .data(Data())), ([0x43, 1, 2, 3], .data(Data([1, 2, 3]))),
      ([0x4F, 0x10, 0x0F] + Array(0..<15), .data(Data(0..<15))),
      ([0x4F, 0x13, 0, 0, 0, 0, 0, 0, 0, 0x02, 0xA, 0xB], .data(Data([0xA, 0xB]))),
      ([0x50], ""), ([0x53, 0x61, 0x00, 0x7F], "a\0\u{7F}"),
      ([0x5F, 0x11, 0x00, 0x10] + Array(repeating: 0x61, count: 16), "aaaaaaaaaaaaaaaa"),
      ([0x60], ""), ([0x62, 0x00, 0xE9, 0x4E, 0x2D], "é中"), ([0x62, 0xD8, 0x3D, 0xDE, 0x00], "😀"),
      ([0x61, 0xD8, 0x3D], .utf16([0xD83D])),
      ([0x62, 0xDE, 0x00, 0x00, 0x61], .utf16([0xDE00, 0x61])),
      ([0x61, 0xFE, 0xFF], "\u{FEFF}"), ([0x6F, 0x10, 0x01, 0x00, 0x41], "A"),
      ([0x80, 0x05], .uid(5)), ([0x81, 0x01, 0x00], .uid(256)),
      ([0x82, 0x01, 0x00, 0x00], .uid(65_536)),
      ([0x83, 0xFF, 0xFF, 0xFF, 0xFF], .uid(.max)),
      ([0x87, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF], .uid(.max)),
      ([0x8F] + Array(repeating: 0, count: 15) + [0x07], .uid(7)),
      ([0xA0], []), ([0xB0], .set([])), ([0xC0], .set([])), ([0xD0], [:]),
    ] as [([UInt8], PropertyListValue)])
  func readsOtherKinds(object: [UInt8], value: PropertyListValue) throws {
    #expect(try PropertyList(bytes: Self.list(object)).content == value)
  }

  @Test("hold collections whose elements are shared")
  func readsSharedElements() throws {
    let list = Self.list([0xA3, 0x01, 0x02, 0x01], [0x51, 0x61], [0xC2, 0x01, 0x03], [0x09])
    #expect(try PropertyList(bytes: list).content == ["a", .set(["a", true]), "a"])
  }

  @Test(
    "are read with offsets and references of every size", arguments: 1...8, 1...8)
  func readsEverySize(offsetSize: Int, referenceSize: Int) throws {
    let value: PropertyListValue = [
      "none": [], "some": [1, -1, 2.5, "é", .uid(3)], "set": .set([true]), "data": .data(Data([0])),
    ]
    let writer = BinaryPropertyListWriter(
      minimumOffsetSize: offsetSize, minimumReferenceSize: referenceSize)
    let bytes = writer.data(for: value)
    #expect(bytes[bytes.count - 26] == offsetSize)
    #expect(bytes[bytes.count - 25] == referenceSize)
    #expect(try PropertyList(bytes: bytes).content == value)
  }

  @Test("may start with any object and leave others unused")
  func readsAnyTopObject() throws {
    var table = BinaryPropertyListWriter.ObjectTable()
    for object: BinaryPropertyListWriter.ObjectTable.Object in [
      .value("unused"), .array([2, 2]), .value(7),
    ] {
      table.add(object)
    }
    #expect(try PropertyList(bytes: table.data(top: 1)).content == [7, 7])
    #expect(try PropertyList(bytes: table.data(top: 2)).content == 7)
  }
}
