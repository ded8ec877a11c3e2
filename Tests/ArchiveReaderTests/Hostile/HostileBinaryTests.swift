import ArchiveReader
import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("Hostile binary property lists")
struct HostileBinaryTests {
  private static func error(
    _ bytes: some Collection<UInt8>, _ limits: ReadingLimits = .standard
  ) -> ArchiveError? {
    PropertyListWalk(bytes, limits: limits).error
  }

  @Test("with containers that hold themselves, or each other, are read: nothing follows them")
  func readsCircles() {
    let circles: [[BinaryPropertyListWriter.ObjectTable.Object]] = [
      [.array([0])], [.set([0, 0])], [.array([1]), .array([0])],
      [.dictionary(keys: [1], values: [0]), .value("a")],
    ]
    for objects in circles {
      var table = BinaryPropertyListWriter.ObjectTable()
      for object in objects { table.add(object) }
      #expect(Self.error(table.data()) == nil)
    }
  }

  @Test("200,000 levels deep take no stack")
  func readsDepth() {
    var table = BinaryPropertyListWriter.ObjectTable()
    for level in 0..<200_000 { table.add(.array([UInt32(level + 1)])) }
    table.add(.value(true))
    let walk = PropertyListWalk(table.data())
    #expect(walk.error == nil)
    #expect(walk.nodes == 200_001)
    #expect(walk.references == 200_000)
  }

  @Test("that claim more than they hold are refused before anything is made of it")
  func refusesLargeClaims() {
    let claims: [[UInt8]] = [
      [0x4F, 0x12, 0x7F, 0xFF, 0xFF, 0xFF], [0x5F, 0x12, 0xFF, 0xFF, 0xFF, 0xFF],
      [0x6F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
      [0xAF, 0x13, 0x3F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
      [0xCF, 0x12, 0x10, 0, 0, 0], [0xDF, 0x12, 0x10, 0, 0, 0],
      [0x4F, 0x14] + Array(repeating: 0xFF, count: 16), [0x5F, 0x10, 0x20, 0x61],
      [0x62, 0, 0x61], [0xA3, 0], [0xD1, 0],
    ]
    for claim in claims {
      let list = BinaryPropertyListTests.list(claim)
      #expect(Self.error(list) == ArchiveError(.objectOutOfBounds, at: .byte(8)))
    }
  }

  @Test("whose objects overlap are read as long as they are not several times the file")
  func limitsOverlap() {
    /// Data of as many bytes at every byte of a region.
    func list(_ count: Int, size: UInt8) -> [UInt8] {
      var bytes = Array("bplist00".utf8)
      bytes += Array(repeating: 0x40 | size, count: count + Int(size))
      let start = bytes.count
      for offset in 8..<(8 + count) { bytes += [UInt8(offset >> 8), UInt8(offset & 0xFF)] }
      bytes += [0, 0, 0, 0, 0, 0, 2, 1]
      for number in [count, 0, start] {
        bytes += [0, 0, 0, 0, 0, 0, UInt8(number >> 8), UInt8(number & 0xFF)]
      }
      return bytes
    }
    #expect(Self.error(list(1_000, size: 2)) == nil)
    #expect(Self.error(list(1_000, size: 14))?.code == .overlappingObjects)
  }

  @Test("of more values than the limit are refused")
  func limitsValues() {
    var table = BinaryPropertyListWriter.ObjectTable()
    for _ in 0..<100 { table.add(.value(true)) }
    let lower = ReadingLimits(values: 99)
    #expect(Self.error(table.data(), lower) == lower.exceeded(.values))
    #expect(Self.error(table.data(), ReadingLimits(values: 100)) == nil)
  }

  @Test("with trailers that lie in any byte end in a result or an error")
  func readsLyingTrailers() throws {
    let sound = Array(try MutationTests.sample().binary())
    var refused = 0
    for place in (sound.count - 32)..<sound.count {
      for value: UInt8 in [0, 1, 2, 7, 8, 9, 0x0D, 0x7F, 0x80, 0xFF] {
        var bytes = sound
        bytes[place] = value
        if !ArchiveWalk(bytes).errors.isEmpty { refused += 1 }
      }
    }
    // The first six bytes mean nothing to a reader.
    #expect(refused > 100)
    #expect(refused < 26 * 10)
  }

  @Test("with dictionaries whose keys are no strings are refused, whatever they are")
  func refusesOtherKeys() {
    let keys: [[UInt8]] = [
      [0x00], [0x09], [0x10, 1], [0x23, 0, 0, 0, 0, 0, 0, 0, 0], [0x40], [0x80, 1], [0xA0], [0xD0],
      [0x33, 0, 0, 0, 0, 0, 0, 0, 0],
    ]
    for key in keys {
      let list = BinaryPropertyListTests.list([0xD1, 1, 2], key, [0x09])
      #expect(Self.error(list) == ArchiveError(.keyNotAString, at: .byte(9)))
    }
    let own = BinaryPropertyListTests.list([0xD1, 0, 0])
    #expect(Self.error(own) == ArchiveError(.keyNotAString, at: .byte(9)))
  }

  @Test("with a key twice keep both")
  func readsKeysTwice() throws {
    let list = BinaryPropertyListTests.list([0xD2, 1, 1, 2, 3], [0x51, 0x61], [0x09], [0x08])
    #expect(try PropertyList(bytes: list).content == ["a": true, "a": false])
  }
}
