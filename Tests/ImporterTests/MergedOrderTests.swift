import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

/// Ordered collections of rows that several objects, or archives, have become.
@Suite("The members of an ordered collection that identities merge")
struct MergedOrderTests {
  /// What the list holds in each archive, object by object, and the members that it must have.
  struct Case: Sendable, CustomTestStringConvertible {
    let archives: [[[String]]]
    let members: [String]
    var testDescription: String { "\(archives) → \(members)" }
  }

  private static let cases = [
    Case(archives: [[["a", "b"]], [["b", "c"]]], members: ["a", "b", "c"]),
    Case(archives: [[["a", "b"]], [["a", "b"]]], members: ["a", "b"]),
    Case(archives: [[["a"]], [["b"]], [["a", "c", "b", "d"]]], members: ["a", "b", "c", "d"]),
    Case(archives: [[["b", "a"]], [["a", "b", "c"]]], members: ["b", "a", "c"]),
    Case(archives: [[[]], [["a", "b"]], [[]]], members: ["a", "b"]),
    Case(archives: [[["a"], ["b", "c"]], [["c", "d"]]], members: ["a", "b", "c", "d"]),
  ]

  /// Members that occur several times, which a relationship without an inverse keeps.
  private static let repeatedMembers = [
    Case(archives: [[[]], [["a", "a"]]], members: ["a", "a"]),
    Case(archives: [[["a"]], [["a", "b", "a"]]], members: ["a", "b", "a"]),
    Case(archives: [[["a", "a", "b"]], [["b", "a"]]], members: ["a", "a", "b"]),
    Case(archives: [[["a"]], [["b", "b"]], [["b", "b", "a"]]], members: ["a", "b", "b"]),
    Case(archives: [[["a", "b"], ["b"]]], members: ["a", "b"]),
    Case(archives: [[["a"], ["b", "a", "a"], ["a"]]], members: ["a", "b", "a"]),
    Case(
      archives: [[["a", "b"]], [["c", "b"], ["b", "b", "c"]]], members: ["a", "b", "c", "b"]),
  ]

  private func archive(_ lists: [[String]], inSets: Bool = false) -> KeyedArchiveBuilder {
    .archive { archive in
      let roots = lists.map { names in
        let items = names.map { archive.instance(of: "Item", ["uid": archive.string($0)]) }
        return archive.instance(
          of: "List",
          [
            "uid": archive.string("list"),
            "items": inSets ? archive.set(items) : archive.array(items),
          ])
      }
      return archive.array(roots)
    }
  }

  private func conversion(
    _ archives: [KeyedArchiveBuilder], inverse: String = ""
  ) throws -> SteeredConversion {
    let mapping = """
      entities:
        List:
          identity: uid
          relationships:
            items: {to: Item, toMany: true, ordered: true\(inverse)}
        Item: {identity: uid}
      """
    var conversion = try SteeredConversion(archives, mapping: mapping, ImportExtensions())
    conversion.options.verifies = true
    return conversion
  }

  @Test("are numbered without gaps, and compared", arguments: cases + repeatedMembers)
  func numbers(of found: Case) throws {
    let (store, report) = try conversion(found.archives.map { archive($0) }).run()
    #expect(report.verification?.differences == [])
    #expect(try report.tally == store.tally(report))
    #expect(
      try store.lines(
        "SELECT position, uid FROM List_items JOIN Item ON Item.id = Item_id ORDER BY position")
        == found.members.enumerated().map { "\($0.offset)|\($0.element)" })
  }

  @Test("are numbered without gaps where they name their owner", arguments: cases)
  func numbersWithInverse(of found: Case) throws {
    let archives = found.archives.map { archive($0) }
    let (store, report) = try conversion(archives, inverse: ", inverse: list").run()
    #expect(report.verification?.differences == [])
    #expect(try report.tally == store.tally(report))
    #expect(
      try store.lines("SELECT items_position, uid FROM Item ORDER BY items_position")
        == found.members.enumerated().map { "\($0.offset)|\($0.element)" })
  }

  @Test("have no places where they stand in sets, and places behind each other in arrays")
  func sets() throws {
    let archives = [
      archive([["a", "b"]], inSets: true), archive([["b", "c"]]), archive([["c", "d"]]),
    ]
    let (store, report) = try conversion(archives).run()
    #expect(report.verification?.differences == [])
    #expect(
      try store.lines("SELECT position, uid FROM List_items JOIN Item ON Item.id = Item_id") == [
        "NULL|a", "NULL|b", "0|c", "1|d",
      ])
  }

  @Test(
    "are replaced as a whole where they are values, which is a conflict where they differ",
    arguments: [
      (["a", "b"], ["a", "b"], []), (["a", "b"], ["b", "a"], ["values"]),
      (["a"], ["a", "a"], ["values"]), ([], ["a"], []), (["a"], [], ["values"]),
    ] as [([String], [String], [String])])
  func values(first: [String], second: [String], conflicts: [String]) throws {
    let archives = [first, second].map { values in
      KeyedArchiveBuilder.archive { archive in
        let texts = archive.array(values.map { archive.string($0) })
        return archive.instance(of: "List", ["uid": archive.string("list"), "values": texts])
      }
    }
    var conversion = try SteeredConversion(
      archives, mapping: "entities: {List: {identity: uid}}", ImportExtensions())
    conversion.options.verifies = true
    let (store, report) = try conversion.run()
    #expect(report.verification?.differences == [])
    #expect(report.conflicts.map(\.property) == conflicts)
    #expect(report.conflicts.allSatisfy { $0.code == .differentValue })
    #expect(try store.lines("SELECT value FROM List_values ORDER BY position") == second)
  }

  @Test(
    "are a difference where they have other places",
    arguments: [
      "UPDATE List_items SET position = 3 WHERE position = 2",
      "UPDATE List_items SET position = 2 - position WHERE position <> 1",
      "UPDATE List_items SET position = NULL WHERE position = 2",
      "DELETE FROM List_items WHERE position = 1",
    ])
  func differences(change: String) throws {
    let folder = try TemporaryFolder()
    let inputs = try [[["a", "b"]], [["b", "c"]]].enumerated().map { number, lists in
      try folder.write(archive(lists).binary(), to: "a\(number).plist")
    }
    var options = ConversionOptions()
    options.verifies = true
    options.mappingPath = try folder.write(
      "entities: {List: {identity: uid}, Item: {identity: uid}}", to: "mapping.yaml")
    var conversion = Conversion(
      inputs: inputs, destination: folder.file(named: "out.sqlite"), options: options)
    conversion.willVerify = { try? StoreEditor($0).run(change) }
    #expect(try conversion.run().verification?.isPassed == false)
  }
}
