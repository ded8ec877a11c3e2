import ArchiveReader
import ArchiveWriter
import Importer
import TestSupport
import Testing

@Suite("Key paths of a mapping through collections in collections")
struct KeyPathLimitTests {
  private static let mapping = """
    entities:
      Box: {attributes: {name: {from: list.name, type: string, convert: json}}}
    """

  private func conversion(_ archive: KeyedArchiveBuilder) throws -> SteeredConversion {
    try SteeredConversion([archive], mapping: Self.mapping, ImportExtensions())
  }

  @Test("are followed to each element")
  func elements() throws {
    let archive = KeyedArchiveBuilder.of("Box") { archive in
      let thing = archive.instance(of: "Thing", ["name": archive.string("x")])
      return ["list": archive.array([thing, archive.array([thing, thing])])]
    }
    let (store, _) = try conversion(archive).run()
    #expect(try store.lines("SELECT name FROM Box") == [#"["x",["x","x"]]"#])
  }

  @Test("end with an error where a collection holds itself")
  func cycle() throws {
    let archive = KeyedArchiveBuilder.of("Box") { archive in
      let list = archive.reserve()
      return ["list": archive.fill(list, className: "NSArray", ["NS.objects": [list.reference]])]
    }
    let messages = try conversion(archive).failure()
    #expect(messages == ["a0.plist: nesting is deeper than the limit of 64 levels"])
  }

  @Test("end with an error where shared collections grow out of proportion")
  func expansion() throws {
    let archive = KeyedArchiveBuilder.of("Box") { archive in
      let list = (0..<20).reduce(into: archive.array([])) { list, _ in
        list = archive.array([list, list])
      }
      return ["list": list]
    }
    let messages = try conversion(archive).failure()
    #expect(
      messages == [
        "a0.plist: values would expand to more than the limit of 64 times the file's size; "
          + "raise it with --limit expansion=N"
      ])
  }
}
