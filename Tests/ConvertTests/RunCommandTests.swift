import Foundation
import TestSupport
import Testing

@Suite("convert run")
struct RunCommandTests {
  static let mentalCaseSummary = """
    Converted 1 archive in # s → out.db, # kB

    entity     archived objects  rows  values  links
    MTLibrary                 1     1       3      2
    MTFolder                  3     3      12     14
    MTNote                   12    12     152     12
    ────────────────────────────────────────────────
    all                      16    16     167     28

    Nothing was left behind: every reachable value is in the store.

    """

  @Test(
    "converts an archive, by its own name or as the default subcommand, and sums up what it did",
    arguments: [["run"], []], ["MentalCase.archive", "MentalCase.xml"])
  func converts(subcommand: [String], sample: String) throws {
    let folder = try TemporaryFolder(samples: sample)
    let result = try Program.run(subcommand + [sample, "-o", "out.db"], in: folder.path)
    #expect(result.status == 0)
    #expect(result.output.masked == Self.mentalCaseSummary)
    #expect(result.errors == "")
    #expect(try folder.names() == [sample, "out.db"])
    try folder.store().expectSound()
  }

  @Test("converts several archives into one store")
  func convertsSeveral() throws {
    let folder = try TemporaryFolder(
      samples: "QuickRecord.archive", "Locations.xml", "Locations.archive")
    let result = try folder.convert(
      "Locations.xml", "QuickRecord.archive", "Locations.archive", "--output", "out.db")
    #expect(result.status == 0)
    #expect(
      result.output.masked == """
        Converted 3 archives in # s → out.db, # kB

        entity           archived objects  rows  values  links
        Event                          12    12      46      0
        QuickRecord                     5     5      25      5
        TransactionType                 2     2       2      0
        ──────────────────────────────────────────────────────
        all                            19    19      73      5

        Nothing was left behind: every reachable value is in the store.
        Collections: 3 under top-level keys or in other collections, with 17 links.

        """)
    let store = try folder.store()
    try store.expect(
      "SELECT id, path, bytes, format, archiver, version FROM _archive",
      [
        "1|Locations.xml|5032|xml|NSKeyedArchiver|100000",
        "2|QuickRecord.archive|1364|binary|NSKeyedArchiver|100000",
        "3|Locations.archive|835|binary|NSKeyedArchiver|100000",
      ])
    try store.expect(
      "SELECT * FROM _rows",
      [
        "1|1|Event|1|6", "2|1|_collection|1|1", "3|2|QuickRecord|1|5", "4|2|TransactionType|1|2",
        "5|2|_collection|2|2", "6|3|Event|7|12", "7|3|_collection|3|3",
      ])
    try store.expect(
      "SELECT archive_id, key, value FROM _top",
      [
        "1|root|NULL", "2|root|NULL", "3|root|NULL",
      ])
    try store.expectSound()
  }

  @Test("prints nothing when it is to be quiet, but errors", arguments: ["-q", "--quiet"])
  func isQuiet(option: String) throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    try folder.addDamagedSample(as: "damaged")
    let result = try folder.convert(
      "Locations.archive", "damaged", "-o", "out.db", option, "--on-error", "skip")
    #expect(result.status == 1)
    #expect(result.output == "")
    #expect(result.errorLines.count == 1)
  }

  @Test("keeps no store in a dry run, whatever is at the destination")
  func runsDry() throws {
    let folder = try TemporaryFolder(samples: "MentalCase.archive")
    let expected = Self.mentalCaseSummary
      .replacing("out.db, # kB", with: "dry run, nothing was kept")
    for _ in 1...2 {
      let result = try folder.convert("MentalCase.archive", "-o", "out.db", "--dry-run")
      #expect(result.status == 0)
      #expect(result.output.masked == expected)
      #expect(result.errors == "")
      #expect(!FileManager.default.fileExists(atPath: folder.file(named: "out.db")))
    }
    #expect(try folder.names() == ["MentalCase.archive"])
    try folder.write("old", to: "out.db")
    #expect(try folder.convert("MentalCase.archive", "-o", "out.db", "--dry-run").status == 0)
    #expect(try folder.contents(of: "out.db") == Data("old".utf8))
    // It needs no destination, whose place nobody is told then.
    try FileManager.default.createDirectory(
      atPath: folder.file(named: "tmp"), withIntermediateDirectories: false)
    for more in [[], ["--verify"]] {
      let result = try Program.run(
        ["MentalCase.archive", "--dry-run", "--report", "r.json"] + more, in: folder.path,
        environment: ["TMPDIR": folder.file(named: "tmp")])
      #expect(result.status == 0)
      #expect(result.output.masked.hasPrefix(expected))
      let store = "\"store\" : {\n    \"layout\" : \"relational\"\n  }"
      #expect(try folder.text(of: "r.json").contains(store))
    }
    #expect(try folder.names() == ["MentalCase.archive", "out.db", "r.json", "tmp"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file(named: "tmp")) == [])
  }

  @Test("leaves a prefix of class names out")
  func stripsPrefix() throws {
    let folder = try TemporaryFolder(samples: "MentalCase.archive", "QuickRecord.archive")
    let result = try folder.convert(
      "MentalCase.archive", "QuickRecord.archive", "-o", "out.db", "--strip-prefix", "MT")
    #expect(result.status == 0)
    try folder.store().expect(
      "SELECT name, entity FROM _class WHERE entity IS NOT NULL ORDER BY name",
      [
        "MTFolder|Folder", "MTLibrary|Library", "MTNote|Note", "QuickRecord|QuickRecord",
        "TransactionType|TransactionType",
      ])
    try folder.store().expect("SELECT count(*) FROM Note", "12")
    try folder.store().expect(
      "SELECT Library_id, position, Folder_id FROM Library_folders",
      [
        "1|0|1", "1|1|2",
      ])
  }

  @Test("tells its version and how it is used", arguments: ["--version", "--help", "run --help"])
  func helps(arguments: String) throws {
    let result = try Program.run(arguments.split(separator: " ").map(String.init))
    #expect(result.status == 0)
    #expect(result.errors == "")
    if arguments == "--version" {
      #expect(result.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
    } else {
      #expect(result.output.hasPrefix("OVERVIEW: "))
    }
  }
}
