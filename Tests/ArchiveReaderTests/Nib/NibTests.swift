import ArchiveReader
import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("Compiled nibs")
struct NibTests {
  /// A nib of three objects.
  static let sound: [UInt8] =
    Array("NIBArchive".utf8)
    // 10: the format, the version of the coder.
    + [1, 0, 0, 0, 9, 0, 0, 0]
    // 18, 26, 34, 42: the counts and places of objects, keys, values, classes.
    + [3, 0, 0, 0, 50, 0, 0, 0, 6, 0, 0, 0, 59, 0, 0, 0]
    + [6, 0, 0, 0, 94, 0, 0, 0, 3, 0, 0, 0, 119, 0, 0, 0]
    // 50, 53, 56: objects of a class, their first value, and how many they have.
    + [0x80, 0x80, 0x82, 0x81, 0x82, 0x83, 0x82, 0x85, 0x81]
    // 59, 64, 69, 75, 80, 85: keys.
    + [0x84] + Array("root".utf8) + [0x84] + Array("flag".utf8) + [0x85] + Array("title".utf8)
    + [0x84] + Array("rank".utf8) + [0x84] + Array("next".utf8) + [0x88] + Array("NS.bytes".utf8)
    // 94: object 1 under "root"; 100: true under "flag".
    + [0x80, 10, 1, 0, 0, 0, 0x81, 5]
    // 102: object 2 under "title"; 108: -2 under "rank"; 112: nil under "next".
    + [0x82, 10, 2, 0, 0, 0, 0x83, 1, 0xFE, 0xFF, 0x84, 9]
    // 114: two bytes under "NS.bytes".
    + [0x85, 8, 0x82, 0xC3, 0xA9]
    // 119, 130, 141: classes; the second falls back on the first.
    + [0x89, 0x80] + Array("NSObject\0".utf8)
    + [0x85, 0x81, 0, 0, 0, 0] + Array("Note\0".utf8)
    + [0x89, 0x80] + Array("NSString\0".utf8)

  private static func graph(_ bytes: [UInt8]) throws -> any ObjectGraph {
    try KeyedArchive(bytes: bytes).makeGraph(GraphOptions())
  }

  /// The nib of the objects of an archive.
  private static func nib(
    _ make: (inout KeyedArchiveBuilder) throws -> PropertyListValue
  ) throws -> [UInt8] {
    NibWriter.nib(of: try KeyedArchive(bytes: try KeyedArchiveBuilder.archive(make).binary()))
  }

  @Test("are read like keyed archives whose top-level keys are those of the first object")
  func isRead() throws {
    let archive = try KeyedArchive(bytes: Self.sound)
    #expect(archive.format == .nib)
    #expect((archive.archiver, archive.version) == ("UINibEncoder", 9))
    #expect(try archive.topTexts() == ["root: Note#1", "flag: true"])
    #expect(archive.unreadKeys == [:])
    let graph = archive.makeGraph(GraphOptions(countsUnreached: true))
    #expect(try graph.text(ofObject: 1) == "Note(title: 'é', rank: -2, next: nil)")
    #expect(graph.classes.map(\.name) == ["Note", "NSString"])
    #expect(graph.classes.map(\.hierarchy) == [["Note"], ["NSString"]])
    #expect(graph.classes.map(\.hints) == [["NSObject"], []])
  }

