import Foundation
import TestSupport
import Testing

@Suite("convert run, killed on the way")
struct RunInterruptionTests {
  static let count = 200_000
  static let archive = LinkedListArchive.bytes(count: count)

  /// When the program is killed, and how.
  struct Moment: CustomTestStringConvertible {
    var signal: Int32
    /// How large the partial file has become: 0 as soon as there is one; more when rows are being
    /// written to it.
    var size: Int

    var testDescription: String { "signal \(signal) at \(size) bytes" }

    func hasCome(in folder: TemporaryFolder) -> Bool {
      folder.hasUnfinished(ofSize: size)
    }
  }

  static let moments = [
    Moment(signal: SIGTERM, size: 0), Moment(signal: SIGTERM, size: 1),
    Moment(signal: SIGINT, size: 0), Moment(signal: SIGHUP, size: 500_000),
    Moment(signal: SIGKILL, size: 0), Moment(signal: SIGKILL, size: 1),
    Moment(signal: SIGKILL, size: 500_000),
  ]

  @Test(
    "leaves nothing at the destination, or a whole store",
    arguments: Thoroughness.some(moments, oneIn: 2))
  func leavesNothing(moment: Moment) throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.archive, to: "in/list.archive")
    let result = try kill(at: moment, in: folder, "in/list.archive", "-o", "out.db")
    if result.status == 0 {
      // The program was faster than the signal.
      try expectWhole(folder)
    } else {
      #expect(try folder.unfinished().count == (moment.signal == SIGKILL ? 1 : 0))
      #expect(try folder.finished() == ["in"])
    }
    // Nothing that was left is an obstacle.
    try folder.addSample("Locations.archive")
    let next = try folder.convert(
      "Locations.archive", "-o", "out.db", "--if-exists", "replace")
    #expect(next.status == 0)
    #expect(try folder.names() == ["Locations.archive", "in", "out.db"])
    try folder.store().expect("SELECT count(*) FROM Event", "6")
  }

  @Test(
    "leaves the file that it was to replace untouched",
    arguments: Thoroughness.some(moments, oneIn: 2, from: 1))
  func leavesOldFile(moment: Moment) throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.archive, to: "in/list.archive")
    try folder.write("a store of old", to: "out.db")
    let result = try kill(
      at: moment, in: folder, "in/list.archive", "-o", "out.db", "--if-exists", "replace")
    if result.status == 0 {
      try expectWhole(folder)
    } else {
      #expect(try folder.contents(of: "out.db") == Data("a store of old".utf8))
    }
  }

  private func kill(
    at moment: Moment, in folder: TemporaryFolder, _ arguments: String...
  ) throws -> Program.Result {
    let watch = try FolderWatch(folder.path)
    let program = try Program.start(arguments, in: folder.path)
    if try watch.wait(until: { moment.hasCome(in: folder) }) { program.send(moment.signal) }
    let result = try program.wait()
    #expect(result.output == "" || result.status == 0)
    if moment.signal == SIGKILL {
      #expect(result.signal == SIGKILL || result.status == 0)
    } else if result.status != 0 {
      #expect(result.status == 128 + moment.signal)
      #expect(result.errors == "interrupted: nothing was written\n")
    }
    return result
  }

  private func expectWhole(_ folder: TemporaryFolder) throws {
    try folder.store().expect("SELECT count(*) FROM Link", "\(Self.count)")
    #expect(try folder.names() == ["in", "out.db"])
  }
}
