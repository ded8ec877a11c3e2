import ArchiveWriter
import Foundation
import Testing

@Suite("The binary writer")
struct BinaryPropertyListWriterTests {
  @Test("writes header, objects, offsets and trailer of a tiny list byte by byte")
  func pinsATinyList() {
    let list: PropertyListValue = ["a": 1, "b": ["a", true]]
    let expected: [UInt8] =
      Array("bplist00".utf8) + [
        0xD2, 1, 2, 3, 4,  // 8: the dictionary
        0x51, 0x61, 0x51, 0x62,  // 13, 15: "a", "b"
        0x10, 0x01,  // 17: 1
        0xA2, 1, 5,  // 19: the array, which refers to the same "a"
        0x09,  // 22: true
        8, 13, 15, 17, 19, 22,
        0, 0, 0, 0, 0, 0, 1, 1,
        0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 23,
      ]
    #expect(Array(BinaryPropertyListWriter().data(for: list)) == expected)
  }

  @Test(
    "writes each kind of leaf with its marker",
    arguments: [
      (.null, [0x00]), (false, [0x08]), (255, [0x10, 0xFF]), (256, [0x11, 1, 0]),
      (65_536, [0x12, 0, 1, 0, 0]), (4_294_967_296, [0x13, 0, 0, 0, 1, 0, 0, 0, 0]),
      (-1, [0x13, 255, 255, 255, 255, 255, 255, 255, 255]), (.unsigned(7), [0x10, 7]),
      (.unsigned(.max), [0x14, 0, 0, 0, 0, 0, 0, 0, 0] + Array(repeating: 255, count: 8)),
      (.float(1), [0x22, 0x3F, 0x80, 0, 0]), (1.0, [0x23, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0]),
      (.date(-1), [0x33, 0xBF, 0xF0, 0, 0, 0, 0, 0, 0]), (.data(Data([1, 2])), [0x42, 1, 2]),
      (.data(Data(repeating: 9, count: 15)), [0x4F, 0x10, 15] + Array(repeating: 9, count: 15)),
      ("", [0x50]), ("é", [0x61, 0, 0xE9]), ("😀", [0x62, 0xD8, 0x3D, 0xDE, 0]),
      (.utf16([0xD800]), [0x61, 0xD8, 0]), (.uid(0), [0x80, 0]), (.uid(256), [0x81, 1, 0]),
      (.uid(65_536), [0x83, 0, 1, 0, 0]), ([], [0xA0]), (.set([]), [0xC0]), ([:], [0xD0]),
    ] as [(PropertyListValue, [UInt8])])
  func writesLeaves(value: PropertyListValue, bytes: [UInt8]) {
    let written = BinaryPropertyListWriter().data(for: value)
    #expect(Array(written[8..<(8 + bytes.count)]) == bytes)
    #expect(written.count == 8 + bytes.count + 1 + 32)
  }

  @Test(
    "writes offsets and references of every size so that Foundation reads them",
    arguments: [1, 2, 4, 8], [1, 2, 4, 8])
  func forcesSizes(offsetSize: Int, referenceSize: Int) throws {
    let writer = BinaryPropertyListWriter(
      minimumOffsetSize: offsetSize, minimumReferenceSize: referenceSize)
    let bytes = writer.data(for: ["x": ["y", 2]])
    #expect(Array(bytes.suffix(26).prefix(2)) == [UInt8(offsetSize), UInt8(referenceSize)])
    let read = try PropertyListSerialization.propertyList(from: bytes, format: nil)
    #expect(read as? NSDictionary == ["x": ["y", 2] as NSArray])
  }

  @Test("writes the sizes that no power of two is", arguments: [3, 5, 6, 7])
  func forcesOddSizes(size: Int) {
    let writer = BinaryPropertyListWriter(minimumOffsetSize: size, minimumReferenceSize: size)
    let bytes = writer.data(for: [true])
    let zeros = [UInt8](repeating: 0, count: size - 1)
    #expect(Array(bytes[8..<(10 + size)]) == [0xA1] + zeros + [1, 0x09])
    #expect(bytes.count == 8 + 2 + size + 2 * size + 32)
  }

  @Test("grows offsets and references with the list")
  func growsSizes() throws {
    let numbers = (0..<70_000).map { PropertyListValue.integer($0) }
    let bytes = BinaryPropertyListWriter().data(for: .array(numbers))
    #expect(Array(bytes.suffix(26).prefix(2)) == [4, 4])
    let read = try PropertyListSerialization.propertyList(from: bytes, format: nil)
    #expect(read as? [Int] == Array(0..<70_000))
  }

  @Test("writes equal strings once, but not those that only look the same")
  func uniquesStrings() {
    let twice = BinaryPropertyListWriter().data(for: ["word", "word"])
    #expect(twice.suffix(24).prefix(8).last == 2)
    let alike = BinaryPropertyListWriter().data(for: ["\u{E9}", "e\u{301}"])
    #expect(alike.suffix(24).prefix(8).last == 3)
  }

  @Test("writes tables that no value can express: deep, cyclic, with raw bytes")
  func writesTables() {
    var deep = BinaryPropertyListWriter.ObjectTable()
    for level in 1...100_000 {
      deep.add(.array([UInt32(level)]))
    }
    deep.add(.value(true))
    #expect(deep.data().suffix(24).prefix(8) == Data([0, 0, 0, 0, 0, 1, 0x86, 0xA1]))

    var odd = BinaryPropertyListWriter.ObjectTable()
    odd.add(.dictionary(keys: [0], values: [9]))
    odd.add(.raw(Data([0xFF, 0xFE])))
    #expect(odd.data(top: 1).dropFirst(8).prefix(5) == Data([0xD1, 0, 9, 0xFF, 0xFE]))
    #expect(odd.data(top: 1).suffix(9).first == 1)
  }
}
