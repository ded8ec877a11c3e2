import ArchiveReader
import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("The data values that hold property lists")
struct NestedDataFinderTests {
  /// Bytes that begin as an archive does; the number makes them different from others.
  private static func head(_ number: UInt8 = 0) -> Data { Data("bplist00".utf8) + [number] }

  /// The places that are found in an archive, in words.
  private func places(
    most: Int = .max, _ make: (inout KeyedArchiveBuilder) throws -> PropertyListValue
  ) throws -> [String] {
    try Self.places(in: try KeyedArchiveBuilder.archive(make).binary(), most: most)
  }

  private static func places(in bytes: Data, most: Int = .max) throws -> [String] {
    let archive = try KeyedArchive(bytes: bytes)
    return try NestedDataFinder.find(in: archive, most: most).map { data in
      let number = archive.table.bytes(data.bytes).last ?? 0
      return "\(data.uid.map(String.init) ?? "top") \(data.key) \(data.positions): \(number)"
    }
  }

  @Test(
    "are told by their first bytes",
    arguments: [
      ("bplist00", true), ("bplist", false), ("<?xml version='1.0'?><plist>", true),
      ("<plist version='1.0'>", true), ("\u{FEFF}\r\n <plist>", true),
      ("<!DOCTYPE plist PUBLIC '-//Apple//DTD PLIST 1.0//EN'>\n<plist>", true),
      ("<?xml version='1.0'?><svg/>", false), ("<!DOCTYPE html>", false), ("text", false),
      ("", false), ("a bplist00", false),
    ])
  func heads(text: String, isList: Bool) throws {
    #expect(
      try places { archive in
        archive.instance(of: "Note", ["payload": .data(Data(text.utf8))])
      }.count == (isList ? 1 : 0))
  }

  /// One way in which the key of an object leads to a data value, and the place of it.
  struct Owner: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var place: String
    var make: ArchivedForm.Maker

    init(_ name: String, _ place: String = "1 payload []: 7", _ make: @escaping ArchivedForm.Maker)
    {
      (testDescription, self.place, self.make) = (name, place, make)
    }
  }

  static let owners = [
    Owner("inline") { _ in .data(head(7)) },
    Owner("an entry") { $0.data(head(7)) },
    Owner("NS.data") { $0.mutableData(head(7)) },
    Owner("NS.bytes") { $0.instance(of: "NSMutableData", ["NS.bytes": .data(head(7))]) },
    Owner("an entry of a wrapper") { archive in
      let data = archive.data(head(7))
      return archive.instance(of: "NSData", ["NS.data": data])
    },
    Owner("an array", "1 payload [1]: 7") { $0.array([5, .data(head(7))]) },
    Owner("a set", "1 payload [0]: 7") { $0.set([.data(head(7))]) },
    Owner("an inline array", "1 payload [1]: 7") { _ in [5, .data(head(7))] },
    Owner("a dictionary", "1 payload [0]: 7") { $0.dictionary(["a": .data(head(7))]) },
    Owner("a dictionary's key", "1 payload [0]: 7") {
      let key = $0.data(head(7))
      return $0.dictionary(keys: [key], values: ["a"])
    },
    Owner("an array in an array", "1 payload [1, 0]: 7") { archive in
      let inner = archive.array([.data(head(7))])
      return archive.array([5, inner])
    },
  ]

  @Test(
    "belong to the object and the key that lead to them, whatever stands between",
    arguments: owners)
  func belongs(to owner: Owner) throws {
    #expect(
      try places { archive in
        let slot = archive.reserve()
        return archive.fill(slot, className: "Note", ["payload": try owner.make(&archive)])
      } == [owner.place])
  }

  @Test("are found once, where they are met first, owners before members")
  func order() throws {
    let found = try places { archive in
      let shared = archive.data(Self.head(1))
      let list = archive.array([shared, .data(Self.head(2))])
      let inner = archive.instance(
        of: "Note", ["list": list, "payload": shared, "own": .data(Self.head(3))])
      return archive.instance(
        of: "Note", ["inner": inner, "$key": .data(Self.head(4)), "list": list])
    }
    #expect(found == ["7 $$key []: 4", "7 list [0]: 1", "7 list [1]: 2", "5 own []: 3"])
    let first = try places(most: 2) { archive in
      archive.array((0..<5).map { .data(Self.head($0)) })
    }
    #expect(first == ["top root [0]: 0", "top root [1]: 1"])
  }

  @Test("stand under top-level keys, too, but not where nothing leads")
  func topLevel() throws {
    var archive = KeyedArchiveBuilder()
    archive.setTop("inline", .data(Self.head(1)))
    archive.setTop("entry", archive.data(Self.head(2)))
    _ = archive.data(Self.head(3))
    #expect(try Self.places(in: archive.binary()) == ["top inline []: 1", "top entry []: 2"])
  }

  @Test("are looked for without end where collections hold themselves or each other")
  func cycles() throws {
    let found = try places { archive in
      let slot = archive.reserve()
      return archive.fill(
        slot, className: "NSArray", ["NS.objects": [slot.reference, slot.reference]])
    }
    #expect(found == [])
    // The place of a value in 40 arrays tells of 16 of them.
    let deep = try places { archive in
      (0..<40).reduce(PropertyListValue.data(Self.head(9))) { inner, _ in [inner] }
    }
    #expect(deep == ["top root \(Array(repeating: 0, count: 16)): 9"])
  }
}
