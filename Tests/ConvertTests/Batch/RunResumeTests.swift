import Foundation
import TestSupport
import Testing

@Suite("convert run --resume")
struct RunResumeTests {
  private static let options = ["in", "-o", "out.db", "--open-nested", "--provenance"]

  /// Runs the program until it ends itself.
  private func end(
    at moment: String, in folder: TemporaryFolder, _ further: String...
  ) throws -> Program.Result {
    let running = try Program.start(
      Self.options + further, in: folder.path, environment: ["CONVERT_END_AT": moment],
      program: "killed-converter")
    return try running.wait()
  }

  private func resume(_ folder: TemporaryFolder, _ further: String...) throws -> Program.Result {
    try Program.run(
      Self.options + ["--resume", "--report", "r.json", "-q"] + further, in: folder.path)
  }

  /// Moments to be killed at, and how many archives are kept then; nil if that depends on which
  /// thread is faster.
  private static let moments: [(moment: String, done: Int?)] =
    [("finishing 0 9", nil)]
    + [1, 2, 5, 6, 7, 8, 16, 17, 18, 19, 20, 21].map { (done: Int) in
      ("checkpoint \(done) 9", done)
    } + [0, 1, 6, 11, 12].map { ("archive \($0) 9", nil) }

  @Test(
    "goes on behind what is kept, to the same store and report",
    arguments: Thoroughness.some(moments, oneIn: 3))
  func isSame(moment: String, done: Int?) throws {
    let folder = try ManyArchives.folder()
    let whole = try Program.run(
      Self.options + ["--report", "whole.json", "-q"], in: folder.path)
    #expect(whole.status == 1)
    let (content, report) = (try folder.wholeContent(), try folder.report("whole.json"))
    try FileManager.default.removeItem(atPath: folder.file(named: "out.db"))

    let ended = try end(at: moment, in: folder)
    if ended.signal != SIGKILL {
      // Nothing is kept in the midst of a file with others inside of it.
      #expect(ended.status == 1)
      #expect(try folder.names().contains("out.db"))
      return
    }
    #expect(try !folder.names().contains("out.db"))
    let result = try resume(folder)
    #expect(result.status == 1)
    let first = try #require(result.errorLines.first)
    if let done {
      #expect(first == "resuming after \(done) completed archive\(done == 1 ? "" : "s")")
    }
    #expect(result.errorLines.dropFirst() == whole.errorLines[...])
    #expect(try folder.wholeContent() == content)
    #expect(try folder.report() == report)
    try folder.store().expectSound()
    #expect(try folder.names() == ["in", "out.db", "r.json", "whole.json"])
  }

  @Test("sums up the whole, not what was done since", arguments: [1, 6, 20, 21])
  func summary(done: Int) throws {
    let folder = try ManyArchives.folder()
    let whole = try Program.run(Self.options, in: folder.path)
    try FileManager.default.removeItem(atPath: folder.file(named: "out.db"))
    #expect(try end(at: "checkpoint \(done) 9", in: folder).signal == SIGKILL)
    let result = try Program.run(Self.options + ["--resume"], in: folder.path)
    #expect(result.output.masked == whole.output.masked)
    #expect(try folder.convert("report", "out.db").output.contains("Note  "))
  }

  @Test("goes on as often as need be")
  func again() throws {
    let folder = try ManyArchives.folder()
    _ = try Program.run(Self.options + ["-q"], in: folder.path)
    let content = try folder.wholeContent()
    try FileManager.default.removeItem(atPath: folder.file(named: "out.db"))
    for done in [1, 5, 17, 20] {
      let ended = try end(at: "checkpoint \(done) 9", in: folder, "--resume")
      #expect(ended.signal == SIGKILL, "\(done)")
    }
    let result = try resume(folder)
    #expect(result.errorLines.first == "resuming after 20 completed archives")
    #expect(try folder.wholeContent() == content)
  }

  @Test("runs where there is nothing to go on with, and says so")
  func nothing() throws {
    let folder = try ManyArchives.folder()
    let note = "nothing to resume; starting over"
    // Nothing at all, then what is left of a run over one archive.
    #expect(try resume(folder).errorLines.first == note)
    try FileManager.default.removeItem(atPath: folder.file(named: "out.db"))
    let name = TemporaryFolder.unfinishedName()
    try folder.write("whatever was there", to: name)
    try folder.write("and its journal", to: name + "-journal")
    #expect(try resume(folder).errorLines.first == note)
    try folder.store().expectSound()
    #expect(try folder.names() == ["in", "out.db", "r.json"])
  }

  @Test("is no obstacle for a run that begins anew")
  func anew() throws {
    let folder = try ManyArchives.folder()
    #expect(try end(at: "checkpoint 5 9", in: folder).signal == SIGKILL)
    let result = try folder.convert("in/0 note", "-o", "out.db", "-q")
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(try folder.names() == ["in", "out.db"])
    try folder.store().expect("SELECT name FROM Note", "note 0")
    try folder.store().expectSound()
  }

  /// Something that changes after the run was ended.
  struct Change: CustomTestStringConvertible {
    var words: String
    var arguments: [String] = []
    var make: @Sendable (TemporaryFolder) throws -> Void = { _ in }
    var undo: @Sendable (TemporaryFolder) throws -> Void = { _ in }

    var testDescription: String { words }
  }

