import ArchiveWriter
import Converter
import TestSupport
import Testing

@Suite("An identity whose objects lead to others")
struct LeadingIdentityTests {
  @Test("ends in an error where it leads back to its own object")
  func circle() throws {
    let archive = KeyedArchiveBuilder.graph(
      GraphObject("Node", ["key": .array([1])]), GraphObject("Node", ["key": .array([0])]),
      GraphObject("Node", ["key": .plain(.string("a"))]))
    let run = try SteeredConversion(
      [archive], mapping: "entities: {Node: {identity: key}}", ImportExtensions())
    #expect(try run.failure() == ["a0.plist: nesting is deeper than the limit of 256 levels"])
  }

  @Test("takes the later of two rows of different entities that have the same id")
  func sameID() throws {
    let archive = KeyedArchiveBuilder.graph(
      GraphObject("Item", ["key": .plain(1), "to": .one(2)]),
      GraphObject("Item", ["key": .plain(1), "to": .one(3)]),
      GraphObject("First", ["a": .plain(1)]), GraphObject("Second", ["a": .plain(1)]))
    var run = try SteeredConversion(
      [archive], mapping: "entities: {Item: {identity: key}}", ImportExtensions())
    run.options.verifies = true
    let (store, report) = try run.run()
    #expect(report.verification?.isPassed == true)
    #expect(try store.lines("SELECT to_id, to_type FROM Item") == ["1|Second"])
  }
}
