import Converter
import Foundation
import TestSupport
import Testing

@Suite("convert run, on its inputs")
struct RunInputsTests {
  @Test("finds archives in directories by their content, and skips all else")
  func searchesDirectories() throws {
    let folder = try TemporaryFolder()
    try folder.addSample("Locations.archive", as: "in/z.txt")
    try folder.addSample("Locations.xml", as: "in/deep/er/noextension")
    try folder.addSample("QuickRecord.archive", as: "in/.hidden")
    try folder.write("plain text", to: "in/a.archive")
    try folder.write("", to: "in/empty.archive")
    try folder.write("<?xml version=\"1.0\"?><html><body/></html>", to: "in/page.xml")
    try folder.write(
      "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict/></plist>", to: "in/settings.plist")
    let result = try folder.convert("in", "-o", "out.db")
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(
      result.output.masked == """
        Converted 3 archives in # s → out.db, # kB

        entity           archived objects  rows  values  links
        QuickRecord                     5     5      25      5
        TransactionType                 2     2       2      0
        Event                          12    12      46      0
        ──────────────────────────────────────────────────────
        all                            19    19      73      5

        Nothing was left behind: every reachable value is in the store.
        Not converted: 1 property list, 1 empty file, 2 other files.
        Collections: 3 under top-level keys or in other collections, with 17 links.

        """)
    try folder.store().expect(
      "SELECT path FROM _archive ORDER BY id",
      [
        "in/.hidden", "in/deep/er/noextension", "in/z.txt",
      ])
  }

  @Test("takes any number of paths, also after --, and of each command that takes several")
  func manyPaths() throws {
    let folder = try TemporaryFolder()
    let names = (0..<350).map { "file\($0)" }
    for (number, name) in (names + ["-dash"]).enumerated() {
      try folder.add(name) { $0.instance(of: "Note", ["rank": .integer(Int64(number))]) }
    }
    let halves = [Array(names.prefix(170)), Array(names.dropFirst(170))]
    let run = try Program.run(
      halves[0] + ["-o", "out.db", "-q", "--"] + halves[1] + ["-dash"], in: folder.path)
    #expect(run.status == 0 && run.errors == "")
    try folder.store().expect("SELECT path FROM _archive ORDER BY id", names + ["-dash"])
    for arguments in [
      ["verify", "out.db"] + names + ["-q", "--", "-dash"], ["infer", "-o", "m.yaml"] + names,
      ["check", "-q", "m.yaml"] + names,
    ] {
      let result = try Program.run(arguments, in: folder.path)
      #expect(result.status == 0 && result.errors == "" && result.output == "")
    }
    // What is wrong is said of the words as they are.
    let wrong = try Program.run(["report"] + names, in: folder.path)
    #expect(wrong.status == 64)
    #expect(wrong.errors.contains("Error: 349 unexpected arguments: 'file1', 'file2', 'file3',"))
    #expect(wrong.errors.contains(", 'file348', 'file349'"))
  }

  @Test(
    "looks in directories only at what globs let through",
    arguments: [
      (["--include", "*.archive"], ["a.archive", "deep/c.archive", "old/d.archive"], 3),
      (["--include", "a.*"], ["a.archive", "a.xml"], 4),
      (["--include", "*/?.archive"], ["deep/c.archive", "old/d.archive"], 4),
      (["--include", "[ab].xml", "--include", "d*"], ["a.xml", "deep/b.xml", "old/d.archive"], 3),
      (["--exclude", "*.xml"], ["a.archive", "deep/c.archive", "old/b.txt", "old/d.archive"], 2),
      (["--exclude", "old"], ["a.archive", "a.xml", "deep/b.xml", "deep/c.archive"], 1),
      (
        ["--exclude", "deep/", "--exclude", "a.xml/"],
        ["a.archive", "a.xml", "old/b.txt", "old/d.archive"], 1
      ),
      (["--exclude", "deep/*", "--include", "*.xml"], ["a.xml"], 5),
    ])
  func filters(options: [String], found: [String], left: Int) throws {
    let folder = try TemporaryFolder()
    for name in ["a.archive", "deep/c.archive", "old/d.archive"] {
      try folder.addSample("Locations.archive", as: "in/\(name)")
    }
    for name in ["a.xml", "deep/b.xml", "old/b.txt"] {
      try folder.addSample("Locations.xml", as: "in/\(name)")
    }
    let result = try Program.run(
      ["in", "-o", "out.db", "--report", "r.json"] + options, in: folder.path)
    #expect(result.status == 0)
    let report = try JSONDecoder().decode(
      ConversionReport.self, from: folder.contents(of: "r.json"))
    #expect(report.archives.map(\.path) == found.map { "in/\($0)" })
    #expect(report.excludedFiles == left)
  }

