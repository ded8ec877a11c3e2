import Foundation
import TestSupport
import Testing

@Suite("Inputs that a list names")
struct InputListTests {
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (sample, name) in [
      ("Locations.archive", "a b.archive"), ("Expenses.archive", "two\nlines.archive"),
      ("Events.archive", "c.archive"),
    ] {
      try folder.addSample(sample, as: name)
    }
    _ = try folder.write("c.archive\n\na b.archive", to: "lines")
    _ = try folder.write("two\nlines.archive\0a b.archive\0", to: "zeros")
    _ = try folder.write("\n\n", to: "empty")
    _ = try folder.write("c.archive\n-\n", to: "dash")
    return folder
  }

  private static func run(
    _ folder: TemporaryFolder, _ arguments: String, from redirection: String = ""
  ) throws -> Program.Result {
    try Program.run(
      arguments.split(separator: " ").map(String.init), in: folder.path, redirection: redirection)
  }

  @Test(
    "are converted in its order, after those of the command line, and verified by it",
    arguments: [
      ("--files-from lines", "", ["c.archive", "a b.archive"]),
      ("c.archive --files-from zeros -0", "", ["c.archive", "two\nlines.archive", "a b.archive"]),
      ("--files-from - --null", "< zeros", ["two\nlines.archive", "a b.archive"]),
    ])
  func listed(arguments: String, redirection: String, paths: [String]) throws {
    let folder = try Self.folder()
    let result = try Self.run(folder, "\(arguments) -o out.db -q", from: redirection)
    #expect(result.status == 0, "\(result)")
    try folder.store("out.db").expect("SELECT path FROM _archive ORDER BY id", paths)
    let verified = try Self.run(folder, "verify out.db \(arguments) -q", from: redirection)
    #expect(verified.status == 0, "\(verified)")
    let draft = try Self.run(folder, "infer \(arguments) -o map.yaml", from: redirection)
    #expect(draft.status == 0, "\(draft)")
    let separate = try Self.run(
      folder, "\(arguments) --store-per-archive stores -q", from: redirection)
    #expect(separate.status == 0, "\(separate)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.file(named: "stores")).count
        == paths.count)
  }

  @Test(
    "are refused with the reason, before anything is written",
    arguments: [
      ("--files-from none", 2, "none: cannot be read: No such file or directory\n"),
      ("--files-from zeros", 2, "zeros: has zero bytes: use -0\n"),
      ("--files-from empty", 2, "empty: lists no inputs\n"),
      (
        "--files-from dash", 2, "dash: names standard input; for a file named '-', use './-'\n"
      ),
      ("c.archive -0", 64, "Error: -0 requires --files-from.\n"),
      (
        "- --files-from -", 64, "Error: '-' is standard input, which can be given only once.\n"
      ),
      ("", 64, "Error: Missing expected argument '<inputs> ...'\n"),
    ])
  func refused(arguments: String, status: Int32, error: String) throws {
    let folder = try Self.folder()
    let names = try folder.names()
    let result = try Self.run(folder, "run \(arguments) -o out.db")
    #expect(result.status == status)
    #expect(result.errors.hasPrefix(error), "\(result)")
    #expect(try folder.names() == names)
  }
}
