import ArchiveWriter
import Converter
import TestSupport
import Testing

@Suite("A mapping that has passes and no entities")
struct LeadingPassTests {
  private static let archive = KeyedArchiveBuilder.archive { archive in
    let kind = archive.instance(of: "Kind", ["raw": 1])
    let folder = archive.instance(of: "Folder", ["name": archive.string("f")])
    let notes = (1...2).map { number in
      archive.instance(
        of: "Note", ["title": archive.string("n\(number)"), "kind": kind, "folder": folder])
    }
    return archive.array(notes)
  }

  private static let block =
    "Note: {from: Note, complete: true, attributes: {title: }, relationships: {folder: {}}}"

  private func convert(_ mapping: String) throws -> (store: StoreQuery, report: ConversionReport) {
    var conversion = try SteeredConversion([Self.archive], mapping: mapping, ImportExtensions())
    conversion.options.verifies = true
    let result = try conversion.run(isRepeated: false)
    #expect(result.report.verification?.differences == [])
    return result
  }

  @Test("begins with the first of them, as if its blocks stood under entities")
  func single() throws {
    let expected = try convert("entities: {\(Self.block)}")
    let found = try convert("passes: [{name: A, entities: {\(Self.block)}}]")
    #expect(try found.store.schema() == expected.store.schema())
    for table in ["Note", "Folder", "Kind", "_rows", "_class", "_collection_element"] {
      #expect(
        try found.store.lines("SELECT * FROM \(table)")
          == expected.store.lines("SELECT * FROM \(table)"))
    }
    #expect(try found.store.value("SELECT count(*) FROM Kind") == "0")
    #expect(found.report.unread == expected.report.unread)
    #expect(found.report.unvisitedObjects.map(\.className) == ["Kind"])
  }

  @Test("converts other classes in the first, where something it reads leads to them")
  func several() throws {
    let copy = "Copy: {from: Note, complete: true, attributes: {title: }}"
    let expected = try convert(
      "entities: {\(Self.block)}\npasses: [{name: B, entities: {\(copy)}}]")
    let found = try convert(
      "passes: [{name: A, entities: {\(Self.block)}}, {name: B, entities: {\(copy)}}]")
    for table in ["Note", "Folder", "Kind", "Copy", "_rows", "_class"] {
      #expect(
        try found.store.lines("SELECT * FROM \(table)")
          == expected.store.lines("SELECT * FROM \(table)"))
    }
  }
}
