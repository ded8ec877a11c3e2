import Foundation
import TestSupport
import Testing

@Suite("convert run --resume, after a run that wrote archives while it read them")
struct EarlyRunResumeTests {
  private static let count = 160

  private static func path(_ number: Int) -> String { "in/\(1_000 + number)" }

  /// A folder of archives of one kind, but for a damaged one and one twice.
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for number in 0..<Self.count {
      let note = NestedArchives.item("Note", name: "note \(number)")
      try folder.write(note.binary(), to: Self.path(number))
    }
    try folder.addDamagedSample(as: "in/1010 damaged")
    try folder.write(try folder.contents(of: Self.path(20)), to: "in/1030 same")
    return folder
  }

  /// Runs the program until so many archives are kept.
  private func end(
    after count: Int, in folder: TemporaryFolder, signal: Int32 = SIGKILL
  ) throws -> Program.Result {
    let running = try Program.start(
      ["in", "-o", "out.db", "--provenance"], in: folder.path,
      environment: ["CONVERT_END_AT": "early \(count) \(signal)"], program: "killed-converter")
    return try running.wait()
  }

  private func convert(
    _ folder: TemporaryFolder, _ arguments: String..., report: String
  ) throws -> Program.Result {
    try Program.run(
      ["in", "-o", "out.db", "--provenance", "-q", "--report", report] + arguments,
      in: folder.path)
  }

  /// What a run without an interruption makes, which goes again.
  private func whole(_ folder: TemporaryFolder) throws -> [String] {
    #expect(try convert(folder, report: "whole.json").status == 1)
    defer { try? FileManager.default.removeItem(atPath: folder.file(named: "out.db")) }
    return [try folder.wholeContent(), try folder.report("whole.json")]
  }

  private func resumed(_ folder: TemporaryFolder) throws -> [String] {
    [try folder.wholeContent(), try folder.report("r.json")]
  }

  @Test("goes on to the same store and report", arguments: [1, 12, 35, 150, count])
  func same(count: Int) throws {
    let folder = try folder()
    let whole = try whole(folder)
    #expect(try end(after: count, in: folder).signal == SIGKILL)
    #expect(try !folder.names().contains("out.db"))
    let result = try convert(folder, "--resume", report: "r.json")
    #expect(result.status == 1)
    let first = try #require(result.errorLines.first)
    let done = try #require(first.wholeMatch(of: /resuming after (\d+) completed archives/)?.1)
    #expect(try #require(Int(done)) >= count)
    #expect(try resumed(folder) == whole)
    try folder.store().expectSound()
    #expect(try folder.names() == ["in", "out.db", "r.json", "whole.json"])
  }

  @Test("goes on with what a run kept that went on itself")
  func again() throws {
    let folder = try folder()
    let whole = try whole(folder)
    #expect(try end(after: 30, in: folder).signal == SIGKILL)
    let running = try Program.start(
      ["in", "-o", "out.db", "--provenance", "--resume"], in: folder.path,
      environment: ["CONVERT_END_AT": "checkpoint 100 9"], program: "killed-converter")
    #expect(try running.wait().signal == SIGKILL)
    let result = try convert(folder, "--resume", report: "r.json")
    #expect(result.errorLines.first == "resuming after 100 completed archives")
    #expect(try resumed(folder) == whole)
  }

  @Test("is told of when a signal ends the run")
  func signal() throws {
    let folder = try folder()
    let ended = try end(after: 30, in: folder, signal: SIGTERM)
    #expect(ended.status == 128 + SIGTERM)
    let words =
      /interrupted: \d+ of 162 archives completed; use --resume to continue\n/
    #expect(ended.errors.wholeMatch(of: words) != nil, "\(ended.errors)")
  }

  @Test("goes on when there is room again")
  func noRoom() throws {
    let folder = try TemporaryFolder()
    for number in 0..<60 {
      let payload = Data((0..<30_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) })
      try folder.write(
        NestedArchives.item("Note", name: "\(number)", payload: payload).binary(),
        to: Self.path(number))
    }
    let running = try Program.start(
      ["in", "-o", "out.db"], in: folder.path, environment: ["CONVERT_END_AT": "early 61 9"],
      limits: ["-f 1000"], program: "killed-converter")
    let ended = try running.wait()
    #expect(ended.status == 2)
    let words =
      /out\.db: the database cannot be written: disk I\/O error\n\d+ of 60 archives completed; use --resume to continue\n/
    #expect(ended.errors.wholeMatch(of: words) != nil, "\(ended)")
    // It did not begin again, which would have failed as well.
    let left = try #require(try folder.names().first { $0.hasSuffix(".convert-partial") })
    try folder.store(left).expect(
      "SELECT instr(CAST(content AS TEXT), 'prediction') > 0 FROM _checkpoint WHERE id = 1", "1")
    let result = try folder.convert("in", "-o", "out.db", "--resume", "-q")
    #expect(result.status == 0)
    #expect(result.errors.hasPrefix("resuming after "))
    try folder.store().expect("SELECT count(*) FROM Note", "60")
    try folder.store().expectSound()
  }

  @Test("starts over where an archive is other than was predicted")
  func surprise() throws {
    let folder = try folder()
    try folder.write(
      NestedArchives.item("Toy", name: "of another class").binary(),
      to: Self.path(Self.count - 10))
    let whole = try whole(folder)
    #expect(try end(after: 30, in: folder).signal == SIGKILL)
    let result = try convert(folder, "--resume", report: "r.json")
    #expect(result.errorLines.first == "nothing to resume; starting over")
    #expect(try resumed(folder) == whole)
  }

  @Test("converts files that come after those that were read, whatever they are by now")
  func laterFiles() throws {
    let folder = try folder()
    #expect(try end(after: 30, in: folder).signal == SIGKILL)
    try folder.write(NestedArchives.item("Note", name: "new").binary(), to: "in/2000")
    try folder.write(
      NestedArchives.item("Note", name: "changed").binary(), to: Self.path(Self.count - 1))
    let result = try convert(folder, "--resume", report: "r.json")
    #expect(result.errorLines.first?.hasPrefix("resuming after ") == true)
    let resumed = try resumed(folder)
    try FileManager.default.removeItem(atPath: folder.file(named: "out.db"))
    #expect(try whole(folder) == resumed)
  }

  @Test(
    "refuses to go on where a file has changed that was read",
    arguments: [
      ("in/1003", "the archive in/1003"),
      ("in/1003 more", "the list of inputs (from in/1003 more on)"),
    ])
  func changed(path: String, words: String) throws {
    let folder = try folder()
    #expect(try end(after: 30, in: folder).signal == SIGKILL)
    try folder.write(NestedArchives.item("Note", name: "other").binary(), to: path)
    let result = try convert(folder, "--resume", report: "r.json")
    #expect(result.status == 2)
    #expect(
      result.errors == """
        out.db: cannot resume: \(words) has changed since the interrupted run
        nothing was changed; run without --resume to start over

        """)
  }
}