  @Test("takes files that are named, whatever the globs say")
  func namedFiles() throws {
    let folder = try TemporaryFolder()
    try folder.addSample("Locations.archive", as: "a.archive")
    let result = try folder.convert("a.archive", "-o", "out.db", "--include", "*.xml")
    #expect(result.status == 0)
  }

  @Test("counts a single file that it skips")
  func skipsOne() throws {
    let folder = try TemporaryFolder()
    try folder.addSample("Locations.archive", as: "in/a")
    try folder.write("plain text", to: "in/b")
    let result = try folder.convert("in", "-o", "out.db")
    #expect(result.status == 0)
    #expect(result.output.contains("\nNot converted: 1 file without keyed archives.\n"))
  }

  @Test("searches a directory once, however many symbolic links lead to it")
  func followsLinksOnce() throws {
    let folder = try TemporaryFolder()
    try folder.addSample("Locations.archive", as: "in/d/b.archive")
    let manager = FileManager.default
    for (link, target) in [
      ("in/d/up", ".."), ("in/d/self", "."), ("in/again", "d"), ("in/broken", "nothing"),
      ("linked", "in"),
    ] {
      try manager.createSymbolicLink(
        atPath: folder.file(named: link), withDestinationPath: target)
    }
    let result = try folder.convert("in", "linked", "in/", "-o", "out.db")
    #expect(result.status == 0)
    #expect(result.errors == "")
    try folder.store().expect("SELECT path FROM _archive", ["in/again/b.archive"])
  }

  // MARK: Stores

  /// A store in Core Data's layout, with six events.
  private static func addStore(_ name: String, to folder: TemporaryFolder) throws {
    let result = try Program.run(
      [
        "\(Repository.samples)/Locations.archive", "--mapping",
        "\(Repository.samples)/Locations.yaml", "--layout", "coredata", "-o", name, "-q",
      ], in: folder.path)
    #expect(result.status == 0, "\(result)")
  }

