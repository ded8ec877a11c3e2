import ArchiveWriter
import Converter
import TestSupport
import Testing

@Suite("Objects that a mapping makes JSON of")
struct ObjectsAsJSONTests {
  private func convert(_ archive: KeyedArchiveBuilder, _ yaml: String) throws -> ConvertedStore {
    let folder = try TemporaryFolder()
    let mapping = try folder.write(yaml, to: "m.yaml")
    return try ConvertedStore(archive) {
      $0.mappingPath = mapping
      $0.verifies = true
    }
  }

  private static let mapping = "entities:\n  Box:\n    attributes: {x: {convert: json}}\n"

  /// A box with an object that holds another twice, and a list.
  private func nested() -> KeyedArchiveBuilder {
    .archive { archive in
      let leaf = archive.instance(of: "Leaf", ["n": 1, "s": archive.string("a\"b")])
      let list = archive.array([leaf, .none, 2.5])
      let inner = archive.instance(of: "Inner", ["first": leaf, "list": list, "nothing": .none])
      return archive.instance(of: "Box", ["x": inner, "y": 3])
    }
  }

  @Test("are values with all that they hold, and no rows")
  func values() throws {
    let store = try convert(nested(), Self.mapping)
    let leaf = #"{"$class":"Leaf","n":1,"s":"a\"b"}"#
    #expect(
      try store.lines("SELECT x, y FROM Box")
        == [#"{"$class":"Inner","first":\#(leaf),"list":[\#(leaf),null,2.5],"nothing":null}|3"#])
    #expect(try store.tables() == ["Box"])
    #expect(store.report.unvisitedObjects.isEmpty && store.report.ignoredKeys.isEmpty)
    #expect(store.report.verification?.isPassed == true)
  }

  @Test("are rows as well where other keys lead to them")
  func rowsElsewhere() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let leaf = archive.instance(of: "Leaf", ["n": 1])
      return archive.instance(of: "Box", ["x": leaf, "y": leaf])
    }
    let store = try convert(archive, Self.mapping)
    #expect(
      try store.lines("SELECT x, n FROM Box JOIN Leaf ON Leaf.id = y_id")
        == [#"{"$class":"Leaf","n":1}|1"#])
  }

  @Test("have what stands for objects of a value class")
  func valueClasses() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let kind = archive.instance(of: "Kind", ["raw": 7])
      let leaf = archive.instance(of: "Leaf", ["kind": kind])
      return archive.instance(of: "Box", ["x": leaf])
    }
    let store = try convert(archive, "classes: {Kind: {value: raw}}\n" + Self.mapping)
    #expect(try store.lines("SELECT x FROM Box") == [#"{"$class":"Leaf","kind":7}"#])
  }

  @Test("inside of themselves are told by how far up they are")
  func cycle() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let parent = archive.reserve()
      let child = archive.instance(of: "Child", ["parent": parent.reference])
      let both = archive.array([child, child])
      archive.fill(parent, className: "Parent", ["me": parent.reference, "children": both])
      return archive.instance(of: "Box", ["x": parent.reference])
    }
    let store = try convert(archive, Self.mapping)
    let child = #"{"$class":"Child","parent":{"$up":2}}"#
    #expect(
      try store.lines("SELECT x FROM Box")
        == [#"{"$class":"Parent","me":{"$up":1},"children":[\#(child),\#(child)]}"#])
  }

  @Test("too deep in one another are nothing, and listed")
  func depth() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      var inner = PropertyListValue.integer(1)
      for _ in 0..<70 { inner = archive.instance(of: "Leaf", ["x": inner]) }
      let deep = archive.instance(of: "Box", ["x": inner, "y": 1])
      var list = archive.array([])
      for _ in 0..<70 { list = archive.array([list]) }
      return archive.array([deep, archive.instance(of: "Box", ["x": list, "y": 2])])
    }
    let store = try convert(archive, Self.mapping)
    #expect(try store.lines("SELECT x, y FROM Box ORDER BY y") == ["NULL|1", "NULL|2"])
    #expect(store.report.lossCount == 2 && store.report.losses.allSatisfy { $0.key == "x" })
    #expect(store.report.verification?.isPassed == true)
  }

  @Test("are texts with their runs, if only these are asked for")
  func runs() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let plain = archive.instance(of: "Box", ["x": archive.string("plain")])
      let other = archive.instance(of: "Box", ["x": 5])
      return archive.array([plain, other])
    }
    let store = try convert(
      archive, "entities:\n  Box:\n    attributes: {x: , parts: {from: x, convert: runs}}\n")
    #expect(
      try store.lines("SELECT x, parts FROM Box ORDER BY id")
        == [#"plain|[{"attributes":{},"text":"plain"}]"#, "5|NULL"])
  }
}
