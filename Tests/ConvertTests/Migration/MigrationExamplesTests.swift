import Foundation
import TestSupport
import Testing

/// Stores of the old versions, made of the sample archives, and migrated by the examples.
@Suite("The examples: migrations of Core Data stores, with policies in Swift")
struct MigrationExamplesTests {
  /// An example: its folder, its sample archive, and what its new store holds.
  struct Example: Sendable, CustomTestStringConvertible {
    var name: String
    var archive: String
    var model: String
    var rows: [(query: String, lines: [String])]

    var testDescription: String { name }
    var folder: String { "\(Repository.root)/Examples/Migrations/\(name)" }
    var versions: String { "\(folder)/\(model).xcdatamodeld" }
  }

  static let examples = [
    Example(
      name: "Expenses", archive: "Expenses.archive", model: "Expenses",
      rows: [
        (
          """
          SELECT ZNAME, ZSTARTDATE, ZENDDATE, ZEXPENSETOTAL FROM ZTRACKINGPERIOD ORDER BY Z_PK
          """,
          [
            "January 2012|347068800|349747200|56.79", "February 2012|349747200|352252800|1234.5",
            "March 2012|352252800|354931200|2.68", "April 2012|354931200|357523200|1.01",
            "May 2012|357523200|360201600|0.13", "June 2012|360201600|362793600|0.14",
            "July 2012|362793600|365472000|-2.68", "August 2012|365472000|368150400|-0.01",
            "September 2012|368150400|370742400|12", "October 2012|370742400|373420800|0",
            "November 2012|373420800|376012800|0", "December 2012|376012800|378691200|1e+21",
            "January 2013|378691200|381369600|123456789012345.67",
          ]
        )
      ]),
    Example(
      name: "MoneyMom", archive: "QuickRecord.archive", model: "Model",
      rows: [
        (
          """
          SELECT Z_NAME, ZAMOUNT, ZCREATEDAT, ZISPROCESSED, ZTRANSACTION, hex(ZID), hex(ZAUDIOUUID)
            FROM ZQUICKRECORDBASE JOIN Z_PRIMARYKEY USING (Z_ENT) ORDER BY Z_PK
          """,
          [
            "12.3|536835600", "-7|536841000.25", "1000|NULL", "5|536929384.5", "12|537015600",
          ].enumerated().map { index, values in
            "QuickRecord|\(values)|0|NULL|3F2504E04F8941D39A0C0305E82C330\(index + 1)|"
              + "3F2504E04F8941D39A0C0305E82C33\(String(101 + index, radix: 16).uppercased())"
          }
        ),
        // A table of the hierarchy, without a transaction.
        ("SELECT count(*) FROM Z_PRIMARYKEY WHERE Z_NAME = 'Transaction'", ["1"]),
      ]),
    Example(
      name: "Events", archive: "Events.archive", model: "Events",
      rows: [
        ("SELECT count(*) FROM ZPRINTEDEVENT", ["2000"]),
        ("SELECT count(*), count(DISTINCT ZTIMESTAMP) FROM ZSTAMPEDEVENT", ["2000|2000"]),
        (
          "SELECT ZPRINTEDDATE FROM ZPRINTEDEVENT WHERE Z_PK IN (1, 3, 2000) ORDER BY Z_PK",
          [
            "May 22, 2011 at 9:52:00\u{202F}PM", "May 22, 2011 at 10:34:01\u{202F}PM",
            "Jul 24, 2011 at 11:56:53\u{202F}AM",
          ]
        ),
        (
          "SELECT ZTIMESTAMP FROM ZSTAMPEDEVENT WHERE Z_PK IN (1, 3, 5) ORDER BY Z_PK",
          ["1306101120.0", "1306103641.0", "1306110838.375"]
        ),
      ]),
    Example(
      name: "Locations", archive: "Locations.archive", model: "Locations",
      rows: [
        ("SELECT ZNAME FROM ZTAG ORDER BY Z_PK", ["a", "b", "c", "A"]),
        (
          "SELECT ZCREATIONDATE, ZLATITUDE, ZLONGITUDE FROM ZEVENT ORDER BY Z_PK",
          [
            "297073800|37.3317|-122.0307", "297077400.5|40.7484|-73.9857",
            "297081000.25|51.5007|-0.1246", "297160200|-33.8568|151.2153",
            "297163800.75|25.0339|121.5645", "297246600|0.0|180.0",
          ]
        ),
        (
          """
          SELECT Z_1EVENTS, group_concat(ZNAME) FROM (SELECT * FROM Z_1TAGS ORDER BY Z_2TAGS)
            JOIN ZTAG ON Z_PK = Z_2TAGS GROUP BY 1
          """, ["1|a,b", "2|b,c", "6|A"]
        ),
      ]),
  ]