  private static let changes = [
    Change(
      words: "the archive in/0 note",
      make: { try $0.write(NestedArchives.item("Note", name: "other").binary(), to: "in/0 note") },
      undo: { try $0.write(NestedArchives.item("Note", name: "note 0").xml(), to: "in/0 note") }),
    Change(
      words: "the archive in/6 damaged",
      make: { try $0.addSample("MentalCase.archive", as: "in/6 damaged") },
      undo: { try $0.addDamagedSample(as: "in/6 damaged") }),
    Change(
      words: "the list of inputs (16 files then, 17 now, from in/9 on)",
      make: { try $0.write(NestedArchives.item("Note", name: "more").binary(), to: "in/9") },
      undo: { try FileManager.default.removeItem(atPath: $0.file(named: "in/9")) }),
    Change(
      words: "the list of inputs (16 files then, 15 now, from in/8 same on)",
      make: { try FileManager.default.removeItem(atPath: $0.file(named: "in/8 note")) },
      undo: { try $0.write(NestedArchives.item("Note", name: "note 8").binary(), to: "in/8 note") }
    ),
    Change(words: "an option", arguments: ["--strip-prefix", "MT"]),
    Change(words: "an option", arguments: ["--limit", "depth=100"]),
    Change(
      words: "the mapping", arguments: ["--mapping", "m.yaml"],
      make: { try $0.write("entities: {Note: {}}", to: "m.yaml") }),
    Change(
      words: "the model", arguments: ["--model", "M.xcdatamodel"],
      make: {
        try $0.write(
          "<model><entity name=\"MTFolder\" syncable=\"YES\"/></model>",
          to: "M.xcdatamodel/contents")
      }),
  ]

  @Test("refuses to go on where something has changed, and touches nothing", arguments: changes)
  func changed(change: Change) throws {
    let folder = try ManyArchives.folder()
    #expect(try end(at: "checkpoint 5 9", in: folder).signal == SIGKILL)
    try change.make(folder)
    let result = try Program.run(
      Self.options + ["--resume", "-q"] + change.arguments, in: folder.path)
    #expect(result.status == 2)
    #expect(
      result.errors == """
        out.db: cannot resume: \(change.words) has changed since the interrupted run
        nothing was changed; run without --resume to start over

        """)
    try change.undo(folder)
    let next = try resume(folder)
    #expect(next.status == 1)
    #expect(next.errorLines.first == "resuming after 5 completed archives")
  }

  @Test("is told of when a signal ends the run", arguments: [SIGINT, SIGTERM, SIGHUP])
  func signal(number: Int32) throws {
    let folder = try ManyArchives.folder()
    let ended = try end(at: "checkpoint 5 \(number)", in: folder)
    #expect(ended.status == 128 + number)
    #expect(
      ended.errors == "interrupted: 5 of 21 archives completed; use --resume to continue\n")
    let again = try end(at: "checkpoint 17 \(number)", in: folder, "--resume")
    #expect(
      again.errorLines == [
        "resuming after 5 completed archives",
        "interrupted: 17 of 21 archives completed; use --resume to continue",
      ])
    #expect(try resume(folder).errorLines.first == "resuming after 17 completed archives")
    try folder.store().expectSound()
  }

  @Test("goes on when there is room again")
  func noRoom() throws {
    let folder = try TemporaryFolder()
    for number in 0..<40 {
      let payload = Data((0..<30_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) })
      try folder.write(
        NestedArchives.item("Note", name: "\(number)", payload: payload).binary(),
        to: "in/\(number)")
    }
    let running = try Program.start(
      ["in", "-o", "out.db"], in: folder.path, limits: ["-f 1000"], program: "killed-converter")
    let ended = try running.wait()
    #expect(ended.status == 2)
    let expected =
      /out\.db: the database cannot be written: disk I\/O error\n\d+ of 40 archives completed; use --resume to continue\n/
    #expect(ended.errors.wholeMatch(of: expected) != nil, "\(ended)")
    #expect(try !folder.names().contains("out.db"))
    let result = try folder.convert("in", "-o", "out.db", "--resume", "-q")
    #expect(result.status == 0)
    #expect(result.errors.hasPrefix("resuming after "))
    try folder.store().expect("SELECT count(*) FROM Note", "40")
    try folder.store().expectSound()
  }

  @Test("begins a steered run anew")
  func steered() throws {
    let folder = try TemporaryFolder()
    try folder.addTwoOfNotes()
    try folder.write("entities: {Note: {identity: uid}}", to: "m.yaml")
    let arguments = ["one", "two", "-o", "out.db", "--mapping", "m.yaml"]
    let running = try Program.start(
      arguments, in: folder.path, environment: ["CONVERT_END_AT": "finishing 0 9"],
      program: "killed-converter")
    #expect(try running.wait().signal == SIGKILL)
    let result = try Program.run(arguments + ["--resume", "-q"], in: folder.path)
    #expect(result.status == 0)
    #expect(
      result.errors == "nothing to resume; starting over\n")
    try folder.store().expect("SELECT count(*) FROM Note", "3")
  }

  @Test("and --dry-run exclude each other")
  func dryRun() throws {
    let folder = try ManyArchives.folder()
    let result = try folder.convert("in", "-o", "out.db", "--resume", "--dry-run")
    #expect(result.status == 64)
    #expect(result.errors.hasPrefix("Error: --resume and --dry-run cannot be used together.\n"))
  }
}
