import ArchiveReader
import ArchiveWriter
import Foundation
import Testing

@Suite("An archive inside of another")
struct NestedArchiveTests {
  /// Reads what the only data value of an archive holds.
  private func open(
    _ bytes: Data, isXML: Bool = false, salvages: Bool = false
  ) throws -> KeyedArchive {
    let outer = Self.outer(bytes)
    let archive = try KeyedArchive(bytes: isXML ? outer.xml() : outer.binary())
    let data = try #require(try NestedDataFinder.find(in: archive).first)
    return try KeyedArchive.read(
      archive.part(data.bytes), limits: .standard, salvages: salvages)
  }

  private static func outer(_ bytes: Data) -> KeyedArchiveBuilder {
    .archive { $0.instance(of: "Note", ["payload": .data(bytes)]) }
  }

  private static let inner = KeyedArchiveBuilder.archive { archive in
    archive.instance(of: "Leaf", ["name": archive.string("inside")])
  }

  @Test("is read in either form, from either form", arguments: [false, true], [false, true])
  func forms(outerIsXML: Bool, innerIsXML: Bool) throws {
    let bytes = innerIsXML ? try Self.inner.xml() : Self.inner.binary()
    let archive = try open(bytes, isXML: outerIsXML)
    #expect(archive.propertyList.format == (innerIsXML ? .xml : .binary))
    #expect(archive.propertyList.byteCount == bytes.count)
    #expect(archive.archiver == "NSKeyedArchiver")
    #expect(try archive.topTexts() == ["root: Leaf#2"])
    let reader = archive.makeGraph(GraphOptions(readsFoundationValues: false))
    #expect(try reader.text(ofObject: 2) == "Leaf(name: 'inside')")
  }

  @Test(
    "is one without objects where another property list stands",
    arguments: [
      (
        ["a": 1, "list": ["x", ["c": true]]], ["a: 1", "list: array('x', dictionary('c': true))"]
      ),
      (["$own": "$null", "$$": 1.5], ["$$own: '$null'", "$$$: real 1.5"]), ([:], []),
      ([1, 2], [": array(1, 2)"]), ("text", [": 'text'"]), (7, [": 7"]),
    ] as [(PropertyListValue, [String])])
  func plain(list: PropertyListValue, top: [String]) throws {
    for bytes in [
      BinaryPropertyListWriter().data(for: list), try XMLPropertyListWriter().data(for: list),
    ] {
      for salvages in [false, true] {
        let archive = try open(bytes, salvages: salvages)
        #expect(try archive.topTexts() == top)
        #expect(archive.archiver == "property list")
        #expect(archive.version == 0)
        #expect(archive.objectCount == 0)
        #expect(archive.salvage == nil)
      }
    }
  }

  @Test("is refused where it is damaged, unless it is to be salvaged")
  func damaged() throws {
    let whole = Self.inner.binary()
    let error = #expect(throws: ArchiveError.self) { try open(whole.prefix(20)) }
    #expect(error?.code == .truncated)
    #expect(throws: ArchiveError.self) { try open(whole.dropLast(40)) }
    let salvaged = try open(whole.dropLast(40), salvages: true)
    #expect(salvaged.salvage?.losses.isEmpty == false)
    // No archive has such keys without the others.
    let frame = BinaryPropertyListWriter().data(for: ["$objects": ["$null"]])
    #expect(throws: ArchiveError(.missingArchiver, at: .topLevelKey("$archiver"))) {
      try open(frame)
    }
  }

  @Test("keeps the archive around it in memory, and no longer than it is there itself")
  func memory() throws {
    var outer: ByteStorage? = ByteStorage(Self.outer(Self.inner.binary()).binary())
    var inner: KeyedArchive?
    do {
      let archive = try KeyedArchive.read(try #require(outer), limits: .standard)
      let data = try #require(try NestedDataFinder.find(in: archive).first)
      inner = try KeyedArchive.read(archive.part(data.bytes), limits: .standard)
    }
    weak let memory = outer
    outer = nil
    #expect(memory != nil)
    #expect(try inner?.topTexts() == ["root: Leaf#2"])
    inner = nil
    #expect(memory == nil)
  }

  @Test("is not read from a place that the archive does not have")
  func changedFile() throws {
    let archive = try KeyedArchive(bytes: Self.inner.binary())
    let size = archive.propertyList.byteCount
    for range in [
      ByteRange(offset: size, count: 1), ByteRange(offset: size - 8, count: 9),
      ByteRange(offset: .max, count: 1), ByteRange(offset: 8, count: .max),
      ByteRange(offset: -1, count: 4), ByteRange(offset: 8, count: 0),
    ] {
      #expect(throws: ArchiveError(.unreadable, name: "it changed while being read")) {
        try SourceOpener().open(
          NestedData(uid: 1, key: "payload", positions: [], bytes: range), in: archive)
      }
    }
  }

  @Test("ends in a result or an error at every byte of the archive around it")
  func neverCrash() throws {
    let leaf = Self.inner.binary()
    let original = Array(Self.outer(Self.outer(leaf).binary()).binary())
    #expect(try opened(original) == 2)
    var (whole, partly, refused) = (0, 0, 0)
    for place in original.indices {
      for value: UInt8 in [0xFF, original[place] ^ 0x10, original[place] &+ 1] {
        var bytes = original
        bytes[place] = value
        switch try? opened(bytes) {
        case 2: whole += 1
        case .some: partly += 1
        case nil: refused += 1
        }
      }
    }
    #expect(whole > 10)
    #expect(partly > 50)
    #expect(refused > 50)
  }

  /// How many archives there are inside of an archive, and inside of those.
  private func opened(_ bytes: [UInt8]) throws(ArchiveError) -> Int {
    var pending = [try KeyedArchive(bytes: bytes)]
    var count = -1
    while let archive = pending.popLast() {
      count += 1
      for data in try NestedDataFinder.find(in: archive) {
        let inner = try? KeyedArchive.read(archive.part(data.bytes), limits: .standard)
        pending += inner.map { [$0] } ?? []
      }
    }
    return count
  }
}
