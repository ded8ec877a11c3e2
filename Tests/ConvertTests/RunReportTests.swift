import Foundation
import TestSupport
import Testing

@Suite("convert run --report")
struct RunReportTests {
  /// The report in JSON, with what differs from run to run replaced.
  static func masked(_ report: String) -> String {
    report.replacing(/"seconds" : [0-9.e\-]+/, with: "\"seconds\" : 0")
      .replacing(/"startedAt" : "\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/, with: "\"startedAt\" : \"#\"")
      .replacing(/("store" : \{\n +"bytes" : )\d+/) { "\($0.output.1)0" }
      .replacing(/("store" : \{[^}]+"sha256" : ")[0-9a-f]{64}/) { "\($0.output.1)#" }
      .replacing(/\[\s+\]/, with: "[]")
  }

  @Test("writes JSON for programs")
  func writesJSON() throws {
    let folder = try TemporaryFolder(samples: "QuickRecord.archive")
    try folder.addDamagedSample(as: "damaged")
    let result = try folder.convert(
      "QuickRecord.archive", "damaged", "-o", "out.db", "--report", "report.json", "-q",
      "--on-error", "skip")
    #expect(result.status == 1)
    #expect(result.output == "")
    let report = String(decoding: try folder.contents(of: "report.json"), as: UTF8.self)
    #expect(Self.masked(report) == Self.expectedJSON)
    let store = try folder.contents(of: "out.db")
    #expect(report.contains("\"store\" : {\n    \"bytes\" : \(store.count),"))
  }

  @Test("writes text for people: the summary with all details", arguments: ["txt", "TXT"])
  func writesText(ending: String) throws {
    let folder = try TemporaryFolder(samples: "QuickRecord.archive", "Locations.xml")
    let result = try folder.convert(
      "QuickRecord.archive", "Locations.xml", "-o", "out.db", "--report", "report.\(ending)",
      "--verbose")
    #expect(result.status == 0)
    let report = String(decoding: try folder.contents(of: "report.\(ending)"), as: UTF8.self)
    #expect(report == result.output)
    #expect(report.masked == Self.expectedText)
  }

  @Test("can be repeated, and needs no store")
  func isRepeated() throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    let result = try folder.convert(
      "Locations.archive", "-o", "out.db", "--dry-run", "--report", "a.json", "--report", "b.txt",
      "--report", "c.JSON")
    #expect(result.status == 0)
    #expect(try folder.names() == ["Locations.archive", "a.json", "b.txt", "c.JSON"])
    #expect(try folder.contents(of: "a.json") == folder.contents(of: "c.JSON"))
    #expect(try folder.contents(of: "b.txt").starts(with: Data("Converted 1 archive in ".utf8)))
  }

  @Test("ends with 2, and writes nothing, if the report cannot be written")
  func cannotBeWritten() throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    let result = try folder.convert(
      "Locations.archive", "-o", "out.db", "--report", "absent/report.json")
    #expect(result.status == 2)
    #expect(
      result.errors
        == "absent/report.json: the report cannot be written: there is no folder 'absent'\n")
    #expect(try folder.names() == ["Locations.archive"])
  }

  @Test("replaces neither an input nor the store", arguments: ["in.json", "out.txt", "./out.txt"])
  func replacesNothing(report: String) throws {
    let folder = try TemporaryFolder()
    try folder.addSample("Locations.archive", as: "in.json")
    let archive = try folder.contents(of: "in.json")
    let result = try folder.convert("in.json", "-o", "out.txt", "--report", report)
    #expect(result.status != 0)
    #expect(try folder.contents(of: "in.json") == archive)
    #expect(try folder.names() == ["in.json"])
  }

