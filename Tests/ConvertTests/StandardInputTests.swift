import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("Standard input as an archive")
struct StandardInputTests {
  private static func run(
    _ folder: TemporaryFolder, _ arguments: String, from redirection: String
  ) throws -> Program.Result {
    try Program.run(
      arguments.split(separator: " ").map(String.init), in: folder.path,
      environment: ["TMPDIR": folder.file(named: "tmp")], redirection: redirection)
  }

  private static func folder(samples: String...) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for sample in samples { try folder.addSample(sample, as: sample) }
    try FileManager.default.createDirectory(
      atPath: folder.file(named: "tmp"), withIntermediateDirectories: false)
    return folder
  }

  private static func temporary(_ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.file(named: "tmp"))
  }

  private static func content(_ name: String, of folder: TemporaryFolder) throws -> [[String]] {
    let store = try folder.store(name)
    return try [
      "SELECT sql FROM sqlite_schema ORDER BY name", "SELECT id, sha256 FROM _archive",
      "SELECT * FROM _top", "SELECT * FROM _rows", "SELECT * FROM Event",
    ].map(store.lines)
  }

  @Test("is what a file with the same bytes is, to all commands", arguments: ["archive", "xml"])
  func commands(form: String) throws {
    let folder = try Self.folder(samples: "Locations.\(form)")
    let pipe = "< Locations.\(form)"
    func expectSame(_ arguments: String, status: Int32 = 0) throws {
      let piped = try Self.run(folder, arguments.replacing("INPUT", with: "-"), from: pipe)
      let named = try Self.run(
        folder, arguments.replacing("INPUT", with: "Locations.\(form)"), from: "")
      #expect(piped.status == status, "\(piped)")
      #expect(piped.output.masked == named.output.replacing("Locations.\(form)", with: "-").masked)
      #expect(piped.errors == named.errors)
      #expect(try Self.temporary(folder) == [])
    }
    try expectSame("INPUT -o out.db --verify --if-exists replace")
    #expect(try Self.run(folder, "- -o piped.db -q", from: pipe).status == 0)
    try folder.store("piped.db").expect("SELECT path FROM _archive", ["-"])
    #expect(try Self.content("piped.db", of: folder) == Self.content("out.db", of: folder))
    try expectSame("verify out.db INPUT")
    try expectSame("inspect INPUT")
    try expectSame("inspect INPUT --tree --object 2")
    try expectSame("infer INPUT -o m.yaml --force")
    try expectSame("check m.yaml INPUT")
    try expectSame("INPUT --dry-run --jobs 1")
    #expect(try Self.run(folder, "- --resume -o resumed.db -q", from: pipe).status == 0)
    #expect(try Self.run(folder, "- --store-per-archive stores -q", from: pipe).status == 0)
    #expect(try folder.names().contains("stores"))
    // Next to others, it is one of them.
    let both = try Self.run(folder, "- Locations.\(form) -o both.db", from: pipe)
    #expect(both.output.hasPrefix("Converted 1 archive, skipped 1 duplicate in "))
    #expect(try Self.temporary(folder) == [])
  }

  @Test("may be large, and a Core Data store")
  func largeAndStores() throws {
    let folder = try Self.folder(samples: "Locations.archive", "Locations.yaml")
    try folder.add("large") { archive in
      archive.array((0..<60_000).map { archive.instance(of: "Note", ["rank": .integer($0)]) })
    }
    try #require(folder.contents(of: "large").count > 1 << 20)
    let large = try Self.run(folder, "- -o large.db --verify -q", from: "< large")
    #expect(large.status == 0, "\(large)")
    try folder.store("large.db").expect(
      "SELECT count(*), sum(rank) FROM Note", ["60000|1799970000"])
    let model = try NotesFolder.make()
    let store = try model.contents(of: "old.sqlite")
    try folder.write(store, to: "old.sqlite")
    let converted = try Self.run(folder, "- -o notes.db --verify", from: "< old.sqlite")
    #expect(converted.status == 0, "\(converted)")
    try folder.store("notes.db").expect("SELECT count(*) FROM Note", ["3"])
    #expect(try Self.temporary(folder) == [])
  }

  @Test(
    "is refused where it is no archive, with a sentence",
    arguments: [
      (
        "< /dev/ptmx",
        "standard input: is a terminal; pipe an archive into the command, or name a file"
      ),
      ("< /dev/null", "-: is empty"),
      ("< text", "-: is not a keyed archive: it is text"),
      // It has no end.
      ("< /dev/zero", "-: is not a keyed archive: it is of an unknown binary kind"),
      ("< .", "standard input: cannot be read: Is a directory"),
      ("<&-", "standard input: cannot be read: Bad file descriptor"),
    ])
  func refused(redirection: String, message: String) throws {
    let folder = try Self.folder()
    try folder.write("plain text", to: "text")
    for arguments in ["- -o out.db", "inspect -"] {
      let result = try Self.run(folder, arguments, from: redirection)
      #expect(result.status == 2)
      #expect(result.output == "")
      #expect(result.errors == message + "\n")
    }
    #expect(try folder.names() == ["text", "tmp"])
    #expect(try Self.temporary(folder) == [])
  }

  @Test(
    "is given once",
    arguments: [
      "- - -o out.db", "verify out.db - a -", "infer - - -o m.yaml", "check m.yaml - -",
      "inspect - -",
    ])
  func usage(arguments: String) throws {
    let result = try Self.run(try Self.folder(), arguments, from: "")
    #expect(result.status == 64)
    #expect(
      result.errorLines.first == "Error: '-' is standard input, which can be given only once.")
  }

  @Test("A file of that name is ./-")
  func fileOfThatName() throws {
    let folder = try Self.folder(samples: "Locations.archive")
    try folder.addSample("QuickRecord.archive", as: "-")
    let result = try Self.run(folder, "- ./- -o out.db -q", from: "< Locations.archive")
    #expect(result.status == 0, "\(result)")
    try folder.store().expect("SELECT path FROM _archive", ["-", "./-"])
    #expect(try folder.store().value("SELECT count(*) FROM QuickRecord") == "5")
  }

  @Test(
    "What is kept of it goes with a program that is asked to end", arguments: [SIGINT, SIGTERM])
  func interrupted(signal: Int32) throws {
    let folder = try Self.folder(samples: "Locations.archive")
    let pipe = folder.file(named: "pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let watch = try FolderWatch(folder.file(named: "tmp"))
    let program = try Program.start(
      ["-", "-o", "out.db"], in: folder.path,
      environment: ["TMPDIR": folder.file(named: "tmp")], redirection: "< pipe")
    // Nothing is written to it.
    let writer = open(pipe, O_WRONLY)
    defer { close(writer) }
    _ = try watch.wait(until: { (try? Self.temporary(folder).isEmpty) == false })
    program.send(signal)
    #expect(try program.wait().status == 128 + signal)
    #expect(try folder.names() == ["Locations.archive", "pipe", "tmp"])
    #expect(try Self.temporary(folder) == [])
  }
}
