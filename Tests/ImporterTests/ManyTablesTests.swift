import ArchiveReader
import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@Suite("Stores of many tables")
struct ManyTablesTests {
  /// An archive of objects with a collection under each of some keys.
  private static func archive(_ names: [String], objects: Int = 2) -> KeyedArchiveBuilder {
    .archive { archive in
      archive.array(
        (0..<objects).map { number in
          let pairs = names.map { name in
            KeyValue(
              name, archive.array([archive.string("\(name) \(number)"), archive.string("x")]))
          }
          return archive.instance(of: "Note", pairs)
        })
    }
  }

  @Test("are compared table by table, whatever their number")
  func comparison() throws {
    let folder = try TemporaryFolder()
    let names = (0..<150).map { "list\(1_000 + $0)" }
    let input = try folder.write(Self.archive(names).binary(), to: "a")
    let store = folder.file(named: "out.db")
    var conversion = Conversion(
      inputs: [input], destination: store, options: ConversionOptions.pairs)
    _ = try conversion.run()
    func verify() throws -> VerificationResult {
      var verifier = StoreVerifier(store: store, inputs: [input], options: ConversionOptions.pairs)
      return try #require(try verifier.run().verification)
    }
    let untouched = try verify()
    #expect(untouched.differences == [])
    for name in [names[0], names[63], names[64], names[149]] {
      let editor = try StoreEditor(store)
      try editor.run("UPDATE Note_\(name) SET value = 'y' WHERE Note_id = 2 AND position = 0")
      editor.close()
      let result = try verify()
      #expect(result.valuesCompared == untouched.valuesCompared)
      let differences = result.differences.map { "\($0.property) \($0.expected) \($0.found)" }
      #expect(differences.count == 1 && differences[0].contains("'\(name) 1'"), "\(differences)")
      let other = try StoreEditor(store)
      try other.run("UPDATE Note_\(name) SET value = '\(name) 1' WHERE value = 'y'")
      other.close()
    }
  }

  @Test("are refused beyond a limit, which counts the tables of earlier runs")
  func limit() throws {
    let folder = try TemporaryFolder()
    let store = folder.file(named: "out.db")
    func run(_ names: [String], limit: Int, isDryRun: Bool = false) throws {
      let input = try folder.write(Self.archive(names).binary(), to: names.joined())
      var options = ConversionOptions.pairs
      options.limits.tables = limit
      options.existingStore = .append
      options.isDryRun = isDryRun
      options.verifies = !isDryRun
      var conversion = Conversion(inputs: [input], destination: store, options: options)
      _ = try conversion.run()
    }
    func message(_ names: [String], limit: Int, isDryRun: Bool = false) -> [String]? {
      let error = #expect(throws: ConversionError.self) {
        try run(names, limit: limit, isDryRun: isDryRun)
      }
      return error?.messages
    }
    func words(_ limit: Int) -> [String] {
      [
        "\(store): the store would have more tables than the limit of \(limit); "
          + "raise it with --limit tables=N"
      ]
    }
    #expect(message(["a", "b"], limit: 2) == words(2))
    #expect(message(["a", "b"], limit: 2, isDryRun: true) == words(2))
    #expect(throws: Never.self) { try run(["a", "b"], limit: 3) }
    #expect(throws: Never.self) { try run(["b"], limit: 3) }
    let tables = try StoreQuery(store).value("SELECT count(*) FROM pragma_table_list")
    #expect(message(["b", "c"], limit: 3) == words(3))
    #expect(try StoreQuery(store).value("SELECT count(*) FROM pragma_table_list") == tables)
    #expect(throws: Never.self) { try run(["b", "c"], limit: Int(tables) ?? 0) }
    // The limit is remembered.
    var verifier = StoreVerifier(
      store: store, inputs: ["ab", "b", "bc"].map { folder.file(named: $0) },
      options: ConversionOptions.pairs)
    #expect(try verifier.run().verification?.isPassed == true)
  }

  @Test("are planned in the same way by a mapping that says all of the model")
  func mapping() throws {
    let names = (0..<40).map { "list\($0)" }
    let archives = [Self.archive(names), Self.archive(Array(names.reversed()))]
    let blocks = names.map { "\($0): {ordered: true, values: string}" }.joined(separator: ", ")
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "entities: {Note: {complete: true, collections: {\(blocks)}}}", to: "mapping.yaml")
    let plain = try ConvertedStore(archives) { $0.verifies = true }
    let mapped = try ConvertedStore(archives) { options in
      options.verifies = true
      options.mappingPath = path
    }
    #expect(try plain.tables() == mapped.tables())
    for table in try plain.tables() {
      #expect(
        try plain.lines("SELECT * FROM \(table)") == mapped.lines("SELECT * FROM \(table)"))
    }
  }
}
