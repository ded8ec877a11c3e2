import ArchiveReader
import ArchiveWriter
import Foundation
import Testing

@Suite("Binary property lists of widths that no archiver writes")
struct BinaryPropertyListWidthTests {
  /// A number in as many bytes as are asked for.
  private static func bytes(_ number: UInt8, width: Int) -> [UInt8] {
    Array(repeating: 0, count: width - 1) + [number]
  }

  /// The marker of an integer of a width that is a power of two.
  private static func integerMarker(_ width: Int) -> UInt8 {
    0x10 | UInt8(width.trailingZeroBitCount)
  }

  @Test("hold small integers in every width", arguments: [1, 2, 4, 8, 16])
  func readsIntegers(width: Int) throws {
    let object = [Self.integerMarker(width)] + Self.bytes(7, width: width)
    #expect(try PropertyList(bytes: BinaryPropertyListTests.list(object)).content == 7)
  }

  @Test("hold counts in every width", arguments: [1, 2, 4, 8, 16])
  func readsCounts(width: Int) throws {
    let count = [Self.integerMarker(width)] + Self.bytes(2, width: width)
    let cases: [([UInt8], PropertyListValue)] = [
      ([0x4F] + count + [1, 2], .data(Data([1, 2]))), ([0x5F] + count + [0x61, 0x62], "ab"),
      ([0x6F] + count + [0, 0x61, 0, 0xE9], "aé"), ([0xAF] + count + [1, 1], ["x", "x"]),
      ([0xBF] + count + [1, 2], .set(["x", 5])), ([0xCF] + count + [1, 2], .set(["x", 5])),
      ([0xDF] + count + [1, 1, 2, 1], ["x": 5, "x": "x"]),
    ]
    for (object, value) in cases {
      let list = BinaryPropertyListTests.list(object, [0x51, 0x78], [0x10, 0x05])
      #expect(try PropertyList(bytes: list).content == value)
    }
  }

  @Test("hold UIDs in every width", arguments: 1...16)
  func readsUIDs(width: Int) throws {
    let object = [0x80 | UInt8(width - 1)] + Self.bytes(9, width: width)
    #expect(try PropertyList(bytes: BinaryPropertyListTests.list(object)).content == .uid(9))
  }

  @Test("may have any character behind the version's 0, as in CoreFoundation")
  func readsOtherVersions() throws {
    for version: UInt8 in [0x30, 0x31, 0x39, 0x7A] {
      var bytes = BinaryPropertyListTests.sound
      bytes[7] = version
      #expect(try PropertyList(bytes: bytes).content == ["a": ["a", 7]])
    }
  }

  @Test("of the versions 1x, which have another frame, are no archives")
  func refusesNewerVersions() {
    for version: UInt8 in [0x35, 0x36, 0x37] {
      var bytes = BinaryPropertyListTests.sound
      bytes.replaceSubrange(6...7, with: [0x31, version])
      let name =
        "a binary property list of an unsupported version (bplist1\(Unicode.Scalar(version)))"
      #expect(throws: ArchiveError(.notAnArchive, at: .byte(0), name: name)) {
        try PropertyList(bytes: bytes)
      }
    }
  }

  @Test(
    "hold no markers of the versions 1x, nor unused ones",
    arguments: [1, 2, 3, 4, 5, 6, 7, 0xA, 0xB, 0xC, 0xD, 0xE] as [UInt8])
  func refusesReservedMarkers(marker: UInt8) {
    let list = BinaryPropertyListTests.list([marker] + Array(repeating: 0, count: 16))
    #expect(throws: ArchiveError(.unknownMarker, at: .byte(8))) { try PropertyList(bytes: list) }
  }

  @Test("may have entries of the offset table that lead to one object, or inside of another")
  func readsSharedEntries() throws {
    // An array at byte 8, "a" at byte 12 for two entries, and true inside of the data at byte 14.
    var bytes = Array("bplist00".utf8)
    bytes += [0xA3, 1, 2, 3, 0x51, 0x61, 0x41, 0x09]
    bytes += [8, 12, 12, 15]
    bytes += [0, 0, 0, 0, 0, 0, 1, 1]
    for number: UInt8 in [4, 0, 16] { bytes += Self.bytes(number, width: 8) }
    #expect(try PropertyList(bytes: bytes).content == ["a", "a", true])
  }
}