  /// Makes the old store of an example in a folder.
  private static func make(_ example: Example, in folder: TemporaryFolder) throws {
    let made = try Program.run(
      [
        "\(Repository.samples)/\(example.archive)", "--model",
        "\(example.versions)/\(example.model).xcdatamodel", "--layout", "coredata", "-o",
        "old.sqlite", "-q",
      ], in: folder.path)
    try #require(made.status == 0, "\(made)")
  }

  /// Migrates it with the policies.
  private static func migrate(
    _ example: Example, in folder: TemporaryFolder, _ more: String...
  ) throws -> Program.Result {
    try Program.run(
      [
        "migrate", "old.sqlite", "--model", example.versions, "--mapping-model", example.folder,
        "-o", "new.sqlite",
      ] + more, in: folder.path, program: "migration-examples")
  }

  @Test("make the rows that the articles speak of", arguments: examples)
  func rows(example: Example) throws {
    let folder = try TemporaryFolder()
    try Self.make(example, in: folder)
    let result = try Self.migrate(example, in: folder, "--verify")
    #expect(result.status == 0, "\(result)")
    #expect(result.errors == "")
    try Self.expectRows(of: example, in: folder)
    let checked = try folder.convert("check", "new.sqlite", "--model", example.versions)
    #expect(checked.status == 0, "\(checked)")
    let verified = try Program.run(
      ["verify", "new.sqlite", "old.sqlite"], in: folder.path, program: "migration-examples")
    #expect(verified.status == 0, "\(verified)")
    // Sets of tags stay what they were, byte for byte.
    if example.name == "MoneyMom" {
      let tags = try ["ZQUICKRECORDBASE", "ZQUICKRECORD"].map { table in
        try StoreQuery(folder.file(named: table == "ZQUICKRECORD" ? "old.sqlite" : "new.sqlite"))
          .lines("SELECT hex(ZTAGS) FROM \(table) ORDER BY Z_PK")
      }
      #expect(tags[0] == tags[1])
      #expect(tags[0].count == 5)
    }
  }

  private static func expectRows(of example: Example, in folder: TemporaryFolder) throws {
    let store = try StoreQuery(folder.file(named: "new.sqlite"))
    for (query, lines) in example.rows { #expect(try store.lines(query) == lines) }
  }

  /// Migrates it with blocks of a mapping file in place of the policies.
  private static func migrateByBlocks(
    _ example: Example, in folder: TemporaryFolder
  ) throws -> Program.Result {
    try folder.convert(
      "migrate", "old.sqlite", "--model", example.versions, "--mapping-model", example.folder,
      "--mapping", "\(example.folder)/policies.yaml", "-o", "new.sqlite", "--verify")
  }

  @Test(
    "make the same rows without Swift, by blocks of a mapping file",
    arguments: examples.filter { $0.name != "Events" })
  func blocks(example: Example) throws {
    let folder = try TemporaryFolder()
    try Self.make(example, in: folder)
    let result = try Self.migrateByBlocks(example, in: folder)
    #expect(result.status == 0, "\(result)")
    #expect(!result.output.contains("not read"), "\(result)")
    try Self.expectRows(of: example, in: folder)
  }

  @Test("have blocks that the page shows, with the error of a value that is no number")
  func page() throws {
    let page = try String(
      contentsOfFile: "\(Repository.root)/Documentation/migrating.md", encoding: .utf8)
    for example in Self.examples where ["MoneyMom", "Locations"].contains(example.name) {
      let blocks = try String(
        contentsOfFile: "\(example.folder)/policies.yaml", encoding: .utf8)
      #expect(page.contains("```\n\(blocks)```"))
    }
    let example = try #require(Self.examples.first { $0.name == "MoneyMom" })
    let folder = try TemporaryFolder()
    try Self.make(example, in: folder)
    let editor = try StoreEditor(folder.file(named: "old.sqlite"))
    try editor.run("UPDATE ZQUICKRECORD SET ZAMOUNT = 'abc' WHERE Z_PK = 3")
    editor.close()
    let result = try Self.migrateByBlocks(example, in: folder)
    #expect(result.status == 2)
    let error =
      "Money_Mom.StringAmountToDecimalAmountPolicy, mapping 'QuickRecordToQuickRecord', "
      + "QuickRecord 3: 'amount': the text is not a number\n"
    #expect(page.contains("```text\n\(error)```"))
    #expect(
      result.errors
        == "old.sqlite: the store cannot be migrated: 'Model' to 'Model 2': "
        + "Model1-2.xcmappingmodel (1 custom, 1 add): \(error)")
    #expect(try folder.names() == ["old.sqlite"])
  }

