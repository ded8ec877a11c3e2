import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

/// Entities with more keys than a table has columns.
@Suite("Keys that find no room in a table")
struct WideEntityTests {
  /// An object with a name and many numbered keys.
  private func wide(_ count: Int = 2_005, _ changes: [Int: Int64] = [:]) -> KeyedArchiveBuilder {
    KeyedArchiveBuilder.archive { archive in
      let numbers = (0..<count).map { KeyValue("k\($0)", .integer(changes[$0] ?? Int64($0))) }
      return archive.instance(of: "Wide", [KeyValue("name", archive.string("a"))] + numbers)
    }
  }

  private func steered(_ archives: KeyedArchiveBuilder...) throws -> SteeredConversion {
    try SteeredConversion(
      archives, mapping: "entities: {Wide: {identity: name}}", ImportExtensions())
  }

  @Test("are written anew, and compared, as columns are where two objects are one row")
  func merged() throws {
    var conversion = try steered(wide(), wide(2_006, [0: -1, 2_004: -2]))
    conversion.options.verifies = true
    let (store, report) = try conversion.run()
    #expect(report.verification?.differences == [])
    #expect(report.conflicts.map(\.property).sorted() == ["k0", "k2004"])
    #expect(report.conflicts.allSatisfy { $0.code == .differentValue })
    #expect(try store.lines("SELECT name, k0, k1 FROM Wide") == ["a|-1|1"])
    #expect(
      try store.lines(
        "SELECT key, value FROM Wide_more WHERE key >= 'k2003' ORDER BY key LIMIT 3") == [
          "k2003|2003", "k2004|-2", "k2005|2005",
        ])
    #expect(
      try store.lines("SELECT count(*) = count(DISTINCT key), count(DISTINCT key) FROM Wide_more")
        == ["1|\(2_007 - (try store.columns("Wide").count - 1))"])
  }

  @Test("are counted like the others, whether rows are written straight from the archive or not")
  func counted() throws {
    let reports = [try ConvertedStore(wide()).report, try steered(wide()).run().report]
    for report in reports {
      let entity = try #require(report.entities.first)
      #expect(entity.values == 2_006)
      #expect(entity.attributes.last?.values == 1)
    }
  }

  @Test("have the names that their columns would have, straight from the archive or not")
  func names() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let numbers = (0..<2_005).map { KeyValue("k\($0)", .integer(Int64($0))) }
      return archive.instance(of: "Wide", numbers + [KeyValue("K7", .integer(-7))])
    }
    for avoidsPlainRows in [false, true] {
      var conversion = try SteeredConversion([archive], ImportExtensions())
      conversion.options.avoidsPlainRows = avoidsPlainRows
      conversion.options.verifies = true
      let (store, report) = try conversion.run()
      #expect(report.verification?.differences == [])
      #expect(
        try store.lines("SELECT key, value FROM Wide_more WHERE value < 0") == ["K7_2|-7"])
    }
  }

  @Test("leave room for the columns of the attributes of texts")
  func attributedTexts() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let text = archive.instance(
        of: "NSAttributedString", ["NSString": archive.string("x")])
      return archive.instance(of: "Wide", (0..<1_100).map { KeyValue("t\($0)", text) })
    }
    let converted = try ConvertedStore(archive)
    let columns = try converted.store.columns("Wide").count
    #expect(columns <= 2_000)
    let whole = 1_100 - (columns - 1) / 2
    #expect(whole > 100)
    #expect(
      try converted.lines("SELECT count(*), min(value) FROM Wide_more") == [
        #"\#(whole)|{"class":"NSAttributedString","runs":[],"text":"x"}"#
      ])
    #expect(
      try converted.lines("SELECT t0, t0_runs FROM Wide") == [
        #"x|{"class":"NSAttributedString","runs":[]}"#
      ])
  }

  /// An object with many references, each to an object with a number.
  private func references(_ keys: Range<Int>) -> KeyedArchiveBuilder {
    KeyedArchiveBuilder.archive { archive in
      let parts = keys.map {
        KeyValue("k\($0)", archive.instance(of: "Part", ["n": .integer(Int64($0))]))
      }
      return archive.instance(of: "Wide", parts)
    }
  }

  @Test("keep references, and what these lead to")
  func referencesToRows() throws {
    let report = try ConvertedStore(references(0..<2_005))
    #expect(report.report.unreadKeys == [])
    let rows =
      "SELECT count(*), max(n) FROM Wide_more JOIN Part ON value_type = 'Part' AND value_id = Part.id"
    let columns = try report.store.columns("Wide").count
    #expect(try report.lines(rows) == ["\(2_006 - columns)|2004"])
    #expect(try report.lines("SELECT count(*) FROM Part") == ["2005"])
  }

  @Test("are kept where a store that is added to has many others")
  func added() throws {
    let folder = try TemporaryFolder()
    let store = folder.file(named: "out.db")
    var inputs: [String] = []
    for keys in [0..<1_100, 1_000..<2_100] {
      var options = ConversionOptions()
      (options.existingStore, options.verifies) = (.append, true)
      inputs.append(
        try folder.write(references(keys).binary(), to: "\(keys.lowerBound)-\(keys.count)"))
      var conversion = Conversion(
        inputs: [inputs[inputs.count - 1]], destination: store, options: options)
      #expect(try conversion.run().verification?.isPassed == true)
    }
    let found = try StoreQuery(store)
    #expect(try found.lines("SELECT count(*) FROM Part") == ["2200"])
    let columns = try found.columns("Wide").count - 1
    #expect(
      try found.lines("SELECT count(*), count(DISTINCT key) FROM Wide_more")
        == ["\(2_100 - columns)|\(2_100 - columns)"])
    var verifier = StoreVerifier(store: store, inputs: inputs, options: ConversionOptions())
    #expect(try verifier.run().verification?.isPassed == true)
  }

  @Test("leave the computed numbers of decimals to be found and compared")
  func decimals() throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let prices = (0..<900).map {
        KeyValue("k\($0)", archive.decimal(words: [UInt16($0)], exponent: -1))
      }
      return archive.instance(of: "Wide", prices)
    }
    let converted = try ConvertedStore(archive) { $0.verifies = true }
    #expect(converted.report.verification?.isPassed == true)
    #expect(try converted.lines("SELECT k7, k7_number, k899_number FROM Wide") == ["0.7|0.7|89.9"])
  }
}