  @Test("are inspected with an object for each text, and the first one")
  func isInspected() throws {
    let inspection = try KeyedArchive(bytes: Self.sound).inspect(limits: .standard)
    let classes = inspection.classes.map { "\($0.name) \($0.count) \($0.keys.map(\.key))" }
    #expect(
      classes == [
        #"NSObject 1 ["root", "flag"]"#, #"NSString 1 ["NS.string"]"#,
        #"Note 1 ["title", "rank", "next"]"#,
      ])
    #expect(inspection.danglingReferences == [])
    #expect(!inspection.isCyclic)
  }

  @Test("are read with every form of a text, number and collection that a keyed archive has")
  func values() throws {
    let forms =
      ObjectReaderTests.strings + ObjectReaderTests.numbers + ObjectReaderTests.others
      + ArchivedCollectionTests.lists + ArchivedCollectionTests.pairs
    // No value of a nib has more than 64 bits.
    for form in forms where !form.text.hasPrefix("wide") {
      let nib = try form.readAsNib()
      // Objects have other numbers.
      #expect(
        nib.text.replacing(/#\d+/, with: "") == form.text.replacing(/#\d+/, with: ""),
        "\(form.testDescription)")
      #expect(nib.reader.misfitNames == [], "\(form.testDescription)")
    }
  }

  @Test("have numbers of every size")
  func numbers() throws {
    let numbers: [Int64] = [0, -128, 127, -129, 32_767, -32_769, 2_147_483_647, .min, .max]
    let bytes = try Self.nib { archive in
      archive.instance(
        of: "Note",
        numbers.enumerated().map { KeyValue("n\($0.offset)", .integer($0.element)) }
          + [KeyValue("float", 0.5), KeyValue("double", 0.1), KeyValue("data", .data(Data([7])))])
    }
    let graph = try Self.graph(bytes)
    let texts = numbers.enumerated().map { "n\($0.offset): \($0.element)" }
    #expect(
      try graph.text(ofObject: 1)
        == "Note(\(texts.joined(separator: ", ")), float: real 0.5, double: real 0.1, data: <07>)")
  }

  @Test("keep what does not fit: texts that are no UTF-8, odd pairs, values besides elements")
  func misfits() throws {
    var bytes = Self.sound
    bytes[117] = 0xFF
    let graph = try Self.graph(bytes)
    #expect(try graph.text(ofObject: 1) == "Note(title: NSString#2, rank: -2, next: nil)")
    #expect(try graph.text(ofObject: 2) == "NSString(NS.bytes: <ffa9>)")
    #expect(graph.misfitNames == ["NSString"])
    for (className, texts) in [
      ("NSDictionary", "NSDictionary(NSInlinedValue: true, $0: 1, $1: 2, $2: 3)"),
      ("NSCountedSet", "NSCountedSet(NSInlinedValue: true, $0: 1, $1: 2, $2: 3)"),
      ("Folder", "Folder(NSInlinedValue: true, $0: 1, $1: 2, $2: 3)"),
    ] {
      let list = try Self.nib {
        $0.instance(of: className, [KeyValue("NSInlinedValue", true)], unkeyed: [1, 2, 3])
      }
      #expect(try Self.graph(list).text(ofObject: 1) == texts)
    }
  }

  @Test("have values without keys, and keys that begin like those of the format")
  func keys() throws {
    let bytes = try Self.nib {
      $0.instance(of: "Note", [KeyValue("$class", "a"), KeyValue("b", 2)], unkeyed: [1, "c"])
    }
    let graph = try Self.graph(bytes)
    #expect(try graph.text(ofObject: 1) == "Note($$class: 'a', b: 2, $0: 1, $1: 'c')")
  }

  @Test("may have bytes after the end, which are listed among what nothing reads")
  func surplus() throws {
    let archive = try KeyedArchive(bytes: Self.sound + [0, 0])
    #expect(try archive.topTexts() == ["root: Note#1", "flag: true"])
    #expect(
      archive.unreadKeys == [UnreadKey(owner: "$archive", key: "bytes after the last class"): 1])
  }

  @Test("may refer to their first object")
  func firstObject() throws {
    var bytes = Self.sound
    bytes[104] = 0
    let graph = try Self.graph(bytes)
    #expect(try graph.text(ofObject: 1) == "Note(title: NSObject#0, rank: -2, next: nil)")
    #expect(try graph.text(ofObject: 0) == "NSObject(root: Note#1, flag: true)")
    let root = try #require(graph.source.roots.first)
    let part = try #require(try graph.archivedData(of: root, limits: .standard))
    let copy = try KeyedArchive(bytes: part)
    #expect((copy.archiver, copy.version) == ("NSKeyedArchiver", 100_000))
    let copied = copy.makeGraph(GraphOptions())
    #expect(try copied.text(ofObject: 1) == "Note(title: NSObject#2, rank: -2, next: nil)")
  }

  @Test("hold archives, and stand in archives")
  func nested() throws {
    let inner = KeyedArchiveBuilder.archive { $0.instance(of: "Leaf", ["name": "inner"]) }.binary()
    let nib = try Self.nib { $0.instance(of: "Note", ["data": .data(Data(inner))]) }
    let found = try NestedDataFinder.find(in: try KeyedArchive(bytes: nib))
    #expect(found.map(\.key) == ["data"])
    let archive = try KeyedArchive(bytes: nib)
    let place = try #require(found.first?.bytes)
    #expect(try archive.part(place).data == inner)

    let outer = KeyedArchiveBuilder.archive {
      $0.instance(of: "Note", ["nib": .data(Data(Self.sound))])
    }
    let nested = try NestedDataFinder.find(in: try KeyedArchive(bytes: outer.binary()))
    #expect(nested.map(\.key) == ["nib"])
  }

  @Test("are limited like other files that are not read in place")
  func limits() {
    var limits = ReadingLimits.standard
    limits.values = 10
    #expect(throws: ArchiveError.self) { try KeyedArchive(bytes: Self.sound, limits: limits) }
  }
}
