import ArchiveWriter
import Converter
import TestSupport
import Testing

/// Columns that tell an empty collection from none, where not just one collection decides.
@Suite("The count of a to-many relationship's members")
struct MemberCountTests {
  /// What lists hold, archive by archive, and the counts of their rows.
  ///
  /// Each has the number that identifies its list, and nil for no collection.
  struct Case: Sendable, CustomTestStringConvertible {
    let archives: [[(id: Int64, names: [String]?)]]
    let counts: [String]
    var testDescription: String { "\(archives) → \(counts)" }

    /// Lists that an identity merges.
    static let merged = [
      Case(archives: [[(1, []), (1, ["a"]), (2, nil)]], counts: ["1|1", "2|NULL"]),
      Case(archives: [[(1, ["a"]), (1, []), (2, nil)]], counts: ["1|1", "2|NULL"]),
      Case(archives: [[(1, ["a"]), (1, nil), (2, [])]], counts: ["1|1", "2|0"]),
      Case(archives: [[(1, ["a"]), (1, ["b"]), (2, [])]], counts: ["1|2", "2|0"]),
      Case(archives: [[(1, ["a", "b"])], [(1, ["b"]), (2, [])]], counts: ["1|2", "2|0"]),
      Case(archives: [[(1, ["a", "b"]), (1, ["b"]), (2, [])]], counts: ["1|2", "2|0"]),
      Case(archives: [[(1, ["a"]), (2, nil)], [(1, [])]], counts: ["1|1", "2|NULL"]),
      Case(archives: [[(1, ["a"])], [(1, ["b", "c"]), (2, [])]], counts: ["1|3", "2|0"]),
      Case(
        archives: [[(1, ["a"])], [(2, ["a"])], [(1, []), (3, [])]], counts: ["1|1", "2|1", "3|0"]),
    ]

    /// Lists that are rows of their own, and share members.
    static let contested = [
      Case(
        archives: [[(1, ["a", "b"]), (2, ["b"]), (3, nil)]], counts: ["1|1", "2|1", "3|NULL"]),
      Case(archives: [[(1, ["a"]), (2, ["a"])]], counts: ["1|0", "2|1"]),
      Case(archives: [[(1, ["a", "a"]), (2, [])]], counts: ["1|1", "2|0"]),
      Case(archives: [[(1, ["a", "b"]), (2, [])]], counts: ["1|2", "2|0"]),
    ]
  }

  private func counts(
    _ found: Case, list: String, item: String = "{identity: uid}"
  ) throws -> [String] {
    let archives = found.archives.map { lists in
      KeyedArchiveBuilder.archive { archive in
        var items: [String: PropertyListValue] = [:]
        let roots = lists.map { id, names in
          var values: [KeyValue] = [KeyValue("v", .integer(id))]
          if let names {
            let members = names.map { name in
              let known =
                items[name] ?? archive.instance(of: "Item", ["uid": archive.string(name)])
              items[name] = known
              return known
            }
            values.append(KeyValue("items", archive.array(members)))
          }
          return archive.instance(of: "List", values)
        }
        return archive.array(roots)
      }
    }
    let mapping = "entities: {List: \(list), Item: \(item)}"
    var conversion = try SteeredConversion(archives, mapping: mapping, ImportExtensions())
    conversion.options.verifies = true
    let (store, report) = try conversion.run()
    #expect(report.verification?.differences == [])
    return try store.lines("SELECT v, items_count FROM List ORDER BY v")
  }

  @Test("is that of all objects that are one row", arguments: Case.merged, ["true", "false"])
  func merged(_ found: Case, isOrdered: String) throws {
    let list =
      "{identity: v, relationships: {items: {to: Item, toMany: true, ordered: \(isOrdered), "
      + "keepCount: true}}}"
    #expect(try counts(found, list: list) == found.counts)
  }

  @Test("leaves out what another collection took", arguments: Case.contested)
  func contested(_ found: Case) throws {
    let list =
      "{relationships: {items: {to: Item, toMany: true, inverse: list, keepCount: true}}}"
    #expect(
      try counts(found, list: list, item: "{relationships: {list: {to: List, inverse: items}}}")
        == found.counts)
  }

  @Test("counts each row once where both sides are collections")
  func pairs() throws {
    let found = Case(
      archives: [[(1, ["a", "a", "b"]), (2, ["a"]), (3, [])]], counts: ["1|2", "2|1", "3|0"])
    let list =
      "{relationships: {items: {to: Item, toMany: true, inverse: lists, keepCount: true}}}"
    let item = "{relationships: {lists: {to: List, toMany: true, inverse: items}}}"
    #expect(try counts(found, list: list, item: item) == found.counts)
  }
}

extension MemberCountTests {
  @Test("stays what it was in rows of earlier runs that nothing has changed")
  func earlierRuns() throws {
    let folder = try TemporaryFolder()
    let path = folder.file(named: "out.sqlite")
    let mapping = """
      entities:
        Node:
          relationships:
            owner: {to: Node, toMany: false}
            items: {to: Node, toMany: true, ordered: true, keepCount: true}
      """
    var options = ConversionOptions()
    options.existingStore = .append
    options.verifies = true
    options.mappingPath = try folder.write(mapping, to: "mapping.yaml")
    // That the items name their owner is so in the second archive alone: there it is the inverse.
    let archives = [true, false].map { isRepeated in
      KeyedArchiveBuilder.archive { archive in
        let node = archive.reserve()
        let items = Array(repeating: node.reference, count: isRepeated ? 2 : 1)
        return archive.fill(
          node, className: "Node", ["owner": node.reference, "items": archive.array(items)])
      }
    }
    let inputs = try archives.enumerated().map {
      try folder.write($1.binary(), to: "a\($0).plist")
    }
    for input in inputs {
      var conversion = Conversion(inputs: [input], destination: path, options: options)
      #expect(try conversion.run().verification?.differences == [])
    }
    #expect(try StoreQuery(path).lines("SELECT items_count FROM Node") == ["2", "1"])
    var verifier = StoreVerifier(store: path, inputs: inputs, options: ConversionOptions())
    #expect(try verifier.run().verification?.differences == [])
  }

  @Test("is right in rows of earlier runs whose members another run has changed")
  func changedRows() throws {
    let folder = try TemporaryFolder()
    let path = folder.file(named: "out.sqlite")
    let mapping = """
      entities:
        List:
          identity: v
          relationships: {items: {to: Item, toMany: true, inverse: list, keepCount: true}}
        Item: {identity: uid, relationships: {list: {to: List, inverse: items}}}
      """
    var options = ConversionOptions()
    options.existingStore = .append
    options.verifies = true
    options.mappingPath = try folder.write(mapping, to: "mapping.yaml")
    let lists: [[(Int64, [String])]] = [
      [(1, ["a", "b"]), (2, ["c"]), (3, ["d"])], [(4, ["b"]), (2, ["e"])],
    ]
    for (index, lists) in lists.enumerated() {
      let archive = KeyedArchiveBuilder.archive { archive in
        let roots = lists.map { id, names in
          let items = names.map { archive.instance(of: "Item", ["uid": archive.string($0)]) }
          return archive.instance(of: "List", ["v": .integer(id), "items": archive.array(items)])
        }
        return archive.array(roots)
      }
      let input = try folder.write(archive.binary(), to: "a\(index).plist")
      var conversion = Conversion(inputs: [input], destination: path, options: options)
      #expect(try conversion.run().verification?.differences == [])
    }
    #expect(
      try StoreQuery(path).lines("SELECT v, items_count FROM List") == [
        "1|1", "2|2", "3|1", "4|1",
      ])
  }
}
