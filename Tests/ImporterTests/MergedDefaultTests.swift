import ArchiveWriter
import Converter
import TestSupport
import Testing

/// Rows of one identity, and attributes with a default.
@Suite("A default")
struct MergedDefaultTests {
  private static func note(_ values: KeyValuePairs<String, GraphObject.Value>) -> GraphObject {
    GraphObject("Note", values)
  }

  /// Later objects with the identity of the first.
  static let others: KeyValuePairs<String, GraphObject> = [
    "nil": note(["id": .plain(.string("a")), "rank": .null]),
    "no key": note(["id": .plain(.string("a"))]),
  ]

  @Test(
    "does not take the place of what an earlier object of the row holds",
    arguments: others.map(\.key), ["{default: 5}", "{default: 5, optional: false}"])
  func earlier(name: String, rank: String) throws {
    let other = try #require(Self.others.first { $0.key == name }?.value)
    let first = Self.note(["id": .plain(.string("a")), "rank": .plain(.integer(9))])
    for archives in [[[first, other]], [[first], [other]]] {
      var conversion = try SteeredConversion(
        archives.map { .graph($0) },
        mapping: "entities: {Note: {identity: id, attributes: {rank: \(rank)}}}",
        ImportExtensions())
      conversion.options.verifies = true
      let (store, report) = try conversion.run()
      #expect(report.verification?.differences == [])
      #expect(report.conflicts.isEmpty)
      #expect(try store.lines("SELECT id_2, rank FROM Note") == ["a|9"])
    }
  }

  @Test("is what a row gets where no object of it holds anything")
  func none() throws {
    let other = Self.note(["id": .plain(.string("a")), "rank": .null])
    let (store, _) = try SteeredConversion(
      [.graph([other, other])],
      mapping: "entities: {Note: {identity: id, attributes: {rank: {default: 5}}}}",
      ImportExtensions()
    ).run()
    #expect(try store.lines("SELECT id_2, rank FROM Note") == ["a|5"])
  }
}