  /// Files that are written besides stores, with what somebody else may have in their place.
  static let places = [
    ("--report", "r.json", #"{"archives": [], "mine": true}"#),
    ("--report", "r.txt", "Converted to metric → see below\n"), ("--report", "r.md", "# Mine\n"),
    ("--report", "r.html", "<!DOCTYPE html><title>Conversion report</title>"),
    ("--report-full", "r.lines", #"{"list": "mine"}"#),
    ("--datasette", "m.json", #"{"databases": {"mine": {}}}"#),
    ("--datasette", "m.yaml", "databases:\n  mine: {}\n"),
  ]

  @Test(
    "replaces a file only if the program wrote it, or is told to", arguments: places)
  func replacesOwn(option: String, name: String, other: String) throws {
    let folder = try TemporaryFolder()
    try folder.addSample("Locations.archive", as: "in/a")
    try folder.write("no archive", to: "in/b")
    try folder.write(other, to: name)
    func run(_ store: String, _ exists: String = "fail") throws -> Program.Result {
      try folder.convert("in", "-o", store, option, name, "-q", "--if-exists", exists)
    }
    let words = "\(name): already exists and was not written by this program"
    for exists in ["fail", "append"] {
      let refused = try run("1.db", exists)
      #expect(refused.status == 2)
      #expect(refused.errors == "\(words) (use --if-exists replace to overwrite it)\n")
      #expect(try folder.text(of: name) == other)
      #expect(try folder.names() == ["in", name])
    }
    #expect(try run("1.db", "replace").status == 0)
    #expect(try folder.text(of: name) != other)
    // Now it is the program's own.
    #expect(try run("2.db").status == 0)
    try folder.write("", to: name)
    #expect(try run("3.db").status == 0)
    #expect(try folder.text(of: name) != "")
    let again = option == "--report-full" ? ["verify", "1.db", "in"] : ["report", "1.db"]
    for isOwn in [true, false] {
      if !isOwn { try folder.write(other, to: name) }
      let result = try Program.run(again + [option, name, "-q"], in: folder.path)
      #expect(result.status == (isOwn ? 0 : 2))
      #expect(result.errors == (isOwn ? "" : "\(words)\n"))
      #expect(try (folder.text(of: name) == other) == !isOwn)
    }
    if option == "--report" {
      let verified = try folder.convert("verify", "1.db", "in", option, name, "-q")
      #expect(verified.status == 2)
      #expect(verified.errors == "\(words)\n")
      let separate = try folder.convert("in", "--store-per-archive", "out", option, name)
      #expect(separate.status == 2)
      #expect(separate.errors == "\(words) (use --if-exists replace to overwrite it)\n")
    }
  }

  static let expectedText = """
    Converted 2 archives in # s → out.db, # kB

    entity           archived objects  rows  values  links
    QuickRecord                     5     5      25      5
    TransactionType                 2     2       2      0
    Event                           6     6      23      0
    ──────────────────────────────────────────────────────
    all                            13    13      50      5

    QuickRecord  type                  values  nil
    amount       string                     5    0
    audioUUID    uuid                       5    0
    created_at   date                       4    1
    id           uuid                       5    0
    tags         collection of string       6    0
    type         → TransactionType          5

    TransactionType  type     values  nil
    rawValue         integer       2    0

    Event         type    values  nil
    creationDate  date         6    0
    latitude      double       6    0
    longitude     double       6    0
    tags          string       5    1

    archive              format  objects  bytes
    QuickRecord.archive  binary       45  1,364  converted
    Locations.xml        xml          22  5,032  converted

    Nothing was left behind: every reachable value is in the store.
    Collections: 2 under top-level keys or in other collections, with 11 links.

    """
}

extension RunReportTests {
  static let expectedJSON = """
    {
      "archivedObjects" : 7,
      "archives" : [
        {
          "bytes" : 1364,
          "format" : "binary",
          "objects" : 45,
          "outcome" : "converted",
          "path" : "QuickRecord.archive",
          "sha256" : "7ab440f798c9205e627406a49778377e12a58c87635d03f1d90a46b3482fb275"
        },
        {
          "bytes" : 3000,
          "error" : "the binary property list is truncated after 3000 bytes; --salvage may recover a part",
          "format" : "binary",
          "outcome" : "rejected",
          "path" : "damaged",
          "sha256" : "7f73956877700964bac8e1c8a5a67ff18f13a7ff65f8c426580c9c5b0afae1b5"
        }
      ],
      "classesKeptAsObjects" : [],
      "collectionLinks" : 5,
      "collectionValues" : 0,
      "collections" : 1,
      "conflicts" : [],
      "conflictsLeftOut" : 0,
      "converter" : {
        "version" : "0.1.0"
      },
      "dryRun" : false,
      "entities" : [
        {
          "archivedClasses" : [
            "QuickRecord"
          ],
          "archivedObjects" : 5,
          "attributes" : [
            {
              "key" : "amount",
              "name" : "amount",
              "nulls" : 0,
              "type" : "string",
              "values" : 5
            },
            {
              "key" : "audioUUID",
              "name" : "audioUUID",
              "nulls" : 0,
              "type" : "uuid",
              "values" : 5
            },
            {
              "key" : "created_at",
              "name" : "created_at",
              "nulls" : 1,
              "type" : "date",
              "values" : 4
            },
            {
              "key" : "id",
              "name" : "id",
              "nulls" : 0,
              "type" : "uuid",
              "values" : 5
            },
            {
              "key" : "tags",
              "name" : "tags",
              "nulls" : 0,
              "type" : "collection of string",
              "values" : 6
            }
          ],
          "name" : "QuickRecord",
          "relationships" : [
            {
              "destination" : "TransactionType",
              "links" : 5,
              "name" : "type",
              "toMany" : false
            }
          ],
          "rows" : 5
        },
        {
          "archivedClasses" : [
            "TransactionType"
          ],
          "archivedObjects" : 2,
          "attributes" : [
            {
              "key" : "rawValue",
              "name" : "rawValue",
              "nulls" : 0,
              "type" : "integer",
              "values" : 2
            }
          ],
          "name" : "TransactionType",
          "relationships" : [],
          "rows" : 2
        }
      ],
      "excludedFiles" : 0,
      "filteredObjects" : [],
      "ignoredKeys" : [],
      "lossyConversions" : [],
      "lossyConversionsLeftOut" : 0,
      "relationshipsSetFromBothSides" : [],
      "seconds" : 0,
      "sharedCollections" : 0,
      "skippedFiles" : 0,
      "skippedFilesLeftOut" : 0,
      "skippedKinds" : [],
      "startedAt" : "#",
      "store" : {
        "bytes" : 0,
        "layout" : "relational",
        "path" : "out.db",
        "sha256" : "#"
      },
      "topLevelValues" : 0,
      "unmappedClasses" : [],
      "unreachableObjects" : 0,
      "unreadKeys" : [],
      "unvisitedObjects" : [],
      "validationErrors" : [],
      "validationErrorsLeftOut" : 0,
      "verdict" : {
        "kind" : "bad",
        "sentence" : "1 of 2 archives was converted, 1 was rejected; the store was not verified."
      },
      "verification" : {
        "status" : "not run"
      }
    }

    """
}
