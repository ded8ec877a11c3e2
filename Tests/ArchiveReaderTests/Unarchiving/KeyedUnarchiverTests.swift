import ArchiveReader
import ArchiveWriter
import Foundation
import Testing

@Suite("Unarchiving without a store")
struct KeyedUnarchiverTests {
  // MARK: Graphs

  @Test("resolves references when all objects are decoded, each of them once")
  func references() throws {
    let unarchiver = try KeyedUnarchiver.of([Branch.self]) { archive in
      let (first, second) = (archive.reserve(), archive.reserve())
      archive.fill(
        second, className: "Branch", ["name": "second", "next": first.reference])
      return archive.fill(
        first, className: "Branch",
        [
          "name": "first", "next": second.reference,
          "twigs": archive.array([second.reference, first.reference, second.reference]),
          "named": archive.dictionary(["me": first.reference, "other": second.reference]),
        ])
    }
    let first = try #require(try unarchiver.decodeRoot(of: Branch.self))
    let second = try #require(first.next)
    #expect([first.name, second.name] == ["first", "second"])
    #expect(second.next === first)
    #expect(
      first.twigs.map(ObjectIdentifier.init) == [second, first, second].map(ObjectIdentifier.init))
    #expect(first.named.mapValues(\.name) == ["me": "first", "other": "second"])
    #expect(try unarchiver.decodeRoot(of: Branch.self) === first)
    first.cut()
  }

  @Test("takes no stack for a long list of references")
  func longList() throws {
    let count = 100_000
    let unarchiver = try KeyedUnarchiver.of([Branch.self]) { archive in
      let slots = (0..<count).map { _ in archive.reserve() }
      for (place, slot) in slots.enumerated() {
        let next = place + 1 < count ? slots[place + 1].reference : slots[0].reference
        archive.fill(slot, className: "Branch", ["next": next])
      }
      return slots[0].reference
    }
    let first = try #require(try unarchiver.decodeRoot(of: Branch.self))
    var length = 1
    var branch = first
    while let next = branch.next, next !== first {
      (branch, length) = (next, length + 1)
    }
    #expect(length == count)
    #expect(branch.next === first)
    first.cut()
  }

  @Test("decodes in place down to a limit, and no deeper")
  func depth() throws {
    func list(of count: Int) throws -> KeyedUnarchiver {
      try KeyedUnarchiver.of([Root.self]) { archive in
        var next = PropertyListValue.none
        for _ in 0..<count { next = archive.instance(of: "Root", ["next": next]) }
        return next
      }
    }
    let root = try #require(try list(of: 100).decodeRoot(of: Root.self))
    #expect(sequence(first: root, next: \.next).reduce(0) { count, _ in count + 1 } == 100)
    // Behind 100 references there is one too many: that of the first object.
    #expect(throws: ArchiveError(.tooDeep, at: .object(2 + 1, key: "next"), name: "100")) {
      try list(of: 101).decodeRoot(of: Root.self)
    }
    let nested = try KeyedUnarchiver.of([]) { archive in
      (0..<300).reduce(into: archive.array([])) { list, _ in list = archive.array([list]) }
    }
    #expect(throws: ArchiveError(.tooDeep, at: .topLevelKey("root"), name: "100")) {
      try nested.coder.decodeTopLevelObject(forKey: "root")
    }
  }

  @Test("hands out an object that registers itself before it is decoded")
  func registered() throws {
    let unarchiver = try KeyedUnarchiver.of([Root.self, Taproot.self]) { archive in
      let (first, second) = (archive.reserve(), archive.reserve())
      archive.fill(
        second, className: "Taproot", hierarchy: ["Taproot", "Root", "NSObject"],
        ["name": "second", "next": first.reference, "depth": 3])
      return archive.fill(first, className: "Root", ["name": "first", "next": second.reference])
    }
    let first = try #require(try unarchiver.decodeRoot(of: Root.self))
    let second = try #require(first.next as? Taproot)
    #expect([second.name, "\(second.depth)"] == ["second", "3"])
    #expect(second.next === first)
    second.next = nil
  }

  @Test("refuses an object that leads back to itself while it is decoded in place")
  func loops() throws {
    let object = try KeyedUnarchiver.of([Leaf.self]) { archive in
      let leaf = archive.reserve()
      let inner = archive.array([leaf.reference])
      return archive.fill(leaf, className: "Garden.Plant.Leaf", ["inner": inner])
    }
    #expect(throws: ArchiveError(.cyclicObject, at: .object(1, key: "inner"), name: "1")) {
      try object.decodeRoot(of: Leaf.self)
    }
    let array = try KeyedUnarchiver.of([]) { archive in
      let list = archive.reserve()
      return archive.fill(
        list, className: "NSArray", ["NS.objects": [list.reference]])
    }
    #expect(throws: ArchiveError(.tooDeep, at: .topLevelKey("root"), name: "100")) {
      try array.coder.decodeTopLevelObject(forKey: "root")
    }
    let reference = try KeyedUnarchiver.of([]) { archive in
      let slot = archive.reserve()
      archive.fill(slot, with: slot.reference)
      return slot.reference
    }
    #expect(throws: ArchiveError.self) {
      try reference.coder.decodeTopLevelObject(forKey: "root")
    }
  }

  @Test("does not let shared collections grow out of proportion")
  func expansion() throws {
    let unarchiver = try KeyedUnarchiver.of([]) { archive in
      (0..<12).reduce(into: archive.array([])) { list, _ in
        list = archive.array(Array(repeating: list, count: 10))
      }
    }
    #expect(
      throws: ReadingLimits.standard.exceeded(.expansion, at: .topLevelKey("root"))
    ) {
      try unarchiver.coder.decodeTopLevelObject(forKey: "root")
    }
  }

  /// Values of a million bytes.
  private static let large: [@Sendable (inout KeyedArchiveBuilder) -> PropertyListValue] = [
    { $0.data(Data(count: 1_000_000)) }, { $0.string(String(repeating: "a", count: 1_000_000)) },
    { $0.url("https://" + String(repeating: "a", count: 999_992)) },
  ]

  @Test("does not let shared values grow out of proportion, wherever they stand")
  func sharedValues() throws {
    for value in Self.large { try checkExpansion(of: value) }
  }

  private func checkExpansion(
    of value: (inout KeyedArchiveBuilder) -> PropertyListValue
  ) throws {
    // With no expansion allowed, sixteen million bytes are.
    func error(owners: Int, inArray: Bool) throws -> ArchiveError? {
      let unarchiver = try KeyedUnarchiver.of(
        [Blob.self],
        { archive in
          let shared = value(&archive)
          let blobs = (0..<owners).map { _ in
            inArray ? shared : archive.instance(of: "Blob", ["value": shared])
          }
          return archive.array(blobs)
        }, configure: { $0.limits = ReadingLimits(expansion: 0) })
      do {
        _ = try unarchiver.coder.decodeTopLevelObject(forKey: "root")
        return nil
      } catch let error as ArchiveError {
        return error
      }
    }
    let limits = ReadingLimits(expansion: 0)
    #expect(try error(owners: 16, inArray: true) == nil)
    #expect(try error(owners: 16, inArray: false) == nil)
    #expect(
      try error(owners: 17, inArray: true)
        == limits.exceeded(.expansion, at: .topLevelKey("root")))
    let last = try #require(try error(owners: 17, inArray: false))
    #expect(last == limits.exceeded(.expansion, at: last.position))
    #expect(last.position != .topLevelKey("root"))
  }

  private struct Blob: KeyedDecodable {
    static let archivedClassNames = ["Blob"]
    let value: DecodedValue?

    init(coder: KeyedCoder) throws { value = try coder.decodeObject(forKey: "value") }
  }

  @Test("is let go of, and its archive with it, when nobody holds it any more")
  func release() throws {
    weak var released: KeyedUnarchiver?
    do {
      let unarchiver = try KeyedUnarchiver.of([Branch.self]) { archive in
        archive.instance(of: "Branch", ["name": "root"])
      }
      released = unarchiver
      let coder = unarchiver.coder
      #expect(try unarchiver.decodeRoot(of: Branch.self)?.name == "root")
      #expect(coder.unreadKeys == [])
      #expect(released != nil)
    }
    #expect(released == nil)
  }

  @Test("does not try again what failed")
  func failures() throws {
    /// Decodes two others whatever becomes of them.
    final class Stubborn: KeyedDecodable {
      static let archivedClassNames = ["Stubborn"]

      init(coder: KeyedCoder) throws {
        _ = try? coder.decodeObject(of: Stubborn.self, forKey: "a")
        _ = try? coder.decodeObject(of: Stubborn.self, forKey: "b")
        throw ArchiveError(.outOfRange, name: coder.className)
      }
    }
    let unarchiver = try KeyedUnarchiver.of([Stubborn.self]) { archive in
      (0..<100).reduce(into: .none) { next, _ in
        next = archive.instance(of: "Stubborn", ["a": next, "b": next])
      }
    }
    #expect(throws: ArchiveError(.outOfRange, name: "Stubborn")) {
      try unarchiver.decodeRoot(of: Stubborn.self)
    }
  }

  @Test("lets values refer to objects that come later")
  func later() throws {
    let unarchiver = try KeyedUnarchiver.of([Tag.self, Branch.self]) { archive in
      archive.instance(
        of: "Tag", ["owner": archive.instance(of: "Branch", ["name": "owner"])])
    }
    let tag = try #require(try unarchiver.decodeRoot(of: Tag.self))
    #expect(tag.owner?.object?.name == "owner")
  }

  @Test("refuses references to nil in collections, and to what is of another class")
  func wrongReferences() throws {
    func error(_ key: String, _ value: (inout KeyedArchiveBuilder) -> PropertyListValue) throws
      -> ArchiveError?
    {
      let unarchiver = try KeyedUnarchiver.of([Branch.self, Leaf.self]) { archive in
        archive.instance(of: "Branch", [key: value(&archive)])
      }
      return #expect(throws: ArchiveError.self) { try unarchiver.decodeRoot(of: Branch.self) }
    }
    let codes = [
      try error("next") { $0.instance(of: "Garden.Plant.Leaf") },
      try error("next") { $0.string("text") }, try error("next") { $0.instance(of: "Stone") },
      try error("next") { _ in .uid(99) }, try error("twigs") { $0.array([.none]) },
      try error("twigs") { $0.array(["text"]) }, try error("twigs") { $0.string("text") },
      try error("twigs") { $0.dictionary([:]) }, try error("named") { $0.array([]) },
      try error("named") { $0.dictionary([1: $0.instance(of: "Branch")]) },
      try error("named") { $0.dictionary(["a": .none]) },
    ].map { $0?.code }
    #expect(
      codes == [
        .classNotAllowed, .classNotAllowed, .unknownClass, .danglingReference, .nilElement,
        .classNotAllowed, .wrongKind, .wrongKind, .wrongKind, .wrongKind, .nilElement,
      ])
  }

  // MARK: The top level

  @Test("decodes any top-level key, by name and by number")
  func topLevel() throws {
    var archive = KeyedArchiveBuilder()
    archive.setTop("note", archive.instance(of: "Branch", ["name": "note"]))
    archive.setTop("$odd", 7)
    archive.top.append(KeyValue("$0", archive.string("first")))
    archive.top.append(KeyValue("$1", 5))
    let unarchiver = try KeyedUnarchiver(
      bytes: archive.binary(), options: UnarchivingOptions(types: [Branch.self]))
    #expect(try unarchiver.decodeRoot(of: Branch.self) == nil)
    let note = try unarchiver.decodeTopLevelObject(of: Branch.self, forKey: "note")
    #expect(note?.name == "note")
    let coder = unarchiver.coder
    #expect(coder.allKeys == ["note", "$odd"])
    #expect(try coder.decodeInteger(forKey: "$odd") == 7)
    #expect(try coder.decodeObject()?.text == "'first'")
    #expect(try coder.decodeValue(ofObjCType: "i")?.text == "5")
    #expect(try coder.decodeObject() == nil)
    #expect(coder.className == "")
    #expect(coder.uid == nil)
    #expect(throws: ArchiveError(.wrongKind, at: .topLevelKey("$$odd"), name: "text")) {
      try coder.decodeString(forKey: "$odd")
    }
  }

  @Test("decodes top-level objects at the outermost level only")
  func nestedTopLevel() throws {
    let coder = try Probe.with().coder
    let error = ArchiveError(.notTopLevel, at: .object(1, key: nil))
    #expect(throws: error) { try coder.decodeTopLevelObject(forKey: "a") }
    #expect(throws: error) { try coder.decodeTopLevelObject(of: Probe.self, forKey: "a") }
    #expect(throws: error) { try coder.decodeTopLevelObject(ofClasses: [], forKey: "a") }
  }
}
