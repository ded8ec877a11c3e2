import Foundation
import TestSupport
import Testing

@Suite("convert, on links, permissions and journals where it writes")
struct RunOutputSafetyTests {
  static func folder() throws -> TemporaryFolder {
    try TemporaryFolder(samples: "Locations.archive", "Events.archive")
  }

  @Test("follows no link that is planted under a name that it might use", arguments: [true, false])
  func plantedLinks(isSymbolic: Bool) throws {
    let folder = try Self.folder()
    try folder.write("precious", to: "victim")
    let manager = FileManager.default
    for suffix in ["", "-journal", "-wal", ".coredata"] {
      for name in [".out.db.convert-partial", TemporaryFolder.unfinishedName()] {
        let link = folder.file(named: name + suffix)
        if isSymbolic {
          try manager.createSymbolicLink(atPath: link, withDestinationPath: "victim")
        } else {
          try manager.linkItem(atPath: folder.file(named: "victim"), toPath: link)
        }
      }
    }
    for options in [["-o", "out.db"], ["-o", "out.db", "--resume", "--if-exists", "replace"]] {
      let result = try Program.run(
        ["Locations.archive", "Events.archive", "-q"] + options, in: folder.path)
      #expect(result.status == 0)
      #expect(try folder.contents(of: "victim") == Data("precious".utf8))
      try folder.store().expectSound()
    }
  }

  @Test(
    "keeps the permissions of what it replaces or adds to",
    arguments: ["600", "640", "664", "400"], ["replace", "append"])
  func modes(mode: String, option: String) throws {
    let folder = try Self.folder()
    for output in ["out.db", "r.json"] {
      if output == "out.db" {
        #expect(try folder.convert("Locations.archive", "-o", output, "-q").status == 0)
      } else {
        #expect(try folder.convert("report", "out.db", "--report", output, "-q").status == 0)
      }
      let bits = try #require(mode_t(mode, radix: 8))
      try #require(chmod(folder.file(named: output), bits) == 0)
    }
    let result = try folder.convert(
      "Events.archive", "-o", "out.db", "-q", "--if-exists", option, "--report", "r.json")
    #expect(result.status == 0)
    #expect(folder.mode(of: "out.db") == mode)
    #expect(folder.mode(of: "r.json") == mode)
  }

  @Test("gives new files the usual permissions, less the umask")
  func newModes() throws {
    let folder = try Self.folder()
    for (mask, mode) in [("022", "644"), ("077", "600"), ("002", "644")] {
      let result = try Program.run(
        [
          "Locations.archive", "-o", "\(mask).db", "--report", "\(mask).json", "-q",
        ], in: folder.path, setting: "umask \(mask)")
      #expect(result.status == 0)
      #expect(folder.mode(of: "\(mask).db") == mode)
      #expect(folder.mode(of: "\(mask).json") == mode)
    }
  }

