import ArchiveWriter
import Converter
import Testing

@Suite("A relationship to several rows and a collection of values of one name")
struct SharedCollectionNameTests {
  @Test("are refused where two classes that become one entity have them")
  func twoClasses() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let part = archive.instance(of: "Part", ["number": 1])
      return archive.array([
        archive.instance(of: "Rows", ["items": archive.array([part])]),
        archive.instance(of: "Texts", ["items": archive.array([archive.string("a")])]),
      ])
    }
    let conversion = try SteeredConversion(
      [archive], mapping: "entities: {All: {from: [Rows, Texts]}}", ImportExtensions())
    let error = #expect(throws: ConversionError.self) { try conversion.run() }
    #expect(
      error?.messages.first?.hasSuffix(
        "'All.items' contradicts another block: a relationship to several rows") == true)
  }
}
