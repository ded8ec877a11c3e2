import ArchiveWriter
import Converter
import TestSupport
import Testing

@Suite("Names of entities that differ in letter case only")
struct EntityCaseTests {
  private static let archive = KeyedArchiveBuilder.archive { archive in
    archive.array([
      archive.instance(of: "A", ["x": 1]), archive.instance(of: "B", ["x": 2]),
    ])
  }

  @Test(
    "are those of tables and views of their own",
    arguments: [
      ("Note: {from: A}, note: {from: B}", ["Note|1", "note_2|2"]),
      (
        "P: {abstract: true}, Note: {from: A, parent: P}, note: {from: B, parent: P}",
        ["Note|1", "note_2|2", "P|1", "P|2"]
      ),
      (
        "Note: {from: A}, note: {from: B, parent: Q}, Q: {abstract: true}",
        ["Note|1", "note_2|2", "Q|2"]
      ),
      ("p: {from: A}, P: {from: B, parent: p}", ["p|1", "p|2", "P_2|2"]),
    ])
  func names(blocks: String, rows: [String]) throws {
    let folder = try TemporaryFolder()
    let path = folder.file(named: "out.sqlite")
    var options = ConversionOptions()
    options.verifies = true
    options.mappingPath = try folder.write("entities: {\(blocks)}", to: "mapping.yaml")
    let input = try folder.write(Self.archive.binary(), to: "a.plist")
    var conversion = Conversion(inputs: [input], destination: path, options: options)
    #expect(try conversion.run().verification?.differences == [])
    let store = try StoreQuery(path)
    let tables = try store.lines(
      "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE '\\_%' "
        + "ESCAPE '\\'")
    var found: [String] = []
    for table in tables {
      found += try store.lines("SELECT x FROM \"\(table)\"").map { "\(table)|\($0)" }
    }
    #expect(found.sorted() == rows.sorted())
    // Another run of the same request finds them under the same names.
    options.existingStore = .append
    let other = KeyedArchiveBuilder.archive { $0.instance(of: "B", ["x": 3]) }
    var addition = Conversion(
      inputs: [try folder.write(other.binary(), to: "b.plist")], destination: path, options: options
    )
    #expect(try addition.run().verification?.differences == [])
    #expect(
      try StoreQuery(path).lines(
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE '\\_%' "
          + "ESCAPE '\\'"
      ).sorted() == tables.sorted())
    var verifier = StoreVerifier(
      store: path, inputs: [input, folder.file(named: "b.plist")], options: ConversionOptions())
    #expect(try verifier.run().verification?.differences == [])
  }
}
