import ArchiveReader
import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("Archives that are damaged at random")
struct MutationTests {
  /// One value of each family of Foundation's classes, but for those that are nonconformingClasses.
  private static var foundationValues: [FoundationForm] {
    let families = [
      CollectionAndTextValueTests.indexes, CollectionAndTextValueTests.attributed,
      NumberAndDateValueTests.numbers, GeometryValueTests.values, GraphicsValueTests.colors,
      GraphicsValueTests.images, PredicateValueTests.forms,
    ]
    return families.compactMap { $0.last { $0.json != nil } }
  }

  /// An archive with something of everything.
  static func sample() throws -> KeyedArchiveBuilder {
    var builder = KeyedArchiveBuilder()
    let root = builder.reserve()
    let date = builder.date(secondsSince2001: 326_671_920.5)
    var parts: [KeyValue] = [
      KeyValue("self", root.reference), KeyValue("date", date),
      KeyValue("text", builder.mutableString("é😀")),
      KeyValue("decimal", try builder.decimal("-1.25")),
      KeyValue("uuid", builder.instance(of: "NSUUID", ["NS.uuidbytes": .data(Data(1...16))])),
      KeyValue("url", builder.url("b", base: builder.url("https://example.org/"))),
      KeyValue("list", builder.array(["a", date, .none])),
      KeyValue("numbered", builder.orderedSet(["a", "b"])),
      KeyValue("pairs", builder.dictionary(["a": 1, "b": root.reference])),
      KeyValue("counted", builder.countedSet([("a", 2)])),
      KeyValue("inline", [1, ["a": 2.5], .data(Data(0..<20))]), KeyValue("null", builder.null()),
      KeyValue("class", builder.classRecord("Note")),
      KeyValue("chain", builder.add(builder.add(date))),
    ]
    parts += foundationValues.map { KeyValue($0.testDescription, $0.sketch.add(to: &builder)) }
    builder.setTop("root", builder.fill(root, className: "Note", parts))
    builder.setTop("number", 7)
    return builder
  }

  static func mutate(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0...Int.random(in: 0..<2, using: &random) {
      let place = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 4..<7: bytes[place] = .random(in: .min ... .max, using: &random)
      case 7: bytes.swapAt(place, Int.random(in: bytes.indices, using: &random))
      case 8 where Bool.random(using: &random): bytes.remove(at: place)
      case 8: bytes.insert(.random(in: .min ... .max, using: &random), at: place)
      default:
        let end = min(place + Int.random(in: 1...16, using: &random), bytes.count)
        bytes.replaceSubrange(place..<end, with: bytes[place..<end].reversed())
      }
    }
    let isCut = Int.random(in: 0..<8, using: &random) == 0
    return isCut ? bytes.dropLast(Int.random(in: 1..<40, using: &random)) : bytes
  }

  @Test(
    "end in a result or an error, in both forms",
    arguments: Thoroughness.some([1, 2, 3, 4] as [UInt64], oneIn: 2))
  func neverCrash(seed: UInt64) throws {
    let sample = try Self.sample()
    var random = SeededGenerator(seed: seed)
    for original in [Array(sample.binary()), Array(try sample.xml())] {
      let whole = ArchiveWalk(original)
      #expect(whole.errors == [])
      var (sound, damaged) = (0, 0)
      for _ in 0..<300 {
        let walk = ArchiveWalk(Self.mutate(original, &random))
        if walk.values > 0 { sound += 1 }
        if !walk.errors.isEmpty { damaged += 1 }
      }
      // The mutations are neither too coarse nor too fine.
      #expect(sound > 10)
      #expect(damaged > 50)
    }
  }

  @Test("end in a result or an error at every byte of the binary form")
  func neverCrashAtAnyByte() throws {
    let original = Array(try Self.sample().binary())
    var damaged = 0
    let places = Thoroughness.some(Array(original.indices), oneIn: 5)
    for place in places {
      for value: UInt8 in [0xFF, original[place] ^ 0x10, original[place] &+ 1] {
        var bytes = original
        bytes[place] = value
        if !ArchiveWalk(bytes).errors.isEmpty { damaged += 1 }
      }
    }
    #expect(damaged > places.count / 2)
  }
}