  @Test("name their policies where they are missing, before anything runs", arguments: examples)
  func missingPolicies(example: Example) throws {
    let folder = try TemporaryFolder()
    try Self.make(example, in: folder)
    let result = try Program.run(
      [
        "migrate", "old.sqlite", "--model", example.versions, "--mapping-model", example.folder,
        "-o", "new.sqlite",
      ], in: folder.path)
    #expect(result.status == 2)
    let policies = try FileManager.default.contentsOfDirectory(atPath: example.folder)
      .filter { $0.hasSuffix(".swift") }.map { $0.dropLast(6) }
    #expect(!policies.isEmpty)
    for policy in policies { #expect(result.errors.contains(policy), "\(result)") }
    #expect(try folder.names() == ["old.sqlite"])
  }

  @Test(
    "cannot be inferred where the articles say so, and the attribute is named",
    arguments: [
      ("MoneyMom", "QuickRecord.amount: source and destination attribute types are incompatible"),
      ("Locations", "Event.tags: is a relationship, but was an attribute"),
    ])
  func inference(name: String, reason: String) throws {
    let example = try #require(Self.examples.first { $0.name == name })
    let folder = try TemporaryFolder()
    try Self.make(example, in: folder)
    let result = try folder.convert(
      "migrate", "old.sqlite", "--model", example.versions, "-o", "new.sqlite")
    #expect(result.status == 2)
    #expect(result.errors.contains("none can be inferred:\n  \(reason)"), "\(result)")
    #expect(try folder.names() == ["old.sqlite"])
  }

  @Test(
    "leave the old store as it is, and no new one, where an amount is no number",
    arguments: ["1,234.5", "5元", "abc", ""])
  func badAmount(text: String) throws {
    let example = try #require(Self.examples.first { $0.name == "MoneyMom" })
    let folder = try TemporaryFolder()
    try Self.make(example, in: folder)
    let editor = try StoreEditor(folder.file(named: "old.sqlite"))
    try editor.run("UPDATE ZQUICKRECORD SET ZAMOUNT = '\(text)' WHERE Z_PK = 3")
    editor.close()
    let before = try folder.contents(of: "old.sqlite")
    let result = try Self.migrate(example, in: folder)
    #expect(result.status == 2)
    #expect(
      result.errors.contains(
        "StringAmountToDecimalAmountPolicy.createDestinationInstances, mapping "
          + "'QuickRecordToQuickRecord'"), "\(result)")
    #expect(!result.errors.contains(text.isEmpty ? "''" : text))
    #expect(try folder.names() == ["old.sqlite"])
    #expect(try folder.contents(of: "old.sqlite") == before)
    let checked = try folder.convert(
      "check", "old.sqlite", "--model", "\(example.versions)/Model.xcdatamodel")
    #expect(checked.status == 0)
  }

  @Test("The mapping models are what the maker makes now")
  func mappingModels() throws {
    let folder = try TemporaryFolder()
    let examples = "\(Repository.root)/Examples/Migrations"
    let made = try Program.run(
      [examples, folder.path], in: folder.path, program: "make-example-mappings")
    #expect(made.status == 0)
    let paths = made.output.split(separator: "\n")
    #expect(paths.count == 5)
    for path in paths {
      let isSame =
        try folder.contents(of: "\(path)/xcmapping.xml")
        == Data(contentsOf: URL(fileURLWithPath: "\(examples)/\(path)/xcmapping.xml"))
      #expect(isSame, "\(path) differs: run `swift run make-example-mappings`")
    }
  }
}
