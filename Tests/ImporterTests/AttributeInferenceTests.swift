import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@Suite("Attributes are inferred from the values under a key")
struct AttributeInferenceTests {
  /// What stands under the key, the column it gets, and what the column holds.
  struct Case: CustomTestStringConvertible {
    var name: String
    var column: String
    var stored: [String]
    var values: @Sendable (inout KeyedArchiveBuilder) throws -> [PropertyListValue]

    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(name: "booleans", column: "INTEGER", stored: ["1", "0"]) { _ in [true, false] },
    Case(name: "integers", column: "INTEGER", stored: ["-5", "\(Int64.max)"]) { _ in
      [-5, .integer(.max)]
    },
    Case(name: "booleans and integers", column: "INTEGER", stored: ["1", "7"]) { _ in [true, 7] },
    Case(name: "reals", column: "REAL", stored: ["1.5", "inf", "2.5e-300"]) { _ in
      [1.5, .real(.infinity), .real(2.5e-300)]
    },
    Case(name: "reals and integers", column: "ANY", stored: ["1.5", "2"]) { _ in [1.5, 2] },
    Case(name: "NaN", column: "ANY", stored: ["1.5", "NaN"]) { _ in [1.5, .real(.nan)] },
    Case(name: "negative zero", column: "ANY", stored: ["0.0", "-0.0"]) { _ in
      [.real(0), .real(-0.0)]
    },
    Case(name: "integers beyond 64 bits", column: "ANY", stored: ["1", "18446744073709551615"]) {
      _ in [1, .unsigned(.max)]
    },
    Case(name: "bare and wrapped text", column: "TEXT", stored: ["a", "é", "", "漢字 👶"]) {
      archive in
      [archive.string("a"), archive.mutableString("é"), archive.string(""), "漢字 👶"]
    },
    Case(name: "bare and wrapped data", column: "BLOB", stored: ["x'01'", "x'0203'", "x''"]) {
      archive in
      [archive.data(Data([1])), archive.mutableData(Data([2, 3])), .data(Data())]
    },
    Case(
      name: "dates", column: "TEXT",
      stored: ["2001-01-01T00:00:00.000Z", "2000-12-31T23:59:59.750Z"]
    ) { archive in
      [archive.date(secondsSince2001: 0), archive.date(secondsSince2001: -0.25)]
    },
    Case(name: "decimals", column: "TEXT", stored: ["-12.3", "1000", "NaN"]) { archive in
      [
        try archive.decimal("-12.30"), archive.decimal(words: [1], exponent: 3),
        archive.decimal(words: [], isNegative: true),
      ]
    },
    Case(name: "UUIDs", column: "TEXT", stored: ["6BA7B810-9DAD-11D1-80B4-00C04FD430C8"]) {
      archive in
      [archive.uuid(try #require(UUID(uuidString: "6ba7b810-9dad-11d1-80b4-00c04fd430c8")))]
    },
    Case(
      name: "URLs", column: "TEXT", stored: ["https://example.org/a", "https://example.org/b?q"]
    ) { archive in
      let base = archive.url("https://example.org/a")
      return [base, archive.url("b?q", base: base)]
    },
    Case(name: "text and numbers", column: "ANY", stored: ["a", "1", "2.5"]) { _ in
      ["a", 1, 2.5]
    },
    Case(name: "text and dates", column: "ANY", stored: ["a", "2001-01-01T00:00:00.000Z"]) {
      archive in ["a", archive.date(secondsSince2001: 0)]
    },
    Case(name: "a class", column: "TEXT", stored: ["NSString"]) { archive in
      [archive.classRecord("NSString")]
    },
    Case(name: "nil and NSNull", column: "ANY", stored: ["NULL", "NULL"]) { archive in
      [.none, archive.null()]
    },
    Case(name: "nil among text", column: "TEXT", stored: ["a", "NULL"]) { _ in ["a", .none] },
  ]

  @Test("A column takes its type from its values", arguments: cases)
  func column(_ testCase: Case) throws {
    let archive = try KeyedArchiveBuilder.archive { archive in
      let values = try testCase.values(&archive)
      return archive.array(values.map { archive.instance(of: "Thing", ["value": $0]) })
    }
    let converted = try ConvertedStore(archive)
    #expect(
      try converted.store.columns("Thing") == ["id INTEGER", "value \(testCase.column)"])
    #expect(try converted.lines("SELECT value FROM Thing ORDER BY id") == testCase.stored)
  }

