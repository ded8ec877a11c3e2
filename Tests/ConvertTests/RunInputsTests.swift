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
        result.errors == "no keyed archive found in \(input): 1 file is not a keyed archive\n")
    }
    #expect(try folder.names() == ["in"])
  }

  @Test(
    "says what is wrong with a named input that is no archive",
    arguments: [
      ("absent", "absent: cannot be read: No such file or directory"),
      ("", ": cannot be read: No such file or directory"),
      ("pipe", "pipe: cannot be read: not a regular file"),
      ("empty", "empty: is empty"),
      ("text", "text: is not a keyed archive: it is text (byte 0)"),
      ("store", "store: cannot be read: file is not a database"),
      (
        "settings",
        "settings: is not a keyed archive: it is another XML property list "
          + "(top level of the property list)"
      ),
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
