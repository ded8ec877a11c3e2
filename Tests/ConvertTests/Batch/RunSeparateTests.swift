import Converter
import Foundation
import TestSupport
import Testing

@Suite("convert run --store-per-archive")
struct RunSeparateTests {
  /// A folder "in" with archives of two kinds, at several depths, one that is damaged, and a text.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.addSample("Locations.archive", as: "in/a.archive")
    try folder.addSample("Locations.archive", as: "in/deep/a.archive")
    try folder.addSample("QuickRecord.archive", as: "in/deep/er/b")
    try folder.addDamagedSample(as: "in/c.archive")
    try folder.write("plain text", to: "in/readme.txt")
    return folder
  }

  private static func report(_ folder: TemporaryFolder) throws -> ConversionReport {
    try JSONDecoder().decode(ConversionReport.self, from: folder.contents(of: "r.json"))
  }

  /// The paths of all files in the folder of the stores, sorted.
  private static func stores(_ folder: TemporaryFolder) throws -> [String] {
    let path = folder.file(named: "out")
    return try FileManager.default.subpathsOfDirectory(atPath: path).filter { name in
      var isFolder = ObjCBool(false)
      return FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted()
  }

  @Test("needs no folder for a dry run, and makes none")
  func dryRun() throws {
    let folder = try Self.folder()
    let names = try folder.names()
    for place in ["out", "in/new/out"] {
      let result = try folder.convert(
        "in", "--store-per-archive", place, "--dry-run", "--exclude", "c.archive")
      #expect(result.errors == "")
      #expect(result.status == 0)
      #expect(result.output.hasPrefix("Converted 3 archives in"))
      #expect(try folder.names() == names)
      #expect(!FileManager.default.fileExists(atPath: folder.file(named: "in/new")))
    }
  }

  @Test("makes a store of each archive, as it would alone", arguments: ["1", "2", "8"])
  func separate(jobs: String) throws {
    let folder = try Self.folder()
    let result = try folder.convert(
      "in", "--store-per-archive", "out", "--jobs", jobs, "--report", "r.json")
    #expect(result.status == 1)
    #expect(result.errors.hasPrefix("in/c.archive: "))
    #expect(
      result.output.masked == """
        Converted 3 archives, rejected 1 in # s → out, # kB

        entity           archived objects  rows  values  links
        Event                          12    12      46      0
        QuickRecord                     5     5      25      5
        TransactionType                 2     2       2      0
        ──────────────────────────────────────────────────────
        all                            19    19      73      5

        Of the archives that were converted, nothing was left behind.
        Not converted: 1 file without keyed archives.
        Collections: 3 under top-level keys or in other collections, with 17 links.

        Rejected 1 archive:
          in/c.archive

        """)
    #expect(
      try Self.stores(folder) == ["a.archive.sqlite", "deep/a.archive.sqlite", "deep/er/b.sqlite"])
    let archives = try Self.report(folder).archives
    #expect(
      archives.map { "\($0.path) \($0.outcome) \($0.store ?? "-")" } == [
        "in/a.archive converted out/a.archive.sqlite", "in/c.archive rejected -",
        "in/deep/a.archive converted out/deep/a.archive.sqlite",
        "in/deep/er/b converted out/deep/er/b.sqlite",
      ])
    #expect(try folder.convert("in/deep/er/b", "-o", "alone.db").status == 0)
    #expect(
      try folder.wholeContent("out/deep/er/b.sqlite") == folder.wholeContent("alone.db"))
  }

  @Test("gives each archive a store, where two would have the same")
  func samePlace() throws {
    let folder = try TemporaryFolder()
    for name in ["x/a", "y/a", "y/A"] {
      try folder.addSample("QuickRecord.archive", as: name)
    }
    #expect(try folder.convert("x", "y", "--store-per-archive", "out").status == 0)
    #expect(try Self.stores(folder) == ["A_2.sqlite", "a.sqlite", "a_3.sqlite"])
    try folder.store("out/A_2.sqlite").expect("SELECT path FROM _archive", ["y/A"])
  }

  @Test("touches nothing where a store is, unless it is told to")
  func existing() throws {
    let folder = try Self.folder()
    try folder.write("mine", to: "out/deep/a.archive.sqlite")
    let result = try folder.convert("in", "--store-per-archive", "out")
    #expect(result.status == 2)
    #expect(result.errors.hasPrefix("out/deep/a.archive.sqlite: "))
    #expect(try Self.stores(folder) == ["deep/a.archive.sqlite"])
    #expect(
      try folder.convert("in", "--store-per-archive", "out", "--if-exists", "replace").status == 1)
    #expect(try Self.stores(folder).count == 3)
  }

  @Test("goes on where a run has ended, and notices what has changed since")
  func resume() throws {
    let folder = try Self.folder()
    #expect(try folder.convert("in/deep", "--store-per-archive", "out/deep").status == 0)
    let before = try folder.contents(of: "out/deep/a.archive.sqlite")
    let result = try folder.convert(
      "in", "--store-per-archive", "out", "--resume", "--report", "r.json")
    #expect(result.status == 1)
    #expect(try folder.contents(of: "out/deep/a.archive.sqlite") == before)
    #expect(
      try Self.report(folder).archives.map(\.outcome) == [
        .converted, .rejected, .skipped, .skipped,
      ])

    try folder.addSample("QuickRecord.archive", as: "in/deep/a.archive")
    let changed = try folder.convert("in", "--store-per-archive", "out", "--resume")
    #expect(changed.status == 2)
    #expect(
      changed.errors
        == "out/deep/a.archive.sqlite: cannot resume: the archive in/deep/a.archive, the mapping "
        + "or an option has changed since the interrupted run\n")
    #expect(try folder.contents(of: "out/deep/a.archive.sqlite") == before)
  }

  @Test(
    "notices, after --resume, that the stores there have other indexes",
    arguments: [(["--fts"], []), ([], ["--fts"])])
  func resumeOtherIndexes(before: [String], after: [String]) throws {
    let folder = try Self.folder()
    let arguments = ["in/deep", "--store-per-archive", "out", "-q"]
    #expect(try Program.run(arguments + before, in: folder.path).status == 0)
    let changed = try Program.run(arguments + after + ["--resume"], in: folder.path)
    #expect(changed.status == 2)
    #expect(
      changed.errors
        == "out/a.archive.sqlite: cannot resume: the archive in/deep/a.archive, the mapping "
        + "or an option has changed since the interrupted run\n")
    let same = try Program.run(arguments + before + ["--resume"], in: folder.path)
    #expect(same.status == 0)
    #expect(same.errors == "")
  }

  /// Which of the stores are there when a run goes on.
  private static let done: [(stores: [String], words: String)] = [
    ([], "Converted 3 archives, rejected 1"),
    (
      ["deep/er/b.sqlite"], "Converted 2 archives, skipped 1 already in the store, rejected 1"
    ),
    (
      ["a.archive.sqlite", "deep/a.archive.sqlite", "deep/er/b.sqlite"],
      "Converted 0 archives, skipped 3 already in the store, rejected 1"
    ),
  ]

  @Test("sums up, after --resume, what all stores hold, whichever run made them", arguments: done)
  func resumedSummary(done: [String], words: String) throws {
    let folder = try Self.folder()
    try folder.addSample("Locations.archive", as: "in/deep/er/b")
    try folder.write(
      """
      entities:
        Event:
          identity: creationDate
          attributes: {creationDate: {convert: {dateText: {pattern: yyyy-MM-dd}}}}
      """, to: "m.yaml")
    func run(_ further: String...) throws -> [Substring] {
      let arguments = ["in", "--store-per-archive", "out", "--mapping", "m.yaml"]
      let result = try Program.run(arguments + further, in: folder.path)
      #expect(result.status == 1)
      return result.output.masked.split(separator: "\n")
    }
    let whole = try run()
    #expect(
      whole.suffix(4) == [
        "Lossy: 18 values could not be kept exactly.",
        "  Event.creationDate: the text does not determine the instant: 18 times, "
          + "first in in/a.archive object 2",
        "Rejected 1 archive:", "  in/c.archive",
      ])
    for store in try Self.stores(folder) where !done.contains(store) {
      try FileManager.default.removeItem(atPath: folder.file(named: "out/\(store)"))
    }
    let resumed = try run("--resume")
    #expect(resumed.first == "\(words) in # s → out, # kB")
    #expect(resumed.dropFirst() == whole.dropFirst())
  }

  @Test("stops at the first archive that cannot be read, in order, if it is told to")
  func stop() throws {
    let folder = try Self.folder()
    let result = try folder.convert(
      "in", "--store-per-archive", "out", "--on-error", "stop", "--jobs", "1")
    #expect(result.status == 2)
    #expect(result.errors.hasPrefix("in/c.archive: "))
    #expect(try Self.stores(folder) == ["a.archive.sqlite"])
  }

  @Test("leaves nothing half done where it stops", arguments: ["2", "8"])
  func stopInParallel(jobs: String) throws {
    let folder = try Self.folder()
    for number in 0..<20 { try folder.addSample("MentalCase.archive", as: "in/d\(number)") }
    let result = try folder.convert(
      "in", "--store-per-archive", "out", "--on-error", "stop", "--jobs", jobs)
    #expect(result.status == 2)
    #expect(result.errors.hasPrefix("in/c.archive: "))
    let stores = try Self.stores(folder)
    #expect(stores.contains("a.archive.sqlite"))
    #expect(stores.allSatisfy { $0.hasSuffix(".sqlite") })
    for store in stores { #expect(try folder.store("out/\(store)").flaws() == []) }
  }

  @Test("compares each store with its archive, if asked")
  func verify() throws {
    let folder = try Self.folder()
    let result = try folder.convert(
      "in/deep", "--store-per-archive", "out", "--verify", "--report", "r.json")
    #expect(result.status == 0)
    let verification = try #require(try Self.report(folder).verification)
    #expect(verification.isPassed)
    #expect(verification.valuesCompared > 0)
  }

  @Test(
    "asks for one place to write to", arguments: [[], ["-o", "a", "--store-per-archive", "b"]])
  func usage(options: [String]) throws {
    let folder = try TemporaryFolder()
    #expect(try Program.run(["in"] + options, in: folder.path).status == 64)
  }
}