  @Test("A key that only some objects have is NULL in the others")
  func absentKey() throws {
    let converted = try ConvertedStore(
      .archive { archive in
        archive.array([
          archive.instance(of: "Thing", ["a": 1]), archive.instance(of: "Thing", ["b": "x"]),
        ])
      })
    #expect(try converted.lines("SELECT * FROM Thing") == ["1|1|NULL", "2|NULL|x"])
  }

  @Test("An unpaired surrogate becomes U+FFFD and is reported with what it was")
  func unpairedSurrogate() throws {
    let converted = try ConvertedStore(
      .of("Thing") { _ in ["text": .utf16([0x61, 0xD83D, 0x62])] })
    #expect(try converted.lines("SELECT text FROM Thing") == ["a\u{FFFD}b"])
    #expect(converted.report.lossCount == 1)
    let loss = try #require(converted.report.losses.first)
    #expect(loss.className == "Thing")
    #expect(loss.key == "text")
    #expect(loss.before == #"a\u{D83D}b"#)
    #expect(loss.after == "a\u{FFFD}b")
  }

  private final class Reading: ImportedObject {
    override class var archivedClassNames: [String] { ["Thing"] }
    override class var entityName: String? { "Thing" }

    required init(coder: ImportCoder) throws {
      try super.init(coder: coder)
      self["text"] = try coder.decodeString(forKey: "text")
    }
  }

  private static let shortTexts = ModelXML.document(
    """
    <entity name="Thing">
      <attribute name="text" optional="YES" attributeType="String" maxValueString="9"/>
    </entity>
    """)

  @Test(
    "An unpaired surrogate is reported whatever a text passes on its way into a row",
    arguments: [
      ("a check", nil, shortTexts, false),
      ("a conversion", "entities: {Thing: {attributes: {text: {convert: unarchive}}}}", nil, false),
      ("an identity", "entities: {Thing: {identity: [text]}}", nil, false),
      ("a key path", "entities: {Thing: {attributes: {text: {from: inner.text}}}}", nil, false),
      ("a hook", nil, shortTexts, true),
    ] as [(String, String?, String?, Bool)])
  func unpairedSurrogateOnItsWay(
    way: String, mapping: String?, model: String?, isHooked: Bool
  ) throws {
    let archive = KeyedArchiveBuilder.archive { archive in
      let text = archive.add(.utf16([0x61, 0xD83D, 0x62]))
      let inner = archive.instance(of: "Inner", ["text": text])
      return archive.instance(
        of: "Thing", way == "a key path" ? ["inner": inner] : ["text": text])
    }
    let conversion = try SteeredConversion(
      [archive], model: model, mapping: mapping,
      ImportExtensions(hooks: isHooked ? [Reading.self] : []))
    let (store, report) = try conversion.run()
    #expect(try store.lines("SELECT text FROM Thing") == ["a\u{FFFD}b"])
    // The object on the path has a row of its own.
    let keys = way == "a key path" ? ["inner", "text"] : ["text"]
    #expect(report.losses.map(\.key) == keys)
    #expect(report.losses.allSatisfy { $0.before == #"a\u{D83D}b"# })
  }

  @Test("An object of a known class that holds more is a row, and the others stay values")
  func misfit() throws {
    let converted = try ConvertedStore(
      .archive { archive in
        archive.array([
          archive.instance(of: "Thing", ["when": archive.date(secondsSince2001: 1)]),
          archive.instance(
            of: "Thing",
            ["when": archive.instance(of: "NSDate", ["NS.time": 2.0, "zone": "GMT"])]),
        ])
      })
    #expect(converted.report.classesKeptAsObjects == ["NSDate"])
    #expect(
      try converted.lines(
        #"SELECT "when", "NS.time", zone FROM Thing LEFT JOIN NSDate ON NSDate.id = when_id"#)
        == ["2001-01-01T00:00:01.000Z|NULL|NULL", "NULL|2.0|GMT"])
  }
}
