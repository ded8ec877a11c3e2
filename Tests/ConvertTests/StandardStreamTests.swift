import Foundation
import TestSupport
import Testing

@Suite("convert, where its output cannot be written")
struct StandardStreamTests {
  /// A command that prints something.
  struct Case: CustomTestStringConvertible {
    var arguments: [String]
    /// What follows on standard error if standard output is full.
    var note = ""

    var testDescription: String { arguments.joined(separator: " ") }
  }

  static let cases = [
    Case(arguments: ["--help"]), Case(arguments: ["help", "run"]), Case(arguments: ["--version"]),
    Case(arguments: ["--generate-completion-script", "zsh"]),
    Case(
      arguments: ["run", "a", "-o", "o.db"],
      note: "o.db: is complete, but the summary cannot be printed\n"),
    Case(arguments: ["run", "a", "-o", "o.db", "--dry-run"]),
    Case(
      arguments: ["run", "a", "--store-per-archive", "o"],
      note: "o: is complete, but the summary cannot be printed\n"),
    Case(arguments: ["inspect", "--json", "a"]), Case(arguments: ["inspect", "--tree", "a"]),
    Case(arguments: ["verify", "s.db", "a"]), Case(arguments: ["report", "s.db"]),
    Case(arguments: ["check", "m.yaml"]), Case(arguments: ["model", "M.xcdatamodeld"]),
    Case(arguments: ["model", "--json", "M.xcdatamodeld"]),
  ]

  /// A folder with an archive and, if a command names them, a store, a mapping and a model of it.
  private static func folder(for arguments: [String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder(samples: "MentalCase.archive")
    try FileManager.default.moveItem(
      atPath: folder.file(named: "MentalCase.archive"), toPath: folder.file(named: "a"))
    if arguments.contains("s.db") {
      #expect(try folder.convert("a", "-o", "s.db", "-q").status == 0)
    }
    if arguments.contains("m.yaml") || arguments.contains("M.xcdatamodeld") {
      let drafted = try folder.convert(
        "infer", "a", "-o", "m.yaml", "--model-output", "M.xcdatamodeld")
      #expect(drafted.status == 0)
    }
    return folder
  }

  @Test("ends with 2 and says so, if standard output is closed", arguments: cases)
  func closed(command: Case) throws {
    let folder = try Self.folder(for: command.arguments)
    let names = try folder.names()
    let result = try Program.run(command.arguments, in: folder.path, redirection: ">&-")
    #expect(result.status == 2)
    #expect(result.errors == "standard output: cannot be written: it is closed\n")
    // What takes a while is not begun.
    #expect(try folder.names() == names)
  }

  #if os(Linux)
    @Test("ends with 2 and says why, if standard output is full", arguments: cases)
    func full(command: Case) throws {
      let folder = try Self.folder(for: command.arguments)
      let result = try Program.run(command.arguments, in: folder.path, redirection: "> /dev/full")
      #expect(result.status == 2)
      #expect(
        result.errors
          == "standard output: cannot be written: No space left on device\n" + command.note)
    }

    @Test("ends with the same code, if standard error is full or closed, too", arguments: cases)
    func mute(command: Case) throws {
      let folder = try Self.folder(for: command.arguments)
      for redirection in ["> /dev/full 2> /dev/full", "> /dev/full 2>&-", "<&- >&- 2>&-"] {
        let result = try Program.run(
          command.arguments + (command.note.isEmpty ? [] : ["--if-exists", "replace"]),
          in: folder.path, redirection: redirection)
        #expect(result.status == 2)
        #expect(result.errors == "")
      }
    }
  #endif

  @Test("ends without a word, if nobody reads its output any more", arguments: cases)
  func unread(command: Case) throws {
    let folder = try Self.folder(for: command.arguments)
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let running = try Program.start(
      command.arguments, in: folder.path, output: pipe.fileHandleForWriting)
    let result = try running.wait()
    #expect(result.status == 128 + SIGPIPE)
    #expect(result.errors == "")
  }

  @Test("prints nothing into the files that it writes, if its streams are closed")
  func noMixture() throws {
    let folder = try Self.folder(for: [])
    let redirection = "<&- >&- 2>&-"
    let result = try Program.run(
      ["run", "a", "-o", "o.db", "-q", "--progress", "always", "--report", "r.json"],
      in: folder.path, redirection: redirection)
    #expect(result.status == 0)
    try folder.store("o.db").expectSound()
    #expect(try folder.contents(of: "r.json").first == UInt8(ascii: "{"))
  }

  @Test(
    "ends with its own code, if errors cannot be written",
    arguments: [
      (["run", "absent", "-o", "o.db"], 2), (["run"], 64), (["inspect", "s.db"], 2),
      (["verify", "s.db", "other", "-q"], 1), (["nothing"], 64),
    ] as [([String], Int32)])
  func errorsOnly(arguments: [String], status: Int32) throws {
    let folder = try Self.folder(for: arguments)
    try folder.addSample("Events.archive", as: "other")
    for redirection in ["2>&-", "2> /dev/full"] {
      let result = try Program.run(arguments, in: folder.path, redirection: redirection)
      #expect(result.status == status)
    }
  }
}
