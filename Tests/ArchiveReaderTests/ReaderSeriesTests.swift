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
  private static func content(_ reader: inout ObjectReader) throws -> [String] {
    var content: [String] = []
    for uid in 0..<reader.archive.objectCount {
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
    var reader = ObjectReader(archives[0], goesOn: true)
    for (number, archive) in archives.enumerated() {
      if number > 0 { reader.goOn(with: archive) }
      var other = ObjectReader(archive)
      #expect(try Self.content(&reader) == Self.content(&other), "archive \(number)")
    }
    #expect(!reader.isFull)
  }

  @Test("keeps the numbers of shapes and classes")
  func keepsNumbers() throws {
    let archives = try Self.archives()
    var reader = ObjectReader(archives[0], goesOn: true)
    let first = try reader.object(1)
    for archive in archives.dropFirst() {
      reader.goOn(with: archive)
      _ = try Self.content(&reader)
    }
    let last = try reader.object(1)
    #expect((last.shape, last.class) == (first.shape, first.class))
    #expect(reader.classes.filter { $0.name == "NSDate" }.count == 1)
  }

  @Test("forgets what was wrong with the archive before")
  func misfits() throws {
    let sound = try Self.archive(["NS.time": 1.5, "$class": .uid(2)], ["$classname": "NSDate"])
    let other = try Self.archive(["time": 1.5, "$class": .uid(2)], ["$classname": "NSDate"])
    var reader = ObjectReader(sound, goesOn: true)
    _ = try reader.value(ofObject: 1)
    #expect(reader.misfits.isEmpty)
    reader.goOn(with: other)
    _ = try reader.value(ofObject: 1)
    #expect(reader.misfits.count == 1)
    reader.goOn(with: sound)
    _ = try reader.value(ofObject: 1)
    #expect(reader.misfits.isEmpty)
  }

  @Test("tells when it has met so much that another should take its place")
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
    var reader = ObjectReader(try archive(0..<3_000), goesOn: true)
    _ = try Self.content(&reader)
    #expect(!reader.isFull)
    let second = try archive(3_000..<6_000)
    reader.goOn(with: second)
    var other = ObjectReader(second)
    #expect(try Self.content(&reader) == Self.content(&other))
    #expect(reader.isFull)
    #expect(other.isFull, "one that is made for one archive goes on with none")
  }
}
