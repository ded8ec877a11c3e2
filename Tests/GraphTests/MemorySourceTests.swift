import GraphCore
import GraphTesting
import Testing

@Suite("Sources in memory")
struct MemorySourceTests {
  @Test("are inspected as archives are")
  func inspection() throws {
    let inspection = try MemorySources.notes().inspect(limits: .standard)
    #expect(inspection.objects == 4)
    #expect(inspection.reachable == 3)
    #expect(inspection.isCyclic)
    // Three in the list, two from each of the notes that lead on.
    #expect(inspection.references == 7)
    #expect(inspection.top.map(\.key) == ["root", "version", "recent"])
    #expect(inspection.top.map(\.value) == [.uid(0), .inline("integer"), .inline("array")])
    #expect(inspection.classes.map { "\($0.name) \($0.count)" } == ["Note 3", "Library 1"])
    let keys = inspection.classes[0].keys
    #expect(
      keys.prefix(3).map { "\($0.key) \($0.count) \($0.types)" } == [
        #"title 3 ["string"]"#, #"count 1 ["integer"]"#, #"price 1 ["real"]"#,
      ])
    #expect(keys.first { $0.key == "next" }?.types == ["Note"])
  }

  @Test("refuse numbers that no object has")
  func wrongNumbers() throws {
    let graph = MemorySources.notes().makeGraph(GraphOptions())
    #expect(throws: ArchiveError(.danglingReference, name: "4")) { try graph.object(4) }
    #expect(throws: ArchiveError.self) { try graph.elements(of: .inline(99), .array) }
  }

  @Test("count the objects that nothing leads to")
  func unreached() throws {
    let source = MemorySources.notes()
    let graph = source.makeGraph(GraphOptions(countsUnreached: true))
    for uid in [0, 1, 2] { _ = try graph.object(uid) }
    #expect(graph.countUnreachedObjects() == 1)
  }
}
