import ArchiveReader
import ArchiveWriter
import Foundation
import Testing

@Suite("References")
struct ReferenceTests {
  /// A reader of an archive of one note, whose entry is the last.
  private func reader(
    _ make: (inout KeyedArchiveBuilder) throws -> PropertyListValue
  ) throws -> (reader: any ObjectGraph, note: Int) {
    var builder = KeyedArchiveBuilder()
    _ = builder.classRecord("Note")
    let title = try make(&builder)
    let note = builder.reserve()
    builder.setTop("root", builder.fill(note, className: "Note", ["title": title]))
    return (
      try KeyedArchive(bytes: builder.binary()).makeGraph(
        GraphOptions(readsFoundationValues: false)), Int(note.index)
    )
  }

  private func title(_ reader: any ObjectGraph, _ note: Int) throws -> GraphValue {
    let object = try reader.object(note)
    let position = try #require(reader.position(of: "title", in: object))
    #expect(reader.position(of: "Title", in: object) == nil)
    return try reader.value(of: object, at: position)
  }

  @Test("that dangle name the object and the key", arguments: [3, 99, .max] as [UInt32])
  func namesDanglingReferences(uid: UInt32) throws {
    let (reader, note) = try reader { _ in .uid(uid) }
    #expect(note == 2)
    let error = ArchiveError(.danglingReference, at: .object(2, key: "title"), name: "\(uid)")
    #expect(throws: error) { try title(reader, note) }
  }

  @Test(
    "that dangle in an object that stands for a value name that object and its key",
    arguments: [
      ("NSMutableString", "NS.string"), ("NSNumber", "NS.number"), ("NSData", "NS.data"),
      ("NSDate", "NS.time"), ("NSUUID", "NS.uuidbytes"),
    ])
  func namesTheObjectThatHoldsThem(className: String, key: String) throws {
    let (reader, note) = try reader {
      $0.instance(of: className, [KeyValue(key, .uid(99))])
    }
    let error = ArchiveError(.danglingReference, at: .object(2, key: key), name: "99")
    #expect(throws: error) { try title(reader, note) }
  }

  @Test("that dangle in a collection are found when its elements are read")
  func findsThemInCollections() throws {
    let (reader, note) = try reader { $0.array(["a", .uid(99)]) }
    guard case .collection(let id, let kind) = try title(reader, note) else {
      Issue.record("no collection")
      return
    }
    let elements = try reader.elements(of: id, kind)
    #expect(try reader.text(of: try reader.value(of: elements, at: 0)) == "'a'")
    let error = ArchiveError(.danglingReference, name: "99")
    #expect(throws: error) { try reader.value(of: elements, at: 1) }
    #expect(
      error.placed(at: .object(3, key: nil))
        == ArchiveError(.danglingReference, at: .object(3, key: nil), name: "99"))
    #expect(
      error.placed(at: .object(3, key: nil)).placed(at: .topLevel).position == .object(3, key: nil))
  }

  @Test("in a URL's base that dangle leave the URL an object")
  func leavesURLsWithoutBase() throws {
    let (reader, note) = try reader { $0.url("a", base: .uid(99)) }
    let value = try title(reader, note)
    guard case .object(let uid, _) = value else {
      Issue.record("\(value)")
      return
    }
    let error = ArchiveError(.danglingReference, at: .object(uid, key: "NS.base"), name: "99")
    #expect(throws: error) { try reader.text(ofObject: uid) }
  }

  @Test("to references are followed as far as the limit")
  func followsChains() throws {
    for (links, fits) in [(63, true), (64, false)] {
      let form = ArchivedForm("\(links) references", "'end'") { archive in
        let end = archive.add("end")
        return (0..<links).reduce(end) { next, _ in archive.add(next) }
      }
      if fits {
        #expect(try form.read().text == form.text)
      } else {
        let error = ReadingLimits.standard.exceeded(.chain, at: .object(1, key: nil))
        #expect(throws: error) { try form.read() }
      }
    }
  }

  @Test("to references that form a loop are an error")
  func findsLoops() throws {
    let error = #expect(throws: ArchiveError.self) {
      try ArchivedForm("a loop", "") {
        let slot = $0.reserve()
        $0.fill(slot, with: $0.add(slot.reference))
        return slot.reference
      }.read()
    }
    #expect(error?.code == .tooDeep)
    let own = ArchivedForm("an entry that refers to itself", "") {
      let slot = $0.reserve()
      $0.fill(slot, with: slot.reference)
      return slot.reference
    }
    #expect(throws: ReadingLimits.standard.exceeded(.chain, at: .object(1, key: nil))) {
      try own.read()
    }
  }

  @Test("from an object to itself and to its owner are no error")
  func readsCycles() throws {
    var builder = KeyedArchiveBuilder()
    let parent = builder.reserve()
    let child = builder.instance(of: "Child", ["parent": parent.reference])
    builder.setTop(
      "root",
      builder.fill(parent, className: "Parent", ["self": parent.reference, "child": child]))
    let reader = try KeyedArchive(bytes: builder.binary()).makeGraph(
      GraphOptions(readsFoundationValues: false))
    #expect(try reader.text(ofObject: 1) == "Parent(self: Parent#1, child: Child#2)")
    #expect(try reader.text(ofObject: 2) == "Child(parent: Parent#1)")
  }

  @Test("to entry 0 are followed where it is not the one for nil")
  func readsDamagedEntryZero() throws {
    let frame = KeyedArchiveTests.frame(["$objects": ["first"], "$top": ["root": .uid(0)]])
    let archive = try KeyedArchive(bytes: BinaryPropertyListWriter().data(for: frame))
    #expect(try archive.topTexts() == ["root: 'first'"])
    let empty = KeyedArchiveTests.frame(["$objects": [], "$top": ["root": .uid(0)]])
    let emptyArchive = try KeyedArchive(bytes: BinaryPropertyListWriter().data(for: empty))
    #expect(throws: ArchiveError(.danglingReference, name: "0")) { try emptyArchive.topTexts() }
  }

  @Test("lead to objects only: any other entry is none")
  func refusesEntriesThatAreNoObjects() throws {
    let (reader, _) = try reader { $0.add(["a": 1]) }
    #expect(throws: ArchiveError(.noClassRecord, at: .object(2, key: "$class"))) {
      try reader.object(2)
    }
    #expect(throws: ArchiveError(.badObject, at: .object(0, key: nil))) { try reader.object(0) }
    #expect(throws: ArchiveError(.danglingReference, name: "4")) { try reader.object(4) }
    #expect(throws: ArchiveError(.danglingReference, name: "-1")) { try reader.object(-1) }
  }

  @Test("lead to an error where the object has a duplicate key")
  func refusesRepeatedKeys() throws {
    let (reader, _) = try reader {
      $0.instance(of: "Note", [KeyValue("title", "a"), KeyValue("title", "b")])
    }
    #expect(throws: ArchiveError(.repeatedKey, at: .object(2, key: "title"))) {
      try reader.object(2)
    }
  }
}
