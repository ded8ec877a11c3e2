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

  @Test("cannot be inside of themselves")
  func cycle() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let leaf = archive.reserve()
      archive.fill(leaf, className: "Leaf", ["self": leaf.reference])
      return archive.instance(of: "Box", ["x": leaf.reference])
    }
    let error = #expect(throws: ConversionError.self) { try convert(archive, Self.mapping) }
    #expect("\(String(describing: error))".contains("cannot make JSON from this kind of value"))
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
