import ArchiveReader
import TestSupport
import Testing

@Suite("Damaged compiled nibs")
struct DamagedNibTests {
  /// One damage and the error that it gives.
  struct Damage: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var error: ArchiveError

    /// Bytes of the sound nib replaced; the error is at the first of them.
    init(
      _ name: String, at place: Int, _ damage: [UInt8], _ detail: String, errorAt byte: Int? = nil,
      _ code: ArchiveError.Code = .damagedNib
    ) {
      testDescription = name
      bytes = NibTests.sound
      bytes.replaceSubrange(place..<(place + damage.count), with: damage)
      error = ArchiveError(code, at: .byte(byte ?? place), name: detail)
    }

    /// The first bytes of the sound nib.
    init(_ name: String, cutAt count: Int, _ detail: String, errorAt byte: Int) {
      testDescription = name
      bytes = Array(NibTests.sound.prefix(count))
      error = ArchiveError(.damagedNib, at: .byte(byte), name: detail)
    }
  }

  private static let wrongPlace = "a section begins at the wrong place"
  private static let tooSmall = "a section is too small for its entries"
  private static let cutOff = "an entry is cut off"

  static let headers = [
    Damage("nothing but the signature", cutAt: 10, "its header is cut off", errorAt: 10),
    Damage("half a header", cutAt: 49, "its header is cut off", errorAt: 49),
    Damage("another format", at: 10, [2], "2 of the format of nibs", .unsupportedVersion),
    Damage("an older coder", at: 14, [8], "8 of a nib", .unsupportedVersion),
    Damage("a newer coder", at: 14, [11], "11 of a nib", .unsupportedVersion),
    Damage("a gap before the objects", at: 22, [51], wrongPlace),
    Damage("keys before the objects", at: 30, [49], wrongPlace),
    Damage("values before the keys", at: 38, [58], wrongPlace),
    Damage("values at 2^32 - 1", at: 38, [0xFF, 0xFF, 0xFF, 0xFF], wrongPlace),
    Damage("classes behind the file", at: 46, [153], wrongPlace),
    Damage("one object too many", at: 18, [4], tooSmall),
    Damage("2^32 - 1 keys", at: 26, [0xFF, 0xFF, 0xFF, 0xFF], tooSmall),
    Damage("2^31 values", at: 34, [0, 0, 0, 0x80], tooSmall),
    Damage("256 classes", at: 43, [1], tooSmall, errorAt: 42),
  ]

  static let sections = [
    Damage(
      "one object too few", at: 18, [2], "bytes follow the last entry of a section", errorAt: 56),
    Damage("no objects", at: 18, [0], "bytes follow the last entry of a section", errorAt: 50),
    Damage(
      "one key too few", at: 26, [5], "bytes follow the last entry of a section", errorAt: 85),
    Damage("keys that begin early", at: 30, [58], tooSmall, errorAt: 18),
    Damage(
      "keys that begin late", at: 30, [60], "bytes follow the last entry of a section", errorAt: 59),
    Damage("an object without a class", at: 50, [0x83], "an object has no class"),
    Damage(
      "an object with too many values", at: 58, [0x82], "an object has values beyond the last",
      errorAt: 56),
    Damage(
      "an object whose values begin behind the last", at: 57, [0x87],
      "an object has values beyond the last", errorAt: 56),
    Damage(
      "a value of two objects", at: 54, [0x81], "an object has a value of another", errorAt: 53),
    Damage(
      "a value of no object", at: 58, [0x80], "a value belongs to no object", errorAt: 114),
    Damage("a number that does not end", at: 50, [0, 0, 0, 0, 0], "a number does not end"),
    Damage("a number that goes on behind its section", at: 58, [1], cutOff, errorAt: 59),
    Damage("a key that is too long", at: 85, [0x89], cutOff, errorAt: 86),
    Damage("a key of 2^35 - 1 bytes", at: 85, [0x7F, 0x7F, 0x7F, 0x7F, 0xFF], cutOff, errorAt: 90),
    Damage("a key that is no UTF-8", at: 60, [0xFF], "a name is not UTF-8"),
    Damage("a class's name that is no UTF-8", at: 121, [0xFF], "a name is not UTF-8"),
    Damage("a class's name without an end", at: 129, [0x41], "a class has no name", errorAt: 119),
    Damage("a class without a name", at: 119, [0x80], "a class has no name"),
    Damage(
      "a fallback that is no class", at: 132, [3], "a class falls back on one that does not exist",
      errorAt: 130),
    Damage("a last class that is cut off", cutAt: 151, cutOff, errorAt: 143),
  ]

  static let values = [
    Damage("a value without a key", at: 94, [0x86], "a value has no key"),
    Damage("a value of an unknown type", at: 95, [11], "a value has an unknown type"),
    Damage(
      "a reference behind the last object", at: 96, [3],
      "a value refers to object 3, which does not exist", errorAt: 95),
    Damage(
      "a reference to 2^32 - 1", at: 96, [0xFF, 0xFF, 0xFF, 0xFF],
      "a value refers to object 4294967295, which does not exist", errorAt: 95),
    Damage("an integer that is cut off", at: 115, [3], cutOff, errorAt: 116),
    Damage("a real that is cut off", at: 115, [7], cutOff, errorAt: 116),
    Damage("bytes that are cut off", at: 116, [0x83], cutOff, errorAt: 117),
  ]

  @Test("are refused where they are damaged", arguments: headers + sections + values)
  func refused(damage: Damage) {
    #expect(throws: damage.error) { try KeyedArchive(bytes: damage.bytes) }
    // Nothing of them is salvaged, since a place that is wrong moves all that follow.
    #expect(throws: damage.error) { try KeyedArchive.salvage(bytes: damage.bytes) }
  }

  @Test("are refused in words with the place")
  func words() {
    let error = ArchiveError(.damagedNib, at: .byte(94), name: "a value has no key")
    #expect("\(error)" == "the compiled nib is damaged: a value has no key (byte 94)")
  }

  @Test("are refused, or are other nibs, whatever byte is changed")
  func neverCrash() throws {
    let original = NibTests.sound
    var refused = 0
    for place in original.indices {
      for bit in 0..<8 {
        var bytes = original
        bytes[place] ^= 1 << UInt8(bit)
        if !ArchiveWalk(bytes).errors.isEmpty { refused += 1 }
      }
      #expect(!ArchiveWalk(original.prefix(place)).errors.isEmpty)
    }
    #expect(refused > 8 * original.count / 2)
  }

  @Test(
    "end in a result or an error, however they are damaged",
    arguments: Thoroughness.some([1, 2, 3, 4] as [UInt64], oneIn: 2))
  func mutations(seed: UInt64) throws {
    let original = NibWriter.nib(of: try KeyedArchive(bytes: try MutationTests.sample().binary()))
    #expect(ArchiveWalk(original).errors == [])
    var random = SeededGenerator(seed: seed)
    var (sound, damaged) = (0, 0)
    for _ in 0..<300 {
      let walk = ArchiveWalk(MutationTests.mutate(original, &random))
      if walk.values > 0 { sound += 1 }
      if !walk.errors.isEmpty { damaged += 1 }
    }
    #expect(sound > 10 && damaged > 50)
  }
}
