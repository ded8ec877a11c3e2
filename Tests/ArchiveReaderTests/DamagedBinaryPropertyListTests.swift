import ArchiveReader
import ArchiveWriter
import Foundation
import Testing

@Suite("Damaged binary property lists")
struct DamagedBinaryPropertyListTests {
  /// One damage and the error that it gives.
  struct Damage: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var error: ArchiveError

    /// Bytes of the sound list replaced; the error is at the first of them.
    init(
      _ name: String, at place: Int, _ damage: [UInt8], _ code: ArchiveError.Code,
      _ detail: String? = nil, errorAt byte: Int? = nil
    ) {
      testDescription = name
      bytes = BinaryPropertyListTests.sound
      bytes.replaceSubrange(place..<(place + damage.count), with: damage)
      error = ArchiveError(code, at: .byte(byte ?? place), name: detail)
    }

    /// A list with one damaged object, the first, which stands at byte 8.
    init(
      _ name: String, _ object: [UInt8], _ code: ArchiveError.Code, at byte: Int = 8,
      then others: [UInt8]...
    ) {
      testDescription = name
      var table = BinaryPropertyListWriter.ObjectTable()
      for object in [object] + others { table.add(.raw(Data(object))) }
      bytes = Array(table.data())
      error = ArchiveError(code, at: .byte(byte))
    }
  }

  private static let huge: [UInt8] = Array(repeating: 0xFF, count: 8)

  static let trailers = [
    Damage("an offset size of 0", at: 28, [0], .damagedTrailer, "offset size"),
    Damage("an offset size of 9", at: 28, [9], .damagedTrailer, "offset size"),
    Damage("a reference size of 0", at: 29, [0], .damagedTrailer, "reference size"),
    Damage("a reference size of 9", at: 29, [9], .damagedTrailer, "reference size"),
    Damage("no objects", at: 37, [0], .damagedTrailer, "number of objects", errorAt: 30),
    Damage("one object too many", at: 37, [5], .damagedTrailer, "number of objects", errorAt: 30),
    Damage("2^40 objects", at: 32, [1], .damagedTrailer, "number of objects", errorAt: 30),
    Damage("2^64 - 1 objects", at: 30, huge, .damagedTrailer, "number of objects"),
    Damage("a top object behind the last", at: 45, [4], .damagedTrailer, "top object", errorAt: 38),
    Damage("a top object of 2^63", at: 38, [0x80], .damagedTrailer, "top object"),
    Damage(
      "a table in the signature", at: 53, [8], .damagedTrailer, "position of the offset table",
      errorAt: 46),
    Damage(
      "a table in the trailer", at: 53, [23], .damagedTrailer, "position of the offset table",
      errorAt: 46),
    Damage(
      "a table that leaves no room", at: 53, [19], .damagedTrailer, "number of objects", errorAt: 30
    ),
    Damage("a table at 2^64 - 1", at: 46, huge, .damagedTrailer, "position of the offset table"),
    Damage(
      "offsets that are too wide", at: 28, [2], .damagedTrailer, "number of objects", errorAt: 30),
  ]

  static let offsets = [
    Damage("an offset in the signature", at: 20, [0x07], .offsetOutOfBounds),
    Damage("an offset of 0", at: 21, [0x00], .offsetOutOfBounds),
    Damage("an offset in the table", at: 20, [0x12], .offsetOutOfBounds),
    Damage("an offset behind the file", at: 21, [0xFF], .offsetOutOfBounds),
    Damage("a key's offset behind the file", at: 19, [0xFF], .keyNotAString, errorAt: 9),
    Damage("a reference behind the last object", at: 15, [0x04], .referenceOutOfBounds),
    Damage("a key behind the last object", at: 9, [0x04], .referenceOutOfBounds),
    Damage("a key that is a number", at: 9, [0x03], .keyNotAString),
    Damage("a key that is an array", at: 9, [0x02], .keyNotAString),
    Damage("a last object that reaches into the table", at: 16, [0x13], .objectOutOfBounds),
  ]

  static let objects = [
    Damage("an unknown simple object", [0x01], .unknownMarker),
    Damage("a URL, which no archiver writes", [0x0C, 0x51, 0x61], .unknownMarker),
    Damage("an integer of 32 bytes", [0x15] + Array(repeating: 0, count: 32), .unknownMarker),
    Damage("a real of 2 bytes", [0x21, 0, 0], .unknownMarker),
    Damage("a real of 16 bytes", [0x24] + Array(repeating: 0, count: 16), .unknownMarker),
    Damage("a date of 4 bytes", [0x32, 0, 0, 0, 0], .unknownMarker),
    Damage("the marker of UTF-8 text", [0x71, 0x61], .unknownMarker),
    Damage("an unknown kind 0x9", [0x91, 0x00], .unknownMarker),
    Damage("an unknown kind 0xE", [0xE0], .unknownMarker),
    Damage("an unknown kind 0xF", [0xF0], .unknownMarker),
    Damage("an integer that is cut off", [0x13, 0, 0], .objectOutOfBounds),
    Damage("a date that is cut off", [0x33, 0, 0, 0, 0, 0, 0, 0], .objectOutOfBounds),
    Damage("data that is cut off", [0x43, 1, 2], .objectOutOfBounds),
    Damage("an ASCII string that is cut off", [0x52, 0x61], .objectOutOfBounds),
    Damage("a UTF-16 string that is cut off", [0x62, 0, 0x61, 0], .objectOutOfBounds),
    Damage("a UID that is cut off", [0x81, 0x01], .objectOutOfBounds),
    Damage("an array that is cut off", [0xA2, 0], .objectOutOfBounds),
    Damage("a dictionary that is cut off", [0xD2, 0, 0, 0], .objectOutOfBounds),
    Damage("a count that is missing", [0x5F], .objectOutOfBounds),
    Damage("a count that is cut off", [0x5F, 0x11, 0x00], .objectOutOfBounds),
    Damage("a count that is no integer", [0x5F, 0x51, 0x61], .unknownMarker, at: 9),
    Damage(
      "a count of 2^64", [0x4F, 0x14] + Array(repeating: 0, count: 7) + [1] + huge + [0],
      .objectOutOfBounds),
    Damage(
      "a count of 32 bytes", [0x4F, 0x15] + Array(repeating: 0, count: 32), .unknownMarker, at: 9),
    Damage("2^40 bytes of data", [0x4F, 0x13, 0, 0, 1, 0, 0, 0, 0, 0], .objectOutOfBounds),
    Damage("2^62 UTF-16 units", [0x6F, 0x13, 0x40, 0, 0, 0, 0, 0, 0, 0], .objectOutOfBounds),
    Damage("2^62 elements", [0xAF, 0x13, 0x40, 0, 0, 0, 0, 0, 0, 0], .objectOutOfBounds),
    Damage("2^62 pairs", [0xDF, 0x13, 0x40, 0, 0, 0, 0, 0, 0, 0], .objectOutOfBounds),
    Damage("2^64 - 1 elements", [0xCF, 0x13] + huge, .objectOutOfBounds),
    Damage("ASCII with a high byte at the end", [0x52, 0x61, 0x80], .stringNotASCII),
    Damage(
      "ASCII with a high byte among eight", [0x58, 97, 97, 97, 0xC3, 97, 97, 97, 97],
      .stringNotASCII),
    Damage(
      "a reference of a set behind the last object", [0xC1, 0x01], .referenceOutOfBounds, at: 9),
    Damage(
      "a value behind the last object", [0xD1, 0x01, 0x02], .referenceOutOfBounds, at: 10,
      then: [0x50]),
    Damage("a UID of 33 bits", [0x84, 1, 0, 0, 0, 0], .oversizedUID),
    Damage("a UID of 64 bits", [0x87] + huge, .oversizedUID),
    Damage("a UID of 121 bits", [0x8F, 1] + Array(repeating: 0, count: 15), .oversizedUID),
  ]

  @Test("give an error that names the field and the byte", arguments: trailers + offsets + objects)
  func namesTheDamage(damage: Damage) {
    #expect(throws: damage.error) { try PropertyList(bytes: damage.bytes) }
  }

  @Test("are told from sound ones at every length to which they are cut")
  func refusesEveryTruncation() throws {
    let archive = Array(
      KeyedArchiveBuilder.archive { archive in
        archive.instance(
          of: "Note", ["title": archive.string("Milk"), "tags": archive.array(["a", "é", 1])])
      }.binary())
    #expect(try KeyedArchive(bytes: archive).objectCount > 6)
    for length in 0..<archive.count {
      #expect(throws: ArchiveError.self, "\(length) of \(archive.count) bytes") {
        try KeyedArchive(bytes: archive[..<length])
      }
    }
  }

  @Test("are refused where a few bytes stand for many objects")
  func refusesOverlappingObjects() {
    // 100 offsets, all of them to the same 80 bytes.
    let data: [UInt8] = [0x4F, 0x10, 80] + Array(repeating: 0x0D, count: 80)
    let tableStart = UInt8(8 + data.count)
    let bytes =
      Array("bplist00".utf8) + data + Array(repeating: 8, count: 100)
      + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 100] + Array(repeating: 0, count: 8)
      + [0, 0, 0, 0, 0, 0, 0, tableStart]
    #expect(throws: ArchiveError(.overlappingObjects, at: .byte(8))) {
      try PropertyList(bytes: bytes)
    }
  }

  @Test("that a line-end conversion has damaged are recognised")
  func recognisesDamagedLineEnds() throws {
    let text = String(repeating: "no carriage return. ", count: 150)
    var bytes = Array(BinaryPropertyListWriter().data(for: [.string(text), 7]))
    #expect(!bytes.contains(0x0D))
    #expect(try PropertyList(bytes: bytes).content == [.string(text), 7])

    bytes.remove(at: 100)
    let count = bytes.count - 24
    let words = "it has no 0x0D byte"
    #expect(throws: ArchiveError(.damagedLineEnds, at: .byte(count), name: words)) {
      try PropertyList(bytes: bytes)
    }
    // With a carriage return somewhere, it was not that.
    bytes[200] = 0x0D
    let error = ArchiveError(.damagedTrailer, at: .byte(count), name: "number of objects")
    #expect(throws: error) {
      try PropertyList(bytes: bytes)
    }
  }
}
