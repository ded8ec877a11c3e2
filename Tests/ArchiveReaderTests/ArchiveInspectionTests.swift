import ArchiveReader
import ArchiveWriter
import Foundation
import Testing

@Suite("The inspection of an archive")
struct ArchiveInspectionTests {
  /// A class in words: its name, count, hierarchy, and keys with what stands under them.
  private func texts(of classes: [ArchiveInspection.Class]) -> [String] {
    classes.map { record in
      let keys = record.keys.map { "\($0.key)×\($0.count): \($0.types.joined(separator: "|"))" }
      return "\(record.name)×\(record.count) \(record.hierarchy) \(keys.joined(separator: ", "))"
    }
  }

  private func inspect(_ builder: KeyedArchiveBuilder) throws -> ArchiveInspection {
    try ArchiveInspection(try KeyedArchive(bytes: builder.binary()))
  }

  @Test("counts the objects, references and classes of a cyclic graph")
  func countsACyclicGraph() throws {
    var builder = KeyedArchiveBuilder()
    let parent = builder.reserve()  // 1
    let name = builder.string("name")  // 2
    let first = builder.instance(  // 3, its class 4
      of: "Child", ["name": name, "parent": parent.reference, "rank": 1])
    let second = builder.instance(  // 5
      of: "Child", ["name": builder.mutableString("x"), "rank": 2.5, "note": .none])  // 6, 7
    let list = builder.array([first, second, .none])  // 8, 9
    builder.fill(parent, className: "Parent", ["children": list, "inline": [name, [second]]])  // 10
    _ = builder.instance(  // 12, its class 11
      of: "Lost", ["self": .uid(12), "class": builder.classRecord("Lost")])
    builder.setTop("root", parent.reference)
    builder.setTop("other", name)
    builder.setTop("inline", [name])
    builder.setTop("number", 7)

    let inspection = try inspect(builder)
    #expect(inspection.top.map(\.key) == ["root", "other", "inline", "number"])
    #expect(
      inspection.top.map(\.value) == [.uid(1), .uid(2), .inline("array"), .inline("integer")])
    #expect(inspection.objects == 13)
    #expect(inspection.reachable == 11)
    #expect(inspection.references == 12)
    #expect(inspection.isCyclic)
    #expect(inspection.danglingReferences == [])
    #expect(
      texts(of: inspection.classes) == [
        #"Child×2 ["Child", "NSObject"] name×2: string|NSMutableString, parent×1: Parent, "#
          + "rank×2: integer|real, note×1: nil",
        #"Lost×1 ["Lost", "NSObject"] self×1: Lost, class×1: class"#,
        #"NSArray×1 ["NSArray", "NSObject"] NS.objects×1: array"#,
        #"NSMutableString×1 ["NSMutableString", "NSString", "NSObject"] NS.string×1: string"#,
        #"Parent×1 ["Parent", "NSObject"] children×1: NSArray, inline×1: array"#,
      ])
  }

  @Test("tells a shared object from a cycle")
  func tellsSharedObjects() throws {
    let shared = KeyedArchiveBuilder.archive { archive in
      let leaf = archive.instance(of: "Leaf")
      let left = archive.instance(of: "Node", ["leaf": leaf])
      return archive.instance(of: "Node", ["left": left, "leaf": leaf])
    }
    #expect(try !inspect(shared).isCyclic)
    let own = KeyedArchiveBuilder.archive { archive in
      let slot = archive.reserve()
      return archive.fill(slot, className: "Node", ["self": slot.reference])
    }
    #expect(try inspect(own).isCyclic)
    var unreached = shared
    let slot = unreached.reserve()
    unreached.fill(slot, className: "Node", ["self": slot.reference])
    #expect(try !inspect(unreached).isCyclic)
  }

  @Test("counts a chain of 20,000 objects without running out of stack")
  func countsLongChains() throws {
    var builder = KeyedArchiveBuilder()
    let nodes = (0..<20_000).map { _ in builder.reserve() }
    for (node, next) in zip(nodes, nodes.dropFirst()) {
      builder.fill(node, className: "Node", ["next": next.reference])
    }
    builder.fill(nodes[nodes.count - 1], className: "Node", ["next": nodes[0].reference])
    builder.setTop("root", nodes[0].reference)
    let inspection = try inspect(builder)
    #expect(inspection.reachable == 20_001)
    #expect(inspection.isCyclic)
  }

  @Test("lists dangling references, the first twenty of them")
  func listsDanglingReferences() throws {
    var builder = KeyedArchiveBuilder()
    let note = builder.instance(of: "Note", ["a": .uid(7), "b": [.uid(8)], "c": .none])
    builder.setTop("root", note)
    builder.setTop("lost", .uid(9))
    #expect(
      try inspect(builder).danglingReferences == [
        ArchiveError(.danglingReference, at: .object(1, key: nil), name: "7"),
        ArchiveError(.danglingReference, at: .object(1, key: nil), name: "8"),
        ArchiveError(.danglingReference, at: .topLevelKey("$top"), name: "9"),
      ])
    #expect(
      try inspect(builder).classes.flatMap { $0.keys.map(\.types) } == [
        ["missing"], ["array"], ["nil"],
      ])

    builder.setTop("root", builder.add(.array((0..<30).map { .uid(100 + $0) })))
    #expect(try inspect(builder).danglingReferences.count == 20)
  }

  @Test("lists dangling references behind references and in wrapped values too")
  func listsIndirectDanglingReferences() throws {
    let chain = KeyedArchiveBuilder.archive { $0.instance(of: "Note", ["a": $0.add(.uid(99))]) }
    let error = ArchiveError(.danglingReference, at: .object(2, key: nil), name: "99")
    var listed = try inspect(chain).danglingReferences
    #expect(listed.map(\.name) == ["99"])
    let wrapped = KeyedArchiveBuilder.archive {
      let slot = $0.reserve()
      let text = $0.instance(of: "NSMutableString", ["NS.string": .uid(99)])
      return $0.fill(slot, className: "Note", ["a": text])
    }
    listed = try inspect(wrapped).danglingReferences
    #expect(listed == [error])
  }

  @Test("merges class records of one name")
  func mergesRecords() throws {
    var builder = KeyedArchiveBuilder()
    let first = builder.instance(of: "Note", hierarchy: ["Note", "NSObject"], ["a": 1, "b": true])
    let second = builder.instance(of: "Note", hierarchy: ["Note"], ["b": "x", "a": 2])
    builder.setTop("root", builder.add([first, second]))
    #expect(
      texts(of: try inspect(builder).classes) == [
        #"Note×2 ["Note", "NSObject"] a×2: integer, b×2: bool|string"#
      ])
  }

  @Test("refuses inline values that are nested too deeply or multiply")
  func limitsInlineValues() throws {
    // The frame of an archive: its $objects is object 4 of the list, and entry 1 is object 6.
    func list(_ add: (inout BinaryPropertyListWriter.ObjectTable) -> Void) throws -> KeyedArchive {
      var table = BinaryPropertyListWriter.ObjectTable()
      for key in ["$archiver", "$version", "$objects", "$top"] { table.add(.value(.string(key))) }
      table.add(.array([5, 6]))
      table.add(.value("$null"))
      add(&table)
      let version = UInt32(table.add(.value(100_000)))
      let root = UInt32(table.add(.value(.uid(1))))
      let top = table.add(
        .dictionary(
          keys: [0, 1, 2, 3], values: [0, version, 4, UInt32(table.count + 1)]))
      table.add(.dictionary(keys: [3], values: [root]))
      return try KeyedArchive(bytes: table.data(top: top))
    }
    let deep = try list { table in
      for _ in 0..<1_000 { table.add(.array([UInt32(table.count + 1)])) }
      table.add(.array([]))
    }
    #expect(throws: ReadingLimits.standard.exceeded(.depth)) { try ArchiveInspection(deep) }
    let cyclic = try list { $0.add(.array([6])) }
    #expect(throws: ReadingLimits.standard.exceeded(.depth)) { try ArchiveInspection(cyclic) }
    let wide = try list { table in
      for _ in 0..<40 {
        table.add(.array([UInt32(table.count + 1), UInt32(table.count + 1)]))
      }
      table.add(.array([]))
    }
    #expect(throws: ReadingLimits.standard.exceeded(.expansion)) {
      try ArchiveInspection(wide)
    }
  }
}
