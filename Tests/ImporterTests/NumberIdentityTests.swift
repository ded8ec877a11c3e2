import ArchiveWriter
import Converter
import TestSupport
import Testing

/// Numbers that are equal in SQL, whatever their types and signs.
@Suite("Equal numbers as identities")
struct NumberIdentityTests {
  /// What objects hold, archive by archive, and what the rows hold in the end.
  struct Case: Sendable, CustomTestStringConvertible {
    let archives: [[PropertyListValue]]
    let rows: [String]
    let conflicts: Int
    var testDescription: String { "\(archives) → \(rows)" }

    init(_ archives: [[PropertyListValue]], _ rows: [String], conflicts: Int) {
      (self.archives, self.rows, self.conflicts) = (archives, rows, conflicts)
    }

    static let all = [
      Case([[.real(-0.0), .real(0)]], ["real|0.0"], conflicts: 1),
      Case([[.real(-0.0)], [.real(0)]], ["real|0.0"], conflicts: 1),
      Case([[.real(0)], [.real(-0.0)]], ["real|-0.0"], conflicts: 1),
      Case([[.real(-0.0)], [.real(0)], [.real(-0.0), .real(-0.0)]], ["real|-0.0"], conflicts: 2),
      Case([[.real(-0.0), 0]], ["integer|0"], conflicts: 1),
      Case([[1, .real(1), true]], ["integer|1"], conflicts: 2),
      Case([[true], [1], [.real(1)]], ["real|1.0"], conflicts: 1),
      Case([[true, 1], [.real(2), 2]], ["integer|1", "integer|2"], conflicts: 1),
      Case(
        [[9_007_199_254_740_993, .real(9_007_199_254_740_992)]],
        ["integer|9007199254740993", "real|9007199254740992.0"], conflicts: 0),
      Case([[.real(.nan)], [.real(.nan), 0]], ["text|NaN", "integer|0"], conflicts: 0),
    ]
  }

  private func conversion(
    _ archives: [[PropertyListValue]], _ block: String
  ) throws -> SteeredConversion {
    let archives = archives.map { values in
      KeyedArchiveBuilder.archive { archive in
        archive.array(values.map { archive.instance(of: "Thing", ["v": $0]) })
      }
    }
    var conversion = try SteeredConversion(
      archives, mapping: "entities: {Thing: {\(block)}}", ImportExtensions())
    conversion.options.verifies = true
    return conversion
  }

  @Test("are one, of which the later form is kept", arguments: Case.all)
  func merged(_ found: Case) throws {
    let (store, report) = try conversion(found.archives, "identity: v").run(isRepeated: false)
    #expect(report.verification?.differences == [])
    #expect(try store.lines("SELECT typeof(v), v FROM Thing") == found.rows)
    #expect(report.conflicts.count == found.conflicts)
  }

  @Test("are one where one of them is in the store")
  func appended() throws {
    let folder = try TemporaryFolder()
    let path = folder.file(named: "out.sqlite")
    for (index, value) in [PropertyListValue.real(1), 1, true, .real(.nan), .real(.nan)]
      .enumerated()
    {
      let archive = KeyedArchiveBuilder.archive { archive in
        archive.array([archive.instance(of: "Thing", ["v": value, "n": .integer(Int64(index))])])
      }
      var options = ConversionOptions()
      options.existingStore = .append
      options.verifies = true
      options.mappingPath = try folder.write(
        "entities: {Thing: {identity: v, attributes: {v: {type: mixed}}}}", to: "mapping.yaml")
      var conversion = Conversion(
        inputs: [try folder.write(archive.binary(), to: "a\(index).plist")], destination: path,
        options: options)
      let report = try conversion.run()
      #expect(report.verification?.differences == [])
    }
    #expect(try StoreQuery(path).lines("SELECT v, n FROM Thing") == ["1|2", "NaN|4"])
  }

  @Test("replace each other in other attributes, as all that differs does")
  func otherAttributes() throws {
    let archives = [[PropertyListValue.real(0)], [.real(-0.0)], [.real(-0.0)]].map { values in
      KeyedArchiveBuilder.archive { archive in
        archive.array(values.map { archive.instance(of: "Thing", ["key": 1, "v": $0]) })
      }
    }
    var conversion = try SteeredConversion(
      archives, mapping: "entities: {Thing: {identity: key}}",
      ImportExtensions())
    conversion.options.verifies = true
    let (store, report) = try conversion.run(isRepeated: false)
    #expect(report.verification?.differences == [])
    #expect(try store.lines("SELECT v FROM Thing") == ["-0.0"])
    #expect(report.conflicts.count == 1)
  }

  @Test(
    "lose the sign of zero in a column of reals, which is told",
    arguments: [
      ("attributes: {v: {type: double}}", 2), ("attributes: {v: {type: float}}", 2),
      ("complete: true, attributes: {v: {type: double}}", 2),
      ("attributes: {v: {type: double, minimum: -1}}", 2),
      ("attributes: {v: {type: double, optional: false}}", 2),
      ("attributes: {v: {type: double, keepNegativeZero: true}}", 0),
      ("attributes: {v: {}}", 0), ("attributes: {v: {type: mixed}}", 0),
    ])
  func signs(block: String, losses: Int) throws {
    let (store, report) = try conversion([[.real(-0.0), .real(0), .real(-0.0), .real(1)]], block)
      .run(isRepeated: false)
    #expect(report.verification?.differences == [])
    #expect(report.lossCount == losses)
    #expect(report.losses.allSatisfy { $0.reason == "sign of -0.0 dropped" && $0.key == "v" })
    #expect(
      try store.lines("SELECT v FROM Thing")
        == (losses == 0 ? ["-0.0", "0.0", "-0.0", "1.0"] : ["0.0", "0.0", "0.0", "1.0"]))
  }
}
