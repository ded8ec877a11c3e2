import ArchiveReader
import ArchiveWriter
import Foundation
import Testing

@Suite("Class records")
struct ClassRecordTests {
  /// A reader of an archive of some entries behind "$null".
  private func reader(_ objects: PropertyListValue...) throws -> any ObjectGraph {
    let frame = KeyedArchiveTests.frame(["$objects": .array(["$null"] + objects)])
    return try KeyedArchive(bytes: BinaryPropertyListWriter().data(for: frame)).makeGraph(
      GraphOptions(readsFoundationValues: false))
  }

  private func texts(of records: [ClassRecord]) -> [String] {
    records.map { record in
      let hints = record.hints.isEmpty ? "" : "; " + record.hints.joined(separator: ", ")
      let known = record.known == nil ? "" : "(known)"
      return "\(record.name): \(record.hierarchy.joined(separator: ", "))\(hints)\(known)"
    }
  }

  @Test("may stand before and after the objects of their class")
  func readsRecordsAnywhere() throws {
    let record: PropertyListValue = ["$classname": "Note", "$classes": ["Note", "NSObject"]]
    let before = try reader(record, ["a": 1, "$class": .uid(1)])
    #expect(try before.text(ofObject: 2) == "Note(a: 1)")
    let after = try reader(["a": 1, "$class": .uid(2)], record)
    #expect(try after.text(ofObject: 1) == "Note(a: 1)")
    #expect(texts(of: after.classes) == ["Note: Note, NSObject"])
  }

  @Test("may lack their hierarchy, hold hints, and refer to their names")
  func readsUnusualRecords() throws {
    let reader = try reader(
      ["$class": .uid(2)], ["$classname": "Bare"],
      ["$class": .uid(4)],
      [
        "$classname": "Hinted", "$classes": ["Hinted"], "$classhints": ["NSConnector", "NSObject"],
      ],
      ["$class": .uid(6)], ["$classes": [.uid(7), "NSObject"], "$classname": "Apart"], "Apart",
      ["$class": .uid(9)], ["$classname": "NSDate", "$classname": "Other", "extra": .uid(99)])
    for uid in [1, 3, 5, 8] { _ = try reader.object(uid) }
    #expect(
      texts(of: reader.classes) == [
        "Bare: ", "Hinted: Hinted; NSConnector, NSObject", "Apart: Apart, NSObject",
        "NSDate: (known)",
      ])
  }

  @Test("are read once, and apart where several have one name")
  func readsEachRecordOnce() throws {
    let reader = try reader(
      ["$class": .uid(4)], ["$class": .uid(5)], ["$class": .uid(4)],
      ["$classname": "Note"], ["$classname": "Note", "$classes": ["Note"]])
    let indexes = try (1...3).map { try reader.object($0).class.index }
    #expect(indexes == [0, 1, 0])
    #expect(reader.classes.map(\.name) == ["Note", "Note"])
  }

  struct Damage: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var link: PropertyListValue
    var record: PropertyListValue
    var error: ArchiveError

    init(
      _ name: String, link: PropertyListValue = .uid(2), record: PropertyListValue = [:],
      _ code: ArchiveError.Code, at uid: Int = 2, _ key: String, detail: String? = nil
    ) {
      testDescription = name
      self.link = link
      self.record = record
      error = ArchiveError(code, at: .object(uid, key: key), name: detail)
    }
  }

  @Test(
    "that are damaged give an error that names the entry and the key",
    arguments: [
      Damage("a $class that is no reference", link: "Note", .noClassRecord, at: 1, "$class"),
      Damage("a $class that is nil", link: .none, .noClassRecord, at: 1, "$class"),
      Damage(
        "a $class that dangles", link: .uid(3), .danglingReference, at: 1, "$class", detail: "3"),
      Damage("a record that is a text", record: "Note", .noClassRecord, at: 1, "$class"),
      Damage("a record without a name", record: ["$classes": ["Note"]], .noClassName, "$classname"),
      Damage(
        "a record that is an object", record: ["$class": .uid(2), "a": 1], .noClassName,
        "$classname"),
      Damage("a name that is a number", record: ["$classname": 1], .noClassName, "$classname"),
      Damage("a name that is a list", record: ["$classname": ["Note"]], .noClassName, "$classname"),
      Damage(
        "a hierarchy that is a text", record: ["$classname": "Note", "$classes": "Note"],
        .badClassHierarchy,
        "$classes"),
      Damage(
        "a hierarchy that holds a number",
        record: ["$classname": "Note", "$classes": ["Note", 1]],
        .badClassHierarchy, "$classes"),
      Damage(
        "a hierarchy that holds nil", record: ["$classname": "Note", "$classes": ["Note", .none]],
        .badClassHierarchy, "$classes"),
      Damage(
        "hints that are a number", record: ["$classname": "Note", "$classhints": 1],
        .badClassHierarchy,
        "$classhints"),
    ])
  func namesTheDamage(damage: Damage) throws {
    let reader = try reader(["$class": damage.link], damage.record)
    #expect(throws: damage.error) { try reader.object(1) }
    #expect(throws: damage.error) { try reader.value(ofObject: 1) }
  }

  @Test("that hold a dangling name in their hierarchy are found")
  func findsDanglingNames() throws {
    let reader = try reader(["$class": .uid(2)], ["$classname": "Note", "$classes": [.uid(9)]])
    let error = ArchiveError(
      .danglingReference, at: .object(2, key: "$classes"), name: "9")
    #expect(throws: error) { try reader.object(1) }
  }

  @Test("do not make a value of an opaque class")
  func knowsOpaqueClasses() throws {
    let builder = KeyedArchiveBuilder.archive { $0.date(secondsSince2001: 1) }
    let archive = try KeyedArchive(bytes: builder.binary())
    let plain = archive.makeGraph(GraphOptions(readsFoundationValues: false))
    #expect(try plain.text(of: plain.value(ofObject: 1)) == "date 1.0")
    let opaque = archive.makeGraph(
      GraphOptions(classesReadAsObjects: ["NSDate"], readsFoundationValues: false))
    #expect(try opaque.text(of: opaque.value(ofObject: 1)) == "NSDate#1")
    #expect(try opaque.text(ofObject: 1) == "NSDate(NS.time: real 1.0)")
  }
}