  @Test(
    "takes journals and large data for parts of their store", arguments: [[], ["--open-nested"]])
  func partsOfStores(options: [String]) throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "in/deep/empty")
    try Self.addStore("in/App.sqlite", to: folder)
    try folder.addSample("MentalCase.archive", as: "in/.App_SUPPORT/_EXTERNAL_DATA/1")
    try folder.addSample("MentalCase.archive", as: "in/.App_SUPPORT/2")
    for name in ["in/App.sqlite-shm", "in/App.sqlite-wal", "in/App.sqlite-journal"] {
      try folder.write("", to: name)
    }
    let result = try Program.run(
      ["in", "-o", "out.db", "--verify", "--report", "r.json"] + options, in: folder.path)
    #expect(result.status == 0, "\(result)")
    let store = try folder.store()
    try store.expect("SELECT path FROM _archive", ["in/App.sqlite"])
    try store.expect("SELECT count(*) FROM Event", "6")
    // The empty file is none of them.
    #expect(try folder.text(of: "r.json").contains(#""skippedFiles" : 1"#))
    #expect(try folder.convert("verify", "out.db", "in").status == 0)
  }

  @Test("looks into files with such names that belong to no store")
  func partsOfNothing() throws {
    let folder = try TemporaryFolder()
    #expect(
      try Program.run(
        ["\(Repository.samples)/Events.archive", "-o", "plain.sqlite", "-q"], in: folder.path
      ).status == 0)
    let names = [
      ".Gone_SUPPORT/_EXTERNAL_DATA/1", ".plain_SUPPORT/1", "a-wal", "gone.sqlite-shm",
      "text-journal",
    ]
    try folder.write("text", to: "in/text")
    try FileManager.default.moveItem(
      atPath: folder.file(named: "plain.sqlite"), toPath: folder.file(named: "in/plain.sqlite"))
    let samples = Repository.sampleArchives
    for (name, sample) in zip(names, samples) {
      try folder.write(try Data(contentsOf: URL(fileURLWithPath: sample)), to: "in/\(name)")
    }
    #expect(try folder.convert("in", "-o", "out.db", "-q").status == 0)
    try folder.store().expect("SELECT path FROM _archive ORDER BY id", names.map { "in/\($0)" })
  }

  @Test(
    "passes over a store of an earlier run whose inputs it finds", arguments: ["replace", "fail"])
  func outputsOfRuns(option: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "d/empty")
    // Its archive is not there: it alone has the rows.
    try Self.addStore("d/first.sqlite", to: folder)
    let model = "\(Repository.samples)/Locations.xcdatamodeld"
    for run in 1...2 {
      let output = option == "replace" ? "d/o.sqlite" : "d/o\(run).sqlite"
      let result = try folder.convert(
        "d", "-o", output, "--layout", "coredata", "--model", model, "--if-exists", option, "-q")
      #expect(result.status == 0, "\(result)")
      #expect(try folder.convert("verify", output, "d", "--model", model, "-q").status == 0)
    }
    let relational = try folder.convert("d", "-o", "out.db", "--report", "r.json", "-q")
    #expect(relational.status == 0, "\(relational)")
    try folder.store().expect("SELECT count(*) FROM Event", "6")
    #expect(try folder.text(of: "r.json").contains("a store that an earlier run wrote"))
    // One that was named is an input all the same, and so is one that an application has opened.
    let named = option == "replace" ? "d/o.sqlite" : "d/o1.sqlite"
    #expect(try folder.convert(named, "-o", "named.db", "-q").status == 0)
    let editor = try StoreEditor(folder.file(named: named))
    try editor.run("PRAGMA journal_mode = WAL; UPDATE ZEVENT SET Z_OPT = 2;")
    editor.close()
    #expect(try folder.convert("d", "-o", "both.db", "-q").status == 0)
    try folder.store("both.db").expect("SELECT count(*) FROM Event", "12")
  }

  // MARK: What cannot be read

  @Test(
    "names inputs that it cannot read", .enabled(if: geteuid() != 0, "root may read everything"))
  func reportsUnreadable() throws {
    let folder = try TemporaryFolder()
    try folder.addSample("Locations.archive", as: "in/a.archive")
    try folder.addSample("Locations.archive", as: "in/b.archive")
    chmod(folder.file(named: "in/b.archive"), 0)
    let named = try folder.convert("in/b.archive", "-o", "out.db")
    #expect(named.status == 2)
    #expect(named.errors == "in/b.archive: cannot be read: Permission denied\n")
    let found = try folder.convert("in", "-o", "out.db")
    #expect(found.status == 1)
    #expect(found.errors == "in/b.archive: cannot be read: Permission denied\n")
    try folder.store().expect("SELECT path FROM _archive", ["in/a.archive"])
  }

  @Test("ends with 2 if there is nothing to convert")
  func findsNothing() throws {
    let folder = try TemporaryFolder()
    try folder.write("text", to: "in/readme.txt")
    for input in ["in", folder.path] {
      let result = try folder.convert(input, "-o", "out.db")
      #expect(result.status == 2)
      #expect(result.output == "")
      #expect(
        result.errors == "no keyed archive found in \(input): 1 file is not a keyed archive: text\n"
      )
    }
    #expect(try folder.names() == ["in"])
  }

  @Test(
    "says what is wrong with a named input that is no archive",
    arguments: [
      ("absent", "absent: cannot be read: No such file or directory"),
      ("pipe", "pipe: cannot be read: not a regular file"),
      ("empty", "empty: is empty"),
      ("text", "text: is not a keyed archive: it is text"),
      ("store", "store: cannot be read: file is not a database"),
      ("settings", "settings: is not a keyed archive: it is a plain XML property list"),
    ])
  func refusesOtherFiles(name: String, message: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "empty")
    try folder.write("plain text", to: "text")
    try folder.write("SQLite format 3\0" + String(repeating: "\0", count: 84), to: "store")
    try folder.write("<plist version=\"1.0\"><dict/></plist>", to: "settings")
    try #require(mkfifo(folder.file(named: "pipe"), 0o600) == 0)
    let before = try folder.names()
    let result = try folder.convert(name, "-o", "out.db")
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.errors == message + "\n")
    #expect(try folder.names() == before)
  }

  @Test("takes names of one letter", arguments: ["d", "d/f", "f"])
  func takesShortNames(input: String) throws {
    let folder = try TemporaryFolder()
    try folder.addSample("Locations.archive", as: "f")
    try folder.addSample("Locations.archive", as: "d/f")
    let result = try folder.convert(input, "-o", "out.db")
    #expect(result.status == 0)
    try folder.store().expect("SELECT count(*) FROM Event", "6")
  }
}