  @Test(
    "writes to what a symbolic link leads to, and leaves the link",
    arguments: ["replace", "append"])
  func links(option: String) throws {
    let folder = try Self.folder()
    try folder.write("", to: "deep/other")
    for (link, target) in [
      ("out.db", "deep/second"), ("deep/second", "real.db"), ("r.json", "deep/real.json"),
      ("m.yaml", "deep/real.yaml"),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file(named: link), withDestinationPath: target)
    }
    for archive in ["Locations.archive", "Events.archive"] {
      let result = try folder.convert(
        archive, "-o", "out.db", "-q", "--if-exists", option, "--report", "r.json")
      #expect(result.errors == "")
      #expect(result.status == 0)
      let drafted = try folder.convert("infer", archive, "-o", "m.yaml", "--force")
      #expect(drafted.errors == "")
    }
    for link in ["out.db", "deep/second", "r.json", "m.yaml"] {
      let path = folder.file(named: link)
      #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil, "\(link)")
    }
    let count = option == "append" ? 2 : 1
    try folder.store("deep/real.db").expect("SELECT count(*) FROM _archive", "\(count)")
    #expect(try folder.contents(of: "deep/real.json").first == UInt8(ascii: "{"))
    let deep = try FileManager.default.contentsOfDirectory(atPath: folder.file(named: "deep"))
    #expect(
      deep.sorted() == ["other", "real.db", "real.json", "real.yaml", "second"])
    #expect(try folder.unfinished() == [])
  }

  @Test("counts a link that leads nowhere, or in a circle, as something that is there")
  func deadLinks() throws {
    let folder = try Self.folder()
    for (link, target) in [("dead", "nothing"), ("one", "two"), ("two", "one")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file(named: link), withDestinationPath: target)
    }
    let names = try folder.names()
    for link in ["dead", "one"] {
      let result = try folder.convert("Locations.archive", "-o", link)
      #expect(result.status == 2)
      #expect(result.errors.hasPrefix("\(link): already exists"))
    }
    let circle = try folder.convert("Locations.archive", "-o", "one", "--if-exists", "replace")
    #expect(circle.status == 2)
    #expect(circle.errors == "one: cannot be written: Too many levels of symbolic links\n")
    #expect(try folder.names() == names)
  }

  // MARK: Journals

  @Test(
    "refuses a place where the journal of another database is, or clears it",
    arguments: ["-wal", "-journal", "-shm"])
  func staleJournals(suffix: String) throws {
    let folder = try Self.folder()
    try folder.write(
      String(repeating: "left by a database that is gone", count: 100), to: "out.db\(suffix)")
    let names = try folder.names()
    for option in ["fail", "append"] {
      let result = try folder.convert("Locations.archive", "-o", "out.db", "--if-exists", option)
      #expect(result.status == 2)
      #expect(
        result.errors
          == "out.db\(suffix): already exists, and SQLite would treat it as part of the new store "
          + "(use --if-exists replace to remove it)\n")
      #expect(try folder.names() == names)
    }
    #expect(
      try folder.convert("Locations.archive", "-o", "out.db", "--if-exists", "replace").status == 0)
    #expect(try folder.names() == ["Events.archive", "Locations.archive", "out.db"])
    try folder.store().expect("SELECT count(*) FROM Event", "6")
    try folder.store().expectSound()
  }

  @Test("takes an empty journal for none, and says which it cannot remove")
  func otherJournals() throws {
    let folder = try Self.folder()
    try folder.write("", to: "out.db-wal")
    #expect(try folder.convert("Locations.archive", "-o", "out.db").status == 0)
    try folder.store().expectSound()
    try folder.write("", to: "other.db-wal/inside")
    let result = try folder.convert("Locations.archive", "-o", "other.db", "--if-exists", "replace")
    #expect(result.status == 2)
    #expect(
      result.errors
        == "other.db: cannot be written: other.db-wal cannot be removed: Is a directory\n")
  }

  @Test(
    "does not touch a store whose journal has to be applied, before the run succeeds",
    arguments: ["append", "replace"])
  func hotLog(option: String) throws {
    let folder = try Self.folder()
    #expect(try folder.convert("Locations.archive", "-o", "out.db", "-q").status == 0)
    // As a program leaves them that is killed.
    let editor = try StoreEditor(folder.file(named: "out.db"))
    try editor.run(
      "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE Extra (x) STRICT;"
        .replacing("(x)", with: "(x INTEGER)"))
    var kept: [String: Data] = [:]
    for name in ["out.db", "out.db-wal"] { kept[name] = try folder.contents(of: name) }
    editor.close()
    for (name, content) in kept { try folder.write(content, to: name) }
    try folder.addDamagedSample(as: "damaged")
    let failed = try folder.convert("damaged", "-o", "out.db", "--if-exists", option)
    #expect(failed.status == 2)
    for (name, content) in kept { #expect(try folder.contents(of: name) == content) }
    let result = try folder.convert("Events.archive", "-o", "out.db", "--if-exists", option, "-q")
    #expect(result.errors == "")
    #expect(result.status == 0)
    try folder.store().expect(
      "SELECT count(*) FROM sqlite_schema WHERE name = 'Extra'", option == "append" ? "1" : "0")
    try folder.store().expectSound()
    #expect(try folder.names() == ["Events.archive", "Locations.archive", "damaged", "out.db"])
  }

  @Test("does not replace a store that another program has open in WAL mode")
  func inUse() throws {
    let folder = try Self.folder()
    #expect(try folder.convert("Locations.archive", "-o", "out.db", "-q").status == 0)
    let editor = try StoreEditor(folder.file(named: "out.db"))
    try editor.run("PRAGMA journal_mode = WAL; CREATE TABLE Extra (x INTEGER) STRICT;")
    // Reading the file here would let go of the locks that SQLite has on it in this process.
    let result = try folder.convert("Events.archive", "-o", "out.db", "--if-exists", "replace")
    #expect(result.status == 2)
    #expect(
      result.errors
        == "out.db: is open in another program, or was changed by one (close it there and try "
        + "again)\n")
    #expect(
      try folder.convert("verify", "out.db", "Locations.archive").output.contains("1 difference"))
    editor.close()
    #expect(
      try folder.convert("Events.archive", "-o", "out.db", "--if-exists", "replace").status == 0)
    try folder.store().expectSound()
  }

  // MARK: Places

  @Test(
    "refuses reports and drafts that cannot be written, before anything is read",
    arguments: [
      ("absent/r.json", "there is no folder 'absent'"), ("file/r.json", "Not a directory"),
      ("folder.json", "Is a directory"),
    ])
  func reports(report: String, reason: String) throws {
    let folder = try Self.folder()
    try folder.write("", to: "file")
    try folder.write("", to: "folder.json/inside")
    #expect(try folder.convert("Locations.archive", "-o", "s.db", "-q").status == 0)
    let names = try folder.names()
    for arguments in [
      ["Events.archive", "-o", "out.db"], ["Events.archive", "--store-per-archive", "out"],
      ["Events.archive", "-o", "out.db", "--dry-run"], ["report", "s.db"],
      ["verify", "s.db", "Locations.archive"],
    ] {
      let result = try Program.run(arguments + ["--report", report], in: folder.path)
      #expect(result.status == 2)
      #expect(result.output == "")
      #expect(result.errors == "\(report): the report cannot be written: \(reason)\n")
      #expect(try folder.names() == names)
    }
    for outputs in [["-o", report], ["-o", "m.yaml", "--model-output", "file/M.xcdatamodeld"]] {
      let result = try Program.run(
        ["infer", "Events.archive", "--force"] + outputs, in: folder.path)
      #expect(result.status == 2)
      #expect(result.errors.contains(": cannot be written: "))
      #expect(try folder.names() == names)
    }
  }

  @Test("refuses a folder for stores that nothing can be written into, before anything is read")
  func folders() throws {
    let folder = try Self.folder()
    try folder.write("", to: "file")
    let names = try folder.names()
    for output in ["file", "file/deeper"] {
      let result = try folder.convert("Events.archive", "--store-per-archive", output)
      #expect(result.status == 2)
      #expect(
        result.errors
          == "\(output): the folder cannot be written to: Not a directory\n")
      #expect(try folder.names() == names)
    }
  }
}
