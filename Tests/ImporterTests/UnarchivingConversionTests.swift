import ArchiveWriter
import Foundation
import Importer
import TestSupport
import Testing

@Suite("The conversion of archives to their values")
struct UnarchivingConversionTests {
  private static func convert(_ value: ImportValue) throws -> ConvertedValue {
    try ValueConversion([.unarchive]).convert(value)
  }

  private static func archive(
    _ root: (inout KeyedArchiveBuilder) -> PropertyListValue
  ) -> Data {
    KeyedArchiveBuilder.archive(root).binary()
  }

  @Test("Data that is an archive of one value becomes the value")
  func values() throws {
    let uuid = try #require(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
    let cases: [(Data, ImportValue)] = [
      (Self.archive { $0.string("The Trial") }, .text("The Trial")),
      (Self.archive { $0.mutableString("") }, .text("")),
      (Self.archive { $0.add(7) }, .integer(7)),
      (Self.archive { $0.add(0.5) }, .real(0.5)),
      (Self.archive { $0.add(true) }, .bool(true)),
      (
        Self.archive { $0.date(secondsSince2001: 0.5) },
        .date(Date(timeIntervalSinceReferenceDate: 0.5))
      ),
      (Self.archive { $0.uuid(uuid) }, .uuid(uuid)),
      (Self.archive { $0.url("https://a.example/") }, .url("https://a.example/")),
      (
        Self.archive { archive in
          archive.array([archive.string("a"), 2, archive.array([archive.null()])])
        }, .list([.text("a"), .integer(2), .list([.null])])
      ),
      (Self.archive { $0.set(["a"]) }, .set([.text("a")])),
      (Self.archive { $0.orderedSet(["b", "a"]) }, .list([.text("b"), .text("a")])),
      (
        Self.archive { $0.dictionary(keys: ["size"], values: [12]) },
        .dictionary([.init(.text("size"), .integer(12))])
      ),
    ]
    for (data, value) in cases { #expect(try Self.convert(.data(data)) == ConvertedValue(value)) }
  }

  @Test("An archive in XML is read like one in the binary form")
  func xml() throws {
    let data = try KeyedArchiveBuilder.archive { $0.string("The Trial") }.xml()
    #expect(try Self.convert(.data(data)).value == .text("The Trial"))
  }

  @Test("Everything else stays as it is")
  func others() throws {
    let sound = Self.archive { $0.string("The Trial") }
    var severalRoots = KeyedArchiveBuilder()
    severalRoots.setTop("a", 1)
    severalRoots.setTop("b", 2)
    var circle = KeyedArchiveBuilder()
    let slot = circle.reserve()
    circle.fill(slot, with: circle.array([slot.reference]))
    circle.setTop("root", slot.reference)
    let data: [Data] = [
      Data(), Data([0]), Data("bplist00".utf8), Data("<plist/>".utf8), sound.dropLast(),
      Data([4, 11]) + Data("streamtyped".utf8), severalRoots.binary(), circle.binary(),
      Self.archive { $0.instance(of: "Font", ["name": "Geneva"]) },
      Self.archive { archive in archive.array([archive.instance(of: "Font", ["size": 9])]) },
      Self.archive { $0.null() }, Self.archive { _ in .none },
      Self.archive { $0.mutableData(Data([1, 2])) },
    ]
    let values = data.map { ImportValue.data($0) } + [.text("bplist00"), .integer(1), .null]
    for value in values { #expect(try Self.convert(value) == ConvertedValue(value)) }
  }

  @Test("Collections that multiply, or are nested without end, stay as they are")
  func hostile() throws {
    var bomb = KeyedArchiveBuilder()
    var inner = bomb.array(["a", "b"])
    for _ in 0..<60 { inner = bomb.array([inner, inner]) }
    bomb.setTop("root", inner)
    var deep = KeyedArchiveBuilder()
    inner = deep.array([])
    for _ in 0..<5_000 { inner = deep.array([inner]) }
    deep.setTop("root", inner)
    for archive in [bomb, deep] {
      let value = ImportValue.data(archive.binary())
      #expect(try Self.convert(value) == ConvertedValue(value))
    }
  }

  @Test("Damage of any kind ends in a value or in the same bytes", arguments: 0..<8)
  func mutations(seed: Int) throws {
    let sound = Self.archive { archive in
      archive.dictionary(
        keys: ["when", "tags"],
        values: [archive.date(secondsSince2001: 9), archive.array(["a", "b"])])
    }
    var generator = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<400 {
      var bytes = sound
      for _ in 0...Int.random(in: 0..<3, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
          in: .min ... .max, using: &generator)
      }
      if Bool.random(using: &generator) {
        bytes = bytes.prefix(Int.random(in: 0...bytes.count, using: &generator))
      }
      _ = try Self.convert(.data(bytes))
    }
  }
}
