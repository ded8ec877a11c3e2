import ArchiveWriter
import Converter
import TestSupport
import Testing

/// Archives with numbers that SQLite has no real for, where a column is declared as one of reals.
@Suite("A column for real numbers")
struct RealColumnTests {
  /// What a mapping says of the attribute `v`, and what becomes of 1.5, NaN and -0.0.
  struct Case: Sendable, CustomTestStringConvertible {
    var settings: String
    var lines: [String]
    var losses: [String]
    var testDescription: String { settings }
  }

  static let cases = [
    Case(
      settings: "type: double", lines: ["real|1.5", "null|NULL", "real|0.0"],
      losses: ["v NaN nil", "v -0 0"]),
    Case(
      settings: "type: float", lines: ["real|1.5", "null|NULL", "real|0.0"],
      losses: ["v NaN nil", "v -0 0"]),
    Case(
      settings: "type: double, maximum: 2", lines: ["real|1.5", "null|NULL", "real|0.0"],
      losses: ["v NaN nil", "v -0 0"]),
    Case(
      settings: "type: double, default: 7", lines: ["real|1.5", "null|NULL", "real|0.0"],
      losses: ["v NaN nil", "v -0 0"]),
    Case(
      settings: "type: double, keepNegativeZero: true",
      lines: ["real|1.5", "text|NaN", "real|-0.0"], losses: []),
    Case(settings: "{}", lines: ["real|1.5", "text|NaN", "real|-0.0"], losses: []),
  ]

  @Test("has nothing for NaN and no sign of zero, which is told", arguments: cases)
  func losses(_ found: Case) throws {
    let settings = found.settings == "{}" ? "{}" : "{\(found.settings)}"
    var conversion = try SteeredConversion(
      [Self.archive], mapping: "entities: {T: {attributes: {v: \(settings)}}}", ImportExtensions())
    conversion.options.verifies = true
    let (store, report) = try conversion.run(isRepeated: false)
    #expect(
      try store.lines("SELECT typeof(v), v FROM T ORDER BY id")
        == found.lines)
    #expect(report.losses.map { "\($0.key) \($0.before) \($0.after)" } == found.losses)
    #expect(report.verification?.differences == [])
  }

  @Test(
    "refuses NaN where a value is required",
    arguments: ["optional: false", "optional: false, default: 7"])
  func required(settings: String) throws {
    let conversion = try SteeredConversion(
      [Self.archive], mapping: "entities: {T: {attributes: {v: {type: double, \(settings)}}}}",
      ImportExtensions())
    let messages = try conversion.failure()
    #expect(messages.count == 1)
    #expect(
      messages[0].hasSuffix(
        "object 3 (T): T.v: cannot hold this real number (NaN, but a value is required)"))
  }

  /// Sets values of all kinds of columns.
  struct Hook: ImportHook {
    static let archivedClassNames = ["T"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let instance = try coder.insert(into: "T")
      let value = try coder.decodeDouble(forKey: "v")
      instance["v"] = value
      instance["all"] = ImportValue.list([.real(value)])
      return instance
    }
  }

  @Test("has nothing for what hooks set, too")
  func hooks() throws {
    let conversion = try SteeredConversion(
      [Self.archive],
      mapping: """
        entities:
          T: {attributes: {v: {type: double}}, collections: {all: {values: double}}}
        """,
      ImportExtensions(hooks: [Hook.self]))
    let (store, report) = try conversion.run(isRepeated: false)
    #expect(try store.lines("SELECT v FROM T ORDER BY id") == ["1.5", "NULL", "0.0"])
    #expect(try store.lines("SELECT value FROM T_all ORDER BY id") == ["1.5", "NULL", "0.0"])
    #expect(report.losses.map(\.before).sorted() == ["-0", "-0", "NaN", "NaN"])
  }

  @Test("fails a comparison if it has nothing for another number")
  func emptied() throws {
    let folder = try TemporaryFolder()
    let input = try folder.write(Self.archive.binary(), to: "a.plist")
    var options = ConversionOptions()
    options.mappingPath = try folder.write(
      "entities: {T: {attributes: {v: {type: double}}}}", to: "mapping.yaml")
    let path = folder.file(named: "out.sqlite")
    var conversion = Conversion(inputs: [input], destination: path, options: options)
    _ = try conversion.run()
    func differences() throws -> [String]? {
      var verifier = StoreVerifier(store: path, inputs: [input], options: options)
      return try verifier.run().verification?.differences.map {
        "\($0.row ?? 0) \($0.expected) \($0.found)"
      }
    }
    #expect(try differences() == [])
    for (change, difference) in [
      ("NULL WHERE id = 1", "1 1.5 NULL"), ("0 WHERE id = 2", "2 'NaN' 0.0"),
    ] {
      let copy = try StoreEditor(path)
      let old = change.hasSuffix("1") ? "1.5" : "NULL"
      try copy.run("UPDATE T SET v = \(change)")
      #expect(try differences() == [difference])
      try copy.run("UPDATE T SET v = \(old) \(change.suffix(12))")
      copy.close()
    }
  }

  private static let archive = KeyedArchiveBuilder.archive { archive in
    archive.array(
      [1.5, .real(.nan), .real(-0.0)].map { archive.instance(of: "T", ["v": $0]) })
  }
}
