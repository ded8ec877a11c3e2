import ArchiveWriter
import Foundation
import Testing

@testable import ArchiveReader

@Suite("A reader that goes from archive to archive")
struct ReaderSeriesTests {
  private static func archive(_ objects: PropertyListValue...) throws -> KeyedArchive {
    let frame = KeyedArchiveTests.frame(["$objects": .array(["$null"] + objects)])
    return try KeyedArchive(bytes: BinaryPropertyListWriter().data(for: frame))
  }

  /// Archives that have much in common, and differ where it could be taken for more.
  private static func archives() throws -> [KeyedArchive] {
    let note: PropertyListValue = ["$classname": "Note", "$classes": ["Note", "NSObject"]]
    let date: PropertyListValue = ["$classname": "NSDate", "$classes": ["NSDate", "NSObject"]]
    return [
      try archive(["a": 1, "b": "x", "$class": .uid(2)], note),
      // The same at other places.
      try archive(date, ["NS.time": 1.5, "$class": .uid(1)], ["b": 2, "$class": .uid(4)], note),
      try archive(note, ["a": 3, "b": .uid(4), "$class": .uid(1)], date, "text"),
      // Other hierarchies and hints of the same names.
      try archive(["a": 4, "b": 5, "$class": .uid(2)], ["$classname": "Note"]),
      try archive(
        ["a": 4, "b": 5, "$class": .uid(2)],
        ["$classname": "Note", "$classes": ["Note"], "$classhints": ["NSObject"]]),
      try archive(
        ["a": 4, "b": 5, "$class": .uid(2)],
        ["$classname": "Note", "$classes": ["Note", "NSObject", "Other"]]),
      // Keys that another list of keys begins with, and the same in another encoding.
      try archive(["a": 6, "$class": .uid(2)], note),
      try archive(["ab": 7, "$class": .uid(2)], note),
      try archive(["\u{E9}": 8, "$class": .uid(2)], note),
      // Two records, met in the other order.
      try archive(
        ["a": .uid(2), "$class": .uid(4)], ["NS.time": 2.5, "$class": .uid(3)], date, note),
      // Nothing, and the first once more.
      try archive(),
      try archive(["a": 1, "b": "x", "$class": .uid(2)], note),
    ]
  }

  /// What a reader makes of an archive: its objects, and the classes that it met.
  private static func content(_ reader: any ObjectGraph) throws -> [String] {
    var content: [String] = []
    for uid in 0..<reader.source.objectCount {
      guard case .object(let uid, _) = try reader.value(ofObject: uid) else { continue }
      content.append(try reader.text(ofObject: uid))
    }
    return content
      + reader.metClasses.map { id in
        let record = reader.classes[id.index]
        return "\(record.name) \(record.hierarchy) \(record.hints) \(record.known == nil)"
      }
  }

  @Test("reads each as a new reader does")
  func isTheSame() throws {
    let archives = try Self.archives()
    let reader = archives[0].makeGraph(GraphOptions(readsFoundationValues: false, isReused: true))
    for (number, archive) in archives.enumerated() {
      if number > 0 { #expect(reader.reset(to: archive)) }
      let other = archive.makeGraph(GraphOptions(readsFoundationValues: false))
      #expect(try Self.content(reader) == Self.content(other), "archive \(number)")
    }
  }

  @Test("keeps the numbers of shapes and classes")
  func keepsNumbers() throws {
    let archives = try Self.archives()
    let reader = archives[0].makeGraph(GraphOptions(readsFoundationValues: false, isReused: true))
    let first = try reader.object(1)
    for archive in archives.dropFirst() {
      #expect(reader.reset(to: archive))
      _ = try Self.content(reader)
    }
    let last = try reader.object(1)
    #expect((last.shape, last.class) == (first.shape, first.class))
    #expect(reader.classes.filter { $0.name == "NSDate" }.count == 1)
  }

  @Test("forgets what was wrong with the archive before")
  func nonconformingClasses() throws {
    let sound = try Self.archive(["NS.time": 1.5, "$class": .uid(2)], ["$classname": "NSDate"])
    let other = try Self.archive(["time": 1.5, "$class": .uid(2)], ["$classname": "NSDate"])
    let reader = sound.makeGraph(GraphOptions(readsFoundationValues: false, isReused: true))
    _ = try reader.value(ofObject: 1)
    #expect(reader.nonconformingClasses.isEmpty)
    #expect(reader.reset(to: other))
    _ = try reader.value(ofObject: 1)
    #expect(reader.nonconformingClasses.count == 1)
    #expect(reader.reset(to: sound))
    _ = try reader.value(ofObject: 1)
    #expect(reader.nonconformingClasses.isEmpty)
  }

  @Test("goes on with no other when it has met very many names")
  func isBounded() throws {
    func archive(_ range: Range<Int>) throws -> KeyedArchive {
      let objects = range.map { number -> PropertyListValue in
        ["key \(number)": 1, "$class": .uid(1)]
      }
      let frame = KeyedArchiveTests.frame([
        "$objects": .array(["$null", ["$classname": "Note"]] + objects)
      ])
      return try KeyedArchive(bytes: BinaryPropertyListWriter().data(for: frame))
    }
    let reader = try archive(0..<3_000).makeGraph(
      GraphOptions(readsFoundationValues: false, isReused: true))
    _ = try Self.content(reader)
    let second = try archive(3_000..<6_000)
    #expect(reader.reset(to: second))
    let other = second.makeGraph(GraphOptions(readsFoundationValues: false))
    #expect(try Self.content(reader) == Self.content(other))
    #expect(!reader.reset(to: second))
    #expect(!other.reset(to: second), "one that is made for one archive goes on with none")
  }
}
